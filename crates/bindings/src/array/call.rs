//! Functions of elements, for the module `pyopencl.clmath`.

use opencl_array::expr::Function;
use opencl_array::ops::{self, Lazy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::Array;
use super::fuse::fusing;
use super::logical::lazy;
use super::operand::{partner, required};
use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

/// The function of that name (see `opencl_array::expr::Function`) of one or two operands.
#[pyfunction]
#[pyo3(signature = (name, first, second = None, queue = None))]
fn _call(
    name: &str,
    first: &Bound<'_, PyAny>,
    second: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, CommandQueue>>,
) -> PyResult<Py<Array>> {
    let py = first.py();
    let function = Function::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("there is no function {name:?}")))?;
    let array = partner(&[first, second.unwrap_or(first)], name)?;
    let partner = array.get();
    if let (None, Some(fusing)) = (queue, fusing(array)?) {
        let first = lazy(first, array, name)?;
        let second = second.map(|second| lazy(second, array, name)).transpose()?;
        let operands: SmallVec<[&Lazy; 2]> = [&first].into_iter().chain(&second).collect();
        return fusing.get().defer(array, Lazy::call(function, &operands).array_result()?);
    }
    let on = queue.map(|queue| queue.get().live(py)).transpose()?;
    let first = required(first, partner, name)?;
    let result = match second {
        None => ops::call(function, &[first.runtime()], on),
        Some(second) => {
            let second = required(second, partner, name)?;
            ops::call(function, &[first.runtime(), second.runtime()], on)
        }
    };
    Array::result_on(array, result.array_result()?, queue)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_call, m)?)
}
