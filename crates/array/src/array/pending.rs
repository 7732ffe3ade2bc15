//! Commands on the memory of arrays that others must wait for.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError, Weak};

use opencl_runtime::{CommandQueue, Context, Event, WaitList};
use smallvec::SmallVec;

use super::Storage;
use crate::deferred::Deferred;
use crate::error::{Error, Result};
use crate::pool::After;

/// The commands on a memory.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// More than one only after [`Storage::add_event`].
    writes: SmallVec<[Command; 1]>,
    reads: SmallVec<[Command; 2]>,
    /// Counts the changes of these lists.
    changes: u64,
    /// How many writes there were when the memory was last waited for.
    finished: usize,
    /// Results that are yet to be computed from what the memory holds now.
    readers: Vec<Weak<Deferred>>,
    /// How many threads wait for these commands, to forget them if no others come.
    finishing: usize,
}

/// The in-order queues, by handle, on which a read or a write has nothing to wait for and nothing to be remembered:
/// most operations use what was made on their own queue, and so need not lock. Zero stands for none.
///
/// Looked at again after the command was enqueued, they tell of changes by other threads meanwhile: what a thread
/// stores here before it enqueues to the same queue or waits for it, is seen by whoever enqueues to that queue later.
#[derive(Debug, Default)]
pub(super) struct Settled {
    reads: AtomicUsize,
    writes: AtomicUsize,
    /// Counts all writes. Of those that threads count at the same moment, one may be lost.
    written: AtomicUsize,
}

/// The pending commands, locked; what they settle is told when they are unlocked.
struct Locked<'a> {
    pending: MutexGuard<'a, Pending>,
    settled: &'a Settled,
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

/// The event, if commands of the context can wait for it.
pub(crate) fn event_in(context: &Context, event: Event) -> Result<Event> {
    // Drivers of OpenCL 1.0 do not tell.
    if event.context().is_ok_and(|own| own != *context) { Err(Error::EventOfOtherContext) } else { Ok(event) }
}

impl Storage {
    fn pending(&self) -> Locked<'_> {
        // Each change is one push or assignment, so that a panic elsewhere leaves it whole.
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { pending, settled: &self.settled }
    }

    /// Adds to `events` what a command on `queue` must wait for before it uses this memory.
    #[inline]
    pub(crate) fn wait_before(&self, usage: Use, queue: &CommandQueue, events: &mut Events) -> Result<()> {
        if self.settled.is(usage, queue) { Ok(()) } else { self.wait_before_locked(usage, queue, events) }
    }

    fn wait_before_locked(&self, usage: Use, queue: &CommandQueue, events: &mut Events) -> Result<()> {
        let before: SmallVec<[Command; 2]> = {
            let mut pending = self.pending();
            while usage == Use::Write && !pending.readers.is_empty() {
                drop(pending);
                self.settle()?;
                pending = self.pending();
            }
            let reads = if usage == Use::Write { &pending.reads[..] } else { &[] };
            let before = pending.writes.iter().chain(reads);
            let mut others = before.filter(|command| command.queue() != Some(queue));
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
        let mut pending = self.pending();
        if pending.readers.len() == pending.readers.capacity() {
            pending.readers.retain(|reader| reader.strong_count() > 0);
        }
        pending.readers.push(reader);
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

    /// Remembers a command on `queue` that was enqueued, with its event if it has one.
    #[inline]
    pub(crate) fn enqueued(&self, usage: Use, queue: &CommandQueue, event: Option<&Arc<Event>>) {
        if usage == Use::Write {
            self.settled.count_write();
        }
        if event.is_some() || !self.settled.is(usage, queue) {
            self.enqueued_locked(usage, queue, event);
        }
    }

    fn enqueued_locked(&self, usage: Use, queue: &CommandQueue, event: Option<&Arc<Event>>) {
        let command = || match event {
            Some(event) => Command::Event(event.clone()),
            None => Command::Before(queue.clone()),
        };
        let mut pending = self.pending();
        pending.changes += 1;
        match usage {
            Use::Write => {
                if event.is_none()
                    && pending.reads.is_empty()
                    && matches!(&pending.writes[..], [last] if last.queue() == Some(queue))
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
                        .any(|command| command.queue() == Some(queue));
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
    ///
    /// # Errors
    /// [`Error::EventOfOtherContext`], for which no command can wait.
    pub fn add_event(&self, event: Event) -> Result<()> {
        let event = event_in(self.context(), event)?;
        let mut pending = self.pending();
        let is_it = |command: &Command| matches!(command, Command::Event(known) if **known == event);
        if pending.writes.iter().chain(&pending.reads).any(is_it) {
            return Ok(());
        }
        pending.changes += 1;
        let writes = &mut pending.writes;
        if writes.len() >= MANY {
            writes.retain(|command| !command.is_done());
        }
        writes.push(Command::Event(Arc::new(event)));
        Ok(())
    }

    /// Events of the commands that later ones wait for and that are not known to be done. For those of an in-order queue
    /// a marker is enqueued.
    ///
    /// As in PyOpenCL the list grows with each write since [`finish`](Self::finish), up to [`LISTED`](Self::LISTED): the
    /// event of the last one, which stands for all of them, is there as many times.
    ///
    /// # Errors
    /// What enqueueing markers gives.
    pub fn events(&self) -> Result<Vec<Arc<Event>>> {
        let (commands, again): (Vec<Command>, usize) = {
            let pending = self.pending();
            let all = pending.writes.iter().chain(&pending.reads);
            let is_pending = pending.writes.first().is_some_and(|write| !write.is_done());
            let writes = if is_pending { self.settled.written().wrapping_sub(pending.finished) } else { 0 };
            let again = writes.clamp(1, Self::LISTED) - 1;
            (all.filter(|command| !command.is_done()).cloned().collect(), again)
        };
        let events: Vec<Arc<Event>> = commands.into_iter().map(Command::into_event).collect::<Result<_>>()?;
        Ok(events.iter().take(1).cycle().take(again).chain(&events).cloned().collect())
    }

    /// How many times at most [`events`](Self::events) lists an event.
    pub const LISTED: usize = 10;

    /// Waits on the host until what was enqueued for this memory is done.
    ///
    /// # Errors
    /// What waiting gives.
    pub fn finish(&self) -> Result<()> {
        let (commands, changes) = {
            let mut pending = self.pending();
            pending.finishing += 1;
            let commands: Vec<Command> = pending.writes.iter().chain(&pending.reads).cloned().collect();
            (commands, pending.changes)
        };
        let waited = commands.into_iter().try_for_each(|command| match command {
            Command::Before(queue) => queue.finish(),
            Command::Event(event) => event.wait(),
        });
        let mut pending = self.pending();
        pending.finishing -= 1;
        // What another thread has enqueued meanwhile is not done.
        if waited.is_ok() && pending.changes == changes {
            pending.finished = self.settled.written();
            pending.writes.clear();
            pending.reads.clear();
        }
        Ok(waited?)
    }
}

impl Settled {
    #[inline]
    fn of(&self, usage: Use) -> &AtomicUsize {
        match usage {
            Use::Read => &self.reads,
            Use::Write => &self.writes,
        }
    }

    #[inline]
    fn is(&self, usage: Use, queue: &CommandQueue) -> bool {
        self.of(usage).load(Ordering::Acquire) == queue.as_raw() as usize
    }

    #[inline]
    fn count_write(&self) {
        self.written.store(self.written().wrapping_add(1), Ordering::Relaxed);
    }

    fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, pending: &Pending) {
        for usage in [Use::Read, Use::Write] {
            let queue = pending.settles(usage).map_or(0, |queue| queue.as_raw() as usize);
            self.of(usage).store(queue, Ordering::Release);
        }
    }
}

impl Pending {
    /// What was enqueued to an in-order queue until now.
    pub(super) fn before(queue: &CommandQueue) -> Self {
        Self { writes: SmallVec::from_buf([Command::Before(queue.clone())]), ..Self::default() }
    }

    /// The same commands on what becomes the memory of other arrays, whose writes are counted anew.
    pub(super) fn moved(self) -> Self {
        Self { finished: 0, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.reads.is_empty()
    }

    /// When the memory is free; `None` for commands of several queues without events.
    pub(super) fn after(&self) -> Option<After> {
        let commands = || self.writes.iter().chain(&self.reads);
        match commands().next() {
            Some(Command::Before(queue)) if commands().all(|command| command.queue() == Some(queue)) => {
                Some(After::Queue(queue.downgrade()))
            }
            _ => {
                let event = |command: &Command| match command {
                    Command::Event(event) => Some(event.clone()),
                    Command::Before(_) => None,
                };
                Some(After::Events(commands().map(event).collect::<Option<_>>()?))
            }
        }
    }

    /// The queue on which such a command has nothing to wait for and changes nothing here. It is held here, so that no
    /// other queue has its handle.
    fn settles(&self, usage: Use) -> Option<&CommandQueue> {
        match (usage, &self.writes[..]) {
            _ if self.finishing > 0 => None,
            (Use::Read, []) => self.reads.iter().find_map(Command::queue),
            (Use::Read, [last]) => last.queue(),
            (Use::Write, [last]) if self.reads.is_empty() && self.readers.is_empty() => last.queue(),
            _ => None,
        }
    }
}

impl Deref for Locked<'_> {
    type Target = Pending;

    fn deref(&self) -> &Pending {
        &self.pending
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Pending {
        &mut self.pending
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.settled.set(&self.pending);
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

    /// The in-order queue whose later commands follow this one.
    fn queue(&self) -> Option<&CommandQueue> {
        match self {
            Self::Before(queue) => Some(queue),
            Self::Event(_) => None,
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Event(event) => event.is_complete().unwrap_or(true),
            Self::Before(_) => false,
        }
    }
}
