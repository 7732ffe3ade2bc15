//! Buffers over shared virtual memory.

use super::svm::{SvmAllocation, SvmPointer};
use crate::{Buffer, Context, Error, MemFlags, Result, status};

/// The share that a buffer has in an allocation, which is not freed before the driver destroys the buffer.
struct Share(SvmAllocation);

impl Drop for Share {
    fn drop(&mut self) {
        if let Err(error) = self.0.buffer_is_gone() {
            log::warn!("shared virtual memory under a buffer is not freed: {error}");
        }
    }
}

impl SvmPointer<'_> {
    /// A buffer that uses the memory in place (`USE_HOST_PTR` is added to `flags`). The allocation is freed, even if
    /// it is released earlier, when the driver has destroyed the buffer, after all commands that use it.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for memory of another context, `INVALID_OPERATION` for memory that is no allocation, else
    /// what `clCreateBuffer` and `clSetMemObjectDestructorCallback` give.
    pub fn as_buffer(self, context: &Context, flags: MemFlags) -> Result<Buffer> {
        let function = "clCreateBuffer";
        let Some(allocation) = self.allocation() else {
            let detail = "the memory is no allocation of shared virtual memory";
            return Err(Error::refused(function, status::INVALID_OPERATION, detail));
        };
        if allocation.context() != context {
            let detail = "the shared virtual memory belongs to another context";
            return Err(Error::refused(function, status::INVALID_CONTEXT, detail));
        }
        let address = self.address()?;
        allocation.buffer_is_made();
        let share = Share(allocation.clone());
        // SAFETY: the memory holds `size` bytes, and `share` keeps it until the buffer is destroyed. Who touches it
        // outside of mapping breaks the rules for shared memory too.
        let buffer =
            unsafe { Buffer::with_host_ptr(context, flags | MemFlags::USE_HOST_PTR, self.size(), address)? };
        buffer.keep_until_destroyed(Box::new(share))?;
        Ok(buffer)
    }
}
