//! Linear copies: host to buffer, buffer to host, buffer to buffer.

use std::ffi::c_void;

use bytemuck::{AnyBitPattern, NoUninit};

use super::{check_range, with_event};
use crate::call::call;
use crate::{Buffer, CommandQueue, Event, MemObject, Result, WaitList};

impl CommandQueue {
    /// Fills `data` from the buffer, beginning at byte `offset`, and waits for it
    /// (`clEnqueueReadBuffer`).
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
        // SAFETY: `data` has room for `size` bytes, any bytes are a value of it, and the call blocks.
        unsafe { self.enqueue_read(buffer, true, offset, size, address, &WaitList::default()) }?;
        Ok(())
    }

    /// Copies `data` into the buffer, beginning at byte `offset`, and waits until it is taken
    /// (`clEnqueueWriteBuffer`).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, else what the function gives.
    pub fn write<T: NoUninit>(&self, buffer: &Buffer, offset: usize, data: &[T]) -> Result<()> {
        if data.is_empty() {
            return check_range("clEnqueueWriteBuffer", buffer, offset, 0);
        }
        let (address, size) = (data.as_ptr().cast(), size_of_val(data));
        // SAFETY: `data` holds `size` bytes, and the call blocks.
        unsafe { self.enqueue_write(buffer, true, offset, size, address, &WaitList::default()) }?;
        Ok(())
    }

    /// `clEnqueueReadBuffer` with everything that it offers.
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
        check_range("clEnqueueReadBuffer", buffer, offset, size)?;
        let raw = self.raw_of(buffer, "clEnqueueReadBuffer")?;
        let (count, list) = (wait_for.len(), wait_for.as_ptr());
        // SAFETY: queue, buffer and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueReadBuffer(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    offset,
                    size,
                    address,
                    count,
                    list,
                    event
                )
            )
        })
    }

    /// `clEnqueueWriteBuffer` with everything that it offers.
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
        check_range("clEnqueueWriteBuffer", buffer, offset, size)?;
        let raw = self.raw_of(buffer, "clEnqueueWriteBuffer")?;
        let (count, list) = (wait_for.len(), wait_for.as_ptr());
        // SAFETY: queue, buffer and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueWriteBuffer(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    offset,
                    size,
                    address,
                    count,
                    list,
                    event
                )
            )
        })
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
