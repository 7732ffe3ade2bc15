//! Policy for vectors and records: vectors are computed component by component as their components are, and a
//! number beside a vector is one of its components, repeated. Records are only moved.

use super::{BinaryTypes, COMPARISON, CallTypes, binary_common, scalar_dtype};
use crate::dtype::{DType, Kind, Scalar, Vector};
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, Function, Source, UnaryOp};

/// A dtype's components and how many there are.
fn parts(dtype: DType) -> Option<(DType, Option<Vector>)> {
    match dtype {
        DType::Vector(vector) => Some((vector.element(), Some(vector))),
        DType::Record(_) => None,
        number => Some((number, None)),
    }
}

/// Types of `lhs op rhs` where one of them is a vector or a record.
pub(super) fn binary(op: BinaryOp, lhs: DType, rhs: DType) -> Option<BinaryTypes> {
    let ((left, left_vector), (right, right_vector)) = (parts(lhs)?, parts(rhs)?);
    let vector = left_vector.or(right_vector)?;
    if right_vector.is_some_and(|other| other.lanes() != vector.lanes()) {
        return None;
    }
    let types = binary_common(op, left, right)?;
    let of_parts = |part: DType, is_vector: bool| {
        let whole = vector.with_element(part)?;
        Some(if is_vector { DType::Vector(whole) } else { part })
    };
    let result = match op {
        BinaryOp::Equal | BinaryOp::NotEqual if types.lhs == types.rhs => COMPARISON,
        BinaryOp::Power if types.result.kind() != Kind::Float => return None,
        BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::TrueDivide
        | BinaryOp::Power
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Maximum
        | BinaryOp::Minimum => of_parts(types.result, true)?,
        _ => return None,
    };
    let lhs = of_parts(types.lhs, left_vector.is_some())?;
    let rhs = of_parts(types.rhs, right_vector.is_some())?;
    Some(BinaryTypes { lhs, rhs, result })
}

/// The dtype that a scalar takes beside a vector.
pub(super) fn scalar(op: BinaryOp, other: DType, scalar: Scalar) -> DType {
    match other {
        DType::Vector(vector) => scalar_dtype(op, vector.element(), scalar),
        _ => scalar.dtype(),
    }
}

/// Types of `op operand`.
pub(super) fn unary(op: UnaryOp, operand: DType) -> Option<(DType, DType)> {
    let DType::Vector(vector) = operand else { return None };
    let float = vector.element().kind() == Kind::Float;
    match op {
        UnaryOp::Invert if float => None,
        UnaryOp::Negative | UnaryOp::Invert | UnaryOp::Absolute | UnaryOp::Conjugate | UnaryOp::Real => {
            Some((operand, operand))
        }
        _ => None,
    }
}

/// Types of `function(operand)` where OpenCL C has it for vectors of floating-point numbers.
pub(super) fn call(function: Function, operand: Vector) -> Option<CallTypes> {
    let types = super::function(function, &[operand.element()]).ok()?;
    // The exponent is an integer in OpenCL C, and vectors are not converted on the way.
    let known = function.source() == Source::OpenCl && function != Function::Ilogb;
    if !known || types.operands[0].kind() != Kind::Float || types.result.kind() != Kind::Float {
        return None;
    }
    let whole = |part: DType| operand.with_element(part).map(DType::Vector);
    let computed = whole(types.operands[0])?;
    Some(CallTypes { operands: [computed, computed], result: whole(types.result)? })
}

/// Refuses conversions that [`can_cast`] does not know.
///
/// # Errors
/// [`Error::OutputDType`].
pub fn check_cast(from: DType, to: DType) -> Result<()> {
    if can_cast(from, to) { Ok(()) } else { Err(Error::OutputDType { from, to }) }
}

/// Whether elements of one dtype can be converted to another at all.
#[must_use]
pub fn can_cast(from: DType, to: DType) -> bool {
    match (from, to) {
        (DType::Vector(from), DType::Vector(to)) => from.lanes() == to.lanes(),
        (DType::Record(_), _) | (_, DType::Record(_)) => from == to,
        (DType::Vector(_), _) => false,
        (number, DType::Vector(_)) => !number.is_complex(),
        _ => true,
    }
}
