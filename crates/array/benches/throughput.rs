//! The promise: large operations run at the speed of the memory.
//!
//! `OCL_ICD_FILENAMES=<driver> cargo bench -p opencl-array --bench throughput -- [log2 of the size]`; prints bytes
//! that an operation must move over the time it takes, many launches at once, beside the driver's own copy.

use std::time::Instant;

use opencl_array::expr::BinaryOp;
use opencl_array::ops::{self, Lazy};
use opencl_array::{Array, DType, Operand, Order, Scalar, reduction};
use opencl_runtime::{CommandQueue, Context, Platform, WaitList};

fn time(what: &str, queue: &CommandQueue, bytes: usize, mut call: impl FnMut()) {
    call();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        queue.finish().unwrap();
        let start = Instant::now();
        for _ in 0..10 {
            call();
        }
        queue.finish().unwrap();
        best = best.min(start.elapsed().as_secs_f64() / 10.0);
    }
    println!("{what:34} {:8.0} GB/s {:10.1} us", bytes as f64 / best / 1e9, best * 1e6);
}

fn main() {
    let log_size: u32 = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(22);
    let device = Platform::all().unwrap().remove(0).devices().unwrap().remove(0);
    println!("{}, 2^{log_size} elements", device.name().unwrap());
    let context = Context::new(&[device]).unwrap();
    let queue = CommandQueue::new(&context).unwrap();
    let side = 1usize << (log_size / 2);
    let shape = [(1usize << log_size) / side, side];
    let n = 1usize << log_size;
    let new = |dtype| Array::full(&queue, &shape, Scalar::WeakInt(1), dtype, Order::C).unwrap();
    let (x, y, out) = (new(DType::F32), new(DType::F32), new(DType::F32));
    let row = Array::full(&queue, &[side], Scalar::WeakInt(1), DType::F32, Order::C).unwrap();
    let add =
        |a: Operand<'_>, b: &Array, out: &Array| ops::binary_into(BinaryOp::Add, a, b, out, None).unwrap();
    time("driver's copy", &queue, 8 * n, || {
        queue.copy_buffer(x.buffer(), 0, out.buffer(), 0, 4 * n, &WaitList::default()).unwrap();
    });
    time("x + y", &queue, 12 * n, || add((&x).into(), &y, &out));
    time("2 + x", &queue, 8 * n, || add(Scalar::WeakInt(2).into(), &x, &out));
    time("x + row", &queue, 8 * n, || add((&x).into(), &row, &out));
    let (turned, turned_out) = (y.transpose(None).unwrap(), out.transpose(None).unwrap());
    time("transposed + transposed", &queue, 12 * n, || add((&turned).into(), &turned, &turned_out));
    time("fill", &queue, 4 * n, || out.fill(Scalar::WeakInt(3), None).unwrap());
    let (lx, ly) = (Lazy::from(&x), Lazy::from(&y));
    let two = Lazy::scalar(Scalar::WeakInt(2)).binary(BinaryOp::Multiply, &lx).unwrap();
    let fused = two.binary(BinaryOp::Add, &ly.binary(BinaryOp::Multiply, &lx).unwrap()).unwrap();
    time("2*x + y*x in one kernel", &queue, 12 * n, || fused.evaluate_into(&out, None).unwrap());
    time("sum(x)", &queue, 4 * n, || drop(reduction::sum(&x, None, None).unwrap()));
    time("max(x)", &queue, 4 * n, || drop(reduction::max(&x, None).unwrap()));
    let product = lx.binary(BinaryOp::Multiply, &ly).unwrap();
    time("sum(x*y)", &queue, 8 * n, || drop(reduction::sum(product.clone(), None, None).unwrap()));
    for dtype in [DType::U8, DType::F16, DType::F64] {
        let (a, out) = (new(dtype), new(dtype));
        time(&format!("a + a, {dtype}"), &queue, 2 * dtype.size() * n, || add((&a).into(), &a, &out));
    }
}
