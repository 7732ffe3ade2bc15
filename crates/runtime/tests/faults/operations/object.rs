//! Operations on platforms, devices, contexts, queues, memory and events; questions to all objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use super::{Operation, from, operation};
use crate::bench::SIZE;
use opencl_runtime::info::{TABLES, Table};
use opencl_runtime::pool::{Allocator, DeferredAllocator, ImmediateAllocator, MemoryPool};
use opencl_runtime::{
    Buffer, CommandExecutionStatus, CommandQueue, CommandQueueProperties, Context, Device, DeviceType, Event,
    Kernel, MemFlags, MemObject, Program, Result, UserEvent, status, wait_for_events,
};

/// Puts all questions; those that the driver does not know are passed over.
fn ask_all<T>(table: &Table<T>, object: &T) -> Result<()> {
    let mut answers = 0;
    for question in table.questions {
        match (question.ask)(object) {
            Ok(_) => answers += 1,
            Err(error) if error.code() == status::INVALID_VALUE => {
                assert!(error.to_string().contains(question.since), "{error}");
            }
            Err(error) => return Err(error),
        }
    }
    assert!(answers >= 4, "{} of {}", answers, table.questions.len());
    Ok(())
}

/// What a driver asks for 'divide equally into parts of two units'.
const EQUALLY: [isize; 2] = [0x1086, 2];

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("list devices", |bench| bench.platform.devices().map(drop)),
    operation!("list devices of a type", |bench| {
        let found = bench.platform.devices_of_type(DeviceType::GPU)?;
        assert_eq!(found.len(), 1);
        assert!(bench.platform.devices_of_type(DeviceType::CPU)?.is_empty());
        Ok(())
    }),
    operation!("unload the compiler", |bench| bench.platform.unload_compiler()),
    operation!("take over a device", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        unsafe { Device::from_raw(bench.device.as_raw(), true) }.map(drop)
    }),
    operation!("divide a device", |bench| {
        let parts = bench.device.create_sub_devices(&EQUALLY)?;
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].max_compute_units()?, 2);
        Ok(())
    }),
    operation!("a context for a part of a device", |bench| {
        let parts = bench.device.create_sub_devices(&EQUALLY)?;
        let context = Context::new(&parts)?;
        assert_eq!(context.devices()?.len(), 2);
        Ok(())
    }),
    operation!("timers", |bench| {
        bench.device.device_and_host_timer()?;
        bench.device.host_timer().map(drop)
    }),
    operation!("make a context", |bench| Context::new(std::slice::from_ref(&bench.device)).map(drop)),
    operation!("make a context with properties", |bench| {
        let platform = (0x1084, bench.platform.as_raw() as isize);
        let context = Context::with_properties(std::slice::from_ref(&bench.device), &[platform])?;
        assert_eq!(context.properties()?.0.len(), 2);
        Ok(())
    }),
    operation!("make a context by type", |bench| {
        Context::from_type(&bench.platform, DeviceType::GPU, &[]).map(drop)
    }),
    operation!("take over a context", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        let again = unsafe { Context::from_raw(bench.context.as_raw(), true) }?;
        assert_eq!(again, bench.context);
        Ok(())
    }),
    operation!("devices of a context", |bench| bench.context.devices().map(drop)),
    operation!("make a queue", |bench| CommandQueue::new(&bench.context).map(drop)),
    operation!("make a queue with properties", |bench| {
        let properties =
            CommandQueueProperties::PROFILING_ENABLE | CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let queue = CommandQueue::with_properties(&bench.context, Some(&bench.device), properties)?;
        assert!(queue.is_profiling() && queue.is_out_of_order());
        Ok(())
    }),
    operation!("take over a queue", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        let queue = unsafe { CommandQueue::from_raw(bench.queue.as_raw(), true) }?;
        assert_eq!((queue.context(), queue.device()), (&bench.context, &bench.device));
        Ok(())
    }),
    operation!("make a buffer", |bench| {
        Buffer::new(&bench.context, MemFlags::READ_WRITE, SIZE).map(drop)
    }),
    operation!("make a buffer with data", |bench| {
        Buffer::from_slice(&bench.context, MemFlags::READ_ONLY, &[1_u64, 2, 3]).map(drop)
    }),
    operation!("make a sub-buffer", |bench| {
        bench.buffer.sub_buffer(MemFlags::READ_WRITE, 128, 64).map(drop)
    }),
    operation!(
        "release a buffer early",
        |bench| {
            let buffer = Buffer::new(&bench.context, MemFlags::READ_WRITE, SIZE)?;
            let outcome = buffer.release();
            assert_eq!(buffer.release().unwrap_err().code(), status::INVALID_MEM_OBJECT);
            outcome
        },
        releases true
    ),
    operation!("take over a memory object", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        let object = unsafe { MemObject::from_raw(bench.buffer.as_raw()?, true) }?;
        assert_eq!(object.size(), SIZE);
        Ok(())
    }),
    operation!("allocate at once", |bench| {
        ImmediateAllocator::new(&bench.queue, MemFlags::READ_WRITE)?.allocate(SIZE).map(drop)
    }),
    operation!("allocate when the driver likes", |bench| {
        DeferredAllocator::new(&bench.context, MemFlags::READ_WRITE)?.allocate(SIZE).map(drop)
    }),
    operation!("a block of a pool", |bench| {
        let pool = MemoryPool::new(DeferredAllocator::new(&bench.context, MemFlags::READ_WRITE)?, 4)?;
        let outcome = pool.allocate(SIZE).and_then(|block| block.release());
        let held = pool.statistics().held_blocks;
        assert_eq!((pool.statistics().active_blocks, held), (0, usize::from(outcome.is_ok())));
        outcome
    }, absorbs clCreateBuffer in 1..=1),
    // It goes unset: the vendor is asked, since one needs to be told of that.
    operation!("make a user event", |bench| UserEvent::new(&bench.context).map(drop),
        absorbs clGetContextInfo in 1..=2, clGetDeviceInfo in 1..=1, clRetainDevice in 1..=1),
    operation!("end a user event", |bench| {
        let event = UserEvent::new(&bench.context)?;
        event.set_status(CommandExecutionStatus::COMPLETE)?;
        event.wait()?;
        assert!(event.is_complete()?);
        Ok(())
    }),
    operation!("take over an event", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        unsafe { Event::from_raw(bench.event.as_raw(), true) }.map(drop)
    }),
    operation!("wait", |bench| bench.event.wait()),
    operation!("wait for several", |bench| wait_for_events([&bench.event, &bench.event])),
    operation!("be called back", |bench| {
        let seen = Arc::new(AtomicI32::new(7));
        let told = Arc::clone(&seen);
        let set = bench.event.on_status(CommandExecutionStatus::COMPLETE, move |status| {
            told.store(status.0, Ordering::SeqCst)
        });
        assert_eq!(seen.load(Ordering::SeqCst), if set.is_ok() { 0 } else { 7 });
        assert_eq!(Arc::strong_count(&seen), 1, "what the call back holds is given back");
        set
    }),
    operation!("times of an event", |bench| {
        assert!(bench.event.queued()? < bench.event.end()?);
        Ok(())
    }),
    operation!("ask a platform", |bench| ask_all(TABLES.platform, &bench.platform)),
    operation!("ask a device", |bench| ask_all(TABLES.device, &bench.device)),
    operation!("ask a context", |bench| ask_all(TABLES.context, &bench.context)),
    operation!("ask a queue", |bench| ask_all(TABLES.queue, &bench.queue)),
    operation!("ask an event", |bench| ask_all(TABLES.event, &bench.event)),
    operation!("ask for times", |bench| ask_all(TABLES.profiling, &bench.event)),
    operation!("ask a buffer", |bench| ask_all(TABLES.memory, &bench.buffer)),
    operation!("ask a program", |bench| ask_all(TABLES.program, &bench.program)),
    // The source of a program that is found by its handle is a help, not a need.
    operation!(
        "ask a kernel",
        |bench| ask_all(TABLES.kernel, &bench.kernel),
        absorbs clGetProgramInfo in from(2)
    ),
    operation!("take over a program", |bench| {
        // SAFETY: the handle is live, and a reference is added.
        let program = unsafe { Program::from_raw(bench.program.as_raw(), true) }?;
        assert_eq!(program.context(), &bench.context);
        Ok(())
    }, absorbs clGetProgramInfo in from(2)),
    operation!("take over a kernel", |bench| {
        // SAFETY: the handle is live, and the reference added here is given away.
        let kernel = unsafe { Kernel::from_raw(bench.kernel.as_raw(), true) }?;
        assert_eq!((kernel.name(), kernel.arity()), ("fill", 3));
        Ok(())
    }),
];
