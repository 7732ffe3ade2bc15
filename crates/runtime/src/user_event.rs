//! Events that the program completes itself.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opencl_driver::in_forked_child;

use crate::call::{call, create};
use crate::constants::CommandExecutionStatus;
use crate::known::Known;
use crate::{Context, Error, Event, Result, WaitList, status};

/// An event of a context that the program completes itself, with [`set_status`](Self::set_status).
///
/// With NVIDIA's driver, one that goes without having been completed fails, and with it the commands that wait for it
/// (`EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`): the driver never ends the release of a context that has such an
/// event. With others it stays as it is: PoCL 3.0 aborts if an event fails for which commands wait.
#[derive(Debug)]
pub struct UserEvent(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    event: Event,
    /// Goes after the event.
    context: Context,
    is_set: AtomicBool,
}

static KNOWN: Known<Shared> = Known::new();

impl UserEvent {
    /// A user event that is not complete (`clCreateUserEvent`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn new(context: &Context) -> Result<Self> {
        let api = context.api();
        // SAFETY: the context is live.
        let raw = unsafe { create!(api, clCreateUserEvent(context.as_raw()))? };
        // SAFETY: the driver gives away the reference that it made.
        let event = unsafe { Event::from_owned(raw, api) };
        Ok(Self(KNOWN.get_or_insert(raw, || Shared {
            event,
            context: context.clone(),
            is_set: AtomicBool::new(false),
        })))
    }

    /// Completes the event: [`CommandExecutionStatus::COMPLETE`], or a negative number for an error
    /// (`clSetUserEventStatus`).
    ///
    /// # Errors
    /// `INVALID_VALUE` for another status, `INVALID_OPERATION` the second time; else what the function gives.
    pub fn set_status(&self, status: CommandExecutionStatus) -> Result<()> {
        // Not every driver looks at it.
        if status.0 > CommandExecutionStatus::COMPLETE.0 {
            let detail =
                format!("a user event becomes complete (0) or fails (a negative status), not {}", status.0);
            return Err(Error::refused("clSetUserEventStatus", status::INVALID_VALUE, detail));
        }
        self.0.set_status(status)
    }
}

impl Deref for UserEvent {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.0.event
    }
}

impl<'a> FromIterator<&'a UserEvent> for WaitList<'a> {
    fn from_iter<I: IntoIterator<Item = &'a UserEvent>>(events: I) -> Self {
        events.into_iter().map(|event| &**event).collect()
    }
}

impl Shared {
    fn set_status(&self, status: CommandExecutionStatus) -> Result<()> {
        if self.is_set.swap(true, Ordering::AcqRel) {
            let detail = "the user event has its status already";
            return Err(Error::refused("clSetUserEventStatus", status::INVALID_OPERATION, detail));
        }
        // SAFETY: the event is live.
        let set = unsafe { call!(self.event.api(), clSetUserEventStatus(self.event.as_raw(), status.0)) };
        if set.is_err() {
            self.is_set.store(false, Ordering::Release);
        }
        set
    }

    fn is_of_nvidia(&self) -> bool {
        let devices = self.context.devices().unwrap_or_default();
        devices.first().is_some_and(|device| device.vendor_id().is_ok_and(|vendor| vendor == NVIDIA))
    }

    /// Fails the event if it has no status yet and the driver needs one.
    fn abandon(&self) {
        if self.is_set.load(Ordering::Acquire) || in_forked_child() || !self.is_of_nvidia() {
            return;
        }
        // Somebody else may have set it through the handle.
        if let Err(error) = self.set_status(ABANDONED) {
            log::debug!("{error}");
        }
    }
}

/// NVIDIA's number among vendors of PCI devices, as `CL_DEVICE_VENDOR_ID` gives it.
const NVIDIA: u32 = 0x10de;

/// The status of user events that nobody has completed.
const ABANDONED: CommandExecutionStatus =
    CommandExecutionStatus(status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);

impl Drop for Shared {
    fn drop(&mut self) {
        KNOWN.forget(self.event.as_raw());
        self.abandon();
    }
}

/// Fails the user events that nobody has completed where the driver would wait for them for ever: to be called before
/// a process ends.
pub fn abandon_user_events() {
    for event in KNOWN.all() {
        event.abandon();
    }
}
