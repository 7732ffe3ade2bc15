//! Inner products: products and their sum in one kernel.

use opencl_runtime::CommandQueue;

use crate::array::Array;
use crate::dtype::{DType, promote};
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, UnaryOp};
use crate::ops::{self, Lazy};
use crate::reduction::reduce;

/// The sum of products of the elements, as an array without dimensions. `dtype` is that of the result; by default the
/// dtype that the arrays have together.
///
/// # Errors
/// [`Error::NotAligned`] if the shapes differ; as [`Lazy::evaluate`].
pub fn dot(a: &Array, b: &Array, dtype: Option<DType>, queue: Option<&CommandQueue>) -> Result<Array> {
    check_aligned("dot", a, b)?;
    sum_of_products(&a.into(), &b.into(), dtype, queue)
}

/// As [`dot`], with the complex conjugate of the first array.
///
/// # Errors
/// As [`dot`].
pub fn vdot(a: &Array, b: &Array, dtype: Option<DType>, queue: Option<&CommandQueue>) -> Result<Array> {
    check_aligned("vdot", a, b)?;
    sum_of_products(&conjugate(a)?, &b.into(), dtype, queue)
}

/// As [`dot`], of the elements, counted in C order, at the positions of `subset`.
///
/// # Errors
/// As [`dot`] and [`ops::take`].
pub fn subset_dot(
    subset: &Array,
    a: &Array,
    b: &Array,
    dtype: Option<DType>,
    queue: Option<&CommandQueue>,
) -> Result<Array> {
    let (a, b) = (ops::take(a, subset, queue)?, ops::take(b, subset, queue)?);
    sum_of_products(&a, &b, dtype, queue)
}

fn check_aligned(operation: &'static str, a: &Array, b: &Array) -> Result<()> {
    if a.shape() == b.shape() {
        return Ok(());
    }
    Err(Error::NotAligned { operation, lhs: a.shape().into(), rhs: b.shape().into() })
}

fn conjugate(array: &Array) -> Result<Lazy> {
    let elements = Lazy::from(array);
    if array.dtype().is_complex() { elements.unary(UnaryOp::Conjugate) } else { Ok(elements) }
}

fn sum_of_products(a: &Lazy, b: &Lazy, dtype: Option<DType>, queue: Option<&CommandQueue>) -> Result<Array> {
    let common = promote(a.dtype(), b.dtype());
    let dtype = dtype.unwrap_or(common);
    // What the result holds more precisely than the elements is computed so.
    let product = if promote(dtype, common) == dtype {
        a.cast(dtype)?.binary(BinaryOp::Multiply, &b.cast(dtype)?)?
    } else {
        a.binary(BinaryOp::Multiply, b)?
    };
    reduce(BinaryOp::Add, &product, dtype, queue)
}
