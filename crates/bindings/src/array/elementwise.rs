//! Operations by element that have no operator of their own.

use opencl_array::expr::{BinaryOp, UnaryOp};
use opencl_array::ops;
use pyo3::prelude::*;

use super::Array;
use super::fuse::fusing;
use super::logical::lazy;
use super::operand::{partner, required};
use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

pub(super) fn unary(slf: &Bound<'_, Array>, op: UnaryOp) -> PyResult<Py<Array>> {
    let array = slf.get();
    if let Some(fusing) = fusing(slf)? {
        let result = array.value()?.lazy(slf.py())?.unary(op).array_result()?;
        return fusing.get().defer(slf, result);
    }
    Array::result(slf, ops::unary(op, array.runtime()?, None).array_result()?)
}

/// The same for what leaves real elements as they are: the array itself then.
fn unary_of_complex(slf: &Bound<'_, Array>, op: UnaryOp) -> PyResult<Py<Array>> {
    if slf.get().value()?.dtype().is_complex() { unary(slf, op) } else { Ok(slf.clone().unbind()) }
}

#[pymethods]
impl Array {
    fn __abs__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary(slf, UnaryOp::Absolute)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary(slf, UnaryOp::Invert)
    }

    /// The real parts, in new memory; the array itself if its elements are real.
    #[getter]
    fn real(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary_of_complex(slf, UnaryOp::Real)
    }

    /// The imaginary parts, in new memory: zeros if the elements are real.
    #[getter]
    fn imag(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary(slf, UnaryOp::Imag)
    }

    /// The complex conjugates; the array itself if its elements are real.
    fn conj(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary_of_complex(slf, UnaryOp::Conjugate)
    }

    /// The same as :meth:`conj`.
    fn conjugate(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary_of_complex(slf, UnaryOp::Conjugate)
    }
}

/// The greater one of two operands by element, with broadcasting; NaN if one of them is. The result is *out*, if
/// it is given. Without arrays of a device it is NumPy's.
#[pyfunction]
#[pyo3(signature = (a, b, out = None, queue = None))]
fn maximum<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<PyAny>> {
    extremum(BinaryOp::Maximum, a, b, out, queue)
}

/// The lesser one of two operands by element, with broadcasting; NaN if one of them is. The result is *out*, if
/// it is given. Without arrays of a device it is NumPy's.
#[pyfunction]
#[pyo3(signature = (a, b, out = None, queue = None))]
fn minimum<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<PyAny>> {
    extremum(BinaryOp::Minimum, a, b, out, queue)
}

fn extremum<'py>(
    op: BinaryOp,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<PyAny>> {
    let py = a.py();
    if out.is_none() && !a.is_instance_of::<Array>() && !b.is_instance_of::<Array>() {
        return Ok(py.import("numpy")?.getattr(op.name())?.call1((a, b))?.unbind());
    }
    let first = partner(&[a, b], op.name())?;
    if let (None, None, Some(fusing)) = (out, queue, fusing(first)?) {
        let (a, b) = (lazy(a, first, op.name())?, lazy(b, first, op.name())?);
        return fusing.get().defer(first, a.binary(op, &b).array_result()?).map(Py::into_any);
    }
    let partner = first.get();
    let on = queue.map(|queue| queue.get().live(py)).transpose()?;
    let (a, b) = (required(a, partner, op.name())?, required(b, partner, op.name())?);
    match out {
        None => {
            let result = ops::binary(op, a.runtime(), b.runtime(), on).array_result()?;
            Array::result_on(first, result, queue).map(Py::into_any)
        }
        Some(out) => {
            let target = out.get().runtime()?;
            ops::binary_into(op, a.runtime(), b.runtime(), target, on).array_result()?;
            Ok(out.clone().into_any().unbind())
        }
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(maximum, m)?)?;
    m.add_function(wrap_pyfunction!(minimum, m)?)
}
