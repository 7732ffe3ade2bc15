//! What to do when memory runs out: one function of the program's (a garbage collection, say) is
//! called, and the allocation tried again.

use std::sync::OnceLock;

use crate::{Error, Result};

static RECLAIM: OnceLock<fn()> = OnceLock::new();

/// Sets the function that frees what the program can spare. It is set once for the process; later
/// calls change nothing.
pub fn set_reclaim(reclaim: fn()) {
    // A second set is refused, as promised.
    let _ = RECLAIM.set(reclaim);
}

/// Runs `allocate`; on an out-of-memory status reclaims and runs it once more.
pub(crate) fn with_reclaim<T>(allocate: impl Fn() -> Result<T>) -> Result<T> {
    match allocate() {
        Err(error) if error.is_out_of_memory() && reclaim(&error) => allocate(),
        other => other,
    }
}

/// Frees what the program can spare; whether there is a function for that.
pub(crate) fn reclaim(error: &Error) -> bool {
    let Some(reclaim) = RECLAIM.get() else { return false };
    log::info!("{error}; reclaiming memory and trying again");
    reclaim();
    true
}
