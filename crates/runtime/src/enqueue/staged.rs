//! Host copies in chunks through pinned memory: while a command moves one chunk, threads copy the next one.
//!
//! The first bytes of a copy, its head, are a blocking command of their own with the copy's wait list. Once it is
//! done, so is all that the whole copy would have waited for, on queues of either order; and the driver has told
//! what is wrong with the arguments. What follows waits for nothing else, and is done when the copy returns.
//!
//! A thread that enqueues to the same queue meanwhile, without having agreed on an order, may see its command run
//! between two chunks, where it would have run before or after a single command.

use super::copy::{HostCopy, Way};
use crate::staging::Lease;
use crate::staging::plan::{Chunk, HEAD, SLOTS};
use crate::staging::team::{Team, gather};
use crate::{Error, Event, Result, WaitList, status};

/// The commands that use pinned memory, one for each slot at most.
struct Running<'a> {
    copy: &'a HostCopy<'a>,
    events: [Option<Event>; SLOTS],
    /// A command of which nobody knows whether it has ended.
    lost: bool,
}

impl HostCopy<'_> {
    /// The copy, blocking, through the pinned memory of `lease`. The event is that of the last chunk.
    ///
    /// # Safety
    /// `size` bytes at `address` can be written (read by a write).
    ///
    /// # Errors
    /// What the C function gives for the head, or for a chunk, and what `clFlush` and `clWaitForEvents` give.
    pub(super) unsafe fn enqueue_staged(&self, wait_for: &WaitList<'_>, lease: Lease) -> Result<Event> {
        let head = HostCopy { size: HEAD, ..*self };
        let mut running = Running { copy: self, events: Default::default(), lost: false };
        // SAFETY: the head is a part of the copy.
        running.events[0] = Some(unsafe { head.enqueue_whole(true, wait_for) }?);
        // A write may return when the bytes are taken, before it was its turn.
        running.wait(0)?;
        let outcome = gather(lease.threads(), |team| match self.way {
            // SAFETY: the caller's promise.
            Way::Read => unsafe { running.read(&lease, team) },
            // SAFETY: as above.
            Way::Write => unsafe { running.write(&lease, team) },
        });
        // After a failure the other slot's command may still be running.
        for slot in 0..SLOTS {
            if let Err(error) = running.wait(slot) {
                log::debug!("after a copy that failed: {error}");
            }
        }
        if running.lost {
            lease.abandon();
        }
        outcome
    }

    /// The host's memory of a chunk.
    fn host(&self, chunk: Chunk) -> *mut u8 {
        self.address.cast::<u8>().wrapping_add(chunk.offset)
    }
}

impl Running<'_> {
    /// # Safety
    /// The bytes of the copy can be read at its address.
    unsafe fn write(&mut self, lease: &Lease, team: &Team) -> Result<Event> {
        let plan = lease.plan();
        for number in 0..plan.count() {
            let Some(chunk) = plan.chunk(number) else { break };
            self.wait(chunk.slot)?;
            // SAFETY: the chunk is a part of the copy, no command is using the slot, and it has room.
            unsafe { team.copy(self.copy.host(chunk), lease.slot(chunk.slot), chunk.size) };
            self.start(chunk, lease)?;
            self.copy.queue.flush()?;
        }
        let last = (plan.count() - 1) % SLOTS;
        // The other slot's command is the older one.
        self.wait((last + 1) % SLOTS)?;
        self.wait(last)?.ok_or_else(|| Error::null(self.copy.way.function()))
    }

    /// # Safety
    /// The bytes of the copy can be written at its address.
    unsafe fn read(&mut self, lease: &Lease, team: &Team) -> Result<Event> {
        let plan = lease.plan();
        for number in 0..plan.count().min(SLOTS) {
            let Some(chunk) = plan.chunk(number) else { break };
            self.start(chunk, lease)?;
        }
        self.copy.queue.flush()?;
        let mut last = None;
        for number in 0..plan.count() {
            let Some(chunk) = plan.chunk(number) else { break };
            last = self.wait(chunk.slot)?;
            // SAFETY: the chunk is a part of the copy, and the command that filled the slot has ended.
            unsafe { team.copy(lease.slot(chunk.slot), self.copy.host(chunk), chunk.size) };
            if let Some(next) = plan.chunk(number + SLOTS) {
                self.start(next, lease)?;
                self.copy.queue.flush()?;
            }
        }
        last.ok_or_else(|| Error::null(self.copy.way.function()))
    }

    /// Enqueues the command that moves a chunk between the buffer and its slot.
    fn start(&mut self, chunk: Chunk, lease: &Lease) -> Result<()> {
        let Chunk { offset, size, slot } = chunk;
        let (offset, address) = (self.copy.offset + offset, lease.slot(slot).cast());
        let command = HostCopy { offset, size, address, ..*self.copy };
        // SAFETY: the slot has room for the chunk, and stays until the command has ended: who has the lease waits.
        self.events[slot] = Some(unsafe { command.enqueue_whole(false, &WaitList::default()) }?);
        Ok(())
    }

    /// Waits for the command that uses a slot, if there is one, and gives its event.
    ///
    /// # Errors
    /// A command that failed gives its own status, as if it had blocked.
    fn wait(&mut self, slot: usize) -> Result<Option<Event>> {
        let Some(event) = self.events[slot].take() else { return Ok(None) };
        let Err(error) = event.wait() else { return Ok(Some(event)) };
        match event.command_execution_status() {
            Ok(status) if status.0 < status::SUCCESS => {
                return Err(Error::status(self.copy.way.function(), status.0));
            }
            Ok(status) if status.0 == status::SUCCESS => {}
            _ => self.lost |= self.copy.queue.finish().is_err(),
        }
        Err(error)
    }
}
