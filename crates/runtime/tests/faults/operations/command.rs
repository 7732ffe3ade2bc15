//! Commands.

use super::{Operation, from, operation};
use crate::bench::{Bench, SIZE};
use opencl_runtime::{
    Arg, Buffer, CommandExecutionStatus, HostCopies, MapFlags, MemFlags, MemMigrationFlags, NdRange,
    RectCopy, Result, UserEvent, WaitList,
};

/// The first number of the bench's buffer.
fn first(bench: &Bench) -> Result<i32> {
    let mut number = [0];
    bench.queue.read(&bench.buffer, 0, &mut number)?;
    Ok(number[0])
}

/// A block of 2 rows of 3 bytes in rows of 8, and in rows of 3.
const BLOCK: RectCopy = RectCopy {
    region: [3, 2, 1],
    origin: [1, 1, 0],
    pitches: [8, 0],
    other_origin: [0, 0, 0],
    other_pitches: [0, 0],
};

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("launch", |bench| {
        let args = [Arg::Mem(&bench.buffer), Arg::Bytes(&[0; 4]), Arg::Local(64)];
        let range = NdRange::new(&[16]).local(&[4])?.offset(&[1])?;
        // SAFETY: the kernel fills the buffer at most.
        unsafe { bench.kernel.launch(&bench.queue, &range, &args, &WaitList::default()) }?;
        assert_eq!(first(bench)?, 7);
        Ok(())
    }, absorbs clGetKernelArgInfo in from(1)),
    operation!("launch with an event", |bench| {
        let args = [Arg::Mem(&bench.buffer), Arg::Bytes(&[0; 4]), Arg::Local(64)];
        let after = [&bench.event].into_iter().collect();
        // SAFETY: as above.
        let event =
            unsafe { bench.kernel.launch_with_event(&bench.queue, &NdRange::new(&[4, 4]), &args, &after) }?;
        event.wait()
    }, absorbs clGetKernelArgInfo in from(1)),
    operation!("launch as set", |bench| {
        bench.kernel.set_arg(0, &Arg::Null)?;
        bench.kernel.set_arg(1, &Arg::Bytes(&[0; 4]))?;
        bench.kernel.set_arg(2, &Arg::Local(64))?;
        // SAFETY: as above.
        unsafe { bench.kernel.launch_as_set(&bench.queue, &NdRange::new(&[1]), &WaitList::default()) }
            .map(drop)
    }, absorbs clGetKernelArgInfo in from(1)),
    operation!("write and read", |bench| {
        bench.queue.write(&bench.buffer, 0, &[3_i32, 4])?;
        assert_eq!(first(bench)?, 3);
        Ok(())
    }),
    operation!("read without waiting", |bench| {
        let mut bytes = [0_u8; 16];
        let (address, none) = (bytes.as_mut_ptr().cast(), WaitList::default());
        // SAFETY: `bytes` has room, and the event is waited for.
        let event = unsafe { bench.queue.enqueue_read(&bench.buffer, false, 0, 16, address, &none) }?;
        let waited = event.wait();
        // The stub runs commands when they are enqueued, so the array is free also where the wait failed.
        waited
    }),
    operation!("write without waiting", |bench| {
        let bytes = [5_u8; 16];
        let (address, none) = (bytes.as_ptr().cast(), WaitList::default());
        // SAFETY: as above.
        let event = unsafe { bench.queue.enqueue_write(&bench.buffer, false, 0, 16, address, &none) }?;
        event.wait()
    }),
    operation!(
        "write and read in chunks",
        |bench| {
            bench.context.set_host_copies(HostCopies::Staged { chunk: 10_000, threads: 2 });
            let buffer = Buffer::new(&bench.context, MemFlags::READ_WRITE, 50_000)?;
            let bytes: Vec<u8> = (0..50_000).map(|at| (at % 251) as u8).collect();
            bench.queue.write(&buffer, 0, &bytes)?;
            let mut found = vec![0; bytes.len()];
            bench.queue.read(&buffer, 0, &mut found)?;
            assert!(found == bytes);
            Ok(())
        },
        // Without pinned memory the driver copies.
        absorbs clCreateBuffer in 2..=2, clCreateCommandQueueWithProperties in 1..=1, clEnqueueMapBuffer in 1..=1
    ),
    operation!(
        "write as it is faster",
        |bench| {
            let buffer = Buffer::new(&bench.context, MemFlags::READ_WRITE, 8 << 20)?;
            bench.queue.write(&buffer, 0, &vec![0_u8; 8 << 20])
        },
        // A device that does not tell its kind has the driver's calls.
        absorbs clGetDeviceInfo in from(1)
    ),
    operation!("copy", |bench| {
        let event = bench.queue.copy_buffer(&bench.buffer, 0, &bench.other, 8, 16, &WaitList::default())?;
        event.wait()
    }),
    operation!("fill", |bench| {
        bench.queue.fill_buffer(&bench.buffer, &9_i32.to_ne_bytes(), 0, SIZE, &WaitList::default())?;
        assert_eq!(first(bench)?, 9);
        Ok(())
    }),
    operation!("read a block", |bench| {
        let mut bytes = [0_u8; 6];
        let (address, none) = (bytes.as_mut_ptr().cast(), WaitList::default());
        // SAFETY: the block has six bytes.
        unsafe { bench.queue.enqueue_read_rect(&bench.buffer, true, &BLOCK, address, &none) }.map(drop)
    }),
    operation!("write a block", |bench| {
        let bytes = [1_u8; 6];
        let (address, none) = (bytes.as_ptr().cast(), WaitList::default());
        // SAFETY: the block has six bytes.
        unsafe { bench.queue.enqueue_write_rect(&bench.buffer, true, &BLOCK, address, &none) }.map(drop)
    }),
    operation!("copy a block", |bench| {
        bench.queue.copy_buffer_rect(&bench.buffer, &bench.other, &BLOCK, &WaitList::default()).map(drop)
    }),
    operation!("map and unmap", |bench| {
        let none = WaitList::default();
        let (map, event) = bench.queue.map_buffer(&bench.buffer, true, MapFlags::READ, 4, 8, &none)?;
        event.wait()?;
        assert_eq!(bench.buffer.map_count()?, 1);
        map.unmap(None, &none)?.wait()?;
        assert!(!map.is_mapped());
        assert_eq!(bench.buffer.map_count()?, 0);
        Ok(())
        // Where unmapping fails, the map is still one, and its end unmaps.
    }),
    operation!(
        "map and let go",
        |bench| {
            let none = WaitList::default();
            bench.queue.map_buffer(&bench.buffer, true, MapFlags::WRITE, 4, 8, &none).map(drop)
        },
        absorbs clEnqueueUnmapMemObject in from(1)
    ),
    operation!("mark", |bench| {
        bench.queue.marker(&WaitList::default())?;
        bench.queue.marker(&[&bench.event].into_iter().collect()).map(drop)
    }),
    operation!("put a barrier", |bench| {
        bench.queue.barrier(&WaitList::default())?;
        bench.queue.barrier(&[&bench.event].into_iter().collect()).map(drop)
    }),
    operation!("migrate", |bench| {
        let objects = [&*bench.buffer, &*bench.other];
        bench.queue.migrate(&objects, MemMigrationFlags::HOST, &WaitList::default()).map(drop)
    }),
    operation!("hold a command with a user event", |bench| {
        let gate = UserEvent::new(&bench.context)?;
        let marker = bench.queue.marker(&[&gate].into_iter().collect());
        // Where this fails, the queue would wait for ever: the second try ends it.
        let ended = gate.set_status(CommandExecutionStatus::COMPLETE);
        if ended.is_err() {
            gate.set_status(CommandExecutionStatus::COMPLETE)?;
        }
        ended?;
        marker?.wait()
    }),
    operation!("flush and finish", |bench| {
        bench.queue.flush()?;
        bench.queue.finish()
    }),
];
