//! Events, waiting, callbacks.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use opencl_driver::Api;
use opencl_driver::sys::{cl_event, cl_int};
use smallvec::SmallVec;

use crate::call::call;
use crate::constants::CommandExecutionStatus;
use crate::handle::{Handle, OfEvent};
use crate::{Error, Result, status};

/// An event: how far a command is.
///
/// It is no `Arc` inside, since one is made for each launch; [`try_clone`](Self::try_clone) makes another
/// reference.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Event(Handle<OfEvent>);

impl Event {
    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live event.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_EVENT` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_event, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.map(Self)
    }

    /// # Safety
    /// `raw` is a live event of the platform of `api`, and the caller gives away one reference to it.
    pub(crate) unsafe fn from_owned(raw: cl_event, api: &'static Api) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { Handle::from_owned(raw, api) })
    }

    /// Another reference to the event (`clRetainEvent`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn try_clone(&self) -> Result<Self> {
        // SAFETY: the event is live.
        unsafe { Handle::from_borrowed(self.as_raw(), self.api()) }.map(Self)
    }

    /// The C handle, valid as long as this object lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_event {
        self.0.raw()
    }

    /// Waits until the command is done (`clWaitForEvents`).
    ///
    /// # Errors
    /// What the function gives: `EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST` if the command failed.
    pub fn wait(&self) -> Result<()> {
        let raw = self.as_raw();
        // SAFETY: the event is live.
        unsafe { call!(self.api(), clWaitForEvents(1, &raw const raw)) }
    }

    /// Whether the command is done, or failed.
    ///
    /// # Errors
    /// What `clGetEventInfo` gives.
    pub fn is_complete(&self) -> Result<bool> {
        Ok(self.command_execution_status()?.0 <= CommandExecutionStatus::COMPLETE.0)
    }

    /// Calls `callback` once the command has reached `status` or failed, with the status that it has
    /// then (`clSetEventCallback`). It is called from a thread of the driver, and at once if the command
    /// is that far. It should be short; a panic in it ends the process.
    ///
    /// # Errors
    /// What the function gives; `callback` is not called then.
    pub fn on_status(
        &self,
        status: CommandExecutionStatus,
        callback: impl FnOnce(CommandExecutionStatus) + Send + 'static,
    ) -> Result<()> {
        type Callback = Box<dyn FnOnce(CommandExecutionStatus) + Send>;

        unsafe extern "C" fn call_back(_: cl_event, status: cl_int, data: *mut c_void) {
            // SAFETY: `data` is the box leaked below; the driver calls once.
            let callback = unsafe { Box::from_raw(data.cast::<Callback>()) };
            callback(CommandExecutionStatus(status));
        }

        let data = Box::into_raw(Box::new(Box::new(callback) as Callback));
        // SAFETY: the event is live, and `data` belongs to the one call back.
        let set = unsafe {
            call!(self.api(), clSetEventCallback(self.as_raw(), status.0, Some(call_back), data.cast()))
        };
        if set.is_err() {
            // SAFETY: the driver refused, so it does not call and the box is still ours.
            drop(unsafe { Box::from_raw(data) });
        }
        set
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.0.raw())
    }
}

/// Waits until all the events are done (`clWaitForEvents`). No event at all is nothing to wait for.
///
/// # Errors
/// What the function gives, `INVALID_CONTEXT` for events of different platforms.
pub fn wait_for_events<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<()> {
    let events: SmallVec<[&Event; 4]> = events.into_iter().collect();
    let Some(first) = events.first() else {
        return Ok(());
    };
    if events.iter().any(|event| !ptr::eq(event.api(), first.api())) {
        let detail = "the events belong to different platforms";
        return Err(Error::refused("clWaitForEvents", status::INVALID_CONTEXT, detail));
    }
    let list: WaitList<'_> = events.iter().copied().collect();
    // SAFETY: the list holds live events.
    unsafe { call!(first.api(), clWaitForEvents(list.len(), list.as_ptr())) }
}

/// Events that a command waits for. It borrows them and costs no call.
#[derive(Clone, Debug, Default)]
pub struct WaitList<'a>(SmallVec<[cl_event; 4]>, PhantomData<&'a Event>);

impl WaitList<'_> {
    /// How many.
    #[must_use]
    pub fn len(&self) -> u32 {
        // A list of 2^32 events does not fit into memory.
        self.0.len() as u32
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same events and `more`.
    pub(crate) fn and<'b>(&'b self, more: impl Iterator<Item = &'b Event>) -> WaitList<'b> {
        WaitList(self.0.iter().copied().chain(more.map(Event::as_raw)).collect(), PhantomData)
    }

    /// The list for the driver: null if there is none, as the specification wants.
    pub(crate) fn as_ptr(&self) -> *const cl_event {
        if self.0.is_empty() { ptr::null() } else { self.0.as_ptr() }
    }
}

impl<'a> FromIterator<&'a Event> for WaitList<'a> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = &'a Event>>(events: I) -> Self {
        let mut list = Self::default();
        // Most commands wait for nothing, for which collecting costs too much.
        for event in events {
            list.0.push(event.as_raw());
        }
        list
    }
}

impl<'a> From<&'a [Event]> for WaitList<'a> {
    fn from(events: &'a [Event]) -> Self {
        events.iter().collect()
    }
}

// SAFETY: the handles are those of events that live as long as the list.
unsafe impl Send for WaitList<'_> {}
// SAFETY: as above.
unsafe impl Sync for WaitList<'_> {}
