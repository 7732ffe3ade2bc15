//! Commands, one file per family, as methods of [`CommandQueue`](crate::CommandQueue).
//!
//! Each command waits for the events of its wait list and gives an event. Offsets and sizes are in
//! bytes.

mod copy;
mod fill;
mod gl;
pub(crate) mod image;
pub(crate) mod map;
mod migrate;
mod p2p;
pub(crate) mod rect;
mod staged;
mod svm;
pub(crate) mod svm_map;
mod sync;

use opencl_driver::sys::cl_event;

use crate::{CommandQueue, Error, Event, MemObject, Result, status};

/// Runs `enqueue` with the address of an event and takes over the event.
pub(crate) fn with_event(
    queue: &CommandQueue,
    enqueue: impl FnOnce(*mut cl_event) -> Result<()>,
) -> Result<Event> {
    let mut event = std::ptr::null_mut();
    enqueue(&raw mut event)?;
    // SAFETY: the command was enqueued, so the driver gives away the event that it made.
    Ok(unsafe { Event::from_owned(event, queue.api()) })
}

/// The end of a range, if it is inside of the object.
fn check_range(function: &'static str, object: &MemObject, offset: usize, size: usize) -> Result<()> {
    if offset.checked_add(size).is_some_and(|end| end <= object.size()) {
        return Ok(());
    }
    let detail = format!("{size} bytes from offset {offset} are not inside of {} bytes", object.size());
    Err(Error::refused(function, status::INVALID_VALUE, detail))
}
