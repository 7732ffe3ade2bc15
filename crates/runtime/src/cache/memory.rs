//! What a context remembers of its programs: binaries, and the identity of its devices.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::key::Key;
use crate::{Device, Result};

/// Binaries beyond so many bytes are not remembered (they are still on disk).
const MAX_BYTES: usize = 64 << 20;

/// The memory of one context.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<State>);

/// One binary a device.
pub(super) type Binaries = Arc<Vec<Vec<u8>>>;

#[derive(Debug, Default)]
struct State {
    bytes: usize,
    binaries: HashMap<Key, (PathBuf, Binaries)>,
    identities: HashMap<Vec<usize>, Arc<str>>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The binaries of a key that were read from or written to `directory`.
    pub(super) fn get(&self, directory: &Path, key: &Key) -> Option<Binaries> {
        let state = self.state();
        state.binaries.get(key).filter(|(place, _)| place == directory).map(|(_, list)| Arc::clone(list))
    }

    /// Remembers binaries while there is room.
    pub(super) fn put(&self, directory: &Path, key: &Key, binaries: Vec<Vec<u8>>) -> Binaries {
        let binaries = Arc::new(binaries);
        let size: usize = binaries.iter().map(Vec::len).sum();
        let mut state = self.state();
        if state.bytes + size <= MAX_BYTES {
            let old = state.binaries.insert(*key, (directory.to_owned(), Arc::clone(&binaries)));
            let freed = old.map_or(0, |(_, list)| list.iter().map(Vec::len).sum());
            state.bytes = state.bytes + size - freed;
        }
        binaries
    }

    /// The [identity](identity_of) of devices, remembered. `None` if one does not tell.
    pub(super) fn identity(&self, devices: &[Device]) -> Option<Arc<str>> {
        // Handles stay what they are: the devices of a context live as long as it does.
        let handles: Vec<usize> = devices.iter().map(|device| device.as_raw() as usize).collect();
        if let Some(identity) = self.state().identities.get(&handles) {
            return Some(Arc::clone(identity));
        }
        let identity: Arc<str> = match identity_of(devices) {
            Ok(text) => text.into(),
            Err(error) => {
                log::info!("no cache for a device that does not tell its name: {error}");
                return None;
            }
        };
        self.state().identities.insert(handles, Arc::clone(&identity));
        Some(identity)
    }
}

/// Names and versions of devices and their drivers: binaries fit nothing else.
pub(super) fn identity_of(devices: &[Device]) -> Result<String> {
    let describe = |device: &Device| -> Result<String> {
        let platform = device.platform()?;
        let parts = [
            platform.name()?,
            platform.version()?,
            device.name()?,
            device.vendor()?,
            device.version()?,
            device.driver_version()?,
        ];
        Ok(parts.join("\n"))
    };
    Ok(devices.iter().map(describe).collect::<Result<Vec<_>>>()?.join("\n\n"))
}
