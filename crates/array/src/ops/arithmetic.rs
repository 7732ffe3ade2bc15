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
    /// The quotient rounded towards minus infinity; of integers by 0, 0.
    floor_divide => FloorDivide;
    /// What such a division leaves, with the sign of `rhs`; of integers by 0, 0.
    remainder => Modulo;
    /// `lhs << rhs`; 0 where `rhs` is not less than the width.
    left_shift => LeftShift;
    /// `lhs >> rhs`; 0 or, of negative integers, -1 where `rhs` is not less than the width.
    right_shift => RightShift;
}

/// `-operand`; integers wrap.
///
/// # Errors
/// As [`binary`].
pub fn negative(operand: &Array, queue: Option<&CommandQueue>) -> Result<Array> {
    unary(UnaryOp::Negative, operand, queue)
}
