//! A function of the program's that is called in place of each launch, to watch or time it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use opencl_runtime::{Arg, CommandQueue, Event, Kernel, NdRange};

use crate::error::Result;

/// What is called in place of the launches of arrays' kernels, in whatever thread they are made.
pub trait LaunchHook: Send + Sync {
    /// Launches the kernel with these arguments after the events of `wait_for`, and gives its event.
    ///
    /// # Errors
    /// What the launch gives; [`Error::Hook`](crate::Error::Hook) for errors of the hook's own.
    fn launch(
        &self,
        kernel: &Kernel,
        queue: &CommandQueue,
        range: &NdRange,
        arguments: &[Arg<'_>],
        wait_for: &[Arc<Event>],
    ) -> Result<Event>;
}

/// Whether there is a hook: all that a launch asks without one.
static IS_SET: AtomicBool = AtomicBool::new(false);
static HOOK: RwLock<Option<Arc<dyn LaunchHook>>> = RwLock::new(None);

/// Sets the hook of this process, or none.
pub fn set_launch_hook(hook: Option<Arc<dyn LaunchHook>>) {
    let mut current = HOOK.write().unwrap_or_else(PoisonError::into_inner);
    IS_SET.store(hook.is_some(), Ordering::Relaxed);
    let before = std::mem::replace(&mut *current, hook);
    drop(current);
    // What goes with the hook before goes without the lock.
    drop(before);
}

/// The hook, if there is one.
#[inline]
pub(crate) fn hook() -> Option<Arc<dyn LaunchHook>> {
    if !IS_SET.load(Ordering::Relaxed) {
        return None;
    }
    HOOK.read().unwrap_or_else(PoisonError::into_inner).clone()
}
