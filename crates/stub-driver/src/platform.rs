//! Platforms, and the functions by which a loader finds them and what they can do.

use std::sync::{LazyLock, Mutex, OnceLock};

use crate::border::{check, lock, store_list, text};
use crate::config::{self, Icd2, Shape};
use crate::device::{self, Device};
use crate::info::{Answer, named, numeric};
use crate::object::{self, Kind, Object, Shared};
use crate::sys::*;
use crate::table::{self, Function};

/// A platform; it lives as long as the process.
pub(crate) struct Platform {
    pub(crate) shape: Shape,
    pub(crate) devices: OnceLock<Vec<Shared<Device>>>,
}

impl Kind for Platform {
    const NAME: &'static str = "platform";
    const INVALID: cl_int = CL_INVALID_PLATFORM;

    fn counted(&self) -> bool {
        false
    }
}

/// The platforms of the configuration, made at the first look-up.
static PLATFORMS: LazyLock<Mutex<Option<Vec<Shared<Platform>>>>> = LazyLock::new(Mutex::default);

/// Lets the next look-up make new platforms; the old ones stay valid.
pub(crate) fn forget() {
    *lock(&PLATFORMS) = None;
}

fn platforms() -> Result<Vec<Shared<Platform>>> {
    let shapes = config::current().platforms;
    let mut current = lock(&PLATFORMS);
    if let Some(platforms) = &*current {
        return Ok(platforms.clone());
    }
    let made: Vec<_> = shapes.into_iter().map(create).collect::<Result<_>>()?;
    Ok(current.insert(made).clone())
}

fn create(shape: Shape) -> Result<Shared<Platform>> {
    let dispatch = table::allocate(&shape)?;
    let platform = Object::create(dispatch, 1, Platform { shape, devices: OnceLock::new() });
    platform.devices.get_or_init(|| device::create_all(&platform));
    Ok(platform)
}

impl Platform {
    /// Whether a function can be had: in the table or by name.
    fn has(&self, function: Function) -> bool {
        !self.shape.missing.contains(&function)
    }
}

/// # Safety
/// - As [`store_list`].
unsafe fn list(room: cl_uint, list: *mut cl_platform_id, count: *mut cl_uint) -> Result {
    let handles: Vec<_> = platforms()?.iter().map(|platform| platform.handle()).collect();
    check(!handles.is_empty(), CL_PLATFORM_NOT_FOUND_KHR)?;
    // SAFETY: passed on.
    unsafe { store_list(&handles, room, list, count) }
}

entry! {
    status fn clGetPlatformIDs(
        num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint,
    ) {
        // SAFETY: the pointers are as the specification demands.
        unsafe { list(num_entries, platforms, num_platforms) }
    }
}

entry! {
    status fn clIcdGetPlatformIDsKHR(
        num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint,
    ) {
        // SAFETY: the pointers are as the specification demands.
        unsafe { list(num_entries, platforms, num_platforms) }
    }
}

entry! {
    #[unsafe(no_mangle)]
    status fn clGetPlatformInfo(
        platform: cl_platform_id, param_name: cl_platform_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let platform = object::get::<Platform>(platform)?;
        let shape = &platform.shape;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let version = shape.number();
        match param_name {
            CL_PLATFORM_PROFILE => answer.text(&shape.profile),
            CL_PLATFORM_VERSION => answer.text(&shape.version),
            CL_PLATFORM_NAME => answer.text(&shape.name),
            CL_PLATFORM_VENDOR => answer.text(&shape.vendor),
            CL_PLATFORM_EXTENSIONS => answer.text(&shape.extensions),
            CL_PLATFORM_ICD_SUFFIX_KHR => answer.text(&shape.suffix),
            CL_PLATFORM_HOST_TIMER_RESOLUTION if version >= (2, 1) => answer.value(1_u64),
            CL_PLATFORM_NUMERIC_VERSION if version >= (3, 0) => answer.value(numeric(version)),
            CL_PLATFORM_EXTENSIONS_WITH_VERSION if version >= (3, 0) => {
                let names = shape.extensions.split_whitespace();
                answer.list(&names.map(|name| named(name, (1, 0))).collect::<Vec<_>>())
            }
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    #[unsafe(no_mangle)]
    plain fn clGetExtensionFunctionAddress(func_name: *const c_char) -> *mut c_void {
        // SAFETY: a C string by the specification.
        let name = unsafe { text(func_name) };
        let any_icd2 = platforms()?.iter().any(|platform| platform.shape.icd2 != Icd2::None);
        let wanted = Function::named(&name).filter(|function| match function {
            Function::clIcdGetPlatformIDsKHR => true,
            Function::clIcdGetFunctionAddressForPlatformKHR | Function::clIcdSetPlatformDispatchDataKHR => {
                any_icd2
            }
            Function::clGetKernelSubGroupInfoKHR => true,
            _ => false,
        });
        Ok(address(wanted))
    } else std::ptr::null_mut()
}

entry! {
    plain fn clGetExtensionFunctionAddressForPlatform(
        platform: cl_platform_id, func_name: *const c_char,
    ) -> *mut c_void {
        let platform = object::get::<Platform>(platform)?;
        // SAFETY: a C string by the specification.
        let name = unsafe { text(func_name) };
        let extension = |function: &Function| *function == Function::clGetKernelSubGroupInfoKHR;
        Ok(address(Function::named(&name).filter(extension).filter(|function| platform.has(*function))))
    } else std::ptr::null_mut()
}

entry! {
    plain fn clIcdGetFunctionAddressForPlatformKHR(
        platform: cl_platform_id, func_name: *const c_char,
    ) -> *mut c_void {
        let platform = object::get::<Platform>(platform)?;
        // SAFETY: a C string by the specification.
        let name = unsafe { text(func_name) };
        let core = Function::named(&name).filter(|function| function.slot().is_some());
        Ok(address(core.filter(|function| platform.has(*function))))
    } else std::ptr::null_mut()
}

entry! {
    status fn clIcdSetPlatformDispatchDataKHR(platform: cl_platform_id, dispatch_data: *mut c_void) {
        let platform = object::get::<Platform>(platform)?;
        platform.set_data(dispatch_data as usize);
        for device in platform.devices.get().into_iter().flatten() {
            device.set_data(dispatch_data as usize);
        }
        Ok(())
    }
}

entry! {
    status fn clUnloadPlatformCompiler(platform: cl_platform_id) {
        object::get::<Platform>(platform).map(drop)
    }
}

entry! {
    status fn clUnloadCompiler() { Ok(()) }
}

fn address(function: Option<Function>) -> *mut c_void {
    function.map_or(std::ptr::null_mut(), |function| function.address() as *mut c_void)
}
