//! Operators of arithmetic.
#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "the code that PyO3 generates counts as this file's inside of a macro"
)]

use opencl_array::expr::{BinaryOp, UnaryOp};
use opencl_array::ops;
use pyo3::prelude::*;
use pyo3::types::{PyNotImplemented, PyTuple};

use super::Array;
use super::elementwise::unary;
use super::fuse::{self, fusing};
use super::operand::operand;
use crate::error::{ArrayResult, array_error};

/// `slf op other`, or `other op slf` if `reflected`; `NotImplemented` for what is no operand.
#[inline]
pub(super) fn binary(
    slf: &Bound<'_, Array>,
    op: BinaryOp,
    other: &Bound<'_, PyAny>,
    reflected: bool,
) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let array = slf.get();
    if let Some(fusing) = fusing(slf)? {
        let deferred = fusing.get().binary(slf, op, other, reflected)?;
        return Ok(deferred.map_or_else(|| py.NotImplemented(), Py::into_any));
    }
    let partner = other;
    let Some(other) = operand(other.as_borrowed(), array)? else {
        return Ok(PyNotImplemented::get(py).to_owned().into_any().unbind());
    };
    let runtime = array.runtime()?;
    let result = if reflected {
        ops::binary(op, other.runtime(), runtime, None)
    } else {
        ops::binary(op, runtime, other.runtime(), None)
    };
    // Not by `?`: an array is large to be moved about.
    match result {
        Ok(result) if array.queue_object()?.is_some() => Array::result(slf, result).map(Py::into_any),
        Ok(result) => on_queue_of(slf, partner, result).map(Py::into_any),
        Err(error) => Err(array_error(&error)),
    }
}

/// The result of an array that has no queue: its queue is that of the partner, which computed it.
#[cold]
fn on_queue_of(
    slf: &Bound<'_, Array>,
    partner: &Bound<'_, PyAny>,
    result: opencl_array::Array,
) -> PyResult<Py<Array>> {
    match partner.cast::<Array>() {
        Ok(partner) => {
            let queue = partner.get().queue_object()?.map(|queue| queue.bind(slf.py()));
            Array::beside(slf, result, queue)
        }
        Err(_) => Array::result(slf, result),
    }
}

/// `slf op= other`.
fn in_place(slf: &Bound<'_, Array>, op: BinaryOp, other: &Bound<'_, PyAny>) -> PyResult<()> {
    if fuse::in_place(slf, op, other)? {
        return Ok(());
    }
    let array = slf.get();
    let Some(other) = operand(other.as_borrowed(), array)? else {
        let kind = other.get_type().name()?.to_string();
        let text = format!("unsupported operand type for an in-place operation of an array: '{kind}'");
        return Err(pyo3::exceptions::PyTypeError::new_err(text));
    };
    let runtime = array.runtime()?;
    ops::binary_into(op, runtime, other.runtime(), runtime, None).array_result()
}

macro_rules! operators {
    ($($name:ident $reflected:ident $op:ident;)*) => {
        #[pymethods]
        impl Array {
            $(
                fn $name(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(slf, BinaryOp::$op, other, false)
                }

                fn $reflected(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(slf, BinaryOp::$op, other, true)
                }
            )*
        }
    };
}

operators! {
    __add__ __radd__ Add;
    __sub__ __rsub__ Subtract;
    __mul__ __rmul__ Multiply;
    __truediv__ __rtruediv__ TrueDivide;
    __floordiv__ __rfloordiv__ FloorDivide;
    __mod__ __rmod__ Modulo;
    __lshift__ __rlshift__ LeftShift;
    __rshift__ __rrshift__ RightShift;
    __and__ __rand__ And;
    __or__ __ror__ Or;
    __xor__ __rxor__ Xor;
}

macro_rules! in_place_operators {
    ($($name:ident $op:ident;)*) => {
        #[pymethods]
        impl Array {
            $(
                fn $name(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
                    in_place(slf, BinaryOp::$op, other)
                }
            )*
        }
    };
}

in_place_operators! {
    __iadd__ Add;
    __isub__ Subtract;
    __imul__ Multiply;
    __itruediv__ TrueDivide;
    __ifloordiv__ FloorDivide;
    __imod__ Modulo;
    __ilshift__ LeftShift;
    __irshift__ RightShift;
    __iand__ And;
    __ior__ Or;
    __ixor__ Xor;
}

#[pymethods]
impl Array {
    fn __pow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        refuse_modulo(modulo)?;
        binary(slf, BinaryOp::Power, other, false)
    }

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulo: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        refuse_modulo(modulo)?;
        binary(slf, BinaryOp::Power, other, true)
    }

    fn __ipow__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, modulo: &Bound<'_, PyAny>) -> PyResult<()> {
        refuse_modulo(modulo)?;
        in_place(slf, BinaryOp::Power, other)
    }

    fn __divmod__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divmod(slf, other, false)
    }

    fn __rdivmod__<'py>(slf: &Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        divmod(slf, other, true)
    }

    /// The same as division.
    fn __div__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, BinaryOp::TrueDivide, other, false)
    }

    /// The same as division.
    fn __rdiv__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(slf, BinaryOp::TrueDivide, other, true)
    }

    fn __neg__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        unary(slf, UnaryOp::Negative)
    }

    fn __pos__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }
}

/// Quotient and remainder; `NotImplemented` for what is no operand.
fn divmod<'py>(
    slf: &Bound<'py, Array>,
    other: &Bound<'py, PyAny>,
    reflected: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let quotient = binary(slf, BinaryOp::FloorDivide, other, reflected)?.into_bound(slf.py());
    if quotient.is(PyNotImplemented::get(slf.py())) {
        return Ok(quotient);
    }
    let rest = binary(slf, BinaryOp::Modulo, other, reflected)?.into_bound(slf.py());
    Ok(PyTuple::new(slf.py(), [quotient, rest])?.into_any())
}

fn refuse_modulo(modulo: &Bound<'_, PyAny>) -> PyResult<()> {
    if modulo.is_none() {
        return Ok(());
    }
    Err(pyo3::exceptions::PyTypeError::new_err("pow() of arrays takes no modulus"))
}
