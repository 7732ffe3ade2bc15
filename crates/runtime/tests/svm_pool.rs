//! Pools of shared virtual memory, on every driver found that has it.

mod common;

use common::on_each_device;
use opencl_runtime::constants::DeviceSvmCapabilities;
use opencl_runtime::pool::{Allocator, Statistics, SvmAllocator, SvmPool};
use opencl_runtime::{CommandQueue, Context, SvmMemFlags, WaitList, status};

const FLAGS: SvmMemFlags = SvmMemFlags::READ_WRITE;

/// Runs `test` on each device with coarse-grained memory.
fn on_each(test: impl Fn(&Context, &CommandQueue)) {
    on_each_device(|context, queue| {
        let capabilities = queue.device().svm_capabilities().unwrap_or(DeviceSvmCapabilities::empty());
        if capabilities.contains(DeviceSvmCapabilities::COARSE_GRAIN_BUFFER) {
            test(context, queue);
        } else {
            println!("skipped: the device has no shared virtual memory");
            assert!(SvmAllocator::new(context, FLAGS, 0, None).allocate(16).is_err());
        }
    });
}

fn figures(pool: &SvmPool) -> (usize, usize, usize, usize) {
    let Statistics { held_blocks, active_blocks, managed_bytes, active_bytes } = pool.statistics();
    (held_blocks, active_blocks, managed_bytes, active_bytes)
}

#[test]
fn a_block_that_came_back_is_lent_again() {
    on_each(|context, queue| {
        let pool = SvmPool::new(SvmAllocator::new(context, FLAGS, 64, None), 4).unwrap();
        let first = pool.allocate(1000).unwrap();
        assert_eq!((first.size(), first.is_pooled(), first.queue()), (1000, true, None));
        assert_eq!(figures(&pool), (0, 1, 1023, 1000));
        let address = first.address().unwrap();
        queue.svm_fill(first.pointer(), &[7], &WaitList::default()).unwrap();
        first.release().unwrap();
        // The object is no way to the block any more, which may be somebody else's.
        assert_eq!(first.release().unwrap_err().code(), status::INVALID_VALUE);
        assert!(queue.svm_fill(first.pointer(), &[8], &WaitList::default()).is_err());
        assert_eq!(figures(&pool), (1, 0, 1023, 0));
        let again = pool.allocate(995).unwrap();
        assert_eq!((again.address().unwrap(), figures(&pool)), (address, (0, 1, 1023, 995)));
        let mut bytes = [0_u8; 995];
        queue.svm_read(again.pointer(), &mut bytes).unwrap();
        assert_eq!(bytes, [7; 995]);
        let clone = again.clone();
        drop((first, again));
        assert_eq!(figures(&pool).1, 1, "the clone keeps it");
        pool.stop_holding();
        drop(clone);
        assert_eq!(figures(&pool), (0, 0, 0, 0));
    });
}

#[test]
fn blocks_come_back_to_the_queue_of_the_allocator() {
    on_each(|context, queue| {
        let other = CommandQueue::new(context).unwrap();
        let pool = SvmPool::new(SvmAllocator::new(context, FLAGS, 0, Some(queue)), 4).unwrap();
        let block = pool.allocate(64).unwrap();
        assert_eq!(block.queue().as_ref(), Some(queue));
        block.bind_to_queue(&other).unwrap();
        other.svm_fill(block.pointer(), &[9], &WaitList::default()).unwrap();
        block.enqueue_release(None, &WaitList::default()).unwrap().wait().unwrap();
        assert_eq!(figures(&pool), (1, 0, 67, 0));
        let block = pool.allocate(64).unwrap();
        assert_eq!(block.queue().as_ref(), Some(queue));
        let mut bytes = [0_u8; 64];
        queue.svm_read(block.pointer(), &mut bytes).unwrap();
        assert_eq!(bytes, [9; 64]);
        drop(pool);
        block.unbind_from_queue().unwrap();
        assert_eq!(block.queue(), None);
    });
}
