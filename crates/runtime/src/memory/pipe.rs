//! Pipes: packets that kernels hand from one to another.

use std::ops::Deref;
use std::ptr;

use opencl_driver::sys::cl_mem;

use super::{MemObject, with_reclaim};
use crate::call::create;
use crate::handle::Handle;
use crate::{Context, Error, MemFlags, Result, status};

/// A pipe: a queue of packets between kernels (OpenCL 2.0).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pipe(MemObject);

impl Pipe {
    /// A pipe of at most `max_packets` packets of `packet_size` bytes (`clCreatePipe`). `flags` may be
    /// `READ_WRITE` and `HOST_NO_ACCESS`. No version of the specification so far knows properties.
    ///
    /// # Errors
    /// `INVALID_VALUE` if there are properties; else what the function gives, `INVALID_OPERATION` where the
    /// device does not have pipes.
    pub fn new(
        context: &Context,
        flags: MemFlags,
        packet_size: u32,
        max_packets: u32,
        properties: &[u64],
    ) -> Result<Self> {
        if !properties.is_empty() {
            let detail = "OpenCL knows no properties of pipes: the list must be empty";
            return Err(Error::refused("clCreatePipe", status::INVALID_VALUE, detail));
        }
        let api = context.api();
        let raw = with_reclaim(|| {
            // SAFETY: the context is live, and a null list means no properties.
            unsafe {
                create!(
                    api,
                    clCreatePipe(context.as_raw(), flags.bits(), packet_size, max_packets, ptr::null())
                )
            }
        })
        .map_err(|error| explain(error, context))?;
        // SAFETY: the driver gives away the reference that it made.
        MemObject::complete(unsafe { Handle::from_owned(raw, api) }).map(Self)
    }

    /// A memory object that is known to be a pipe.
    #[must_use]
    pub fn of_object(object: MemObject) -> Self {
        Self(object)
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// As for [`MemObject::from_raw`]; the object is a pipe.
    ///
    /// # Errors
    /// As for [`MemObject::from_raw`].
    pub unsafe fn from_raw(raw: cl_mem, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { MemObject::from_raw(raw, retain) }.map(Self)
    }
}

/// A refused pipe, with what the devices have.
#[cold]
fn explain(error: Error, context: &Context) -> Error {
    let Error::Status { function, code } = error else { return error };
    let devices = context.devices().unwrap_or_default();
    if !devices.is_empty() && devices.iter().all(|device| device.pipe_support().is_ok_and(|has| !has)) {
        return Error::refused(function, code, "the device does not support pipes");
    }
    match devices.iter().filter_map(|device| device.pipe_max_packet_size().ok()).max() {
        Some(most) => {
            Error::refused(function, code, format!("the device takes packets of at most {most} bytes"))
        }
        None => Error::Status { function, code },
    }
}

impl Deref for Pipe {
    type Target = MemObject;

    fn deref(&self) -> &MemObject {
        &self.0
    }
}

impl From<Pipe> for MemObject {
    fn from(pipe: Pipe) -> Self {
        pipe.0
    }
}
