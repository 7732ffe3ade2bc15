//! Storages whose buffers were handed out: whoever comes back with such a buffer gets the same storage, and
//! with it the commands that are pending on it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use opencl_runtime::{Buffer, Context};

use super::Storage;

/// The exposed storages of a context, by handle of their buffer.
#[derive(Debug, Default)]
struct Exposed(Mutex<HashMap<usize, Weak<Storage>>>);

impl Storage {
    /// The storage of a buffer: the one that was exposed with it, or a new one that is exposed from here on.
    #[must_use]
    pub fn shared(context: &Context, buffer: Buffer) -> Arc<Self> {
        let found = buffer.as_raw().ok().and_then(|raw| {
            let exposed = context.slot(Exposed::default);
            let known = exposed.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(&(raw as usize)).and_then(Weak::upgrade)
        });
        found.unwrap_or_else(|| {
            let storage = Arc::new(Self::from_buffer(context, buffer));
            storage.expose();
            storage
        })
    }

    /// Makes the storage known to [`Storage::shared`], to be done before its buffer is handed out.
    pub fn expose(self: &Arc<Self>) {
        self.keep_from_pool();
        let Ok(raw) = self.buffer().as_raw() else { return };
        let exposed = self.context().slot(Exposed::default);
        let mut known = exposed.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, storage| storage.strong_count() > 0);
        known.insert(raw as usize, Arc::downgrade(self));
    }
}
