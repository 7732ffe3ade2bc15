//! The pool of shared virtual memory: blocks are lent as plain allocations, which go back by themselves.

use std::sync::Arc;

use super::{Allocator, Bins, Pool, Statistics};
use crate::memory::svm::SvmLender;
use crate::{CommandQueue, Context, Result, SvmAllocation, SvmMemFlags};

/// Makes shared virtual memory.
pub struct SvmAllocator {
    context: Context,
    flags: SvmMemFlags,
    alignment: u32,
    queue: Option<CommandQueue>,
}

impl SvmAllocator {
    /// Memory as [`SvmAllocation::new`] makes it, bound to `queue` if there is one.
    #[must_use]
    pub fn new(context: &Context, flags: SvmMemFlags, alignment: u32, queue: Option<&CommandQueue>) -> Self {
        Self { context: context.clone(), flags, alignment, queue: queue.cloned() }
    }
}

impl Allocator for SvmAllocator {
    type Block = SvmAllocation;

    fn allocate(&self, size: usize) -> Result<SvmAllocation> {
        let block = SvmAllocation::new(&self.context, self.flags, size, self.alignment)?;
        if let Some(queue) = &self.queue {
            block.bind_to_queue(queue)?;
        }
        Ok(block)
    }
}

/// A pool of shared virtual memory. Clones share it, and so may threads.
///
/// An allocation goes back when its last clone goes, or by [`release`](SvmAllocation::release), and is lent again at
/// once: commands that were enqueued for it may still be waiting. With a queue in the allocator, commands of that
/// queue come after those of the queue that an earlier borrower had bound; who uses other queues waits himself.
#[derive(Clone)]
pub struct SvmPool(Arc<Pool<Arc<SvmAllocator>>>);

impl SvmLender for Pool<Arc<SvmAllocator>> {
    fn take_back(&self, block: SvmAllocation, asked: usize) {
        // The next borrower begins with the allocator's queue, behind what is enqueued on this one.
        let bound = self.allocator().queue.as_ref().map_or(Ok(()), |queue| block.bind_to_queue(queue));
        if let Err(error) = bound {
            log::warn!("{error}");
        }
        self.give(block, asked);
    }
}

impl SvmPool {
    /// A pool of blocks from `allocator`, which are larger than asked for by less than one part in 2 to the power of
    /// `leading_bits`, see [`Bins`].
    ///
    /// # Errors
    /// As for [`Bins::new`].
    pub fn new(allocator: impl Into<Arc<SvmAllocator>>, leading_bits: u32) -> Result<Self> {
        Pool::new(allocator.into(), leading_bits).map(|pool| Self(Arc::new(pool)))
    }

    /// Memory of `size` bytes: the start of a block that is held, else of a new one. It is bound to the queue of the
    /// allocator.
    ///
    /// # Errors
    /// As for [`Pool::lend`]; what binding gives.
    pub fn allocate(&self, size: usize) -> Result<SvmAllocation> {
        let memory = SvmAllocation::lent(self.0.take(size)?, size, self.0.clone())?;
        if let Some(queue) = &self.0.allocator().queue {
            memory.bind_to_queue(queue)?;
        }
        Ok(memory)
    }

    /// The size classes.
    #[must_use]
    pub fn bins(&self) -> Bins {
        self.0.bins()
    }

    /// What there is now.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.0.statistics()
    }

    /// Frees the blocks that nobody uses.
    pub fn free_held(&self) {
        self.0.free_held();
    }

    /// Frees the blocks that nobody uses, and from here on those that are given back.
    pub fn stop_holding(&self) {
        self.0.stop_holding();
    }

    /// Whether to tell on the standard output where each block comes from and goes to.
    pub fn set_trace(&self, trace: bool) {
        self.0.set_trace(trace);
    }
}
