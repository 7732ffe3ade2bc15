//! The pool of a context: which memory is kept for the next arrays, and which goes.

#[path = "../../runtime/tests/common/mod.rs"]
mod common;

use common::on_each_device;
use opencl_array::{Array, pool_held, set_pool_limit};
use opencl_runtime::CommandQueue;

const KIB: usize = 1 << 10;

/// An array of so many KiB in memory of the pool, which its queue uses.
fn array(queue: &CommandQueue, kib: usize) -> Array {
    let bytes = vec![1_u8; kib * KIB];
    Array::from_slice(queue, &bytes).unwrap()
}

#[test]
fn memory_that_is_not_used_any_more_makes_room() {
    on_each_device(|context, queue| {
        set_pool_limit(context, 8 * KIB);
        let early: Vec<Array> = (0..3).map(|_| array(queue, 2)).collect();
        drop(early);
        queue.finish().unwrap();
        assert_eq!(pool_held(context), 6 * KIB);
        // Two of the early blocks have to go for it.
        drop(array(queue, 4));
        assert_eq!(pool_held(context), 8 * KIB);
        drop(array(queue, 5));
        assert_eq!(pool_held(context), 5 * KIB, "those given least lately went first");
        let again = array(queue, 5);
        assert_eq!(pool_held(context), 0, "the block was used again");
        drop(again);
        // Neither blocks of its own size nor larger ones than the limit drive others out.
        drop((array(queue, 5), array(queue, 5)));
        assert_eq!(pool_held(context), 5 * KIB);
        drop(array(queue, 9));
        assert_eq!(pool_held(context), 5 * KIB);
    });
}

#[test]
fn a_pool_without_room_keeps_nothing() {
    on_each_device(|context, queue| {
        drop(array(queue, 1));
        assert_eq!(pool_held(context), KIB);
        set_pool_limit(context, 0);
        assert_eq!(pool_held(context), 0);
        drop(array(queue, 1));
        assert_eq!(pool_held(context), 0);
    });
}
