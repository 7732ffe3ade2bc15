//! What all enqueue functions share, and the commands that only synchronise.

use crate::border::{check, items, store};
use crate::event::{Event, wait_list};
use crate::memory::Mem;
use crate::object::{self, Object, Shared};
use crate::queue::Queue;
use crate::schedule::{self, Fence};
use crate::sys::*;

/// A command that is being enqueued.
pub(crate) struct Enqueue {
    pub(crate) queue: Shared<Queue>,
    waits: Vec<Shared<Event>>,
    event: *mut cl_event,
}

impl Enqueue {
    /// Checks the queue and the wait list.
    ///
    /// # Errors
    /// `CL_INVALID_COMMAND_QUEUE`, `CL_INVALID_EVENT_WAIT_LIST`, or `CL_INVALID_CONTEXT` for events of another context.
    ///
    /// # Safety
    /// - `list` is null or valid for reading `count` handles.
    /// - `event` is null or valid for writing one handle, as long as the value lives.
    pub(crate) unsafe fn new(
        queue: cl_command_queue,
        count: cl_uint,
        list: *const cl_event,
        event: *mut cl_event,
    ) -> Result<Self> {
        let queue = object::get::<Queue>(queue)?;
        // SAFETY: passed on.
        let waits = unsafe { wait_list(count, list)? };
        let context = queue.context.handle();
        check(waits.iter().all(|event| event.context.handle() == context), CL_INVALID_CONTEXT)?;
        Ok(Self { queue, waits, event })
    }

    /// A memory object that the command uses.
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT`, or `CL_INVALID_CONTEXT` if it is of another context.
    pub(crate) fn mem(&self, handle: cl_mem) -> Result<Shared<Mem>> {
        let mem = object::get::<Mem>(handle)?;
        check(mem.context.handle() == self.queue.context.handle(), CL_INVALID_CONTEXT)?;
        Ok(mem)
    }

    /// Enqueues the command and, if blocking, waits for it.
    ///
    /// # Errors
    /// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST` if a blocking command waited for one that failed, else
    /// the status of the blocking command.
    pub(crate) fn submit(
        self,
        command: cl_command_type,
        blocking: bool,
        work: impl FnOnce() + Send + 'static,
    ) -> Result {
        self.submit_fenced(command, blocking, Fence::default(), work)
    }

    /// As [`Enqueue::submit`], for a command that orders others.
    ///
    /// # Errors
    /// As [`Enqueue::submit`].
    pub(crate) fn submit_fenced(
        self,
        command: cl_command_type,
        blocking: bool,
        fence: Fence,
        work: impl FnOnce() + Send + 'static,
    ) -> Result {
        let wanted = !self.event.is_null();
        let event = Event::of_command(&self.queue, command);
        let event = Object::create(self.queue.dispatch(), cl_uint::from(wanted), event);
        // SAFETY: valid by the promise of `new`.
        unsafe { store(self.event, event.handle()) };
        schedule::submit(event.clone(), self.waits, fence, Box::new(work));
        if !blocking {
            return Ok(());
        }
        schedule::wait(std::slice::from_ref(&event));
        match event.status() {
            CL_COMPLETE => Ok(()),
            status => {
                if wanted {
                    object::release::<Event>(event.handle())?;
                }
                Err(status)
            }
        }
    }
}

/// An address of the application that a command uses later.
#[derive(Clone, Copy)]
pub(crate) struct Host(pub(crate) usize);

impl Host {
    /// Keeps an address.
    pub(crate) fn new<T>(pointer: *const T) -> Self {
        Self(pointer as usize)
    }
}

fn synchronise(enqueue: Enqueue, command: cl_command_type, before_later: bool) -> Result {
    let after_earlier = enqueue.waits.is_empty();
    enqueue.submit_fenced(command, false, Fence { after_earlier, before_later }, || {})
}

entry! {
    status fn clEnqueueMarkerWithWaitList(
        command_queue: cl_command_queue,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        synchronise(enqueue, CL_COMMAND_MARKER, false)
    }
}

entry! {
    status fn clEnqueueBarrierWithWaitList(
        command_queue: cl_command_queue,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        synchronise(enqueue, CL_COMMAND_BARRIER, true)
    }
}

entry! {
    status fn clEnqueueMarker(command_queue: cl_command_queue, event: *mut cl_event) {
        check(!event.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointer is as the specification demands.
        let enqueue = unsafe { Enqueue::new(command_queue, 0, std::ptr::null(), event)? };
        synchronise(enqueue, CL_COMMAND_MARKER, false)
    }
}

entry! {
    status fn clEnqueueBarrier(command_queue: cl_command_queue) {
        // SAFETY: there is no list and no event.
        let enqueue =
            unsafe { Enqueue::new(command_queue, 0, std::ptr::null(), std::ptr::null_mut())? };
        synchronise(enqueue, CL_COMMAND_BARRIER, true)
    }
}

entry! {
    status fn clEnqueueWaitForEvents(
        command_queue: cl_command_queue, num_events: cl_uint, event_list: *const cl_event,
    ) {
        check(num_events > 0 && !event_list.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events, event_list, std::ptr::null_mut()) };
        let enqueue = enqueue.map_err(|code| match code {
            CL_INVALID_EVENT_WAIT_LIST => CL_INVALID_EVENT,
            code => code,
        })?;
        synchronise(enqueue, CL_COMMAND_BARRIER, true)
    }
}

entry! {
    status fn clEnqueueMigrateMemObjects(
        command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const cl_mem,
        flags: cl_mem_migration_flags,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        check(num_mem_objects > 0 && !mem_objects.is_null(), CL_INVALID_VALUE)?;
        let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        check(flags & !known == 0, CL_INVALID_VALUE)?;
        // SAFETY: as above.
        let handles = unsafe { items(mem_objects, num_mem_objects as usize) };
        let mems: Vec<_> = handles.iter().map(|handle| enqueue.mem(*handle)).collect::<Result<_>>()?;
        enqueue.submit(CL_COMMAND_MIGRATE_MEM_OBJECTS, false, move || drop(mems))
    }
}
