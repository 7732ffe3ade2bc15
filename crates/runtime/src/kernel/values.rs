//! The numbers to which arguments of a kernel were set last: equal ones are not set again, which spares a call of the
//! driver each (some 100 ns on GPUs).

/// Longer values are set each time.
const MOST: usize = 8;

/// What is known of the arguments that hold values, by index.
#[derive(Default)]
pub(crate) struct Values(Vec<Value>);

#[derive(Clone, Copy, Default)]
struct Value {
    /// The bytes, with zeroes behind them.
    bits: u64,
    /// How many they are; zero if nothing is known.
    len: usize,
}

impl Value {
    fn of(bytes: &[u8]) -> Self {
        let mut padded = [0; MOST];
        padded[..bytes.len()].copy_from_slice(bytes);
        Self { bits: u64::from_ne_bytes(padded), len: bytes.len() }
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
        let known = self.0.get(index as usize);
        known.is_some_and(|known| {
            known.len == bytes.len() && known.len > 0 && known.bits == Value::of(bytes).bits
        })
    }

    /// Notes the value that the argument has now.
    #[inline]
    pub(super) fn note(&mut self, index: u32, bytes: &[u8]) {
        if let Some(known) = self.0.get_mut(index as usize) {
            *known = if bytes.len() > MOST { Value::default() } else { Value::of(bytes) };
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
