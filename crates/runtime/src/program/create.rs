//! The ways of making a program.

use std::ptr;
use std::sync::Arc;

use super::{BuildOptions, Program, options::to_c};
use crate::call::{create, entry};
use crate::handle::Handle;
use crate::{Context, Device, Error, Result, status};

impl Program {
    /// From OpenCL C source (`clCreateProgramWithSource`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn with_source(context: &Context, source: &str) -> Result<Self> {
        let api = context.api();
        let (mut address, length) = (source.as_ptr().cast(), source.len());
        // SAFETY: the context is live and the driver reads `length` bytes at `address` during the call.
        let raw = unsafe {
            create!(api, clCreateProgramWithSource(context.as_raw(), 1, &raw mut address, &raw const length))?
        };
        // SAFETY: the driver gives away the reference that it made.
        let handle = unsafe { Handle::from_owned(raw, api) };
        Ok(Self::from_handle(handle, context, Some(Arc::from(source))))
    }

    /// From one binary for each device (`clCreateProgramWithBinary`). It still has to be built.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the lists differ in length, `INVALID_BINARY` naming the devices that refuse
    /// theirs, else what the function gives.
    pub fn with_binaries(context: &Context, devices: &[Device], binaries: &[&[u8]]) -> Result<Self> {
        Self::with_binaries_of(context, devices, binaries, None)
    }

    /// The same for binaries whose source is known.
    pub(crate) fn with_binaries_of(
        context: &Context,
        devices: &[Device],
        binaries: &[&[u8]],
        source: Option<Arc<str>>,
    ) -> Result<Self> {
        let function = "clCreateProgramWithBinary";
        if devices.len() != binaries.len() {
            let detail = format!("{} devices, but {} binaries", devices.len(), binaries.len());
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        }
        let api = context.api();
        let handles: Vec<_> = devices.iter().map(Device::as_raw).collect();
        let lengths: Vec<_> = binaries.iter().map(|binary| binary.len()).collect();
        let mut addresses: Vec<_> = binaries.iter().map(|binary| binary.as_ptr()).collect();
        let mut states = vec![status::SUCCESS; devices.len()];
        // SAFETY: context and devices are live, and each list has an entry a device.
        let made = unsafe {
            create!(
                api,
                clCreateProgramWithBinary(
                    context.as_raw(),
                    handles.len() as u32,
                    handles.as_ptr(),
                    lengths.as_ptr(),
                    addresses.as_mut_ptr(),
                    states.as_mut_ptr(),
                )
            )
        };
        let raw = made.map_err(|error| {
            let refusing = devices.iter().zip(&states).filter(|(_, state)| **state != status::SUCCESS);
            let names: Vec<_> = refusing.map(|(device, _)| device.name().unwrap_or_default()).collect();
            if names.is_empty() {
                return error;
            }
            let detail = format!("the binary was refused by: {}", names.join(", "));
            Error::refused(function, error.code(), detail)
        })?;
        // SAFETY: the driver gives away the reference that it made.
        let handle = unsafe { Handle::from_owned(raw, api) };
        Ok(Self::from_handle(handle, context, source))
    }

    /// From intermediate language, SPIR-V for instance (`clCreateProgramWithIL`, OpenCL 2.1).
    ///
    /// # Errors
    /// What the function gives.
    pub fn with_il(context: &Context, il: &[u8]) -> Result<Self> {
        let api = context.api();
        // SAFETY: the context is live and `il` has the length that is told.
        let raw =
            unsafe { create!(api, clCreateProgramWithIL(context.as_raw(), il.as_ptr().cast(), il.len()))? };
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::from_handle(unsafe { Handle::from_owned(raw, api) }, context, None))
    }

    /// From kernels that the devices bring with them; `names` are separated by semicolons
    /// (`clCreateProgramWithBuiltInKernels`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn with_built_in_kernels(context: &Context, devices: &[Device], names: &str) -> Result<Self> {
        let api = context.api();
        let handles: Vec<_> = devices.iter().map(Device::as_raw).collect();
        for device in devices {
            // Some drivers crash over a name that they do not know.
            let known = device.built_in_kernels()?;
            if let Some(name) = names.split(';').find(|name| !known.split(';').any(|other| other == *name)) {
                let detail = format!("{} has no built-in kernel {name:?}; it has: {known:?}", device.name()?);
                let function = "clCreateProgramWithBuiltInKernels";
                return Err(Error::refused(function, status::INVALID_VALUE, detail));
            }
        }
        let names = to_c(names)?;
        // SAFETY: context and devices are live, and the names end in a zero byte.
        let raw = unsafe {
            create!(
                api,
                clCreateProgramWithBuiltInKernels(
                    context.as_raw(),
                    handles.len() as u32,
                    handles.as_ptr(),
                    names.as_ptr()
                )
            )?
        };
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::from_handle(unsafe { Handle::from_owned(raw, api) }, context, None))
    }
}

/// Links compiled programs to one (`clLinkProgram`).
///
/// # Errors
/// [`Error::Build`] with the log and the options.
pub fn link(
    context: &Context,
    programs: &[Program],
    options: &BuildOptions,
    devices: Option<&[Device]>,
) -> Result<Program> {
    let api = context.api();
    let handles = devices.map(|devices| devices.iter().map(Device::as_raw).collect::<Vec<_>>());
    let (count, list) = super::device_list(handles.as_ref());
    let text = options.to_c()?;
    let inputs: Vec<_> = programs.iter().map(Program::as_raw).collect();
    let link = entry!(api, clLinkProgram)?;
    let mut code = status::SUCCESS;
    // SAFETY: all handles are live, the options end in a zero byte, and no call back is set.
    let raw = unsafe {
        link(
            context.as_raw(),
            count,
            list,
            text.as_ptr(),
            inputs.len() as u32,
            inputs.as_ptr(),
            None,
            ptr::null_mut(),
            &raw mut code,
        )
    };
    // A failed link may still give a program: it holds the log.
    // SAFETY: the driver gives away the reference that it made.
    let program = (!raw.is_null())
        .then(|| Program::from_handle(unsafe { Handle::from_owned(raw, api) }, context, None));
    match (code, program) {
        (status::SUCCESS, Some(program)) => Ok(program),
        (status::SUCCESS, None) => Err(Error::null("clLinkProgram")),
        (code, Some(program)) => {
            Err(program.diagnose(&Error::status("clLinkProgram", code), options, devices))
        }
        (code, None) => Err(Error::status("clLinkProgram", code)),
    }
}
