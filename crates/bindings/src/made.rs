//! Whether an object is there yet, for the garbage collector.

use std::sync::atomic::{AtomicU8, Ordering};

/// A field of classes that have both a dictionary and `__traverse__`, which looks at nothing else before it.
///
/// CPython 3.11 makes an object's dictionary in `object.__new__`, when the collector knows the object already, and
/// PyO3 writes the object after that. Making a dictionary may run the collector, which then finds zeroed memory.
pub(crate) struct Made(AtomicU8);

impl Made {
    /// For an object that is being written.
    #[inline]
    pub(crate) fn new() -> Self {
        Self(AtomicU8::new(1))
    }

    /// Whether the object was written.
    #[inline]
    pub(crate) fn is_made(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 1
    }
}
