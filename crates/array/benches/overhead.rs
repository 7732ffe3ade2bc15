//! The promise: what an array operation costs the host besides its driver calls stays under 500 ns.
//!
//! Run it on a driver whose calls cost next to nothing (the stub driver), and on a real one for the whole:
//! `OCL_ICD_FILENAMES=<driver> cargo bench -p opencl-array`.

use std::time::Instant;

use opencl_array::{Array, DType, Index, Order, Scalar, ops, reduction};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, Kernel, MemFlags, NdRange, Platform, Program, WaitList,
};

const ROUNDS: u32 = 20_000;

/// Prints the best of ten rounds, per call.
fn time<R>(what: &str, queue: &CommandQueue, mut call: impl FnMut() -> R) {
    for _ in 0..100 {
        call();
    }
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        queue.finish().unwrap();
        let start = Instant::now();
        for _ in 0..ROUNDS / 10 {
            std::hint::black_box(call());
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(ROUNDS / 10));
    }
    println!("{what:38} {best:8.0} ns");
}

/// A kernel with the arguments of the generated one.
fn raw_addition(context: &Context) -> Kernel {
    let source = "kernel void sum(ulong n, global float *o, ulong p, global const float *a, ulong q, \
                  global const float *b, ulong r) { for (ulong i = 0; i < n; ++i) o[i] = a[i] + b[i]; }";
    let program = Program::with_source(context, source).unwrap();
    program.build(&BuildOptions::default()).unwrap();
    program.kernel("sum").unwrap()
}

fn main() {
    let device = Platform::all().unwrap().remove(0).devices().unwrap().remove(0);
    println!("{}", device.name().unwrap());
    let context = Context::new(&[device]).unwrap();
    let queue = CommandQueue::new(&context).unwrap();
    let a = Array::zeros(&queue, &[64], DType::F32, Order::C).unwrap();
    let b = Array::zeros(&queue, &[64], DType::F32, Order::C).unwrap();
    let out = Array::zeros(&queue, &[64], DType::F32, Order::C).unwrap();
    let row = Array::zeros(&queue, &[4, 16], DType::F32, Order::C).unwrap();
    let column = row.index(&[Index::FULL, Index::Slice { start: None, stop: None, step: -1 }]).unwrap();
    time("allocate and free a buffer alone", &queue, || {
        Buffer::new(&context, MemFlags::READ_WRITE, 256).unwrap()
    });
    let raw = raw_addition(&context);
    time("allocate and add by the runtime alone", &queue, || {
        let sum = Buffer::new(&context, MemFlags::READ_WRITE, 256).unwrap();
        let (size, offset) = (64u64.to_ne_bytes(), 0u64.to_ne_bytes());
        let args = [
            Arg::Bytes(&size),
            Arg::Mem(&sum),
            Arg::Bytes(&offset),
            Arg::Mem(a.buffer()),
            Arg::Bytes(&offset),
            Arg::Mem(b.buffer()),
            Arg::Bytes(&offset),
        ];
        let range = NdRange::new(&[1]).local(&[1]).unwrap();
        // SAFETY: one work-item adds 64 elements of buffers that hold 64.
        unsafe { raw.launch(&queue, &range, &args, &WaitList::default()) }.unwrap();
        sum
    });
    time("empty", &queue, || Array::empty(&queue, &[64], DType::F32, Order::C).unwrap());
    time("a[10:20]", &queue, || {
        a.index(&[Index::Slice { start: Some(10), stop: Some(20), step: 1 }]).unwrap()
    });
    time("a + b", &queue, || ops::add(&a, &b, None).unwrap());
    time("a + b into an array", &queue, || {
        ops::binary_into(opencl_array::expr::BinaryOp::Add, &a, &b, &out, None).unwrap();
    });
    time("2 * a", &queue, || ops::multiply(Scalar::WeakInt(2), &a, None).unwrap());
    time("strided + contiguous", &queue, || ops::add(&column, &row, None).unwrap());
    time("sum(a)", &queue, || reduction::sum(&a, None, None).unwrap());
}
