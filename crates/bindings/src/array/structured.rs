//! Records and vectors: fields, and values of elements that are no numbers.

use numpy::PyUntypedArray;
use opencl_array::Array as Runtime;
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::Array;
use super::transfer::upload;
use crate::convert::dtype;
use crate::error::ArrayResult;

/// The field that an index names; `None` for an index that is no name.
#[inline]
pub(super) fn field(array: &Runtime, index: &Bound<'_, PyAny>) -> PyResult<Option<Runtime>> {
    let Ok(name) = index.cast::<PyString>() else { return Ok(None) };
    array.field(name.to_str()?).array_result().map(Some)
}

/// A value for elements that are no numbers, converted as NumPy does, on the device; `None` for elements that are
/// numbers, and for arrays of the device.
#[inline]
pub(super) fn value<'a>(
    array: &Runtime,
    value: &Bound<'_, PyAny>,
    queue: impl FnOnce() -> PyResult<&'a RuntimeQueue>,
) -> PyResult<Option<Runtime>> {
    if array.dtype().is_number() || value.is_instance_of::<Array>() {
        return Ok(None);
    }
    let py = value.py();
    let arguments = PyDict::new(py);
    arguments.set_item("dtype", dtype::to_numpy(py, array.dtype())?)?;
    let host = py.import("numpy")?.call_method("asarray", (value,), Some(&arguments))?;
    upload(queue()?, &host.cast_into::<PyUntypedArray>()?).map(Some)
}

/// An element that NumPy holds as an object of its own (`numpy.void`), as a host array without dimensions.
pub(super) fn element<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    let numpy = object.py().import("numpy")?;
    if !object.is_instance(&numpy.getattr("void")?)? {
        return Ok(None);
    }
    Ok(Some(numpy.call_method1("asarray", (object,))?.cast_into()?))
}
