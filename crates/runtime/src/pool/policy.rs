//! Allocators of buffers: at once, or when the driver likes.

use super::Allocator;
use crate::{Buffer, CommandQueue, Context, Error, MemFlags, MemMigrationFlags, Result, WaitList, status};

/// Makes buffers for which there is memory when it returns: many drivers find some at the first use only, when
/// it is too late to free other memory. Each buffer is touched by a command.
pub struct ImmediateAllocator {
    queue: CommandQueue,
    flags: MemFlags,
}

impl ImmediateAllocator {
    /// Buffers with these flags, touched by commands on `queue`.
    ///
    /// # Errors
    /// `INVALID_VALUE` for flags that need an address in host memory.
    pub fn new(queue: &CommandQueue, flags: MemFlags) -> Result<Self> {
        Ok(Self { queue: queue.clone(), flags: checked(flags)? })
    }
}

impl Allocator for ImmediateAllocator {
    type Block = Buffer;

    fn allocate(&self, size: usize) -> Result<Buffer> {
        let buffer = Buffer::try_new(self.queue.context(), self.flags, size)?;
        // There is nothing in it to be moved.
        match self.queue.migrate(&[&buffer], MemMigrationFlags::CONTENT_UNDEFINED, &WaitList::default()) {
            // OpenCL 1.1 has no such command: a byte is written.
            Err(Error::Unsupported { .. }) => self.queue.write(&buffer, 0, &[0_u8])?,
            other => drop(other?),
        }
        Ok(buffer)
    }
}

/// Makes buffers as the driver does: memory is found now, or at the first use. Not the allocator for a pool, which
/// could not free memory when the first use fails.
pub struct DeferredAllocator {
    context: Context,
    flags: MemFlags,
}

impl DeferredAllocator {
    /// Buffers with these flags.
    ///
    /// # Errors
    /// `INVALID_VALUE` for flags that need an address in host memory.
    pub fn new(context: &Context, flags: MemFlags) -> Result<Self> {
        Ok(Self { context: context.clone(), flags: checked(flags)? })
    }
}

impl Allocator for DeferredAllocator {
    type Block = Buffer;

    fn allocate(&self, size: usize) -> Result<Buffer> {
        Buffer::try_new(&self.context, self.flags, size)
    }
}

fn checked(flags: MemFlags) -> Result<MemFlags> {
    if flags.intersects(MemFlags::USE_HOST_PTR | MemFlags::COPY_HOST_PTR) {
        let detail =
            "an allocator makes memory of its own: USE_HOST_PTR and COPY_HOST_PTR are for single buffers";
        return Err(Error::refused("Allocator", status::INVALID_VALUE, detail));
    }
    Ok(flags)
}
