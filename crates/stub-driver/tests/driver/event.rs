//! Events: gates, order, callbacks, times.

use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread::ThreadId;
use std::time::Duration;

use crate::harness::sys::*;
use crate::harness::{Bench, turn};

unsafe extern "C" fn note_status(_event: cl_event, status: cl_int, seen: *mut c_void) {
    // SAFETY: the test passes a list that outlives the event.
    let seen = unsafe { &*seen.cast::<Mutex<Vec<cl_int>>>() };
    seen.lock().unwrap().push(status);
}

#[test]
fn user_events_gate_commands_and_pass_errors_on() {
    let _turn = turn();
    let bench = Bench::new("");
    let (context, queue) = (bench.context, bench.queue);
    for (end, reached) in [(CL_COMPLETE, CL_COMPLETE), (-7, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)] {
        let seen = Box::new(Mutex::new(Vec::<cl_int>::new()));
        let mut code = -1;
        let gate = cl!(context => clCreateUserEvent(context, &raw mut code));
        assert_eq!(code, CL_SUCCESS);
        let mut event = null_mut();
        let status = cl!(queue => clEnqueueMarkerWithWaitList(queue, 1, &raw const gate, &raw mut event));
        assert_eq!(status, CL_SUCCESS);
        let data = (&raw const *seen).cast_mut().cast();
        let status = cl!(event => clSetEventCallback(event, CL_COMPLETE, Some(note_status), data));
        assert_eq!(status, CL_SUCCESS);
        assert_eq!(bench.event_status(event), CL_QUEUED);
        assert_eq!(cl!(gate => clSetUserEventStatus(gate, end)), CL_SUCCESS);
        assert_eq!(cl!(gate => clSetUserEventStatus(gate, end)), CL_INVALID_OPERATION);
        assert_eq!(bench.event_status(event), reached);
        assert_eq!(*seen.lock().unwrap(), [reached]);
        let waited = cl!(event => clWaitForEvents(1, &raw const event));
        let expected = if end < 0 { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST } else { CL_SUCCESS };
        assert_eq!(waited, expected);
        for event in [gate, event] {
            assert_eq!(cl!(event => clReleaseEvent(event)), CL_SUCCESS);
        }
    }
    assert_eq!(bench.stub.live("event"), 0);
}

#[test]
fn profiling_times_ascend() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(4);
    let mut event = null_mut();
    assert_eq!(bench.write(mem, &[1; 4], true, &raw mut event), CL_SUCCESS);
    let times = [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
    ]
    .map(|name| {
        let mut time = 0_u64;
        let at = (&raw mut time).cast();
        assert_eq!(cl!(event => clGetEventProfilingInfo(event, name, 8, at, null_mut())), CL_SUCCESS);
        time
    });
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
}

#[test]
fn out_of_order_commands_overtake_but_not_barriers() {
    let _turn = turn();
    let bench = Bench::new("");
    let (context, device) = (bench.context, bench.device);
    let mut status = -1;
    let properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let queue = cl!(context => clCreateCommandQueue(context, device, properties, &raw mut status));
    let gate = cl!(context => clCreateUserEvent(context, &raw mut status));
    let marker = |waits: &[cl_event]| {
        let mut event = null_mut();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let count = waits.len() as cl_uint;
        cl!(queue => clEnqueueMarkerWithWaitList(queue, count, list, &raw mut event));
        event
    };
    let free = cl!(context => clCreateUserEvent(context, &raw mut status));
    assert_eq!(cl!(free => clSetUserEventStatus(free, CL_COMPLETE)), CL_SUCCESS);
    let gated = marker(&[gate]);
    let overtakes = marker(&[free]);
    assert_eq!(cl!(queue => clEnqueueBarrierWithWaitList(queue, 0, null(), null_mut())), CL_SUCCESS);
    let behind = marker(&[free]);
    let seen = [gated, overtakes, behind].map(|event| bench.event_status(event));
    assert_eq!(seen, [CL_QUEUED, CL_COMPLETE, CL_QUEUED]);
    assert_eq!(cl!(gate => clSetUserEventStatus(gate, CL_COMPLETE)), CL_SUCCESS);
    let seen = [gated, overtakes, behind].map(|event| bench.event_status(event));
    assert_eq!(seen, [CL_COMPLETE; 3]);
}

unsafe extern "C" fn note_thread(_event: cl_event, _status: cl_int, sender: *mut c_void) {
    // SAFETY: the test passes a sender of its own for this one call.
    let sender = unsafe { Box::from_raw(sender.cast::<mpsc::Sender<ThreadId>>()) };
    sender.send(std::thread::current().id()).unwrap();
}

#[test]
fn callbacks_come_on_the_configured_thread() {
    let _turn = turn();
    let bench = Bench::new("");
    let mem = bench.buffer(4);
    for (configuration, same) in [("callbacks=inline", true), ("callbacks=thread", false)] {
        assert_eq!(bench.stub.configure(configuration), 0);
        let mut event = null_mut();
        assert_eq!(bench.write(mem, &[1; 4], true, &raw mut event), CL_SUCCESS);
        let (sender, receiver) = mpsc::channel::<ThreadId>();
        let data = Box::into_raw(Box::new(sender)).cast();
        let status = cl!(event => clSetEventCallback(event, CL_COMPLETE, Some(note_thread), data));
        assert_eq!(status, CL_SUCCESS);
        let thread = receiver.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(thread == std::thread::current().id(), same, "{configuration}");
    }
}
