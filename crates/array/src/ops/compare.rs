//! Comparisons of arrays and scalars: exact for every pair of integer dtypes.

use opencl_runtime::CommandQueue;

use super::arithmetic::arithmetic;
use super::{Resolved, Typed, binary};
use crate::array::{Array, Operand};
use crate::dtype::Scalar;
use crate::error::Result;
use crate::expr::BinaryOp;
use crate::policy;

arithmetic! {
    /// `lhs < rhs`.
    less => Less;
    /// `lhs <= rhs`.
    less_equal => LessEqual;
    /// `lhs == rhs`.
    equal => Equal;
    /// `lhs != rhs`.
    not_equal => NotEqual;
    /// `lhs > rhs`.
    greater => Greater;
    /// `lhs >= rhs`.
    greater_equal => GreaterEqual;
}

/// The comparison with a Python integer that no 64-bit integer holds: one answer for all elements.
pub(super) fn out_of_range<T: Typed>(op: BinaryOp, lhs: T, rhs: T) -> Option<Resolved<T>> {
    let (array, value, array_is_left) = match (lhs.number(), rhs.number()) {
        (None, Some(Scalar::WeakInt(value))) => (lhs, value, true),
        (Some(Scalar::WeakInt(value)), None) => (rhs, value, false),
        _ => return None,
    };
    let whole = array.dtype().is_integer() || array.dtype() == crate::dtype::DType::Bool;
    if !op.is_comparison() || !whole || i64::try_from(value).is_ok() || u64::try_from(value).is_ok() {
        return None;
    }
    let left_is_less = array_is_left == (value > 0);
    let holds = match op {
        BinaryOp::Less | BinaryOp::LessEqual => left_is_less,
        BinaryOp::Greater | BinaryOp::GreaterEqual => !left_is_less,
        other => other == BinaryOp::NotEqual,
    };
    // An integer equals itself.
    let op = if holds { BinaryOp::Equal } else { BinaryOp::NotEqual };
    Some(Resolved { op, operands: [array, array], result: policy::COMPARISON })
}
