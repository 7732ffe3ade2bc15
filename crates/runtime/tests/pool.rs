//! Memory pools: what is lent comes back, figures are right, and a lack of memory frees what is held.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

mod common;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::limits::{self, Need};
use common::on_each_device;
use opencl_runtime::pool::{
    Allocator, Bins, DeferredAllocator, ImmediateAllocator, Lease, MemoryPool, Pool, Statistics,
};
use opencl_runtime::{
    Buffer, CommandQueue, Context, Error, MemFlags, Platform, Result, WaitList, set_reclaim, status,
};
use proptest::prelude::*;
use stub::on_stub;

const FLAGS: MemFlags = MemFlags::READ_WRITE;

fn stub_queue() -> CommandQueue {
    let devices = Platform::all().unwrap()[0].devices().unwrap();
    CommandQueue::new(&Context::new(&devices).unwrap()).unwrap()
}

fn pool_on(queue: &CommandQueue) -> MemoryPool {
    MemoryPool::new(ImmediateAllocator::new(queue, FLAGS).unwrap(), 4).unwrap()
}

fn figures(pool: &MemoryPool) -> (usize, usize, usize, usize) {
    let Statistics { held_blocks, active_blocks, managed_bytes, active_bytes } = pool.statistics();
    (held_blocks, active_blocks, managed_bytes, active_bytes)
}

#[test]
fn a_block_that_came_back_is_lent_again() {
    on_each_device(|_, queue| {
        let pool = pool_on(queue);
        let first = pool.allocate(1000).unwrap();
        assert_eq!((first.size(), first.is_pooled()), (1023, true));
        assert_eq!(figures(&pool), (0, 1, 1023, 1000));
        let handle = first.as_raw().unwrap();
        let clone = first.clone();
        drop(first);
        assert_eq!(figures(&pool).1, 1, "the clone keeps it");
        drop(clone);
        assert_eq!(figures(&pool), (1, 0, 1023, 0));
        assert!(pool.allocate_held(2000).is_none());
        let again = pool.allocate_held(995).unwrap();
        assert_eq!((again.as_raw().unwrap(), figures(&pool)), (handle, (0, 1, 1023, 995)));
        queue.fill_buffer(&again, &[7], 0, 1023, &WaitList::default()).unwrap();
        let mut bytes = [0_u8; 1023];
        queue.read(&again, 0, &mut bytes).unwrap();
        assert_eq!(bytes, [7; 1023]);
        again.release().unwrap();
        assert_eq!(figures(&pool), (1, 0, 1023, 0));
        // The object is no way to the block any more, which may be somebody else's.
        let other = pool.allocate(1000).unwrap();
        assert_eq!(again.release().unwrap_err().code(), status::INVALID_MEM_OBJECT);
        assert!(queue.read(&again, 0, &mut bytes).is_err());
        drop(again);
        assert_eq!((other.as_raw().unwrap(), figures(&pool)), (handle, (0, 1, 1023, 1000)));
        let none = pool.allocate(0).unwrap();
        assert_eq!(none.size(), 1);
    });
}

#[test]
fn blocks_outlive_the_pool_and_are_freed_in_the_end() {
    on_stub("blocks_outlive_the_pool_and_are_freed_in_the_end", "", |stub| {
        let queue = stub_queue();
        let pool = pool_on(&queue);
        let buffers: Vec<Buffer> = [10, 20, 30].map(|size| pool.allocate(size).unwrap()).into();
        drop(pool.allocate(40).unwrap());
        assert_eq!(stub.live("mem"), 4);
        pool.free_held();
        assert_eq!((stub.live("mem"), figures(&pool)), (3, (0, 3, 60, 60)));
        drop(pool);
        assert_eq!(stub.live("mem"), 3);
        drop(buffers);
        assert_eq!(stub.live("mem"), 0);

        let pool = pool_on(&queue);
        let (kept, gone) = (pool.allocate(64).unwrap(), pool.allocate(64).unwrap());
        drop(gone);
        pool.stop_holding();
        assert_eq!((stub.live("mem"), figures(&pool)), (1, (0, 1, 67, 64)));
        drop(kept);
        assert_eq!((stub.live("mem"), figures(&pool)), (0, (0, 0, 0, 0)));
        drop((pool, queue));
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn immediate_allocation_uses_the_buffer_and_deferred_does_not() {
    on_stub("immediate_allocation_uses_the_buffer_and_deferred_does_not", "", |stub| {
        let queue = stub_queue();
        let immediate = ImmediateAllocator::new(&queue, FLAGS).unwrap();
        stub.forget_calls();
        assert_eq!(immediate.allocate(3).unwrap().size(), 3);
        assert_eq!((stub.calls("clCreateBuffer"), stub.calls("clEnqueueMigrateMemObjects")), (1, 1));
        let deferred = DeferredAllocator::new(queue.context(), MemFlags::READ_ONLY).unwrap();
        assert_eq!(deferred.allocate(3).unwrap().flags().unwrap(), MemFlags::READ_ONLY);
        assert_eq!((stub.calls("clCreateBuffer"), stub.calls("clEnqueueMigrateMemObjects")), (2, 1));
        assert_eq!(deferred.allocate(0).unwrap_err().code(), status::INVALID_BUFFER_SIZE);
        let host = FLAGS | MemFlags::COPY_HOST_PTR;
        assert_eq!(ImmediateAllocator::new(&queue, host).err().unwrap().code(), status::INVALID_VALUE);
        assert!(DeferredAllocator::new(queue.context(), FLAGS | MemFlags::USE_HOST_PTR).is_err());
    });
}

static RECLAIMS: AtomicU32 = AtomicU32::new(0);
static SPARE: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

fn reclaim() {
    RECLAIMS.fetch_add(1, Ordering::SeqCst);
    SPARE.lock().unwrap().clear();
}

#[test]
fn a_lack_of_memory_frees_what_is_held() {
    on_stub("a_lack_of_memory_frees_what_is_held", "memory=8192", |stub| {
        let queue = stub_queue();
        let pool = pool_on(&queue);
        drop(pool.allocate(6000).unwrap());
        // Without a function that reclaims, too.
        let active = pool.allocate(4000).unwrap();
        assert_eq!(figures(&pool), (0, 1, 4095, 4000));
        let error = pool.allocate(5000).unwrap_err();
        assert_eq!(
            (error.code(), error.routine()),
            (status::MEM_OBJECT_ALLOCATION_FAILURE, "memory_pool::allocate")
        );
        assert_eq!(figures(&pool), (0, 1, 4095, 4000), "the pool is as it was");

        // What is reclaimed may be a block that fits.
        set_reclaim(reclaim);
        drop(pool);
        let pool = pool_on(&queue);
        SPARE.lock().unwrap().push(pool.allocate(3000).unwrap());
        stub.forget_calls();
        let block = pool.allocate(3000).unwrap();
        assert_eq!((RECLAIMS.load(Ordering::SeqCst), stub.calls("clCreateBuffer")), (1, 1));
        assert_eq!(figures(&pool), (0, 1, 3071, 3000));
        drop((active, block));

        // A lack of memory that shows in the command counts as well, whatever status it has.
        let codes =
            [status::MEM_OBJECT_ALLOCATION_FAILURE, status::OUT_OF_RESOURCES, status::OUT_OF_HOST_MEMORY];
        for code in codes {
            stub.fail("clEnqueueMigrateMemObjects", 1, code);
            pool.allocate(100).unwrap();
            pool.free_held();
            stub.fail("clEnqueueMigrateMemObjects", 0, code);
            let error = pool.allocate(100).unwrap_err();
            assert_eq!(error.code(), status::MEM_OBJECT_ALLOCATION_FAILURE);
            stub.reset();
        }
        // Other failures are not tried again.
        stub.fail("clCreateBuffer", 1, status::INVALID_CONTEXT);
        assert_eq!(pool.allocate(100).unwrap_err().code(), status::INVALID_CONTEXT);
        assert_eq!(figures(&pool), (0, 0, 0, 0));
        drop((pool, queue));
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn memory_that_others_hold_is_no_block() {
    struct Shared(Buffer);
    impl Allocator for Shared {
        type Block = Buffer;
        fn allocate(&self, _size: usize) -> Result<Buffer> {
            Ok(self.0.clone())
        }
    }
    on_each_device(|context, queue| {
        let pool = MemoryPool::new(Shared(Buffer::new(context, FLAGS, 64).unwrap()), 4).unwrap();
        assert_eq!(pool.allocate(64).unwrap_err().code(), status::INVALID_MEM_OBJECT);
        // A pool over a pool would not know where a block belongs.
        struct Pooled(MemoryPool);
        impl Allocator for Pooled {
            type Block = Buffer;
            fn allocate(&self, size: usize) -> Result<Buffer> {
                self.0.allocate(size)
            }
        }
        let inner = pool_on(queue);
        let outer = MemoryPool::new(Pooled(inner.clone()), 4).unwrap();
        assert_eq!(outer.allocate(64).unwrap_err().code(), status::INVALID_MEM_OBJECT);
        assert_eq!(figures(&inner).1, 0);
    });
}

#[test]
fn threads_never_hold_the_same_block() {
    on_each_device(|context, queue| {
        if !limits::has(queue.device(), Need::Threads) {
            return;
        }
        let pool = pool_on(queue);
        std::thread::scope(|scope| {
            for thread in 0..8_u8 {
                let (pool, context) = (pool.clone(), context.clone());
                scope.spawn(move || {
                    let queue = CommandQueue::new(&context).unwrap();
                    for round in 0..60_usize {
                        let buffer = pool.allocate(200 + round % 3).unwrap();
                        let mark = [thread, round as u8];
                        queue.fill_buffer(&buffer, &mark, 0, 200, &WaitList::default()).unwrap();
                        let mut bytes = [0_u8; 200];
                        queue.read(&buffer, 0, &mut bytes).unwrap();
                        assert!(bytes.chunks(2).all(|pair| pair == mark));
                        if round % 20 == 0 {
                            pool.free_held();
                        }
                    }
                });
            }
        });
        let Statistics { active_blocks, active_bytes, held_blocks, managed_bytes } = pool.statistics();
        assert_eq!((active_blocks, active_bytes), (0, 0));
        assert!(held_blocks <= 8 && managed_bytes <= 8 * 207);
    });
}

/// Blocks that are numbers; counts those that live, and fails above a limit.
#[derive(Default)]
struct Numbers {
    live: Arc<AtomicUsize>,
    limit: usize,
}

struct Number {
    size: usize,
    live: Arc<AtomicUsize>,
}

impl Drop for Number {
    fn drop(&mut self) {
        self.live.fetch_sub(self.size, Ordering::SeqCst);
    }
}

impl Allocator for Numbers {
    type Block = Number;

    fn allocate(&self, size: usize) -> Result<Number> {
        if self.live.load(Ordering::SeqCst) + size > self.limit {
            return Err(Error::refused("allocate", status::OUT_OF_RESOURCES, "the limit"));
        }
        self.live.fetch_add(size, Ordering::SeqCst);
        Ok(Number { size, live: self.live.clone() })
    }
}

#[derive(Clone, Debug)]
enum Step {
    Lend(usize),
    Return(usize),
    FreeHeld,
    StopHolding,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..300_usize).prop_map(Step::Lend),
        10 => any::<usize>().prop_map(Step::Return),
        1 => Just(Step::FreeHeld),
        1 => Just(Step::StopHolding),
    ]
}

proptest! {
    /// Whatever happens, the figures are those of a model that keeps every block in a list.
    #[test]
    fn figures_are_those_of_a_model(leading_bits in 0..6_u32, steps in prop::collection::vec(step(), 1..80)) {
        let allocator = Numbers { limit: 2000, ..Numbers::default() };
        let live = allocator.live.clone();
        let pool = Arc::new(Pool::new(allocator, leading_bits).unwrap());
        let bins = Bins::new(leading_bits).unwrap();
        let block_of = |size| bins.alloc_size(bins.bin_number(size)).unwrap();
        let mut active: Vec<(usize, Lease<Numbers>)> = Vec::new();
        let mut held: HashMap<u64, usize> = HashMap::new();
        let mut holding = true;
        for step in steps {
            match step {
                Step::Lend(size) => {
                    let bin = bins.bin_number(size);
                    let is_held = held.get(&bin).is_some_and(|count| *count > 0);
                    let used: usize = active.iter().map(|(size, _)| block_of(*size)).sum();
                    let kept: usize = held.iter().map(|(bin, count)| bins.alloc_size(*bin).unwrap() * count).sum();
                    match pool.lend(size) {
                        Ok(lease) => {
                            prop_assert!(lease.size >= size && lease.size() == size);
                            if is_held {
                                *held.get_mut(&bin).unwrap() -= 1;
                            } else {
                                prop_assert!(used + block_of(size) <= 2000);
                                if used + kept + block_of(size) > 2000 {
                                    held.clear();
                                }
                            }
                            active.push((size, lease));
                        }
                        Err(error) => {
                            prop_assert_eq!(error.code(), status::MEM_OBJECT_ALLOCATION_FAILURE);
                            prop_assert!(!is_held && used + block_of(size) > 2000);
                            held.clear();
                        }
                    }
                }
                Step::Return(which) if !active.is_empty() => {
                    let (size, lease) = active.swap_remove(which % active.len());
                    drop(lease);
                    if holding {
                        *held.entry(bins.bin_number(size)).or_default() += 1;
                    }
                }
                Step::Return(_) => {}
                Step::FreeHeld => {
                    pool.free_held();
                    held.clear();
                }
                Step::StopHolding => {
                    pool.stop_holding();
                    holding = false;
                    held.clear();
                }
            }
            let managed = active.iter().map(|(size, _)| block_of(*size)).sum::<usize>()
                + held.iter().map(|(bin, count)| bins.alloc_size(*bin).unwrap() * count).sum::<usize>();
            prop_assert_eq!(pool.statistics(), Statistics {
                held_blocks: held.values().sum(),
                active_blocks: active.len(),
                managed_bytes: managed,
                active_bytes: active.iter().map(|(size, _)| size).sum(),
            });
            prop_assert_eq!(live.load(Ordering::SeqCst), managed);
        }
        drop((active, pool));
        prop_assert_eq!(live.load(Ordering::SeqCst), 0);
    }
}
