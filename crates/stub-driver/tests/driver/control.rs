//! Counts, injected failures, and commands completed by hand.

use std::ffi::c_int;
use std::ptr::null_mut;
use std::time::Duration;

use crate::harness::sys::*;
use crate::harness::{Bench, turn};

#[test]
fn failures_come_at_the_call_that_was_named() {
    let _turn = turn();
    let bench = Bench::new("");
    bench.stub.fail("clFinish", 2, CL_OUT_OF_RESOURCES);
    bench.stub.fail("clCreateBuffer", 0, CL_OUT_OF_HOST_MEMORY);
    let queue = bench.queue;
    let finish = || cl!(queue => clFinish(queue));
    assert_eq!([finish(), finish(), finish()], [CL_SUCCESS, CL_OUT_OF_RESOURCES, CL_SUCCESS]);
    let context = bench.context;
    for _ in 0..2 {
        let mut status = 0;
        let mem = cl!(context => clCreateBuffer(context, 0, 8, null_mut(), &raw mut status));
        assert_eq!((mem, status), (null_mut(), CL_OUT_OF_HOST_MEMORY));
    }
    bench.stub.number::<()>("stub_reset");
    bench.buffer(8);
}

#[test]
fn calls_are_counted() {
    let _turn = turn();
    let bench = Bench::new("");
    bench.stub.number::<()>("stub_calls_reset");
    let mem = bench.buffer(8);
    bench.read(mem, 8);
    bench.read(mem, 8);
    assert_eq!(bench.stub.calls("clEnqueueReadBuffer"), 2);
    assert_eq!(bench.stub.calls("clNoSuchFunction"), 0);
    assert_eq!(bench.stub.text("stub_calls_dump"), "clCreateBuffer 1\nclEnqueueReadBuffer 2\n");
}

#[test]
fn live_objects_are_those_that_the_application_holds() {
    let _turn = turn();
    let bench = Bench::new("");
    let (mem, context) = (bench.buffer(8), bench.context);
    assert_eq!(cl!(mem => clRetainMemObject(mem)), CL_SUCCESS);
    assert_eq!(cl!(mem => clReleaseMemObject(mem)), CL_SUCCESS);
    assert_eq!((bench.stub.live("mem"), bench.stub.live("queue")), (1, 1));
    assert_eq!(bench.stub.number::<u64>("stub_live_total"), 3);
    assert_eq!(cl!(context => clReleaseContext(context)), CL_SUCCESS);
    assert_eq!(bench.stub.live("context"), 0);
    let mut held = null_mut::<c_void>();
    let at = (&raw mut held).cast();
    assert_eq!(cl!(mem => clGetMemObjectInfo(mem, CL_MEM_CONTEXT, 8, at, null_mut())), CL_SUCCESS);
    assert_eq!(cl!(mem => clRetainContext(held)), CL_SUCCESS, "the buffer keeps its context");
    let release = || cl!(bench.device => clReleaseMemObject(mem));
    assert_eq!((release(), release()), (CL_SUCCESS, CL_INVALID_MEM_OBJECT));
    assert_eq!(cl!(bench.device => clReleaseMemObject(context)), CL_INVALID_MEM_OBJECT, "of another kind");
    let svm = cl!(context => clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    assert_eq!(bench.stub.live("svm"), 1);
    cl!(context => clSVMFree(context, svm));
    assert_eq!(bench.stub.live("svm"), 0);
}

#[test]
fn held_commands_wait_to_be_completed() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(4);
    assert_eq!(bench.stub.configure("hold=1"), 0);
    let data = [[1_u8; 4], [2; 4], [3; 4]];
    let mut events = [null_mut(); 3];
    for (data, event) in data.iter().zip(&mut events) {
        assert_eq!(bench.write(mem, data, false, event), CL_SUCCESS);
    }
    let status = |at: usize| bench.event_status(events[at]);
    assert_eq!([status(0), status(1)], [CL_QUEUED, CL_QUEUED]);
    assert_eq!(bench.stub.number::<c_int>("stub_complete_next"), 1);
    assert_eq!([status(0), status(1)], [CL_COMPLETE, CL_QUEUED]);
    let fail: unsafe extern "C" fn(c_int) -> c_int = bench.stub.export("stub_complete_next_with");
    // SAFETY: it takes a number.
    assert_eq!(unsafe { fail(-5) }, 1);
    assert_eq!([status(1), status(2)], [-5, CL_QUEUED]);
    assert_eq!(bench.stub.number::<u64>("stub_pending"), 1);
    let queue = bench.queue as usize;
    let waiter = std::thread::spawn(move || {
        let queue = queue as cl_command_queue;
        cl!(queue => clFinish(queue))
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(!waiter.is_finished(), "the queue is not empty");
    bench.stub.number::<()>("stub_complete_all");
    assert_eq!(waiter.join().unwrap(), CL_SUCCESS);
    assert_eq!(bench.stub.configure("hold=0"), 0);
    assert_eq!(bench.read(mem, 4), [3; 4]);
    assert_eq!(bench.stub.number::<c_int>("stub_complete_next"), 0);
}
