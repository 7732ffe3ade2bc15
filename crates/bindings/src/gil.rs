//! The one place where the interpreter's lock is left, and the one by which threads of drivers come in.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use opencl_runtime::Result;
use pyo3::prelude::*;

use crate::error::IntoPyResult;

/// Runs what may block without the interpreter's lock.
#[inline]
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    py.detach(work).into_py()
}

/// Set before the interpreter goes: no thread of a driver may come in from then on.
static EXITING: AtomicBool = AtomicBool::new(false);
/// How many threads of drivers are in, or about to be.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// How long the exit of the interpreter waits for commands and call backs that are running.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs `work` on a thread of a driver with the interpreter's lock; `None` if the interpreter is ending.
pub(crate) fn from_driver_thread<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    let result = if EXITING.load(Ordering::SeqCst) { None } else { Python::try_attach(work) };
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Waits for commands that are running, keeps threads of drivers out from then on, waits for those that are in, and
/// fails user events that nobody has set where the driver would wait for them. Runs as an exit handler.
#[pyfunction]
fn _before_exit(py: Python<'_>) {
    if opencl_runtime::in_forked_child() {
        // It has none of the drivers' threads, so that there is nothing to wait for.
        return;
    }
    py.detach(|| {
        opencl_runtime::finish_all(PATIENCE);
        EXITING.store(true, Ordering::SeqCst);
        let start = Instant::now();
        while INSIDE.load(Ordering::SeqCst) > 0 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Their call backs stay out.
        opencl_runtime::abandon_user_events();
    });
}

/// Registers the exit handler, and garbage collection as the way of reclaiming memory.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let handler = wrap_pyfunction!(_before_exit, m)?;
    m.py().import("atexit")?.call_method1("register", (handler,))?;
    opencl_runtime::set_reclaim(|| {
        opencl_array::free_held();
        Python::attach(|py| {
            if let Err(error) = py.import("gc").and_then(|gc| gc.call_method0("collect")) {
                error.write_unraisable(py, None);
            }
        });
    });
    Ok(())
}
