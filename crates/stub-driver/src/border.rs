//! What crosses the C border: pointers in, status codes out, and no panic.

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::control;
use crate::sys::*;
use crate::table::Function;

/// Declares an entry point; its body is a closure inside which calls are counted, injected failures
/// happen, and panics stop.
///
/// - `status fn`: the body is a [`Result`] and the function returns the code.
/// - `object fn`: the body is a `Result` of [`Made`]; `errcode_ret` is appended to the parameters.
/// - `plain fn … else value`: the body is a `Result<T>` and `value` is returned when it failed.
macro_rules! entry {
    ($(#[$meta:meta])* status fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        pub(crate) unsafe extern "C" fn $name($($arg: $ty),*) -> $crate::sys::cl_int {
            match $crate::border::run($crate::table::Function::$name, || $body) {
                Ok(()) => $crate::sys::CL_SUCCESS,
                Err(code) => code,
            }
        }
    };
    ($(#[$meta:meta])* object fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        pub(crate) unsafe extern "C" fn $name(
            $($arg: $ty,)* errcode_ret: *mut $crate::sys::cl_int,
        ) -> *mut $crate::sys::c_void {
            let outcome = $crate::border::run($crate::table::Function::$name, || $body);
            let (object, code) = match outcome {
                Ok(made) => $crate::border::Made::parts(made),
                Err(code) => (std::ptr::null_mut(), code),
            };
            // SAFETY: the caller passes null or a place for one status code.
            unsafe { $crate::border::store(errcode_ret, code) };
            object
        }
    };
    ($(#[$meta:meta])* plain fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty
        $body:block else $default:expr) => {
        $(#[$meta])*
        pub(crate) unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
            $crate::border::run($crate::table::Function::$name, || $body).unwrap_or($default)
        }
    };
}

/// What a constructor gives: an object, or an object and a code that is not success.
pub(crate) trait Made {
    /// Object and code.
    fn parts(self) -> (*mut c_void, cl_int);
}

impl Made for *mut c_void {
    fn parts(self) -> (*mut c_void, cl_int) {
        (self, CL_SUCCESS)
    }
}

impl Made for (*mut c_void, cl_int) {
    fn parts(self) -> (*mut c_void, cl_int) {
        self
    }
}

/// Counts the call, lets an injected failure happen, else runs the body; a panic becomes
/// `CL_OUT_OF_RESOURCES`.
pub(crate) fn run<T>(function: Function, body: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(CL_OUT_OF_RESOURCES, || {
        control::enter(function)?;
        body()
    })
}

/// Runs the body; a panic becomes the given code.
pub(crate) fn guard<T>(code: cl_int, body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(code))
}

/// Locks; a lock poisoned by a caught panic is as good as any other here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `Err(code)` unless the condition holds.
pub(crate) fn check(condition: bool, code: cl_int) -> Result {
    if condition { Ok(()) } else { Err(code) }
}

/// Writes through an optional result pointer.
///
/// # Safety
/// - `pointer` is null or valid for writing one `T`.
pub(crate) unsafe fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not null, so valid by the caller's promise.
        unsafe { pointer.write_unaligned(value) };
    }
}

/// Copies an array of the caller; empty if the pointer is null.
///
/// # Safety
/// - `pointer` is null or valid for reading `count` elements.
pub(crate) unsafe fn items<T: Copy>(pointer: *const T, count: usize) -> Vec<T> {
    if pointer.is_null() {
        return Vec::new();
    }
    // SAFETY: `count` elements are readable by the caller's promise.
    (0..count).map(|index| unsafe { pointer.add(index).read_unaligned() }).collect()
}

/// Copies a C string; empty if the pointer is null. Bytes that are not UTF-8 are replaced.
///
/// # Safety
/// - `pointer` is null or a NUL-terminated string.
pub(crate) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: a C string by the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// Copies three sizes (an origin or a region).
///
/// # Errors
/// `CL_INVALID_VALUE` for a null pointer.
///
/// # Safety
/// - `pointer` is null or valid for reading three sizes.
pub(crate) unsafe fn triple(pointer: *const size_t) -> Result<[usize; 3]> {
    // SAFETY: passed on.
    let read = unsafe { items(pointer, 3) };
    read.try_into().map_err(|_| CL_INVALID_VALUE)
}

/// Copies a zero-terminated list of (name, value) pairs, terminator included; empty if the pointer is null.
///
/// # Safety
/// - `pointer` is null or a list of pairs that ends with a zero name.
pub(crate) unsafe fn pairs<T: Copy + Default + PartialEq>(pointer: *const T) -> Vec<T> {
    let mut list = Vec::new();
    if pointer.is_null() {
        return list;
    }
    loop {
        // SAFETY: the terminator has not been met, so a name is there.
        let name = unsafe { pointer.add(list.len()).read_unaligned() };
        list.push(name);
        if name == T::default() {
            return list;
        }
        // SAFETY: a name that is not the terminator is followed by its value.
        list.push(unsafe { pointer.add(list.len()).read_unaligned() });
    }
}

/// The value that a list of pairs gives a name.
pub(crate) fn pair<T: Copy + PartialEq>(list: &[T], name: T) -> Option<T> {
    list.chunks_exact(2).find(|pair| pair[0] == name).map(|pair| pair[1])
}

/// Checks what the list-returning functions demand of their count and list, then writes both.
///
/// # Safety
/// - `list` is null or valid for writing `room` handles, `count` is null or valid for one number.
pub(crate) unsafe fn store_list(
    found: &[*mut c_void],
    room: cl_uint,
    list: *mut *mut c_void,
    count: *mut cl_uint,
) -> Result {
    check(list.is_null() != (room > 0), CL_INVALID_VALUE)?;
    check(!list.is_null() || !count.is_null(), CL_INVALID_VALUE)?;
    if !list.is_null() {
        for (index, handle) in found.iter().take(room as usize).enumerate() {
            // SAFETY: `index < room`.
            unsafe { list.add(index).write(*handle) };
        }
    }
    // SAFETY: passed on.
    unsafe { store(count, found.len() as cl_uint) };
    Ok(())
}
