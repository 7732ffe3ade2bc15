//! The control interface: exported C functions by which a test counts, fails and configures.
//!
//! All take and give plain C types, so that `ctypes` and `libloading` can use them. A name that the driver does not
//! have counts as never called and cannot fail; [`stub_fail`] says so.

use std::ffi::{c_char, c_int};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::border::{guard, lock, text};
use crate::sys::{CL_OUT_OF_RESOURCES, Result, c_uchar};
use crate::table::Function;
use crate::{config, launch, object, schedule, svm};

struct Failure {
    function: Function,
    /// Calls still to come until the failure; 0 means every call.
    after: u32,
    status: c_int,
}

static CALLS: [AtomicU64; Function::ALL.len()] = [const { AtomicU64::new(0) }; Function::ALL.len()];
static FAILURES: Mutex<Vec<Failure>> = Mutex::new(Vec::new());
static ANY_FAILURE: AtomicBool = AtomicBool::new(false);

/// Counts a call and gives the failure that was ordered for it.
pub(crate) fn enter(function: Function) -> Result {
    CALLS[function as usize].fetch_add(1, Ordering::Relaxed);
    if !ANY_FAILURE.load(Ordering::Acquire) {
        return Ok(());
    }
    let mut failures = lock(&FAILURES);
    let mut outcome = Ok(());
    failures.retain_mut(|failure| {
        if failure.function != function {
            return true;
        }
        match failure.after {
            0 => outcome = Err(failure.status),
            1 => {
                outcome = Err(failure.status);
                return false;
            }
            _ => failure.after -= 1,
        }
        true
    });
    ANY_FAILURE.store(!failures.is_empty(), Ordering::Release);
    outcome
}

/// Forgets counts and ordered failures, lets held commands run, and goes back to the environment's configuration.
/// Objects that are alive stay alive.
#[unsafe(no_mangle)]
pub extern "C" fn stub_reset() {
    let _ = guard(CL_OUT_OF_RESOURCES, || {
        lock(&FAILURES).clear();
        ANY_FAILURE.store(false, Ordering::Release);
        config::reset();
        schedule::release_all();
        stub_calls_reset();
        launch::forget();
        Ok(())
    });
}

/// Changes the configuration: `key=value` pairs separated by `;` or line ends. Keys that are not named
/// keep their value. Returns 0, or −1 if a key or value is not understood (then nothing changes).
///
/// | key | value (default) |
/// |---|---|
/// | `platforms` | number of platforms (1) |
/// | `devices` | devices per platform (1) |
/// | `name`, `vendor`, `version`, `profile`, `extensions`, `suffix` | the platform's texts |
/// | `device_name`, `device_vendor`, `device_version`, `driver_version`, `c_version`, `device_extensions` | the devices' texts |
/// | `device_type` | comma-separated `cpu`, `gpu`, `accelerator`, `custom`; the last is repeated (`gpu`) |
/// | `memory` | bytes that all buffers of the process may take together |
/// | `max_alloc` | bytes that one buffer may have |
/// | `max_work_group_size`, `compute_units` | numbers (256, 4) |
/// | `images`, `double`, `compiler`, `svm`, `unified` (the devices use the host's memory) | 0 or 1 (1) |
/// | `table` | `full` or `short:N`, a table that ends after N slots |
/// | `missing` | comma-separated functions that the driver lacks |
/// | `icd2` | `none`, `tags` or `byname` |
/// | `hold` | 1: commands wait for [`stub_complete_next`] or [`stub_complete_all`]; without it they wait for their wait lists alone |
/// | `callbacks` | `inline`, or `thread`: event callbacks come on a thread of their own |
///
/// A key may be preceded by a platform's number and a dot (`1.version=OpenCL 1.0 Old`) and then concerns
/// that platform only. A change of anything but `hold`, `callbacks` and `memory` shows in new platforms, which the next look-up gives.
///
/// # Safety
/// - `configuration` is null or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_configure(configuration: *const c_char) -> c_int {
    // SAFETY: passed on.
    let configuration = unsafe { text(configuration) };
    guard(-1, || config::change(&configuration).map_err(|_| -1)).map_or(-1, |()| 0)
}

/// Lets the `nth` call from now of a function fail with a status (1 is the next call, 0 every call).
/// Returns 0, or −1 if the driver has no such function.
///
/// # Safety
/// - `function` is null or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_fail(function: *const c_char, nth: u32, status: c_int) -> c_int {
    // SAFETY: passed on.
    let name = unsafe { text(function) };
    let Some(function) = Function::named(&name) else { return -1 };
    let mut failures = lock(&FAILURES);
    failures.push(Failure { function, after: nth, status });
    ANY_FAILURE.store(true, Ordering::Release);
    0
}

/// How often a function was called since the last reset.
///
/// # Safety
/// - `function` is null or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_calls(function: *const c_char) -> u64 {
    // SAFETY: passed on.
    let name = unsafe { text(function) };
    Function::named(&name).map_or(0, |function| CALLS[function as usize].load(Ordering::Relaxed))
}

/// Sets all call counts to zero.
#[unsafe(no_mangle)]
pub extern "C" fn stub_calls_reset() {
    for count in &CALLS {
        count.store(0, Ordering::Relaxed);
    }
}

/// Writes a line "name count" for each function that was called, NUL-terminated and cut at `room` bytes.
/// Returns the length of the whole text without the NUL.
///
/// # Safety
/// - `buffer` is null or valid for writing `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_calls_dump(buffer: *mut c_char, room: usize) -> usize {
    let mut lines = String::new();
    for function in Function::ALL {
        let count = CALLS[*function as usize].load(Ordering::Relaxed);
        if count > 0 {
            lines.push_str(&format!("{} {count}\n", function.name()));
        }
    }
    // SAFETY: passed on.
    unsafe { give_text(&lines, buffer, room) }
}

/// How many objects of a kind the application holds: `context`, `queue`, `mem`, `program`, `kernel`, `event`,
/// `sampler`, `svm`, or `device` (sub-devices).
///
/// # Safety
/// - `kind` is null or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_live(kind: *const c_char) -> u64 {
    // SAFETY: passed on.
    match unsafe { text(kind) }.as_str() {
        "svm" => svm::live(),
        kind => object::live(Some(kind)),
    }
}

/// How many objects of all kinds the application holds.
#[unsafe(no_mangle)]
pub extern "C" fn stub_live_total() -> u64 {
    object::live(None) + svm::live()
}

/// Runs the oldest held command whose dependencies are met. Returns 1, or 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn stub_complete_next() -> c_int {
    guard(0, || Ok(c_int::from(schedule::release_next(None)))).unwrap_or(0)
}

/// Ends the oldest held command whose dependencies are met with a (negative) status, without doing its work.
/// Returns 1, or 0 if there is none or the status is not negative.
#[unsafe(no_mangle)]
pub extern "C" fn stub_complete_next_with(status: c_int) -> c_int {
    if status >= 0 {
        return 0;
    }
    guard(0, || Ok(c_int::from(schedule::release_next(Some(status))))).unwrap_or(0)
}

/// Lets every command that was enqueued so far run as soon as its dependencies are met.
#[unsafe(no_mangle)]
pub extern "C" fn stub_complete_all() {
    let _ = guard(CL_OUT_OF_RESOURCES, || {
        schedule::release_all();
        Ok(())
    });
}

/// How many commands have not ended.
#[unsafe(no_mangle)]
pub extern "C" fn stub_pending() -> u64 {
    schedule::pending()
}

/// Writes what the last kernel launch was, in one line:
/// `name offset=x,y,z global=x,y,z local=x,y,z args=hex,hex` (`local=none` if the driver was to choose; `-`
/// for a null or local argument). Empty if there was none. Sizes as for [`stub_calls_dump`].
///
/// # Safety
/// - `buffer` is null or valid for writing `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stub_last_launch(buffer: *mut c_char, room: usize) -> usize {
    // SAFETY: passed on.
    unsafe { give_text(&launch::last(), buffer, room) }
}

/// Writes a NUL-terminated text cut at `room` bytes; returns its whole length.
///
/// # Safety
/// - `buffer` is null or valid for writing `room` bytes.
unsafe fn give_text(text: &str, buffer: *mut c_char, room: usize) -> usize {
    if !buffer.is_null() && room > 0 {
        let length = text.len().min(room - 1);
        // SAFETY: `length < room`.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<c_uchar>(), length) };
        // SAFETY: as above.
        unsafe { buffer.add(length).write(0) };
    }
    text.len()
}
