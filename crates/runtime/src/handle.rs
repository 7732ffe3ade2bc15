//! One owning handle for every kind of OpenCL object: the raw handle and the functions of its platform;
//! released on drop. Objects share
//! it through an `Arc`, so cloning one asks nothing of the driver and cannot fail.

use std::ffi::c_void;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use opencl_driver::{Api, in_forked_child, status};

use crate::{Error, Result};

/// What is counted: the functions that retain and release it.
pub(crate) trait Counted {
    /// The name of the object in messages.
    const NAME: &'static str;
    /// The status that the specification gives for a handle that is none.
    const INVALID: i32;
    /// The C names of the two functions.
    const FUNCTIONS: (&'static str, &'static str);
    fn retain(api: &Api) -> Option<unsafe extern "C" fn(*mut c_void) -> i32>;
    fn release(api: &Api) -> Option<unsafe extern "C" fn(*mut c_void) -> i32>;
}

macro_rules! counted {
    ($($kind:ident, $name:literal, $invalid:ident, $retain:ident, $release:ident;)*) => {
        $(
            #[doc = concat!("Marks handles of ", $name, "s.")]
            pub(crate) enum $kind {}

            impl Counted for $kind {
                const NAME: &'static str = $name;
                const INVALID: i32 = status::$invalid;
                const FUNCTIONS: (&'static str, &'static str) =
                    (stringify!($retain), stringify!($release));

                fn retain(api: &Api) -> Option<unsafe extern "C" fn(*mut c_void) -> i32> {
                    api.$retain
                }

                fn release(api: &Api) -> Option<unsafe extern "C" fn(*mut c_void) -> i32> {
                    api.$release
                }
            }
        )*
    };
}

counted! {
    OfDevice, "device", INVALID_DEVICE, clRetainDevice, clReleaseDevice;
    OfContext, "context", INVALID_CONTEXT, clRetainContext, clReleaseContext;
    OfQueue, "command queue", INVALID_COMMAND_QUEUE, clRetainCommandQueue, clReleaseCommandQueue;
    OfMem, "memory object", INVALID_MEM_OBJECT, clRetainMemObject, clReleaseMemObject;
    OfSampler, "sampler", INVALID_SAMPLER, clRetainSampler, clReleaseSampler;
    OfProgram, "program", INVALID_PROGRAM, clRetainProgram, clReleaseProgram;
    OfKernel, "kernel", INVALID_KERNEL, clRetainKernel, clReleaseKernel;
    OfEvent, "event", INVALID_EVENT, clRetainEvent, clReleaseEvent;
}

/// An owned reference to an OpenCL object.
pub(crate) struct Handle<K: Counted> {
    raw: *mut c_void,
    api: &'static Api,
    kind: PhantomData<K>,
}

// SAFETY: OpenCL objects may be used from any thread (specification, section "Thread-safety");
// `clSetKernelArg` alone is not safe on one kernel, and `Kernel` locks around it.
unsafe impl<K: Counted> Send for Handle<K> {}
// SAFETY: as above.
unsafe impl<K: Counted> Sync for Handle<K> {}

impl<K: Counted> Handle<K> {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a live object of kind `K` of the platform of `api`, and the caller owns one reference
    /// to it, which it gives away.
    pub(crate) unsafe fn from_owned(raw: *mut c_void, api: &'static Api) -> Self {
        Self { raw, api, kind: PhantomData }
    }

    /// Adds a reference.
    ///
    /// # Safety
    /// `raw` is a live object of kind `K` of the platform of `api`.
    pub(crate) unsafe fn from_borrowed(raw: *mut c_void, api: &'static Api) -> Result<Self> {
        // Devices of OpenCL 1.1 and older have no counts, so a missing function is no error.
        if let Some(retain) = K::retain(api) {
            // SAFETY: `raw` is live, by the caller's promise.
            match unsafe { retain(raw) } {
                status::SUCCESS => {}
                code => return Err(Error::status(K::FUNCTIONS.0, code)),
            }
        }
        // SAFETY: the reference added above is given away.
        Ok(unsafe { Self::from_owned(raw, api) })
    }

    /// Wraps a handle that came from elsewhere, after finding out whose it is.
    ///
    /// # Safety
    /// `raw` is null or a live object of kind `K`; with `retain` false the caller gives away one
    /// reference.
    pub(crate) unsafe fn from_foreign(raw: *mut c_void, retain: bool) -> Result<Self> {
        if raw.is_null() {
            return Err(Error::refused(K::FUNCTIONS.0, K::INVALID, format!("the {} is null", K::NAME)));
        }
        // SAFETY: `raw` is live, by the caller's promise.
        let api = unsafe { opencl_driver::api_of(raw) }.ok_or_else(|| {
            let detail = format!("the {} at {raw:?} belongs to no driver that is loaded here", K::NAME);
            Error::refused(K::FUNCTIONS.0, K::INVALID, detail)
        })?;
        if retain {
            // SAFETY: `raw` is live and `api` is its platform's.
            unsafe { Self::from_borrowed(raw, api) }
        } else {
            // SAFETY: the caller gives away one reference.
            Ok(unsafe { Self::from_owned(raw, api) })
        }
    }

    /// Gives the reference back, as dropping does, and tells what came of it.
    pub(crate) fn release(self) -> Result<()> {
        let handle = ManuallyDrop::new(self);
        // SAFETY: the handle owns one reference and is not dropped.
        unsafe { handle.give_back() }
    }

    /// # Safety
    /// The reference is given back once, and the handle is not used afterwards.
    unsafe fn give_back(&self) -> Result<()> {
        // A child leaves what it has from its parent alone.
        if in_forked_child() {
            return Ok(());
        }
        let Some(release) = K::release(self.api) else { return Ok(()) };
        // SAFETY: `self` owns one reference, by the caller's promise.
        match unsafe { release(self.raw) } {
            status::SUCCESS => Ok(()),
            code => Err(Error::status(K::FUNCTIONS.1, code)),
        }
    }

    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.api
    }
}

impl<K: Counted> Drop for Handle<K> {
    fn drop(&mut self) {
        // SAFETY: `self` owns one reference and goes.
        if let Err(error) = unsafe { self.give_back() } {
            log::warn!("{error}");
        }
    }
}

impl<K: Counted> PartialEq for Handle<K> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<K: Counted> Eq for Handle<K> {}

impl<K: Counted> Hash for Handle<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<K: Counted> fmt::Debug for Handle<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", K::NAME, self.raw)
    }
}
