//! Events: commands that wait for the program or for each other, call-backs, times.
//!
//! ```text
//! cargo run -p opencl-runtime --example events
//! ```

use std::slice;
use std::sync::mpsc;

use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandExecutionStatus, CommandQueue, CommandQueueProperties, Context,
    MemFlags, NdRange, Program, Result, UserEvent, WaitList,
};

const COUNT: usize = 1 << 20;
const SOURCE: &str = "kernel void twice(global int *numbers) { numbers[get_global_id(0)] *= 2; }";

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let profiling = CommandQueueProperties::PROFILING_ENABLE;
    let queue = CommandQueue::with_properties(&context, None, profiling)?;
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::default())?;
    let kernel = program.kernel("twice")?;
    let buffer = Buffer::from_slice(&context, MemFlags::READ_WRITE, &vec![1; COUNT])?;

    // The first launch waits until the program says so, the second one for the first.
    let start = UserEvent::new(&context)?;
    let (range, args) = (NdRange::new(&[COUNT]), [Arg::Mem(&buffer)]);
    let after_start = WaitList::from(slice::from_ref(&*start));
    // SAFETY: the kernel touches one int a work-item, the buffer holds COUNT, and nothing else uses it.
    let first = unsafe { kernel.launch_with_event(&queue, &range, &args, &after_start)? };
    let after_first = WaitList::from(slice::from_ref(&first));
    // SAFETY: as above; this launch waits for the other one.
    let second = unsafe { kernel.launch_with_event(&queue, &range, &args, &after_first)? };
    assert!(!first.is_complete()?);

    // A thread of the driver tells when the second one is done. `first` cannot be waited for yet: it would
    // take forever.
    let (sender, receiver) = mpsc::channel();
    second.on_status(CommandExecutionStatus::COMPLETE, move |status| {
        // The receiver is gone if `main` has returned with an error, and then nobody asks.
        let _ = sender.send(status);
    })?;
    queue.flush()?; // waiting for a call-back does not send commands to the device
    start.set_status(CommandExecutionStatus::COMPLETE)?;
    let status = receiver.recv().expect("the driver holds the sender until it has called");
    assert_eq!(status, CommandExecutionStatus::COMPLETE);
    println!("called back with {status:?}");

    let mut numbers = vec![0; COUNT];
    queue.read(&buffer, 0, &mut numbers)?;
    assert!(numbers.iter().all(|&number| number == 4));
    println!("{COUNT} numbers, all of them {}", numbers[0]);

    // When the device did what, in nanoseconds of its own clock.
    for (name, event) in [("first", &first), ("second", &second)] {
        let (queued, start, end) = (event.queued()?, event.start()?, event.end()?);
        println!("{name:<6} waited {:>9} ns, ran {:>9} ns", start.saturating_sub(queued), end - start);
    }
    assert!(first.end()? <= second.start()?);
    Ok(())
}
