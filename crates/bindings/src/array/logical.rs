//! Truth values of elements, and choices by them.

use opencl_array::ops::{self, Lazy};
use opencl_array::reduction;
use pyo3::prelude::*;

use super::Array;
use super::fuse::fusing;
use super::operand::{partner, required};
use super::reduction::{reduced, reduction_queue};
use crate::cl::event::Event;
use crate::cl::queue::CommandQueue;
use crate::error::{ArrayResult, IntoPyResult};

/// An operand of the function `name` as an expression.
pub(super) fn lazy(object: &Bound<'_, PyAny>, partner: &Bound<'_, Array>, name: &str) -> PyResult<Lazy> {
    match object.cast::<Array>() {
        Ok(array) => array.get().value()?.lazy(object.py()),
        Err(_) => Ok(required(object, partner.get(), name)?.runtime().into()),
    }
}

/// Computes an expression into `out`, or into a new array of the partner's class.
pub(super) fn compute<'py>(
    partner: &Bound<'py, Array>,
    expression: &Lazy,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<Array>> {
    let py = partner.py();
    if let (None, None, Some(fusing)) = (out, queue, fusing(partner)?) {
        return fusing.get().defer(partner, expression.clone());
    }
    let on = queue.map(|queue| queue.get().live(py)).transpose()?;
    match out {
        None => Array::result_on(partner, expression.evaluate(on).array_result()?, queue),
        Some(out) => {
            expression.evaluate_into(out.get().runtime()?, on).array_result()?;
            Ok(out.clone().unbind())
        }
    }
}

/// 1 where both elements are not zero (NaN is not), else 0, as int8. At least one operand is an array.
#[pyfunction]
#[pyo3(signature = (x1, x2, /, out = None, queue = None))]
fn logical_and<'py>(
    x1: &Bound<'py, PyAny>,
    x2: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<Array>> {
    let name = "logical_and";
    let array = partner(&[x1, x2], name)?;
    let both = ops::logical_and(lazy(x1, array, name)?, lazy(x2, array, name)?).array_result()?;
    compute(array, &both, out, queue)
}

/// 1 where one of the elements is not zero (NaN is not), else 0, as int8. At least one operand is an array.
#[pyfunction]
#[pyo3(signature = (x1, x2, /, out = None, queue = None))]
fn logical_or<'py>(
    x1: &Bound<'py, PyAny>,
    x2: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<Array>> {
    let name = "logical_or";
    let array = partner(&[x1, x2], name)?;
    let one = ops::logical_or(lazy(x1, array, name)?, lazy(x2, array, name)?).array_result()?;
    compute(array, &one, out, queue)
}

/// 1 where the element is zero, else 0, as int8.
#[pyfunction]
#[pyo3(signature = (x, /, out = None, queue = None))]
fn logical_not<'py>(
    x: &Bound<'py, Array>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<Array>> {
    let zero = ops::logical_not(x.get().value()?.lazy(x.py())?).array_result()?;
    compute(x, &zero, out, queue)
}

/// Elements of *then_* where those of *criterion* are greater than zero, of *else_* elsewhere, with broadcasting and
/// dtypes as in :func:`numpy.where`, which gives the result if none of the three is an array of a device.
#[pyfunction]
#[pyo3(signature = (criterion, then_, else_, out = None, queue = None))]
fn if_positive<'py>(
    criterion: &Bound<'py, PyAny>,
    then_: &Bound<'py, PyAny>,
    else_: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<PyAny>> {
    let name = "if_positive";
    let operands = [criterion, then_, else_];
    if out.is_none() && !operands.iter().any(|operand| operand.is_instance_of::<Array>()) {
        let numpy = criterion.py().import("numpy")?;
        let positive = numpy.call_method1("greater", (criterion, 0))?;
        return Ok(numpy.call_method1("where", (positive, then_, else_))?.unbind());
    }
    let array = partner(&[criterion, then_, else_], name)?;
    let (then, otherwise) = (lazy(then_, array, name)?, lazy(else_, array, name)?);
    let chosen = ops::if_positive(lazy(criterion, array, name)?, then, otherwise).array_result()?;
    compute(array, &chosen, out, queue).map(Py::into_any)
}

/// Makes what is enqueued on the array's memory next wait for events.
fn wait_before(array: &Array, wait_for: Option<Vec<PyRef<'_, Event>>>) -> PyResult<()> {
    for event in wait_for.into_iter().flatten() {
        array.runtime()?.storage().add_event(event.event.try_clone().into_py()?).array_result()?;
    }
    Ok(())
}

#[pymethods]
impl Array {
    /// Whether an element is not zero, as an int8 array without dimensions; of no elements 0.
    #[pyo3(signature = (queue = None, wait_for = None))]
    pub(super) fn any<'py>(
        slf: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<Vec<PyRef<'py, Event>>>,
    ) -> PyResult<Py<Self>> {
        let array = slf.get();
        wait_before(array, wait_for)?;
        let on = reduction_queue(slf, queue)?;
        Self::result_on(slf, reduction::any(reduced(slf)?, Some(on)).array_result()?, queue)
    }

    /// Whether no element is zero, as an int8 array without dimensions; of no elements 1.
    #[pyo3(signature = (queue = None, wait_for = None))]
    fn all<'py>(
        slf: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<Vec<PyRef<'py, Event>>>,
    ) -> PyResult<Py<Self>> {
        let array = slf.get();
        wait_before(array, wait_for)?;
        let on = reduction_queue(slf, queue)?;
        Self::result_on(slf, reduction::all(reduced(slf)?, Some(on)).array_result()?, queue)
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(logical_and, m)?)?;
    m.add_function(wrap_pyfunction!(logical_or, m)?)?;
    m.add_function(wrap_pyfunction!(logical_not, m)?)?;
    m.add_function(wrap_pyfunction!(if_positive, m)?)
}
