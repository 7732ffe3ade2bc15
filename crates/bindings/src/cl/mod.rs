//! The classes and functions of the runtime, with the runtime's file names.

pub(crate) mod buffer;
mod cache;
pub(crate) mod context;
pub(crate) mod copy;
mod declared;
pub(crate) mod device;
pub(crate) mod enqueue;
pub(crate) mod event;
mod gl;
mod host_owner;
pub(crate) mod image;
pub(crate) mod image_format;
pub(crate) mod image_transfer;
pub(crate) mod kernel;
pub(crate) mod launch;
pub(crate) mod map;
pub(crate) mod memory;
pub(crate) mod options;
pub(crate) mod pipe;
#[cfg(vectorcall)]
mod plain_copy;
pub(crate) mod platform;
pub(crate) mod pool;
pub(crate) mod program;
pub(crate) mod queue;
pub(crate) mod sampler;
pub(crate) mod svm;
mod svm_pool;
pub(crate) mod svm_transfer;

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;

/// Puts everything into the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    platform::register(m)?;
    device::register(m)?;
    context::register(m)?;
    queue::register(m)?;
    event::register(m)?;
    memory::register(m)?;
    buffer::register(m)?;
    image_format::register(m)?;
    image::register(m)?;
    pipe::register(m)?;
    gl::register(m)?;
    sampler::register(m)?;
    map::register(m)?;
    svm::register(m)?;
    svm_transfer::register(m)?;
    pool::register(m)?;
    svm_pool::register(m)?;
    program::register(m)?;
    cache::register(m)?;
    kernel::register(m)?;
    launch::register(m)?;
    copy::register(m)?;
    image_transfer::register(m)?;
    enqueue::register(m)
}

/// How an object shows itself: its class, its handle, and what else there is to say.
fn shown(object: &Bound<'_, PyAny>, handle: *mut std::ffi::c_void, more: &str) -> PyResult<String> {
    Ok(format!("<pyopencl.{} at {:#x}{more}>", object.get_type().name()?, handle as usize))
}

/// The hash of a handle: equal handles have equal ones.
fn hash_of(handle: *mut std::ffi::c_void) -> u64 {
    let mut hasher = DefaultHasher::new();
    handle.hash(&mut hasher);
    hasher.finish()
}
