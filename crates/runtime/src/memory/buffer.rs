//! Buffers.

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr;

use bytemuck::NoUninit;
use opencl_driver::sys::{CL_BUFFER_CREATE_TYPE_REGION, cl_buffer_region, cl_mem};

use super::{MemObject, with_reclaim};
use crate::call::create;
use crate::handle::Handle;
use crate::{Context, Error, MemFlags, Result, status};

/// A buffer: a block of bytes on the devices of a context.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Buffer(MemObject);

impl Buffer {
    /// A buffer of `size` bytes, with no data (`clCreateBuffer`).
    ///
    /// # Errors
    /// `INVALID_BUFFER_SIZE` for a size of zero, else what the function gives. Running out of memory is
    /// tried a second time, see [`set_reclaim`](crate::set_reclaim).
    pub fn new(context: &Context, flags: MemFlags, size: usize) -> Result<Self> {
        // SAFETY: without an address, flags that need one are refused by the driver.
        unsafe { Self::with_host_ptr(context, flags, size, ptr::null_mut()) }
    }

    /// A buffer that holds a copy of `data`.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn from_slice<T: NoUninit>(context: &Context, flags: MemFlags, data: &[T]) -> Result<Self> {
        let flags = flags | MemFlags::COPY_HOST_PTR;
        let address = data.as_ptr().cast_mut().cast();
        // SAFETY: the driver copies the data during the call and does not write to it.
        unsafe { Self::with_host_ptr(context, flags, size_of_val(data), address) }
    }

    /// A buffer made with an address in host memory, or null.
    ///
    /// # Safety
    /// * With `COPY_HOST_PTR`, `size` bytes can be read at `address`.
    /// * With `USE_HOST_PTR`, `size` bytes at `address` stay valid as long as the buffer, and nobody
    ///   touches them outside of mapping.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub unsafe fn with_host_ptr(
        context: &Context,
        flags: MemFlags,
        size: usize,
        address: *mut c_void,
    ) -> Result<Self> {
        // SAFETY: the caller's promises.
        with_reclaim(|| unsafe { Self::make(context, flags, size, address) })
            .map_err(|error| explain(error, context, flags, size))
    }

    /// A buffer as [`new`](Self::new) makes it, with a single try.
    pub(crate) fn try_new(context: &Context, flags: MemFlags, size: usize) -> Result<Self> {
        // SAFETY: without an address, flags that need one are refused by the driver.
        unsafe { Self::make(context, flags, size, ptr::null_mut()) }
            .map_err(|error| explain(error, context, flags, size))
    }

    /// # Safety
    /// As for [`with_host_ptr`](Self::with_host_ptr).
    unsafe fn make(context: &Context, flags: MemFlags, size: usize, address: *mut c_void) -> Result<Self> {
        if size == 0 {
            let detail = "a buffer needs at least one byte";
            return Err(Error::refused("clCreateBuffer", status::INVALID_BUFFER_SIZE, detail));
        }
        let api = context.api();
        // SAFETY: the context is live, and the caller promises what `flags` ask of `address`.
        let raw = unsafe { create!(api, clCreateBuffer(context.as_raw(), flags.bits(), size, address)) }?;
        // SAFETY: the driver gives away the reference that it made.
        let handle = unsafe { Handle::from_owned(raw, api) };
        Ok(Self(MemObject::of_buffer(handle, size, context.as_raw() as usize)))
    }

    /// A part of this buffer as a buffer (`clCreateSubBuffer`). `origin` and `size` are in bytes.
    ///
    /// # Errors
    /// What the function gives: `MISALIGNED_SUB_BUFFER_OFFSET` if `origin` is no multiple of the
    /// device's `mem_base_addr_align`, `INVALID_VALUE` if the part is not inside.
    pub fn sub_buffer(&self, flags: MemFlags, origin: usize, size: usize) -> Result<Self> {
        Self::part_of(self, flags, origin, size)
    }

    /// The same for a memory object that is known to be a buffer; any other is `INVALID_MEM_OBJECT`.
    ///
    /// # Errors
    /// As for [`sub_buffer`](Self::sub_buffer).
    pub fn part_of(whole: &MemObject, flags: MemFlags, origin: usize, size: usize) -> Result<Self> {
        if size == 0 || origin.checked_add(size).is_none_or(|end| end > whole.size()) {
            let detail = format!(
                "bytes {origin} to {} are not inside of {} bytes",
                origin.wrapping_add(size),
                whole.size()
            );
            let code = if size == 0 { status::INVALID_BUFFER_SIZE } else { status::INVALID_VALUE };
            return Err(Error::refused("clCreateSubBuffer", code, detail));
        }
        let region = cl_buffer_region { origin, size };
        let raw = whole.as_raw()?;
        // SAFETY: the buffer is live, and the driver reads `region` during the call.
        let make = || unsafe {
            create!(
                whole.api(),
                clCreateSubBuffer(
                    raw,
                    flags.bits(),
                    CL_BUFFER_CREATE_TYPE_REGION,
                    (&raw const region).cast()
                )
            )
        };
        let misaligned = |error| match error {
            Error::Status { function, code: status::MISALIGNED_SUB_BUFFER_OFFSET } => {
                let detail = format!(
                    "offset {origin} is no multiple of {} bytes, the device's mem_base_addr_align",
                    alignments(whole).unwrap_or_else(|_| "unknown".to_owned())
                );
                Error::refused(function, status::MISALIGNED_SUB_BUFFER_OFFSET, detail)
            }
            other => other,
        };
        let raw = with_reclaim(make).map_err(misaligned)?;
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self(MemObject::of_buffer(
            unsafe { Handle::from_owned(raw, whole.api()) },
            size,
            whole.context_handle(),
        )))
    }

    /// A memory object that is known to be a buffer; commands refuse any other.
    #[must_use]
    pub fn of_object(object: MemObject) -> Self {
        Self(object)
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// As for [`MemObject::from_raw`]; the object is a buffer.
    ///
    /// # Errors
    /// As for [`MemObject::from_raw`].
    pub unsafe fn from_raw(raw: cl_mem, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        unsafe { MemObject::from_raw(raw, retain) }.map(Self)
    }
}

/// A refused buffer, with what was asked for and what there is.
#[cold]
fn explain(error: Error, context: &Context, flags: MemFlags, size: usize) -> Error {
    let Error::Status { function, code } = error else { return error };
    let mut detail = format!("a buffer of {size} bytes");
    match code {
        status::INVALID_BUFFER_SIZE | status::MEM_OBJECT_ALLOCATION_FAILURE | status::OUT_OF_RESOURCES => {
            let devices = context.devices().unwrap_or_default();
            if let Some(most) = devices.iter().filter_map(|device| device.max_mem_alloc_size().ok()).max() {
                detail.push_str(&format!("; the device makes {most} bytes at most"));
            }
        }
        status::INVALID_VALUE | status::INVALID_HOST_PTR => {
            detail.push_str(&format!(" with the flags {flags:?}"))
        }
        _ => {}
    }
    Error::refused(function, code, detail)
}

/// What the devices of a buffer's context want offsets to be multiples of.
#[cold]
fn alignments(buffer: &MemObject) -> Result<String> {
    let bytes = |device: &crate::Device| device.mem_base_addr_align().map(|bits| (bits / 8).to_string());
    Ok(buffer.context()?.devices()?.iter().map(bytes).collect::<Result<Vec<_>>>()?.join(", "))
}

impl Deref for Buffer {
    type Target = MemObject;

    fn deref(&self) -> &MemObject {
        &self.0
    }
}

impl From<Buffer> for MemObject {
    fn from(buffer: Buffer) -> Self {
        buffer.0
    }
}
