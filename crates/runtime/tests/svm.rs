//! Shared virtual memory on every driver found that has it.

mod common;

use common::on_each_device;
use opencl_runtime::constants::DeviceSvmCapabilities;
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandExecutionStatus, CommandQueue, CommandQueueProperties, Context, Event,
    Kernel, MapFlags, MemFlags, MemMigrationFlags, NdRange, Program, SvmAllocation, SvmMemFlags, SvmPointer,
    UserEvent, WaitList, status,
};

const SOURCE: &str = "
kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }
kernel void through(global ulong *pointers) { ((global int *)pointers[0])[0] = 5; }
";

/// Runs `test` on each device with coarse-grained memory.
fn on_each(test: impl Fn(&Context, &CommandQueue)) {
    on_each_device(|context, queue| {
        let capabilities = queue.device().svm_capabilities().unwrap_or(DeviceSvmCapabilities::empty());
        if capabilities.contains(DeviceSvmCapabilities::COARSE_GRAIN_BUFFER) {
            test(context, queue);
        } else {
            println!("skipped: the device has no shared virtual memory");
            let error = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, 16, 0).unwrap_err();
            assert!(error.to_string().starts_with("clSVMAlloc failed: "), "{error}");
        }
    });
}

fn kernel(context: &Context, name: &str) -> Kernel {
    let program = Program::with_source(context, SOURCE).unwrap();
    program.build(&BuildOptions::default()).unwrap();
    program.kernel(name).unwrap()
}

fn holding(context: &Context, queue: &CommandQueue, numbers: &[i32]) -> SvmAllocation {
    let memory = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, size_of_val(numbers), 64).unwrap();
    queue.svm_write(memory.pointer(), numbers).unwrap();
    memory
}

fn numbers<const N: usize>(queue: &CommandQueue, memory: SvmPointer<'_>) -> [i32; N] {
    let mut numbers = [0; N];
    queue.svm_read(memory, &mut numbers).unwrap();
    numbers
}

#[test]
fn a_kernel_works_on_shared_memory() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[1, 2, 3, 4]);
        assert_eq!(memory.address().unwrap() as usize % 64, 0);
        let args = [Arg::Svm(memory.pointer())];
        // SAFETY: the memory holds four numbers.
        unsafe { kernel(context, "twice").launch(queue, &NdRange::new(&[4]), &args, &WaitList::default()) }
            .unwrap();
        assert_eq!(numbers(queue, memory.pointer()), [2, 4, 6, 8]);
        assert_eq!(numbers(queue, memory.pointer().range(8, 8).unwrap()), [6, 8]);
    });
}

#[test]
fn a_kernel_reaches_shared_memory_through_a_pointer() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[1, 2]);
        let pointers = [memory.address().unwrap() as u64];
        let buffer = Buffer::from_slice(context, MemFlags::READ_ONLY, &pointers).unwrap();
        let kernel = kernel(context, "through");
        kernel.set_svm_pointers(&[memory.pointer()]).unwrap();
        // SAFETY: the pointer is that of the memory, which is named above.
        unsafe { kernel.launch(queue, &NdRange::new(&[1]), &[Arg::Mem(&buffer)], &WaitList::default()) }
            .unwrap();
        memory.used_on(queue);
        assert_eq!(numbers(queue, memory.pointer()), [5, 2]);
    });
}

#[test]
fn the_host_sees_mapped_memory_at_its_address() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[7, 8]);
        let none = WaitList::default();
        let flags = MapFlags::READ | MapFlags::WRITE;
        let (map, _) = queue.map_svm(memory.pointer(), true, flags, &none).unwrap();
        assert_eq!((map.address(), map.size()), (memory.address().unwrap(), 8));
        // SAFETY: the memory holds two numbers and is mapped.
        let seen = unsafe { map.address().cast::<[i32; 2]>().replace([9, 10]) };
        map.unmap(None, &none).unwrap();
        assert_eq!(seen, [7, 8]);
        assert_eq!(numbers(queue, memory.pointer()), [9, 10]);
        // What goes is unmapped: kernels may use the memory again.
        drop(queue.map_svm(memory.pointer(), true, MapFlags::READ, &none).unwrap());
        queue.svm_fill(memory.pointer(), &3_i32.to_ne_bytes(), &none).unwrap();
        assert_eq!(numbers(queue, memory.pointer()), [3, 3]);
    });
}

#[test]
fn fills_copies_and_exchange_with_buffers_keep_to_their_parts() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[0; 4]);
        let none = WaitList::default();
        let middle = memory.pointer().range(4, 8).unwrap();
        queue.svm_fill(middle, &3_i32.to_ne_bytes(), &none).unwrap();
        let other = holding(context, queue, &[1, 1]);
        queue.svm_copy(other.pointer(), memory.pointer().range(8, 8).unwrap(), false, &none).unwrap();
        assert_eq!(numbers(queue, memory.pointer()), [0, 3, 1, 1]);
        let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &[5, 6, 7, 8]).unwrap();
        queue.buffer_to_svm(&buffer, 4, middle, &none).unwrap();
        assert_eq!(numbers(queue, memory.pointer()), [0, 6, 7, 1]);
        queue.svm_to_buffer(middle, &buffer, 0, &none).unwrap();
        let mut read = [0; 4];
        queue.read(&buffer, 0, &mut read).unwrap();
        assert_eq!(read, [6, 7, 7, 8]);
        if queue.device().platform().unwrap().opencl_version() >= opencl_runtime::Version::new(2, 1) {
            queue.svm_migrate(&[middle], MemMigrationFlags::HOST, &none).unwrap();
        }
        queue.finish().unwrap();
    });
}

#[test]
fn impossible_commands_are_refused() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[0; 4]);
        let none = WaitList::default();
        let whole = memory.pointer();
        let code = |outcome: opencl_runtime::Result<Event>| outcome.unwrap_err().code();
        assert_eq!(whole.range(8, 9).unwrap_err().code(), status::INVALID_VALUE);
        assert_eq!(code(queue.svm_copy(whole, whole, true, &none)), status::MEM_COPY_OVERLAP);
        let part = whole.range(0, 4).unwrap();
        assert_eq!(code(queue.svm_copy(whole, part, true, &none)), status::INVALID_VALUE);
        assert_eq!(code(queue.svm_fill(whole, &[0; 3], &none)), status::INVALID_VALUE);
        let odd = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, 16, 3).unwrap_err();
        assert_eq!(odd.code(), status::INVALID_VALUE);
        memory.release().unwrap();
        assert_eq!(code(queue.svm_fill(memory.pointer(), &[0], &none)), status::INVALID_VALUE);
        assert!(memory.address().is_err());
        let refused = kernel(context, "twice").set_arg(0, &Arg::Svm(memory.pointer())).unwrap_err();
        assert!(refused.to_string().contains("released"), "{refused}");
    });
}

#[test]
fn nothing_of_no_size_is_touched() {
    on_each(|context, queue| {
        let memory = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, 0, 0).unwrap();
        let none = WaitList::default();
        assert_eq!(memory.size(), 0);
        queue.svm_fill(memory.pointer(), &[1], &none).unwrap().wait().unwrap();
        queue.svm_map(memory.pointer(), true, MapFlags::READ, &none).unwrap().wait().unwrap();
        queue.svm_unmap(memory.pointer(), &none).unwrap().wait().unwrap();
        queue.svm_read::<u8>(memory.pointer(), &mut []).unwrap();
    });
}

#[test]
fn memory_outlives_the_commands_that_use_it() {
    on_each(|context, queue| {
        let second = CommandQueue::with_properties(
            context,
            None,
            CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE,
        );
        let Ok(second) = second else {
            println!("skipped: the device has no out-of-order queues");
            return;
        };
        // More queues than an allocation remembers.
        let more: Vec<_> = (0..12).map(|_| CommandQueue::new(context).unwrap()).collect();
        let gate = UserEvent::new(context).unwrap();
        let after = [&gate].into_iter().collect();
        let memory = holding(context, queue, &[1; 1024]);
        let result = Buffer::new(context, MemFlags::READ_WRITE, 4096).unwrap();
        for queue in &more {
            queue.svm_fill(memory.pointer(), &4_i32.to_ne_bytes(), &WaitList::default()).unwrap();
            queue.finish().unwrap();
        }
        let copied = second.svm_to_buffer(memory.pointer(), &result, 0, &after).unwrap();
        drop(memory);
        // Whoever allocates now must not get the memory that is still to be read.
        let others: Vec<_> = (0..8).map(|_| holding(context, queue, &[9; 1024])).collect();
        gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
        copied.wait().unwrap();
        let mut read = [0; 1024];
        queue.read(&result, 0, &mut read).unwrap();
        assert_eq!(read, [4; 1024]);
        drop(others);
        second.finish().unwrap();
    });
}

#[test]
fn a_bound_queue_frees_the_memory() {
    on_each(|context, queue| {
        let second = CommandQueue::new(context).unwrap();
        let memory = holding(context, queue, &[1, 2]);
        let none = WaitList::default();
        assert_eq!(memory.enqueue_release(None, &none).unwrap_err().code(), status::INVALID_VALUE);
        memory.bind_to_queue(queue).unwrap();
        memory.bind_to_queue(&second).unwrap();
        assert_eq!(memory.queue().as_ref(), Some(&second));
        memory.unbind_from_queue().unwrap();
        assert!(memory.queue().is_none());
        memory.enqueue_release(Some(&second), &none).unwrap().wait().unwrap();
        assert_eq!(memory.release().unwrap_err().code(), status::INVALID_VALUE);
    });
}

#[test]
fn memory_under_a_buffer_outlives_its_release() {
    on_each(|context, queue| {
        let memory = holding(context, queue, &[1, 2, 3, 4]);
        let buffer = memory.pointer().as_buffer(context, MemFlags::READ_WRITE).unwrap();
        let gate = UserEvent::new(context).unwrap();
        let kernel = kernel(context, "twice");
        let args = [Arg::Mem(&buffer)];
        let held: WaitList<'_> = [&*gate].into_iter().collect();
        // SAFETY: the buffer holds four numbers.
        unsafe { kernel.launch(queue, &NdRange::new(&[4]), &args, &held) }.unwrap();
        let mut numbers = [0_i32; 4];
        let refused = memory.enqueue_release(Some(queue), &WaitList::default()).unwrap_err();
        assert_eq!(refused.code(), status::INVALID_OPERATION);
        memory.release().unwrap();
        assert_eq!(memory.address().unwrap_err().code(), status::INVALID_VALUE);
        gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
        queue.read(&buffer, 0, &mut numbers).unwrap();
        assert_eq!(numbers, [2, 4, 6, 8]);
        drop(memory);
        queue.finish().unwrap();

        let part = holding(context, queue, &[1, 2, 3, 4]);
        assert!(
            part.pointer().range(0, 8).unwrap().as_buffer(context, MemFlags::READ_ONLY).unwrap().size() == 8
        );
        let other = Context::new(std::slice::from_ref(queue.device())).unwrap();
        let refused = part.pointer().as_buffer(&other, MemFlags::READ_WRITE).unwrap_err();
        assert_eq!(refused.code(), status::INVALID_CONTEXT);
    });
}
