//! Mapping: a memory object's memory in the host's address space.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use opencl_driver::sys::{cl_command_queue, cl_event, cl_mem};
use opencl_driver::{Api, in_forked_child};

use super::{check_range, with_event};
use crate::call::{call, entry};
use crate::{CommandQueue, Error, Event, MapFlags, MemObject, Result, WaitList, status};

/// Mapped memory. It is unmapped when this object goes, or earlier by [`unmap`](Self::unmap).
#[derive(Debug)]
pub struct Map {
    queue: CommandQueue,
    object: MemObject,
    address: NonNull<c_void>,
    size: usize,
    mapped: AtomicBool,
}

// SAFETY: the address is memory that any thread may use; what it holds is the user's business.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Map {
    /// What `queue` mapped of `object`: `size` bytes at `address`.
    pub(super) fn new(
        queue: &CommandQueue,
        object: &MemObject,
        address: NonNull<c_void>,
        size: usize,
    ) -> Self {
        let (queue, object) = (queue.clone(), object.clone());
        queue.context().mapped(address.as_ptr(), size);
        Self { queue, object, address, size, mapped: AtomicBool::new(true) }
    }

    /// Where the memory is. It may be touched between the end of the mapping command and the unmapping.
    #[must_use]
    pub fn address(&self) -> *mut c_void {
        self.address.as_ptr()
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether it is still mapped.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// Unmaps the memory (`clEnqueueUnmapMemObject`), on the queue that mapped it or another one of the
    /// context. The memory must not be touched afterwards.
    ///
    /// # Errors
    /// `INVALID_VALUE` the second time, else what the function gives.
    pub fn unmap(&self, queue: Option<&CommandQueue>, wait_for: &WaitList<'_>) -> Result<Event> {
        let function = "clEnqueueUnmapMemObject";
        let queue = queue.unwrap_or(&self.queue);
        let raw = self.object.as_raw()?;
        if !self.mapped.swap(false, Ordering::AcqRel) {
            return Err(Error::refused(function, status::INVALID_VALUE, "the memory was unmapped before"));
        }
        // SAFETY: queue, object and events are live, and the address is mapped.
        let unmapped = with_event(queue, |event| unsafe {
            call!(
                queue.api(),
                clEnqueueUnmapMemObject(
                    queue.as_raw(),
                    raw,
                    self.address(),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        });
        match unmapped {
            Ok(_) => self.queue.context().unmapped(self.address()),
            Err(_) => self.mapped.store(true, Ordering::Release),
        }
        unmapped
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        if !*self.mapped.get_mut() {
            return;
        }
        if !in_forked_child()
            && let Err(error) = self.unmap(None, &WaitList::default())
        {
            log::warn!("{error}");
        }
        // Also where that failed: nobody knows the address any more.
        self.queue.context().unmapped(self.address());
    }
}

impl CommandQueue {
    /// Maps `size` bytes of a buffer from `offset` (`clEnqueueMapBuffer`). If the call does not block,
    /// the memory may be touched once the event is done.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub fn map_buffer(
        &self,
        buffer: &MemObject,
        blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<(Map, Event)> {
        let function = "clEnqueueMapBuffer";
        check_range(function, buffer, offset, size)?;
        let raw = self.raw_of(buffer, function)?;
        let mut address = NonNull::dangling();
        let event = with_event(self, |event| {
            let range = offset..offset + size;
            // SAFETY: queue, buffer and events are live, and the event has a place.
            address = unsafe {
                enqueue_map(self.api(), self.as_raw(), raw, blocking, flags, range, wait_for, event)
            }?;
            Ok(())
        })?;
        Ok((Map::new(self, buffer, address, size), event))
    }
}

/// `clEnqueueMapBuffer` with handles: gives the address of the range.
///
/// # Safety
/// * `queue` and `buffer` are live and of the platform of `api`.
/// * `event` is null or has room for an event.
///
/// # Errors
/// What the function gives.
#[allow(clippy::too_many_arguments, reason = "the parameters of the C function")]
pub(crate) unsafe fn enqueue_map(
    api: &Api,
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: bool,
    flags: MapFlags,
    range: Range<usize>,
    wait_for: &WaitList<'_>,
    event: *mut cl_event,
) -> Result<NonNull<c_void>> {
    let function = "clEnqueueMapBuffer";
    let map = entry!(api, clEnqueueMapBuffer)?;
    let mut code = status::SUCCESS;
    let (count, list) = (wait_for.len(), wait_for.as_ptr());
    let (offset, size) = (range.start, range.len());
    let status = &raw mut code;
    // SAFETY: the caller's promises, and the events are live.
    let address = unsafe {
        map(queue, buffer, blocking.into(), flags.bits(), offset, size, count, list, event, status)
    };
    if code == status::SUCCESS {
        NonNull::new(address).ok_or_else(|| Error::null(function))
    } else {
        Err(Error::status(function, code))
    }
}
