//! A hash for keys that are one number already.

use std::hash::Hasher;

/// Spreads the bits of a `u64` key by one multiplication (Fibonacci hashing, Knuth TAOCP 3, 6.4).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitHasher(u64);

impl Hasher for BitHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 ^ u64::from(byte));
        }
    }

    fn write_usize(&mut self, key: usize) {
        self.write_u64(key as u64);
    }

    fn write_u64(&mut self, key: u64) {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}
