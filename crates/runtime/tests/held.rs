//! Commands that the stub driver holds back: waiting, failing, calling back.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use opencl_runtime::{
    Buffer, CommandExecutionStatus, CommandQueue, Context, Event, MemFlags, Platform, Result, UserEvent,
    WaitList, status, wait_for_events,
};
use stub::{Stub, on_stub};

/// How long something may take that is to happen.
const SOON: Duration = Duration::from_secs(20);

/// How long something is watched that is not to happen.
const WHILE: Duration = Duration::from_millis(50);

fn queue() -> CommandQueue {
    let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
    CommandQueue::new(&Context::new(&[device]).unwrap()).unwrap()
}

/// Runs `wait` in a thread, makes sure that it blocks, lets `free` free it, and gives what it gave.
fn blocked(wait: impl FnOnce() -> Result<()> + Send, free: impl FnOnce()) -> Result<()> {
    std::thread::scope(|scope| {
        let (send, receive) = channel();
        scope.spawn(move || send.send(wait()));
        assert!(receive.recv_timeout(WHILE).is_err(), "it does not block");
        free();
        receive.recv_timeout(SOON).expect("it still blocks")
    })
}

/// Lets a call back send its status.
fn listen(event: &Event, status: CommandExecutionStatus) -> Receiver<CommandExecutionStatus> {
    let (send, receive) = channel();
    event.on_status(status, move |status| send.send(status).unwrap()).unwrap();
    receive
}

#[test]
fn a_held_command_is_not_complete_before_it_ran() {
    on_stub("a_held_command_is_not_complete_before_it_ran", "hold=1", |stub| {
        let queue = queue();
        let event = queue.marker(&WaitList::default()).unwrap();
        assert!(!event.is_complete().unwrap());
        assert_eq!(event.command_execution_status().unwrap(), CommandExecutionStatus::QUEUED);
        assert_eq!(stub.pending(), 1);
        assert!(stub.complete_next());
        assert!(event.is_complete().unwrap());
        assert_eq!((stub.pending(), stub.complete_next()), (0, false));
    });
}

#[test]
fn waiting_blocks_until_the_command_ran() {
    on_stub("waiting_blocks_until_the_command_ran", "hold=1", |stub| {
        let queue = queue();
        let run = || assert!(stub.complete_next());
        let event = queue.marker(&WaitList::default()).unwrap();
        blocked(|| event.wait(), run).unwrap();
        let events = [queue.marker(&WaitList::default()).unwrap(), event];
        blocked(|| wait_for_events(&events), run).unwrap();
        queue.marker(&WaitList::default()).unwrap();
        blocked(|| queue.finish(), run).unwrap();
        let buffer = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[1, 2]).unwrap();
        let mut numbers = [0; 2];
        blocked(|| queue.read(&buffer, 0, &mut numbers), run).unwrap();
        assert_eq!(numbers, [1, 2]);
    });
}

#[test]
fn a_command_that_fails_fails_those_that_wait_for_it() {
    on_stub("a_command_that_fails_fails_those_that_wait_for_it", "hold=1", |stub| {
        let queue = queue();
        let fail = || assert!(stub.complete_next_with(-5));
        let dependency = status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        let event = queue.marker(&WaitList::default()).unwrap();
        let after = queue.marker(&[&event].into_iter().collect()).unwrap();
        let error = blocked(|| event.wait(), fail).unwrap_err();
        assert_eq!((error.code(), error.routine()), (dependency, "clWaitForEvents"));
        assert!(event.is_complete().unwrap(), "it is over");
        assert_eq!(event.command_execution_status().unwrap(), CommandExecutionStatus(-5));
        assert!(stub.complete_next());
        assert_eq!(after.command_execution_status().unwrap(), CommandExecutionStatus(dependency));
        assert_eq!(after.wait().unwrap_err().code(), dependency);
        assert_eq!(wait_for_events(&[event, after]).unwrap_err().code(), dependency);
        // A blocking command tells its own status, and its event is not left behind.
        let buffer = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[1, 2]).unwrap();
        let live = stub.live_total();
        let mut numbers = [0; 2];
        let error = blocked(|| queue.read(&buffer, 0, &mut numbers), fail).unwrap_err();
        assert_eq!((error.code(), error.routine()), (-5, "clEnqueueReadBuffer"));
        let flags = opencl_runtime::MapFlags::READ;
        let none = WaitList::default();
        let error =
            blocked(|| queue.map_buffer(&buffer, true, flags, 0, 8, &none).map(drop), fail).unwrap_err();
        assert_eq!((error.code(), error.routine()), (-5, "clEnqueueMapBuffer"));
        assert_eq!(buffer.map_count().unwrap(), 0);
        assert_eq!(stub.live_total(), live);
    });
}

#[test]
fn a_user_event_that_fails_fails_the_wait() {
    on_stub("a_user_event_that_fails_fails_the_wait", "", |_| {
        let queue = queue();
        let gate = UserEvent::new(queue.context()).unwrap();
        let marker = queue.marker(&[&gate].into_iter().collect()).unwrap();
        let heard = listen(&marker, CommandExecutionStatus::COMPLETE);
        let free = || gate.set_status(CommandExecutionStatus(-7)).unwrap();
        let error = blocked(|| marker.wait(), free).unwrap_err();
        assert_eq!(error.code(), status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_eq!(gate.wait().unwrap_err().code(), error.code());
        assert_eq!(heard.recv_timeout(SOON).unwrap().0, error.code());
        let error = gate.set_status(CommandExecutionStatus::COMPLETE).unwrap_err();
        assert_eq!(error.code(), status::INVALID_OPERATION);
    });
}

/// Call backs for what runs, what fails, what has ended, and a status on the way.
fn call_backs(stub: &Stub) {
    let queue = queue();
    let complete = CommandExecutionStatus::COMPLETE;
    let event = queue.marker(&WaitList::default()).unwrap();
    let (running, done) = (listen(&event, CommandExecutionStatus::RUNNING), listen(&event, complete));
    assert!(done.recv_timeout(WHILE).is_err());
    assert!(stub.complete_next());
    assert_eq!(running.recv_timeout(SOON).unwrap(), CommandExecutionStatus::RUNNING);
    assert_eq!(done.recv_timeout(SOON).unwrap(), complete);
    assert!(done.recv_timeout(SOON).is_err(), "once only: the sender is gone");
    assert_eq!(listen(&event, complete).recv_timeout(SOON).unwrap(), complete, "at once");

    let event = queue.marker(&WaitList::default()).unwrap();
    let done = listen(&event, complete);
    let started = listen(&event, CommandExecutionStatus::SUBMITTED);
    assert!(stub.complete_next_with(-9));
    assert_eq!(done.recv_timeout(SOON).unwrap(), CommandExecutionStatus(-9));
    assert_eq!(started.recv_timeout(SOON).unwrap(), CommandExecutionStatus(-9));
    assert_eq!(listen(&event, complete).recv_timeout(SOON).unwrap(), CommandExecutionStatus(-9));

    // The object may go before its command has ended: the call back still comes.
    let event = queue.marker(&WaitList::default()).unwrap();
    let done = listen(&event, complete);
    drop(event);
    assert!(stub.complete_next());
    assert_eq!(done.recv_timeout(SOON).unwrap(), complete);
}

#[test]
fn call_backs_come_in_the_thread_that_completes() {
    on_stub("call_backs_come_in_the_thread_that_completes", "hold=1;callbacks=inline", call_backs);
}

#[test]
fn call_backs_come_in_threads_of_the_driver() {
    on_stub("call_backs_come_in_threads_of_the_driver", "hold=1;callbacks=thread", call_backs);
}
