//! Kernels: what they declare, arguments of every sort, sizes and offsets, arguments set one by one.
//!
//! ```text
//! cargo run -p opencl-runtime --example kernels
//! ```

use bytemuck::{Pod, Zeroable};
use opencl_runtime::constants::KernelWorkGroupInfo;
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, MemFlags, NdRange, Program, Result, WaitList,
};

const SOURCE: &str = "
struct line { float slope, start; };

kernel void evaluate(global float *to, const struct line line, const float2 shift)
{
    const size_t i = get_global_id(0);
    to[i] = line.slope * ((float)i + shift.x) + line.start + shift.y;
}

kernel void sums(global const int *from, global int *to, local int *scratch)
{
    const size_t lane = get_local_id(0);
    scratch[lane] = from ? from[get_global_id(0)] : 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        int sum = 0;
        for (size_t k = 0; k < get_local_size(0); ++k)
            sum += scratch[k];
        to[get_group_id(0)] = sum;
    }
}";

/// The same as the struct of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Line {
    slope: f32,
    start: f32,
}

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let queue = CommandQueue::new(&context)?;
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::default())?;
    declarations(&queue, &program)?;
    values(&queue, &program)?;
    local_memory(&queue, &program)?;
    one_by_one(&queue, &program)
}

/// What a kernel declares, and how many work-items of it fit into a group.
fn declarations(queue: &CommandQueue, program: &Program) -> Result<()> {
    for kernel in program.all_kernels()? {
        let parameters: Vec<String> = kernel
            .parameters()
            .iter()
            .map(|parameter| format!("{} {}", parameter.type_name, parameter.name))
            .collect();
        assert_eq!((parameters.len(), kernel.arity()), (3, 3));
        let fits = kernel.work_group_info(KernelWorkGroupInfo::WORK_GROUP_SIZE.0, queue.device())?[0];
        println!("declares  {}({}), up to {fits} work-items a group", kernel.name(), parameters.join(", "));
    }
    Ok(())
}

/// Structs and vectors go by their bytes. An offset moves the indices that the work-items see.
fn values(queue: &CommandQueue, program: &Program) -> Result<()> {
    let kernel = program.kernel("evaluate")?;
    let to = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[0.0_f32; 5])?;
    let line = Line { slope: 2.0, start: 1.0 };
    let args = [Arg::Mem(&to), Arg::scalar(&line), Arg::scalar(&[0.5_f32, 10.0])];
    let range = NdRange::new(&[3]).offset(&[2])?;
    // SAFETY: the work-items 2 to 4 write a float each, and the buffer holds five.
    unsafe { kernel.launch(queue, &range, &args, &WaitList::default())? };
    let mut result = [0.0_f32; 5];
    queue.read(&to, 0, &mut result)?;
    assert_eq!(result, [0.0, 0.0, 16.0, 18.0, 20.0]);
    println!("values    {result:?}");
    // What does not fit the declaration is refused before the driver sees it.
    let args = [Arg::Mem(&to), Arg::scalar(&line), Arg::scalar(&1.0_f32)];
    // SAFETY: as above.
    let refused = unsafe { kernel.launch(queue, &range, &args, &WaitList::default()) };
    println!("refused   {}", refused.expect_err("two floats are declared"));
    Ok(())
}

/// Local memory is an argument without contents; a null pointer is one without memory.
fn local_memory(queue: &CommandQueue, program: &Program) -> Result<()> {
    const GROUP: usize = 4;
    let kernel = program.kernel("sums")?;
    let numbers: Vec<i32> = (1..=8).collect();
    let from = Buffer::from_slice(queue.context(), MemFlags::READ_ONLY, &numbers)?;
    let to = Buffer::new(queue.context(), MemFlags::READ_WRITE, 2 * size_of::<i32>())?;
    let range = NdRange::new(&[8]).local(&[GROUP])?;
    let scratch = Arg::Local(GROUP * size_of::<i32>());
    for (source, expected) in [(Arg::Mem(&from), [10, 26]), (Arg::Null, [4, 4])] {
        // SAFETY: two groups write an int each, and a group of four uses four ints of local memory.
        unsafe { kernel.launch(queue, &range, &[source, Arg::Mem(&to), scratch], &WaitList::default())? };
        let mut result = [0; 2];
        queue.read(&to, 0, &mut result)?;
        assert_eq!(result, expected);
        println!("groups    {result:?}");
    }
    Ok(())
}

/// Arguments may be set one by one and stay. Each object has its own.
fn one_by_one(queue: &CommandQueue, program: &Program) -> Result<()> {
    let kernel = program.kernel("evaluate")?;
    let to = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[0.0_f32; 2])?;
    kernel.set_arg(0, &Arg::Mem(&to))?;
    kernel.set_arg(1, &Arg::scalar(&Line { slope: 1.0, start: 0.0 }))?;
    kernel.set_arg(2, &Arg::scalar(&[0.0_f32, 0.0]))?;
    let other = kernel.fresh()?;
    // SAFETY: the kernel has no arguments, and so cannot run.
    let refused = unsafe { other.launch_as_set(queue, &NdRange::new(&[2]), &WaitList::default()) };
    println!("refused   {}", refused.expect_err("no argument of this object is set"));
    kernel.set_arg(2, &Arg::scalar(&[0.0_f32, 7.0]))?; // the others stay as they are
    // SAFETY: the work-items write a float each, the buffer holds two, and is alive.
    unsafe { kernel.launch_as_set(queue, &NdRange::new(&[2]), &WaitList::default())? };
    let mut result = [0.0_f32; 2];
    queue.read(&to, 0, &mut result)?;
    assert_eq!(result, [7.0, 8.0]);
    println!("as set    {result:?}");
    Ok(())
}
