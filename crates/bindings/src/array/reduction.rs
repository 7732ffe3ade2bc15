//! Sum, greatest and least element.

use opencl_array::expr::BinaryOp;
use opencl_array::ops::Lazy;
use opencl_array::{Array as Runtime, Scalar, reduction};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Array;
use super::index::indices;
use super::operand::{Operand, operand};
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

/// The number that an `initial` argument is.
fn number(initial: Option<&Bound<'_, PyAny>>, array: &Bound<'_, Array>) -> PyResult<Option<Scalar>> {
    let Some(initial) = initial else { return Ok(None) };
    match operand(initial.as_borrowed(), array.get())? {
        Some(Operand::Scalar(number)) => Ok(Some(number)),
        _ => {
            let kind = initial.get_type();
            Err(PyTypeError::new_err(format!("initial: expected a number, got an object of {kind}")))
        }
    }
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
    let on = reduction_queue(a, queue)?;
    let elements = match slice {
        Some(_) => Lazy::from(&part(a.get().runtime()?, slice)?),
        None => reduced(a)?,
    };
    let sum = match number(initial, a)? {
        Some(initial) => reduction::from_initial(BinaryOp::Add, elements, dtype, initial, Some(on)),
        None => reduction::sum(elements, dtype, Some(on)),
    };
    Array::result_on(a, sum.array_result()?, queue)
}

/// The greatest element, as an array without dimensions.
#[pyfunction]
#[pyo3(signature = (a, queue = None, initial = None))]
fn _max(
    a: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    extremum(BinaryOp::Maximum, a, queue, initial)
}

/// The least element, as an array without dimensions.
#[pyfunction]
#[pyo3(signature = (a, queue = None, initial = None))]
fn _min(
    a: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    extremum(BinaryOp::Minimum, a, queue, initial)
}

fn extremum(
    op: BinaryOp,
    a: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    initial: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let (on, elements) = (reduction_queue(a, queue)?, reduced(a)?);
    let result = match (number(initial, a)?, op) {
        (Some(initial), _) => reduction::from_initial(op, elements, None, initial, Some(on)),
        (None, BinaryOp::Maximum) => reduction::max(elements, Some(on)),
        (None, _) => reduction::min(elements, Some(on)),
    };
    Array::result_on(a, result.array_result()?, queue)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_sum, m)?)?;
    m.add_function(wrap_pyfunction!(_max, m)?)?;
    m.add_function(wrap_pyfunction!(_min, m)?)
}
