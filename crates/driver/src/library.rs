//! Uses a system `libOpenCL` (or the framework, or `OpenCL.dll`) instead of the drivers themselves:
//! for layers and call-intercept tools, on systems whose drivers cannot be enumerated otherwise, and
//! as the last resort.

use std::ffi::{CStr, OsStr};
use std::path::PathBuf;
use std::ptr;

use crate::api::{Api, function};
use crate::icd::{LoadError, list_platforms, open_library, platform_version, symbol};
use crate::registry::Platform;
use crate::sys::*;

/// The name of the system's library.
pub const SYSTEM_NAME: &str = if cfg!(windows) {
    "OpenCL.dll"
} else if cfg!(target_os = "macos") {
    "/System/Library/Frameworks/OpenCL.framework/OpenCL"
} else {
    "libOpenCL.so.1"
};

/// Opens the library `name` and lists the platforms that it knows.
///
/// # Errors
/// A [`LoadError`] that says why it cannot be used.
pub fn open(name: &OsStr) -> Result<Vec<Platform>, LoadError> {
    let library = open_library(name)?;
    let named = |name: &CStr| symbol(&library, name);
    // SAFETY: the specification gives these symbols these types.
    let ids: clGetPlatformIDs_t = unsafe { function(named(c"clGetPlatformIDs")) };
    let ids = ids.ok_or(LoadError::Missing("clGetPlatformIDs"))?;
    // SAFETY: as above.
    let info: clGetPlatformInfo_t = unsafe { function(named(c"clGetPlatformInfo")) };
    let info = info.ok_or(LoadError::Missing("clGetPlatformInfo"))?;
    let mut platforms = Vec::new();
    for raw in list_platforms(ids)? {
        let version = platform_version(raw, info)?;
        // SAFETY: the symbols of a `libOpenCL` have the types that the specification gives them.
        let api = unsafe { Api::from_names(raw, version, &named) };
        platforms.push(Platform {
            raw,
            api: Box::leak(Box::new(api)),
            table: ptr::null(),
            origin: PathBuf::from(name),
            look_up: None,
        });
    }
    if platforms.is_empty() { Err(LoadError::Empty) } else { Ok(platforms) }
}
