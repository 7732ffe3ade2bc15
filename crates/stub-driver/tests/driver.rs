//! The shared library, opened as a loader would: discovery, data, counts, failures, held commands, builds.

#![allow(clippy::macro_metavars_in_unsafe, reason = "a block per call would hide the calls")]

#[macro_use]
mod harness;

use std::ffi::c_int;
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::time::Duration;

use harness::sys::*;
use harness::{Bench, Stub, table};

const KERNEL: &str = "__kernel void fill(__global int *out, int n, __local float *scratch) { STUB_FILL(out, 7); }\n\
    __kernel void empty() {}";

/// The library's state is one per process; where tests share a process they take turns.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> std::sync::MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn platform_text(platform: cl_platform_id, name: cl_platform_info) -> String {
    let mut size = 0;
    let status = cl!(platform => clGetPlatformInfo(platform, name, 0, null_mut(), &raw mut size));
    assert_eq!(status, CL_SUCCESS);
    let mut text = vec![0_u8; size];
    let at = text.as_mut_ptr().cast();
    assert_eq!(
        cl!(platform => clGetPlatformInfo(platform, name, size - 1, at, null_mut())),
        CL_INVALID_VALUE,
        "one byte too few"
    );
    assert_eq!(cl!(platform => clGetPlatformInfo(platform, name, size, at, null_mut())), CL_SUCCESS);
    assert_eq!(text.pop(), Some(0));
    String::from_utf8(text).unwrap()
}

fn words(platform: cl_platform_id, slots: usize) -> Vec<usize> {
    let start = table(platform).cast::<usize>();
    // SAFETY: the caller names how many slots the table has.
    (0..slots).map(|slot| unsafe { start.add(slot).read() }).collect()
}

#[test]
fn platforms_and_devices_are_as_configured() {
    let _turn = turn();
    let stub = Stub::open("platforms=2;devices=3;version=OpenCL 1.1 Stub;1.name=Second;1.devices=0");
    let platforms = stub.platforms().unwrap();
    assert_eq!(platforms.len(), 2);
    assert_eq!(platform_text(platforms[0], CL_PLATFORM_NAME), "Stub");
    assert_eq!(platform_text(platforms[1], CL_PLATFORM_NAME), "Second");
    assert_eq!(platform_text(platforms[0], CL_PLATFORM_VERSION), "OpenCL 1.1 Stub");
    let mut count = 0;
    let first = platforms[0];
    let all = CL_DEVICE_TYPE_ALL;
    assert_eq!(cl!(first => clGetDeviceIDs(first, all, 0, null_mut(), &raw mut count)), CL_SUCCESS);
    assert_eq!(count, 3);
    let second = platforms[1];
    let status = cl!(second => clGetDeviceIDs(second, all, 0, null_mut(), &raw mut count));
    assert_eq!(status, CL_DEVICE_NOT_FOUND);
    assert_eq!(stub.configure("platforms=0"), 0);
    assert_eq!(stub.platforms(), Err(CL_PLATFORM_NOT_FOUND_KHR));
    assert_eq!(stub.configure("nonsense=1"), -1);
}

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
fn failures_come_at_the_call_that_was_named() {
    let _turn = turn();
    let bench = Bench::new("");
    bench.stub.fail("clFinish", 2, CL_OUT_OF_RESOURCES);
    bench.stub.fail("clCreateBuffer", 0, CL_OUT_OF_HOST_MEMORY);
    let queue = bench.queue;
    let finish = || cl!(queue => clFinish(queue));
    assert_eq!([finish(), finish(), finish()], [CL_SUCCESS, CL_OUT_OF_RESOURCES, CL_SUCCESS]);
    let context = bench.context;
    for _ in 0..2 {
        let mut status = 0;
        let mem = cl!(context => clCreateBuffer(context, 0, 8, null_mut(), &raw mut status));
        assert_eq!((mem, status), (null_mut(), CL_OUT_OF_HOST_MEMORY));
    }
    bench.stub.number::<()>("stub_reset");
    bench.buffer(8);
}

#[test]
fn calls_are_counted() {
    let _turn = turn();
    let bench = Bench::new("");
    bench.stub.number::<()>("stub_calls_reset");
    let mem = bench.buffer(8);
    bench.read(mem, 8);
    bench.read(mem, 8);
    assert_eq!(bench.stub.calls("clEnqueueReadBuffer"), 2);
    assert_eq!(bench.stub.calls("clNoSuchFunction"), 0);
    assert_eq!(bench.stub.text("stub_calls_dump"), "clCreateBuffer 1\nclEnqueueReadBuffer 2\n");
}

#[test]
fn live_objects_are_those_that_the_application_holds() {
    let _turn = turn();
    let bench = Bench::new("");
    let (mem, context) = (bench.buffer(8), bench.context);
    assert_eq!(cl!(mem => clRetainMemObject(mem)), CL_SUCCESS);
    assert_eq!(cl!(mem => clReleaseMemObject(mem)), CL_SUCCESS);
    assert_eq!((bench.stub.live("mem"), bench.stub.live("queue")), (1, 1));
    assert_eq!(bench.stub.number::<u64>("stub_live_total"), 3);
    assert_eq!(cl!(context => clReleaseContext(context)), CL_SUCCESS);
    assert_eq!(bench.stub.live("context"), 0);
    let mut held = null_mut::<c_void>();
    let at = (&raw mut held).cast();
    assert_eq!(cl!(mem => clGetMemObjectInfo(mem, CL_MEM_CONTEXT, 8, at, null_mut())), CL_SUCCESS);
    assert_eq!(cl!(mem => clRetainContext(held)), CL_SUCCESS, "the buffer keeps its context");
    let release = || cl!(bench.device => clReleaseMemObject(mem));
    assert_eq!((release(), release()), (CL_SUCCESS, CL_INVALID_MEM_OBJECT));
    assert_eq!(cl!(bench.device => clReleaseMemObject(context)), CL_INVALID_MEM_OBJECT, "of another kind");
    let svm = cl!(context => clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    assert_eq!(bench.stub.live("svm"), 1);
    cl!(context => clSVMFree(context, svm));
    assert_eq!(bench.stub.live("svm"), 0);
}

#[test]
fn short_tables_end_before_a_page_without_access() {
    let _turn = turn();
    let stub = Stub::open("table=short:81;version=OpenCL 1.1 Stub");
    let platform = stub.platforms().unwrap()[0];
    assert!(words(platform, 66).iter().all(|word| *word != 0));
    let end = table(platform) as usize + 81 * size_of::<usize>();
    assert_eq!(end % 4096, 0);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let after = maps.lines().find(|line| line.starts_with(&format!("{end:x}-"))).unwrap();
    assert!(after.contains("---p"), "{after}");
}

#[test]
fn missing_functions_have_no_slot() {
    let _turn = turn();
    let stub = Stub::open("missing=clSVMAlloc,clEnqueueFillBuffer");
    let whole = table(stub.platforms().unwrap()[0]);
    // SAFETY: the table has all slots.
    let whole: cl_icd_dispatch = unsafe { whole.read() };
    assert!(whole.clSVMAlloc.is_none() && whole.clEnqueueFillBuffer.is_none() && whole.clSVMFree.is_some());
}

#[test]
fn second_edition_drivers_carry_tags() {
    let _turn = turn();
    let stub = Stub::open("icd2=tags");
    let slots = words(stub.platforms().unwrap()[0], 150);
    assert_eq!((slots[0], slots[31]), [CL_ICD2_TAG_KHR as usize; 2].into());
    assert!(slots[1] != 0 && slots[149] != 0);
    assert_eq!(stub.configure("icd2=byname"), 0);
    let platform = stub.platforms().unwrap()[0];
    let slots = words(platform, 150);
    let set: Vec<_> = (0..150).filter(|slot| slots[*slot] != 0).collect();
    assert_eq!(set, [0, 31]);
    let by_name = stub.extension("clIcdGetFunctionAddressForPlatformKHR");
    // SAFETY: the driver gives the function of this name.
    let by_name: clIcdGetFunctionAddressForPlatformKHR_t = unsafe { std::mem::transmute(by_name) };
    let get = by_name.unwrap();
    // SAFETY: a platform and a C string.
    assert!(!unsafe { get(platform, c"clFinish".as_ptr()) }.is_null());
    // SAFETY: as above.
    assert!(unsafe { get(platform, c"clNoSuchFunction".as_ptr()) }.is_null());
    assert_eq!(stub.calls("clIcdSetPlatformDispatchDataKHR"), 0);
    assert_eq!(stub.configure("icd2=none"), 0);
    assert!(stub.extension("clIcdGetFunctionAddressForPlatformKHR").is_null());
}

#[test]
fn held_commands_wait_to_be_completed() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(4);
    assert_eq!(bench.stub.configure("hold=1"), 0);
    let data = [[1_u8; 4], [2; 4], [3; 4]];
    let mut events = [null_mut(); 3];
    for (data, event) in data.iter().zip(&mut events) {
        assert_eq!(bench.write(mem, data, false, event), CL_SUCCESS);
    }
    let status = |at: usize| bench.event_status(events[at]);
    assert_eq!([status(0), status(1)], [CL_QUEUED, CL_QUEUED]);
    assert_eq!(bench.stub.number::<c_int>("stub_complete_next"), 1);
    assert_eq!([status(0), status(1)], [CL_COMPLETE, CL_QUEUED]);
    let fail: unsafe extern "C" fn(c_int) -> c_int = bench.stub.export("stub_complete_next_with");
    // SAFETY: it takes a number.
    assert_eq!(unsafe { fail(-5) }, 1);
    assert_eq!([status(1), status(2)], [-5, CL_QUEUED]);
    assert_eq!(bench.stub.number::<u64>("stub_pending"), 1);
    let queue = bench.queue as usize;
    let waiter = std::thread::spawn(move || {
        let queue = queue as cl_command_queue;
        cl!(queue => clFinish(queue))
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(!waiter.is_finished(), "the queue is not empty");
    bench.stub.number::<()>("stub_complete_all");
    assert_eq!(waiter.join().unwrap(), CL_SUCCESS);
    assert_eq!(bench.stub.configure("hold=0"), 0);
    assert_eq!(bench.read(mem, 4), [3; 4]);
    assert_eq!(bench.stub.number::<c_int>("stub_complete_next"), 0);
}

unsafe extern "C" fn note_status(_event: cl_event, status: cl_int, seen: *mut c_void) {
    // SAFETY: the test passes a list that outlives the event.
    let seen = unsafe { &*seen.cast::<Mutex<Vec<cl_int>>>() };
    seen.lock().unwrap().push(status);
}

#[test]
fn user_events_gate_commands_and_pass_errors_on() {
    let _turn = turn();
    let bench = Bench::new("");
    let (context, queue) = (bench.context, bench.queue);
    for (end, reached) in [(CL_COMPLETE, CL_COMPLETE), (-7, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)] {
        let seen = Box::new(Mutex::new(Vec::<cl_int>::new()));
        let mut code = -1;
        let gate = cl!(context => clCreateUserEvent(context, &raw mut code));
        assert_eq!(code, CL_SUCCESS);
        let mut event = null_mut();
        let status = cl!(queue => clEnqueueMarkerWithWaitList(queue, 1, &raw const gate, &raw mut event));
        assert_eq!(status, CL_SUCCESS);
        let data = (&raw const *seen).cast_mut().cast();
        let status = cl!(event => clSetEventCallback(event, CL_COMPLETE, Some(note_status), data));
        assert_eq!(status, CL_SUCCESS);
        assert_eq!(bench.event_status(event), CL_QUEUED);
        assert_eq!(cl!(gate => clSetUserEventStatus(gate, end)), CL_SUCCESS);
        assert_eq!(cl!(gate => clSetUserEventStatus(gate, end)), CL_INVALID_OPERATION);
        assert_eq!(bench.event_status(event), reached);
        assert_eq!(*seen.lock().unwrap(), [reached]);
        let waited = cl!(event => clWaitForEvents(1, &raw const event));
        let expected = if end < 0 { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST } else { CL_SUCCESS };
        assert_eq!(waited, expected);
        for event in [gate, event] {
            assert_eq!(cl!(event => clReleaseEvent(event)), CL_SUCCESS);
        }
    }
    assert_eq!(bench.stub.live("event"), 0);
}

#[test]
fn profiling_times_ascend() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(4);
    let mut event = null_mut();
    assert_eq!(bench.write(mem, &[1; 4], true, &raw mut event), CL_SUCCESS);
    let times = [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
    ]
    .map(|name| {
        let mut time = 0_u64;
        let at = (&raw mut time).cast();
        assert_eq!(cl!(event => clGetEventProfilingInfo(event, name, 8, at, null_mut())), CL_SUCCESS);
        time
    });
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
}

#[test]
fn builds_fail_with_a_log_when_the_source_says_so() {
    let _turn = turn();
    let bench = Bench::new("");
    let program = bench.program("kernel void k() {}\n#error STUB_BUILD_ERROR");
    assert_eq!(bench.build(program), CL_BUILD_PROGRAM_FAILURE);
    assert_eq!(bench.build_log(program), "stub:2: STUB_BUILD_ERROR\n");
    let mut status = 0;
    let kernel = cl!(program => clCreateKernel(program, c"k".as_ptr(), &raw mut status));
    assert_eq!((kernel, status), (null_mut(), CL_INVALID_PROGRAM_EXECUTABLE));
    let warned = bench.program("// STUB_BUILD_WARNING");
    assert_eq!(bench.build(warned), CL_SUCCESS);
    assert_eq!(bench.build_log(warned), "stub:1: STUB_BUILD_WARNING\n");
}

#[test]
fn kernels_check_their_arguments_and_launches_are_noted() {
    let _turn = turn();
    let bench = Bench::new("");
    let program = bench.program(KERNEL);
    assert_eq!(bench.build(program), CL_SUCCESS);
    let mut status = -1;
    let kernel = cl!(program => clCreateKernel(program, c"fill".as_ptr(), &raw mut status));
    assert_eq!(status, CL_SUCCESS);
    let (mem, n, queue) = (bench.buffer(16), 5_i32, bench.queue);
    let set = |index, size, value: *const c_void| cl!(kernel => clSetKernelArg(kernel, index, size, value));
    let n_at = (&raw const n).cast();
    let global = 3_usize;
    let launch = || {
        cl!(queue => clEnqueueNDRangeKernel(
            queue, kernel, 1, null(), &raw const global, null(), 0, null(), null_mut()))
    };
    assert_eq!(launch(), CL_INVALID_KERNEL_ARGS);
    assert_eq!(set(0, 8, (&raw const mem).cast()), CL_SUCCESS);
    assert_eq!(set(0, 8, (&raw const kernel).cast()), CL_INVALID_MEM_OBJECT);
    assert_eq!(set(1, 8, n_at), CL_INVALID_ARG_SIZE);
    assert_eq!(set(1, 4, n_at), CL_SUCCESS);
    assert_eq!(set(2, 64, n_at), CL_INVALID_ARG_VALUE);
    assert_eq!(set(2, 64, null()), CL_SUCCESS);
    assert_eq!(set(3, 4, n_at), CL_INVALID_ARG_INDEX);
    assert_eq!(launch(), CL_SUCCESS);
    let filled: Vec<u8> = [7_i32, 7, 7, 0].iter().flat_map(|value| value.to_ne_bytes()).collect();
    assert_eq!(bench.read(mem, 16), filled);
    let last = bench.stub.text("stub_last_launch");
    assert!(last.starts_with("fill offset=0 global=3 local=none args="), "{last}");
    assert!(last.ends_with(",05000000,-"), "{last}");
    assert_eq!(cl!(mem => clReleaseMemObject(mem)), CL_SUCCESS);
    assert_eq!(launch(), CL_INVALID_MEM_OBJECT, "the argument is gone");
}

#[test]
fn binaries_make_the_round_trip() {
    let _turn = turn();
    let bench = Bench::new("");
    let program = bench.program(KERNEL);
    assert_eq!(bench.build(program), CL_SUCCESS);
    let mut size = 0_usize;
    let at = (&raw mut size).cast();
    assert_eq!(
        cl!(program => clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, 8, at, null_mut())),
        CL_SUCCESS
    );
    let mut binary = vec![0_u8; size];
    let mut pointer = binary.as_mut_ptr();
    let at = (&raw mut pointer).cast();
    assert_eq!(cl!(program => clGetProgramInfo(program, CL_PROGRAM_BINARIES, 8, at, null_mut())), CL_SUCCESS);
    assert_eq!(binary, KERNEL.as_bytes());
    let (context, device) = (bench.context, bench.device);
    let load = |bytes: &[u8]| {
        let (mut pointer, length, mut status, mut each) = (bytes.as_ptr(), bytes.len(), -1, -1);
        let program = cl!(context => clCreateProgramWithBinary(
            context, 1, &raw const device, &raw const length, &raw mut pointer, &raw mut each, &raw mut status));
        (program, status, each)
    };
    let (loaded, status, each) = load(&binary);
    assert_eq!((status, each), (CL_SUCCESS, CL_SUCCESS));
    assert_eq!(bench.build(loaded), CL_SUCCESS);
    let mut count = 0_usize;
    let at = (&raw mut count).cast();
    assert_eq!(
        cl!(loaded => clGetProgramInfo(loaded, CL_PROGRAM_NUM_KERNELS, 8, at, null_mut())),
        CL_SUCCESS
    );
    assert_eq!(count, 2);
    assert_eq!(load(&[0xFF, 0xFE]), (null_mut(), CL_INVALID_BINARY, CL_INVALID_BINARY));
}

#[test]
fn compiled_programs_are_linked() {
    let _turn = turn();
    let bench = Bench::new("");
    let parts = [bench.program("void helper() {}"), bench.program(KERNEL)];
    let context = bench.context;
    let link = || {
        let mut status = 1;
        let program = cl!(context => clLinkProgram(
            context, 0, null(), null(), 2, parts.as_ptr(), None, null_mut(), &raw mut status));
        (program, status)
    };
    assert_eq!(link(), (null_mut(), CL_INVALID_OPERATION), "nothing is compiled yet");
    for part in parts {
        let status = cl!(part => clCompileProgram(
            part, 0, null(), null(), 0, null(), null_mut(), None, null_mut()));
        assert_eq!(status, CL_SUCCESS);
    }
    let (linked, mut status) = link();
    assert_eq!(status, CL_SUCCESS);
    let kernel = cl!(linked => clCreateKernel(linked, c"empty".as_ptr(), &raw mut status));
    assert!(!kernel.is_null());
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

#[test]
fn sub_devices_are_counted() {
    let _turn = turn();
    let bench = Bench::new("compute_units=4");
    let properties = [CL_DEVICE_PARTITION_EQUALLY, 2, 0];
    let mut parts = [null_mut(); 2];
    let device = bench.device;
    let status =
        cl!(device => clCreateSubDevices(device, properties.as_ptr(), 2, parts.as_mut_ptr(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(bench.stub.live("device"), 2);
    for part in parts {
        assert_eq!(cl!(part => clReleaseDevice(part)), CL_SUCCESS);
    }
    assert_eq!(bench.stub.live("device"), 0);
    assert_eq!(cl!(device => clReleaseDevice(device)), CL_SUCCESS, "root devices are not counted");
}
