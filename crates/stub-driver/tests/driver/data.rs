//! Memory objects and the commands that move data.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::harness::sys::*;
use crate::harness::{Bench, turn};

#[test]
fn data_makes_the_round_trip() {
    let _turn = turn();
    let bench = Bench::new("");
    let data: Vec<u8> = (0..=255).collect();
    let mem = bench.buffer(256);
    assert_eq!(bench.write(mem, &data, true, null_mut()), CL_SUCCESS);
    assert_eq!(bench.read(mem, 256), data);
    let queue = bench.queue;
    let (pattern, copy) = (0xABCD_u16, bench.buffer(256));
    let at = (&raw const pattern).cast();
    let status = cl!(queue => clEnqueueFillBuffer(queue, copy, at, 2, 0, 64, 0, null(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    let status = cl!(queue => clEnqueueCopyBuffer(queue, mem, copy, 8, 64, 4, 0, null(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    let result = bench.read(copy, 70);
    assert_eq!(result[..64], pattern.to_ne_bytes().repeat(32));
    assert_eq!(result[64..], [8, 9, 10, 11, 0, 0]);
    let mut status = -1;
    let map = cl!(queue => clEnqueueMapBuffer(
        queue, mem, CL_TRUE, CL_MAP_WRITE, 16, 16, 0, null(), null_mut(), &raw mut status));
    assert_eq!(status, CL_SUCCESS);
    // SAFETY: 16 bytes are mapped.
    unsafe { map.cast::<u8>().write(99) };
    let unmap = || cl!(queue => clEnqueueUnmapMemObject(queue, mem, map, 0, null(), null_mut()));
    assert_eq!((unmap(), unmap()), (CL_SUCCESS, CL_INVALID_VALUE), "the second time it is not mapped");
    assert_eq!(bench.read(mem, 256)[16], 99);
}

#[test]
fn rectangles_respect_pitches() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(64);
    let data: Vec<u8> = (0..64).collect();
    assert_eq!(bench.write(mem, &data, true, null_mut()), CL_SUCCESS);
    let (origin, host, region) = ([2_usize, 1, 0], [0_usize; 3], [3_usize, 2, 1]);
    let mut out = [0_u8; 6];
    let queue = bench.queue;
    let mut read = |region: [usize; 3]| {
        cl!(queue => clEnqueueReadBufferRect(
            queue, mem, CL_TRUE, origin.as_ptr(), host.as_ptr(), region.as_ptr(), 8, 0, 0, 0,
            out.as_mut_ptr().cast(), 0, null(), null_mut()))
    };
    assert_eq!(read([3, 9, 1]), CL_INVALID_VALUE, "it ends outside");
    assert_eq!(read(region), CL_SUCCESS);
    assert_eq!(out, [10, 11, 12, 18, 19, 20]);
    let to = [3_usize, 1, 0];
    let status = cl!(queue => clEnqueueCopyBufferRect(
        queue, mem, mem, origin.as_ptr(), to.as_ptr(), region.as_ptr(), 8, 0, 8, 0, 0, null(), null_mut()));
    assert_eq!(status, CL_MEM_COPY_OVERLAP);
}

#[test]
fn images_keep_their_pixels() {
    let _turn = turn();
    let bench = Bench::new("");
    let format = cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let (context, queue) = (bench.context, bench.queue);
    let mut status = -1;
    let image = cl!(context => clCreateImage2D(
        context, CL_MEM_READ_WRITE, &raw const format, 4, 3, 0, null_mut(), &raw mut status));
    assert_eq!(status, CL_SUCCESS);
    let colour = [1.0_f32, 0.0, 0.5, 1.0];
    let (origin, region) = ([1_usize, 1, 0], [2_usize, 2, 1]);
    let status = cl!(queue => clEnqueueFillImage(
        queue, image, colour.as_ptr().cast(), origin.as_ptr(), region.as_ptr(), 0, null(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    let mut out = [[0_u8; 4]; 12];
    let (origin, region) = ([0_usize; 3], [4_usize, 3, 1]);
    let status = cl!(queue => clEnqueueReadImage(
        queue, image, CL_TRUE, origin.as_ptr(), region.as_ptr(), 0, 0, out.as_mut_ptr().cast(), 0, null(),
        null_mut()));
    assert_eq!(status, CL_SUCCESS);
    let filled: Vec<_> = (0..12).filter(|at| out[*at] == [255, 0, 128, 255]).collect();
    assert_eq!(filled, [5, 6, 9, 10]);
    assert!(out.iter().filter(|pixel| **pixel == [0; 4]).count() == 8);
}

#[test]
fn memory_runs_out_where_configured() {
    let _turn = turn();
    let bench = Bench::new("memory=1024");
    let context = bench.context;
    let create = |size: usize| {
        let mut status = 1;
        let mem = cl!(context => clCreateBuffer(context, 0, size, null_mut(), &raw mut status));
        (mem, status)
    };
    let (first, status) = create(1000);
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(create(100), (null_mut(), CL_MEM_OBJECT_ALLOCATION_FAILURE));
    assert_eq!(create(0).1, CL_INVALID_BUFFER_SIZE);
    assert_eq!(cl!(first => clReleaseMemObject(first)), CL_SUCCESS);
    assert_eq!(create(100).1, CL_SUCCESS);
}

unsafe extern "C" fn note_end(_object: *mut c_void, ended: *mut c_void) {
    // SAFETY: the test passes a flag that outlives the object.
    unsafe { &*ended.cast::<AtomicBool>() }.store(true, Ordering::SeqCst);
}

#[test]
fn destructor_callbacks_come_when_the_last_user_is_gone() {
    let _turn = turn();
    let bench = Bench::new("");
    let (mem, ended) = (bench.buffer(256), Box::new(AtomicBool::new(false)));
    let data = (&raw const *ended).cast_mut().cast();
    let gone = || ended.load(Ordering::SeqCst);
    assert_eq!(cl!(mem => clSetMemObjectDestructorCallback(mem, Some(note_end), data)), CL_SUCCESS);
    let mut status = -1;
    let sub = |origin: usize, status: *mut cl_int| {
        let region = cl_buffer_region { origin, size: 8 };
        let at = (&raw const region).cast();
        cl!(mem => clCreateSubBuffer(mem, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, at, status))
    };
    let misaligned = sub(4, &raw mut status);
    assert_eq!((misaligned, status), (null_mut(), CL_MISALIGNED_SUB_BUFFER_OFFSET));
    let part = sub(128, &raw mut status);
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(cl!(mem => clReleaseMemObject(mem)), CL_SUCCESS);
    assert!(!gone(), "the sub-buffer keeps it");
    assert_eq!(cl!(part => clReleaseMemObject(part)), CL_SUCCESS);
    assert!(gone());
}

#[test]
fn shared_virtual_memory_moves_data() {
    let _turn = turn();
    let bench = Bench::new("");
    let (context, queue) = (bench.context, bench.queue);
    let svm = cl!(context => clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    assert!(!svm.is_null());
    let pattern = 0x0102_u16;
    let at = (&raw const pattern).cast();
    let fill =
        |size: usize| cl!(queue => clEnqueueSVMMemFill(queue, svm, at, 2, size, 0, null(), null_mut()));
    assert_eq!((fill(66), fill(64)), (CL_INVALID_VALUE, CL_SUCCESS));
    let mut out = [0_u8; 64];
    let to = out.as_mut_ptr().cast();
    let status = cl!(queue => clEnqueueSVMMemcpy(queue, CL_TRUE, to, svm, 64, 0, null(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(out.to_vec(), pattern.to_ne_bytes().repeat(32));
    cl!(context => clSVMFree(context, svm));
    assert_eq!(fill(64), CL_INVALID_VALUE, "it is freed");
    let old = Bench::new("version=OpenCL 1.2 Stub").context;
    assert!(cl!(old => clSVMAlloc(old, CL_MEM_READ_WRITE, 64, 0)).is_null());
}
