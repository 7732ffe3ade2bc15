//! Which devices share objects with an OpenGL context (extension `cl_khr_gl_sharing`).

use opencl_driver::registry::platform_of;
use opencl_driver::sys::cl_device_id;

use crate::call::room;
use crate::constants::GlContextInfo;
use crate::context::{ContextProperty, property_list};
use crate::{Device, Error, Platform, Result, status};

const EXTENSION: &str = "cl_khr_gl_sharing";

impl Platform {
    /// The device that shows the OpenGL context that the properties name, or the devices that can share objects
    /// with it (`clGetGLContextInfoKHR`).
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the platform does not have the function, else what it gives:
    /// `INVALID_GL_SHAREGROUP_REFERENCE_KHR` for properties that name no context.
    pub fn gl_context_devices(
        &self,
        properties: &[ContextProperty],
        asked: GlContextInfo,
    ) -> Result<Vec<Device>> {
        let function = "clGetGLContextInfoKHR";
        let api = self.api();
        let get = platform_of(api)
            .and_then(|(platform, extensions)| extensions.khr_gl_sharing(platform).clGetGLContextInfoKHR)
            .ok_or_else(|| Error::unsupported(function, api.version))?;
        let list = property_list(api, properties);
        let check = |code| if code == status::SUCCESS { Ok(()) } else { Err(Error::status(function, code)) };
        let mut size = 0;
        // SAFETY: the list ends with zero, and only the size is asked for.
        check(unsafe { get(list.as_ptr(), asked.0, 0, std::ptr::null_mut(), &raw mut size) })?;
        let mut devices: Vec<cl_device_id> = room(function, std::ptr::null_mut(), size / size_of::<usize>())?;
        if devices.is_empty() {
            return Ok(Vec::new());
        }
        let room = size_of_val(&devices[..]);
        // SAFETY: the array has room for `room` bytes.
        check(unsafe {
            get(list.as_ptr(), asked.0, room, devices.as_mut_ptr().cast(), std::ptr::null_mut())
        })?;
        // SAFETY: the driver listed live devices of this platform.
        devices.into_iter().map(|raw| unsafe { Device::from_borrowed(raw, api) }).collect()
    }

    /// Whether a device of any platform shares objects with OpenGL.
    ///
    /// # Errors
    /// As for [`Platform::all`].
    pub fn any_with_gl() -> Result<bool> {
        // A driver that does not answer shares nothing.
        let shares = |device: &Device| device.has_extension(EXTENSION).unwrap_or(false);
        let has = |platform: &Self| platform.devices().is_ok_and(|devices| devices.iter().any(shares));
        Ok(Self::all()?.iter().any(has))
    }
}
