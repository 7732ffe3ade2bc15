//! What lives until the driver destroys a memory object.

use std::any::Any;
use std::ffi::c_void;

use opencl_driver::sys::cl_mem;

use super::MemObject;
use crate::Result;
use crate::call::call;

impl MemObject {
    /// Keeps `owner` until the driver destroys the object, after the last command that uses it
    /// (`clSetMemObjectDestructorCallback`). It is then dropped by whatever thread, perhaps inside of a function of the
    /// driver, and must not call into it.
    ///
    /// # Errors
    /// `INVALID_MEM_OBJECT` after a release, else what the function gives; `owner` is dropped then.
    pub fn keep_until_destroyed(&self, owner: Box<dyn Any + Send>) -> Result<()> {
        unsafe extern "C" fn destroyed(_: cl_mem, owner: *mut c_void) {
            // SAFETY: it is the box leaked below; the driver calls once.
            drop(unsafe { Box::from_raw(owner.cast::<Box<dyn Any + Send>>()) });
        }

        let raw = self.as_raw()?;
        let owner = Box::into_raw(Box::new(owner));
        // SAFETY: the object is live, and `owner` belongs to the one call back.
        let set = unsafe {
            call!(self.api(), clSetMemObjectDestructorCallback(raw, Some(destroyed), owner.cast()))
        };
        if set.is_err() {
            // SAFETY: the driver refused, so it does not call and the box is still ours.
            drop(unsafe { Box::from_raw(owner) });
        }
        set
    }
}
