//! Opens one driver library and asks it for its platforms (`cl_khr_icd`).

use std::error::Error as _;
use std::ffi::{CStr, OsStr, c_char, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

use libloading::Library;
use thiserror::Error;

use crate::api::{Api, ICD2_TAG, Version, function};
use crate::registry::Platform;
use crate::room::room;
use crate::status;
use crate::sys::*;

/// Why a library gives no platforms.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The system's loader refused it; the text is the system's own.
    #[error("cannot be opened: {0}")]
    Open(String),
    /// A function that each driver must have is missing.
    #[error("is no OpenCL driver: it has no `{0}`")]
    Missing(&'static str),
    /// A call to it failed.
    #[error("{function} failed: {}", status::name(*.code).unwrap_or("unknown status"))]
    Status {
        /// The C function.
        function: &'static str,
        /// Its status.
        code: i32,
    },
    /// A call to it told a size that cannot be right.
    #[error("{function} tells of {count} entries, which cannot be")]
    Count {
        /// The C function.
        function: &'static str,
        /// What it told.
        count: usize,
    },
    /// `CL_PLATFORM_VERSION` cannot be read.
    #[error("its version text {0:?} is not of the form \"OpenCL <major>.<minor> …\"")]
    Version(String),
    /// It opened, but lists no platform.
    #[error("it has no platform (no device for it, perhaps)")]
    Empty,
}

/// Opens a library and keeps it open for the life of the process: drivers keep threads and exit
/// handlers, so they are never unloaded.
pub(crate) fn open_library(name: &OsStr) -> Result<ManuallyDrop<Library>, LoadError> {
    // SAFETY: opening a library runs its initialisers; that is what the user asked for by
    // installing it as a driver or naming it.
    let library = unsafe { Library::new(name) };
    library.map(ManuallyDrop::new).map_err(|error| {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(next) = cause {
            text = format!("{text}: {next}");
            cause = next.source();
        }
        LoadError::Open(text)
    })
}

/// The address of an exported symbol, null if there is none.
pub(crate) fn symbol(library: &Library, name: &CStr) -> *mut c_void {
    // SAFETY: the symbol is only taken as an address here; a pointer's type fits every symbol.
    let address = unsafe { library.get::<*mut c_void>(name.to_bytes_with_nul()) };
    // SAFETY: libraries are never closed here, so the address outlives the symbol.
    address.ok().and_then(|address| unsafe { address.try_as_raw_ptr() }).unwrap_or(ptr::null_mut())
}

/// Opens the driver `path` and lists its platforms.
///
/// # Errors
/// A [`LoadError`] that says why it cannot be used.
pub fn open(path: &Path) -> Result<Vec<Platform>, LoadError> {
    let library = open_library(path.as_os_str())?;
    type GetAddress = Option<unsafe extern "C" fn(*const c_char) -> *mut c_void>;
    // SAFETY: the specification gives this symbol this type.
    let get: GetAddress = unsafe { function(symbol(&library, c"clGetExtensionFunctionAddress")) };
    let get = get.ok_or(LoadError::Missing("clGetExtensionFunctionAddress"))?;
    let look_up = |name: &CStr| {
        // SAFETY: `get` is the driver's look-up function and `name` ends in a zero byte.
        let found = unsafe { get(name.as_ptr()) };
        if found.is_null() { symbol(&library, name) } else { found }
    };

    // SAFETY: the specification gives these functions these types.
    let platform_ids: clIcdGetPlatformIDsKHR_t = unsafe { function(look_up(c"clIcdGetPlatformIDsKHR")) };
    let platform_ids = platform_ids.ok_or(LoadError::Missing("clIcdGetPlatformIDsKHR"))?;
    // SAFETY: as above.
    let by_name: clIcdGetFunctionAddressForPlatformKHR_t =
        unsafe { function(look_up(c"clIcdGetFunctionAddressForPlatformKHR")) };

    let mut platforms = Vec::new();
    let mut failure = LoadError::Empty;
    for raw in list_platforms(platform_ids)? {
        // SAFETY: the driver listed `raw` as a platform of its own just now.
        match unsafe { describe(raw, by_name) } {
            Ok((api, table)) => platforms.push(Platform {
                raw,
                api: Box::leak(Box::new(api)),
                table,
                origin: path.to_owned(),
                look_up: Some(get),
            }),
            Err(error) => {
                log::info!("a platform of the OpenCL driver {} is skipped: {error}", path.display());
                failure = error;
            }
        }
    }
    if platforms.is_empty() { Err(failure) } else { Ok(platforms) }
}

type PlatformIds = unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;

/// Asks for the count, then for the platforms.
pub(crate) fn list_platforms(get: PlatformIds) -> Result<Vec<cl_platform_id>, LoadError> {
    let function = "clIcdGetPlatformIDsKHR";
    let mut count = 0;
    // SAFETY: a null list with zero entries asks for the count only.
    match unsafe { get(0, ptr::null_mut(), &raw mut count) } {
        status::SUCCESS => {}
        status::PLATFORM_NOT_FOUND_KHR => return Err(LoadError::Empty),
        code => return Err(LoadError::Status { function, code }),
    }
    let mut list =
        room(ptr::null_mut(), count as usize).ok_or(LoadError::Count { function, count: count as usize })?;
    if !list.is_empty() {
        // SAFETY: the list has room for `count` entries.
        let code = unsafe { get(count, list.as_mut_ptr(), ptr::null_mut()) };
        if code != status::SUCCESS {
            return Err(LoadError::Status { function, code });
        }
    }
    list.retain(|raw| !raw.is_null());
    Ok(list)
}

/// Reads the version and the table of a platform.
///
/// # Safety
/// `raw` is a platform of a driver whose look-up function by platform, if any, is `by_name`.
unsafe fn describe(
    raw: cl_platform_id,
    by_name: clIcdGetFunctionAddressForPlatformKHR_t,
) -> Result<(Api, *const c_void), LoadError> {
    // SAFETY: the first word of each OpenCL object of an ICD is the address of its table.
    let table = unsafe { raw.cast::<*const cl_icd_dispatch>().read() };
    if table.is_null() {
        return Err(LoadError::Missing("dispatch table"));
    }
    // SAFETY: a table of any version holds slot 0; it is read as a number.
    let tagged = unsafe { table.cast::<usize>().read() } == ICD2_TAG;
    let named = |name: &CStr| match by_name {
        // SAFETY: `raw` belongs to this driver and `name` ends in a zero byte.
        Some(get) if tagged => unsafe { get(raw, name.as_ptr()) },
        _ => ptr::null_mut(),
    };
    // SAFETY: a table of any version holds slot 1.
    let info = unsafe { (&raw const (*table).clGetPlatformInfo).read() };
    // SAFETY: the address is null or that of `clGetPlatformInfo`.
    let info: clGetPlatformInfo_t = info.or_else(|| unsafe { function(named(c"clGetPlatformInfo")) });
    let info = info.ok_or(LoadError::Missing("clGetPlatformInfo"))?;
    let version = platform_version(raw, info)?;
    // SAFETY: the platform reports `version`, and `named` answers for this platform.
    let api = unsafe { Api::from_dispatch(table, raw, version, &named) };
    Ok((api, table.cast()))
}

type PlatformInfo =
    unsafe extern "C" fn(cl_platform_id, cl_platform_info, usize, *mut c_void, *mut usize) -> cl_int;

/// `CL_PLATFORM_VERSION` of a platform.
pub(crate) fn platform_version(raw: cl_platform_id, info: PlatformInfo) -> Result<Version, LoadError> {
    let check = |code| match code {
        status::SUCCESS => Ok(()),
        code => Err(LoadError::Status { function: "clGetPlatformInfo", code }),
    };
    let mut size = 0;
    // SAFETY: a null value with size zero asks for the size only.
    check(unsafe { info(raw, CL_PLATFORM_VERSION, 0, ptr::null_mut(), &raw mut size) })?;
    let mut text = room(0_u8, size).ok_or(LoadError::Count { function: "clGetPlatformInfo", count: size })?;
    // SAFETY: the value has room for `size` bytes.
    check(unsafe { info(raw, CL_PLATFORM_VERSION, size, text.as_mut_ptr().cast(), ptr::null_mut()) })?;
    let text = String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned();
    Version::parse(&text).ok_or(LoadError::Version(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn many(_: cl_uint, _: *mut cl_platform_id, count: *mut cl_uint) -> cl_int {
        // SAFETY: the count alone is asked for.
        unsafe { count.write(4_000_000_000) };
        status::SUCCESS
    }

    #[test]
    fn a_driver_that_tells_of_too_many_platforms_is_refused() {
        let error = list_platforms(many).unwrap_err();
        assert!(matches!(error, LoadError::Count { count: 4_000_000_000, .. }), "{error}");
    }
}
