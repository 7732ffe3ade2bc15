//! The pool of buffers: blocks are lent as plain buffers, which go back by themselves.

use std::sync::Arc;

use super::{Allocator, Bins, Pool, Statistics};
use crate::memory::{Lender, MemBlock, MemObject};
use crate::{Buffer, Result};

/// A pool of buffers. Clones share it, and so may threads.
///
/// A buffer goes back when its last clone goes, or by [`release`](MemObject::release), and is lent again at once:
/// commands that were enqueued for it may still be waiting. On one in-order queue nobody notices; who uses several
/// queues lets the second one wait for the first one's commands before taking a block. Arrays do so by themselves.
#[derive(Clone)]
pub struct MemoryPool(Arc<Pool<OfBuffers>>);

/// An allocator of buffers as one of blocks.
struct OfBuffers(Arc<dyn Allocator<Block = Buffer>>);

impl Allocator for OfBuffers {
    type Block = MemBlock;

    fn allocate(&self, size: usize) -> Result<MemBlock> {
        MemObject::from(self.0.allocate(size)?).into_block()
    }
}

impl Lender for Pool<OfBuffers> {
    fn take_back(&self, block: MemBlock, asked: usize) {
        self.give(block, asked);
    }
}

impl MemoryPool {
    /// A pool of buffers from `allocator`, which are larger than asked for by less than one part in 2 to the power
    /// of `leading_bits`, see [`Bins`].
    ///
    /// # Errors
    /// As for [`Bins::new`].
    pub fn new(allocator: impl Allocator<Block = Buffer> + 'static, leading_bits: u32) -> Result<Self> {
        Pool::new(OfBuffers(Arc::new(allocator)), leading_bits).map(|pool| Self(Arc::new(pool)))
    }

    /// A buffer for `size` bytes: one that is held, else a new one. It has at least one byte.
    ///
    /// # Errors
    /// As for [`Pool::lend`].
    pub fn allocate(&self, size: usize) -> Result<Buffer> {
        self.0.take(size).map(|block| self.lend(block, size))
    }

    /// A buffer that is held, without asking the driver for anything.
    #[must_use]
    pub fn allocate_held(&self, size: usize) -> Option<Buffer> {
        self.0.take_held(size).map(|block| self.lend(block, size))
    }

    fn lend(&self, block: MemBlock, size: usize) -> Buffer {
        Buffer::of_object(MemObject::lent(block, self.0.clone(), size))
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

    /// Frees the buffers that nobody uses.
    pub fn free_held(&self) {
        self.0.free_held();
    }

    /// Frees the buffers that nobody uses, and from here on those that are given back.
    pub fn stop_holding(&self) {
        self.0.stop_holding();
    }

    /// Whether to tell on the standard output where each block comes from and goes to.
    pub fn set_trace(&self, trace: bool) {
        self.0.set_trace(trace);
    }
}
