//! Values of arguments that are set already are not set again, on the stub driver, which counts.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, Kernel, MemFlags, NdRange, Platform, Program, WaitList,
    status,
};
use stub::{Stub, on_stub};

const SOURCE: &str = "kernel void fill(global int *out, int n, float4 v, long l) { STUB_FILL(out, 7); }";

struct Bench {
    queue: CommandQueue,
    buffer: Buffer,
    kernel: Kernel,
}

impl Bench {
    fn new() -> Self {
        let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
        let queue = CommandQueue::new(&Context::new(&[device]).unwrap()).unwrap();
        let program = Program::with_source(queue.context(), SOURCE).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        let buffer = Buffer::new(queue.context(), MemFlags::READ_WRITE, 64).unwrap();
        Self { buffer, kernel: program.kernel("fill").unwrap(), queue }
    }

    /// How many arguments the driver was asked to set by a launch with these values.
    fn sets(&self, stub: &Stub, n: i32, v: [f32; 4], l: i64) -> u64 {
        stub.forget_calls();
        let args = [Arg::Mem(&self.buffer), Arg::scalar(&n), Arg::scalar(&v), Arg::scalar(&l)];
        // SAFETY: the stub's kernel fills the buffer.
        unsafe { self.kernel.launch(&self.queue, &NdRange::new(&[1]), &args, &WaitList::default()) }.unwrap();
        stub.calls("clSetKernelArg")
    }
}

#[test]
fn equal_values_are_set_once() {
    on_stub("equal_values_are_set_once", "", |stub| {
        let bench = Bench::new();
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 4);
        // Objects are set each time (a handle may come again for another one), and so are long values.
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 2);
        assert_eq!(bench.sets(stub, 3, [0.0; 4], 2), 3);
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 3);
        bench.kernel.set_arg(1, &Arg::scalar(&9)).unwrap();
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 3);
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 2);
    });
}

#[test]
fn a_value_that_the_driver_refused_is_not_taken_for_set() {
    on_stub("a_value_that_the_driver_refused_is_not_taken_for_set", "", |stub| {
        let bench = Bench::new();
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 4);
        stub.fail("clSetKernelArg", 1, status::OUT_OF_RESOURCES);
        let refused = bench.kernel.set_arg(1, &Arg::scalar(&5)).unwrap_err();
        assert_eq!(refused.code(), status::OUT_OF_RESOURCES);
        for value in [5, 1] {
            assert_eq!(bench.sets(stub, value, [0.0; 4], 2), 3, "{value}");
        }
    });
}

#[test]
fn kernels_that_others_know_are_set_each_time() {
    on_stub("kernels_that_others_know_are_set_each_time", "", |stub| {
        let bench = Bench::new();
        bench.sets(stub, 1, [0.0; 4], 2);
        let raw = bench.kernel.as_raw();
        assert_eq!(bench.sets(stub, 1, [0.0; 4], 2), 4);
        // SAFETY: the handle is live, and a reference is added.
        let other = Bench { kernel: unsafe { Kernel::from_raw(raw, true) }.unwrap(), ..Bench::new() };
        let other = Bench { queue: bench.queue.clone(), buffer: bench.buffer.clone(), ..other };
        assert_eq!(other.sets(stub, 1, [0.0; 4], 2), 4);
        assert_eq!(other.sets(stub, 1, [0.0; 4], 2), 4);
    });
}

#[test]
fn values_of_another_size_are_refused_by_name() {
    on_stub("values_of_another_size_are_refused_by_name", "", |stub| {
        let bench = Bench::new();
        stub.forget_calls();
        for (index, size) in [(1, 8), (2, 4), (2, 12), (3, 4)] {
            let error = bench.kernel.set_arg(index, &Arg::Bytes(&[0; 16][..size])).unwrap_err();
            assert_eq!(error.code(), status::INVALID_ARG_SIZE);
            assert!(error.to_string().contains(&format!("a value of {size} bytes")), "{error}");
        }
        assert_eq!(stub.calls("clSetKernelArg"), 0);
    });
}
