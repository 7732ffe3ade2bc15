//! Cumulative sums.

use opencl_array::scan;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Array;
use crate::cl::event::Event;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// The sums of all elements up to each one, in C order, as an array of one dimension, in *output_dtype* if given; it is
/// the dtype of the elements else, but int64 for truth values. With *return_event*, a pair of an event and the sums.
#[pyfunction]
#[pyo3(signature = (a, output_dtype = None, queue = None, wait_for = None, return_event = false))]
fn cumsum<'py>(
    a: &Bound<'py, Array>,
    output_dtype: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    wait_for: Option<&Bound<'py, PyAny>>,
    return_event: bool,
) -> PyResult<Py<PyAny>> {
    let py = a.py();
    let array = a.get().runtime()?;
    let dtype = output_dtype.map(dtype::from_numpy).transpose()?;
    let on = a.get().queue_or(py, queue)?;
    for event in Events::new(wait_for)?.iter() {
        array.storage().add_event(event.try_clone().into_py()?).array_result()?;
    }
    let sums = scan::cumsum(array, dtype, Some(on)).array_result()?;
    if !return_event {
        return Array::result_on(a, sums, queue).map(Py::into_any);
    }
    let marker =
        sums.enqueue_with(false, Some(on), &[], |queue, wait| queue.marker(wait).map(|event| ((), event)));
    let ((), event) = marker.array_result()?;
    let pair = (Py::new(py, Event::from(event))?, Array::result_on(a, sums, queue)?);
    Ok(PyTuple::new(py, [pair.0.into_any(), pair.1.into_any()])?.into_any().unbind())
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(cumsum, m)?)
}
