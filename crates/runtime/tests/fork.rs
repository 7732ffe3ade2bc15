//! A child that was forked has the parent's objects, and gives none of them back.
#![cfg(unix)]

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use opencl_runtime::{
    Buffer, CommandQueue, Context, HostCopies, MapFlags, MemFlags, Platform, SvmAllocation, SvmMemFlags,
    UserEvent, WaitList, in_forked_child,
};
use stub::on_stub;

/// Runs `child` in a process forked from this one, and gives its exit status.
fn forked(child: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child touches nothing that another thread may have locked: this process has none but the test's
    // and the one that waits for it.
    match unsafe { libc::fork() } {
        -1 => panic!("fork failed"),
        // SAFETY: it ends the child at once.
        0 => unsafe { libc::_exit(child()) },
        process => {
            let mut status = 0;
            // SAFETY: the address is that of a number.
            assert_eq!(unsafe { libc::waitpid(process, &raw mut status, 0) }, process);
            assert!(libc::WIFEXITED(status), "the child crashed: {status:#x}");
            libc::WEXITSTATUS(status)
        }
    }
}

#[test]
fn a_forked_child_gives_nothing_back() {
    on_stub("a_forked_child_gives_nothing_back", "", |stub| {
        let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
        let context = Context::new(&[device]).unwrap();
        let queue = CommandQueue::new(&context).unwrap();
        let buffer = Buffer::new(&context, MemFlags::READ_WRITE, 1 << 16).unwrap();
        // The context has pinned memory.
        context.set_host_copies(HostCopies::Staged { chunk: 1 << 14, threads: 2 });
        queue.write(&buffer, 0, &[1_u8; 1 << 16]).unwrap();
        let (map, event) =
            queue.map_buffer(&buffer, true, MapFlags::WRITE, 0, 64, &WaitList::default()).unwrap();
        let memory = SvmAllocation::new(&context, SvmMemFlags::READ_WRITE, 64, 0).unwrap();
        let gate = UserEvent::new(&context).unwrap();
        let objects = (map, event, memory, gate, buffer, queue, context);
        assert!(!in_forked_child());

        stub.forget_calls();
        let status = forked(|| {
            if !in_forked_child() {
                return 1;
            }
            drop(objects);
            if stub.all_calls().is_empty() { 0 } else { 2 }
        });
        assert_eq!(status, 0);
        // The parent, whose objects went with the closure, did.
        assert_eq!((stub.calls("clReleaseContext"), stub.calls("clEnqueueUnmapMemObject")), (1, 2));
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn a_forked_child_is_told_that_it_cannot_use_the_driver() {
    on_stub("a_forked_child_is_told_that_it_cannot_use_the_driver", "", |stub| {
        let platform = Platform::all().unwrap()[0];
        // Nothing has been used yet, so that the child may.
        let status = forked(|| {
            let device = platform.devices().unwrap().remove(0);
            let queue = CommandQueue::new(&Context::new(&[device]).unwrap()).unwrap();
            if in_forked_child() && queue.finish().is_ok() { 0 } else { 1 }
        });
        assert_eq!(status, 0);

        let device = platform.devices().unwrap().remove(0);
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let queue = CommandQueue::new(&context).unwrap();
        let buffer = Buffer::new(&context, MemFlags::READ_WRITE, 64).unwrap();
        stub.forget_calls();
        let status = forked(|| {
            let errors = [
                Context::new(std::slice::from_ref(&device)).map(drop).unwrap_err(),
                CommandQueue::new(&context).map(drop).unwrap_err(),
                Buffer::new(&context, MemFlags::READ_WRITE, 64).map(drop).unwrap_err(),
                queue.copy_buffer(&buffer, 0, &buffer, 32, 32, &WaitList::default()).map(drop).unwrap_err(),
                queue.finish().unwrap_err(),
            ];
            let told = |error: &opencl_runtime::Error| {
                error.code() == opencl_runtime::status::INVALID_OPERATION && error.detail().contains("forked")
            };
            let asks = |(name, _): &(String, u32)| name.starts_with("clGet") || name.starts_with("clRetain");
            if !errors.iter().all(told) || !stub.all_calls().iter().all(asks) {
                return 1;
            }
            // What asks nothing of threads is answered.
            if device.name().is_ok() && buffer.size() == 64 { 0 } else { 2 }
        });
        assert_eq!(status, 0);
    });
}
