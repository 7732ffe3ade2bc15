//! Shapes, strides and axes as texts show them.

use std::fmt::{self, Display};

/// Numbers written as a tuple is: `(2, 3)`, `(4,)`, `()`.
#[derive(Clone, Copy, Debug)]
pub struct Tuple<'a, T>(pub &'a [T]);

impl<T: Display> Display for Tuple<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (place, item) in self.0.iter().enumerate() {
            let separator = if place > 0 { ", " } else { "" };
            write!(f, "{separator}{item}")?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_number_has_its_comma() {
        assert_eq!(Tuple::<usize>(&[]).to_string(), "()");
        assert_eq!(Tuple(&[4]).to_string(), "(4,)");
        assert_eq!(Tuple(&[2, -3, 4]).to_string(), "(2, -3, 4)");
    }
}
