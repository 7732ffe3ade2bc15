//! Platforms.

use std::ffi::c_void;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opencl_driver::sys::{CL_DEVICE_TYPE_ALL, cl_platform_id};
use opencl_driver::{Api, Platform as Entry, Version, note_use, status};

use crate::call::{call, room};
use crate::{Device, DeviceType, Error, Result};

/// A platform: what one driver offers.
#[derive(Clone, Copy)]
pub struct Platform(&'static Entry);

/// Held while a driver is asked for devices. Some (PoCL) set them up at the first question, and answer
/// another thread meanwhile that there is none.
static ASKING_FOR_DEVICES: Mutex<()> = Mutex::new(());

/// Waits for the other threads that ask a driver for devices.
pub(crate) fn ask_for_devices() -> MutexGuard<'static, ()> {
    ASKING_FOR_DEVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the platform of Intel's runtime for CPUs.
const INTEL_CPU: &str = "Intel(R) OpenCL";

impl Platform {
    /// All platforms, in the order in which their drivers were found. The first call loads the drivers.
    ///
    /// # Errors
    /// [`Error::NoPlatform`], which says where was looked and what failed.
    pub fn all() -> Result<Vec<Self>> {
        Ok(opencl_driver::platforms()?.iter().map(Self).collect())
    }

    /// The platform with this handle.
    ///
    /// # Errors
    /// `INVALID_PLATFORM` if no driver loaded here has it.
    pub fn from_raw(raw: cl_platform_id) -> Result<Self> {
        Self::all()?.into_iter().find(|platform| platform.0.raw == raw).ok_or_else(|| {
            let detail = format!("{raw:?} is no platform of a driver that is loaded here");
            Error::refused("clGetPlatformInfo", status::INVALID_PLATFORM, detail)
        })
    }

    /// The C handle, valid for the life of the process.
    #[must_use]
    pub fn as_raw(&self) -> cl_platform_id {
        self.0.raw
    }

    /// The entry of the driver crate: functions, origin, extension look-up.
    #[must_use]
    pub fn entry(&self) -> &'static Entry {
        self.0
    }

    /// Whether the driver starts its threads with the first context. Others do so as soon as they are asked for
    /// devices (PoCL), or open them then (NVIDIA's).
    fn starts_threads_late(&self) -> Result<bool> {
        Ok(self.name()? == INTEL_CPU)
    }

    /// The version of OpenCL that the platform reports.
    #[must_use]
    pub fn opencl_version(&self) -> Version {
        self.0.api.version
    }

    /// All devices of the platform.
    ///
    /// # Errors
    /// What `clGetDeviceIDs` gives. No device at all is an empty list, not an error.
    pub fn devices(&self) -> Result<Vec<Device>> {
        self.devices_of_type(DeviceType::from_bits_retain(CL_DEVICE_TYPE_ALL))
    }

    /// The devices of some types (`clGetDeviceIDs`).
    ///
    /// # Errors
    /// As for [`devices`](Self::devices).
    pub fn devices_of_type(&self, types: DeviceType) -> Result<Vec<Device>> {
        let api = self.0.api;
        let mut count = 0;
        let _turn = ask_for_devices();
        // SAFETY: a null list with no room asks for the count only.
        let asked = unsafe {
            call!(api, clGetDeviceIDs(self.0.raw, types.bits(), 0, ptr::null_mut(), &raw mut count))
        };
        match asked {
            Err(error) if error.code() == status::DEVICE_NOT_FOUND => return Ok(Vec::new()),
            other => other?,
        }
        let mut list = room("clGetDeviceIDs", ptr::null_mut(), count as usize)?;
        if list.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: the list has room for `count` handles.
        unsafe {
            call!(api, clGetDeviceIDs(self.0.raw, types.bits(), count, list.as_mut_ptr(), ptr::null_mut()))?;
        }
        if !self.starts_threads_late()? {
            note_use();
        }
        // SAFETY: the driver listed live devices of this platform.
        list.into_iter().map(|raw| unsafe { Device::from_borrowed(raw, api) }).collect()
    }

    /// Whether `name` is one of the platform's extensions.
    ///
    /// # Errors
    /// What `clGetPlatformInfo` gives.
    pub fn has_extension(&self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.split_whitespace().any(|known| known == name))
    }

    /// Lets the driver free its compiler (`clUnloadPlatformCompiler`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn unload_compiler(&self) -> Result<()> {
        // SAFETY: the platform is the driver's own.
        unsafe { call!(self.0.api, clUnloadPlatformCompiler(self.0.raw)) }
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.api
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.0.raw)
    }
}

impl PartialEq for Platform {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw
    }
}

impl Eq for Platform {}

impl Hash for Platform {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.raw.hash(state);
    }
}
