//! Numbers on the host, strong (NumPy's) and weak (Python's), and their form as kernel arguments.

use half::f16;
use num_complex::{Complex32, Complex64};

use super::{DType, Kind};
use crate::error::{Error, Result};

/// A number on the host. Python's truth values are [`Scalar::Bool`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Scalar {
    /// Truth value.
    Bool(bool),
    /// Signed 8-bit integer.
    I8(i8),
    /// Unsigned 8-bit integer.
    U8(u8),
    /// Signed 16-bit integer.
    I16(i16),
    /// Unsigned 16-bit integer.
    U16(u16),
    /// Signed 32-bit integer.
    I32(i32),
    /// Unsigned 32-bit integer.
    U32(u32),
    /// Signed 64-bit integer.
    I64(i64),
    /// Unsigned 64-bit integer.
    U64(u64),
    /// Half precision.
    F16(f16),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Complex of single precision.
    C64(Complex32),
    /// Complex of double precision.
    C128(Complex64),
    /// A Python integer: takes the integer dtype of the other operand, if it fits.
    WeakInt(i128),
    /// A Python float: takes the floating-point dtype of the other operand.
    WeakFloat(f64),
    /// A Python complex: takes the complex dtype with the other operand's precision.
    WeakComplex(Complex64),
}

/// The bytes of a scalar kernel argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ArgBytes {
    bytes: [u8; 16],
    len: u8,
}

impl ArgBytes {
    /// The bytes of a value of up to 16 bytes.
    #[inline]
    #[must_use]
    pub fn new<const N: usize>(value: &[u8; N]) -> Self {
        const { assert!(N <= 16) };
        let mut bytes = [0; 16];
        bytes[..N].copy_from_slice(value);
        Self { bytes, len: N as u8 }
    }

    /// The bytes in native order.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// A value in the widest type of its kind, on its way from one dtype to another.
enum Wide {
    Int(i128),
    Float(f64),
    Complex(Complex64),
}

impl Scalar {
    /// The dtype; for weak scalars the one they have on their own (int64, float64, complex128).
    #[must_use]
    pub const fn dtype(self) -> DType {
        match self {
            Self::Bool(_) => DType::Bool,
            Self::I8(_) => DType::I8,
            Self::U8(_) => DType::U8,
            Self::I16(_) => DType::I16,
            Self::U16(_) => DType::U16,
            Self::I32(_) => DType::I32,
            Self::U32(_) => DType::U32,
            Self::I64(_) | Self::WeakInt(_) => DType::I64,
            Self::U64(_) => DType::U64,
            Self::F16(_) => DType::F16,
            Self::F32(_) => DType::F32,
            Self::F64(_) | Self::WeakFloat(_) => DType::F64,
            Self::C64(_) => DType::C64,
            Self::C128(_) | Self::WeakComplex(_) => DType::C128,
        }
    }

    /// Whether this is a Python number.
    #[must_use]
    pub const fn is_weak(self) -> bool {
        matches!(self, Self::WeakInt(_) | Self::WeakFloat(_) | Self::WeakComplex(_))
    }

    fn wide(self) -> Wide {
        match self {
            Self::Bool(v) => Wide::Int(v.into()),
            Self::I8(v) => Wide::Int(v.into()),
            Self::U8(v) => Wide::Int(v.into()),
            Self::I16(v) => Wide::Int(v.into()),
            Self::U16(v) => Wide::Int(v.into()),
            Self::I32(v) => Wide::Int(v.into()),
            Self::U32(v) => Wide::Int(v.into()),
            Self::I64(v) => Wide::Int(v.into()),
            Self::U64(v) => Wide::Int(v.into()),
            Self::F16(v) => Wide::Float(v.into()),
            Self::F32(v) => Wide::Float(v.into()),
            Self::F64(v) | Self::WeakFloat(v) => Wide::Float(v),
            Self::C64(v) => Wide::Complex(Complex64::new(v.re.into(), v.im.into())),
            Self::C128(v) | Self::WeakComplex(v) => Wide::Complex(v),
            Self::WeakInt(v) => Wide::Int(v),
        }
    }

    /// Converts to a strong scalar of `dtype`, or of the components of a vector, for an element that is set to it: as
    /// [`Scalar::cast`], but what has no meaning there is refused.
    ///
    /// # Errors
    /// As [`Scalar::cast`]; [`Error::OutputDType`] for a complex number in a real dtype, [`Error::NotFinite`] for
    /// infinities and NaN in an integer dtype.
    pub fn store(self, dtype: DType) -> Result<Self> {
        if let DType::Vector(vector) = dtype {
            return self.store(vector.element());
        }
        match self.wide() {
            Wide::Complex(_) if !dtype.is_complex() => {
                Err(Error::OutputDType { from: self.dtype(), to: dtype })
            }
            Wide::Float(value) if dtype.is_integer() && !value.is_finite() => {
                Err(Error::NotFinite { value, dtype })
            }
            _ => self.cast(dtype),
        }
    }

    /// Converts to a strong scalar of `dtype` as an assignment does: integers wrap, floats are cut towards
    /// zero, complex numbers lose their imaginary part.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if a weak integer does not fit an integer dtype; [`Error::OutputDType`] if the dtype is
    /// none of numbers.
    pub fn cast(self, dtype: DType) -> Result<Self> {
        if let Self::WeakInt(value) = self
            && !fits(value, dtype)
        {
            return Err(Error::OutOfBounds { value, dtype });
        }
        let wide = self.wide();
        let integer = || match wide {
            Wide::Int(v) => v,
            Wide::Float(v) | Wide::Complex(Complex64 { re: v, .. }) => v as i128,
        };
        let float = || match wide {
            Wide::Int(v) => v as f64,
            Wide::Float(v) | Wide::Complex(Complex64 { re: v, .. }) => v,
        };
        let complex = || match wide {
            Wide::Complex(v) => v,
            _ => Complex64::new(float(), 0.0),
        };
        Ok(match dtype {
            DType::Bool => Self::Bool(match wide {
                Wide::Int(v) => v != 0,
                Wide::Float(v) => v != 0.0,
                Wide::Complex(v) => v != Complex64::ZERO,
            }),
            DType::I8 => Self::I8(integer() as i8),
            DType::U8 => Self::U8(integer() as u8),
            DType::I16 => Self::I16(integer() as i16),
            DType::U16 => Self::U16(integer() as u16),
            DType::I32 => Self::I32(integer() as i32),
            DType::U32 => Self::U32(integer() as u32),
            DType::I64 => Self::I64(integer() as i64),
            DType::U64 => Self::U64(integer() as u64),
            DType::F16 => Self::F16(match wide {
                // Integers of up to 128 bits reach f16 through f64 without double rounding: f16 is finite below
                // 65520 only, where f64 is exact.
                Wide::Int(v) => f16::from_f64(v as f64),
                _ => f16::from_f64(float()),
            }),
            DType::F32 => Self::F32(match wide {
                Wide::Int(v) => v as f32,
                _ => float() as f32,
            }),
            DType::F64 => Self::F64(float()),
            DType::C64 => {
                let v = complex();
                Self::C64(Complex32::new(v.re as f32, v.im as f32))
            }
            DType::C128 => Self::C128(complex()),
            DType::Vector(_) | DType::Record(_) => {
                return Err(Error::OutputDType { from: self.dtype(), to: dtype });
            }
        })
    }

    /// Bytes of the value as a kernel argument of type [`DType::value_type`] (half precision goes as single).
    #[must_use]
    pub fn arg_bytes(self) -> ArgBytes {
        let pair = |re: &[u8], im: &[u8]| {
            let mut bytes = [0; 16];
            bytes[..re.len()].copy_from_slice(re);
            bytes[re.len()..2 * re.len()].copy_from_slice(im);
            ArgBytes { bytes, len: 2 * re.len() as u8 }
        };
        match self {
            Self::Bool(v) => ArgBytes::new(&[v.into()]),
            Self::I8(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::U8(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::I16(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::U16(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::I32(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::U32(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::I64(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::U64(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::F16(v) => ArgBytes::new(&v.to_f32().to_ne_bytes()),
            Self::F32(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::F64(v) | Self::WeakFloat(v) => ArgBytes::new(&v.to_ne_bytes()),
            Self::C64(v) => pair(&v.re.to_ne_bytes(), &v.im.to_ne_bytes()),
            Self::C128(v) | Self::WeakComplex(v) => pair(&v.re.to_ne_bytes(), &v.im.to_ne_bytes()),
            Self::WeakInt(v) => ArgBytes::new(&(v as i64).to_ne_bytes()),
        }
    }

    /// The value of an integer or truth value.
    pub(crate) fn as_integer(self) -> Option<i128> {
        match self.wide() {
            Wide::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The value, rounded to double precision; of complex numbers the real part.
    pub(crate) fn as_float(self) -> f64 {
        match self.wide() {
            Wide::Int(v) => v as f64,
            Wide::Float(v) | Wide::Complex(Complex64 { re: v, .. }) => v,
        }
    }

    /// Whether the real value is an integer below zero.
    pub(crate) fn is_negative_integer(self) -> bool {
        matches!(self.wide(), Wide::Int(v) if v < 0)
    }

    /// Whether the value equals this small real number.
    pub(crate) fn equals(self, number: f64) -> bool {
        match self.wide() {
            Wide::Int(v) => v as f64 == number,
            Wide::Float(v) => v == number,
            Wide::Complex(v) => v == Complex64::new(number, 0.0),
        }
    }
}

/// Whether an integer is a value of `dtype`; every dtype but the integers takes any.
fn fits(value: i128, dtype: DType) -> bool {
    let bits = 8 * dtype.size() as u32;
    match dtype.kind() {
        Kind::Signed => value >= -(1i128 << (bits - 1)) && value < 1i128 << (bits - 1),
        Kind::Unsigned => value >= 0 && value < 1i128 << bits,
        _ => true,
    }
}

macro_rules! from_host {
    ($($ty:ty => $variant:ident),*) => {
        $(impl From<$ty> for Scalar {
            fn from(value: $ty) -> Self {
                Self::$variant(value)
            }
        })*
    };
}
from_host!(bool => Bool, i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64,
    u64 => U64, f16 => F16, f32 => F32, f64 => F64, Complex32 => C64, Complex64 => C128);
