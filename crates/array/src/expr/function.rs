//! Functions of elements: the one table of their names, operands and sources.

/// Which operands a function takes, and what comes out; see [`crate::policy::function`] for the dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A real number.
    Real,
    /// A real or complex number.
    Number,
    /// A complex number.
    Complex,
    /// A real number; integers and truth values come out as they are.
    Whole,
    /// A real number, of which an int32 comes out.
    Exponent,
    /// An integer, whose bits a NaN shall carry.
    Payload,
    /// Two real numbers.
    Reals,
    /// Two real numbers; of integers an integer comes out.
    Remainder,
    /// A real number and an integer.
    Scaled,
    /// An integer and a real number.
    OrderReal,
    /// An integer and a real or complex number.
    OrderNumber,
}

/// Where the text of a function of real numbers is; those of complex numbers are the project's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// OpenCL C has it by this name.
    OpenCl,
    /// `kernels/parts.h.cl`.
    Parts,
    /// `kernels/bessel.h.cl` and `kernels/bessel_complex.h.cl`.
    Bessel,
}

macro_rules! functions {
    ($($variant:ident $name:literal $domain:ident $source:ident;)*) => {
        /// A function of elements, by its OpenCL C name; results of functions with two of them are apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each is the function of that name")]
        pub enum Function {
            $($variant,)*
        }

        impl Function {
            /// Every function.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in OpenCL C and in the module `clmath`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The function of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Which operands it takes.
            #[must_use]
            pub const fn domain(self) -> Domain {
                match self {
                    $(Self::$variant => Domain::$domain,)*
                }
            }

            /// Where its text is.
            #[must_use]
            pub const fn source(self) -> Source {
                match self {
                    $(Self::$variant => Source::$source,)*
                }
            }
        }
    };
}

functions! {
    Acos "acos" Number OpenCl;
    Acosh "acosh" Number OpenCl;
    Acospi "acospi" Real OpenCl;
    Asin "asin" Number OpenCl;
    Asinh "asinh" Number OpenCl;
    Asinpi "asinpi" Real OpenCl;
    Atan "atan" Number OpenCl;
    Atan2 "atan2" Reals OpenCl;
    Atan2pi "atan2pi" Reals OpenCl;
    Atanh "atanh" Number OpenCl;
    Atanpi "atanpi" Real OpenCl;
    BesselJn "bessel_jn" OrderNumber Bessel;
    BesselYn "bessel_yn" OrderReal Bessel;
    Cbrt "cbrt" Real OpenCl;
    Ceil "ceil" Whole OpenCl;
    Cos "cos" Number OpenCl;
    Cosh "cosh" Number OpenCl;
    Cospi "cospi" Real OpenCl;
    Erf "erf" Real OpenCl;
    Erfc "erfc" Real OpenCl;
    Exp "exp" Number OpenCl;
    Exp10 "exp10" Number OpenCl;
    Exp2 "exp2" Number OpenCl;
    Expm1 "expm1" Number OpenCl;
    Fabs "fabs" Real OpenCl;
    Floor "floor" Whole OpenCl;
    Fmod "fmod" Remainder OpenCl;
    FrexpExponent "frexp_exponent" Exponent Parts;
    FrexpSignificand "frexp_significand" Real Parts;
    Hankel0 "hankel_0" Complex Bessel;
    Hankel1 "hankel_1" Complex Bessel;
    Ilogb "ilogb" Real OpenCl;
    Ldexp "ldexp" Scaled OpenCl;
    Lgamma "lgamma" Real OpenCl;
    Log "log" Number OpenCl;
    Log10 "log10" Number OpenCl;
    Log1p "log1p" Number OpenCl;
    Log2 "log2" Number OpenCl;
    Logb "logb" Real OpenCl;
    ModfFraction "modf_fraction" Real Parts;
    ModfWhole "modf_whole" Real Parts;
    Nan "nan" Payload OpenCl;
    Rint "rint" Number OpenCl;
    Round "round" Whole OpenCl;
    Sin "sin" Number OpenCl;
    Sinh "sinh" Number OpenCl;
    Sinpi "sinpi" Real OpenCl;
    Sqrt "sqrt" Number OpenCl;
    Tan "tan" Number OpenCl;
    Tanh "tanh" Number OpenCl;
    Tanpi "tanpi" Real OpenCl;
    Tgamma "tgamma" Real OpenCl;
    Trunc "trunc" Whole OpenCl;
}

impl Function {
    /// The number of operands.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self.domain() {
            Domain::Reals | Domain::Remainder | Domain::Scaled | Domain::OrderReal | Domain::OrderNumber => 2,
            _ => 1,
        }
    }
}
