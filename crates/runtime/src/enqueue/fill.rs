//! Fills.

use super::{check_range, with_event};
use crate::call::call;
use crate::{CommandQueue, Error, Event, MemObject, Result, WaitList, status};

impl CommandQueue {
    /// Writes `pattern` again and again into `size` bytes from `offset` (`clEnqueueFillBuffer`,
    /// OpenCL 1.2).
    ///
    /// # Errors
    /// `INVALID_VALUE` if the range is not inside, if the pattern has not 1, 2, 4, … 128 bytes, or if
    /// offset or size is no multiple of its length; else what the function gives.
    pub fn fill_buffer(
        &self,
        buffer: &MemObject,
        pattern: &[u8],
        offset: usize,
        size: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let function = "clEnqueueFillBuffer";
        check_range(function, buffer, offset, size)?;
        check_pattern(function, pattern, "offset", offset, size)?;
        let raw = self.raw_of(buffer, function)?;
        let (count, list) = (wait_for.len(), wait_for.as_ptr());
        // SAFETY: queue, buffer and events are live; the driver copies the pattern during the call.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueFillBuffer(
                    self.as_raw(),
                    raw,
                    pattern.as_ptr().cast(),
                    pattern.len(),
                    offset,
                    size,
                    count,
                    list,
                    event
                )
            )
        })
    }
}

/// Refuses a pattern of an impossible length, or one that does not fit `start` (an offset, or an address) and size.
pub(super) fn check_pattern(
    function: &'static str,
    pattern: &[u8],
    what: &str,
    start: usize,
    size: usize,
) -> Result<()> {
    let length = pattern.len();
    if !length.is_power_of_two() || length > 128 {
        let detail = format!("a pattern has 1, 2, 4, … or 128 bytes, not {length}");
        return Err(Error::refused(function, status::INVALID_VALUE, detail));
    }
    if !start.is_multiple_of(length) || !size.is_multiple_of(length) {
        let detail = format!(
            "{what} {start} and size {size} (bytes) must be multiples of the pattern's {length} bytes"
        );
        return Err(Error::refused(function, status::INVALID_VALUE, detail));
    }
    Ok(())
}
