//! Command queues.

use std::sync::atomic::{AtomicBool, Ordering};

use opencl_runtime::info::TABLES;
use opencl_runtime::{CommandQueue as Runtime, CommandQueueProperties};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::context::Context;
use super::device::Device;
use super::{hash_of, shown};
use crate::array::before_command;
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};

/// A command queue to *device*, one of *context* (its first one by default).
///
/// *properties* is a mask of :class:`command_queue_properties`, or a list of :class:`queue_properties` keys
/// and their values. As a context manager the queue is finished at the end of the block.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct CommandQueue {
    queue: Runtime,
    context: Py<Context>,
    device: Py<Device>,
    /// Whether its ``with`` block has ended.
    ended: AtomicBool,
}

impl CommandQueue {
    /// Wraps a queue with objects of its own for context and device.
    pub(crate) fn new_of(py: Python<'_>, queue: Runtime) -> PyResult<Self> {
        let context = Py::new(py, Context::from(queue.context().clone()))?;
        Self::new_in(py, queue, context)
    }

    fn new_in(py: Python<'_>, queue: Runtime, context: Py<Context>) -> PyResult<Self> {
        let device = Py::new(py, Device::from(queue.device().clone()))?;
        Ok(Self { queue, context, device, ended: AtomicBool::new(false) })
    }

    /// The queue's context as an object.
    pub(crate) fn context_object(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// The queue for a command; warns if its ``with`` block has ended.
    #[inline]
    pub(crate) fn live(&self, py: Python<'_>) -> PyResult<&Runtime> {
        before_command(py)?;
        self.live_for_array(py)
    }

    /// The same for a command of which arrays know what it writes.
    #[inline]
    pub(crate) fn live_for_array(&self, py: Python<'_>) -> PyResult<&Runtime> {
        if self.ended.load(Ordering::Relaxed) {
            warn_of_use_after_exit(py)?;
        }
        Ok(&self.queue)
    }
}

#[cold]
fn warn_of_use_after_exit(py: Python<'_>) -> PyResult<()> {
    let category = py.import("pyopencl")?.getattr("CommandQueueUsedAfterExit")?;
    PyErr::warn(
        py,
        category.cast::<PyType>()?,
        c"a command queue is used after the end of its 'with' block",
        1,
    )
}

/// Properties of a queue: a mask, or a list of keys and values.
enum Properties {
    Mask(u64),
    List(Vec<u64>),
}

impl Properties {
    fn new(object: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(object) = object.filter(|object| !object.is_none()) else { return Ok(Self::Mask(0)) };
        if let Ok(mask) = object.extract() {
            return Ok(Self::Mask(mask));
        }
        let list: Vec<u64> = object
            .extract()
            .map_err(|_| PyTypeError::new_err("properties: expected a mask, or a list of keys and values"))?;
        Ok(Self::List(list))
    }
}

#[pymethods]
impl CommandQueue {
    #[new]
    #[pyo3(signature = (context, device = None, properties = None))]
    fn new(
        context: &Bound<'_, Context>,
        device: Option<&Device>,
        properties: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = context.py();
        let properties = Properties::new(properties)?;
        let runtime = &context.get().context;
        let device = device.map(|device| &device.device);
        let queue = detached(py, || match &properties {
            Properties::Mask(mask) => {
                Runtime::with_properties(runtime, device, CommandQueueProperties::from_bits_retain(*mask))
            }
            Properties::List(list) => Runtime::with_property_list(runtime, device, list),
        })?;
        Self::new_in(py, queue, context.clone().unbind())
    }

    /// The queue's context.
    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// The queue's device.
    #[getter]
    fn device(&self, py: Python<'_>) -> Py<Device> {
        self.device.clone_ref(py)
    }

    /// Wait until all commands are done.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.queue.finish())
    }

    /// Send all commands to the device.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let queue = self.live(py)?;
        detached(py, || queue.flush())
    }

    /// The answer of the driver to a question, a value of :class:`command_queue_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, self.live(py)?, TABLES.queue, param, "CommandQueue.get_info")
    }

    /// The queue itself.
    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Wait until all commands are done; use of the queue warns from here on.
    fn __exit__(
        &self,
        py: Python<'_>,
        exc_type: &Bound<'_, PyAny>,
        exc_val: &Bound<'_, PyAny>,
        exc_tb: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (exc_type, exc_val, exc_tb);
        self.finish(py)?;
        self._finalize();
        Ok(())
    }

    /// Mark the queue as ended: its use warns from here on.
    fn _finalize(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// The version of OpenCL that the queue's platform reports, as ``(major, minor)``.
    fn _get_cl_version(&self) -> PyResult<(u16, u16)> {
        let version = self.queue.device().platform().into_py()?.opencl_version();
        Ok((version.major, version.minor))
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.queue.as_raw() as usize
    }

    /// The queue with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(py: Python<'_>, int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        let queue = unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py()?;
        Self::new_of(py, queue)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let queue = &slf.get().queue;
        let device = queue.device().name().into_py()?;
        shown(slf, queue.as_raw(), &format!(" on '{device}'"))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().queue == self.queue)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.queue.as_raw())
    }
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<CommandQueue>()?.get();
    answer(object.py(), (TABLES.queue.questions[index].ask)(slf.live(object.py())?))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<CommandQueue>()?;
    add_attributes(&m.py().get_type::<CommandQueue>(), TABLES.queue, ask)
}
