//! Shared virtual memory: allocations that host and devices see at one address, and pointers into them.

use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_driver::in_forked_child;
use opencl_driver::sys::cl_command_queue;
use smallvec::SmallVec;

use super::with_reclaim;
use crate::call::{call, entry};
use crate::constants::{CommandExecutionStatus, DeviceSvmCapabilities, SvmMemFlags};
use crate::enqueue::with_event;
use crate::{CommandQueue, Context, Error, Event, Result, WaitList, status};

/// How many queues an allocation remembers; of older ones it remembers an event.
const MOST_QUEUES: usize = 8;

/// Memory that kernels of a context and the host see at the same address (`clSVMAlloc`, OpenCL 2.0).
///
/// Coarse-grained memory may be touched by the host while it is [mapped](CommandQueue::svm_map), fine-grained
/// memory (`SVM_FINE_GRAIN_BUFFER`) at any time that no command is using it.
///
/// It is freed with its last clone, or by [`release`](Self::release), once the commands are done that used it,
/// on whatever queues of this crate they were enqueued.
#[derive(Clone)]
pub struct SvmAllocation(Arc<Shared>);

struct Shared {
    context: Context,
    /// Null once released.
    address: AtomicPtr<c_void>,
    size: usize,
    uses: Mutex<Uses>,
    /// Whose memory it is, if it is that of a pool.
    lent: Option<Lent>,
}

/// Memory that was lent by a pool.
struct Lent {
    lender: Arc<dyn SvmLender>,
    /// Taken out when it goes back.
    block: Mutex<Option<SvmAllocation>>,
}

/// What lends shared virtual memory, and wants it back.
pub(crate) trait SvmLender: Send + Sync {
    /// Takes a block back, for which `asked` bytes had been asked.
    fn take_back(&self, block: SvmAllocation, asked: usize);
}

/// Who may be using the memory.
#[derive(Default)]
struct Uses {
    /// The queue that frees it.
    bound: Option<CommandQueue>,
    queues: SmallVec<[CommandQueue; 1]>,
    /// The ends of uses on queues that are not among `queues` any more.
    events: Vec<Arc<Event>>,
    /// How many buffers use it in place.
    buffers: usize,
    /// The address, once it was released while buffers used it.
    released: Option<Address>,
}

/// An address that is freed by whatever thread, once.
struct Address(*mut c_void);

// SAFETY: only the driver looks at what is there, and takes it from any thread.
unsafe impl Send for Address {}

impl SvmAllocation {
    /// Memory of `size` bytes, with no data. `alignment` is a power of two in bytes, or zero for that of the
    /// largest type. A size of zero takes a byte, so that there is an address.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an impossible alignment; `OUT_OF_RESOURCES` if the driver gives no memory (it does
    /// not say why), which is tried a second time, see [`set_reclaim`](crate::set_reclaim).
    pub fn new(context: &Context, flags: SvmMemFlags, size: usize, alignment: u32) -> Result<Self> {
        let function = "clSVMAlloc";
        let api = context.api();
        let allocate = entry!(api, clSVMAlloc)?;
        if alignment != 0 && !alignment.is_power_of_two() {
            let detail = format!("the alignment has to be a power of two or zero, not {alignment}");
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        }
        let address = with_reclaim(|| {
            // SAFETY: the context is live.
            let address = unsafe { allocate(context.as_raw(), flags.bits(), size.max(1), alignment) };
            if address.is_null() { Err(refusal(context, flags, size, alignment)) } else { Ok(address) }
        })?;
        let (context, address) = (context.clone(), AtomicPtr::new(address));
        Ok(Self(Arc::new(Shared { context, address, size, uses: Mutex::default(), lent: None })))
    }

    /// The first `size` bytes of a block of `lender`'s, which gets it back instead of it being freed. No queue is
    /// bound.
    pub(crate) fn lent(block: Self, size: usize, lender: Arc<dyn SvmLender>) -> Result<Self> {
        let (context, address) = (block.context().clone(), AtomicPtr::new(block.address()?));
        let mut uses = std::mem::take(&mut *block.0.uses());
        uses.queues.extend(uses.bound.take());
        let lent = Some(Lent { lender, block: Mutex::new(Some(block)) });
        Ok(Self(Arc::new(Shared { context, address, size, uses: Mutex::new(uses), lent })))
    }

    /// Whether the memory is that of a pool, which gets it back in the end.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.0.lent.is_some()
    }

    /// Where it is: valid until it is released. When the host may touch it, the type's description says.
    ///
    /// # Errors
    /// `INVALID_VALUE` after [`release`](Self::release).
    pub fn address(&self) -> Result<*mut c_void> {
        let address = self.0.address.load(Ordering::Acquire);
        if address.is_null() { Err(released("clSVMAlloc")) } else { Ok(address) }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Its context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// All of it, for commands and kernels.
    #[must_use]
    pub fn pointer(&self) -> SvmPointer<'_> {
        SvmPointer { base: Base::Allocation(self), offset: 0, size: self.size() }
    }

    /// The queue that frees it, if one is bound.
    #[must_use]
    pub fn queue(&self) -> Option<CommandQueue> {
        self.0.uses().bound.clone()
    }

    /// Lets `queue` free the memory from now on. If another queue did so before, later commands of `queue` wait
    /// for what was enqueued there.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a queue of another context, else what enqueueing a marker and a barrier gives.
    pub fn bind_to_queue(&self, queue: &CommandQueue) -> Result<()> {
        self.0.check_context(queue, "clEnqueueSVMFree")?;
        let before = self.queue().filter(|before| before != queue);
        if let Some(before) = &before {
            let marker = before.marker(&WaitList::default())?;
            before.flush()?;
            queue.barrier(&[&marker].into_iter().collect())?;
        }
        self.0.uses().bound = Some(queue.clone());
        if let Some(before) = before {
            self.used_on(&before);
        }
        Ok(())
    }

    /// Waits for the bound queue and binds none. Without one, this does nothing.
    ///
    /// # Errors
    /// What `clFinish` gives.
    pub fn unbind_from_queue(&self) -> Result<()> {
        if let Some(queue) = self.queue() {
            queue.finish()?;
            self.0.uses().bound = None;
        }
        Ok(())
    }

    /// Notes that a command of `queue` uses the memory, so that it is freed afterwards. The commands and launches
    /// of this crate do so themselves; [`Kernel::launch_as_set`](crate::Kernel::launch_as_set), which does not
    /// know its arguments, needs it.
    pub fn used_on(&self, queue: &CommandQueue) {
        let mut uses = self.0.uses();
        if uses.bound.as_ref() == Some(queue) || uses.queues.contains(queue) {
            return;
        }
        if uses.queues.len() >= MOST_QUEUES {
            let oldest = uses.queues.remove(0);
            match oldest.marker(&WaitList::default()) {
                Ok(marker) => {
                    uses.events.retain(|event| !event.is_complete().unwrap_or(true));
                    uses.events.push(Arc::new(marker));
                }
                // It is remembered a little longer.
                Err(_) => uses.queues.push(oldest),
            }
        }
        uses.queues.push(queue.clone());
    }

    /// Frees the memory now, or by the bound queue; if commands used it that may be running, once they are done
    /// (`clSVMFree`, `clEnqueueSVMFree`). Use of any clone is an error from here on. Not to be called while
    /// another thread is using it. Memory under a [buffer](SvmPointer::as_buffer) is freed with the buffer.
    ///
    /// # Errors
    /// `INVALID_VALUE` the second time, else what `clEnqueueSVMFree` and enqueueing markers give.
    pub fn release(&self) -> Result<()> {
        let address = self.take("clSVMFree")?;
        {
            let mut uses = self.0.uses();
            if uses.buffers > 0 {
                uses.released = Some(Address(address));
                return Ok(());
            }
        }
        self.0.free(address).inspect_err(|_| self.put_back(address))
    }

    /// Frees the memory by a command of `queue`, or of the bound one (`clEnqueueSVMFree`).
    ///
    /// # Errors
    /// `INVALID_VALUE` without a queue or after a release, else what the function gives. Memory of a pool goes back
    /// to it, and a marker takes the place of the command.
    pub fn enqueue_release(&self, queue: Option<&CommandQueue>, wait_for: &WaitList<'_>) -> Result<Event> {
        let function = "clEnqueueSVMFree";
        let Some(queue) = queue.cloned().or_else(|| self.queue()) else {
            let detail = "no queue is bound to the allocation, so one has to be given";
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        };
        self.0.check_context(&queue, function)?;
        if self.0.uses().buffers > 0 {
            let detail = "a buffer uses the memory in place: release it, and finish its commands, before";
            return Err(Error::refused(function, status::INVALID_OPERATION, detail));
        }
        let address = self.take(function)?;
        if let Some(lent) = &self.0.lent {
            let event = queue.marker(wait_for).inspect_err(|_| self.put_back(address))?;
            self.0.give_back(lent);
            return Ok(event);
        }
        self.0.enqueue_free(address, &queue, wait_for).inspect_err(|_| self.put_back(address))
    }

    /// Notes that one more buffer uses the memory in place.
    pub(super) fn buffer_is_made(&self) {
        self.0.uses().buffers += 1;
    }

    /// Notes that the driver destroyed a buffer: with the last one goes memory that was released meanwhile.
    pub(super) fn buffer_is_gone(&self) -> Result<()> {
        let released = {
            let mut uses = self.0.uses();
            uses.buffers -= 1;
            if uses.buffers > 0 { None } else { uses.released.take() }
        };
        released.map_or(Ok(()), |Address(address)| self.0.free(address))
    }

    fn take(&self, function: &'static str) -> Result<*mut c_void> {
        let address = self.0.address.swap(ptr::null_mut(), Ordering::AcqRel);
        if address.is_null() { Err(released(function)) } else { Ok(address) }
    }

    fn put_back(&self, address: *mut c_void) {
        self.0.address.store(address, Ordering::Release);
    }
}

impl Shared {
    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_context(&self, queue: &CommandQueue, function: &'static str) -> Result<()> {
        if *queue.context() == self.context {
            return Ok(());
        }
        let detail = "the shared virtual memory belongs to another context than the queue";
        Err(Error::refused(function, status::INVALID_CONTEXT, detail))
    }

    /// Gives memory back to its pool, with those who may be using it.
    fn give_back(&self, lent: &Lent) {
        let block = lent.block.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(block) = block {
            *block.0.uses() = std::mem::take(&mut *self.uses());
            lent.lender.take_back(block, self.size);
        }
    }

    /// Frees the memory at once if no command can be using it; if all that can are on one queue, by a command of
    /// that one; else when the last of them is done. No queue has to wait for another one.
    fn free(&self, address: *mut c_void) -> Result<()> {
        if let Some(lent) = &self.lent {
            self.give_back(lent);
            return Ok(());
        }
        let (queues, mut events) = self.users();
        match (queues.as_slice(), events.as_slice()) {
            ([], []) => return self.free_at_once(address),
            ([queue], []) => return self.enqueue_free(address, queue, &WaitList::default()).map(drop),
            _ => {}
        }
        for queue in &queues {
            events.push(Arc::new(queue.marker(&WaitList::default())?));
            queue.flush()?;
        }
        let freeing = Arc::new(Freeing { address, context: self.context.clone() });
        for event in events {
            let part = Arc::clone(&freeing);
            let told = event.on_status(CommandExecutionStatus::COMPLETE, move |_| drop(part));
            if let Err(error) = told {
                log::warn!("{error}; waiting instead");
                // A command that failed has ended too.
                event.wait().unwrap_or_else(|error| log::warn!("{error}"));
            }
        }
        Ok(())
    }

    /// The queues and events that stand for the commands that may be using the memory.
    fn users(&self) -> (Vec<CommandQueue>, Vec<Arc<Event>>) {
        let uses = self.uses();
        let mut queues: Vec<_> = uses.queues.to_vec();
        queues.extend(uses.bound.iter().filter(|bound| !uses.queues.contains(bound)).cloned());
        (queues, uses.events.clone())
    }

    fn free_at_once(&self, address: *mut c_void) -> Result<()> {
        let api = self.context.api();
        let free = entry!(api, clSVMFree)?;
        // SAFETY: the address is this allocation's own and goes once; no command is using it.
        unsafe { free(self.context.as_raw(), address) };
        Ok(())
    }

    fn enqueue_free(
        &self,
        address: *mut c_void,
        queue: &CommandQueue,
        wait_for: &WaitList<'_>,
    ) -> Result<Event> {
        let (mut queues, mut before) = self.users();
        // Commands of an in-order queue are done when it comes to the command that frees.
        queues.retain(|used| used != queue);
        if queue.is_out_of_order() {
            queues.push(queue.clone());
        }
        for used in &queues {
            before.push(Arc::new(used.marker(&WaitList::default())?));
            used.flush()?;
        }
        let list = wait_for.and(before.iter().map(Arc::as_ref));
        let freeing = Box::into_raw(Box::new(Freeing { address, context: self.context.clone() }));
        // SAFETY: queue and events are live; the address is this allocation's own and goes once, after all
        // commands that use it, and `freeing` stays until `free_from_driver` takes it.
        let freed = with_event(queue, |event| unsafe {
            call!(
                queue.api(),
                clEnqueueSVMFree(
                    queue.as_raw(),
                    1,
                    (&raw mut (*freeing).address),
                    Some(free_from_driver),
                    freeing.cast(),
                    list.len(),
                    list.as_ptr(),
                    event
                )
            )
        });
        if freed.is_err() {
            // SAFETY: the command was not enqueued, so nobody else has the box.
            unsafe { Box::from_raw(freeing) }.address = ptr::null_mut();
        }
        freed
    }

    /// Frees the memory where no command could be enqueued for that.
    fn free_after_waiting(&self, address: *mut c_void) -> Result<()> {
        self.users().0.iter().try_for_each(CommandQueue::finish)?;
        self.free_at_once(address)
    }
}

/// Memory that is freed when this goes: what the driver gives back when it comes to freeing. PoCL 3.0 reads the list
/// of addresses only then, so that it is here too.
struct Freeing {
    address: *mut c_void,
    context: Context,
}

/// Called by the driver when the command that frees is run.
unsafe extern "C" fn free_from_driver(
    _queue: cl_command_queue,
    _count: u32,
    _addresses: *mut *mut c_void,
    freeing: *mut c_void,
) {
    // SAFETY: it is the box that was given to `clEnqueueSVMFree`, and the function is called once.
    drop(unsafe { Box::from_raw(freeing.cast::<Freeing>()) });
}

impl Drop for Freeing {
    fn drop(&mut self) {
        if let Some(free) = self.context.api().clSVMFree
            && !self.address.is_null()
        {
            // SAFETY: the address is that of an allocation of the context, and no command is using it.
            unsafe { free(self.context.as_raw(), self.address) };
        }
    }
}

// SAFETY: the address is freed by whatever thread, once.
unsafe impl Send for Freeing {}
// SAFETY: as above.
unsafe impl Sync for Freeing {}

impl Drop for Shared {
    fn drop(&mut self) {
        let address = *self.address.get_mut();
        if address.is_null() || in_forked_child() {
            return;
        }
        let freed = self.free(address).or_else(|error| {
            log::warn!("{error}");
            self.free_after_waiting(address)
        });
        if let Err(error) = freed {
            log::warn!("shared virtual memory of {} bytes is not freed: {error}", self.size);
        }
    }
}

impl PartialEq for SvmAllocation {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SvmAllocation {}

impl Hash for SvmAllocation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// A range of shared virtual memory, borrowed: what commands and kernels take.
#[derive(Clone, Copy, Debug)]
pub struct SvmPointer<'a> {
    base: Base<'a>,
    offset: usize,
    size: usize,
}

#[derive(Clone, Copy, Debug)]
enum Base<'a> {
    Allocation(&'a SvmAllocation),
    System(*mut c_void),
}

// SAFETY: the address is memory that any thread may use; what it holds is the user's business.
unsafe impl Send for SvmPointer<'_> {}
// SAFETY: as above.
unsafe impl Sync for SvmPointer<'_> {}

impl<'a> SvmPointer<'a> {
    /// Ordinary memory of the host. Copies take it on every device; kernels, fills and maps on those that share
    /// the system's memory (`FINE_GRAIN_SYSTEM`).
    ///
    /// # Safety
    /// `size` bytes at `address` stay readable, and writable where a command writes, until the commands are done
    /// that are given this pointer.
    #[must_use]
    pub unsafe fn system(address: *mut c_void, size: usize) -> Self {
        Self { base: Base::System(address), offset: 0, size }
    }

    /// `size` bytes of it from byte `offset`.
    ///
    /// # Errors
    /// `INVALID_VALUE` if they are not inside.
    pub fn range(self, offset: usize, size: usize) -> Result<Self> {
        if offset.checked_add(size).is_none_or(|end| end > self.size) {
            let detail = format!("{size} bytes from offset {offset} are not inside of {} bytes", self.size);
            return Err(Error::refused("shared virtual memory", status::INVALID_VALUE, detail));
        }
        Ok(Self { offset: self.offset + offset, size, ..self })
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The allocation that it points into; `None` for ordinary memory.
    #[must_use]
    pub fn allocation(&self) -> Option<&'a SvmAllocation> {
        match self.base {
            Base::Allocation(allocation) => Some(allocation),
            Base::System(_) => None,
        }
    }

    /// Where it begins.
    ///
    /// # Errors
    /// `INVALID_VALUE` if its allocation was released.
    pub fn address(&self) -> Result<*mut c_void> {
        let start = match self.base {
            Base::Allocation(allocation) => allocation.address()?,
            Base::System(address) => address,
        };
        Ok(start.wrapping_byte_add(self.offset))
    }

    /// The address for a command or a kernel of the context of this handle.
    #[inline]
    pub(crate) fn address_in(&self, context: usize, function: &'static str) -> Result<*mut c_void> {
        if let Base::Allocation(allocation) = self.base
            && allocation.context().as_raw() as usize != context
        {
            let detail = "the shared virtual memory belongs to another context";
            return Err(Error::refused(function, status::INVALID_CONTEXT, detail));
        }
        self.address().map_err(|_| released(function))
    }

    /// Notes that a command of `queue` uses it.
    #[inline]
    pub(crate) fn used_on(&self, queue: &CommandQueue) {
        if let Base::Allocation(allocation) = self.base {
            allocation.used_on(queue);
        }
    }
}

impl<'a> From<&'a SvmAllocation> for SvmPointer<'a> {
    fn from(allocation: &'a SvmAllocation) -> Self {
        allocation.pointer()
    }
}

#[cold]
fn released(function: &'static str) -> Error {
    Error::refused(function, status::INVALID_VALUE, "the shared virtual memory was released")
}

/// What was asked for and what there is; the driver gives no status.
#[cold]
fn refusal(context: &Context, flags: SvmMemFlags, size: usize, alignment: u32) -> Error {
    let mut detail = format!("{size} bytes with alignment {alignment} and the flags {flags:?}");
    for device in context.devices().unwrap_or_default() {
        // A device that does not know the question has no shared virtual memory.
        let capabilities = device.svm_capabilities().unwrap_or(DeviceSvmCapabilities::empty());
        let most = device.max_mem_alloc_size().unwrap_or_default();
        detail.push_str(&format!("; {device:?} has {capabilities:?} and allocates {most} bytes at most"));
    }
    Error::refused("clSVMAlloc", status::OUT_OF_RESOURCES, detail)
}
