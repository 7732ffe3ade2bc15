//! Pipes: objects only; the host cannot reach their content.

use crate::border::check;
use crate::context::Context;
use crate::info::Answer;
use crate::memory::{self, Mem, Plan};
use crate::object;
use crate::sys::*;

/// What makes a memory object a pipe.
pub(crate) struct Pipe {
    packet_size: cl_uint,
    max_packets: cl_uint,
}

entry! {
    object fn clCreatePipe(
        context: cl_context, flags: cl_mem_flags, pipe_packet_size: cl_uint, pipe_max_packets: cl_uint,
        properties: *const cl_pipe_properties,
    ) {
        let context = object::get::<Context>(context)?;
        check(properties.is_null(), CL_INVALID_VALUE)?;
        check(flags & !(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS) == 0, CL_INVALID_VALUE)?;
        check((1..=1024).contains(&pipe_packet_size) && pipe_max_packets > 0, CL_INVALID_PIPE_SIZE)?;
        let size = pipe_packet_size as usize * pipe_max_packets as usize;
        let pipe = Pipe { packet_size: pipe_packet_size, max_packets: pipe_max_packets };
        let plan = Plan {
            context,
            kind: CL_MEM_OBJECT_PIPE,
            flags: CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS,
            size,
            host: std::ptr::null_mut(),
            image: None,
            pipe: Some(pipe),
            gl: None,
            properties: Vec::new(),
        };
        // SAFETY: no host memory is named.
        unsafe { memory::create(plan) }
    }
}

entry! {
    status fn clGetPipeInfo(
        pipe: cl_mem, param_name: cl_pipe_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let mem = object::get::<Mem>(pipe)?;
        let pipe = mem.pipe.as_ref().ok_or(CL_INVALID_MEM_OBJECT)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_PIPE_PACKET_SIZE => answer.value(pipe.packet_size),
            CL_PIPE_MAX_PACKETS => answer.value(pipe.max_packets),
            CL_PIPE_PROPERTIES if mem.context.version() >= (3, 0) => answer.list::<isize>(&[]),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}
