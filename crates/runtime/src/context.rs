//! Contexts, and what hangs on them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use opencl_driver::sys::{CL_CONTEXT_PLATFORM, cl_context};
use opencl_driver::{Api, note_use};

use crate::call::{call, create};
use crate::device::common_api;
use crate::handle::{Handle, OfContext};
use crate::known::Known;
use crate::platform::ask_for_devices;
use crate::{CommandQueue, Device, DeviceType, Platform, Result};

/// One key and value of a context's properties list.
pub type ContextProperty = (isize, isize);

/// A context: devices of one platform that share memory objects and programs.
#[derive(Clone)]
pub struct Context(Arc<Shared>);

struct Shared {
    handle: Handle<OfContext>,
    slots: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

static KNOWN: Known<Shared> = Known::new();

impl Drop for Shared {
    fn drop(&mut self) {
        KNOWN.forget(self.handle.raw());
    }
}

impl Context {
    /// A context for devices of one platform (`clCreateContext`).
    ///
    /// # Errors
    /// `INVALID_VALUE` for an empty list, `INVALID_DEVICE` for devices of different platforms, else what
    /// the function gives.
    pub fn new(devices: &[Device]) -> Result<Self> {
        Self::with_properties(devices, &[])
    }

    /// The same with a properties list. A platform that is not among the properties is added where
    /// others are.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with_properties(devices: &[Device], properties: &[ContextProperty]) -> Result<Self> {
        let api = common_api("clCreateContext", devices)?;
        let handles: Vec<_> = devices.iter().map(Device::as_raw).collect();
        let list = property_list(api, properties);
        let list = if properties.is_empty() { ptr::null() } else { list.as_ptr() };
        // SAFETY: `handles` are live devices of the platform of `api`, `list` is null or ends in zero.
        let raw = unsafe {
            create!(
                api,
                clCreateContext(
                    list,
                    handles.len() as u32,
                    handles.as_ptr(),
                    Some(on_driver_message),
                    ptr::null_mut()
                )
            )?
        };
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::share(unsafe { Handle::from_owned(raw, api) }))
    }

    /// A context for all devices of some types of a platform (`clCreateContextFromType`).
    ///
    /// # Errors
    /// What the function gives, `DEVICE_NOT_FOUND` if there is no such device.
    pub fn from_type(platform: &Platform, types: DeviceType, properties: &[ContextProperty]) -> Result<Self> {
        let api = platform.api();
        let list = property_list(api, properties);
        let turn = ask_for_devices();
        // SAFETY: `list` ends in zero.
        let raw = unsafe {
            create!(
                api,
                clCreateContextFromType(
                    list.as_ptr(),
                    types.bits(),
                    Some(on_driver_message),
                    ptr::null_mut()
                )
            )?
        };
        drop(turn);
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::share(unsafe { Handle::from_owned(raw, api) }))
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live context.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_context, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.map(Self::share)
    }

    /// # Safety
    /// `raw` is a live context of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: cl_context, api: &'static Api) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Handle::from_borrowed(raw, api) }.map(Self::share)
    }

    /// The context of this handle: a clone of the one known under it, or a new one.
    fn share(handle: Handle<OfContext>) -> Self {
        note_use();
        let raw = handle.raw();
        // If it is known, `handle`'s own reference goes; the known one keeps the context alive.
        Self(KNOWN.get_or_insert(raw, || Shared { handle, slots: Mutex::default() }))
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_context {
        self.0.handle.raw()
    }

    /// What hangs on the context under the type `T`, made with `make` at the first call. It goes with
    /// the context, so it must not hold the context (or an object that does) itself.
    ///
    /// `make` runs under a lock and must not use slots itself.
    pub fn slot<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make()));
        match Arc::clone(slot).downcast() {
            Ok(slot) => slot,
            // The key is the type of the value.
            Err(_) => unreachable!("a slot holds another type than its key says"),
        }
    }

    /// Sets the queue that kernels on `device` enqueue to (`clSetDefaultDeviceCommandQueue`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn set_default_device_command_queue(&self, device: &Device, queue: &CommandQueue) -> Result<()> {
        let queue = queue.live_raw()?;
        // SAFETY: all three handles are live.
        unsafe { call!(self.api(), clSetDefaultDeviceCommandQueue(self.as_raw(), device.as_raw(), queue)) }
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.handle.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.as_raw())
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        self.0.handle == other.0.handle
    }
}

impl Eq for Context {}

impl std::hash::Hash for Context {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.handle.hash(state);
    }
}

/// Keys and values, the platform among them, and the terminating zero.
pub(crate) fn property_list(api: &'static Api, properties: &[ContextProperty]) -> Vec<isize> {
    let mut list = Vec::with_capacity(2 * properties.len() + 3);
    if properties.iter().all(|(key, _)| *key != CL_CONTEXT_PLATFORM) {
        list.extend([CL_CONTEXT_PLATFORM, api.platform as isize]);
    }
    list.extend(properties.iter().flat_map(|(key, value)| [*key, *value]));
    list.push(0);
    list
}

/// What drivers say about errors in a context goes to the log.
unsafe extern "C" fn on_driver_message(message: *const c_char, _: *const c_void, _: usize, _: *mut c_void) {
    if !message.is_null() {
        // SAFETY: the specification promises a C string.
        let text = unsafe { CStr::from_ptr(message) };
        log::warn!("OpenCL driver: {}", text.to_string_lossy());
    }
}
