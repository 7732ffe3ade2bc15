//! Buffers.

#[cfg(vectorcall)]
use std::sync::OnceLock;

use opencl_runtime::{Buffer as Runtime, MemFlags, status};
#[cfg(vectorcall)]
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use super::context::Context;
#[cfg(vectorcall)]
use super::memory::plain_buffer;
use super::memory::{MemoryObject, MemoryObjectHolder, buffer_layers};
#[cfg(vectorcall)]
use crate::convert::dims::plain_size;
use crate::convert::host::HostMemory;
use crate::error::{IntoPyResult, invalid, raise};
use crate::gil::detached;
#[cfg(vectorcall)]
use crate::shortcut::{self, Constructed, Short, Slots};

/// A buffer: a block of bytes on the devices of a context. A slice of it is a buffer over a part.
///
/// It has *size* bytes, or the size of *hostbuf*. *flags* is a mask of :class:`mem_flags`: with
/// ``COPY_HOST_PTR`` the buffer begins with the content of *hostbuf*, with ``USE_HOST_PTR`` it uses the memory
/// of *hostbuf* and keeps it.
#[pyclass(frozen, extends = MemoryObject, subclass, module = "pyopencl._cl")]
pub(crate) struct Buffer;

impl Buffer {
    /// The runtime's buffer.
    pub(crate) fn runtime<'a>(slf: &'a Bound<'_, Self>) -> &'a MemoryObjectHolder {
        slf.as_super().as_super().get()
    }
}

const USES_HOST_MEMORY: MemFlags = MemFlags::USE_HOST_PTR.union(MemFlags::COPY_HOST_PTR);

#[pymethods]
impl Buffer {
    #[new]
    #[pyo3(signature = (context, flags, size = 0, hostbuf = None))]
    fn new(
        py: Python<'_>,
        context: &Context,
        flags: u64,
        size: usize,
        hostbuf: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let flags = MemFlags::from_bits_retain(flags);
        let Some(hostbuf) = hostbuf else {
            let buffer = Runtime::new(&context.context, flags, size).into_py()?;
            return Ok(buffer_layers(buffer, None));
        };
        if !flags.intersects(USES_HOST_MEMORY) {
            let text = c"'hostbuf' was passed, but no memory flags to make use of it";
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 1)?;
            return Err(raise(
                "clCreateBuffer",
                status::INVALID_HOST_PTR,
                "hostbuf without USE_HOST_PTR or COPY_HOST_PTR",
            ));
        }
        let in_place = flags.contains(MemFlags::USE_HOST_PTR);
        let host = if in_place && !flags.contains(MemFlags::READ_ONLY) {
            HostMemory::writable(hostbuf)?
        } else {
            HostMemory::readable(hostbuf)?
        };
        if size > host.size {
            let text =
                format!("the size of {size} bytes is larger than the host memory's {} bytes", host.size);
            return Err(invalid("Buffer", text));
        }
        let size = if size == 0 { host.size } else { size };
        let runtime = &context.context;
        // SAFETY: the memory holds `size` bytes; where it is used in place, the buffer's object keeps it.
        let make = || unsafe { Runtime::with_host_ptr(runtime, flags, size, { &host }.address) };
        let buffer = detached(py, make)?;
        Ok(buffer_layers(buffer, in_place.then(|| hostbuf.clone().unbind())))
    }

    /// A buffer over *size* bytes of this one from byte *origin*, which must be a multiple of the device's
    /// ``mem_base_addr_align`` bits.
    #[pyo3(signature = (origin, size, flags = 0))]
    fn get_sub_region(slf: &Bound<'_, Self>, origin: usize, size: usize, flags: u64) -> PyResult<Py<Self>> {
        let object = Self::runtime(slf).object.clone();
        let flags = MemFlags::from_bits_retain(flags);
        let part = Runtime::part_of(&object, flags, origin, size).into_py()?;
        Py::new(slf.py(), buffer_layers(part, None))
    }

    fn __getitem__(slf: &Bound<'_, Self>, slice: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let Ok(slice) = slice.cast::<PySlice>() else {
            return Err(PyTypeError::new_err("a buffer takes slices of bytes, such as buffer[64:128]"));
        };
        let size = Self::runtime(slf).object.size();
        // A buffer's size is below 2^63.
        let bounds = slice.indices(isize::try_from(size).unwrap_or(isize::MAX))?;
        if bounds.step != 1 {
            return Err(invalid("Buffer.__getitem__", "Buffer slice must have stride 1"));
        }
        if bounds.stop <= bounds.start {
            return Err(invalid("Buffer.__getitem__", "Buffer slice must have end > start"));
        }
        Self::get_sub_region(
            slf,
            bounds.start.cast_unsigned(),
            (bounds.stop - bounds.start).cast_unsigned(),
            0,
        )
    }

    /// The buffer with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(py: Python<'_>, int_ptr_value: usize, retain: bool) -> PyResult<Py<Self>> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        let buffer = unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py()?;
        Py::new(py, buffer_layers(buffer, None))
    }
}

/// A buffer with memory of its own: ``Buffer(context, flags, size)``.
#[cfg(vectorcall)]
impl Constructed for Buffer {
    fn slots() -> &'static OnceLock<Slots> {
        static SLOTS: OnceLock<Slots> = OnceLock::new();
        &SLOTS
    }

    fn short<'py>(py: Python<'py>, arguments: &[Borrowed<'_, 'py, PyAny>]) -> Short {
        let &[context, flags, size] = arguments else { return None };
        let context = context.cast_exact::<Context>().ok()?;
        let flags = MemFlags::from_bits_retain(plain_size(flags)? as u64);
        let size = plain_size(size)?;
        let buffer = Runtime::new(&context.get().context, flags, size).into_py();
        Some(buffer.and_then(|buffer| plain_buffer(py, buffer)))
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Buffer>()?;
    #[cfg(vectorcall)]
    shortcut::constructor::<Buffer>(m.py());
    Ok(())
}
