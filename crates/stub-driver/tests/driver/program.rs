//! Programs, kernels and launches.

use std::ptr::{null, null_mut};

use crate::harness::sys::*;
use crate::harness::{Bench, turn};

const KERNEL: &str = "__kernel void fill(__global int *out, int n, __local float *scratch) { STUB_FILL(out, 7); }\n\
    __kernel void empty() {}";

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
