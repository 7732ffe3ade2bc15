//! Arrays: the class `pyopencl.array.Array` and the functions of that module.

mod allocator;
mod arithmetic;
mod attributes;
mod call;
mod changed;
mod class;
mod compare;
mod copying;
mod create;
mod declaration;
mod elementwise;
mod flags;
mod fuse;
mod hook;
mod host;
mod index;
mod join;
mod linear;
mod logical;
mod map;
mod operand;
mod product;
mod random;
mod reduction;
mod rounding;
mod scan;
mod snippet;
mod structured;
mod subclass;
mod subscript;
mod take;
mod transfer;
mod tuning;
mod value;
mod view;

use pyo3::prelude::*;

pub(crate) use class::Array;
pub(crate) use fuse::before_command;

/// Puts everything into the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    call::register(m)?;
    class::register(m)?;
    copying::register(m)?;
    create::register(m)?;
    declaration::register(m)?;
    elementwise::register(m)?;
    flags::register(m)?;
    hook::register(m)?;
    fuse::register(m)?;
    join::register(m)?;
    logical::register(m)?;
    product::register(m)?;
    reduction::register(m)?;
    snippet::register(m)?;
    view::register(m)?;
    scan::register(m)?;
    take::register(m)?;
    tuning::register(m)?;
    random::register(m)
}
