//! Memory of arrays that went, kept for the next ones: making, first using and releasing a buffer costs far
//! more than a launch on some drivers.
//!
//! A block is at once free for the in-order queue that used it last, since later commands of that queue run
//! after those that use it; for others when its commands are done. Sizes are exact, so that the buffer of an
//! array has the array's size. What is held is limited, goes when memory runs out, and can be switched off
//! ([`set_pool_limit`]).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opencl_runtime::{Buffer, CommandQueue, Context, Event, WeakQueue};
use smallvec::SmallVec;

use crate::bit_hasher::BitHasher;

/// At most this part of the smallest device's global memory is held.
const SHARE: u64 = 16;
/// At most so many blocks of one size are held.
const BLOCKS_OF_A_SIZE: usize = 64;

/// The commands that may still use a block.
#[derive(Debug)]
pub(crate) enum After {
    /// Those that were enqueued to one in-order queue.
    Queue(WeakQueue),
    /// Those of these events.
    Events(SmallVec<[Arc<Event>; 2]>),
}

impl After {
    /// Whether a block may be used by what is enqueued to `queue` next.
    fn is_free_for(&self, queue: Option<&CommandQueue>) -> bool {
        match self {
            Self::Queue(last) => queue.is_some_and(|queue| last.is(queue)),
            Self::Events(events) => events.iter().all(|event| event.is_complete().unwrap_or(false)),
        }
    }
}

#[derive(Debug)]
struct Block {
    buffer: Buffer,
    after: After,
}

/// The pool of one context.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    blocks: Mutex<Blocks>,
    limit: AtomicUsize,
}

#[derive(Debug, Default)]
struct Blocks {
    by_size: HashMap<usize, OfSize, BuildHasherDefault<BitHasher>>,
    bytes: usize,
    /// Counts what was given.
    clock: u64,
}

/// The blocks of one size, the oldest first where none was taken, and when one was given last.
#[derive(Debug, Default)]
struct OfSize {
    blocks: Vec<Block>,
    given: u64,
}

impl Blocks {
    /// Takes out blocks of the sizes that were given least lately, but not of `size`, until so many bytes are held at
    /// most, or there are no others.
    #[cold]
    fn make_room(&mut self, size: usize, most: usize) -> Vec<Block> {
        let mut gone = Vec::new();
        while self.bytes > most {
            let others = self.by_size.iter().filter(|(other, _)| **other != size);
            let Some((&other, _)) = others.min_by_key(|(_, list)| list.given) else { break };
            match self.by_size.get_mut(&other) {
                Some(list) if !list.blocks.is_empty() => {
                    gone.push(list.blocks.remove(0));
                    self.bytes -= other;
                }
                _ => drop(self.by_size.remove(&other)),
            }
        }
        gone
    }
}

/// The pools of this process, for when memory runs out.
static POOLS: Mutex<Vec<Weak<Pool>>> = Mutex::new(Vec::new());

fn pools() -> MutexGuard<'static, Vec<Weak<Pool>>> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the memory back that the pools of all contexts hold.
pub fn free_held() {
    let pools: Vec<Arc<Pool>> = pools().iter().filter_map(Weak::upgrade).collect();
    for pool in pools {
        pool.free_held();
    }
}

/// Limits what the pool of a context holds, in bytes; with zero it holds nothing, and memory goes with its array.
pub fn set_pool_limit(context: &Context, bytes: usize) {
    let shared = crate::per_context::PerContext::of(context);
    shared.pool.limit.store(bytes, Ordering::Relaxed);
    if bytes == 0 {
        shared.pool.free_held();
    }
}

/// Bytes that the pool of a context holds now.
#[must_use]
pub fn pool_held(context: &Context) -> usize {
    crate::per_context::PerContext::of(context).pool.blocks().bytes
}

impl Pool {
    /// Makes the pool known to [`free_held`] and sets its limit from the memory of the context's devices.
    pub(crate) fn register(self: &Arc<Self>, context: &Context) {
        let devices = context.devices().unwrap_or_default();
        let smallest = devices.iter().filter_map(|device| device.global_mem_size().ok()).min().unwrap_or(0);
        self.limit.store(usize::try_from(smallest / SHARE).unwrap_or(usize::MAX), Ordering::Relaxed);
        let mut pools = pools();
        pools.retain(|pool| pool.strong_count() > 0);
        pools.push(Arc::downgrade(self));
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        // Each change is one push or removal, so that a panic elsewhere leaves it whole.
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block of exactly this size that `queue` may use next.
    pub(crate) fn take(&self, bytes: usize, queue: Option<&CommandQueue>) -> Option<Buffer> {
        let mut blocks = self.blocks();
        let list = &mut blocks.by_size.get_mut(&bytes)?.blocks;
        let place = list.iter().rposition(|block| block.after.is_free_for(queue))?;
        let block = list.swap_remove(place);
        blocks.bytes -= bytes;
        Some(block.buffer)
    }

    /// Keeps a block, in place of blocks of other sizes where the limit is reached.
    pub(crate) fn give(&self, buffer: Buffer, after: After) {
        let bytes = buffer.size();
        let limit = self.limit.load(Ordering::Relaxed);
        let mut blocks = self.blocks();
        let mut gone = Vec::new();
        if blocks.bytes.saturating_add(bytes) > limit {
            if bytes > limit {
                return;
            }
            gone = blocks.make_room(bytes, limit - bytes);
        }
        let all = &mut *blocks;
        if all.bytes + bytes <= limit {
            all.clock += 1;
            let list = all.by_size.entry(bytes).or_default();
            list.given = all.clock;
            if list.blocks.len() < BLOCKS_OF_A_SIZE {
                list.blocks.push(Block { buffer, after });
                all.bytes += bytes;
            }
        }
        drop(blocks);
        // The buffers go without the lock.
        drop(gone);
    }

    /// Gives back what is held.
    pub(crate) fn free_held(&self) {
        let held = std::mem::take(&mut *self.blocks());
        // The buffers go without the lock.
        drop(held);
    }
}
