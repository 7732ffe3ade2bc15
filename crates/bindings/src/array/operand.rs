//! Operands of operations: arrays, NumPy scalars, Python numbers, host arrays.

use num_complex::{Complex32, Complex64};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use opencl_array::{Array as Runtime, DType, Operand as RuntimeOperand, Scalar};
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt};

use super::Array;
use super::structured;
use super::transfer::upload;
use crate::convert::arg::scalar_bytes;
use crate::convert::dtype;

/// An operand that is no array of its own class yet, or one.
pub(super) enum Operand<'a> {
    Borrowed(&'a Runtime),
    Uploaded(Runtime),
    Scalar(Scalar),
}

impl Operand<'_> {
    pub(super) fn runtime(&self) -> RuntimeOperand<'_> {
        match self {
            Self::Borrowed(array) => RuntimeOperand::Array(array),
            Self::Uploaded(array) => RuntimeOperand::Array(array),
            Self::Scalar(scalar) => RuntimeOperand::Scalar(*scalar),
        }
    }

    /// The array that `object` stands for; the function `name` does not take numbers.
    pub(super) fn array(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<&Runtime> {
        match self {
            Self::Borrowed(array) => Ok(array),
            Self::Uploaded(array) => Ok(array),
            Self::Scalar(_) => {
                let kind = object.get_type();
                Err(PyTypeError::new_err(format!("{name} takes arrays, not an object of {kind}")))
            }
        }
    }
}

/// The operand that an object stands for beside `partner`, to whose queue host arrays are copied; `None` if
/// it stands for none.
#[inline]
pub(super) fn operand<'a>(object: Borrowed<'a, '_, PyAny>, partner: &Array) -> PyResult<Option<Operand<'a>>> {
    if let Ok(array) = object.cast::<Array>() {
        return array.get().runtime().map(|array| Some(Operand::Borrowed(array)));
    }
    if let Some(scalar) = scalar(object)? {
        let huge = matches!(scalar, Scalar::WeakFloat(_)) && object.is_instance_of::<PyInt>();
        if huge && partner.runtime()?.dtype().is_integer() {
            let dtype = partner.runtime()?.dtype().name();
            return Err(PyOverflowError::new_err(format!(
                "integer {} is out of bounds for {dtype}",
                &*object
            )));
        }
        return Ok(Some(Operand::Scalar(scalar)));
    }
    let host = match object.cast::<PyUntypedArray>() {
        Ok(host) => host.to_owned(),
        Err(_) => match structured::element(object)? {
            Some(element) => element,
            None => return Ok(None),
        },
    };
    if host.ndim() == 0 && dtype::from_numpy(host.dtype().as_any())?.is_number() {
        // NumPy's arrays without dimensions count like its scalars.
        let item = host.call_method1("__getitem__", ((),))?;
        return Ok(scalar(item.as_borrowed())?.map(Operand::Scalar));
    }
    let queue = partner.queue(object.py())?;
    let array = upload(queue, &host)?.with_allocator(partner.runtime()?.allocator().cloned());
    Ok(Some(Operand::Uploaded(array)))
}

/// The first array among the operands of the function `name`; an error if there is none.
pub(super) fn partner<'a, 'py>(
    operands: &[&'a Bound<'py, PyAny>],
    name: &str,
) -> PyResult<&'a Bound<'py, Array>> {
    let found = operands.iter().find_map(|operand| operand.cast::<Array>().ok());
    found.ok_or_else(|| PyTypeError::new_err(format!("{name}: none of the operands is an array")))
}

/// An operand of the function `name` beside `partner`; an error for what is none.
pub(super) fn required<'a>(
    object: &'a Bound<'_, PyAny>,
    partner: &Array,
    name: &str,
) -> PyResult<Operand<'a>> {
    operand(object.as_borrowed(), partner)?.ok_or_else(|| {
        PyTypeError::new_err(format!("{name} does not take an object of {}", object.get_type()))
    })
}

/// A number: NumPy's are strong, Python's weak; `None` for anything else.
#[inline]
pub(super) fn scalar(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<Scalar>> {
    if let Ok(number) = object.cast_exact::<PyInt>() {
        return weak_integer(&number).map(Some);
    }
    if let Ok(number) = object.cast_exact::<PyFloat>() {
        return Ok(Some(Scalar::WeakFloat(number.extract()?)));
    }
    if let Some(dtype) = dtype::of_scalar(object)? {
        return Ok(Some(strong(dtype, &scalar_bytes(object, dtype.size()))));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Some(Scalar::Bool(truth.is_true())));
    }
    if let Ok(number) = object.cast::<PyInt>() {
        return weak_integer(&number).map(Some);
    }
    if let Ok(number) = object.cast::<PyComplex>() {
        return Ok(Some(Scalar::WeakComplex(Complex64::new(number.real(), number.imag()))));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(Some(Scalar::WeakFloat(number.extract()?)));
    }
    other_scalar(&object)
}

fn weak_integer(number: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    if let Ok(small) = number.extract::<i64>() {
        return Ok(Scalar::WeakInt(small.into()));
    }
    if let Ok(large) = number.extract::<i128>() {
        return Ok(Scalar::WeakInt(large));
    }
    // No integer dtype is near to holding it, so that it can only be meant as a floating-point number.
    number.extract().map(Scalar::WeakFloat)
}

/// NumPy scalars whose type is not the usual one of their dtype, `numpy.longlong` for instance.
#[cold]
fn other_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    let generic = object.py().import("numpy")?.getattr("generic")?;
    if !object.is_instance(&generic)? {
        return Ok(None);
    }
    let dtype = dtype::from_numpy(&object.getattr("dtype")?)?;
    if !dtype.is_number() {
        return Ok(None);
    }
    let usual = object.py().import("numpy")?.getattr(dtype.name())?.call1((object,))?;
    Ok(Some(strong(dtype, &scalar_bytes(usual.as_borrowed(), dtype.size()))))
}

/// A strong scalar of its bytes.
fn strong(dtype: DType, bytes: &[u8; 16]) -> Scalar {
    macro_rules! part {
        ($type:ty, $at:literal) => {{
            let mut part = [0; size_of::<$type>()];
            part.copy_from_slice(&bytes[$at..$at + size_of::<$type>()]);
            <$type>::from_ne_bytes(part)
        }};
    }
    match dtype {
        DType::Bool => Scalar::Bool(bytes[0] != 0),
        DType::I8 => Scalar::I8(part!(i8, 0)),
        DType::U8 => Scalar::U8(bytes[0]),
        DType::I16 => Scalar::I16(part!(i16, 0)),
        DType::U16 => Scalar::U16(part!(u16, 0)),
        DType::I32 => Scalar::I32(part!(i32, 0)),
        DType::U32 => Scalar::U32(part!(u32, 0)),
        DType::I64 => Scalar::I64(part!(i64, 0)),
        DType::U64 => Scalar::U64(part!(u64, 0)),
        DType::F16 => Scalar::F16(half::f16::from_bits(part!(u16, 0))),
        DType::F32 => Scalar::F32(part!(f32, 0)),
        DType::C64 => Scalar::C64(Complex32::new(part!(f32, 0), part!(f32, 4))),
        DType::C128 => Scalar::C128(Complex64::new(part!(f64, 0), part!(f64, 8))),
        // Float64, and what later versions of the array crate add.
        _ => Scalar::F64(part!(f64, 0)),
    }
}
