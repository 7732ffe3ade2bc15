//! Sizes: iterables of integers of any kind, NumPy's among them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

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
