//! Between host memory and arrays, for any layout.

use std::sync::Arc;

use opencl_runtime::{CommandQueue, Event, WaitList, ask_for_huge_pages, wait_for_events};

use super::{Array, Events, Use};
use crate::error::{Error, Result};
use crate::evaluate::copy_into;
use crate::layout::{Layout, Order};

impl Array {
    /// Copies the elements into `bytes` in element order `order`, and waits for it.
    ///
    /// # Errors
    /// [`Error::HostSize`] if the number of bytes is wrong, [`Error::NoQueue`], or what the transfer gives.
    pub fn read(&self, bytes: &mut [u8], order: Order, queue: Option<&CommandQueue>) -> Result<()> {
        self.check_size(bytes.len())?;
        let queue = queue.or(self.queue()).ok_or(Error::NoQueue)?;
        if bytes.is_empty() {
            return Ok(());
        }
        if !self.is_gap_free(order) {
            return self.gap_free_copy(queue, order)?.read(bytes, order, Some(queue));
        }
        self.wait(Use::Read, queue)?;
        Ok(queue.read(self.buffer(), self.layout.offset(), bytes)?)
    }

    /// Copies the elements to the host in element order `order`, and waits for it.
    ///
    /// # Errors
    /// As [`Array::read`].
    pub fn to_host(&self, order: Order, queue: Option<&CommandQueue>) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.layout.nbytes()];
        ask_for_huge_pages(&mut bytes);
        self.read(&mut bytes, order, queue)?;
        Ok(bytes)
    }

    /// Sets the elements from `bytes` in element order `order`, and waits until `bytes` is no longer needed.
    ///
    /// # Errors
    /// As [`Array::read`].
    pub fn write(&self, bytes: &[u8], order: Order, queue: Option<&CommandQueue>) -> Result<()> {
        self.check_size(bytes.len())?;
        let queue = queue.or(self.queue()).ok_or(Error::NoQueue)?;
        if bytes.is_empty() {
            return Ok(());
        }
        if !self.is_gap_free(order) {
            let staged = Self::from_host(queue, self.shape(), self.dtype, order, bytes)?;
            return copy_into(queue, &staged, self);
        }
        self.wait(Use::Write, queue)?;
        queue.write(self.buffer(), self.layout.offset(), bytes)?;
        // A blocking write has taken the bytes, but need not have arrived.
        if queue.is_out_of_order() {
            queue.finish()?;
        }
        self.storage.enqueued(Use::Write, queue, None);
        Ok(())
    }

    fn check_size(&self, found: usize) -> Result<()> {
        let expected = self.layout.nbytes();
        if found == expected { Ok(()) } else { Err(Error::HostSize { expected, found }) }
    }

    fn is_gap_free(&self, order: Order) -> bool {
        match order {
            Order::C => self.layout.is_c_contiguous(),
            Order::F => self.layout.is_f_contiguous(),
        }
    }

    /// The elements in new memory without gaps, in element order `order`.
    ///
    /// # Errors
    /// [`Error::NoQueue`], or what build and launch give.
    pub fn copy_in(&self, order: Order, queue: Option<&CommandQueue>) -> Result<Self> {
        self.gap_free_copy(queue.or(self.queue()).ok_or(Error::NoQueue)?, order)
    }

    fn gap_free_copy(&self, queue: &CommandQueue, order: Order) -> Result<Self> {
        let layout = Layout::contiguous(self.shape(), self.dtype.size(), order)?;
        let copy = Self::for_result(queue, &[self], layout, self.dtype)?;
        copy_into(queue, self, &copy)?;
        Ok(copy)
    }

    /// Enqueues a command of the caller's on the array's memory, which it writes or only reads: `command` gets the
    /// queue and what to wait for, `after` among it, and later commands on the memory follow it.
    ///
    /// # Errors
    /// [`Error::NoQueue`], [`Error::DifferentContexts`], or what `command` gives.
    pub fn enqueue_with<R>(
        &self,
        writes: bool,
        queue: Option<&CommandQueue>,
        after: &[&Event],
        command: impl FnOnce(&CommandQueue, &WaitList<'_>) -> opencl_runtime::Result<(R, Event)>,
    ) -> Result<(R, Event)> {
        let queue = queue.or(self.queue()).ok_or(Error::NoQueue)?;
        let usage = if writes { Use::Write } else { Use::Read };
        super::check_context(&self.storage, queue)?;
        let mut events = Events::new();
        self.storage.wait_before(usage, queue, &mut events)?;
        let (result, event) =
            command(queue, &events.iter().map(|event| &**event).chain(after.iter().copied()).collect())?;
        let noted = if queue.is_out_of_order() { Some(Arc::new(event.try_clone()?)) } else { None };
        self.storage.enqueued(usage, queue, noted.as_ref());
        Ok((result, event))
    }

    /// Waits on the host for the commands of other queues, and on out-of-order queues for all.
    fn wait(&self, usage: Use, queue: &CommandQueue) -> Result<()> {
        super::check_context(&self.storage, queue)?;
        let mut events = Events::new();
        self.storage.wait_before(usage, queue, &mut events)?;
        Ok(wait_for_events(events.iter().map(|event| &**event))?)
    }
}
