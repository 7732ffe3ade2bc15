//! Indexing with integers, slices, `None` and an ellipsis, read and written.

use opencl_array::Index;
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyTuple};
use smallvec::SmallVec;

use super::Array;
use super::fuse;
use super::operand::{Operand, operand};
use crate::error::ArrayResult;

pub(super) type Indices = SmallVec<[Index; 6]>;

/// The entries of an index.
pub(super) fn indices(index: &Bound<'_, PyAny>) -> PyResult<Indices> {
    match index.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter_borrowed().map(|entry| entry_of(&entry)).collect(),
        Err(_) => Ok(Indices::from_slice(&[entry_of(index)?])),
    }
}

fn entry_of(entry: &Bound<'_, PyAny>) -> PyResult<Index> {
    if let Ok(slice) = entry.cast_exact::<PySlice>() {
        let bound = |name| {
            let value = slice.getattr(name)?;
            if value.is_none() {
                return Ok(None);
            }
            // As for lists, bounds beyond all indices mean the end.
            let end = || if value.lt(0).unwrap_or(false) { isize::MIN } else { isize::MAX };
            match value.extract::<isize>() {
                Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(Some(end())),
                other => other.map(Some),
            }
        };
        let py = entry.py();
        let step = bound(pyo3::intern!(py, "step"))?.unwrap_or(1);
        let (start, stop) = (bound(pyo3::intern!(py, "start"))?, bound(pyo3::intern!(py, "stop"))?);
        return Ok(Index::Slice { start, stop, step });
    }
    if entry.is_instance_of::<PyBool>() {
        // Not 0 or 1, which an integer's way would make of it.
        return Err(PyIndexError::new_err("truth values are no indices of an array"));
    }
    if entry.is_none() {
        return Ok(Index::NewAxis);
    }
    if entry.cast::<PyEllipsis>().is_ok() {
        return Ok(Index::Ellipsis);
    }
    entry.extract().map(Index::At).map_err(|_| {
        let kind = entry.get_type();
        PyIndexError::new_err(format!(
            "an index is an integer, a slice, None or an ellipsis, not an object of {kind}"
        ))
    })
}

#[pymethods]
impl Array {
    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let view = slf.get().runtime()?.index(&indices(index)?).array_result()?;
        Self::view_of(slf, view)
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let view = self.runtime()?.index(&indices(index)?).array_result()?;
        if let Some(deferred) = fuse::pending(value)? {
            return deferred.assign_to(&view).array_result();
        }
        match operand(value.as_borrowed(), self)? {
            Some(Operand::Scalar(number)) => view.fill(number, None).array_result(),
            Some(Operand::Borrowed(from)) => view.assign(from, None).array_result(),
            Some(Operand::Uploaded(from)) => view.assign(&from, None).array_result(),
            None => {
                let kind = value.get_type();
                Err(pyo3::exceptions::PyTypeError::new_err(format!(
                    "cannot set elements to an object of {kind}"
                )))
            }
        }
    }
}
