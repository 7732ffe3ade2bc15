//! Shared virtual memory, and what kernels tell of sub-groups.

use super::{Operation, from, operation};
use crate::bench::{Bench, SIZE};
use opencl_runtime::constants::KernelSubGroupInfo;
use opencl_runtime::pool::{SvmAllocator, SvmPool};
use opencl_runtime::{
    Arg, CommandQueue, Error, ImageBlock, MapFlags, MemMigrationFlags, NdRange, Result, SvmAllocation,
    SvmMemFlags, WaitList, status,
};

/// An allocation of the buffers' size.
fn allocate(bench: &Bench) -> Result<SvmAllocation> {
    SvmAllocation::new(&bench.context, SvmMemFlags::READ_WRITE, SIZE, 16)
}

/// The first number.
fn first(bench: &Bench, memory: &SvmAllocation) -> Result<i32> {
    let mut number = [0];
    bench.queue.svm_read(memory.pointer().range(0, 4)?, &mut number)?;
    Ok(number[0])
}

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("allocate shared memory", |bench| {
        let memory = allocate(bench)?;
        assert_eq!(memory.size(), SIZE);
        memory.release()?;
        assert_eq!(memory.release().unwrap_err().code(), status::INVALID_VALUE);
        Ok(())
    }),
    operation!("copy and fill shared memory, and free it behind that", |bench| {
        let (one, other) = (allocate(bench)?, allocate(bench)?);
        bench.queue.svm_write(one.pointer().range(0, 8)?, &[3_i32, 4])?;
        assert_eq!(first(bench, &one)?, 3);
        let none = WaitList::default();
        bench.queue.svm_copy(one.pointer(), other.pointer(), false, &none)?.wait()?;
        assert_eq!(first(bench, &other)?, 3);
        bench.queue.svm_fill(other.pointer(), &9_i32.to_ne_bytes(), &none)?;
        assert_eq!(first(bench, &other)?, 9);
        one.release()?;
        other.release()
    }),
    operation!("a block of a pool of shared memory", |bench| {
        let allocator = SvmAllocator::new(&bench.context, SvmMemFlags::READ_WRITE, 16, None);
        let pool = SvmPool::new(allocator, 4)?;
        let outcome = pool.allocate(SIZE).and_then(|block| block.bind_to_queue(&bench.queue));
        let held = pool.statistics().held_blocks;
        assert_eq!((pool.statistics().active_blocks, held), (0, 1));
        outcome
    }, absorbs clSVMAlloc in 1..=1, clEnqueueSVMFree in 1..=1),
    operation!("map, unmap and migrate shared memory", |bench| {
        let memory = allocate(bench)?;
        let none = WaitList::default();
        bench.queue.svm_map(memory.pointer(), true, MapFlags::READ, &none)?;
        bench.queue.svm_unmap(memory.pointer(), &none)?;
        let (map, _) = bench.queue.map_svm(memory.pointer(), true, MapFlags::WRITE, &none)?;
        map.unmap(None, &none)?;
        bench.queue.svm_migrate(&[memory.pointer()], MemMigrationFlags::HOST, &none)?;
        memory.release()
    }),
    operation!("exchange shared memory with a buffer", |bench| {
        let memory = allocate(bench)?;
        let none = WaitList::default();
        bench.queue.write(&bench.buffer, 0, &[5_i32])?;
        bench.queue.buffer_to_svm(&bench.buffer, 0, memory.pointer(), &none)?;
        assert_eq!(first(bench, &memory)?, 5);
        bench.queue.svm_to_buffer(memory.pointer(), &bench.other, 0, &none)?;
        memory.release()
    }),
    operation!("exchange shared memory with an image", |bench| {
        let memory = allocate(bench)?;
        let none = WaitList::default();
        let image = super::image::image(bench)?;
        let block = ImageBlock { origin: [1, 0, 0], region: [1, 1, 1], pitches: [0; 2] };
        bench.queue.image_to_svm(&image, &block, memory.pointer(), &none)?;
        assert_eq!(first(bench, &memory)?, i32::from_ne_bytes([4, 5, 6, 7]));
        bench.queue.svm_to_image(memory.pointer(), &image, &block, &none)?;
        memory.release()
    }),
    operation!("free shared memory by queues", |bench| {
        let second = CommandQueue::new(&bench.context)?;
        let memory = allocate(bench)?;
        memory.bind_to_queue(&bench.queue)?;
        bench.queue.svm_fill(memory.pointer(), &[1], &WaitList::default())?;
        memory.bind_to_queue(&second)?;
        memory.enqueue_release(None, &[&bench.event].into_iter().collect())?.wait()
    }),
    operation!("unbind shared memory from its queue", |bench| {
        let memory = allocate(bench)?;
        memory.bind_to_queue(&bench.queue)?;
        memory.unbind_from_queue()?;
        assert!(memory.queue().is_none());
        memory.release()
    }),
    operation!(
        "let used shared memory go",
        |bench| {
            let second = CommandQueue::new(&bench.context)?;
            let memory = allocate(bench)?;
            memory.used_on(&bench.queue);
            memory.used_on(&second);
            Ok(())
        },
        absorbs clEnqueueSVMFree in from(1),
        clEnqueueMarkerWithWaitList in from(1),
        clFlush in from(1),
        clSetEventCallback in from(1)
    ),
    operation!("launch with shared memory", |bench| {
        let memory = allocate(bench)?;
        bench.kernel.set_svm_pointers(&[memory.pointer()])?;
        let args = [Arg::Svm(memory.pointer()), Arg::Bytes(&[0; 4]), Arg::Local(64)];
        // SAFETY: the stub driver leaves shared memory alone.
        unsafe { bench.kernel.launch(&bench.queue, &NdRange::new(&[4]), &args, &WaitList::default()) }?;
        memory.release()
    }, absorbs clGetKernelArgInfo in from(1)),
    operation!("ask for sub-groups", |bench| {
        let ask = |question: KernelSubGroupInfo, input: &[usize]| {
            bench.kernel.sub_group_info(question.0, &bench.device, input)
        };
        assert_eq!(ask(KernelSubGroupInfo::SUB_GROUP_COUNT_FOR_NDRANGE, &[64, 2])?, [4]);
        assert_eq!(ask(KernelSubGroupInfo::LOCAL_SIZE_FOR_SUB_GROUP_COUNT, &[2])?, [64, 1, 1]);
        assert!(ask(KernelSubGroupInfo::MAX_NUM_SUB_GROUPS, &[])?[0] > 0);
        let refused = ask(KernelSubGroupInfo::MAX_NUM_SUB_GROUPS, &[1]).unwrap_err();
        assert!(matches!(refused, Error::Refused { code: status::INVALID_VALUE, .. }));
        Ok(())
    }),
];
