//! Which dtype holds the values of two: NumPy 2's promotion (NEP 50).

use super::{DType, Kind, Scalar, Vector};
use crate::error::{Error, Result};

/// The dtype to which both can be converted: of numbers as [`promote`] says, of a vector and a number or a vector of as
/// many components the vector of what the components have in common, of equal records that.
///
/// # Errors
/// [`Error::Undefined`] if there is none.
pub fn common(operation: &'static str, a: DType, b: DType) -> Result<DType> {
    let vector = |vector: Vector, other: DType| vector.with_element(promote(vector.element(), other));
    let undefined = || Error::Undefined { operation, dtypes: vec![a, b] };
    match (a, b) {
        _ if a == b => Ok(a),
        _ if a.is_number() && b.is_number() => Ok(promote(a, b)),
        (DType::Vector(x), DType::Vector(y)) if x.lanes() == y.lanes() => {
            vector(x, y.element()).map(DType::Vector).ok_or_else(undefined)
        }
        (DType::Vector(x), other) | (other, DType::Vector(x)) if other.is_number() => {
            vector(x, other).map(DType::Vector).ok_or_else(undefined)
        }
        _ => Err(undefined()),
    }
}

/// The smallest dtype of numbers to which both can be converted as NumPy promotes arrays and NumPy scalars. Vectors and
/// records are for [`common`]; here they stay as they are.
#[must_use]
pub const fn promote(a: DType, b: DType) -> DType {
    use Kind::*;
    match (a.kind(), b.kind()) {
        (Kind::Vector | Kind::Record, _) => a,
        (_, Kind::Vector | Kind::Record) => b,
        (Bool, _) => b,
        (_, Bool) => a,
        (Signed, Signed) | (Unsigned, Unsigned) | (Float, Float) | (Complex, Complex) => {
            if a.size() >= b.size() { a } else { b }
        }
        (Signed, Unsigned) => mixed_sign(a, b),
        (Unsigned, Signed) => mixed_sign(b, a),
        (Complex, Signed | Unsigned | Float) => complex_with(a, b),
        (Signed | Unsigned | Float, Complex) => complex_with(b, a),
        (Float, Signed | Unsigned) => float_with(a, b),
        (Signed | Unsigned, Float) => float_with(b, a),
    }
}

const fn mixed_sign(signed: DType, unsigned: DType) -> DType {
    if signed.size() > unsigned.size() {
        return signed;
    }
    match unsigned.size() {
        1 => DType::I16,
        2 => DType::I32,
        4 => DType::I64,
        _ => DType::F64,
    }
}

/// The float whose mantissa NumPy takes as enough for integers of this size, and at least `float`.
const fn float_with(float: DType, integer: DType) -> DType {
    let enough = match integer.size() {
        1 => DType::F16,
        2 => DType::F32,
        _ => DType::F64,
    };
    if float.size() >= enough.size() { float } else { enough }
}

const fn complex_with(complex: DType, other: DType) -> DType {
    let real = match other.kind() {
        Kind::Float => other,
        _ => float_with(DType::F16, other),
    };
    match (complex, real) {
        (DType::C64, DType::F16 | DType::F32) => DType::C64,
        _ => DType::C128,
    }
}

/// The dtype of an operation between a strong dtype of numbers and a scalar that may be weak (a Python number, which
/// takes part with its kind only).
#[must_use]
pub const fn promote_weak(strong: DType, scalar: Scalar) -> DType {
    match scalar {
        Scalar::WeakInt(_) => match strong.kind() {
            Kind::Bool => DType::I64,
            _ => strong,
        },
        Scalar::WeakFloat(_) => match strong.kind() {
            Kind::Float | Kind::Complex => strong,
            _ => DType::F64,
        },
        Scalar::WeakComplex(_) => match strong.kind() {
            Kind::Float | Kind::Complex => strong.complex(),
            _ => DType::C128,
        },
        other => promote(strong, other.dtype()),
    }
}
