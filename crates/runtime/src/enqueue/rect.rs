//! Rectangular copies.

use std::ffi::c_void;

use super::with_event;
use crate::call::call;
use crate::{CommandQueue, Error, Event, MemObject, Result, WaitList, status};

/// A block of up to three dimensions in two memories. Axis 0 is contiguous and counts bytes, axis 1 rows,
/// axis 2 slices. A pitch of zero means that rows (slices) follow each other without gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RectCopy {
    /// Size of the block: bytes, rows, slices.
    pub region: [usize; 3],
    /// Where it begins in the buffer (or in the source, between buffers).
    pub origin: [usize; 3],
    /// Bytes from row to row and from slice to slice there.
    pub pitches: [usize; 2],
    /// Where it begins on the other side: host memory, or the target.
    pub other_origin: [usize; 3],
    /// Bytes from row to row and from slice to slice there.
    pub other_pitches: [usize; 2],
}

impl RectCopy {
    /// How many bytes of the other side's memory the block reaches, counted from its address.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the number is too large for the host, or a pitch is smaller than what it spans.
    pub fn other_extent(&self) -> Result<usize> {
        extent(self.region, self.other_origin, self.other_pitches)
    }

    /// The same for the buffer's side.
    ///
    /// # Errors
    /// As for [`other_extent`](Self::other_extent).
    pub fn extent(&self) -> Result<usize> {
        extent(self.region, self.origin, self.pitches)
    }

    fn check(&self, function: &'static str, object: &MemObject, extent: usize) -> Result<()> {
        if extent <= object.size() {
            return Ok(());
        }
        let detail =
            format!("the block ends at byte {extent}, beyond the {} bytes of the buffer", object.size());
        Err(Error::refused(function, status::INVALID_VALUE, detail))
    }
}

fn extent(region: [usize; 3], origin: [usize; 3], [row, slice]: [usize; 2]) -> Result<usize> {
    let refuse = |detail: String| Error::refused("rectangular copy", status::INVALID_VALUE, detail);
    if region.contains(&0) {
        return Err(refuse(format!("the region {region:?} is empty")));
    }
    let row = if row == 0 { region[0] } else { row };
    let overflow = || refuse(format!("the region {region:?} at {origin:?} is too large for this host"));
    let slice = if slice == 0 { row.checked_mul(region[1]).ok_or_else(overflow)? } else { slice };
    if row < region[0] || slice < row {
        let detail = format!("pitches of {row} and {slice} bytes are too small for the region {region:?}");
        return Err(refuse(detail));
    }
    let last = |axis: usize| origin[axis].checked_add(region[axis] - 1);
    let reach = || {
        let rows = last(1)?.checked_mul(row)?;
        let slices = last(2)?.checked_mul(slice)?;
        last(0)?.checked_add(1)?.checked_add(rows)?.checked_add(slices)
    };
    reach().ok_or_else(overflow)
}

impl CommandQueue {
    /// Copies a block from a buffer to host memory (`clEnqueueReadBufferRect`).
    ///
    /// # Safety
    /// [`RectCopy::other_extent`] bytes can be written at `address`; if the call does not block, until
    /// the command is done.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a block that is not inside of the buffer, else what the function gives.
    pub unsafe fn enqueue_read_rect(
        &self,
        buffer: &MemObject,
        blocking: bool,
        rect: &RectCopy,
        address: *mut c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        rect.check("clEnqueueReadBufferRect", buffer, rect.extent()?)?;
        let raw = self.raw_of(buffer, "clEnqueueReadBufferRect")?;
        // SAFETY: queue, buffer and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueReadBufferRect(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    rect.origin.as_ptr(),
                    rect.other_origin.as_ptr(),
                    rect.region.as_ptr(),
                    rect.pitches[0],
                    rect.pitches[1],
                    rect.other_pitches[0],
                    rect.other_pitches[1],
                    address,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Copies a block from host memory to a buffer (`clEnqueueWriteBufferRect`).
    ///
    /// # Safety
    /// [`RectCopy::other_extent`] bytes can be read at `address`; if the call does not block, until the
    /// command is done.
    ///
    /// # Errors
    /// As for [`enqueue_read_rect`](Self::enqueue_read_rect).
    pub unsafe fn enqueue_write_rect(
        &self,
        buffer: &MemObject,
        blocking: bool,
        rect: &RectCopy,
        address: *const c_void,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        rect.check("clEnqueueWriteBufferRect", buffer, rect.extent()?)?;
        let raw = self.raw_of(buffer, "clEnqueueWriteBufferRect")?;
        // SAFETY: queue, buffer and events are live; the caller promises the rest.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueWriteBufferRect(
                    self.as_raw(),
                    raw,
                    blocking.into(),
                    rect.origin.as_ptr(),
                    rect.other_origin.as_ptr(),
                    rect.region.as_ptr(),
                    rect.pitches[0],
                    rect.pitches[1],
                    rect.other_pitches[0],
                    rect.other_pitches[1],
                    address,
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Copies a block between buffers (`clEnqueueCopyBufferRect`).
    ///
    /// # Errors
    /// As for [`enqueue_read_rect`](Self::enqueue_read_rect); `MEM_COPY_OVERLAP` for overlapping blocks
    /// of one buffer.
    pub fn copy_buffer_rect(
        &self,
        source: &MemObject,
        target: &MemObject,
        rect: &RectCopy,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        rect.check("clEnqueueCopyBufferRect", source, rect.extent()?)?;
        rect.check("clEnqueueCopyBufferRect", target, rect.other_extent()?)?;
        let function = "clEnqueueCopyBufferRect";
        let (from, to) = (self.raw_of(source, function)?, self.raw_of(target, function)?);
        // SAFETY: queue, buffers and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueCopyBufferRect(
                    self.as_raw(),
                    from,
                    to,
                    rect.origin.as_ptr(),
                    rect.other_origin.as_ptr(),
                    rect.region.as_ptr(),
                    rect.pitches[0],
                    rect.pitches[1],
                    rect.other_pitches[0],
                    rect.other_pitches[1],
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_count_to_the_last_byte() {
        let rect =
            RectCopy { region: [4, 3, 2], origin: [1, 1, 1], pitches: [10, 100], ..RectCopy::default() };
        assert_eq!(rect.extent().unwrap(), 1 + 4 + 3 * 10 + 2 * 100);
        assert_eq!(rect.other_extent().unwrap(), 24);
    }

    #[test]
    fn impossible_blocks_are_refused() {
        let rect = RectCopy { region: [4, 0, 1], ..RectCopy::default() };
        assert_eq!(rect.extent().unwrap_err().code(), status::INVALID_VALUE);
        let rect = RectCopy { region: [4, 3, 1], pitches: [3, 0], ..RectCopy::default() };
        assert!(rect.extent().unwrap_err().to_string().contains("too small"));
        let rect = RectCopy { region: [usize::MAX, usize::MAX, 1], ..RectCopy::default() };
        assert!(rect.extent().unwrap_err().to_string().contains("too large"));
    }
}
