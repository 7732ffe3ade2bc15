//! When commands run: in submission order, as soon as what they wait for is done and nobody holds them.
//!
//! There is no worker thread. A command runs on the thread that makes it ready: the one that enqueues it, ends the
//! user event it waits for, or releases it by hand. So a test sees the same order every time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::border::lock;
use crate::config;
use crate::event::Event;
use crate::object::{Object, Shared};
use crate::queue::Queue;
use crate::sys::*;

/// What a command does.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// How a command stands to others of an out-of-order queue.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fence {
    /// It waits for all earlier ones.
    pub(crate) after_earlier: bool,
    /// All later ones wait for it.
    pub(crate) before_later: bool,
}

struct Command {
    number: u64,
    event: Shared<Event>,
    queue: Shared<Queue>,
    waits: Vec<Shared<Event>>,
    fence: Fence,
    held: bool,
    running: bool,
    /// The status with which to end without working.
    forced: Option<cl_int>,
    work: Option<Work>,
}

static COMMANDS: Mutex<Vec<Command>> = Mutex::new(Vec::new());
static CHANGED: Condvar = Condvar::new();
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Takes a command, and runs it if it is ready.
pub(crate) fn submit(event: Shared<Event>, waits: Vec<Shared<Event>>, fence: Fence, work: Work) {
    let Some(queue) = event.queue.clone() else { return };
    let held = config::hold();
    lock(&COMMANDS).push(Command {
        number: NUMBER.fetch_add(1, Ordering::Relaxed),
        event,
        queue,
        waits,
        fence,
        held,
        running: false,
        forced: None,
        work: Some(work),
    });
    run_ready();
}

/// Blocks until all events are done.
pub(crate) fn wait(events: &[Shared<Event>]) {
    block_while(|_| events.iter().any(|event| !event.done()));
}

/// Blocks until the queue is empty.
pub(crate) fn finish(queue: &Object<Queue>) {
    block_while(|commands| commands.iter().any(|command| command.queue.handle() == queue.handle()));
}

fn block_while(busy: impl Fn(&[Command]) -> bool) {
    let waited = CHANGED.wait_while(lock(&COMMANDS), |commands| busy(commands));
    drop(waited.unwrap_or_else(PoisonError::into_inner));
}

/// Ends a user event and runs what waited for it.
///
/// # Errors
/// `CL_INVALID_OPERATION` if it has ended already.
pub(crate) fn end_user_event(event: &Object<Event>, status: cl_int) -> Result {
    {
        let _commands = lock(&COMMANDS);
        if event.done() {
            return Err(CL_INVALID_OPERATION);
        }
        event.reach(status);
    }
    CHANGED.notify_all();
    event.notify();
    run_ready();
    Ok(())
}

/// Lets the oldest held command whose dependencies are met run, or end with a status.
pub(crate) fn release_next(status: Option<cl_int>) -> bool {
    {
        let mut commands = lock(&COMMANDS);
        let next = (0..commands.len()).find(|at| commands[*at].held && free(&commands, *at));
        let Some(next) = next else { return false };
        commands[next].held = false;
        commands[next].forced = status;
    }
    run_ready();
    true
}

/// Lets all commands run once their dependencies are met.
pub(crate) fn release_all() {
    for command in lock(&COMMANDS).iter_mut() {
        command.held = false;
    }
    run_ready();
}

/// How many commands have not ended.
pub(crate) fn pending() -> u64 {
    lock(&COMMANDS).len() as u64
}

/// Whether nothing but a hold keeps a command from running.
fn free(commands: &[Command], at: usize) -> bool {
    let this = &commands[at];
    let mut earlier = commands[..at].iter().filter(|other| other.queue.handle() == this.queue.handle());
    let overtakes = this.queue.out_of_order() && !this.fence.after_earlier;
    !this.running
        && this.waits.iter().all(|event| event.done())
        && earlier.all(|other| overtakes && !other.fence.before_later)
}

/// Runs commands until none is ready. No lock may be held.
fn run_ready() {
    loop {
        let mut commands = lock(&COMMANDS);
        let next = (0..commands.len()).find(|at| !commands[*at].held && free(&commands, *at));
        let Some(next) = next else { return };
        let command = &mut commands[next];
        command.running = true;
        let failed = command.waits.iter().any(|event| event.status() < 0);
        let forced = command.forced.or(failed.then_some(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST));
        let (number, event, work) = (command.number, command.event.clone(), command.work.take());
        drop(commands);
        let status = match (forced, work) {
            (Some(status), work) => {
                drop(work);
                status
            }
            (None, work) => perform(&event, work),
        };
        let mut commands = lock(&COMMANDS);
        event.reach(status);
        let at = commands.iter().position(|command| command.number == number);
        let ended = at.map(|at| commands.remove(at));
        drop(commands);
        // Dropped without the lock: it may hold the last reference to an object with a destructor callback.
        drop(ended);
        CHANGED.notify_all();
        event.notify();
    }
}

fn perform(event: &Object<Event>, work: Option<Work>) -> cl_int {
    for status in [CL_SUBMITTED, CL_RUNNING] {
        event.reach(status);
        event.notify();
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        if let Some(work) = work {
            work();
        }
    }));
    outcome.map_or(CL_OUT_OF_RESOURCES, |()| CL_COMPLETE)
}
