//! Handing objects shared with OpenGL back and forth (extension `cl_khr_gl_sharing`).

use opencl_driver::sys::cl_mem;

use super::with_event;
use crate::call::call;
use crate::{CommandQueue, Event, MemObject, Result, WaitList};

impl CommandQueue {
    /// Takes objects over from OpenGL (`clEnqueueAcquireGLObjects`), whose commands on them must be done.
    ///
    /// # Errors
    /// `INVALID_GL_OBJECT` for other memory objects, else what the function gives.
    pub fn acquire_gl_objects(&self, objects: &[&MemObject], wait_for: &WaitList<'_>) -> Result<Event> {
        let handles = self.handles(objects, "clEnqueueAcquireGLObjects")?;
        // SAFETY: queue, objects and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueAcquireGLObjects(
                    self.as_raw(),
                    handles.len() as u32,
                    first(&handles),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    /// Gives objects back to OpenGL (`clEnqueueReleaseGLObjects`), which may use them when the event is done.
    ///
    /// # Errors
    /// As for [`Self::acquire_gl_objects`].
    pub fn release_gl_objects(&self, objects: &[&MemObject], wait_for: &WaitList<'_>) -> Result<Event> {
        let handles = self.handles(objects, "clEnqueueReleaseGLObjects")?;
        // SAFETY: queue, objects and events are live.
        with_event(self, |event| unsafe {
            call!(
                self.api(),
                clEnqueueReleaseGLObjects(
                    self.as_raw(),
                    handles.len() as u32,
                    first(&handles),
                    wait_for.len(),
                    wait_for.as_ptr(),
                    event
                )
            )
        })
    }

    fn handles(&self, objects: &[&MemObject], function: &'static str) -> Result<Vec<cl_mem>> {
        objects.iter().map(|object| self.raw_of(object, function)).collect()
    }
}

/// An empty list is a null pointer to the driver.
fn first(handles: &[cl_mem]) -> *const cl_mem {
    if handles.is_empty() { std::ptr::null() } else { handles.as_ptr() }
}
