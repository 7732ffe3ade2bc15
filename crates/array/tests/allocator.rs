//! Arrays in memory of an allocator: results of operations come from there too.

#[path = "../../runtime/tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::limits::{self, Need};
use common::on_each_device;
use opencl_array::expr::BinaryOp;
use opencl_array::{
    Allocator, Array, DType, Error, Index, Layout, Order, Result, Scalar, Storage, ops, reduction,
};
use opencl_runtime::pool::{ImmediateAllocator, MemoryPool, SvmAllocator, SvmPool};
use opencl_runtime::{
    Buffer, CommandExecutionStatus, CommandQueue, Context, MapFlags, MemFlags, SvmAllocation, SvmMemFlags,
    UserEvent, WaitList,
};

fn pool_on(queue: &CommandQueue) -> MemoryPool {
    MemoryPool::new(ImmediateAllocator::new(queue, MemFlags::READ_WRITE).unwrap(), 4).unwrap()
}

/// How many blocks of the pool are in use, and how many bytes of them.
fn used(pool: &MemoryPool) -> (usize, usize) {
    let statistics = pool.statistics();
    (statistics.active_blocks, statistics.active_bytes)
}

#[test]
fn results_come_from_the_allocator_of_the_first_array() {
    on_each_device(|_, queue| {
        let pool = pool_on(queue);
        let plain = Array::from_slice(queue, &[1_i32, 2, 3, 4]).unwrap();
        let pooled = plain.clone().with_allocator(Some(Arc::new(pool.clone())));
        let sum = ops::add(&pooled, &plain, None).unwrap();
        assert_eq!((used(&pool), sum.allocator().is_some()), ((1, 16), true));
        assert_eq!(sum.to_vec::<i32>().unwrap(), [2, 4, 6, 8]);
        let other = ops::add(&plain, &pooled, None).unwrap();
        assert_eq!((used(&pool), other.allocator().is_some()), ((1, 16), false));
        let total = reduction::sum(&sum, None, None).unwrap();
        assert_eq!((used(&pool).0, total.allocator().is_some()), (2, true));
        let part = sum.index(&[Index::Slice { start: Some(1), stop: None, step: 2 }]).unwrap();
        drop(sum);
        assert_eq!(used(&pool).0, 2, "the view keeps the block");
        assert_eq!(part.copy(None).unwrap().to_vec::<i32>().unwrap(), [4, 8]);
        drop((part, total));
        assert_eq!(used(&pool), (0, 0));
    });
}

#[test]
fn new_arrays_are_made_in_memory_of_an_allocator() {
    on_each_device(|context, queue| {
        let pool = pool_on(queue);
        let layout = Layout::contiguous(&[3, 5], 4, Order::C).unwrap();
        let allocator: Arc<dyn Allocator> = Arc::new(pool.clone());
        let array =
            Array::from_allocator(allocator.clone(), context, Some(queue), layout, DType::F32).unwrap();
        assert_eq!((used(&pool), array.shape()), ((1, 60), &[3, 5][..]));
        // Arrays without elements have memory too.
        let none = Layout::contiguous(&[0], 4, Order::C).unwrap();
        let none = Array::from_allocator(allocator, context, Some(queue), none, DType::F32).unwrap();
        assert_eq!((used(&pool), none.layout().size()), ((2, 61), 0));
    });
}

/// A block goes to the next array while commands of the last one are waiting: those of other queues wait for them.
#[test]
fn a_block_is_used_after_the_commands_of_the_array_before() {
    on_each_device(|context, queue| {
        if !limits::has(queue.device(), Need::WaitingCommands) {
            return;
        }
        let other = CommandQueue::new(context).unwrap();
        let pool = pool_on(queue);
        let allocator: Arc<dyn Allocator> = Arc::new(pool.clone());
        let numbers: Vec<i32> = (0..1000).collect();
        let source = Array::from_slice(queue, &numbers).unwrap();
        let block = ops::add(&source.clone().with_allocator(Some(allocator.clone())), &source, None).unwrap();
        queue.finish().unwrap();
        let handle = block.buffer().as_raw().unwrap();

        let gate = UserEvent::new(context).unwrap();
        queue.barrier(&[&gate].into_iter().collect()).unwrap();
        let result = ops::negative(&block.clone().with_allocator(None), None).unwrap();
        queue.flush().unwrap();
        drop(block);
        assert_eq!(used(&pool).0, 0);

        let layout = Layout::contiguous(&[1000], 4, Order::C).unwrap();
        let next = Array::from_allocator(allocator, context, Some(&other), layout, DType::I32).unwrap();
        assert_eq!(next.buffer().as_raw().unwrap(), handle, "the block is lent again at once");
        next.fill(Scalar::I32(7), None).unwrap();
        let filled = other.marker(&WaitList::default()).unwrap();
        other.flush().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(!filled.is_complete().unwrap(), "the next array waits");
        gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
        assert!(next.to_vec::<i32>().unwrap().iter().all(|number| *number == 7));
        let expected: Vec<i32> = numbers.iter().map(|number| -2 * number).collect();
        assert_eq!(result.to_vec::<i32>().unwrap(), expected);
    });
}

/// Fails when told so, and else makes less memory than asked for.
struct Stingy(AtomicBool);

impl Allocator for Stingy {
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>> {
        if self.0.load(Ordering::Relaxed) {
            return Err(Error::Allocator("not today".into()));
        }
        let buffer = Buffer::new(context, MemFlags::READ_WRITE, bytes / 2)?;
        let storage = Storage::from_buffer(context, buffer);
        assert!(storage.owner().is_none());
        assert!(storage.keep(Box::new(7_i32)).is_ok());
        assert!(storage.keep(Box::new(8_i32)).is_err());
        assert_eq!(storage.owner().and_then(|owner| owner.downcast_ref()), Some(&7_i32));
        Ok(Arc::new(storage))
    }
}

#[test]
fn what_an_allocator_does_wrong_is_an_error() {
    on_each_device(|_, queue| {
        let allocator = Arc::new(Stingy(AtomicBool::new(true)));
        let array = Array::from_slice(queue, &[1_i32; 8]).unwrap().with_allocator(Some(allocator.clone()));
        let error = ops::negative(&array, None).unwrap_err();
        assert_eq!(error.to_string(), "not today");
        allocator.0.store(false, Ordering::Relaxed);
        assert!(matches!(ops::negative(&array, None), Err(Error::OutOfBuffer { .. })));
    });
}

#[test]
fn arrays_may_be_in_shared_virtual_memory() {
    on_each_device(|context, queue| {
        if !queue.device().svm_capabilities().is_ok_and(|able| !able.is_empty()) {
            println!("{:?} has no shared virtual memory", queue.device());
            return;
        }
        let plain = Array::from_slice(queue, &[1_i32, 2, 3, 4]).unwrap();
        let make = || SvmAllocator::new(context, SvmMemFlags::READ_WRITE, 0, Some(queue));
        let pool = SvmPool::new(make(), 4).unwrap();
        for allocator in [Arc::new(make()) as Arc<dyn Allocator>, Arc::new(pool.clone())] {
            let shared = plain.clone().with_allocator(Some(allocator));
            let sum = ops::add(&shared, &plain, None).unwrap();
            let part = sum.index(&[Index::Slice { start: Some(1), stop: None, step: 2 }]).unwrap();
            ops::binary_into(BinaryOp::Multiply, &part, 10_i32, &part, None).unwrap();
            assert_eq!(sum.to_vec::<i32>().unwrap(), [2, 40, 6, 80]);
            assert_eq!(
                ops::subtract(&plain, &sum, None).unwrap().to_vec::<i32>().unwrap(),
                [-1, -38, -3, -76]
            );
        }
        queue.finish().unwrap();
        // Drivers may destroy the buffers over the blocks a little later.
        let start = Instant::now();
        while pool.statistics().active_blocks > 0 && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(pool.statistics().active_blocks, 0);
    });
}

#[test]
fn one_piece_of_shared_virtual_memory_has_one_storage() {
    on_each_device(|context, queue| {
        if !queue.device().svm_capabilities().is_ok_and(|able| !able.is_empty()) {
            println!("{:?} has no shared virtual memory", queue.device());
            return;
        }
        let memory = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, 64, 0).unwrap();
        let first = Storage::shared_svm(context, memory.pointer()).unwrap();
        assert!(Arc::ptr_eq(&first, &Storage::shared_svm(context, memory.pointer()).unwrap()));
        let half = Storage::shared_svm(context, memory.pointer().range(0, 32).unwrap()).unwrap();
        assert_eq!((first.buffer().size(), half.buffer().size()), (64, 32));
        let other = Context::new(&context.devices().unwrap()).unwrap();
        assert!(Storage::shared_svm(&other, memory.pointer()).is_err());
    });
}

#[test]
fn commands_on_the_memory_itself_see_what_arrays_wrote() {
    on_each_device(|context, queue| {
        if !queue.device().svm_capabilities().is_ok_and(|able| !able.is_empty()) {
            println!("{:?} has no shared virtual memory", queue.device());
            return;
        }
        let memory = SvmAllocation::new(context, SvmMemFlags::READ_WRITE, 4096, 0).unwrap();
        let storage = Storage::shared_svm(context, memory.pointer()).unwrap();
        let layout = Layout::contiguous(&[1024], 4, Order::C).unwrap();
        let array = Array::new(storage, layout, DType::I32, Some(queue.clone())).unwrap();
        let mut host = [0_i32; 1024];
        for round in 0..5 {
            array.fill(Scalar::I32(round), None).unwrap();
            queue.svm_read(memory.pointer(), &mut host).unwrap();
            assert!(host.iter().all(|&number| number == round), "an array was written, the memory is read");
            queue.svm_write(memory.pointer(), &[10 * round; 1024]).unwrap();
            let sum = ops::add(&array, 1_i32, None).unwrap();
            assert!(sum.to_vec::<i32>().unwrap().iter().all(|&number| number == 10 * round + 1));
            let (map, _) = queue
                .map_svm(memory.pointer(), true, MapFlags::READ | MapFlags::WRITE, &WaitList::default())
                .unwrap();
            map.unmap(None, &WaitList::default()).unwrap();
            assert!(array.to_vec::<i32>().unwrap().iter().all(|&number| number == 10 * round));
        }
    });
}
