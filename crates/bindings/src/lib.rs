//! The Python extension module `pyopencl._cl`: wiring only.
//!
//! What each part does: [`convert`] makes Rust values of Python objects, [`cl`] holds the classes of the
//! runtime, [`array`] those of arrays, [`constants`] the classes of constants, [`info`] the attributes that
//! ask the driver, [`error`] the one place where errors become exceptions, [`made`] keeps the
//! garbage collector from objects that are not there yet, and [`gil`] the one place where
//! the interpreter's lock is left. What PyO3 does at length for all, [`object`], `vectorcall` and `shortcut` do
//! shortly for what is made and called most.

mod array;
mod cl;
mod constants;
mod convert;
mod error;
mod gil;
mod info;
mod made;
mod object;
#[cfg(vectorcall)]
mod shortcut;
#[cfg(vectorcall)]
mod vectorcall;

use pyo3::prelude::*;

/// The native half of the package `pyopencl`.
#[pymodule]
fn _cl(m: &Bound<'_, PyModule>) -> PyResult<()> {
    error::register(m)?;
    constants::register(m)?;
    cl::register(m)?;
    array::register(m)?;
    gil::register(m)
}
