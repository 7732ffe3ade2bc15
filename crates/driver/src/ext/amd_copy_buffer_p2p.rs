//! `cl_amd_copy_buffer_p2p`: copies between buffers of two devices of one platform.

use crate::sys::*;

/// The type of `clEnqueueCopyBufferP2PAMD`.
pub type EnqueueCopyBufferP2p = Option<
    unsafe extern "C" fn(
        command_queue: cl_command_queue,
        src_buffer: cl_mem,
        dst_buffer: cl_mem,
        src_offset: usize,
        dst_offset: usize,
        cb: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) -> cl_int,
>;

extension! {
    /// The functions of `cl_amd_copy_buffer_p2p`.
    Functions {
        clEnqueueCopyBufferP2PAMD: EnqueueCopyBufferP2p,
    }
}
