//! Views: transposition, shapes; copies and conversions.

use opencl_array::Scalar;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::Array;
use super::class::{order, shape as lengths};
use super::fuse::fusing;
use super::operand::scalar;
use super::structured;
use super::subclass::QueueArgument;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// A view of an array with another shape or other strides, in bytes, from the same first element on.
///
/// Raises :class:`ValueError` if it reaches beyond the memory.
#[pyfunction]
#[pyo3(signature = (ary, shape = None, strides = None))]
fn as_strided(
    ary: &Bound<'_, Array>,
    shape: Option<&Bound<'_, PyAny>>,
    strides: Option<Vec<isize>>,
) -> PyResult<Py<Array>> {
    let array = ary.get().runtime()?;
    let shape = shape.map_or_else(|| Ok(array.shape().into()), lengths)?;
    let strides = strides.as_deref().unwrap_or(array.layout().strides());
    Array::view_of(ary, array.as_strided(&shape, strides).array_result()?)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(as_strided, m)?)
}

#[pymethods]
impl Array {
    /// The array with its axes reversed: a view.
    #[getter(T)]
    fn transposed(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        Self::transpose(slf, None)
    }

    /// The array with its axes in another order, reversed by default: a view.
    #[pyo3(signature = (axes = None))]
    fn transpose(slf: &Bound<'_, Self>, axes: Option<Vec<isize>>) -> PyResult<Py<Self>> {
        let array = slf.get().runtime()?;
        let count = array.layout().ndim().cast_signed();
        let place = |axis: isize| if axis < 0 { axis + count } else { axis }.cast_unsigned();
        let axes = axes.map(|axes| axes.into_iter().map(place).collect::<Vec<_>>());
        let view = array.transpose(axes.as_deref()).array_result()?;
        Self::view_of(slf, view)
    }

    /// The array with another shape: a view where possible, else a copy.
    #[pyo3(signature = (*shape, **kwargs))]
    fn reshape(
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Self>> {
        let mut named = None;
        for (name, value) in kwargs.into_iter().flatten() {
            match name.extract::<&str>()? {
                "order" => named = Some(value.extract::<String>()?),
                other => {
                    let text = format!("reshape() got an unexpected keyword argument '{other}'");
                    return Err(PyTypeError::new_err(text));
                }
            }
        }
        let order = order(named.as_deref().unwrap_or("C"))?;
        let lengths = match shape.get_borrowed_item(0) {
            Ok(only) if shape.len() == 1 && only.extract::<i64>().is_err() => {
                only.try_iter()?.map(|item| item?.extract()).collect::<PyResult<Vec<i64>>>()?
            }
            _ => shape.iter_borrowed().map(|item| item.extract()).collect::<PyResult<_>>()?,
        };
        let array = slf.get().runtime()?;
        match array.reshape(&lengths, order) {
            Err(opencl_array::Error::ReshapeCopies { .. }) => {
                let copy = array.copy_in(order, None).array_result()?;
                Self::result(slf, copy.reshape(&lengths, order).array_result()?)
            }
            other => Self::view_of(slf, other.array_result()?),
        }
    }

    /// All elements in one dimension: a view where possible, else a copy.
    #[pyo3(signature = (order = "C"))]
    fn ravel(slf: &Bound<'_, Self>, order: &str) -> PyResult<Py<Self>> {
        let keywords = PyDict::new(slf.py());
        keywords.set_item("order", order)?;
        Self::reshape(slf, &PyTuple::new(slf.py(), [-1])?, Some(&keywords))
    }

    /// The array without axes of length 1: a view.
    fn squeeze(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        Self::view_of(slf, slf.get().runtime()?.squeeze())
    }

    /// The same bytes as another dtype: a view.
    #[pyo3(signature = (dtype = None))]
    fn view(slf: &Bound<'_, Self>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        let array = slf.get().runtime()?;
        let view = match dtype {
            Some(dtype) => array.view_as(dtype::from_numpy(dtype)?).array_result()?,
            None => array.clone(),
        };
        Self::view_of(slf, view)
    }

    /// The elements converted to another dtype, in a new array.
    #[pyo3(signature = (dtype, queue = None))]
    fn astype(
        slf: &Bound<'_, Self>,
        dtype: &Bound<'_, PyAny>,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let dtype = dtype::from_numpy(dtype)?;
        if let (None, Some(fusing)) = (queue, fusing(slf)?) {
            let converted = slf.get().value()?.lazy(slf.py())?.cast(dtype).array_result()?;
            return fusing.get().defer(slf, converted);
        }
        let queue = slf.get().queue_or(slf.py(), queue)?;
        Self::result(slf, slf.get().runtime()?.cast(dtype, Some(queue)).array_result()?)
    }

    /// The elements in a new array, whose queue is *queue*: by default, or if that is a class, the array's own. The
    /// copy of ``copy(queue=None)`` has none.
    #[pyo3(signature = (queue = QueueArgument::Own))]
    fn copy<'py>(slf: &Bound<'py, Self>, queue: QueueArgument<'py>) -> PyResult<Py<Self>> {
        let (array, py) = (slf.get(), slf.py());
        match queue {
            QueueArgument::Own => {
                let copy = array.runtime()?.copy(Some(array.queue(py)?)).array_result()?;
                Self::result(slf, copy)
            }
            QueueArgument::Given(queue) => {
                let enqueue_to = array.queue_or(py, queue.as_ref())?;
                let copy = array.runtime()?.copy(Some(enqueue_to)).array_result()?;
                Self::beside(slf, copy, queue.as_ref())
            }
        }
    }

    /// Set every element to *value*; returns the array itself.
    #[pyo3(signature = (value, queue = None, wait_for = None))]
    pub(super) fn fill<'py>(
        slf: Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let array = slf.get().runtime()?;
        for event in Events::new(wait_for)?.iter() {
            array.storage().add_event(event.try_clone().into_py()?).array_result()?;
        }
        let queue = slf.get().queue_or(slf.py(), queue)?;
        if let Some(from) = structured::value(array, value, || Ok(queue))? {
            array.assign(&from, Some(queue)).array_result()?;
            return Ok(slf);
        }
        let number: Scalar = scalar(value.as_borrowed())?.ok_or_else(|| {
            PyTypeError::new_err(format!("fill: expected a number, got an object of {}", value.get_type()))
        })?;
        array.fill(number, Some(queue)).array_result()?;
        Ok(slf)
    }
}
