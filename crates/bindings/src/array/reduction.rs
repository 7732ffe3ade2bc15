//! Sum, greatest and least element.

use opencl_array::expr::BinaryOp;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array as Runtime, reduction};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::prelude::*;

use super::Array;
use super::index::indices;
use super::operand::operand;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::ArrayResult;

/// The part of an array that a `slice` argument names, or all of it.
pub(super) fn part(array: &Runtime, slice: Option<&Bound<'_, PyAny>>) -> PyResult<Runtime> {
    match slice {
        Some(slice) => array.index(&indices(slice)?).array_result(),
        None => Ok(array.clone()),
    }
}

/// The array as what is reduced: an expression that was deferred is, in one kernel.
pub(super) fn reduced(array: &Bound<'_, Array>) -> PyResult<Lazy> {
    array.get().value()?.lazy(array.py())
}

/// The queue for it: the given one, or that of the array.
pub(super) fn reduction_queue<'a>(
    array: &'a Bound<'_, Array>,
    given: Option<&'a Bound<'_, CommandQueue>>,
) -> PyResult<&'a RuntimeQueue> {
    let py = array.py();
    match given {
        Some(queue) => queue.get().live(py),
        None => array.get().own_queue(py),
    }
}

/// The result as an object, combined with an initial value where there is one.
fn finish(
    array: &Bound<'_, Array>,
    result: Runtime,
    op: BinaryOp,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let initial = initial.map(|initial| operand(initial.as_borrowed(), array.get())).transpose()?.flatten();
    let result = match initial {
        Some(initial) => ops::binary(op, &result, initial.runtime(), None).array_result()?,
        None => result,
    };
    Array::result(array, result)
}

/// The sum of all elements, as an array without dimensions.
#[pyfunction]
#[pyo3(signature = (a, dtype = None, queue = None, slice = None, initial = None))]
fn _sum(
    a: &Bound<'_, Array>,
    dtype: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, CommandQueue>>,
    slice: Option<&Bound<'_, PyAny>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let dtype = dtype.map(dtype::from_numpy).transpose()?;
    let queue = reduction_queue(a, queue)?;
    let elements = match slice {
        Some(_) => Lazy::from(&part(a.get().runtime()?, slice)?),
        None => reduced(a)?,
    };
    let sum = reduction::sum(elements, dtype, Some(queue)).array_result()?;
    finish(a, sum, BinaryOp::Add, initial)
}

/// The greatest element, as an array without dimensions.
#[pyfunction]
#[pyo3(signature = (a, queue = None, initial = None))]
fn _max(
    a: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let queue = reduction_queue(a, queue)?;
    finish(a, reduction::max(reduced(a)?, Some(queue)).array_result()?, BinaryOp::Maximum, initial)
}

/// The least element, as an array without dimensions.
#[pyfunction]
#[pyo3(signature = (a, queue = None, initial = None))]
fn _min(
    a: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let queue = reduction_queue(a, queue)?;
    finish(a, reduction::min(reduced(a)?, Some(queue)).array_result()?, BinaryOp::Minimum, initial)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_sum, m)?)?;
    m.add_function(wrap_pyfunction!(_max, m)?)?;
    m.add_function(wrap_pyfunction!(_min, m)?)
}
