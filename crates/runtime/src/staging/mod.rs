//! Pinned memory of a context, through which large host copies go in chunks.
//!
//! Drivers copy ordinary memory with one thread, through pinned memory of their own. Where the device has memory of
//! its own, several threads do it faster: on an H200, 28 to 46 GB/s to the device and 25 to 29 GB/s from it, where
//! the driver's own calls make 6 to 13. The mechanism is in `enqueue/staged.rs`; here is what hangs on the context.

mod huge_pages;
mod pinned;
pub(crate) mod plan;
pub(crate) mod team;

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use opencl_driver::in_forked_child;

pub use self::huge_pages::ask_for_huge_pages;
use self::pinned::Pinned;
use self::plan::{LARGEST_CHUNK, Plan};
use crate::{Context, Device, DeviceType, Result};

/// How blocking copies between ordinary host memory and buffers are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostCopies {
    /// In chunks through pinned memory where that is faster: from 16 MiB on, on devices with memory of their own, if
    /// the process may use two threads or more. Else by one call of the driver.
    ///
    /// Each device has 2 × 16 MiB of pinned memory, made at the first such copy. If that fails, or another thread is
    /// using it, the driver is called; also for memory that is mapped from a memory object, since that is pinned.
    #[default]
    Automatic,
    /// In chunks through pinned memory on every device, from 8 KiB on.
    Staged {
        /// The size of the largest chunk in bytes.
        chunk: usize,
        /// How many threads copy, the caller's among them.
        threads: usize,
    },
    /// By one call of the driver.
    Plain,
}

/// The least size for which [`HostCopies::Automatic`] cuts. On an H200, 16 MiB take 0.94 ms to the device and 0.89 ms
/// back, against 1.20 and 1.19 ms by one call; 8 MiB take 0.71 and 0.60 ms against 0.63 and 0.63 ms.
const THRESHOLD: usize = 16 << 20;

/// The least size of which anybody thinks.
pub(crate) const LEAST: usize = 2 * plan::HEAD;

/// More threads than these are no faster.
const MOST_THREADS: usize = 8;

/// The slot of a context for pinned memory.
#[derive(Default)]
struct Staging {
    policy: Mutex<HostCopies>,
    /// How many threads a copy may have. The system's answer is kept: it reads files for it.
    threads: OnceLock<usize>,
    places: Mutex<HashMap<usize, Place>>,
    /// Where memory objects are mapped, by address, and how many bytes of them.
    mapped: Mutex<BTreeMap<usize, usize>>,
}

/// What is known about a device.
#[derive(Default)]
struct Place {
    /// Whether copies through pinned memory are faster; `None` before it was asked.
    pays: Option<bool>,
    /// The memory; `None` before it was made, and while it is lent.
    pinned: Option<Pinned>,
    lent: bool,
}

/// The pinned memory of a device while it is used for one copy.
pub(crate) struct Lease {
    staging: Arc<Staging>,
    device: usize,
    pinned: Option<Pinned>,
    plan: Plan,
    threads: usize,
}

impl Context {
    /// Sets how blocking copies between host memory and buffers are made from now on.
    pub fn set_host_copies(&self, how: HostCopies) {
        *lock(&self.slot(Staging::default).policy) = how;
    }

    /// How blocking copies between host memory and buffers are made.
    #[must_use]
    pub fn host_copies(&self) -> HostCopies {
        *lock(&self.slot(Staging::default).policy)
    }

    /// Whether a copy is going through pinned memory now.
    pub(crate) fn is_copying(&self) -> bool {
        self.slot(Staging::default).places().values().any(|place| place.lent)
    }

    /// Notes that a memory object is mapped.
    pub(crate) fn mapped(&self, address: *mut c_void, size: usize) {
        lock(&self.slot(Staging::default).mapped).insert(address as usize, size);
    }

    /// Notes that it no longer is.
    pub(crate) fn unmapped(&self, address: *mut c_void) {
        lock(&self.slot(Staging::default).mapped).remove(&(address as usize));
    }

    /// Pinned memory for a copy of `size` bytes with host memory at `address`, if the copy is to go through it and it
    /// is free.
    pub(crate) fn lease_pinned(&self, device: &Device, size: usize, address: *mut c_void) -> Option<Lease> {
        if in_forked_child() {
            return None;
        }
        let staging = self.slot(Staging::default);
        let how = *lock(&staging.policy);
        let (chunk, threads) = match how {
            HostCopies::Plain => return None,
            HostCopies::Staged { chunk, threads } => (chunk, threads),
            HostCopies::Automatic => {
                if size < THRESHOLD || staging.is_mapped(address as usize, size) || !staging.pays(device) {
                    return None;
                }
                (LARGEST_CHUNK, staging.threads())
            }
        };
        let plan = Plan::new(size, chunk)?;
        let slot_size = match how {
            // The same for copies of all sizes.
            HostCopies::Automatic => LARGEST_CHUNK,
            _ => plan.slot_size(),
        };
        staging.lend(self, device, slot_size, plan, threads)
    }
}

impl Staging {
    fn places(&self) -> MutexGuard<'_, HashMap<usize, Place>> {
        lock(&self.places)
    }

    /// Whether the range is inside of a mapping.
    fn is_mapped(&self, address: usize, size: usize) -> bool {
        let mapped = lock(&self.mapped);
        let before = mapped.range(..=address).next_back();
        before.is_some_and(|(start, length)| address - start + size <= *length)
    }

    fn threads(&self) -> usize {
        let at_hand = || std::thread::available_parallelism().map_or(1, usize::from);
        *self.threads.get_or_init(|| at_hand().min(MOST_THREADS))
    }

    /// Whether copies through pinned memory are faster on this device.
    fn pays(&self, device: &Device) -> bool {
        let key = device.as_raw() as usize;
        if let Some(known) = self.places().get(&key).and_then(|place| place.pays) {
            return known;
        }
        // A device that does not answer has the driver's calls, and is asked again the next time.
        let Ok(own_memory) = has_memory_of_its_own(device) else { return false };
        // One thread loses to the driver, two win.
        let pays = own_memory && self.threads() >= 2;
        self.places().entry(key).or_default().pays = Some(pays);
        pays
    }

    /// The device's pinned memory, made or made larger if need be; `None` if it cannot be had.
    fn lend(
        self: Arc<Self>,
        context: &Context,
        device: &Device,
        slot_size: usize,
        plan: Plan,
        threads: usize,
    ) -> Option<Lease> {
        let key = device.as_raw() as usize;
        let mut places = self.places();
        let place = places.entry(key).or_default();
        if std::mem::replace(&mut place.lent, true) {
            return None;
        }
        let found = place.pinned.take();
        drop(places);
        // From here on the lease gives back what there is, whatever comes.
        let mut lease = Lease { staging: self, device: key, pinned: found, plan, threads };
        if lease.pinned.as_ref().is_none_or(|pinned| pinned.slot_size() < slot_size) {
            lease.pinned = None;
            match Pinned::new(context, device, slot_size) {
                Ok(pinned) => lease.pinned = Some(pinned),
                Err(error) => {
                    log::debug!("no pinned memory for host copies: {error}");
                    return None;
                }
            }
        }
        Some(lease)
    }
}

impl Lease {
    /// How the copy is cut.
    pub(crate) fn plan(&self) -> Plan {
        self.plan
    }

    /// How many threads copy.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The address of a slot, with room for any chunk of the plan.
    pub(crate) fn slot(&self, number: usize) -> *mut u8 {
        // A lease that was handed out has memory.
        self.pinned.as_ref().map_or(std::ptr::null_mut(), |pinned| pinned.slot(number))
    }

    /// Leaves the memory to the driver for ever: commands may still be using it.
    pub(crate) fn abandon(mut self) {
        log::warn!("the driver does not tell when a copy ends: its pinned memory is given up");
        std::mem::forget(self.pinned.take());
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut places = self.staging.places();
        let place = places.entry(self.device).or_default();
        place.pinned = self.pinned.take();
        place.lent = false;
    }
}

/// Whether copies to the device cross a bus.
fn has_memory_of_its_own(device: &Device) -> Result<bool> {
    let kinds = DeviceType::GPU | DeviceType::ACCELERATOR;
    Ok(device.type_()?.intersects(kinds) && !device.host_unified_memory()?)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
