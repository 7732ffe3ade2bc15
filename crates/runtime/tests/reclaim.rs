//! Running out of memory, on the stub driver: memory is reclaimed once, and the allocation tried again.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use opencl_runtime::{Buffer, CommandQueue, Context, MemFlags, Platform, set_reclaim, status};
use stub::on_stub;

static RECLAIMS: AtomicU32 = AtomicU32::new(0);
static SPARE: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

/// Counts, and frees what may be spared.
fn reclaim() {
    RECLAIMS.fetch_add(1, Ordering::SeqCst);
    SPARE.lock().unwrap().clear();
}

/// How often memory was reclaimed since the last question.
fn reclaims() -> u32 {
    RECLAIMS.swap(0, Ordering::SeqCst)
}

fn context() -> Context {
    Context::new(&Platform::all().unwrap()[0].devices().unwrap()).unwrap()
}

const FLAGS: MemFlags = MemFlags::READ_WRITE;

#[test]
fn an_allocation_that_fails_once_succeeds() {
    on_stub("an_allocation_that_fails_once_succeeds", "", |stub| {
        set_reclaim(reclaim);
        let context = context();
        let codes =
            [status::MEM_OBJECT_ALLOCATION_FAILURE, status::OUT_OF_RESOURCES, status::OUT_OF_HOST_MEMORY];
        for code in codes {
            stub.forget_calls();
            stub.fail("clCreateBuffer", 1, code);
            let buffer = Buffer::new(&context, FLAGS, 256).unwrap();
            assert_eq!((reclaims(), stub.calls("clCreateBuffer")), (1, 2));
            stub.fail("clCreateSubBuffer", 1, code);
            buffer.sub_buffer(FLAGS, 128, 8).unwrap();
            assert_eq!((reclaims(), stub.calls("clCreateSubBuffer")), (1, 2));
            stub.fail("clCreateBuffer", 1, code);
            let buffer = Buffer::from_slice(&context, FLAGS, &[1, 2, 3]).unwrap();
            assert_eq!(reclaims(), 1);
            let mut numbers = [0; 3];
            CommandQueue::new(&context).unwrap().read(&buffer, 0, &mut numbers).unwrap();
            assert_eq!(numbers, [1, 2, 3], "the data is there the second time too");
        }
        drop(context);
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn an_allocation_that_fails_twice_fails() {
    on_stub("an_allocation_that_fails_twice_fails", "", |stub| {
        set_reclaim(reclaim);
        let context = context();
        stub.fail("clCreateBuffer", 0, status::MEM_OBJECT_ALLOCATION_FAILURE);
        let error = Buffer::new(&context, FLAGS, 256).unwrap_err();
        assert_eq!((reclaims(), stub.calls("clCreateBuffer")), (1, 2));
        let text = error.to_string();
        assert!(
            text.starts_with("clCreateBuffer failed: MEM_OBJECT_ALLOCATION_FAILURE - a buffer of 256 bytes"),
            "{text}"
        );
        assert!(error.is_out_of_memory());
        stub.reset();
        // Other failures are not tried again.
        stub.fail("clCreateBuffer", 1, status::INVALID_CONTEXT);
        assert_eq!(Buffer::new(&context, FLAGS, 256).unwrap_err().code(), status::INVALID_CONTEXT);
        assert_eq!((reclaims(), stub.calls("clCreateBuffer")), (0, 1));
        Buffer::new(&context, FLAGS, 256).unwrap();
    });
}

#[test]
fn memory_that_is_spared_serves_the_next_allocation() {
    on_stub("memory_that_is_spared_serves_the_next_allocation", "memory=4096", |stub| {
        let context = context();
        let new = |size| Buffer::new(&context, FLAGS, size);
        let full = || new(3072).unwrap();
        SPARE.lock().unwrap().push(full());
        let error = new(2048).unwrap_err();
        assert_eq!(error.code(), status::MEM_OBJECT_ALLOCATION_FAILURE, "nobody reclaims");
        assert_eq!(stub.calls("clCreateBuffer"), 2, "so there is no second try");
        set_reclaim(reclaim);
        let buffer = new(2048).unwrap();
        assert_eq!((reclaims(), stub.live("mem")), (1, 1));
        assert_eq!(new(2049).unwrap_err().code(), status::MEM_OBJECT_ALLOCATION_FAILURE);
        assert_eq!(reclaims(), 1);
        drop(buffer);
        // A second function is refused, as promised: the first one still counts.
        set_reclaim(|| panic!("the first function stays"));
        SPARE.lock().unwrap().push(full());
        new(4096).unwrap();
        assert_eq!(reclaims(), 1);
    });
}
