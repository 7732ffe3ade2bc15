//! The Rust types that array elements have on the host.

use bytemuck::{NoUninit, Pod};
use half::f16;
use num_complex::{Complex32, Complex64};

use super::DType;

/// A Rust type of array elements: truth values, integers of 8 to 64 bits, `f16` of the crate `half`, `f32`, `f64`,
/// and complex numbers of the last two. Nothing else can be one.
pub trait Element: NoUninit + sealed::Sealed {
    /// The dtype.
    const DTYPE: DType;

    /// A type of the same size that can hold what the device wrote, whatever it is.
    #[doc(hidden)]
    type Bits: Pod;

    /// The value of what the device wrote.
    #[doc(hidden)]
    fn from_bits(bits: Self::Bits) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for bool {}

impl Element for bool {
    const DTYPE: DType = DType::Bool;
    type Bits = u8;

    fn from_bits(bits: u8) -> Self {
        bits != 0
    }
}

macro_rules! elements {
    ($($ty:ty => $dtype:ident),*) => {
        $(
            impl sealed::Sealed for $ty {}

            impl Element for $ty {
                const DTYPE: DType = DType::$dtype;
                type Bits = Self;

                fn from_bits(bits: Self) -> Self {
                    bits
                }
            }
        )*
    };
}
elements!(i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64, f16 => F16,
    f32 => F32, f64 => F64, Complex32 => C64, Complex64 => C128);
