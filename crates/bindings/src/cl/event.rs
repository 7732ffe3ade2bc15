//! Events, and waiting for them.

use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use opencl_runtime::constants::{CommandExecutionStatus, CommandType};
use opencl_runtime::info::TABLES;
use opencl_runtime::{Event as Runtime, UserEvent as RuntimeUserEvent, wait_for_events as wait_for_all};
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError};
use pyo3::prelude::*;

use super::context::Context;
use super::{hash_of, shown};
use crate::convert::host::Export;
use crate::convert::wait_list::Events;
use crate::error::{IntoPyResult, invalid};
use crate::gil::{detached, from_driver_thread};
use crate::info::{add_attributes, answer, get_info};
use crate::object::{Place, allocate};

/// An event: how far a command is.
#[pyclass(frozen, subclass, module = "pyopencl._cl")]
pub(crate) struct Event {
    pub(crate) event: Runtime,
}

static PLACE: Place<Event> = Place::new();

/// The object for an event.
#[inline]
pub(crate) fn wrap(py: Python<'_>, event: Runtime) -> PyResult<Bound<'_, Event>> {
    PLACE.wrap(py, Event { event })
}

impl From<Runtime> for Event {
    fn from(event: Runtime) -> Self {
        Self { event }
    }
}

#[pymethods]
impl Event {
    /// Wait until the command is done.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.event.wait())
    }

    /// Call *callback* with the status once the command has reached *command_exec_callback_type*, a value
    /// of :class:`command_execution_status`, or failed. It is called from another thread, and at once if
    /// the command is that far.
    #[pyo3(signature = (command_exec_callback_type, callback, /))]
    fn set_callback(
        &self,
        py: Python<'_>,
        command_exec_callback_type: i32,
        callback: Py<PyAny>,
    ) -> PyResult<()> {
        if !callback.bind(py).is_callable() {
            let kind = callback.bind(py).get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "the callback must be callable, not an object of type {kind}"
            )));
        }
        let status = CommandExecutionStatus(command_exec_callback_type);
        let call_back = move |status: CommandExecutionStatus| {
            let callback = std::mem::ManuallyDrop::new(callback);
            from_driver_thread(|py| {
                if let Err(error) = callback.call1(py, (status.0,)) {
                    error.write_unraisable(py, Some(callback.bind(py)));
                }
                // Without the interpreter, the call back stays: there is nobody to take it back.
                drop(std::mem::ManuallyDrop::into_inner(callback));
            });
        };
        // A driver may call at once, from a thread of its own that has to get in.
        detached(py, || self.event.on_status(status, call_back))
    }

    /// The answer of the driver to a question, a value of :class:`event_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.event, TABLES.event, param, "Event.get_info")
    }

    /// A time in nanoseconds, a value of :class:`profiling_info`.
    #[pyo3(signature = (param, /))]
    fn get_profiling_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.event, TABLES.profiling, param, "Event.get_profiling_info")
    }

    /// Times of the command: ``profile.start`` and the like, in nanoseconds.
    #[getter]
    fn profile(slf: Bound<'_, Self>) -> ProfilingInfoGetter {
        ProfilingInfoGetter { event: slf.unbind() }
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.event.as_raw() as usize
    }

    /// The event with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py().map(Self::from)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let event = &slf.get().event;
        let kind = event.command_type().into_py()?;
        let name = CommandType::CLASS.names(kind.0.into()).join(" ");
        shown(slf, event.as_raw(), &format!(" of {name}"))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().event == self.event)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.event.as_raw())
    }
}

/// The times of a command, by name.
#[pyclass(frozen, module = "pyopencl")]
struct ProfilingInfoGetter {
    event: Py<Event>,
}

#[pymethods]
impl ProfilingInfoGetter {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<u64> {
        let event = &self.event.get().event;
        let small = name.to_lowercase();
        let time = match small.as_str() {
            "queued" => event.queued(),
            "submit" => event.submit(),
            "start" => event.start(),
            "end" => event.end(),
            "complete" => event.complete(),
            _ => {
                let text = format!("'ProfilingInfoGetter' object has no attribute '{name}'");
                return Err(pyo3::exceptions::PyAttributeError::new_err(text));
            }
        };
        if small != name {
            let text =
                CString::new(format!("Event.profile.{name} is deprecated, use .{small}")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), &text, 1)?;
        }
        time.into_py()
    }
}

/// The event of a command that uses host memory: it keeps the memory's owner, the ward, until the command is
/// done.
#[pyclass(frozen, extends = Event, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct NannyEvent {
    ward: Mutex<Option<Ward>>,
}

/// An owner of host memory, and what keeps it from changing that memory.
struct Ward {
    object: Py<PyAny>,
    _export: Option<Export>,
}

impl NannyEvent {
    /// Wraps the event of a command that uses memory of `object`. `done` says that the command has ended,
    /// so that nothing needs to be kept beyond the life of this object.
    pub(crate) fn wrap(
        py: Python<'_>,
        event: Runtime,
        object: &Bound<'_, PyAny>,
        export: Option<Export>,
        done: bool,
    ) -> PyResult<Py<Self>> {
        if !done {
            keep_until_done(&event, Ward { object: object.clone().unbind(), _export: export })?;
        }
        let ward = Ward { object: object.clone().unbind(), _export: None };
        Self::make(py, Event { event }, Self { ward: Mutex::new(Some(ward)) })
    }

    fn make(py: Python<'_>, event: Event, nanny: Self) -> PyResult<Py<Self>> {
        static NANNY_PLACE: Place<NannyEvent> = Place::new();
        let (Some(event_offset), Some(nanny_offset)) = (PLACE.offset(), NANNY_PLACE.offset()) else {
            let object = Bound::new(py, PyClassInitializer::from(event).add_subclass(nanny))?;
            PLACE.learn(object.as_super());
            NANNY_PLACE.learn(&object);
            return Ok(object.unbind());
        };
        let object = allocate::<Self>(py)?;
        // SAFETY: these two values are all that the object has, each in its place.
        unsafe {
            object.write(event_offset, event);
            object.write(nanny_offset, nanny);
            Ok(object.finish().unbind())
        }
    }

    fn release(&self) -> Option<Ward> {
        self.ward.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Keeps a ward until the command is done, whatever becomes of the event's Python object.
fn keep_until_done(event: &Runtime, ward: Ward) -> PyResult<()> {
    let ward = std::mem::ManuallyDrop::new(ward);
    let let_go = move |_| {
        // Without the interpreter, the ward stays: there is nobody to take it back.
        from_driver_thread(|_| {
            drop(std::mem::ManuallyDrop::into_inner(ward));
        });
    };
    event.on_status(CommandExecutionStatus::COMPLETE, let_go).into_py()
}

#[pymethods]
impl NannyEvent {
    /// The owner of the host memory; ``None`` once the command is known to be done.
    fn get_ward(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let ward = self.ward.lock().unwrap_or_else(PoisonError::into_inner);
        ward.as_ref().map(|ward| ward.object.clone_ref(py))
    }

    /// Wait until the command is done.
    fn wait(slf: &Bound<'_, Self>) -> PyResult<()> {
        let event = &slf.as_super().get().event;
        detached(slf.py(), || event.wait())?;
        drop(slf.get().release());
        Ok(())
    }
}

/// An event of a context that the program completes itself: commands that wait for it do not start before
/// :meth:`set_status`. With NVIDIA's driver, one that goes without it fails, and with it the commands that wait.
#[pyclass(frozen, extends = Event, subclass, dict, weakref, module = "pyopencl._cl")]
struct UserEvent {
    event: RuntimeUserEvent,
}

#[pymethods]
impl UserEvent {
    #[new]
    fn new(context: &Context) -> PyResult<PyClassInitializer<Self>> {
        let event = RuntimeUserEvent::new(&context.context).into_py()?;
        let base = Event { event: event.try_clone().into_py()? };
        Ok(PyClassInitializer::from(base).add_subclass(Self { event }))
    }

    /// Complete the event: :attr:`command_execution_status.COMPLETE`, or a negative number for an error.
    #[pyo3(signature = (status, /))]
    fn set_status(&self, py: Python<'_>, status: i32) -> PyResult<()> {
        // Commands that waited may start, and call back, in this call.
        detached(py, || self.event.set_status(CommandExecutionStatus(status)))
    }
}

/// Wait until all events of a list are done.
///
/// Raises :class:`LogicError` (``INVALID_VALUE``) for an empty list.
#[pyfunction]
#[pyo3(signature = (events, /))]
fn wait_for_events(py: Python<'_>, events: &Bound<'_, PyAny>) -> PyResult<()> {
    let events = Events::new(Some(events))?;
    let events: Vec<&Runtime> = events.iter().collect();
    if events.is_empty() {
        return Err(invalid("clWaitForEvents", "the list of events is empty"));
    }
    detached(py, || wait_for_all(events))
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<Event>()?.get();
    answer(object.py(), (TABLES.event.questions[index].ask)(&slf.event))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Event>()?;
    m.add_class::<NannyEvent>()?;
    m.add_class::<UserEvent>()?;
    add_attributes(&m.py().get_type::<Event>(), TABLES.event, ask)?;
    m.add_function(wrap_pyfunction!(wait_for_events, m)?)
}
