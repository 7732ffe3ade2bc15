//! Devices.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use opencl_driver::Api;
use opencl_driver::sys::cl_device_id;

use crate::call::{call, room};
use crate::handle::{Handle, OfDevice};
use crate::{Error, Result, status};

/// A device, or a part of one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Device(Arc<Handle<OfDevice>>);

impl Device {
    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live device.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_DEVICE` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_device_id, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { Handle::from_foreign(raw, retain) }.map(|handle| Self(Arc::new(handle)))
    }

    /// # Safety
    /// `raw` is a live device of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: cl_device_id, api: &'static Api) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { Handle::from_borrowed(raw, api) }.map(|handle| Self(Arc::new(handle)))
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_device_id {
        self.0.raw()
    }

    /// Whether `name` is one of the device's extensions.
    ///
    /// # Errors
    /// What `clGetDeviceInfo` gives.
    pub fn has_extension(&self, name: &str) -> Result<bool> {
        Ok(self.extensions()?.split_whitespace().any(|known| known == name))
    }

    /// Divides the device (`clCreateSubDevices`).
    ///
    /// `properties` is a properties list without its terminating zero, such as
    /// `[DevicePartitionProperty::EQUALLY, 2]`.
    ///
    /// # Errors
    /// What the function gives.
    pub fn create_sub_devices(&self, properties: &[isize]) -> Result<Vec<Self>> {
        let api = self.api();
        let list: Vec<isize> = properties.iter().copied().chain([0]).collect();
        let mut count = 0;
        // SAFETY: the list ends in zero; a null list of devices asks for the count only.
        unsafe {
            call!(api, clCreateSubDevices(self.as_raw(), list.as_ptr(), 0, ptr::null_mut(), &raw mut count))?;
        }
        let mut devices = room("clCreateSubDevices", ptr::null_mut(), count as usize)?;
        // SAFETY: as above, and `devices` has room for `count` handles.
        unsafe {
            call!(
                api,
                clCreateSubDevices(
                    self.as_raw(),
                    list.as_ptr(),
                    count,
                    devices.as_mut_ptr(),
                    ptr::null_mut()
                )
            )?;
        }
        // SAFETY: the driver made these devices and gives away one reference to each.
        let wrap = |raw| Self(Arc::new(unsafe { Handle::from_owned(raw, api) }));
        Ok(devices.into_iter().map(wrap).collect())
    }

    /// Device and host time of one moment, in nanoseconds (`clGetDeviceAndHostTimer`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn device_and_host_timer(&self) -> Result<(u64, u64)> {
        let (mut device, mut host) = (0, 0);
        // SAFETY: both addresses are those of live numbers.
        unsafe {
            call!(self.api(), clGetDeviceAndHostTimer(self.as_raw(), &raw mut device, &raw mut host))?;
        }
        Ok((device, host))
    }

    /// Host time in nanoseconds (`clGetHostTimer`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn host_timer(&self) -> Result<u64> {
        let mut host = 0;
        // SAFETY: the address is that of a live number.
        unsafe { call!(self.api(), clGetHostTimer(self.as_raw(), &raw mut host))? };
        Ok(host)
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<*mut c_void> {
        Ok(self.0.raw())
    }
}

/// The functions that all `devices` share.
pub(crate) fn common_api(function: &'static str, devices: &[Device]) -> Result<&'static Api> {
    let Some(first) = devices.first() else {
        return Err(Error::refused(function, status::INVALID_VALUE, "the list of devices is empty"));
    };
    if devices.iter().any(|device| !ptr::eq(device.api(), first.api())) {
        let detail = "the devices belong to different platforms";
        return Err(Error::refused(function, status::INVALID_DEVICE, detail));
    }
    Ok(first.api())
}
