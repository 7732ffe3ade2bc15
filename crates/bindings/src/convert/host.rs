//! Host memory: NumPy arrays, and whatever else has Python's buffer protocol.

use std::ffi::c_void;

use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A contiguous block of host memory that belongs to a Python object, which it keeps from moving it.
pub(crate) struct HostMemory {
    pub(crate) address: *mut c_void,
    /// In bytes.
    pub(crate) size: usize,
    /// Keeps an exporter other than a NumPy array from changing its memory.
    export: Option<PyUntypedBuffer>,
}

// SAFETY: the address is used by commands only, and the object that owns the memory is kept alive by whoever
// enqueues them.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// Memory to be read.
    pub(crate) fn readable(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::new(object, false)
    }

    /// Memory to be written.
    pub(crate) fn writable(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::new(object, true)
    }

    #[inline]
    fn new(object: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyUntypedArray>() {
            return Self::of_array(array, writable);
        }
        let buffer = PyUntypedBuffer::get(object)?;
        if !buffer.is_c_contiguous() && !buffer.is_fortran_contiguous() {
            return Err(not_contiguous());
        }
        if writable && buffer.readonly() {
            return Err(read_only());
        }
        Ok(Self { address: buffer.buf_ptr(), size: buffer.len_bytes(), export: Some(buffer) })
    }

    fn of_array(array: &Bound<'_, PyUntypedArray>, writable: bool) -> PyResult<Self> {
        if !array.is_contiguous() {
            return Err(not_contiguous());
        }
        let raw = array.as_array_ptr();
        // SAFETY: the pointer is that of a live array.
        let (address, flags) = unsafe { ((*raw).fields.data.cast(), (*raw).fields.flags) };
        if writable && flags & NPY_ARRAY_WRITEABLE == 0 {
            return Err(read_only());
        }
        Ok(Self { address, size: array.len() * array.dtype().itemsize(), export: None })
    }

    /// The memory as bytes.
    ///
    /// # Safety
    /// The object that owns the memory is alive, and nobody writes to the memory, as long as the slice lives.
    pub(crate) unsafe fn bytes<'a>(&self) -> &'a [u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: the memory holds `size` bytes, and the caller promises the rest.
        unsafe { std::slice::from_raw_parts(self.address.cast::<u8>(), self.size) }
    }

    /// The memory as bytes to be written.
    ///
    /// # Safety
    /// The object that owns the memory is alive, and nobody else touches the memory, as long as the slice
    /// lives.
    pub(crate) unsafe fn bytes_mut<'a>(&self) -> &'a mut [u8] {
        if self.size == 0 {
            return &mut [];
        }
        // SAFETY: the memory holds `size` bytes, and the caller promises the rest.
        unsafe { std::slice::from_raw_parts_mut(self.address.cast::<u8>(), self.size) }
    }

    /// What has to be kept beside the object as long as a command uses the memory.
    pub(crate) fn into_export(self) -> Option<PyUntypedBuffer> {
        self.export
    }
}

fn not_contiguous() -> PyErr {
    PyValueError::new_err("the host memory is not contiguous: copy it first (numpy.ascontiguousarray)")
}

fn read_only() -> PyErr {
    PyValueError::new_err("the host memory is read-only, and it would be written to")
}
