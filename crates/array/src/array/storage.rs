//! Memory shared by arrays, and the commands on it that others must wait for.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use opencl_runtime::{Buffer, CommandQueue, Context, Event, MemFlags, WaitList};
use smallvec::SmallVec;

use crate::deferred::Deferred;
use crate::error::{Error, Result};
use crate::kernels::Kernels;
use crate::per_context::PerContext;
use crate::pool::After;

/// Memory shared by arrays.
///
/// It remembers who wrote it last and who has read it since. Commands of one in-order queue follow each other
/// by themselves, so that there the queue is remembered and no event asked for; an event is made only when
/// another queue comes, and always on out-of-order queues.
pub struct Storage {
    buffer: Buffer,
    context: Context,
    shared: Arc<PerContext>,
    pending: Mutex<Pending>,
    /// Whether the memory goes to the pool in the end.
    pooled: AtomicBool,
    /// What the memory belongs to.
    owner: OnceLock<Box<dyn Any + Send + Sync>>,
}

#[derive(Debug, Default)]
struct Pending {
    /// More than one only after [`Storage::add_event`].
    writes: SmallVec<[Command; 1]>,
    reads: SmallVec<[Command; 2]>,
    /// Counts the changes of these lists.
    changes: u64,
    /// Results that are yet to be computed from what the memory holds now.
    readers: Vec<Weak<Deferred>>,
}

/// A command that was enqueued.
#[derive(Clone, Debug)]
enum Command {
    /// Before anything that is enqueued to this in-order queue from now on.
    Before(CommandQueue),
    /// With an event of its own.
    Event(Arc<Event>),
}

/// What a command does with a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

/// Events that a command has to wait for.
pub(crate) type Events = SmallVec<[Arc<Event>; 2]>;

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
        let mut writes = SmallVec::new();
        let buffer = match (taken, queue) {
            (Some(buffer), queue) => {
                // Commands of that queue may still be using the block, which concerns others only.
                if let Some(queue) = queue {
                    writes.push(Command::Before(queue.clone()));
                }
                buffer
            }
            (None, _) => match Buffer::new(context, MemFlags::READ_WRITE, bytes) {
                Err(error) if error.is_out_of_memory() => {
                    crate::pool::free_held();
                    Buffer::new(context, MemFlags::READ_WRITE, bytes)?
                }
                other => other?,
            },
        };
        let pending = Mutex::new(Pending { writes, ..Pending::default() });
        let (context, pooled) = (context.clone(), AtomicBool::new(true));
        Ok(Arc::new(Self { buffer, context, shared, pending, pooled, owner: OnceLock::new() }))
    }

    /// Memory that exists. It goes with its buffer, not to the pool.
    #[must_use]
    pub fn from_buffer(context: &Context, buffer: Buffer) -> Self {
        let shared = PerContext::of(context);
        // Commands of an array before may still be using a block of the user's pool.
        let left = buffer.take_note().and_then(|note| note.downcast::<Pending>().ok());
        let pending = Mutex::new(left.map_or_else(Pending::default, |pending| *pending));
        let (context, pooled) = (context.clone(), AtomicBool::new(false));
        Self { buffer, context, shared, pending, pooled, owner: OnceLock::new() }
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

    fn pending(&self) -> MutexGuard<'_, Pending> {
        // Each change is one push or assignment, so that a panic elsewhere leaves it whole.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to `events` what a command on `queue` must wait for before it uses this memory.
    pub(crate) fn wait_before(&self, usage: Use, queue: &CommandQueue, events: &mut Events) -> Result<()> {
        let before: SmallVec<[Command; 2]> = {
            let mut pending = self.pending();
            while usage == Use::Write && !pending.readers.is_empty() {
                drop(pending);
                self.settle()?;
                pending = self.pending();
            }
            let reads = if usage == Use::Write { &pending.reads[..] } else { &[] };
            let is_after = |command: &&Command| !matches!(command, Command::Before(other) if other == queue);
            let mut others = pending.writes.iter().chain(reads).filter(is_after);
            // Most commands follow those of their own queue only.
            let Some(first) = others.next() else { return Ok(()) };
            std::iter::once(first).chain(others).cloned().collect()
        };
        // Markers are made without the lock.
        for command in before {
            events.push(command.into_event()?);
        }
        Ok(())
    }

    /// Remembers a result that is yet to be computed from this memory.
    pub(crate) fn add_reader(&self, reader: Weak<Deferred>) {
        let readers = &mut self.pending().readers;
        if readers.len() == readers.capacity() {
            readers.retain(|reader| reader.strong_count() > 0);
        }
        readers.push(reader);
    }

    /// Computes the results that are yet to be computed from what the memory holds now, before it is written.
    ///
    /// # Errors
    /// As [`Deferred::value`].
    pub fn settle(&self) -> Result<()> {
        let readers = std::mem::take(&mut self.pending().readers);
        let settled = readers.iter().filter_map(Weak::upgrade).try_for_each(|reader| reader.settle());
        if settled.is_err() {
            // Nothing is written then, and what is not computed still reads.
            self.pending().readers.extend(readers);
        }
        settled
    }

    /// Whether others than arrays may know the memory.
    pub(crate) fn is_known_elsewhere(&self) -> bool {
        !self.pooled.load(Ordering::Relaxed)
    }

    /// Remembers a command on `queue` that was enqueued, with its event if it has one.
    pub(crate) fn enqueued(&self, usage: Use, queue: &CommandQueue, event: Option<&Arc<Event>>) {
        let command = || match event {
            Some(event) => Command::Event(event.clone()),
            None => Command::Before(queue.clone()),
        };
        let mut pending = self.pending();
        pending.changes += 1;
        match usage {
            Use::Write => {
                let own = |command: &Command| matches!(command, Command::Before(other) if other == queue);
                if event.is_none()
                    && pending.reads.is_empty()
                    && matches!(&pending.writes[..], [last] if own(last))
                {
                    return;
                }
                pending.reads.clear();
                pending.writes.clear();
                pending.writes.push(command());
            }
            Use::Read => {
                let known = event.is_none()
                    && pending
                        .reads
                        .iter()
                        .chain(&pending.writes)
                        .any(|command| matches!(command, Command::Before(other) if other == queue));
                if !known {
                    if pending.reads.len() >= MANY {
                        pending.reads.retain(|command| !command.is_done());
                    }
                    pending.reads.push(command());
                }
            }
        }
    }

    /// Adds an event that later commands wait for, as if it stood for a write. One that is known, as those that
    /// [`events`](Self::events) gives are, changes nothing.
    pub fn add_event(&self, event: Event) {
        let mut pending = self.pending();
        let is_it = |command: &Command| matches!(command, Command::Event(known) if **known == event);
        if pending.writes.iter().chain(&pending.reads).any(is_it) {
            return;
        }
        pending.changes += 1;
        let writes = &mut pending.writes;
        if writes.len() >= MANY {
            writes.retain(|command| !command.is_done());
        }
        writes.push(Command::Event(Arc::new(event)));
    }

    /// Events of the commands that later ones wait for and that are not known to be done. For those of an in-order queue
    /// a marker is enqueued.
    ///
    /// # Errors
    /// What enqueueing markers gives.
    pub fn events(&self) -> Result<Vec<Arc<Event>>> {
        let commands: Vec<Command> = {
            let pending = self.pending();
            pending
                .writes
                .iter()
                .chain(&pending.reads)
                .filter(|command| !command.is_done())
                .cloned()
                .collect()
        };
        commands.into_iter().map(Command::into_event).collect()
    }

    /// Waits on the host until what was enqueued for this memory is done.
    ///
    /// # Errors
    /// What waiting gives.
    pub fn finish(&self) -> Result<()> {
        let (commands, changes) = {
            let pending = self.pending();
            let commands: Vec<Command> = pending.writes.iter().chain(&pending.reads).cloned().collect();
            (commands, pending.changes)
        };
        for command in commands {
            match command {
                Command::Before(queue) => queue.finish()?,
                Command::Event(event) => event.wait()?,
            }
        }
        let mut pending = self.pending();
        // What another thread has enqueued meanwhile is not done.
        if pending.changes == changes {
            pending.writes.clear();
            pending.reads.clear();
        }
        Ok(())
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
        if self.buffer.is_pooled() && !(pending.writes.is_empty() && pending.reads.is_empty()) {
            self.buffer.leave_note(Box::new(std::mem::take(pending)));
            return;
        }
        if !*self.pooled.get_mut() || self.buffer.is_shared() {
            return;
        }
        let commands = || pending.writes.iter().chain(&pending.reads);
        let after = match commands().next() {
            Some(Command::Before(queue))
                if commands().all(|command| matches!(command, Command::Before(other) if other == queue)) =>
            {
                After::Queue(queue.downgrade())
            }
            _ => {
                let event = |command: &Command| match command {
                    Command::Event(event) => Some(event.clone()),
                    Command::Before(_) => None,
                };
                match commands().map(event).collect() {
                    Some(events) => After::Events(events),
                    // Commands of several queues without events: the memory goes, which the driver puts off
                    // until they are done.
                    None => return,
                }
            }
        };
        self.shared.pool.give(self.buffer.clone(), after);
    }
}

/// From this many remembered reads on, those that are done are dropped.
const MANY: usize = 8;

impl Command {
    /// An event that completes when the command has, sent to the device so that others can wait for it.
    fn into_event(self) -> Result<Arc<Event>> {
        match self {
            Self::Event(event) => Ok(event),
            Self::Before(queue) => {
                let event = queue.marker(&WaitList::default())?;
                queue.flush()?;
                Ok(Arc::new(event))
            }
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Event(event) => event.is_complete().unwrap_or(true),
            Self::Before(_) => false,
        }
    }
}

/// Refuses memory of another context than the queue's.
pub(crate) fn check_context(storage: &Storage, queue: &CommandQueue) -> Result<()> {
    if storage.context == *queue.context() { Ok(()) } else { Err(Error::DifferentContexts) }
}
