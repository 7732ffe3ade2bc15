//! Names of dtypes in OpenCL C, as they stand in declarations of kernel arguments.

use super::{DType, Vector};

/// Names that declarations may use beside those of [`DType::c_name`].
const ALIASES: [(&str, DType); 6] = [
    ("unsigned", DType::U32),
    ("half", DType::F16),
    ("intptr_t", DType::I64),
    ("uintptr_t", DType::U64),
    ("ptrdiff_t", DType::I64),
    ("size_t", DType::U64),
];

impl DType {
    /// The type's name in declarations of kernel arguments; truth values are bytes, and complex numbers have
    /// the names that `pyopencl-complex.h` gives them.
    #[must_use]
    pub fn c_name(self) -> &'static str {
        match self {
            Self::C64 => "cfloat_t",
            Self::C128 => "cdouble_t",
            Self::Vector(_) | Self::Record(_) => self.name(),
            other => other.memory_type(),
        }
    }

    /// The dtype of a name in OpenCL C, with the words of integer types in any order (`unsigned int`,
    /// `long unsigned`). Addresses are taken to have 64 bits.
    #[must_use]
    pub fn from_c_name(name: &str) -> Option<Self> {
        let canonical = integer_words(name);
        let name = canonical.as_deref().unwrap_or(name);
        let unsigned = name.strip_prefix("unsigned ").map(|base| format!("u{base}"));
        let name = unsigned.as_deref().unwrap_or(name);
        // `bool` is no type of kernel arguments, and bytes are numbers there.
        let known = Self::ALL.into_iter().skip(1).find(|dtype| dtype.c_name() == name);
        let vector = || Vector::all().map(Self::Vector).find(|dtype| dtype.c_name() == name);
        known
            .or_else(vector)
            .or_else(|| ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, dtype)| dtype))
    }
}

/// An integer type of several words in C, in the one order `unsigned long`: without `signed` and a superfluous
/// `int`. `None` for anything else, `long long` included, which OpenCL C reserves.
pub(super) fn integer_words(name: &str) -> Option<String> {
    let (mut sign, mut base, mut int, mut count) = (None, None, false, 0);
    for word in name.split_whitespace() {
        count += 1;
        match word {
            "signed" | "unsigned" if sign.is_none() => sign = Some(word),
            "char" | "short" | "long" if base.is_none() => base = Some(word),
            "int" if !int => int = true,
            _ => return None,
        }
    }
    if count < 2 || (base == Some("char") && int) {
        return None;
    }
    let base = base.unwrap_or("int");
    Some(if sign == Some("unsigned") { format!("unsigned {base}") } else { base.to_owned() })
}
