//! Which dtype holds the values of two: NumPy 2's promotion (NEP 50).

use super::{DType, Kind, Scalar};

/// The smallest dtype to which both can be converted as NumPy promotes arrays and NumPy scalars.
#[must_use]
pub const fn promote(a: DType, b: DType) -> DType {
    use Kind::*;
    match (a.kind(), b.kind()) {
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

/// The dtype of an operation between a strong dtype and a scalar that may be weak (a Python number, which
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
