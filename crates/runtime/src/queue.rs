//! Command queues.

use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use opencl_driver::Api;
use opencl_driver::sys::{CL_QUEUE_PROPERTIES, cl_command_queue, cl_mem};

use crate::call::{call, create};
use crate::handle::{Handle, OfQueue};
use crate::known::Known;
use crate::{CommandQueueProperties, Context, Device, Error, MemObject, Result, Version, WaitList, status};

/// A command queue. Commands are its methods; they are in [`enqueue`](crate), one file per family.
#[derive(Clone)]
pub struct CommandQueue(Arc<Shared>);

struct Shared {
    handle: Handle<OfQueue>,
    context: Context,
    device: Device,
    properties: CommandQueueProperties,
}

/// Tells whether a queue is the one that it was made of, without keeping it.
#[derive(Clone, Debug)]
pub struct WeakQueue(Weak<Shared>);

impl WeakQueue {
    /// Whether `queue` is the one.
    #[must_use]
    pub fn is(&self, queue: &CommandQueue) -> bool {
        // The allocation stays as long as this does, so that no other queue has its address.
        self.0.as_ptr() == Arc::as_ptr(&queue.0)
    }
}

static KNOWN: Known<Shared> = Known::new();

impl Drop for Shared {
    fn drop(&mut self) {
        KNOWN.forget(self.handle.raw());
    }
}

/// Waits until the commands of all living queues are done, `patience` at most: to be called before a process
/// ends, since some drivers crash if threads of theirs are still working then. Returns whether all are done.
pub fn finish_all(patience: Duration) -> bool {
    let start = Instant::now();
    let mut done = true;
    for shared in KNOWN.all() {
        let queue = CommandQueue(shared);
        // A copy in chunks has commands yet to come.
        while queue.context().is_copying() && start.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        done &= !queue.context().is_copying();
        // Commands may wait for an event that nobody is going to set, so this cannot be `clFinish`.
        let marker = queue.marker(&WaitList::default()).and_then(|marker| queue.flush().map(|()| marker));
        let Ok(marker) = marker else { continue };
        let mut pause = Duration::from_micros(10);
        while !marker.is_complete().unwrap_or(true) {
            if start.elapsed() >= patience {
                done = false;
                break;
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(2));
        }
    }
    done
}

impl CommandQueue {
    /// An in-order queue to the context's first device.
    ///
    /// # Errors
    /// What `clCreateCommandQueueWithProperties` gives.
    pub fn new(context: &Context) -> Result<Self> {
        Self::with_properties(context, None, CommandQueueProperties::empty())
    }

    /// A queue to a device of the context (its first one by default).
    ///
    /// # Errors
    /// What `clCreateCommandQueueWithProperties` gives (`clCreateCommandQueue` before OpenCL 2.0).
    pub fn with_properties(
        context: &Context,
        device: Option<&Device>,
        properties: CommandQueueProperties,
    ) -> Result<Self> {
        let device = Self::device_or_first(context, device)?;
        let handle = Self::handle(context, &device, properties)?;
        Ok(Self::share(handle, context.clone(), device, properties))
    }

    /// A queue that nobody shares, and that does not keep the context.
    pub(crate) fn handle(
        context: &Context,
        device: &Device,
        properties: CommandQueueProperties,
    ) -> Result<Handle<OfQueue>> {
        let api = context.api();
        if api.version >= Version::new(2, 0) {
            let list = [u64::from(CL_QUEUE_PROPERTIES), properties.bits(), 0];
            return Self::handle_by_list(context, device, &list);
        }
        // SAFETY: context and device are live.
        let raw = unsafe {
            create!(api, clCreateCommandQueue(context.as_raw(), device.as_raw(), properties.bits()))
        }?;
        // SAFETY: the driver gives away the reference that it made.
        Ok(unsafe { Handle::from_owned(raw, api) })
    }

    /// `list` ends in zero.
    fn handle_by_list(context: &Context, device: &Device, list: &[u64]) -> Result<Handle<OfQueue>> {
        debug_assert_eq!(list.last(), Some(&0));
        let api = context.api();
        // SAFETY: context and device are live, the list ends in zero.
        let raw = unsafe {
            create!(api, clCreateCommandQueueWithProperties(context.as_raw(), device.as_raw(), list.as_ptr()))
        }?;
        // SAFETY: the driver gives away the reference that it made.
        Ok(unsafe { Handle::from_owned(raw, api) })
    }

    /// The same with a properties list: keys and values, without the terminating zero.
    ///
    /// # Errors
    /// What `clCreateCommandQueueWithProperties` gives.
    pub fn with_property_list(context: &Context, device: Option<&Device>, list: &[u64]) -> Result<Self> {
        let device = Self::device_or_first(context, device)?;
        let terminated: Vec<u64> = list.iter().copied().chain([0]).collect();
        let handle = Self::handle_by_list(context, &device, &terminated)?;
        let key = u64::from(CL_QUEUE_PROPERTIES);
        let bits = list.chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1));
        let properties = CommandQueueProperties::from_bits_retain(bits.copied().unwrap_or(0));
        Ok(Self::share(handle, context.clone(), device, properties))
    }

    /// The queue of this handle: the one known under it, or a new one.
    fn share(
        handle: Handle<OfQueue>,
        context: Context,
        device: Device,
        properties: CommandQueueProperties,
    ) -> Self {
        let raw = handle.raw();
        Self(KNOWN.get_or_insert(raw, || Shared { handle, context, device, properties }))
    }

    fn device_or_first(context: &Context, device: Option<&Device>) -> Result<Device> {
        if let Some(device) = device {
            return Ok(device.clone());
        }
        context.devices()?.into_iter().next().ok_or_else(|| {
            Error::refused("clCreateCommandQueue", status::INVALID_DEVICE, "the context has no device")
        })
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live queue.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_COMMAND_QUEUE` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_command_queue, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.and_then(Self::complete)
    }

    /// # Safety
    /// `raw` is a live queue of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: cl_command_queue, api: &'static Api) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Handle::from_borrowed(raw, api) }.and_then(Self::complete)
    }

    /// Asks for what a queue made here would know.
    fn complete(handle: Handle<OfQueue>) -> Result<Self> {
        let ask = |question| crate::info::answer::Ask {
            api: handle.api(),
            function: "clGetCommandQueueInfo",
            get: handle.api().clGetCommandQueueInfo,
            object: handle.raw(),
            question,
            since: "1.0",
        };
        use crate::info::answer::Answer;
        use opencl_driver::sys::{CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE};
        let context = Context::read(&ask(CL_QUEUE_CONTEXT))?;
        let device = Device::read(&ask(CL_QUEUE_DEVICE))?;
        let properties = CommandQueueProperties::read(&ask(CL_QUEUE_PROPERTIES))?;
        Ok(Self::share(handle, context, device, properties))
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_command_queue {
        self.0.handle.raw()
    }

    /// The queue's context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The queue's device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Something that recognises this queue without keeping it.
    #[must_use]
    pub fn downgrade(&self) -> WeakQueue {
        WeakQueue(Arc::downgrade(&self.0))
    }

    /// Whether commands may run in another order than that of their enqueueing.
    #[must_use]
    pub fn is_out_of_order(&self) -> bool {
        self.0.properties.contains(CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    /// Whether events of this queue tell times.
    #[must_use]
    pub fn is_profiling(&self) -> bool {
        self.0.properties.contains(CommandQueueProperties::PROFILING_ENABLE)
    }

    /// Sends all commands to the device (`clFlush`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn flush(&self) -> Result<()> {
        // SAFETY: the queue is live.
        unsafe { call!(self.api(), clFlush(self.as_raw())) }
    }

    /// Waits until all commands are done (`clFinish`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: the queue is live.
        unsafe { call!(self.api(), clFinish(self.as_raw())) }
    }

    /// The handle of an object that a command of this queue uses.
    pub(crate) fn raw_of(&self, object: &MemObject, function: &'static str) -> Result<cl_mem> {
        object.raw_in(self.context().as_raw() as usize, function)
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.handle.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.as_raw())
    }
}

impl PartialEq for CommandQueue {
    fn eq(&self, other: &Self) -> bool {
        self.0.handle == other.0.handle
    }
}

impl Eq for CommandQueue {}

impl Hash for CommandQueue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.handle.hash(state);
    }
}
