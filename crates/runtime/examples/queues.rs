//! Queues: commands in order and out of order, markers and barriers, a queue for each thread.
//!
//! ```text
//! cargo run -p opencl-runtime --example queues
//! ```

use std::slice;
use std::thread;

use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, CommandQueueProperties, Context, Kernel, MemFlags, NdRange,
    Program, Result, WaitList, finish_all, wait_for_events,
};

const COUNT: usize = 1000;
const SOURCE: &str = "kernel void advance(global int *a, int by, int plus) {
    a[get_global_id(0)] = a[get_global_id(0)] * by + plus;
}";

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::default())?;
    let kernel = program.kernel("advance")?;
    in_order(&context, &kernel)?;
    out_of_order(&context, &kernel)?;
    threads(&context, &kernel)?;
    // Whatever queues there are, of any context: done, or some patience spent.
    assert!(finish_all(std::time::Duration::from_secs(10)));
    Ok(())
}

/// Numbers, all of them zero.
fn zeros(context: &Context) -> Result<Buffer> {
    Buffer::from_slice(context, MemFlags::READ_WRITE, &[0_i32; COUNT])
}

/// The number that all elements are.
fn number(queue: &CommandQueue, buffer: &Buffer) -> Result<i32> {
    let mut numbers = [0; COUNT];
    queue.read(buffer, 0, &mut numbers)?;
    assert!(numbers.iter().all(|number| *number == numbers[0]));
    Ok(numbers[0])
}

/// Commands follow each other without events.
fn in_order(context: &Context, kernel: &Kernel) -> Result<()> {
    let queue = CommandQueue::new(context)?;
    let buffer = zeros(context)?;
    for _ in 0..5 {
        let args = [Arg::Mem(&buffer), Arg::scalar(&3_i32), Arg::scalar(&1_i32)];
        // SAFETY: the kernel touches one int a work-item, the buffer holds COUNT, and only this queue uses it.
        unsafe { kernel.launch(&queue, &NdRange::new(&[COUNT]), &args, &WaitList::default())? };
    }
    let found = number(&queue, &buffer)?;
    assert_eq!(found, 121); // 1, 4, 13, 40, 121
    println!("in order  {found}");
    Ok(())
}

/// Commands that need each other say so by events; a barrier holds back all that come after it.
fn out_of_order(context: &Context, kernel: &Kernel) -> Result<()> {
    let wish = CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let Ok(queue) = CommandQueue::with_properties(context, None, wish) else {
        println!("this device has no such queues");
        return Ok(());
    };
    assert!(queue.is_out_of_order());
    let (range, none) = (NdRange::new(&[COUNT]), WaitList::default());
    let buffers = [zeros(context)?, zeros(context)?];
    let (by, plus) = (3_i32, 1_i32);
    let args = |buffer| [Arg::Mem(buffer), Arg::scalar(&by), Arg::scalar(&plus)];
    // SAFETY: as above; the second launch on a buffer waits for the first one.
    let chain = |buffer| unsafe {
        let first = kernel.launch_with_event(&queue, &range, &args(buffer), &none)?;
        kernel.launch_with_event(&queue, &range, &args(buffer), &WaitList::from(slice::from_ref(&first)))
    };
    let ends = [chain(&buffers[0])?, chain(&buffers[1])?];
    let both = queue.marker(&WaitList::from(&ends[..]))?; // done when both are
    queue.barrier(&none)?; // the copy comes after all of that
    queue.copy_buffer(&buffers[0], 0, &buffers[1], 0, COUNT * size_of::<i32>() / 2, &none)?;
    queue.flush()?; // sends the commands to the device without waiting for them
    wait_for_events([&both])?;
    queue.finish()?;
    let found = number(&queue, &buffers[1])?;
    assert_eq!(found, 4);
    println!("any order {found}");
    Ok(())
}

/// Threads share contexts, kernels and buffers; a queue of its own lets each go on alone.
fn threads(context: &Context, kernel: &Kernel) -> Result<()> {
    let work = |plus: i32| -> Result<i32> {
        let queue = CommandQueue::new(context)?;
        let buffer = zeros(context)?;
        for _ in 0..100 {
            let args = [Arg::Mem(&buffer), Arg::scalar(&1_i32), Arg::scalar(&plus)];
            // SAFETY: as above; the buffer is this thread's. The kernel's lock keeps arguments together.
            unsafe { kernel.launch(&queue, &NdRange::new(&[COUNT]), &args, &WaitList::default())? };
        }
        number(&queue, &buffer)
    };
    let found = thread::scope(|scope| {
        let threads: Vec<_> = (1..=4).map(|plus| scope.spawn(move || work(plus))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect::<Result<Vec<_>>>()
    })?;
    assert_eq!(found, [100, 200, 300, 400]);
    println!("threads   {found:?}");
    Ok(())
}
