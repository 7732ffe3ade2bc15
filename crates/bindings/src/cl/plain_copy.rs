//! `enqueue_copy(queue, dest, src)` between a buffer and an array of NumPy's, the short way.

use std::sync::OnceLock;

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::{Borrowed, ffi};

use super::buffer::Buffer;
use super::copy::{_enqueue_read_buffer, _enqueue_write_buffer};
use super::memory::MemoryObjectHolder;
use super::queue::CommandQueue;
use crate::shortcut::{Function, Short};

/// The copy of three arguments between a plain buffer and an array of NumPy's.
pub(super) struct PlainCopy;

impl Function for PlainCopy {
    fn usual() -> &'static OnceLock<ffi::PyCFunctionFastWithKeywords> {
        static USUAL: OnceLock<ffi::PyCFunctionFastWithKeywords> = OnceLock::new();
        &USUAL
    }

    fn short<'py>(_: Python<'py>, arguments: &[Borrowed<'_, 'py, PyAny>]) -> Short {
        let &[queue, dest, src] = arguments else { return None };
        let queue = queue.cast_exact::<CommandQueue>().ok()?;
        let done = if let Some(buffer) = plain_holder(dest) {
            src.cast_exact::<PyUntypedArray>().ok()?;
            _enqueue_write_buffer(&queue, &buffer, &src, 0, None, true)
        } else {
            let buffer = plain_holder(src)?;
            dest.cast_exact::<PyUntypedArray>().ok()?;
            _enqueue_read_buffer(&queue, &buffer, &dest, 0, None, true)
        };
        Some(done.map(Py::into_any))
    }
}

/// A buffer of no particular class as the memory object that it is.
#[inline]
fn plain_holder<'a, 'py>(object: Borrowed<'a, 'py, PyAny>) -> Option<Borrowed<'a, 'py, MemoryObjectHolder>> {
    object.cast_exact::<Buffer>().ok()?;
    // SAFETY: a buffer is a memory object.
    Some(unsafe { object.cast_unchecked() })
}
