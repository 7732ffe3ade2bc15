//! Children that were forked: they have the parent's objects, but neither the threads of its drivers nor their
//! state on the device.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);
static IN_USE: AtomicBool = AtomicBool::new(false);
static LOST: AtomicBool = AtomicBool::new(false);
static WATCHING: Once = Once::new();

/// Whether this process was forked from one that had loaded drivers. Nothing is to be given back to them then:
/// NVIDIA's driver crashes at it, others wait for threads that the child does not have.
#[inline]
#[must_use]
pub fn in_forked_child() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Notes that a driver has started threads, or opened a device, so that children forked from now on cannot use it.
pub fn note_use() {
    IN_USE.store(true, Ordering::Relaxed);
}

/// Whether this process was forked from one that had used drivers ([`note_use`]): what needs their threads would
/// wait for ever.
#[inline]
#[must_use]
pub fn is_lost_to_fork() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Notes forks from now on.
pub(crate) fn watch() {
    WATCHING.call_once(|| {
        #[cfg(unix)]
        {
            extern "C" fn note() {
                FORKED.store(true, Ordering::Relaxed);
                LOST.store(IN_USE.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            // SAFETY: the handler only stores to atomics, which a child may do at once after a fork.
            let status = unsafe { libc::pthread_atfork(None, None, Some(note)) };
            if status != 0 {
                log::warn!("forks are not noted: pthread_atfork failed with {status}");
            }
        }
    });
}
