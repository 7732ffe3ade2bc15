//! Contexts.

use std::sync::Mutex;

use crate::border::{check, items, lock, pair, pairs};
use crate::device::{self, Device};
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::platform::Platform;
use crate::sys::*;

type Notify = Option<unsafe extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void)>;
type Destructor = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// A context.
pub(crate) struct Context {
    pub(crate) devices: Vec<Shared<Device>>,
    properties: Vec<cl_context_properties>,
    destructors: Mutex<Vec<(Destructor, usize)>>,
}

impl Kind for Context {
    const NAME: &'static str = "context";
    const INVALID: cl_int = CL_INVALID_CONTEXT;

    fn destroyed(&mut self, handle: *mut c_void) {
        run_destructors(&self.destructors, handle);
    }
}

/// Calls destructor callbacks, the last one set first.
pub(crate) fn run_destructors(list: &Mutex<Vec<(Destructor, usize)>>, handle: *mut c_void) {
    let callbacks = std::mem::take(&mut *lock(list));
    for (callback, data) in callbacks.into_iter().rev() {
        // SAFETY: the application gave the function and its data for this call.
        unsafe { callback(handle, data as *mut c_void) };
    }
}

impl Context {
    /// Whether the device, or one it is a part of, belongs to the context.
    pub(crate) fn has(&self, device: &Object<Device>) -> bool {
        let own = self.devices.iter().any(|member| member.handle() == device.handle());
        own || device.parent.as_ref().is_some_and(|parent| self.has(parent))
    }

    /// The device of a handle.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` if it is none or not of this context.
    pub(crate) fn device(&self, handle: cl_device_id) -> Result<Shared<Device>> {
        let device = object::get::<Device>(handle)?;
        check(self.has(&device), CL_INVALID_DEVICE)?;
        Ok(device)
    }

    /// The lowest version of the devices.
    pub(crate) fn version(&self) -> (u32, u32) {
        self.devices.iter().map(|device| device.version()).min().unwrap_or((1, 0))
    }

    /// Bytes that one memory object may have.
    pub(crate) fn max_alloc(&self) -> u64 {
        self.devices.iter().map(|device| device.shape().max_alloc).max().unwrap_or(0)
    }
}

fn create(
    devices: Vec<Shared<Device>>,
    properties: Vec<cl_context_properties>,
    notify: Notify,
    data: *mut c_void,
) -> Result<cl_context> {
    check(notify.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    let dispatch = devices.first().ok_or(CL_INVALID_VALUE)?.dispatch();
    let context = Context { devices, properties, destructors: Mutex::default() };
    Ok(Object::create(dispatch, 1, context).handle())
}

/// The platform that the properties name.
fn platform(properties: &[cl_context_properties]) -> Result<Option<Shared<Platform>>> {
    let known = [CL_CONTEXT_PLATFORM, CL_CONTEXT_INTEROP_USER_SYNC];
    for (index, pair) in properties.chunks_exact(2).enumerate() {
        check(known.contains(&pair[0]), CL_INVALID_PROPERTY)?;
        let repeated = properties.chunks_exact(2).take(index).any(|earlier| earlier[0] == pair[0]);
        check(!repeated, CL_INVALID_PROPERTY)?;
    }
    let handle = pair(properties, CL_CONTEXT_PLATFORM);
    handle.map(|handle| object::get(handle as *mut c_void)).transpose()
}

entry! {
    object fn clCreateContext(
        properties: *const cl_context_properties, num_devices: cl_uint, devices: *const cl_device_id,
        pfn_notify: Notify, user_data: *mut c_void,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let properties = unsafe { pairs(properties) };
        let platform = platform(&properties)?;
        // SAFETY: as above.
        let handles = unsafe { items(devices, num_devices as usize) };
        check(!handles.is_empty(), CL_INVALID_VALUE)?;
        let devices = object::get_all::<Device>(&handles)?;
        let first = devices[0].platform.handle();
        let wanted = platform.map_or(first, |platform| platform.handle());
        check(devices.iter().all(|device| device.platform.handle() == wanted), CL_INVALID_DEVICE)?;
        create(devices, properties, pfn_notify, user_data)
    }
}

entry! {
    object fn clCreateContextFromType(
        properties: *const cl_context_properties, device_type: cl_device_type,
        pfn_notify: Notify, user_data: *mut c_void,
    ) {
        // SAFETY: the pointer is as the specification demands.
        let properties = unsafe { pairs(properties) };
        let platform = platform(&properties)?.ok_or(CL_INVALID_PLATFORM)?;
        let devices = device::of_type(&platform, device_type)?;
        create(devices, properties, pfn_notify, user_data)
    }
}

entry! {
    status fn clRetainContext(context: cl_context) { object::retain::<Context>(context) }
}

entry! {
    status fn clReleaseContext(context: cl_context) { object::release::<Context>(context) }
}

entry! {
    status fn clGetContextInfo(
        context: cl_context, param_name: cl_context_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let context = object::get::<Context>(context)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_CONTEXT_REFERENCE_COUNT => answer.value(context.references()),
            CL_CONTEXT_NUM_DEVICES => answer.value(context.devices.len() as cl_uint),
            CL_CONTEXT_DEVICES => {
                answer.list(&context.devices.iter().map(|device| device.handle()).collect::<Vec<_>>())
            }
            CL_CONTEXT_PROPERTIES => answer.list(&context.properties),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clSetContextDestructorCallback(
        context: cl_context, pfn_notify: Option<Destructor>, user_data: *mut c_void,
    ) {
        let context = object::get::<Context>(context)?;
        let callback = pfn_notify.ok_or(CL_INVALID_VALUE)?;
        lock(&context.destructors).push((callback, user_data as usize));
        Ok(())
    }
}
