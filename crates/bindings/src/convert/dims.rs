//! Sizes: iterables of integers of any kind, NumPy's among them.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use pyo3::{Borrowed, ffi};
use smallvec::SmallVec;

use crate::cl::memory::MemoryObjectHolder;

/// Up to three sizes without allocation.
pub(crate) type Sizes = SmallVec<[usize; 3]>;

/// The sizes in an iterable.
#[inline]
pub(crate) fn sizes(object: &Bound<'_, PyAny>) -> PyResult<Sizes> {
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        return tuple.iter_borrowed().map(|item| item.extract()).collect();
    }
    object.try_iter()?.map(|item| item?.extract()).collect()
}

/// How many sizes a plain tuple of one to three of them has, and these, filled up with ones: what nearly every launch is
/// given.
#[inline]
pub(crate) fn plain_sizes(object: Borrowed<'_, '_, PyAny>) -> Option<(usize, [usize; 3])> {
    let tuple = object.cast_exact::<PyTuple>().ok()?;
    let (mut sizes, count) = ([1; 3], tuple.len());
    if count == 0 || count > sizes.len() {
        return None;
    }
    for (size, item) in sizes.iter_mut().zip(tuple.iter_borrowed()) {
        *size = match plain_size(item) {
            Some(size) => size,
            None => item.extract().ok()?,
        };
    }
    Some((count, sizes))
}

/// A plain integer as a size, if it is one.
#[inline]
pub(crate) fn plain_size(item: Borrowed<'_, '_, PyAny>) -> Option<usize> {
    item.cast_exact::<PyInt>().ok()?;
    // SAFETY: the object is alive, and an integer.
    let number = unsafe { ffi::PyLong_AsSsize_t(item.as_ptr()) };
    let size = usize::try_from(number).ok();
    if size.is_none() {
        // It may be too large, which is said by an exception.
        drop(PyErr::take(item.py()));
    }
    size
}

/// At most so many sizes are looked at: one more than a launch takes, which is then refused.
const MOST: usize = 4;

/// Sizes of a launch; errors say which one it was.
#[inline]
pub(crate) fn launch_sizes(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Sizes> {
    match plain_sizes(object.as_borrowed()) {
        Some((count, sizes)) => Ok(Sizes::from_buf_and_len(sizes, count)),
        None => any_sizes(object, what),
    }
}

#[cold]
fn any_sizes(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Sizes> {
    // Buffers have slices, so that iterating over one would be tried.
    let items = if object.is_instance_of::<MemoryObjectHolder>() { None } else { object.try_iter().ok() };
    let Some(items) = items else {
        let kind = object.get_type().name()?;
        let text = format!("{what} must be a tuple of up to three integers, got an object of type {kind}");
        return Err(PyTypeError::new_err(text));
    };
    items.take(MOST).map(|item| size(&item?, object, what)).collect()
}

/// One size; errors show what it stands in. What its `__index__` raises comes through.
fn size(item: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    item.extract().map_err(|error: PyErr| {
        let text = format!("{what}: {object} has an entry that is no size: {}", error.value(object.py()));
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            PyValueError::new_err(text)
        } else if error.is_instance_of::<PyTypeError>(object.py()) {
            PyTypeError::new_err(text)
        } else {
            error
        }
    })
}

/// Exactly `N` sizes, or fewer, filled with `fill`. A single integer counts as one size.
pub(crate) fn filled<const N: usize>(
    object: &Bound<'_, PyAny>,
    fill: usize,
    what: &str,
) -> PyResult<[usize; N]> {
    let given = match object.extract::<usize>() {
        Ok(one) => Sizes::from_slice(&[one]),
        Err(_) => sizes(object)?,
    };
    if given.len() > N {
        return Err(PyTypeError::new_err(format!(
            "{what} has {} entries, at most {N} are allowed",
            given.len()
        )));
    }
    let mut result = [fill; N];
    result[..given.len()].copy_from_slice(&given);
    Ok(result)
}
