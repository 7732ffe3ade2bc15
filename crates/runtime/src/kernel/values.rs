//! The numbers to which arguments of a kernel were set last: equal ones are not set again, which spares a call of the
//! driver each (some 100 ns on GPUs).

/// What is known of the arguments that hold values, by index.
#[derive(Default)]
pub(crate) struct Values(Vec<Value>);

/// The bits of a value and the number of its bytes; zero bytes if nothing is known, as of values of other sizes, which
/// are set each time.
#[derive(Clone, Copy, Default)]
struct Value {
    bits: u64,
    len: usize,
}

impl Value {
    #[inline]
    fn of(bytes: &[u8]) -> Self {
        let len = bytes.len();
        let bits = match *bytes {
            [a, b, c, d, e, f, g, h] => u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            [a, b] => u16::from_ne_bytes([a, b]).into(),
            [a] => a.into(),
            _ => return Self::default(),
        };
        Self { bits, len }
    }
}

impl Values {
    /// For so many arguments, of which nothing is known.
    pub(super) fn unknown(arity: u32) -> Self {
        Self(vec![Value::default(); arity as usize])
    }

    /// Whether the argument has this value.
    #[inline]
    pub(super) fn hold(&self, index: u32, bytes: &[u8]) -> bool {
        let (value, known) = (Value::of(bytes), self.0.get(index as usize).copied().unwrap_or_default());
        value.len != 0 && value.len == known.len && value.bits == known.bits
    }

    /// Notes the value that the argument has now.
    #[inline]
    pub(super) fn note(&mut self, index: u32, bytes: &[u8]) {
        if let Some(known) = self.0.get_mut(index as usize) {
            *known = Value::of(bytes);
        }
    }

    /// Nothing is known of the argument any more.
    pub(super) fn forget(&mut self, index: u32) {
        self.note(index, &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart_by_bytes_and_length() {
        let mut values = Values::unknown(2);
        assert!(!values.hold(0, &[0; 4]) && !values.hold(0, &[]));
        values.note(0, &[0; 4]);
        assert!(values.hold(0, &[0; 4]) && !values.hold(0, &[0; 8]) && !values.hold(1, &[0; 4]));
        values.note(0, &[1; 8]);
        assert!(values.hold(0, &[1; 8]) && !values.hold(0, &[0; 4]));
        values.note(0, &[1; 16]);
        assert!(!values.hold(0, &[1; 16]) && !values.hold(0, &[1; 8]));
        values.note(0, &[1; 8]);
        values.forget(0);
        assert!(!values.hold(0, &[1; 8]));
        values.note(7, &[1]);
        assert!(!values.hold(7, &[1]));
    }
}
