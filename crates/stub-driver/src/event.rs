//! Events: status, times, callbacks, user events.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use crate::border::{check, items, lock};
use crate::context::Context;
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::queue::Queue;
use crate::sys::*;
use crate::{config, device, schedule};

type Notify = unsafe extern "C" fn(cl_event, cl_int, *mut c_void);

/// A callback that waits for a status.
struct Callback {
    trigger: cl_int,
    notify: Notify,
    data: usize,
}

/// An event.
pub(crate) struct Event {
    pub(crate) context: Shared<Context>,
    /// None for user events.
    pub(crate) queue: Option<Shared<Queue>>,
    command: cl_command_type,
    status: AtomicI32,
    /// When it was queued, submitted, started and ended.
    times: [AtomicU64; 4],
    callbacks: Mutex<Vec<Callback>>,
}

impl Kind for Event {
    const NAME: &'static str = "event";
    const INVALID: cl_int = CL_INVALID_EVENT;
}

impl Event {
    /// The event of a command that has just been enqueued.
    pub(crate) fn of_command(queue: &Shared<Queue>, command: cl_command_type) -> Self {
        let event = Self {
            context: queue.context.clone(),
            queue: Some(queue.clone()),
            command,
            status: AtomicI32::new(CL_QUEUED),
            times: Default::default(),
            callbacks: Mutex::default(),
        };
        event.stamp(0);
        event
    }

    /// The execution status; negative is an error.
    pub(crate) fn status(&self) -> cl_int {
        self.status.load(Ordering::Acquire)
    }

    /// Whether it is complete or has failed.
    pub(crate) fn done(&self) -> bool {
        self.status() <= CL_COMPLETE
    }

    /// Sets a status and the time at which it was reached. Callbacks are for [`Object::<Event>::notify`].
    pub(crate) fn reach(&self, status: cl_int) {
        self.stamp(match status {
            CL_SUBMITTED => 1,
            CL_RUNNING => 2,
            _ => 3,
        });
        self.status.store(status, Ordering::Release);
    }

    fn stamp(&self, which: usize) {
        // Strictly later than the stamp before, so that durations are never zero.
        let before = which.checked_sub(1).map_or(0, |before| self.times[before].load(Ordering::Relaxed));
        self.times[which].store(device::now().max(before + 1), Ordering::Relaxed);
    }
}

impl Object<Event> {
    /// Calls the callbacks that the status has reached. No lock may be held.
    pub(crate) fn notify(&self) {
        let status = self.status();
        let due: Vec<Callback> = lock(&self.callbacks).extract_if(.., |one| status <= one.trigger).collect();
        for callback in due {
            self.call(callback, status);
        }
    }

    fn call(&self, callback: Callback, status: cl_int) {
        let Callback { trigger, notify, data } = callback;
        let given = if status < 0 { status } else { trigger };
        let handle = self.handle() as usize;
        // SAFETY: the application gave the function and its data for this call.
        let run = move || unsafe { notify(handle as cl_event, given, data as *mut c_void) };
        if config::callback_threads() {
            std::thread::spawn(run);
        } else {
            run();
        }
    }
}

/// Reads a wait list.
///
/// # Errors
/// `CL_INVALID_EVENT_WAIT_LIST` if count and list disagree or an event is invalid.
///
/// # Safety
/// - `list` is null or valid for reading `count` handles.
pub(crate) unsafe fn wait_list(count: cl_uint, list: *const cl_event) -> Result<Vec<Shared<Event>>> {
    check((count > 0) != list.is_null(), CL_INVALID_EVENT_WAIT_LIST)?;
    // SAFETY: passed on.
    let handles = unsafe { items(list, count as usize) };
    object::get_all::<Event>(&handles).map_err(|_| CL_INVALID_EVENT_WAIT_LIST)
}

entry! {
    status fn clWaitForEvents(num_events: cl_uint, event_list: *const cl_event) {
        check(num_events > 0 && !event_list.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointer is as the specification demands.
        let handles = unsafe { items(event_list, num_events as usize) };
        let events = object::get_all::<Event>(&handles)?;
        let context = events[0].context.handle();
        check(events.iter().all(|event| event.context.handle() == context), CL_INVALID_CONTEXT)?;
        schedule::wait(&events);
        let failed = events.iter().any(|event| event.status() < 0);
        check(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    }
}

entry! {
    status fn clGetEventInfo(
        event: cl_event, param_name: cl_event_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let event = object::get::<Event>(event)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_EVENT_COMMAND_QUEUE => {
                answer.value(event.queue.as_ref().map_or(std::ptr::null_mut(), |queue| queue.handle()))
            }
            CL_EVENT_CONTEXT => answer.value(event.context.handle()),
            CL_EVENT_COMMAND_TYPE => answer.value(event.command),
            CL_EVENT_COMMAND_EXECUTION_STATUS => answer.value(event.status()),
            CL_EVENT_REFERENCE_COUNT => answer.value(event.references()),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clRetainEvent(event: cl_event) { object::retain::<Event>(event) }
}

entry! {
    status fn clReleaseEvent(event: cl_event) { object::release::<Event>(event) }
}

entry! {
    status fn clGetEventProfilingInfo(
        event: cl_event, param_name: cl_profiling_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let event = object::get::<Event>(event)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let profiled = event.queue.as_ref().is_some_and(|queue| queue.profiling());
        check(profiled && event.status() == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE)?;
        let which = match param_name {
            CL_PROFILING_COMMAND_QUEUED => 0,
            CL_PROFILING_COMMAND_SUBMIT => 1,
            CL_PROFILING_COMMAND_START => 2,
            CL_PROFILING_COMMAND_END => 3,
            CL_PROFILING_COMMAND_COMPLETE if event.context.version() >= (2, 0) => 3,
            _ => return Err(CL_INVALID_VALUE),
        };
        answer.value(event.times[which].load(Ordering::Relaxed))
    }
}

entry! {
    status fn clSetEventCallback(
        event: cl_event, command_exec_callback_type: cl_int, pfn_notify: Option<Notify>,
        user_data: *mut c_void,
    ) {
        let event = object::get::<Event>(event)?;
        let notify = pfn_notify.ok_or(CL_INVALID_VALUE)?;
        check((CL_COMPLETE..=CL_SUBMITTED).contains(&command_exec_callback_type), CL_INVALID_VALUE)?;
        let callback = Callback { trigger: command_exec_callback_type, notify, data: user_data as usize };
        lock(&event.callbacks).push(callback);
        // It may have been reached already.
        event.notify();
        Ok(())
    }
}

entry! {
    object fn clCreateUserEvent(context: cl_context) {
        let context = object::get::<Context>(context)?;
        let dispatch = context.dispatch();
        let event = Event {
            context,
            queue: None,
            command: CL_COMMAND_USER,
            status: AtomicI32::new(CL_SUBMITTED),
            times: Default::default(),
            callbacks: Mutex::default(),
        };
        Ok(Object::create(dispatch, 1, event).handle())
    }
}

entry! {
    status fn clSetUserEventStatus(event: cl_event, execution_status: cl_int) {
        let event = object::get::<Event>(event)?;
        check(event.queue.is_none(), CL_INVALID_EVENT)?;
        check(execution_status <= CL_COMPLETE, CL_INVALID_VALUE)?;
        schedule::end_user_event(&event, execution_status)
    }
}
