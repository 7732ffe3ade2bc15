//! Element types: size, alignment, kind, spelling in OpenCL C.

mod cname;
mod element;
mod parse;
mod promote;
mod record;
mod scalar;
mod vector;

pub use element::Element;
pub use parse::{Declaration, split_list};
pub use promote::{common, promote, promote_weak};
pub use record::{Field, Record};
pub use scalar::{ArgBytes, Scalar};
pub use vector::Vector;

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DType {
    /// A truth value, one byte, 0 or 1.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE half precision. Kernels compute with it in single precision, so that it works on every device.
    F16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// Complex number of two [`DType::F32`].
    C64,
    /// Complex number of two [`DType::F64`].
    C128,
    /// An OpenCL vector.
    Vector(Vector),
    /// A struct, or bytes that are only moved.
    Record(Record),
}

/// What sort of element a [`DType`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Truth value.
    Bool,
    /// Signed integer.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Real floating point.
    Float,
    /// Complex floating point.
    Complex,
    /// OpenCL vector.
    Vector,
    /// Struct.
    Record,
}

impl DType {
    /// Every dtype of numbers, in the order in which they are declared.
    pub const ALL: [Self; 14] = {
        use DType::*;
        [Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64, C64, C128]
    };

    /// Bytes of one element.
    #[must_use]
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
            Self::Vector(vector) => vector.size(),
            Self::Record(record) => record.size(),
        }
    }

    /// Its number among the numbers and vectors; records have none.
    pub(crate) const fn code(self) -> Option<u8> {
        Some(match self {
            Self::Bool => 0,
            Self::I8 => 1,
            Self::U8 => 2,
            Self::I16 => 3,
            Self::U16 => 4,
            Self::I32 => 5,
            Self::U32 => 6,
            Self::I64 => 7,
            Self::U64 => 8,
            Self::F16 => 9,
            Self::F32 => 10,
            Self::F64 => 11,
            Self::C64 => 12,
            Self::C128 => 13,
            Self::Vector(vector) => 14 + vector.code(),
            Self::Record(_) => return None,
        })
    }

    /// The sort of number.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Bool => Kind::Bool,
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => Kind::Signed,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Kind::Unsigned,
            Self::F16 | Self::F32 | Self::F64 => Kind::Float,
            Self::C64 | Self::C128 => Kind::Complex,
            Self::Vector(_) => Kind::Vector,
            Self::Record(_) => Kind::Record,
        }
    }

    /// Whether this is an integer (truth values are not).
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// Whether this is complex.
    #[must_use]
    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), Kind::Complex)
    }

    /// Whether kernels with it need `cl_khr_fp64`.
    #[must_use]
    pub const fn needs_fp64(self) -> bool {
        match self {
            Self::F64 | Self::C128 => true,
            Self::Vector(vector) => matches!(vector.element(), Self::F64),
            _ => false,
        }
    }

    /// The type of real and imaginary part; other dtypes are their own.
    #[must_use]
    pub const fn real(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            other => other,
        }
    }

    /// The dtype in whose values kernels compute: half precision is computed in single precision.
    #[must_use]
    pub const fn computed(self) -> Self {
        match self {
            Self::F16 => Self::F32,
            other => other,
        }
    }

    /// The complex dtype with parts of this floating-point precision (half precision takes single).
    #[must_use]
    pub const fn complex(self) -> Self {
        match self {
            Self::F16 | Self::F32 | Self::C64 => Self::C64,
            _ => Self::C128,
        }
    }

    /// NumPy's name; of a vector that in OpenCL C, of a record its own.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::U8 => "uint8",
            Self::I16 => "int16",
            Self::U16 => "uint16",
            Self::I32 => "int32",
            Self::U32 => "uint32",
            Self::I64 => "int64",
            Self::U64 => "uint64",
            Self::F16 => "float16",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
            Self::Vector(vector) => vector.name(),
            Self::Record(record) => record.name(),
        }
    }

    /// OpenCL C type of an element in global memory.
    #[must_use]
    pub fn memory_type(self) -> &'static str {
        match self {
            Self::F16 => "half",
            other => other.value_type(),
        }
    }

    /// OpenCL C type of a value in registers and of a scalar argument.
    #[must_use]
    pub fn value_type(self) -> &'static str {
        match self {
            Self::Bool | Self::U8 => "uchar",
            Self::I8 => "char",
            Self::I16 => "short",
            Self::U16 => "ushort",
            Self::I32 => "int",
            Self::U32 => "uint",
            Self::I64 => "long",
            Self::U64 => "ulong",
            Self::F16 | Self::F32 => "float",
            Self::F64 => "double",
            Self::C64 => "float2",
            Self::C128 => "double2",
            Self::Vector(vector) => vector.value_type(),
            Self::Record(record) => record.c_type(),
        }
    }

    /// The vector type of so many components of this dtype, if OpenCL C has it.
    #[must_use]
    pub fn vector(self, lanes: usize) -> Option<Self> {
        Vector::new(self, lanes).map(Self::Vector)
    }

    /// Whether it is a number, and so neither vector nor record.
    #[must_use]
    pub const fn is_number(self) -> bool {
        !matches!(self, Self::Vector(_) | Self::Record(_))
    }

    pub(crate) fn list(dtypes: &[Self]) -> String {
        dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(" and ")
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
