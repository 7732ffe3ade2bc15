//! Attributes that can be set: another queue, allocator or layout over the memory that an array has. And its events.

use opencl_array::{Array as Runtime, Error, Layout, Order};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::Array;
use super::allocator::{self, warn_of_other_queue};
use crate::cl::event::Event;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::{ArrayResult, IntoPyResult};

impl Array {
    /// Gives the array another layout or dtype over its memory.
    fn change_view(&self, py: Python<'_>, view: Runtime) -> PyResult<()> {
        self.change(py, view, self.queue_object()?.map(|queue| queue.clone_ref(py)))
    }
}

#[pymethods]
impl Array {
    /// Operations enqueue to another queue from now on; ``None`` takes it away.
    #[setter(queue)]
    fn set_queue(slf: &Bound<'_, Self>, queue: Option<&Bound<'_, CommandQueue>>) -> PyResult<()> {
        let py = slf.py();
        let runtime_queue = queue.map(|queue| queue.get().live(py)).transpose()?.cloned();
        let array = slf.get().runtime()?.with_queue(runtime_queue).array_result()?;
        warn_of_other_queue(py, &array)?;
        slf.get().change(py, array, queue.map(|queue| queue.clone().unbind()))
    }

    /// Results get their memory from another function from now on.
    #[setter(allocator)]
    fn set_allocator(&self, py: Python<'_>, allocator: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Some(allocator) = allocator.filter(|allocator| !allocator.is_callable()) {
            let text = format!("an allocator is a function, not an object of {}", allocator.get_type());
            return Err(PyTypeError::new_err(text));
        }
        let allocator = allocator.map(allocator::of_object);
        self.change_view(py, self.runtime()?.clone().with_allocator(allocator))
    }

    /// The shape, without a copy.
    #[setter(shape)]
    fn set_shape(&self, py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let lengths = match shape.extract::<i64>() {
            Ok(length) => vec![length],
            Err(_) => shape.try_iter()?.map(|length| length?.extract()).collect::<PyResult<_>>()?,
        };
        match self.runtime()?.reshape(&lengths, Order::C) {
            Err(error @ Error::ReshapeCopies { .. }) => Err(PyAttributeError::new_err(format!("{error}"))),
            view => self.change_view(py, view.array_result()?),
        }
    }

    /// Bytes from one element to the next, per dimension.
    #[setter(strides)]
    fn set_strides(&self, py: Python<'_>, strides: &Bound<'_, PyAny>) -> PyResult<()> {
        let strides: SmallVec<[isize; 6]> =
            strides.try_iter()?.map(|stride| stride?.extract()).collect::<PyResult<_>>()?;
        let array = self.runtime()?;
        self.change_view(py, array.as_strided(array.shape(), &strides).array_result()?)
    }

    /// The dtype as which the memory is read. See :meth:`view`.
    #[setter(dtype)]
    fn set_dtype(&self, py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<()> {
        let view = self.runtime()?.view_as(dtype::from_numpy(dtype)?).array_result()?;
        self.change_view(py, view)
    }

    /// Bytes from the start of the memory to the first element.
    #[setter(offset)]
    fn set_offset(&self, py: Python<'_>, offset: usize) -> PyResult<()> {
        let array = self.runtime()?;
        let (layout, dtype) = (array.layout(), array.dtype());
        let layout =
            Layout::strided(layout.shape(), layout.strides(), offset, dtype.size()).array_result()?;
        let view = Runtime::new(array.storage().clone(), layout, dtype, array.queue().cloned());
        self.change_view(py, view.array_result()?.with_allocator(array.allocator().cloned()))
    }

    /// Not what an array can change.
    #[setter(base_data)]
    fn set_base_data(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = data;
        Err(PyAttributeError::new_err(
            "the memory of an array is always the same: array._new_with_changes(data, offset) makes an array over other memory",
        ))
    }

    /// Events of the commands on the array's memory that later operations wait for, as a list. For those on an in-order
    /// queue it is a marker, which is there once for each write since :meth:`finish`, but no more than ten times. What is
    /// put into the list is waited for, as with :meth:`add_event`.
    #[getter]
    fn events<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let events = slf.get().runtime()?.storage().events().array_result()?;
        let events: Vec<_> = events
            .iter()
            .map(|event| Py::new(py, Event::from(event.try_clone().into_py()?)))
            .collect::<PyResult<_>>()?;
        py.import(intern!(py, "pyopencl._events"))?.call_method1(intern!(py, "Events"), (slf, events))
    }

    /// Later operations wait for these events too. Those that are pending are waited for as before.
    #[setter(events)]
    fn set_events(&self, events: &Bound<'_, PyAny>) -> PyResult<()> {
        let events: Vec<Bound<'_, Event>> =
            events.try_iter()?.map(|event| Ok(event?.cast_into()?)).collect::<PyResult<_>>()?;
        events.iter().try_for_each(|event| self.add_event(event.get()))
    }

    /// Add an event that later operations wait for.
    fn add_event(&self, evt: &Event) -> PyResult<()> {
        self.runtime()?.storage().add_event(evt.event.try_clone().into_py()?).array_result()?;
        Ok(())
    }
}
