//! Host memory: NumPy arrays, and whatever else has Python's buffer protocol.

use std::ffi::c_void;

use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

/// A contiguous block of host memory that belongs to a Python object, which it keeps from moving it.
pub(crate) struct HostMemory {
    pub(crate) address: *mut c_void,
    /// In bytes.
    pub(crate) size: usize,
    /// Keeps an exporter other than a NumPy array from changing its memory.
    export: Option<Export>,
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
        let export = Export::new(object, writable)?;
        let Export(view) = &export;
        // Lengths are never negative.
        let (address, size) = (view.buf, view.len.cast_unsigned());
        Ok(Self { address, size, export: Some(export) })
    }

    fn of_array(array: &Bound<'_, PyUntypedArray>, writable: bool) -> PyResult<Self> {
        if !array.is_contiguous() {
            return Err(not_contiguous());
        }
        if array.dtype().has_object() {
            return Err(PyTypeError::new_err(
                "the host array holds Python objects, which mean nothing on a device",
            ));
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
    pub(crate) fn into_export(self) -> Option<Export> {
        self.export
    }
}

/// A contiguous view of an object's memory by the buffer protocol; the object keeps the memory where it is
/// until this goes.
pub(crate) struct Export(Box<ffi::Py_buffer>);

// SAFETY: the view is only read, and given back with the interpreter's lock.
unsafe impl Send for Export {}
// SAFETY: as above.
unsafe impl Sync for Export {}

impl Export {
    fn new(object: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        let flags = ffi::PyBUF_ANY_CONTIGUOUS | if writable { ffi::PyBUF_WRITABLE } else { 0 };
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the object is alive and `view` has room for the answer.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, flags) } == 0 {
            Ok(Self(view))
        } else {
            Err(PyErr::fetch(object.py()))
        }
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        Python::attach(|_| {
            // SAFETY: the view was filled by `PyObject_GetBuffer` and is given back once.
            unsafe { ffi::PyBuffer_Release(&raw mut *self.0) };
        });
    }
}

fn not_contiguous() -> PyErr {
    PyValueError::new_err("the host memory is not contiguous: copy it first (numpy.ascontiguousarray)")
}

fn read_only() -> PyErr {
    PyValueError::new_err("the host memory is read-only, and it would be written to")
}
