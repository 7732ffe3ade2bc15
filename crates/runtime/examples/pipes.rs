//! Pipes: one kernel hands packets to another without the host.
//!
//! ```text
//! cargo run -p opencl-runtime --example pipes
//! ```

use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, MemFlags, NdRange, Pipe, Program, Result, WaitList,
};

const COUNT: usize = 64;
const SOURCE: &str = "
kernel void give(write_only pipe int to)
{
    const int square = (int)get_global_id(0) * (int)get_global_id(0);
    write_pipe(to, &square);
}

kernel void take(read_only pipe int from, global int *numbers)
{
    int number = -1; // stays if the pipe is empty
    read_pipe(from, &number);
    numbers[get_global_id(0)] = number;
}";

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let queue = CommandQueue::new(&context)?;
    let (read_write, bytes) = (MemFlags::READ_WRITE, size_of::<i32>());
    let pipe = match Pipe::new(&context, read_write, bytes as u32, COUNT as u32, &[]) {
        Ok(pipe) => pipe,
        Err(error) => {
            println!("no pipes: {error}");
            return Ok(());
        }
    };
    assert_eq!((pipe.packet_size()?, pipe.max_packets()?), (4, 64));
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::text("-cl-std=CL2.0"))?;
    let numbers = Buffer::new(&context, read_write, (COUNT + 1) * bytes)?;
    let (give, take, none) = (program.kernel("give")?, program.kernel("take")?, WaitList::default());
    // SAFETY: each work-item hands one packet over, and writes one number, for which the buffer has room.
    unsafe {
        give.launch(&queue, &NdRange::new(&[COUNT]), &[Arg::Mem(&pipe)], &none)?;
        let args = [Arg::Mem(&pipe), Arg::Mem(&numbers)];
        take.launch(&queue, &NdRange::new(&[COUNT + 1]), &args, &none)?;
    }
    let mut found = [0_i32; COUNT + 1];
    queue.read(&numbers, 0, &mut found)?;
    found.sort_unstable(); // packets come in any order
    assert_eq!(found[0], -1);
    assert!(found[1..].iter().enumerate().all(|(number, &square)| square == (number * number) as i32));
    println!("{COUNT} packets, the last is {}, then the pipe was empty", found[COUNT]);
    Ok(())
}
