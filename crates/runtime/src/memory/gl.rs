//! Objects shared with OpenGL (extension `cl_khr_gl_sharing`, "Sharing Memory Objects with OpenGL").
//!
//! Commands that use one go between [`CommandQueue::acquire_gl_objects`](crate::CommandQueue::acquire_gl_objects) and
//! [`release_gl_objects`](crate::CommandQueue::release_gl_objects).

use std::ops::Deref;

use opencl_driver::Api;
use opencl_driver::sys::cl_mem;

use super::{MemObject, with_reclaim};
use crate::call::{call, create};
use crate::constants::GlObjectType;
use crate::handle::Handle;
use crate::{Context, Error, MemFlags, Result, Version, status};

/// Whether a device of the context shares objects with OpenGL. Drivers without the extension may have entries that
/// must not be called.
fn check(context: &Context, function: &'static str) -> Result<()> {
    for device in context.devices()? {
        if device.has_extension("cl_khr_gl_sharing")? {
            return Ok(());
        }
    }
    let detail = "no device of the context shares objects with OpenGL (cl_khr_gl_sharing)";
    Err(Error::refused(function, status::INVALID_OPERATION, detail))
}

/// Takes over a memory object that `make` gets from the driver.
fn shared(
    context: &Context,
    function: &'static str,
    make: impl Fn(&'static Api) -> Result<cl_mem>,
) -> Result<MemObject> {
    check(context, function)?;
    let api = context.api();
    let raw = with_reclaim(|| make(api))?;
    // SAFETY: the driver gives away the reference that it made.
    MemObject::complete(unsafe { Handle::from_owned(raw, api) })
}

/// A kind of object that is a memory object, and knows its name in OpenGL.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(MemObject);

        impl $name {
            /// A memory object that is known to be of this kind.
            #[must_use]
            pub fn of_object(object: MemObject) -> Self {
                Self(object)
            }

            /// The kind of OpenGL object, and its name there (`clGetGLObjectInfo`).
            ///
            /// # Errors
            /// `INVALID_GL_OBJECT` if it is none, else what the function gives.
            pub fn gl_object(&self) -> Result<(GlObjectType, u32)> {
                gl_object(&self.0)
            }
        }

        impl Deref for $name {
            type Target = MemObject;

            fn deref(&self) -> &MemObject {
                &self.0
            }
        }

        impl From<$name> for MemObject {
            fn from(object: $name) -> Self {
                object.0
            }
        }
    };
}

object! {
    /// A buffer that is a buffer object of OpenGL.
    GlBuffer
}
object! {
    /// An image that is a renderbuffer of OpenGL.
    GlRenderbuffer
}
object! {
    /// An image that is a level of a texture of OpenGL.
    GlTexture
}

fn gl_object(object: &MemObject) -> Result<(GlObjectType, u32)> {
    let (mut kind, mut name) = (0, 0);
    let raw = object.as_raw()?;
    // SAFETY: the object is live, and both addresses are those of variables.
    unsafe { call!(object.api(), clGetGLObjectInfo(raw, &raw mut kind, &raw mut name))? };
    Ok((GlObjectType(kind), name))
}

impl GlBuffer {
    /// The buffer object `name` (`clCreateFromGLBuffer`). `flags` say what kernels do with it.
    ///
    /// # Safety
    /// * `name` is an object of the OpenGL context that `context` was made with, or none.
    /// * It is not deleted, nor its storage replaced, while this object or a clone of it lives.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if no device of the context shares objects with OpenGL, else what the function gives.
    pub unsafe fn new(context: &Context, flags: MemFlags, name: u32) -> Result<Self> {
        shared(context, "clCreateFromGLBuffer", |api| {
            // SAFETY: the context is live; the rest is the caller's promise.
            unsafe { create!(api, clCreateFromGLBuffer(context.as_raw(), flags.bits(), name)) }
        })
        .map(Self)
    }
}

impl GlRenderbuffer {
    /// The renderbuffer `name` (`clCreateFromGLRenderbuffer`). `flags` say what kernels do with it.
    ///
    /// # Safety
    /// As for [`GlBuffer::new`].
    ///
    /// # Errors
    /// As for [`GlBuffer::new`].
    pub unsafe fn new(context: &Context, flags: MemFlags, name: u32) -> Result<Self> {
        shared(context, "clCreateFromGLRenderbuffer", |api| {
            // SAFETY: the context is live; the rest is the caller's promise.
            unsafe { create!(api, clCreateFromGLRenderbuffer(context.as_raw(), flags.bits(), name)) }
        })
        .map(Self)
    }
}

impl GlTexture {
    /// Level `level` of the texture `name` with `target`, an OpenGL enumerant such as `GL_TEXTURE_2D`
    /// (`clCreateFromGLTexture`; before OpenCL 1.2 `clCreateFromGLTexture2D` or `…3D`, by the number of `dimensions`).
    ///
    /// # Safety
    /// As for [`GlBuffer::new`].
    ///
    /// # Errors
    /// As for [`GlBuffer::new`]; `INVALID_VALUE` for other than one to three dimensions.
    pub unsafe fn new(
        context: &Context,
        flags: MemFlags,
        target: u32,
        level: i32,
        name: u32,
        dimensions: usize,
    ) -> Result<Self> {
        let function = "clCreateFromGLTexture";
        if !(1..=3).contains(&dimensions) {
            let detail = format!("a texture has one to three dimensions, not {dimensions}");
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        }
        let (raw, bits) = (context.as_raw(), flags.bits());
        shared(context, function, |api| {
            if api.version >= (Version { major: 1, minor: 2 }) {
                // SAFETY: the context is live; the rest is the caller's promise.
                unsafe { create!(api, clCreateFromGLTexture(raw, bits, target, level, name)) }
            } else if dimensions == 3 {
                // SAFETY: as above.
                unsafe { create!(api, clCreateFromGLTexture3D(raw, bits, target, level, name)) }
            } else {
                // SAFETY: as above.
                unsafe { create!(api, clCreateFromGLTexture2D(raw, bits, target, level, name)) }
            }
        })
        .map(Self)
    }
}
