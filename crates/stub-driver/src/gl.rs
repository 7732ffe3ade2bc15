//! Objects shared with OpenGL (`cl_khr_gl_sharing`). There is no OpenGL here: each name but zero is an object of 64
//! bytes, or of 4 x 4 pixels.

use crate::border::{check, items, store};
use crate::context::Context;
use crate::enqueue::Enqueue;
use crate::image;
use crate::info::Answer;
use crate::memory::{self, Mem, Plan};
use crate::object;
use crate::sys::*;

const BUFFER_SIZE: usize = 64;

/// What makes a memory object one of OpenGL's.
#[derive(Clone, Copy)]
pub(crate) struct Gl {
    kind: cl_gl_object_type,
    name: cl_GLuint,
    /// Target and level of a texture.
    texture: Option<(cl_GLenum, cl_GLint)>,
}

const TEXTURE_2D: cl_GLenum = 0x0DE1;
const TEXTURE_3D: cl_GLenum = 0x806F;

fn create(context: cl_context, flags: cl_mem_flags, gl: Gl) -> Result<cl_mem> {
    let context = object::get::<Context>(context)?;
    let device = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    check(flags & !device == 0, CL_INVALID_VALUE)?;
    check(gl.name != 0, CL_INVALID_GL_OBJECT)?;
    let (kind, image) = match gl.kind {
        CL_GL_OBJECT_BUFFER => (CL_MEM_OBJECT_BUFFER, None),
        CL_GL_OBJECT_TEXTURE3D => (CL_MEM_OBJECT_IMAGE3D, Some(image::square(CL_MEM_OBJECT_IMAGE3D))),
        _ => (CL_MEM_OBJECT_IMAGE2D, Some(image::square(CL_MEM_OBJECT_IMAGE2D))),
    };
    let plan = Plan {
        context,
        kind,
        flags,
        size: BUFFER_SIZE,
        host: std::ptr::null_mut(),
        image,
        pipe: None,
        gl: Some(gl),
        properties: Vec::new(),
    };
    // SAFETY: no host memory is named.
    unsafe { memory::create(plan) }
}

fn texture(target: cl_GLenum, level: cl_GLint, name: cl_GLuint) -> Result<Gl> {
    check(matches!(target, TEXTURE_2D | TEXTURE_3D), CL_INVALID_VALUE)?;
    check(level == 0, CL_INVALID_MIP_LEVEL)?;
    let kind = if target == TEXTURE_3D { CL_GL_OBJECT_TEXTURE3D } else { CL_GL_OBJECT_TEXTURE2D };
    Ok(Gl { kind, name, texture: Some((target, level)) })
}

entry! {
    object fn clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, bufobj: cl_GLuint,) {
        create(context, flags, Gl { kind: CL_GL_OBJECT_BUFFER, name: bufobj, texture: None })
    }
}

entry! {
    object fn clCreateFromGLRenderbuffer(
        context: cl_context, flags: cl_mem_flags, renderbuffer: cl_GLuint,
    ) {
        create(context, flags, Gl { kind: CL_GL_OBJECT_RENDERBUFFER, name: renderbuffer, texture: None })
    }
}

entry! {
    object fn clCreateFromGLTexture(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture_name: cl_GLuint,
    ) {
        create(context, flags, texture(target, miplevel, texture_name)?)
    }
}

entry! {
    object fn clCreateFromGLTexture2D(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture_name: cl_GLuint,
    ) {
        check(target == TEXTURE_2D, CL_INVALID_VALUE)?;
        create(context, flags, texture(target, miplevel, texture_name)?)
    }
}

entry! {
    object fn clCreateFromGLTexture3D(
        context: cl_context, flags: cl_mem_flags, target: cl_GLenum, miplevel: cl_GLint, texture_name: cl_GLuint,
    ) {
        check(target == TEXTURE_3D, CL_INVALID_VALUE)?;
        create(context, flags, texture(target, miplevel, texture_name)?)
    }
}

entry! {
    status fn clGetGLObjectInfo(
        memobj: cl_mem, gl_object_type: *mut cl_gl_object_type, gl_object_name: *mut cl_GLuint,
    ) {
        let gl = object::get::<Mem>(memobj)?.gl.ok_or(CL_INVALID_GL_OBJECT)?;
        // SAFETY: null or writable by the specification.
        unsafe { store(gl_object_type, gl.kind) };
        // SAFETY: as above.
        unsafe { store(gl_object_name, gl.name) };
        Ok(())
    }
}

entry! {
    status fn clGetGLTextureInfo(
        memobj: cl_mem, param_name: cl_gl_texture_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let gl = object::get::<Mem>(memobj)?.gl.ok_or(CL_INVALID_GL_OBJECT)?;
        let (target, level) = gl.texture.ok_or(CL_INVALID_GL_OBJECT)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_GL_TEXTURE_TARGET => answer.value(target),
            CL_GL_MIPMAP_LEVEL => answer.value(level),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

/// # Safety
/// - As the two functions that call it.
unsafe fn exchange(
    command: cl_command_type,
    queue: cl_command_queue,
    (count, objects): (cl_uint, *const cl_mem),
    (waits, list): (cl_uint, *const cl_event),
    event: *mut cl_event,
) -> Result {
    // SAFETY: passed on.
    let enqueue = unsafe { Enqueue::new(queue, waits, list, event)? };
    check((count == 0) == objects.is_null(), CL_INVALID_VALUE)?;
    // SAFETY: passed on.
    let handles = unsafe { items(objects, count as usize) };
    let mems: Vec<_> = handles.iter().map(|handle| enqueue.mem(*handle)).collect::<Result<_>>()?;
    check(mems.iter().all(|mem| mem.gl.is_some()), CL_INVALID_GL_OBJECT)?;
    enqueue.submit(command, false, move || drop(mems))
}

entry! {
    status fn clEnqueueAcquireGLObjects(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        let (objects, waits) = ((num_objects, mem_objects), (num_events_in_wait_list, event_wait_list));
        // SAFETY: the pointers are as the specification demands.
        unsafe { exchange(CL_COMMAND_ACQUIRE_GL_OBJECTS, command_queue, objects, waits, event) }
    }
}

entry! {
    status fn clEnqueueReleaseGLObjects(
        command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const cl_mem,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        let (objects, waits) = ((num_objects, mem_objects), (num_events_in_wait_list, event_wait_list));
        // SAFETY: the pointers are as the specification demands.
        unsafe { exchange(CL_COMMAND_RELEASE_GL_OBJECTS, command_queue, objects, waits, event) }
    }
}
