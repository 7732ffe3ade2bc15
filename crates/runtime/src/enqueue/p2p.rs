//! Copies between buffers of two devices (`cl_amd_copy_buffer_p2p`).

use opencl_driver::registry::platform_of;

use super::{check_range, with_event};
use crate::{CommandQueue, Error, Event, MemObject, Result, WaitList, status};

impl CommandQueue {
    /// Copies `size` bytes from the beginning of one buffer to that of another, whose device is another one of the
    /// platform (`clEnqueueCopyBufferP2PAMD`).
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the platform does not have the function, `INVALID_VALUE` if the range is not inside,
    /// else what the function gives.
    pub fn copy_buffer_p2p(
        &self,
        source: &MemObject,
        target: &MemObject,
        size: usize,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let function = "clEnqueueCopyBufferP2PAMD";
        let copy = platform_of(self.api()).and_then(|(platform, extensions)| {
            extensions.amd_copy_buffer_p2p(platform).clEnqueueCopyBufferP2PAMD
        });
        let copy = copy.ok_or_else(|| Error::unsupported(function, self.api().version))?;
        check_range(function, source, 0, size)?;
        check_range(function, target, 0, size)?;
        // The buffers may be of different contexts.
        let (from, to) = (source.as_raw()?, target.as_raw()?);
        with_event(self, |event| {
            // SAFETY: queue, buffers and events are live.
            let code = unsafe {
                copy(self.as_raw(), from, to, 0, 0, size, wait_for.len(), wait_for.as_ptr(), event)
            };
            if code == status::SUCCESS { Ok(()) } else { Err(Error::status(function, code)) }
        })
    }
}
