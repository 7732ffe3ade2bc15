//! Commands on buffers: read, write, copy, fill, rectangles, map.

use crate::border::{check, items, triple};
use crate::enqueue::{Enqueue, Host};
use crate::memory::Mem;
use crate::object::Shared;
use crate::rect::{self, Rect, copy_bytes};
use crate::sys::*;

impl Enqueue {
    /// A buffer that the command uses.
    ///
    /// # Errors
    /// As [`Enqueue::mem`]; also for what is no buffer.
    pub(crate) fn buffer(&self, handle: cl_mem) -> Result<Shared<Mem>> {
        let mem = self.mem(handle)?;
        mem.check_buffer()?;
        Ok(mem)
    }
}

entry! {
    status fn clEnqueueReadBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool,
        offset: size_t, size: size_t, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_range(offset, size)?;
        check(!ptr.is_null(), CL_INVALID_VALUE)?;
        mem.check_host_read()?;
        let host = Host::new(ptr);
        enqueue.submit(CL_COMMAND_READ_BUFFER, blocking_read != CL_FALSE, move || {
            // SAFETY: the range was checked; the application keeps its memory until the command has ended.
            unsafe { copy_bytes(mem.address() + offset, host.0, size) };
        })
    }
}

entry! {
    status fn clEnqueueWriteBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool,
        offset: size_t, size: size_t, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_range(offset, size)?;
        check(!ptr.is_null(), CL_INVALID_VALUE)?;
        mem.check_host_write()?;
        let host = Host::new(ptr);
        enqueue.submit(CL_COMMAND_WRITE_BUFFER, blocking_write != CL_FALSE, move || {
            // SAFETY: the range was checked; the application keeps its memory until the command has ended.
            unsafe { copy_bytes(host.0, mem.address() + offset, size) };
        })
    }
}

entry! {
    status fn clEnqueueCopyBuffer(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_offset: size_t, dst_offset: size_t, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (source, target) = (enqueue.buffer(src_buffer)?, enqueue.buffer(dst_buffer)?);
        source.check_range(src_offset, size)?;
        target.check_range(dst_offset, size)?;
        check(size > 0 || source.context.version() >= (2, 1), CL_INVALID_VALUE)?;
        let (from, to) = (source.address() + src_offset, target.address() + dst_offset);
        check(from + size <= to || to + size <= from, CL_MEM_COPY_OVERLAP)?;
        enqueue.submit(CL_COMMAND_COPY_BUFFER, false, move || {
            // SAFETY: the ranges were checked.
            unsafe { copy_bytes(source.address() + src_offset, target.address() + dst_offset, size) };
        })
    }
}

entry! {
    status fn clEnqueueFillBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void, pattern_size: size_t,
        offset: size_t, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_range(offset, size)?;
        check(!pattern.is_null() && pattern_size.is_power_of_two() && pattern_size <= 128, CL_INVALID_VALUE)?;
        check(offset.is_multiple_of(pattern_size) && size.is_multiple_of(pattern_size), CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let pattern = unsafe { items(pattern.cast::<u8>(), pattern_size) };
        enqueue.submit(CL_COMMAND_FILL_BUFFER, false, move || {
            // SAFETY: the range was checked.
            unsafe { rect::fill(mem.address() + offset, &pattern, size) };
        })
    }
}

/// The regions of a transfer between a buffer and the host: the buffer's, the host's, and their size.
///
/// # Safety
/// - The pointers are null or valid for reading three sizes.
unsafe fn host_rect(
    mem: &Mem,
    host: usize,
    origins: [*const size_t; 2],
    region: *const size_t,
    pitches: [size_t; 4],
) -> Result<(Rect, Rect, [usize; 3])> {
    check(host != 0, CL_INVALID_VALUE)?;
    // SAFETY: passed on.
    let region = unsafe { triple(region)? };
    // SAFETY: passed on.
    let origin = unsafe { triple(origins[0])? };
    // SAFETY: passed on.
    let host_origin = unsafe { triple(origins[1])? };
    let inside = Rect::new(mem.address(), origin, region, pitches[0], pitches[1])?;
    check(inside.end(region)? <= mem.size, CL_INVALID_VALUE)?;
    let outside = Rect::new(host, host_origin, region, pitches[2], pitches[3])?;
    Ok((inside, outside, region))
}

entry! {
    status fn clEnqueueReadBufferRect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool,
        buffer_origin: *const size_t, host_origin: *const size_t, region: *const size_t,
        buffer_row_pitch: size_t, buffer_slice_pitch: size_t,
        host_row_pitch: size_t, host_slice_pitch: size_t, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_host_read()?;
        let pitches = [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch];
        // SAFETY: as above.
        let (inside, outside, region) =
            unsafe { host_rect(&mem, ptr as usize, [buffer_origin, host_origin], region, pitches)? };
        enqueue.submit(CL_COMMAND_READ_BUFFER_RECT, blocking_read != CL_FALSE, move || {
            // SAFETY: bounds were checked; the application keeps its memory until the command has ended.
            unsafe { rect::copy(&inside, &outside, region) };
            drop(mem);
        })
    }
}

entry! {
    status fn clEnqueueWriteBufferRect(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool,
        buffer_origin: *const size_t, host_origin: *const size_t, region: *const size_t,
        buffer_row_pitch: size_t, buffer_slice_pitch: size_t,
        host_row_pitch: size_t, host_slice_pitch: size_t, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_host_write()?;
        let pitches = [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch];
        // SAFETY: as above.
        let (inside, outside, region) =
            unsafe { host_rect(&mem, ptr as usize, [buffer_origin, host_origin], region, pitches)? };
        enqueue.submit(CL_COMMAND_WRITE_BUFFER_RECT, blocking_write != CL_FALSE, move || {
            // SAFETY: bounds were checked; the application keeps its memory until the command has ended.
            unsafe { rect::copy(&outside, &inside, region) };
            drop(mem);
        })
    }
}

entry! {
    status fn clEnqueueCopyBufferRect(
        command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_origin: *const size_t, dst_origin: *const size_t, region: *const size_t,
        src_row_pitch: size_t, src_slice_pitch: size_t, dst_row_pitch: size_t, dst_slice_pitch: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let (source, target) = (enqueue.buffer(src_buffer)?, enqueue.buffer(dst_buffer)?);
        let origins = [src_origin, dst_origin];
        let pitches = [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch];
        // SAFETY: as above.
        let (from, to, region) =
            unsafe { host_rect(&source, target.address(), origins, region, pitches)? };
        check(to.end(region)? <= target.size, CL_INVALID_VALUE)?;
        check(!from.overlaps(&to, region), CL_MEM_COPY_OVERLAP)?;
        enqueue.submit(CL_COMMAND_COPY_BUFFER_RECT, false, move || {
            // SAFETY: bounds were checked.
            unsafe { rect::copy(&from, &to, region) };
            drop((source, target));
        })
    }
}

entry! {
    object fn clEnqueueMapBuffer(
        command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool, map_flags: cl_map_flags,
        offset: size_t, size: size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.buffer(buffer)?;
        mem.check_range(offset, size)?;
        check(size > 0 || mem.context.version() >= (2, 1), CL_INVALID_VALUE)?;
        mem.check_map(map_flags)?;
        let address = mem.address() + offset;
        mem.map(address);
        let kept = mem.clone();
        let outcome = enqueue.submit(CL_COMMAND_MAP_BUFFER, blocking_map != CL_FALSE, move || drop(kept));
        if let Err(code) = outcome {
            mem.unmap(address)?;
            return Err(code);
        }
        Ok(address as *mut c_void)
    }
}

entry! {
    status fn clEnqueueUnmapMemObject(
        command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let mem = enqueue.mem(memobj)?;
        mem.unmap(mapped_ptr as usize)?;
        enqueue.submit(CL_COMMAND_UNMAP_MEM_OBJECT, false, move || drop(mem))
    }
}
