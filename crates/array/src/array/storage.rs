//! Memory shared by arrays.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use opencl_runtime::{Buffer, CommandQueue, Context, MemFlags};

use super::pending::{Pending, Settled};
use crate::error::{Error, Result};
use crate::kernels::Kernels;
use crate::per_context::PerContext;

/// Memory shared by arrays.
///
/// It remembers who wrote it last and who has read it since. Commands of one in-order queue follow each other
/// by themselves, so that there the queue is remembered and no event asked for; an event is made only when
/// another queue comes, and always on out-of-order queues.
pub struct Storage {
    buffer: Buffer,
    context: Context,
    shared: Arc<PerContext>,
    pub(super) pending: Mutex<Pending>,
    pub(super) settled: Settled,
    /// Whether the memory goes to the pool in the end.
    pooled: AtomicBool,
    /// What the memory belongs to.
    owner: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Storage {
    /// Memory of `bytes` bytes (at least one) that `queue` uses next: a block of the pool, or a new one.
    pub(crate) fn allocate(
        context: &Context,
        shared: Arc<PerContext>,
        queue: Option<&CommandQueue>,
        bytes: usize,
    ) -> Result<Arc<Self>> {
        let bytes = bytes.max(1);
        let taken = shared.pool.take(bytes, queue);
        let (buffer, pending) = match taken {
            // Commands of that queue may still be using the block, which concerns others only.
            Some(buffer) => (buffer, queue.map_or_else(Pending::default, Pending::before)),
            None => match Buffer::on_huge_pages(context, MemFlags::READ_WRITE, bytes) {
                Err(error) if error.is_out_of_memory() => {
                    crate::pool::free_held();
                    (Buffer::on_huge_pages(context, MemFlags::READ_WRITE, bytes)?, Pending::default())
                }
                other => (other?, Pending::default()),
            },
        };
        Ok(Arc::new(Self::of(context, shared, buffer, pending, true)))
    }

    /// Memory that exists. It goes with its buffer, not to the pool.
    #[must_use]
    pub fn from_buffer(context: &Context, buffer: Buffer) -> Self {
        let shared = PerContext::of(context);
        // Commands of an array before may still be using a block of the user's pool.
        let left = buffer.take_note().and_then(|note| note.downcast::<Pending>().ok());
        Self::of(
            context,
            shared,
            buffer,
            left.map_or_else(Pending::default, |pending| pending.moved()),
            false,
        )
    }

    fn of(
        context: &Context,
        shared: Arc<PerContext>,
        buffer: Buffer,
        pending: Pending,
        pooled: bool,
    ) -> Self {
        let (context, settled) = (context.clone(), Settled::default());
        settled.set(&pending);
        let (pending, pooled) = (Mutex::new(pending), AtomicBool::new(pooled));
        Self { buffer, context, shared, pending, settled, pooled, owner: OnceLock::new() }
    }

    /// The memory.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The context it belongs to.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Keeps what the memory belongs to as long as this storage; a second owner is refused and given back.
    ///
    /// # Errors
    /// The second owner.
    pub fn keep(&self, owner: Box<dyn Any + Send + Sync>) -> Result<(), Box<dyn Any + Send + Sync>> {
        self.owner.set(owner)
    }

    /// What the memory belongs to, if that was told.
    #[must_use]
    pub fn owner(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.owner.get().map(|owner| &**owner)
    }

    /// What arrays of the context share.
    pub(crate) fn shared_state(&self) -> &Arc<PerContext> {
        &self.shared
    }

    pub(crate) fn kernels(&self) -> &Kernels {
        &self.shared.kernels
    }

    /// Keeps the memory from being used again after this storage, because somebody else may use it.
    pub(crate) fn keep_from_pool(&self) {
        self.pooled.store(false, Ordering::Relaxed);
    }

    /// Whether others than arrays may know the memory.
    pub(crate) fn is_known_elsewhere(&self) -> bool {
        !self.pooled.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({:?})", self.buffer)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        let pending = self.pending.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.buffer.is_pooled() && !pending.is_empty() {
            self.buffer.leave_note(Box::new(std::mem::take(pending)));
            return;
        }
        if !*self.pooled.get_mut() || self.buffer.is_shared() {
            return;
        }
        // Memory of which it cannot be told when it is free goes, which the driver puts off until it is.
        if let Some(after) = pending.after() {
            self.shared.pool.give(self.buffer.clone(), after);
        }
    }
}

/// Refuses memory of another context than the queue's.
pub(crate) fn check_context(storage: &Storage, queue: &CommandQueue) -> Result<()> {
    if storage.context == *queue.context() { Ok(()) } else { Err(Error::DifferentContexts) }
}
