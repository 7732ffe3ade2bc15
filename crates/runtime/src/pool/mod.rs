//! Memory pools: blocks that were given back are kept by size class and used again.
//!
//! ```
//! use opencl_runtime::pool::{ImmediateAllocator, MemoryPool};
//! use opencl_runtime::{CommandQueue, Context, MemFlags};
//!
//! let context = Context::from_environment()?;
//! let queue = CommandQueue::new(&context)?;
//! let pool = MemoryPool::new(ImmediateAllocator::new(&queue, MemFlags::READ_WRITE)?, 4)?;
//! let buffer = pool.allocate(1000)?; // a block of up to 1/16 more, as a plain buffer
//! assert_eq!(pool.statistics().active_bytes, 1000);
//! drop(buffer); // goes back to the pool
//! assert_eq!((pool.statistics().active_blocks, pool.statistics().held_blocks), (0, 1));
//! pool.free_held();
//! # Ok::<(), opencl_runtime::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `bins` | size classes: [`Bins`] |
//! | `policy` | allocators of buffers: [`ImmediateAllocator`], [`DeferredAllocator`] |
//! | `buffer` | the pool of buffers: [`MemoryPool`] |
//! | `svm` | the pool of shared virtual memory: [`SvmPool`], [`SvmAllocator`] |
//! | `mod` | free lists for blocks of any kind: [`Pool`], [`Lease`], [`Allocator`] |

mod bins;
mod buffer;
mod policy;
mod svm;

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::memory::{reclaim, with_reclaim};
use crate::{Error, Result, status};

pub use bins::{Bins, bitlog2};
pub use buffer::MemoryPool;
pub use policy::{DeferredAllocator, ImmediateAllocator};
pub use svm::{SvmAllocator, SvmPool};

/// What makes the blocks of a pool. Dropping a block frees it.
pub trait Allocator: Send + Sync {
    /// A block of memory.
    type Block: Send;

    /// Makes a block of `size` bytes, with a single try. No lock is held meanwhile.
    ///
    /// # Errors
    /// What the driver gives; statuses that stand for a lack of memory ([`Error::is_out_of_memory`]) make a pool
    /// free what it can and try again.
    fn allocate(&self, size: usize) -> Result<Self::Block>;

    /// The same with a second try after reclaiming memory, see [`set_reclaim`](crate::set_reclaim).
    ///
    /// # Errors
    /// What the driver gives.
    fn allocate_or_reclaim(&self, size: usize) -> Result<Self::Block> {
        with_reclaim(|| self.allocate(size))
    }
}

impl<A: Allocator + ?Sized> Allocator for Arc<A> {
    type Block = A::Block;

    fn allocate(&self, size: usize) -> Result<A::Block> {
        (**self).allocate(size)
    }
}

/// What a pool has and has lent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Blocks that nobody uses.
    pub held_blocks: usize,
    /// Blocks in use.
    pub active_blocks: usize,
    /// Bytes of all blocks, whole.
    pub managed_bytes: usize,
    /// Bytes that were asked for, of the blocks in use.
    pub active_bytes: usize,
}

/// Free lists over an allocator. Threads may share it.
pub struct Pool<A: Allocator> {
    allocator: A,
    bins: Bins,
    lists: Mutex<Lists<A::Block>>,
    trace: AtomicBool,
}

struct Lists<B> {
    by_bin: BTreeMap<u64, Vec<B>>,
    statistics: Statistics,
    holding: bool,
}

impl<A: Allocator> Pool<A> {
    /// A pool of blocks from `allocator`, which are larger than asked for by less than one part in 2 to the power
    /// of `leading_bits`, see [`Bins`].
    ///
    /// # Errors
    /// As for [`Bins::new`].
    pub fn new(allocator: A, leading_bits: u32) -> Result<Self> {
        let lists = Lists { by_bin: BTreeMap::new(), statistics: Statistics::default(), holding: true };
        let (bins, lists, trace) = (Bins::new(leading_bits)?, Mutex::new(lists), AtomicBool::new(false));
        Ok(Self { allocator, bins, lists, trace })
    }

    /// A block for `size` bytes, lent until the lease goes: one that is held, else a new one.
    ///
    /// When memory runs out it is reclaimed ([`set_reclaim`](crate::set_reclaim)), what is held is freed, and the
    /// allocation tried a second time.
    ///
    /// # Errors
    /// `MEM_OBJECT_ALLOCATION_FAILURE` if there is no memory after that, else what the allocator gives.
    pub fn lend(self: &Arc<Self>, size: usize) -> Result<Lease<A>> {
        let block = ManuallyDrop::new(self.take(size)?);
        Ok(Lease { pool: Arc::clone(self), block, size })
    }

    /// The size classes.
    pub fn bins(&self) -> Bins {
        self.bins
    }

    /// The allocator.
    pub fn allocator(&self) -> &A {
        &self.allocator
    }

    /// What there is now.
    pub fn statistics(&self) -> Statistics {
        self.lists().statistics
    }

    /// Frees the blocks that nobody uses.
    pub fn free_held(&self) {
        let freed = {
            let mut lists = self.lists();
            let freed = std::mem::take(&mut lists.by_bin);
            let bytes =
                |(bin, blocks): (&u64, &Vec<A::Block>)| self.block_size(*bin).wrapping_mul(blocks.len());
            let bytes = freed.iter().map(bytes).fold(0, usize::wrapping_add);
            lists.statistics.held_blocks = 0;
            lists.statistics.managed_bytes = lists.statistics.managed_bytes.wrapping_sub(bytes);
            freed
        };
        // The blocks go without the lock.
        drop(freed);
    }

    /// Frees the blocks that nobody uses, and from here on those that are given back.
    pub fn stop_holding(&self) {
        self.lists().holding = false;
        self.free_held();
    }

    /// Whether to tell on the standard output where each block comes from and goes to.
    pub fn set_trace(&self, trace: bool) {
        self.trace.store(trace, Ordering::Relaxed);
    }

    fn lists(&self) -> MutexGuard<'_, Lists<A::Block>> {
        // Nothing that may panic happens under the lock but growing a list, before which nothing is counted.
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, size: usize) -> Result<A::Block> {
        match self.take_held(size) {
            Some(block) => Ok(block),
            None => self.take_new(size),
        }
    }

    /// A block that is held.
    fn take_held(&self, size: usize) -> Option<A::Block> {
        let bin = self.bins.bin_number(size);
        let mut lists = self.lists();
        let list = lists.by_bin.get_mut(&bin)?;
        let before = list.len();
        let block = list.pop()?;
        let statistics = &mut lists.statistics;
        statistics.held_blocks -= 1;
        statistics.active_blocks += 1;
        statistics.active_bytes = statistics.active_bytes.wrapping_add(size);
        drop(lists);
        if self.trace.load(Ordering::Relaxed) {
            println!("[pool] {size} bytes from bin {bin}, which had {before} blocks");
        }
        Some(block)
    }

    /// A new block.
    fn take_new(&self, size: usize) -> Result<A::Block> {
        let bytes = self.block_size(self.bins.bin_number(size));
        let block = match self.allocator.allocate(bytes) {
            Err(error) if error.is_out_of_memory() => {
                reclaim(&error);
                // What was reclaimed may have come back to this pool.
                if let Some(block) = self.take_held(size) {
                    return Ok(block);
                }
                self.free_held();
                self.allocator.allocate(bytes).map_err(|error| exhausted(error, bytes))?
            }
            other => other?,
        };
        let mut lists = self.lists();
        let statistics = &mut lists.statistics;
        statistics.active_blocks += 1;
        statistics.active_bytes = statistics.active_bytes.wrapping_add(size);
        statistics.managed_bytes = statistics.managed_bytes.wrapping_add(bytes);
        drop(lists);
        if self.trace.load(Ordering::Relaxed) {
            println!("[pool] {size} bytes in a new block of {bytes} bytes");
        }
        Ok(block)
    }

    /// Takes a block back for which `size` bytes were asked.
    fn give(&self, block: A::Block, size: usize) {
        let bin = self.bins.bin_number(size);
        let mut lists = self.lists();
        let (held, now) = if lists.holding {
            let list = lists.by_bin.entry(bin).or_default();
            list.push(block);
            (None, list.len())
        } else {
            (Some(block), 0)
        };
        let statistics = &mut lists.statistics;
        statistics.active_blocks -= 1;
        statistics.active_bytes = statistics.active_bytes.wrapping_sub(size);
        if held.is_none() {
            statistics.held_blocks += 1;
        } else {
            statistics.managed_bytes = statistics.managed_bytes.wrapping_sub(self.block_size(bin));
        }
        drop(lists);
        if self.trace.load(Ordering::Relaxed) {
            println!("[pool] {size} bytes back to bin {bin}, which has {now} blocks");
        }
        // The block goes without the lock.
        drop(held);
    }

    /// The size of the blocks of a bin into which sizes fall.
    fn block_size(&self, bin: u64) -> usize {
        // Only bins beyond 64 bits have no size, and the bin is that of a size.
        self.bins.alloc_size(bin).unwrap_or(usize::MAX)
    }
}

/// The error of the last try.
#[cold]
fn exhausted(error: Error, bytes: usize) -> Error {
    if !error.is_out_of_memory() {
        return error;
    }
    let detail = format!("no memory for a block of {bytes} bytes, with all held blocks freed: {error}");
    Error::refused("memory_pool::allocate", status::MEM_OBJECT_ALLOCATION_FAILURE, detail)
}

/// A block that a pool has lent. It goes back when this goes.
pub struct Lease<A: Allocator> {
    pool: Arc<Pool<A>>,
    /// Taken out by `drop` alone.
    block: ManuallyDrop<A::Block>,
    size: usize,
}

impl<A: Allocator> Lease<A> {
    /// How many bytes were asked for.
    pub fn size(&self) -> usize {
        self.size
    }
}

impl<A: Allocator> Deref for Lease<A> {
    type Target = A::Block;

    fn deref(&self) -> &A::Block {
        &self.block
    }
}

impl<A: Allocator> Drop for Lease<A> {
    fn drop(&mut self) {
        // SAFETY: the lease goes, so that nobody sees the block again.
        let block = unsafe { ManuallyDrop::take(&mut self.block) };
        self.pool.give(block, self.size);
    }
}
