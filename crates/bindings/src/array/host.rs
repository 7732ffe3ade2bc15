//! Arrays as Python's and NumPy's own: numbers, iteration, membership, host arrays.

use opencl_array::layout::Tuple;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyRange};

use super::Array;

/// The only element of an array as a scalar of NumPy; an error for other arrays.
fn only_element<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, PyAny>> {
    let array = slf.get().runtime()?;
    if array.layout().size() != 1 {
        let shape = Tuple(array.shape());
        let text = format!("only arrays of one element are numbers, not one of shape {shape}");
        return Err(PyTypeError::new_err(text));
    }
    Array::get_object(slf)?.call_method0(intern!(slf.py(), "item"))
}

/// A call of a function of `builtins` with the only element.
fn builtin<'py>(slf: &Bound<'py, Array>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    slf.py().import("builtins")?.call_method1(name, (only_element(slf)?,))
}

#[pymethods]
impl Array {
    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        builtin(slf, "int")
    }

    fn __float__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        builtin(slf, "float")
    }

    fn __complex__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        builtin(slf, "complex")
    }

    /// The element of an integer array without dimensions.
    fn __index__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let array = slf.get().runtime()?;
        if array.layout().ndim() > 0 || !array.dtype().is_integer() {
            let (dtype, shape) = (array.dtype(), Tuple(array.shape()));
            return Err(PyTypeError::new_err(format!(
                "only integer arrays without dimensions are indices, not one of dtype {dtype} and shape {shape}"
            )));
        }
        only_element(slf)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let length =
            slf.len().map_err(|_| PyTypeError::new_err("iteration over an array without dimensions"))?;
        parts(slf, PyRange::new(slf.py(), 0, length.cast_signed())?.as_any())
    }

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        parts(slf, PyRange::new_with_step(slf.py(), slf.len()?.cast_signed() - 1, -1, -1)?.as_any())
    }

    /// Whether an element is equal to `value`.
    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let equal = slf.as_any().rich_compare(value, pyo3::basic::CompareOp::Eq)?;
        match equal.cast::<Self>() {
            Ok(equal) => Self::any(equal, None, None)?.bind(slf.py()).is_truthy(),
            Err(_) => equal.is_truthy(),
        }
    }

    fn __format__<'py>(slf: &Bound<'py, Self>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        if spec.is_empty() {
            return Ok(slf.str()?.into_any());
        }
        Self::get_object(slf)?.call_method1(intern!(slf.py(), "__format__"), (spec,))
    }

    /// The elements in a NumPy array, converted to *dtype* if that is given. This is what :func:`numpy.asarray` calls:
    /// the elements are copied from the device, so that ``copy=False`` is refused.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("the elements cannot be had on the host without a copy"));
        }
        let host = Self::get_object(slf)?;
        let Some(dtype) = dtype else { return Ok(host) };
        let keywords = PyDict::new(slf.py());
        keywords.set_item("copy", false)?;
        host.call_method("astype", (dtype,), Some(&keywords))
    }
}

/// An iterator over the parts along the first axis, by position.
fn parts<'py>(slf: &Bound<'py, Array>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let py = slf.py();
    let part = slf.getattr(intern!(py, "__getitem__"))?;
    py.import("builtins")?.call_method1("map", (part, positions))?.try_iter()
}
