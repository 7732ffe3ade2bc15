//! `cl_khr_gl_sharing`: which devices share objects with an OpenGL context.

use crate::sys::*;

extension! {
    /// The functions of `cl_khr_gl_sharing` that are no core slots.
    Functions {
        clGetGLContextInfoKHR: clGetGLContextInfoKHR_t,
    }
}
