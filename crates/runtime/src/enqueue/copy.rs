//! Linear copies: host to buffer, buffer to host, buffer to buffer.

use std::ffi::c_void;

use bytemuck::{AnyBitPattern, NoUninit};

use super::{check_range, with_event};
use crate::call::call;
use crate::staging::LEAST;
use crate::{Buffer, CommandQueue, Event, MemObject, Result, WaitList};

impl CommandQueue {
    /// Fills `data` from the buffer, beginning at byte `offset`, and waits for it
    /// (`clEnqueueReadBuffer`, several times for a large copy, see [`HostCopies`](crate::HostCopies)).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub fn read<T: AnyBitPattern + NoUninit>(
        &self,
        buffer: &Buffer,
        offset: usize,
        data: &mut [T],
    ) -> Result<()> {
        if data.is_empty() {
            return check_range("clEnqueueReadBuffer", buffer, offset, 0);
        }
        let (address, size) = (data.as_mut_ptr().cast(), size_of_val(data));
        let copy = HostCopy { queue: self, buffer, offset, size, address, way: Way::Read };
        // SAFETY: `data` has room for `size` bytes, any bytes are a value of it, and the call blocks.
        unsafe { copy.enqueue(true, &WaitList::default(), false) }.map(drop)
    }

    /// Copies `data` into the buffer, beginning at byte `offset`, and waits until it is taken
    /// (`clEnqueueWriteBuffer`, several times for a large copy, see [`HostCopies`](crate::HostCopies)).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub fn write<T: NoUninit>(&self, buffer: &Buffer, offset: usize, data: &[T]) -> Result<()> {
        if data.is_empty() {
            return check_range("clEnqueueWriteBuffer", buffer, offset, 0);
        }
        let (address, size) = (data.as_ptr().cast_mut().cast(), size_of_val(data));
        let copy = HostCopy { queue: self, buffer, offset, size, address, way: Way::Write };
        // SAFETY: `data` holds `size` bytes, which are only read, and the call blocks.
        unsafe { copy.enqueue(true, &WaitList::default(), false) }.map(drop)
    }

    /// `clEnqueueReadBuffer` with everything that it offers.
    ///
    /// A large copy that blocks may be several commands ([`HostCopies`](crate::HostCopies)); the event is that of
    /// the last one. On a queue whose events tell times it is always one.
    ///
    /// # Safety
    /// `size` bytes can be written at `address`; if the call does not block, until the command is done.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub unsafe fn enqueue_read(
        &self,
        buffer: &MemObject,
        blocking: bool,
        offset: usize,
        size: usize,
        address: *mut c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let copy = HostCopy { queue: self, buffer, offset, size, address, way: Way::Read };
        // SAFETY: the caller's promise.
        unsafe { copy.enqueue(blocking, wait_for, true) }
    }

    /// `clEnqueueWriteBuffer` with everything that it offers. Large copies are as for
    /// [`enqueue_read`](Self::enqueue_read).
    ///
    /// # Safety
    /// `size` bytes can be read at `address`; if the call does not block, until the command is done.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub unsafe fn enqueue_write(
        &self,
        buffer: &MemObject,
        blocking: bool,
        offset: usize,
        size: usize,
        address: *const c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let address = address.cast_mut();
        let copy = HostCopy { queue: self, buffer, offset, size, address, way: Way::Write };
        // SAFETY: the caller's promise, and a write only reads from the address.
        unsafe { copy.enqueue(blocking, wait_for, true) }
    }

    /// Copies between buffers (`clEnqueueCopyBuffer`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if a range is not inside, `MEM_COPY_OVERLAP` if both are in one buffer and
    /// overlap, else what the function gives.
    pub fn copy_buffer(
        &self,
        source: &MemObject,
        source_offset: usize,
        target: &MemObject,
        target_offset: usize,
        size: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        check_range("clEnqueueCopyBuffer", source, source_offset, size)?;
        check_range("clEnqueueCopyBuffer", target, target_offset, size)?;
        let function = "clEnqueueCopyBuffer";
        let (from, to) = (self.raw_of(source, function)?, self.raw_of(target, function)?);
        let (count, list) = (wait_for.len(), wait_for.as_ptr());
        // SAFETY: queue, buffers and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueCopyBuffer(
                    self.as_raw(),
                    from,
                    to,
                    source_offset,
                    target_offset,
                    size,
                    count,
                    list,
                    event
                )
            )
        })
    }
}

/// The direction of a copy with host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From the buffer.
    Read,
    /// To the buffer.
    Write,
}

impl Way {
    /// The C function.
    pub(super) fn function(self) -> &'static str {
        match self {
            Self::Read => "clEnqueueReadBuffer",
            Self::Write => "clEnqueueWriteBuffer",
        }
    }
}

/// A linear copy between host memory and a buffer.
#[derive(Clone, Copy)]
pub(super) struct HostCopy<'a> {
    pub(super) queue: &'a CommandQueue,
    pub(super) buffer: &'a MemObject,
    /// In the buffer.
    pub(super) offset: usize,
    pub(super) size: usize,
    /// Only read by a write.
    pub(super) address: *mut c_void,
    pub(super) way: Way,
}

impl HostCopy<'_> {
    /// Enqueues the copy, as one command or as several. `timed` says whether anybody may ask the event for times.
    ///
    /// # Safety
    /// `size` bytes at `address` can be written (read by a write); if the call does not block, until the command is
    /// done.
    unsafe fn enqueue(&self, blocking: bool, wait_for: &WaitList<'_>, timed: bool) -> Result<Event> {
        check_range(self.way.function(), self.buffer, self.offset, self.size)?;
        if blocking
            && self.size >= LEAST
            && !self.address.is_null()
            && !(timed && self.queue.is_profiling())
            && let Some(lease) =
                self.queue.context().lease_pinned(self.queue.device(), self.size, self.address)
        {
            // SAFETY: the caller's promise.
            return unsafe { self.enqueue_staged(wait_for, lease) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.enqueue_whole(blocking, wait_for) }
    }

    /// Enqueues the copy as one command.
    ///
    /// # Safety
    /// As for [`enqueue`](Self::enqueue).
    ///
    /// # Errors
    /// What the C function gives, also for a range that is not inside.
    pub(super) unsafe fn enqueue_whole(&self, blocking: bool, wait_for: &WaitList<'_>) -> Result<Event> {
        let &Self { queue, offset, size, address, .. } = self;
        let raw = queue.raw_of(self.buffer, self.way.function())?;
        let (api, queue_raw, blocking) = (queue.api(), queue.as_raw(), blocking.into());
        let (count, list) = (wait_for.len(), wait_for.as_ptr());
        with_event(queue, |event| match self.way {
            // SAFETY: queue, buffer and events are live; the caller promises the rest.
            Way::Read => unsafe {
                call!(
                    api,
                    clEnqueueReadBuffer(queue_raw, raw, blocking, offset, size, address, count, list, event)
                )
            },
            // SAFETY: as above.
            Way::Write => unsafe {
                call!(
                    api,
                    clEnqueueWriteBuffer(queue_raw, raw, blocking, offset, size, address, count, list, event)
                )
            },
        })
    }
}
