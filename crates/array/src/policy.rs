//! Policy: which dtype an operation computes in and which it returns.
//!
//! Everything in which the class `pyopencl.array.Array` differs from NumPy stands in this file: comparisons return
//! int8, and sums of integers keep their dtype. Mechanism (promotion, code generation) does not know of it.

use crate::dtype::{DType, Kind, Scalar, promote, promote_weak};
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, Domain, Function, UnaryOp};

mod vector;

pub use vector::{can_cast, check_cast};

/// Dtypes of a binary operation: what the operands are cast to and what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryTypes {
    /// The left operand is cast to this.
    pub lhs: DType,
    /// The right operand is cast to this.
    pub rhs: DType,
    /// The result has this.
    pub result: DType,
}

/// Types of `lhs op rhs` for operands of strong dtype, or `None` where NumPy refuses them.
#[must_use]
pub fn binary_common(op: BinaryOp, lhs: DType, rhs: DType) -> Option<BinaryTypes> {
    if !(lhs.is_number() && rhs.is_number()) {
        return vector::binary(op, lhs, rhs);
    }
    let common = promote(lhs, rhs);
    Some(match op {
        BinaryOp::Add | BinaryOp::Multiply | BinaryOp::Maximum | BinaryOp::Minimum => same(common),
        BinaryOp::Subtract => match common {
            DType::Bool => return None,
            _ => same(common),
        },
        BinaryOp::TrueDivide => match common.kind() {
            Kind::Float | Kind::Complex => same(common),
            _ => same(DType::F64),
        },
        BinaryOp::Power => match common {
            DType::Bool => same(DType::I8),
            _ => same(common),
        },
        BinaryOp::FloorDivide | BinaryOp::Modulo => match common.kind() {
            Kind::Bool => same(DType::I8),
            Kind::Complex => return None,
            _ => same(common),
        },
        BinaryOp::LeftShift | BinaryOp::RightShift => match common.kind() {
            Kind::Bool => same(DType::I8),
            Kind::Float | Kind::Complex => return None,
            _ => same(common),
        },
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => match common.kind() {
            Kind::Float | Kind::Complex => return None,
            _ => same(common),
        },
        _ => match (lhs.kind(), rhs.kind()) {
            // No dtype holds both: compared exactly by their own.
            (Kind::Signed, Kind::Unsigned) | (Kind::Unsigned, Kind::Signed)
                if matches!(common, DType::F64) =>
            {
                BinaryTypes { lhs, rhs, result: COMPARISON }
            }
            _ => BinaryTypes { lhs: common, rhs: common, result: COMPARISON },
        },
    })
}

const fn same(dtype: DType) -> BinaryTypes {
    BinaryTypes { lhs: dtype, rhs: dtype, result: dtype }
}

/// The dtype of comparisons (NumPy: bool).
pub const COMPARISON: DType = DType::I8;

/// Whether an array of this dtype is a mask where it is an index: what comparisons give is one.
#[must_use]
pub fn is_truth(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | COMPARISON)
}

/// Types of `lhs op rhs`, as [`binary_common`], with an error that names the operation.
///
/// # Errors
/// [`Error::Undefined`] where NumPy refuses the dtypes.
pub fn binary(op: BinaryOp, lhs: DType, rhs: DType) -> Result<BinaryTypes> {
    binary_common(op, lhs, rhs)
        .ok_or_else(|| Error::Undefined { operation: op.name(), dtypes: vec![lhs, rhs] })
}

/// The strong dtype that `scalar` takes beside an operand of dtype `other`.
///
/// In comparisons a Python integer that the other dtype does not hold takes a wider type instead of failing.
#[must_use]
pub fn scalar_dtype(op: BinaryOp, other: DType, scalar: Scalar) -> DType {
    match scalar {
        scalar if !other.is_number() => vector::scalar(op, other, scalar),
        Scalar::WeakInt(value) if op.is_comparison() && (other.is_integer() || other == DType::Bool) => {
            if scalar.cast(other).is_ok() && other != DType::Bool {
                other
            } else if i64::try_from(value).is_ok() {
                DType::I64
            } else {
                DType::U64
            }
        }
        Scalar::WeakInt(_)
            if op == BinaryOp::TrueDivide && other.is_integer() && scalar.cast(other).is_err() =>
        {
            // It is divided as a floating-point number anyway.
            DType::F64
        }
        weak if weak.is_weak() => promote_weak(other, weak),
        strong => strong.dtype(),
    }
}

/// Dtype of a unary operation: the operand is cast to the first, the second comes out.
///
/// # Errors
/// [`Error::Undefined`] where NumPy refuses the dtype.
pub fn unary(op: UnaryOp, operand: DType) -> Result<(DType, DType)> {
    let undefined = || Error::Undefined { operation: op.name(), dtypes: vec![operand] };
    match (op, operand.kind()) {
        (_, Kind::Vector | Kind::Record) => vector::unary(op, operand).ok_or_else(undefined),
        (UnaryOp::Negative, Kind::Bool) | (UnaryOp::Invert, Kind::Float | Kind::Complex) => Err(undefined()),
        (UnaryOp::Absolute | UnaryOp::Real | UnaryOp::Imag, _) => Ok((operand, operand.real())),
        (UnaryOp::Negative | UnaryOp::Invert | UnaryOp::Conjugate, _) => Ok((operand, operand)),
    }
}

/// Dtypes of a function call: what the operands are cast to (the first of two alone for one operand) and what
/// comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTypes {
    /// The operands are cast to these.
    pub operands: [DType; 2],
    /// The result has this.
    pub result: DType,
}

/// Dtypes in which a function computes and returns: integers and truth values become floating-point numbers as in
/// NumPy, or stay what they are where NumPy leaves them so. `ilogb` gives floating-point numbers, as this module has
/// always done.
///
/// # Errors
/// [`Error::Undefined`] for dtypes that the function does not take, and for another number of operands.
pub fn function(function: Function, operands: &[DType]) -> Result<CallTypes> {
    let refused = || undefined(function, operands);
    if let &[DType::Vector(vector)] = operands {
        return vector::call(function, vector).ok_or_else(refused);
    }
    if !operands.iter().all(|operand| operand.is_number()) {
        return Err(refused());
    }
    let types = |first: DType, second: DType, result: DType| CallTypes { operands: [first, second], result };
    let real = |dtype: DType| if dtype.is_complex() { Err(refused()) } else { Ok(floating(dtype)) };
    let integer = |dtype: DType| matches!(dtype.kind(), Kind::Bool | Kind::Signed | Kind::Unsigned);
    Ok(match (function.domain(), operands) {
        (Domain::Number, &[a]) => types(floating(a), floating(a), floating(a)),
        (Domain::Complex, &[a]) => types(a.complex(), a, a.complex()),
        (Domain::Real, &[a]) => types(real(a)?, a, real(a)?),
        (Domain::Whole, &[a]) if integer(a) => types(a, a, a),
        (Domain::Whole, &[a]) => types(real(a)?, a, real(a)?),
        (Domain::Exponent, &[a]) => types(real(a)?, a, DType::I32),
        (Domain::Payload, &[a]) => match (a.kind(), a.size()) {
            (Kind::Complex, _) => return Err(refused()),
            (Kind::Float, 8) => types(DType::U64, a, DType::F64),
            (Kind::Float, _) => types(DType::U32, a, a),
            (_, 8) => types(DType::U64, a, DType::F64),
            _ => types(DType::U32, a, DType::F32),
        },
        (Domain::Reals, &[a, b]) => {
            let dtype = promote(real(a)?, real(b)?);
            types(dtype, dtype, dtype)
        }
        (Domain::Remainder, &[a, b]) => {
            let dtype = match promote(a, b) {
                DType::Bool => DType::I8,
                common if integer(common) => common,
                common => real(common)?,
            };
            types(dtype, dtype, dtype)
        }
        (Domain::OrderReal, &[n, a]) if !n.is_complex() => types(DType::I32, real(a)?, real(a)?),
        (Domain::OrderNumber, &[n, a]) if !n.is_complex() => types(DType::I32, floating(a), floating(a)),
        (Domain::Scaled, &[a, b]) if !b.is_complex() => types(real(a)?, b, real(a)?),
        _ => return Err(refused()),
    })
}

/// The error for dtypes that a function does not take.
pub(crate) fn undefined(function: Function, operands: &[DType]) -> Error {
    Error::Undefined { operation: function.name(), dtypes: operands.to_vec() }
}

/// The floating-point dtype in which NumPy computes with numbers of a dtype.
const fn floating(dtype: DType) -> DType {
    match dtype {
        DType::Bool | DType::I8 | DType::U8 => DType::F16,
        DType::I16 | DType::U16 => DType::F32,
        DType::I32 | DType::U32 | DType::I64 | DType::U64 => DType::F64,
        other => other,
    }
}

/// The strong dtype that `scalar` takes as an operand of a function beside an array of dtype `other`: its own, where
/// operands are of different sorts.
#[must_use]
pub fn function_scalar(function: Function, other: DType, scalar: Scalar) -> DType {
    match function.domain() {
        Domain::Scaled | Domain::OrderReal | Domain::OrderNumber => scalar.dtype(),
        _ if !other.is_number() || !scalar.is_weak() => scalar.dtype(),
        // Integers are computed with as floating-point numbers, so that they need not fit the other's dtype.
        Domain::Reals => floating(promote_weak(other, scalar)),
        _ => promote_weak(other, scalar),
    }
}

/// Dtype of a sum of elements (NumPy widens integers to 64 bits; here only truth values are widened).
#[must_use]
pub const fn sum(dtype: DType) -> DType {
    match dtype {
        DType::Bool => DType::I64,
        other => other,
    }
}

/// Whether `array op= operand` may store its result of dtype `from` in the array's dtype `to`. As this class has
/// always done, real results of `+=`, `-=` and `*=` are truncated to integers (NumPy refuses them); the other
/// operations are NumPy's.
#[must_use]
pub fn can_store_in_place(op: BinaryOp, from: DType, to: DType) -> bool {
    let older = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply);
    let truncated = older && from.is_number() && !from.is_complex() && to.is_integer();
    truncated || can_store(from, to)
}

/// Whether a result of dtype `from` may be stored in an output of dtype `to` (NumPy's `same_kind`).
#[must_use]
pub fn can_store(from: DType, to: DType) -> bool {
    const fn rank(kind: Kind) -> u8 {
        match kind {
            Kind::Bool => 0,
            Kind::Unsigned => 1,
            Kind::Signed => 2,
            Kind::Float => 3,
            Kind::Complex => 4,
            Kind::Vector | Kind::Record => 5,
        }
    }
    let part = |dtype: DType| match dtype {
        DType::Vector(vector) => vector.element(),
        other => other,
    };
    can_cast(from, to) && rank(part(from).kind()) <= rank(part(to).kind())
}
