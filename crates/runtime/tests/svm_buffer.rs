//! Buffers over shared virtual memory whose making fails, on the stub driver.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use opencl_runtime::{CommandQueue, Context, MemFlags, Platform, SvmAllocation, SvmMemFlags, status};
use stub::on_stub;

#[test]
fn what_fails_is_told_and_nothing_is_left() {
    on_stub("what_fails_is_told_and_nothing_is_left", "", |stub| {
        let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
        let context = Context::new(&[device]).unwrap();
        let queue = CommandQueue::new(&context).unwrap();
        let before = stub.live_total();
        for function in ["clCreateBuffer", "clSetMemObjectDestructorCallback"] {
            let memory = SvmAllocation::new(&context, SvmMemFlags::READ_WRITE, 64, 0).unwrap();
            queue.svm_write(memory.pointer().range(0, 8).unwrap(), &[3_i32, 4]).unwrap();
            stub.fail(function, 1, status::OUT_OF_HOST_MEMORY);
            let error = memory.pointer().as_buffer(&context, MemFlags::READ_WRITE).unwrap_err();
            assert_eq!((error.code(), error.routine()), (status::OUT_OF_HOST_MEMORY, function));
            assert_eq!(stub.live("mem"), 0, "{function}");
            // Afterwards it works, and the memory goes with the buffer.
            let buffer = memory.pointer().as_buffer(&context, MemFlags::READ_WRITE).unwrap();
            memory.release().unwrap();
            let mut number = [0_i32];
            queue.read(&buffer, 4, &mut number).unwrap();
            assert_eq!(number, [4]);
            drop((buffer, memory));
            queue.finish().unwrap();
            assert_eq!(stub.live_total(), before, "{function}");
        }
    });
}
