//! Shared virtual memory: allocation, copies and fills, mapping, kernels that follow pointers.
//!
//! ```text
//! cargo run -p opencl-runtime --example svm
//! ```

use std::slice;

use opencl_runtime::constants::DeviceSvmCapabilities;
use opencl_runtime::{
    Arg, BuildOptions, CommandQueue, Context, MapFlags, NdRange, Program, Result, SvmAllocation, SvmMemFlags,
    WaitList,
};

const SOURCE: &str = "
struct node { global struct node *next; int value; };

kernel void twice(global int *numbers) { numbers[get_global_id(0)] *= 2; }

kernel void sum(global struct node *first)
{
    int sum = 0;
    for (global struct node *node = first->next; node; node = node->next)
        sum += node->value;
    first->value = sum;
}";

/// The same as the struct of the kernels: host and device read each other's pointers.
#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    next: *mut Node,
    value: i32,
}

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    let device = &context.devices()?[0];
    println!("on {}", device.name()?);
    let has = device.svm_capabilities().unwrap_or(DeviceSvmCapabilities::empty());
    if !has.contains(DeviceSvmCapabilities::COARSE_GRAIN_BUFFER) {
        println!("this device has no shared virtual memory");
        return Ok(());
    }
    println!("the device has {has:?}");
    let queue = CommandQueue::new(&context)?;
    let program = Program::with_source(&context, SOURCE)?;
    program.build(&BuildOptions::default())?;
    copies(&queue, &program)?;
    lists(&queue, &program)
}

/// Memory of the device that has an address on the host too. It is freed once the commands that use it are done.
fn copies(queue: &CommandQueue, program: &Program) -> Result<()> {
    let none = WaitList::default();
    let bytes = 4 * size_of::<i32>();
    let memory = SvmAllocation::new(queue.context(), SvmMemFlags::READ_WRITE, bytes, 0)?;
    queue.svm_write(memory.pointer(), &[1, 2, 3, 4])?;
    queue.svm_fill(memory.pointer().range(8, 8)?, &10_i32.to_ne_bytes(), &none)?;
    let kernel = program.kernel("twice")?;
    // SAFETY: the kernel touches one int a work-item, and the memory holds four.
    unsafe { kernel.launch(queue, &NdRange::new(&[4]), &[Arg::Svm(memory.pointer())], &none)? };
    let mut result = [0; 4];
    queue.svm_read(memory.pointer(), &mut result)?;
    assert_eq!(result, [2, 4, 20, 20]);
    println!("copies    {result:?} at {:?}", memory.address()?);
    let error = memory.pointer().range(8, 12).expect_err("only eight bytes are left");
    println!("refused   {error}");
    Ok(())
}

/// A list that the host links and the device follows. Coarse-grained memory is the host's while it is mapped.
fn lists(queue: &CommandQueue, program: &Program) -> Result<()> {
    const COUNT: usize = 100;
    let none = WaitList::default();
    let bytes = (COUNT + 1) * size_of::<Node>();
    let memory = SvmAllocation::new(queue.context(), SvmMemFlags::READ_WRITE, bytes, 0)?;
    let first = memory.address()?.cast::<Node>();

    let (map, _event) = queue.map_svm(memory.pointer(), true, MapFlags::WRITE, &none)?;
    for number in 0..=COUNT {
        let next = if number == COUNT { std::ptr::null_mut() } else { first.wrapping_add(number + 1) };
        // SAFETY: the memory holds COUNT + 1 nodes, is aligned for any type, and is mapped.
        unsafe { first.add(number).write(Node { next, value: number as i32 }) };
    }
    map.unmap(None, &none)?;

    let kernel = program.kernel("sum")?;
    // SAFETY: the kernel follows pointers to nodes of this one memory, the last of which is null.
    unsafe { kernel.launch(queue, &NdRange::new(&[1]), &[Arg::Svm(memory.pointer())], &none)? };

    let (map, _event) = queue.map_svm(memory.pointer(), true, MapFlags::READ, &none)?;
    // SAFETY: as above; nothing writes to the memory before it is unmapped.
    let nodes = unsafe { slice::from_raw_parts(map.address().cast::<Node>(), COUNT + 1) };
    let sum = nodes[0].value;
    map.unmap(None, &none)?;
    assert_eq!(sum, (COUNT * (COUNT + 1) / 2) as i32);
    println!("list      of {COUNT} nodes, their sum is {sum}");
    Ok(())
}
