//! Flags and enumerations of the specification. Each constant is declared once, in `flags` or
//! `enumerations`: from that declaration come the Rust type, the table by which other languages list
//! the constants ([`classes`]), and the names of values.

/// Bit fields: a type from the `bitflags` crate and a [`Class`].
macro_rules! flags {
    ($($(#[$doc:meta])* $type:ident: $bits:ty = $class:literal {
        $($name:ident = $value:literal,)*
    })*) => {
        $(
            bitflags::bitflags! {
                $(#[$doc])*
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                pub struct $type: $bits {
                    $(
                        #[doc = concat!("`", $class, ".", stringify!($name), "`")]
                        const $name = $value;
                    )*
                    const _ = !0;
                }
            }

            impl $type {
                /// The constants as a table.
                pub const CLASS: super::Class = super::Class {
                    name: $class,
                    bit_field: true,
                    constants: &[$(super::Constant { name: stringify!($name), value: $value }),*],
                };
            }
        )*

        pub(super) static FLAGS: &[&super::Class] = &[$(&$type::CLASS),*];
    };
}

/// Enumerations: a number with named values (drivers may give values that no table knows) and a
/// [`Class`].
macro_rules! enumerations {
    ($($(#[$doc:meta])* $type:ident: $number:ty = $class:literal {
        $($name:ident = $value:literal,)*
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $type(pub $number);

            impl std::fmt::Debug for $type {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    Self::CLASS.show(f, stringify!($type), self.0.into())
                }
            }

            #[allow(non_upper_case_globals, reason = "some names of the specification hold small letters")]
            impl $type {
                $(
                    #[doc = concat!("`", $class, ".", stringify!($name), "`")]
                    pub const $name: Self = Self($value);
                )*

                /// The constants as a table.
                pub const CLASS: super::Class = super::Class {
                    name: $class,
                    bit_field: false,
                    constants: &[$(super::Constant { name: stringify!($name), value: $value }),*],
                };
            }
        )*

        pub(super) static ENUMERATIONS: &[&super::Class] = &[$(&$type::CLASS),*];
    };
}

use std::fmt;

mod enumerations;
mod flags;

pub use enumerations::*;
pub use flags::*;

/// One named constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The C name without `CL_` and without the prefix of its class.
    pub name: &'static str,
    /// Its value.
    pub value: i64,
}

/// A group of constants.
#[derive(Debug)]
pub struct Class {
    /// The name of the C type without `cl_`, or what the specification calls the group.
    pub name: &'static str,
    /// Whether values are combined bit by bit.
    pub bit_field: bool,
    /// The constants by value.
    pub constants: &'static [Constant],
}

impl Class {
    /// The name of a value, or for a bit field the names of each constant that meets its bits, in
    /// alphabetical order.
    #[must_use]
    pub fn names(&self, value: i64) -> Vec<&'static str> {
        let meets = |constant: &&Constant| {
            if self.bit_field && value != 0 { constant.value & value != 0 } else { constant.value == value }
        };
        let mut names: Vec<_> = self.constants.iter().filter(meets).map(|constant| constant.name).collect();
        names.sort_unstable();
        names
    }

    /// A value of an enumeration as `Type(NAME)`, with the number where it has no name.
    fn show(&self, f: &mut fmt::Formatter<'_>, type_name: &str, value: i64) -> fmt::Result {
        match self.constants.iter().find(|constant| constant.value == value) {
            Some(constant) => write!(f, "{type_name}({})", constant.name),
            None => write!(f, "{type_name}({value})"),
        }
    }
}

/// Every group of flags and enumerated values; questions without argument are in
/// [`crate::info::TABLES`].
#[must_use]
pub fn classes() -> Vec<&'static Class> {
    flags::FLAGS.iter().chain(enumerations::ENUMERATIONS).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_names() {
        assert_eq!(MemObjectType::CLASS.names(0x10F0), ["BUFFER"]);
        assert_eq!(DeviceType::CLASS.names(2), ["ALL", "CPU"]);
        assert_eq!(MapFlags::CLASS.names(3), ["READ", "WRITE"]);
        assert!(MapFlags::CLASS.names(0).is_empty());
        assert_eq!(KernelArgTypeQualifier::CLASS.names(0), ["NONE"]);
    }

    #[test]
    fn values_show_their_names() {
        assert_eq!(format!("{:?}", CommandExecutionStatus::COMPLETE), "CommandExecutionStatus(COMPLETE)");
        assert_eq!(format!("{:?}", CommandExecutionStatus(-5)), "CommandExecutionStatus(-5)");
        assert_eq!(format!("{:?}", KernelArgAddressQualifier(0x119b)), "KernelArgAddressQualifier(GLOBAL)");
        assert_eq!(
            format!("{:?}", MemFlags::READ_ONLY | MemFlags::COPY_HOST_PTR),
            "MemFlags(READ_ONLY | COPY_HOST_PTR)"
        );
    }

    #[test]
    fn no_class_is_declared_twice() {
        let mut names: Vec<_> = classes().iter().map(|class| class.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
