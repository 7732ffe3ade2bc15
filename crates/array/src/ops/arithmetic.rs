//! Arithmetic of arrays and scalars.

use opencl_runtime::CommandQueue;

use super::{binary, unary};
use crate::array::{Array, Operand};
use crate::error::Result;
use crate::expr::{BinaryOp, UnaryOp};

macro_rules! arithmetic {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {
        $($(#[$doc])*
        ///
        /// # Errors
        /// As [`binary`].
        pub fn $name<'a>(
            lhs: impl Into<Operand<'a>>,
            rhs: impl Into<Operand<'a>>,
            queue: Option<&CommandQueue>,
        ) -> Result<Array> {
            binary(BinaryOp::$op, lhs, rhs, queue)
        })*
    };
}
pub(super) use arithmetic;

arithmetic! {
    /// `lhs + rhs`; integers wrap.
    add => Add;
    /// `lhs - rhs`; integers wrap.
    subtract => Subtract;
    /// `lhs * rhs`; integers wrap.
    multiply => Multiply;
    /// `lhs / rhs`; of integers a float64.
    divide => TrueDivide;
    /// `lhs ** rhs`; integers wrap.
    power => Power;
}

/// `-operand`; integers wrap.
///
/// # Errors
/// As [`binary`].
pub fn negative(operand: &Array, queue: Option<&CommandQueue>) -> Result<Array> {
    unary(UnaryOp::Negative, operand, queue)
}
