//! Answers of the `clGet…Info` functions, with the sizes that the specification demands.

use std::mem::size_of_val;

use crate::border::{check, store};
use crate::sys::*;

/// Where the caller wants the answer.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    room: usize,
    value: *mut c_void,
    size: *mut size_t,
}

impl Answer {
    /// # Safety
    /// - `value` is null or valid for writing `room` bytes.
    /// - `size` is null or valid for writing one size.
    /// - Both stay so while the answer is used.
    pub(crate) unsafe fn new(room: usize, value: *mut c_void, size: *mut size_t) -> Self {
        Self { room, value, size }
    }

    /// Gives one plain value.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the room is too small.
    pub(crate) fn value<T: Plain>(self, value: T) -> Result {
        self.list(&[value])
    }

    /// Gives an array.
    ///
    /// # Errors
    /// As [`Answer::value`].
    pub(crate) fn list<T: Plain>(self, values: &[T]) -> Result {
        let length = size_of_val(values);
        self.size(length)?;
        if !self.value.is_null() {
            // SAFETY: `length` bytes fit, `size` has checked it.
            unsafe {
                std::ptr::copy_nonoverlapping(values.as_ptr().cast::<u8>(), self.value.cast::<u8>(), length);
            }
        }
        Ok(())
    }

    /// Gives a text and its NUL.
    ///
    /// # Errors
    /// As [`Answer::value`].
    pub(crate) fn text(self, text: &str) -> Result {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.list(&bytes)
    }

    /// Gives a truth value.
    ///
    /// # Errors
    /// As [`Answer::value`].
    pub(crate) fn flag(self, value: bool) -> Result {
        self.value(cl_bool::from(value))
    }

    /// Checks the room and gives the size; the caller writes the value itself if the pointer is not null.
    ///
    /// # Errors
    /// As [`Answer::value`].
    pub(crate) fn size(self, length: usize) -> Result {
        check(self.value.is_null() || self.room >= length, CL_INVALID_VALUE)?;
        // SAFETY: valid by the promise of `new`.
        unsafe { store(self.size, length) };
        Ok(())
    }

    /// Where the value goes; null if it is not wanted.
    pub(crate) fn target(self) -> *mut c_void {
        self.value
    }
}

/// Types whose bytes are the answer.
pub(crate) trait Plain: Copy {}

macro_rules! plain {
    ($($ty:ty),*) => { $(impl Plain for $ty {})* };
}
plain!(u8, i32, u32, u64, usize, isize, *mut c_void, cl_image_format, cl_name_version);

/// A version number in the form of OpenCL 3.0.
pub(crate) fn numeric((major, minor): (u32, u32)) -> cl_version {
    (major << 22) | (minor << 12)
}

/// Named versions, of extensions or languages.
pub(crate) fn named(name: &str, version: (u32, u32)) -> cl_name_version {
    let mut field = [0; CL_NAME_VERSION_MAX_NAME_SIZE];
    let length = name.len().min(field.len() - 1);
    field[..length].copy_from_slice(&name.as_bytes()[..length]);
    cl_name_version { version: numeric(version), name: field }
}
