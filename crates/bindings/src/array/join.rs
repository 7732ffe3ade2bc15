//! Joining arrays, differences of neighbours, reversal.

use opencl_array::{Array as Runtime, join};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::prelude::*;

use super::Array;
use super::allocator;
use super::operand::{Operand, partner, required};
use crate::cl::queue::CommandQueue;
use crate::error::{ArrayResult, array_error};

/// Calls `join` with what `arrays` holds: arrays, at least one of them of this class, and host arrays.
fn joined(
    arrays: &Bound<'_, PyAny>,
    queue: Option<&Bound<'_, CommandQueue>>,
    name: &'static str,
    join: impl FnOnce(&[&Runtime], Option<&RuntimeQueue>) -> opencl_array::Result<Runtime>,
) -> PyResult<Py<Array>> {
    let py = arrays.py();
    let items = arrays.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    if items.is_empty() {
        return Err(array_error(&opencl_array::Error::NothingToJoin { operation: name }));
    }
    let first = partner(&items.iter().collect::<Vec<_>>(), name)?.clone();
    let partner = first.get();
    let on = queue.map(|queue| queue.get().live(py)).transpose()?;
    let operands =
        items.iter().map(|item| required(item, partner, name)).collect::<PyResult<Vec<Operand<'_>>>>()?;
    let arrays = operands
        .iter()
        .zip(&items)
        .map(|(operand, item)| operand.array(item, name))
        .collect::<PyResult<Vec<&Runtime>>>()?;
    Array::result_on(&first, join(&arrays, on).array_result()?, queue)
}

/// Join arrays along *axis*, along which alone their shapes may differ; dtypes promote as in NumPy. *allocator*
/// makes the memory.
#[pyfunction]
#[pyo3(signature = (arrays, axis = 0, queue = None, allocator = None))]
fn concatenate(
    arrays: &Bound<'_, PyAny>,
    axis: isize,
    queue: Option<&Bound<'_, CommandQueue>>,
    allocator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let allocator = allocator.map(allocator::of_object);
    joined(arrays, queue, "concatenate", |arrays, queue| join::concatenate(arrays, axis, queue, allocator))
}

/// Join arrays of one shape along a new axis, which is number *axis* of the result; dtypes promote as in NumPy.
#[pyfunction]
#[pyo3(signature = (arrays, axis = 0, queue = None))]
fn stack(
    arrays: &Bound<'_, PyAny>,
    axis: isize,
    queue: Option<&Bound<'_, CommandQueue>>,
) -> PyResult<Py<Array>> {
    joined(arrays, queue, "stack", |arrays, queue| join::stack(arrays, axis, queue))
}

/// Join arrays along their second axis, those of one dimension along their first; dtypes promote as in NumPy.
#[pyfunction]
#[pyo3(signature = (arrays, queue = None))]
fn hstack(arrays: &Bound<'_, PyAny>, queue: Option<&Bound<'_, CommandQueue>>) -> PyResult<Py<Array>> {
    joined(arrays, queue, "hstack", join::hstack)
}

/// Each element less the one before it, along the last axis; of truth values whether the two differ. *allocator* makes
/// the memory.
#[pyfunction]
#[pyo3(signature = (array, queue = None, allocator = None))]
fn diff(
    array: &Bound<'_, Array>,
    queue: Option<&Bound<'_, CommandQueue>>,
    allocator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let py = array.py();
    let on = array.get().queue_or(py, queue)?;
    let mut operand = array.get().runtime()?.clone();
    if let Some(allocator) = allocator {
        operand = operand.with_allocator(Some(allocator::of_object(allocator)));
    }
    Array::result_on(array, join::diff(&operand, Some(on)).array_result()?, queue)
}

#[pymethods]
impl Array {
    /// The elements in reverse order, along all axes, in a new array.
    #[pyo3(signature = (queue = None))]
    fn reverse(slf: &Bound<'_, Self>, queue: Option<&Bound<'_, CommandQueue>>) -> PyResult<Py<Self>> {
        let on = slf.get().queue_or(slf.py(), queue)?;
        Self::result_on(slf, slf.get().runtime()?.reverse(Some(on)).array_result()?, queue)
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(concatenate, m)?)?;
    m.add_function(wrap_pyfunction!(stack, m)?)?;
    m.add_function(wrap_pyfunction!(hstack, m)?)?;
    m.add_function(wrap_pyfunction!(diff, m)?)
}
