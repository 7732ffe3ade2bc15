//! Truth values of elements, int8 as comparisons are, and choices by them.

use super::Lazy;
use crate::dtype::Scalar;
use crate::error::Result;
use crate::expr::BinaryOp;

const ZERO: Scalar = Scalar::WeakInt(0);

/// 1 where both elements are not zero (NaN is not), else 0.
///
/// # Errors
/// As [`Lazy::binary`].
pub fn logical_and(lhs: impl Into<Lazy>, rhs: impl Into<Lazy>) -> Result<Lazy> {
    truth(&lhs.into())?.binary(BinaryOp::And, &truth(&rhs.into())?)
}

/// 1 where one of the elements is not zero (NaN is not), else 0.
///
/// # Errors
/// As [`Lazy::binary`].
pub fn logical_or(lhs: impl Into<Lazy>, rhs: impl Into<Lazy>) -> Result<Lazy> {
    truth(&lhs.into())?.binary(BinaryOp::Or, &truth(&rhs.into())?)
}

/// 1 where the element is zero, else 0.
///
/// # Errors
/// As [`Lazy::binary`].
pub fn logical_not(operand: impl Into<Lazy>) -> Result<Lazy> {
    operand.into().binary(BinaryOp::Equal, &ZERO.into())
}

/// `then` where `criterion` is greater than zero, else `otherwise`.
///
/// # Errors
/// As [`Lazy::binary`] and [`Lazy::select`].
pub fn if_positive(
    criterion: impl Into<Lazy>,
    then: impl Into<Lazy>,
    otherwise: impl Into<Lazy>,
) -> Result<Lazy> {
    criterion.into().binary(BinaryOp::Greater, &ZERO.into())?.select(&then.into(), &otherwise.into())
}

/// 1 where an element is not zero, else 0.
pub(crate) fn truth(operand: &Lazy) -> Result<Lazy> {
    operand.binary(BinaryOp::NotEqual, &ZERO.into())
}
