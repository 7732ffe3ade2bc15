//! Objects of this process by handle: one that is reached through the driver again (a kernel's program, a
//! queue's context) is the one that is known already, with all that the driver does not tell.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

/// The living objects of one kind.
pub(crate) struct Known<T>(LazyLock<Mutex<HashMap<usize, Weak<T>>>>);

impl<T> Known<T> {
    pub(crate) const fn new() -> Self {
        Self(LazyLock::new(Mutex::default))
    }

    fn map(&self) -> MutexGuard<'_, HashMap<usize, Weak<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The object of this handle, or the one that `make` makes.
    pub(crate) fn get_or_insert(&self, raw: *mut c_void, make: impl FnOnce() -> T) -> Arc<T> {
        let mut map = self.map();
        if let Some(known) = map.get(&(raw as usize)).and_then(Weak::upgrade) {
            return known;
        }
        let new = Arc::new(make());
        map.insert(raw as usize, Arc::downgrade(&new));
        new
    }

    /// All that are alive now.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        self.map().values().filter_map(Weak::upgrade).collect()
    }

    /// To be called when the object of this handle goes, before the driver may use the handle anew.
    pub(crate) fn forget(&self, raw: *mut c_void) {
        let mut map = self.map();
        // Another object may have taken the place while this one was going.
        if map.get(&(raw as usize)).is_some_and(|known| known.strong_count() == 0) {
            map.remove(&(raw as usize));
        }
    }
}
