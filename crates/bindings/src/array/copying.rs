//! Arrays through `copy` and `pickle`: shallow copies share the memory, deep ones and pickles hold the elements.

use std::sync::OnceLock;

use numpy::PyUntypedArray;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::Array;
use super::class::Content;
use super::subclass::uninitialised;
use super::transfer::upload;
use crate::cl::event::Event;
use crate::cl::queue::CommandQueue;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// Gives `copy` what was assigned to the attributes of `original`.
fn take_attributes(copy: &Bound<'_, Array>, attributes: &Bound<'_, PyAny>) -> PyResult<()> {
    copy.getattr("__dict__")?.cast::<PyDict>()?.update(attributes.cast()?)
}

/// The queue of an array, or that of `queue_for_pickling`, without which the array cannot be read.
fn queue_to_read<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, CommandQueue>> {
    if let Some(queue) = slf.get().queue_object()? {
        return Ok(queue.bind(slf.py()).clone());
    }
    let given = slf.py().import("pyopencl._pickling")?.getattr("QUEUE")?.call_method0("get")?;
    given.cast_into::<CommandQueue>().map_err(|_| {
        PyRuntimeError::new_err(
            "the array has no queue to copy it with: use array.with_queue(queue), or do it in a block \
             `with pyopencl.array.queue_for_pickling(queue):`",
        )
    })
}

#[pymethods]
impl Array {
    /// Another object for the same memory, with the same attributes.
    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let (array, py) = (slf.get(), slf.py());
        let copy = uninitialised(&slf.get_type())?;
        let queue = array.queue_object()?.map(|queue| queue.clone_ref(py));
        let content = Content::new(py, array.runtime()?.clone(), queue, array.memory_cell(py)?);
        copy.get().set_content(content)?;
        take_attributes(&copy, &slf.getattr("__dict__")?)?;
        Ok(copy)
    }

    /// An array of the same class in memory of its own, on the same queue, with deep copies of the attributes.
    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, memo: &Bound<'py, PyDict>) -> PyResult<Bound<'py, Self>> {
        let (array, py) = (slf.get(), slf.py());
        let queue = queue_to_read(slf)?;
        let elements = array.runtime()?.copy(Some(queue.get().live(py)?)).array_result()?;
        let queue = array.queue_object()?.map(|queue| queue.clone_ref(py));
        let copy = uninitialised(&slf.get_type())?;
        copy.get().set_content(Content::new(py, elements, queue, OnceLock::new()))?;
        memo.set_item(slf.as_ptr() as usize, &copy)?;
        let attributes = slf.getattr("__dict__")?;
        take_attributes(&copy, &py.import("copy")?.call_method1("deepcopy", (attributes, memo))?)?;
        Ok(copy)
    }

    /// Copy the elements of *src* into *dest*, with broadcasting: returns an event.
    #[staticmethod]
    #[pyo3(signature = (dest, src, queue = None, wait_for = None))]
    fn _copy<'py>(
        dest: &Bound<'py, Self>,
        src: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Event> {
        let (target, source) = (dest.get().runtime()?, src.get().runtime()?);
        let queue = dest.get().queue_or(dest.py(), queue)?;
        for event in Events::new(wait_for)?.iter() {
            target.storage().add_event(event.try_clone().into_py()?).array_result()?;
        }
        target.assign(source, Some(queue)).array_result()?;
        let done = target.enqueue_with(false, Some(queue), &[], |queue, wait| Ok(((), queue.marker(wait)?)));
        Ok(done.array_result()?.1.into())
    }

    /// What :mod:`pickle` stores: the class, the elements, whether there was a queue, and the attributes.
    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, _protocol: u8) -> PyResult<Pickled<'py>> {
        let queue = queue_to_read(slf)?;
        let elements = Self::get(slf, Some(&queue), None)?;
        let restore = slf.py().import("pyopencl._pickling")?.getattr("restore")?;
        let has_queue = slf.get().queue_object()?.is_some();
        Ok((restore, (slf.get_type(), elements, has_queue), slf.getattr("__dict__")?))
    }
}

/// A function, its arguments, and the attributes of what it gives.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, Bound<'py, PyAny>, bool), Bound<'py, PyAny>);

/// An array of a class with the elements of a host array, on the device of a queue, which is its own if it
/// `has_queue`. The constructor is not called.
#[pyfunction]
pub(super) fn _restore_array<'py>(
    class: &Bound<'py, PyType>,
    elements: &Bound<'py, PyUntypedArray>,
    queue: &Bound<'py, CommandQueue>,
    has_queue: bool,
) -> PyResult<Bound<'py, Array>> {
    let restored = uninitialised(class)?;
    let array = upload(queue.get().live(queue.py())?, elements)?;
    let queue = has_queue.then(|| queue.clone().unbind());
    restored.get().set_content(Content::new(class.py(), array, queue, OnceLock::new()))?;
    Ok(restored)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_restore_array, m)?)
}
