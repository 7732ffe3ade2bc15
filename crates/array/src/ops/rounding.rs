//! Elements kept within bounds, and rounded to decimals.

use super::Lazy;
use super::lazy::State;
use crate::dtype::Scalar;
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, Function};

/// The element, or `low` if it is less, or `high` if it is (or `low` is) greater; NaN if one of them is. Dtypes are
/// those of [`BinaryOp::Maximum`] and [`BinaryOp::Minimum`]; a weak integer that no element of an integer dtype can
/// pass is no bound.
///
/// # Errors
/// As [`Lazy::binary`].
pub fn clip(operand: impl Into<Lazy>, low: Option<Lazy>, high: Option<Lazy>) -> Result<Lazy> {
    let operand = operand.into();
    let low = low.filter(|low| !is_beyond(low, &operand, |number| number < 0));
    let high = high.filter(|high| !is_beyond(high, &operand, |number| number > 0));
    let raised = low.map_or(Ok(operand.clone()), |low| operand.binary(BinaryOp::Maximum, &low))?;
    high.map_or(Ok(raised.clone()), |high| raised.binary(BinaryOp::Minimum, &high))
}

/// Whether a bound is a weak integer that lies on that side of all values of an integer operand.
fn is_beyond(bound: &Lazy, operand: &Lazy, side: fn(i128) -> bool) -> bool {
    match bound.0 {
        State::Scalar(scalar @ Scalar::WeakInt(number)) if operand.dtype().is_integer() => {
            side(number) && matches!(scalar.cast(operand.dtype()), Err(Error::OutOfBounds { .. }))
        }
        _ => false,
    }
}

/// The element rounded to so many decimals, to the even neighbour from halfway; to tens and so on if `decimals` is
/// negative. The dtype stays: of integers something changes only there. As NumPy does, elements are multiplied,
/// rounded and divided again, which are roundings too. Parts of complex numbers are rounded apart.
///
/// # Errors
/// As [`Lazy::call`].
pub fn round(operand: impl Into<Lazy>, decimals: i32) -> Result<Lazy> {
    let operand = operand.into();
    let dtype = operand.dtype();
    if dtype.is_integer() && decimals >= 0 {
        return Ok(operand);
    }
    let (there, back) = match decimals {
        0 => return Lazy::call(Function::Rint, &[&operand]),
        1.. => (BinaryOp::Multiply, BinaryOp::TrueDivide),
        _ => (BinaryOp::TrueDivide, BinaryOp::Multiply),
    };
    let power = 10_f64.powf(f64::from(decimals).abs());
    let power = Lazy::scalar(Scalar::WeakFloat(power));
    let whole = Lazy::call(Function::Rint, &[&operand.binary(there, &power)?])?;
    let rounded = whole.binary(back, &power)?;
    if dtype.is_integer() { rounded.cast(dtype) } else { Ok(rounded) }
}
