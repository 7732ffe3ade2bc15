//! Indexing, read and written; entries that are no arrays.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use opencl_array::{Array as Runtime, Index, Operand as RuntimeOperand};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySequence, PySlice, PyString, PyTuple};
use smallvec::SmallVec;

use super::Array;
use super::fuse;
use super::operand::{Operand, operand};
use super::structured;
use super::subscript::subscripts;
use super::transfer::upload;
use crate::cl::queue::CommandQueue;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

pub(super) type Indices = SmallVec<[Index; 6]>;

/// The entries of an index that names a part of the memory.
pub(super) fn indices(index: &Bound<'_, PyAny>) -> PyResult<Indices> {
    basic(index)?
        .ok_or_else(|| PyIndexError::new_err("a part is named by integers and slices, not by an array"))
}

/// An entry that is no array; `None` for another one.
pub(super) fn basic_entry(entry: &Bound<'_, PyAny>) -> PyResult<Option<Index>> {
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
        return Ok(Some(Index::Slice { start, stop, step }));
    }
    if let Ok(position) = entry.cast_exact::<PyInt>() {
        let far = |_| PyIndexError::new_err(format!("index {} is beyond every axis", &*position));
        return position.extract().map(|position| Some(Index::At(position))).map_err(far);
    }
    if entry.is_instance_of::<PyBool>() {
        // Not 0 or 1, which an integer's way would make of it.
        return Err(PyIndexError::new_err("truth values are no indices of an array"));
    }
    if entry.is_none() {
        return Ok(Some(Index::NewAxis));
    }
    if entry.cast::<PyEllipsis>().is_ok() {
        return Ok(Some(Index::Ellipsis));
    }
    // NumPy's integers without dimensions are integers.
    if entry.is_instance_of::<Array>() || entry.cast::<PyUntypedArray>().is_ok_and(|host| host.ndim() > 0) {
        return Ok(None);
    }
    match entry.extract() {
        Ok(position) => Ok(Some(Index::At(position))),
        Err(_) if entry.cast::<PySequence>().is_ok() && entry.cast::<PyString>().is_err() => Ok(None),
        Err(_) => {
            let kind = entry.get_type();
            Err(PyIndexError::new_err(format!(
                "an index is an integer, a slice, None, an ellipsis or an array, not an object of {kind}"
            )))
        }
    }
}

/// The entries of an index without arrays; `None` for one that has other entries, which [`subscripts`] takes.
fn basic(index: &Bound<'_, PyAny>) -> PyResult<Option<Indices>> {
    match index.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter_borrowed().map(|entry| basic_entry(&entry)).collect(),
        Err(_) => Ok(basic_entry(index)?.map(|entry| Indices::from_slice(&[entry]))),
    }
}

#[pymethods]
impl Array {
    /// The part that an index names: a view, or new memory if the index has an array. An index is an integer, a slice,
    /// ``None``, ``...``, an array or a list, a tuple of those, or a field's name.
    /// Which arrays are masks and which positions, the class says. Raises :class:`IndexError`.
    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let array = slf.get().runtime()?;
        if let Some(field) = structured::field(array, index)? {
            return Self::view_of(slf, field);
        }
        match basic(index)? {
            Some(indices) => Self::view_of(slf, array.index(&indices).array_result()?),
            None => {
                let index = subscripts(index, slf.get())?;
                Self::result(slf, array.get_at(&index.subscripts(), None).array_result()?)
            }
        }
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_item(index, value, None)
    }

    /// Set the elements that *subscript* names to *value*, as an assignment to them does.
    #[pyo3(signature = (subscript, value, queue = None, wait_for = None))]
    fn setitem(
        &self,
        subscript: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        queue: Option<&Bound<'_, CommandQueue>>,
        wait_for: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let queue = self.queue_or(subscript.py(), queue)?;
        for event in Events::new(wait_for)?.iter() {
            self.runtime()?.storage().add_event(event.try_clone().into_py()?).array_result()?;
        }
        self.set_item(subscript, value, Some(queue))
    }
}

impl Array {
    fn set_item(
        &self,
        index: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        queue: Option<&RuntimeQueue>,
    ) -> PyResult<()> {
        let whole = self.runtime()?;
        let field = structured::field(whole, index)?;
        let array = field.as_ref().unwrap_or(whole);
        // All of a field.
        let basic = if field.is_some() { Some(Indices::new()) } else { basic(index)? };
        if let (Some(indices), None, Some(deferred)) = (&basic, queue, fuse::pending(value)?) {
            return deferred.assign_to(&array.index(indices).array_result()?).array_result();
        }
        let value = value_of(value, array, self)?;
        match basic {
            Some(indices) => {
                let part = array.index(&indices).array_result()?;
                match value.runtime() {
                    RuntimeOperand::Scalar(number) => part.fill(number, queue),
                    RuntimeOperand::Array(from) => part.assign(from, queue),
                }
                .array_result()
            }
            None => {
                let index = subscripts(index, self)?;
                array.set_at(&index.subscripts(), value.runtime(), queue).array_result()
            }
        }
    }
}

/// What elements are set to: an operand, or what NumPy makes an array of.
fn value_of<'a>(value: &'a Bound<'_, PyAny>, array: &Runtime, partner: &Array) -> PyResult<Operand<'a>> {
    if let Some(from) = structured::value(array, value, || partner.queue(value.py()))? {
        return Ok(Operand::Uploaded(from));
    }
    if let Some(operand) = operand(value.as_borrowed(), partner)? {
        return Ok(operand);
    }
    if value.cast::<PySequence>().is_ok() && value.cast::<PyString>().is_err() {
        let host = value.py().import("numpy")?.call_method1("asarray", (value,))?;
        let queue = partner.queue(value.py())?;
        return Ok(Operand::Uploaded(upload(queue, host.cast::<PyUntypedArray>()?)?));
    }
    let kind = value.get_type();
    Err(PyTypeError::new_err(format!("cannot set elements to an object of {kind}")))
}
