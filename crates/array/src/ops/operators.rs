//! The operators `+ - * /` and negation: expressions of arrays, expressions and numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

use half::f16;
use num_complex::{Complex32, Complex64};

use super::lazy::{Lazy, State};
use crate::array::Array;
use crate::dtype::Scalar;
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, UnaryOp};

/// The expression, or one that tells the error when it is computed.
fn or_failed(result: Result<Lazy>) -> Lazy {
    result.unwrap_or_else(|error| {
        Lazy(State::Failed(match error {
            Error::InExpression(first) => first,
            error => Arc::new(error),
        }))
    })
}

macro_rules! weak_numbers {
    ($($ty:ty => $variant:ident),*) => {
        $(impl From<$ty> for Lazy {
            /// A weak number, as literals without a suffix are: it takes the dtype of what it meets.
            fn from(number: $ty) -> Self {
                Self::scalar(Scalar::$variant(number.into()))
            }
        })*
    };
}
weak_numbers!(i32 => WeakInt, f64 => WeakFloat);

macro_rules! strong_numbers {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Lazy {
            fn from(number: $ty) -> Self {
                Self::scalar(number.into())
            }
        })*
    };
}
strong_numbers!(bool, i8, u8, i16, u16, u32, i64, u64, f16, f32, Complex32, Complex64);

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {
        $(
            operators!(@left $trait $method $op; &Array, &Lazy, Lazy);
            // One type for each sort of literal, so that a literal's type can be inferred.
            operators!(@right $trait $method $op; i32, f64, Scalar);
        )*
    };
    (@left $trait:ident $method:ident $op:ident; $($ty:ty),*) => {
        $(impl<T: Into<Lazy>> $trait<T> for $ty {
            type Output = Lazy;

            fn $method(self, other: T) -> Lazy {
                or_failed(Lazy::from(self).binary(BinaryOp::$op, &other.into()))
            }
        })*
    };
    (@right $trait:ident $method:ident $op:ident; $($ty:ty),*) => {
        $(operators!(@number $trait $method $op $ty; &Array, &Lazy, Lazy);)*
    };
    (@number $trait:ident $method:ident $op:ident $number:ty; $($ty:ty),*) => {
        $(impl $trait<$ty> for $number {
            type Output = Lazy;

            fn $method(self, other: $ty) -> Lazy {
                or_failed(Lazy::from(self).binary(BinaryOp::$op, &Lazy::from(other)))
            }
        })*
    };
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div TrueDivide;
}

macro_rules! negation {
    ($($ty:ty),*) => {
        $(impl Neg for $ty {
            type Output = Lazy;

            fn neg(self) -> Lazy {
                or_failed(Lazy::from(self).unary(UnaryOp::Negative))
            }
        })*
    };
}
negation!(&Array, &Lazy, Lazy);
