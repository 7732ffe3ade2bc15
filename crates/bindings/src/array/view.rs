//! Views: transposition, shapes; copies and conversions.

use opencl_array::Scalar;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::Array;
use super::class::order;
use super::operand::scalar;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

#[pymethods]
impl Array {
    /// The array with its axes reversed: a view.
    #[getter(T)]
    fn transposed(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        self.transpose(py, None)
    }

    /// The array with its axes in another order, reversed by default: a view.
    #[pyo3(signature = (axes = None))]
    fn transpose(&self, py: Python<'_>, axes: Option<Vec<isize>>) -> PyResult<Py<Self>> {
        let array = self.runtime()?;
        let count = array.layout().ndim().cast_signed();
        let place = |axis: isize| if axis < 0 { axis + count } else { axis }.cast_unsigned();
        let axes = axes.map(|axes| axes.into_iter().map(place).collect::<Vec<_>>());
        let view = array.transpose(axes.as_deref()).array_result()?;
        self.view_of(py, view)
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
                slf.get().result(slf.py(), copy.reshape(&lengths, order).array_result()?)
            }
            other => slf.get().view_of(slf.py(), other.array_result()?),
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
    fn squeeze(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        self.view_of(py, self.runtime()?.squeeze())
    }

    /// The same bytes as another dtype: a view.
    #[pyo3(signature = (dtype = None))]
    fn view(&self, py: Python<'_>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        let array = self.runtime()?;
        let view = match dtype {
            Some(dtype) => array.view_as(dtype::from_numpy(dtype)?).array_result()?,
            None => array.clone(),
        };
        self.view_of(py, view)
    }

    /// The elements converted to another dtype, in a new array.
    #[pyo3(signature = (dtype, queue = None))]
    fn astype(
        &self,
        py: Python<'_>,
        dtype: &Bound<'_, PyAny>,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let dtype = dtype::from_numpy(dtype)?;
        let queue = self.queue_or(py, queue)?;
        self.result(py, self.runtime()?.cast(dtype, Some(queue)).array_result()?)
    }

    /// The elements in a new array. *queue* is that of the copy, by default the array's own.
    #[pyo3(signature = (queue = None))]
    fn copy(&self, py: Python<'_>, queue: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        let given = queue.and_then(|queue| queue.cast::<CommandQueue>().ok());
        let runtime_queue = self.queue_or(py, given)?;
        let copy = self.result(py, self.runtime()?.copy(Some(runtime_queue)).array_result()?)?;
        match given {
            Some(queue) => copy.get().with_queue(py, Some(queue)),
            None => Ok(copy),
        }
    }

    /// Set every element to *value*; returns the array itself.
    #[pyo3(signature = (value, queue = None, wait_for = None))]
    fn fill<'py>(
        slf: Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        queue: Option<&Bound<'py, CommandQueue>>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let array = slf.get().runtime()?;
        for event in Events::new(wait_for)?.iter() {
            array.storage().add_event(event.try_clone().into_py()?);
        }
        let number: Scalar = scalar(value.as_borrowed())?.ok_or_else(|| {
            PyTypeError::new_err(format!("fill: expected a number, got an object of {}", value.get_type()))
        })?;
        let queue = slf.get().queue_or(slf.py(), queue)?;
        array.fill(number, Some(queue)).array_result()?;
        Ok(slf)
    }
}
