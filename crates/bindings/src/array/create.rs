//! Functions that make arrays.

use opencl_array::Scalar;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Array;
use super::class::{self, empty};
use super::operand::scalar;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// An array of zeros on a queue. The other parameters are those of :class:`Array`.
#[pyfunction]
#[pyo3(signature = (queue, shape, dtype, order = "C", allocator = None))]
fn zeros(
    queue: &Bound<'_, CommandQueue>,
    shape: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    order: &str,
    allocator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let (shape, dtype) = (class::shape(shape)?, dtype::from_numpy(dtype)?);
    let made = empty(queue, &shape, dtype, class::order(order)?, allocator)?;
    made.fill(Scalar::Bool(false), None).array_result()?;
    Array::wrap(queue.py(), made, Some(queue.clone().unbind()))
}

/// The numbers *start*, *start* + *step*, … below *stop* as an array of *dtype*.
#[pyfunction]
fn _arange(
    queue: &Bound<'_, CommandQueue>,
    start: &Bound<'_, PyAny>,
    stop: &Bound<'_, PyAny>,
    step: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    allocator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let number = |object: &Bound<'_, PyAny>| {
        scalar(object.as_borrowed())?.ok_or_else(|| {
            PyTypeError::new_err(format!("arange: expected numbers, got an object of {}", object.get_type()))
        })
    };
    let (start, stop, step) = (number(start)?, number(stop)?, number(step)?);
    let dtype = dtype::from_numpy(dtype)?;
    let py = queue.py();
    let runtime = queue.get().live(py)?;
    let array = opencl_array::Array::arange(runtime, start, stop, step, dtype).array_result()?;
    let Some(allocator) = allocator else {
        return Array::wrap(py, array, Some(queue.clone().unbind()));
    };
    let made = empty(queue, array.shape(), dtype, opencl_array::Order::C, Some(allocator))?;
    made.assign(&array, None).array_result()?;
    Array::wrap(py, made, Some(queue.clone().unbind()))
}

#[pymethods]
impl Array {
    /// Set every element to zero.
    #[pyo3(signature = (queue = None, wait_for = None))]
    fn _zero_fill<'py>(
        slf: Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let array = slf.get().runtime()?;
        for event in Events::new(wait_for)?.iter() {
            array.storage().add_event(event.try_clone().into_py()?).array_result()?;
        }
        array.fill(Scalar::Bool(false), Some(slf.get().queue_or(slf.py(), queue)?)).array_result()
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(zeros, m)?)?;
    m.add_function(wrap_pyfunction!(_arange, m)?)?;
    m.add_function(wrap_pyfunction!(super::transfer::to_device, m)?)
}
