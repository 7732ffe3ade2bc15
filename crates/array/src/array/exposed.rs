//! Storages whose memory was handed out, or came from outside: whoever comes with such memory again gets the same
//! storage, and with it the commands that are pending on it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opencl_runtime::{Buffer, Context, MemFlags, SvmPointer};

use super::Storage;
use crate::error::Result;

/// The exposed storages of a context, by handle of their buffer, or address of their shared virtual memory: no two of
/// those that live are equal.
#[derive(Debug, Default)]
struct Exposed(Mutex<HashMap<usize, Weak<Storage>>>);

impl Exposed {
    fn storages(&self) -> MutexGuard<'_, HashMap<usize, Weak<Storage>>> {
        // Each change is one insertion or removal, so that a panic elsewhere leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn known(context: &Context, key: usize) -> Option<Arc<Storage>> {
    context.slot(Exposed::default).storages().get(&key).and_then(Weak::upgrade)
}

impl Storage {
    /// The storage of a buffer: the one that was exposed with it, or a new one that is exposed from here on.
    #[must_use]
    pub fn shared(context: &Context, buffer: Buffer) -> Arc<Self> {
        let found = buffer.as_raw().ok().and_then(|raw| known(context, raw as usize));
        found.unwrap_or_else(|| {
            let storage = Arc::new(Self::from_buffer(context, buffer));
            storage.expose();
            storage
        })
    }

    /// The storage of shared virtual memory, which commands use through a buffer in place: the one that is known for
    /// it, or a new one. The memory is freed, or goes back to its pool, after all commands that use it.
    ///
    /// # Errors
    /// As for [`SvmPointer::as_buffer`].
    pub fn shared_svm(context: &Context, memory: SvmPointer<'_>) -> Result<Arc<Self>> {
        let address = memory.address()? as usize;
        Self::shared_at(context, address, memory.size(), || {
            Ok(memory.as_buffer(context, MemFlags::READ_WRITE)?)
        })
    }

    /// The storage of `size` bytes at an address of the host's: the one that is known for it, or a new one over the
    /// buffer that `buffer` makes there.
    ///
    /// # Errors
    /// What `buffer` gives.
    pub fn shared_at<E>(
        context: &Context,
        address: usize,
        size: usize,
        buffer: impl FnOnce() -> Result<Buffer, E>,
    ) -> Result<Arc<Self>, E> {
        if let Some(storage) = known(context, address).filter(|storage| storage.buffer().size() == size) {
            return Ok(storage);
        }
        let storage = Arc::new(Self::from_buffer(context, buffer()?));
        storage.expose_as(address);
        Ok(storage)
    }

    /// Makes the storage known to [`Storage::shared`], to be done before its buffer is handed out.
    pub fn expose(self: &Arc<Self>) {
        self.keep_from_pool();
        if let Ok(raw) = self.buffer().as_raw() {
            self.expose_as(raw as usize);
        }
    }

    fn expose_as(self: &Arc<Self>, key: usize) {
        let exposed = self.context().slot(Exposed::default);
        let mut storages = exposed.storages();
        storages.retain(|_, storage| storage.strong_count() > 0);
        storages.insert(key, Arc::downgrade(self));
    }
}
