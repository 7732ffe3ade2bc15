//! Owners of host memory that memory objects use in place.
//!
//! The driver uses the memory as long as commands do, which may be longer than the Python object lives. So the owner
//! goes to the driver with the object's end, and comes back when the driver has destroyed it. That may be inside of a
//! function of the driver: it is dropped afterwards.

use std::sync::{Mutex, PoisonError};

use opencl_runtime::MemObject;
use pyo3::prelude::*;

/// Owners that the driver no longer needs.
static LEFT: Mutex<Vec<Py<PyAny>>> = Mutex::new(Vec::new());

/// Drops what drivers have given back.
fn drop_left() {
    let left = std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner));
    drop(left);
}

/// An owner in the hands of the driver.
struct Lent(Option<Py<PyAny>>);

impl Drop for Lent {
    fn drop(&mut self) {
        LEFT.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0.take());
    }
}

/// The owner of the host memory of a memory object.
pub(super) struct HostOwner {
    owner: Option<Py<PyAny>>,
    object: Option<MemObject>,
}

impl HostOwner {
    pub(super) fn new(owner: Py<PyAny>, object: MemObject) -> Self {
        drop_left();
        Self { owner: Some(owner), object: Some(object) }
    }

    pub(super) fn owner(&self) -> Option<&Py<PyAny>> {
        self.owner.as_ref()
    }

    /// Keeps the owner until the driver destroys the object, for an object that is about to be released.
    pub(super) fn keep(&self, py: Python<'_>) {
        if let (Some(owner), Some(object)) = (&self.owner, &self.object) {
            lend(object, owner.clone_ref(py));
        }
    }
}

/// Gives an owner to the driver until it destroys the object; one that was released has had its owner kept.
fn lend(object: &MemObject, owner: Py<PyAny>) {
    if object.as_raw().is_ok() {
        // A driver that refuses gives the owner back at once, as before OpenCL 1.1.
        let _ = object.keep_until_destroyed(Box::new(Lent(Some(owner))));
    }
}

impl Drop for HostOwner {
    fn drop(&mut self) {
        if let (Some(owner), Some(object)) = (self.owner.take(), self.object.take()) {
            lend(&object, owner);
        }
        drop_left();
    }
}
