//! Large blocking copies, which go through pinned memory in chunks.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use opencl_runtime::{
    Buffer, CommandExecutionStatus, CommandQueue, CommandQueueProperties, Context, HostCopies, MapFlags,
    MemFlags, Platform, Result, UserEvent, WaitList, finish_all, status,
};
use stub::{Stub, on_stub};

/// How long something may take that is to happen.
const SOON: Duration = Duration::from_secs(20);

/// How long something is watched that is not to happen.
const WHILE: Duration = Duration::from_millis(50);

const MIB: usize = 1 << 20;

/// Less than this is never cut, and this is done by the driver itself at the beginning of each copy.
const HEAD: usize = 4096;

/// Chunks small enough for copies of many of them.
const STAGED: HostCopies = HostCopies::Staged { chunk: 10_000, threads: 3 };

fn queue_on(platform: usize, properties: CommandQueueProperties) -> CommandQueue {
    let device = Platform::all().unwrap()[platform].devices().unwrap().remove(0);
    CommandQueue::with_properties(&Context::new(&[device]).unwrap(), None, properties).unwrap()
}

fn queue_with(properties: CommandQueueProperties) -> CommandQueue {
    queue_on(0, properties)
}

fn queue() -> CommandQueue {
    queue_with(CommandQueueProperties::empty())
}

/// A queue that may overtake.
fn out_of_order() -> CommandQueue {
    queue_with(CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE)
}

fn buffer(queue: &CommandQueue, size: usize) -> Buffer {
    Buffer::new(queue.context(), MemFlags::READ_WRITE, size).unwrap()
}

/// Bytes of which each tells its place.
fn pattern(size: usize) -> Vec<u8> {
    (0..size).map(|at| (at ^ (at >> 8) ^ (at >> 16)) as u8).collect()
}

/// How many commands copied between host and buffers since the last time.
fn copies(stub: &Stub) -> (u64, u64) {
    let counts = (stub.calls("clEnqueueWriteBuffer"), stub.calls("clEnqueueReadBuffer"));
    stub.forget_calls();
    counts
}

/// Waits until as many commands have not ended.
fn until_pending(stub: &Stub, count: u64) {
    let start = Instant::now();
    while stub.pending() != count {
        assert!(start.elapsed() < SOON, "{} commands are pending, not {count}", stub.pending());
        std::thread::yield_now();
    }
}

#[test]
fn bytes_arrive_whatever_size_and_offset() {
    on_stub("bytes_arrive_whatever_size_and_offset", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        assert_eq!(queue.context().host_copies(), STAGED);
        let sizes = [1, HEAD, 2 * HEAD - 1, 2 * HEAD, 14_096, 14_097, 24_096, 24_097, 34_097, 1_000_003];
        for size in sizes {
            for (offset, from, to) in [(0, 0, 0), (1, 3, 7), (4096, 16, 0), (129, 0, 1)] {
                let buffer = buffer(&queue, offset + size + 5);
                queue.fill_buffer(&buffer, &[0xBB], 0, offset + size + 5, &WaitList::default()).unwrap();
                let source = pattern(from + size);
                copies(stub);
                queue.write(&buffer, offset, &source[from..]).unwrap();
                let mut target = vec![0xAA_u8; to + size + 9];
                queue.read(&buffer, offset, &mut target[to..to + size]).unwrap();
                let commands = if size < 2 * HEAD { 1 } else { 1 + (size - HEAD).div_ceil(10_000) as u64 };
                assert_eq!(copies(stub), (commands, commands), "{size} bytes");
                assert_eq!(target[to..to + size], source[from..], "{size} bytes to offset {offset}");
                assert!(target[..to].iter().chain(&target[to + size..]).all(|byte| *byte == 0xAA));
                let mut around = vec![0; offset + size + 5];
                queue.context().set_host_copies(HostCopies::Plain);
                queue.read(&buffer, 0, &mut around).unwrap();
                queue.context().set_host_copies(STAGED);
                assert_eq!(around[offset..offset + size], source[from..]);
                assert!(around[..offset].iter().chain(&around[offset + size..]).all(|byte| *byte == 0xBB));
            }
        }
    });
}

/// Whether a copy of `size` bytes is cut with the queue's context as it is.
fn is_cut(stub: &Stub, queue: &CommandQueue, size: usize) -> bool {
    let buffer = buffer(queue, size);
    let source = pattern(size);
    let mut target = vec![0; size];
    copies(stub);
    queue.write(&buffer, 0, &source).unwrap();
    queue.read(&buffer, 0, &mut target).unwrap();
    assert!(source == target);
    let counts = copies(stub);
    assert_eq!(counts.0 > 1, counts.1 > 1);
    counts.0 > 1
}

#[test]
fn large_copies_are_cut_on_devices_with_memory_of_their_own() {
    let platforms = "platforms=4;unified=0;1.unified=1;2.device_type=cpu;3.device_type=accelerator";
    on_stub("large_copies_are_cut_on_devices_with_memory_of_their_own", platforms, |stub| {
        let queue_on = |platform| queue_on(platform, CommandQueueProperties::empty());
        let threads = std::thread::available_parallelism().unwrap().get();
        let queue = queue_on(0);
        assert_eq!(is_cut(stub, &queue, 16 * MIB), threads > 1);
        assert_eq!(is_cut(stub, &queue, 70 * MIB + 1), threads > 1);
        assert!(!is_cut(stub, &queue, 16 * MIB - 1));
        // The kind of the device is asked for once.
        stub.forget_calls();
        assert_eq!(is_cut(stub, &queue, 17 * MIB), threads > 1);
        assert_eq!(stub.calls("clGetDeviceInfo"), 0);
        queue.context().set_host_copies(HostCopies::Plain);
        assert!(!is_cut(stub, &queue, 16 * MIB));
        assert!(!is_cut(stub, &queue_on(1), 16 * MIB), "memory shared with the host");
        assert!(!is_cut(stub, &queue_on(2), 16 * MIB), "a CPU");
        assert_eq!(is_cut(stub, &queue_on(3), 16 * MIB), threads > 1, "an accelerator");
    });
}

#[test]
fn the_pinned_memory_is_made_once_and_goes_with_the_context() {
    on_stub("the_pinned_memory_is_made_once_and_goes_with_the_context", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let (mems, queues) = (stub.live("mem"), stub.live("queue"));
        for _ in 0..3 {
            assert!(is_cut(stub, &queue, 50_000));
            assert_eq!((stub.live("mem"), stub.live("queue")), (mems + 1, queues + 1));
        }
        // Larger chunks need larger memory.
        queue.context().set_host_copies(HostCopies::Staged { chunk: 20_000, threads: 1 });
        assert!(is_cut(stub, &queue, 50_000));
        assert_eq!((stub.live("mem"), stub.live("queue")), (mems + 1, queues + 1));
        stub.forget_calls();
        drop(queue);
        assert_eq!(stub.calls("clEnqueueUnmapMemObject"), 1);
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn without_pinned_memory_the_driver_copies() {
    on_stub("without_pinned_memory_the_driver_copies", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let buffer = buffer(&queue, 50_000);
        for function in ["clCreateCommandQueueWithProperties", "clCreateBuffer", "clEnqueueMapBuffer"] {
            let live = stub.live_total();
            stub.fail(function, 1, status::MEM_OBJECT_ALLOCATION_FAILURE);
            copies(stub);
            queue.write(&buffer, 0, &pattern(50_000)).unwrap();
            assert_eq!((copies(stub), stub.live_total()), ((1, 0), live), "{function}");
        }
        // It is tried again.
        assert!(is_cut(stub, &queue, 50_000));
    });
}

#[test]
fn mapped_memory_needs_no_other() {
    on_stub("mapped_memory_needs_no_other", "unified=0", |stub| {
        let queue = queue();
        let size = 17 * MIB;
        let (buffer, other) = (buffer(&queue, size), buffer(&queue, size));
        let none = WaitList::default();
        let (map, _) = queue.map_buffer(&other, true, MapFlags::WRITE, 100, size - 100, &none).unwrap();
        let copy = |offset: usize, size: usize| {
            copies(stub);
            let address = map.address().wrapping_byte_add(offset);
            // SAFETY: the bytes are a part of the mapping.
            unsafe { queue.enqueue_write(&buffer, true, 0, size, address, &none) }.unwrap();
            copies(stub).0
        };
        assert_eq!((copy(0, size - 100), copy(50, 16 * MIB)), (1, 1));
        // Unmapped memory is not known to be pinned. The stub's stays where it is.
        map.unmap(None, &none).unwrap();
        assert_eq!(copy(50, 16 * MIB) > 1, std::thread::available_parallelism().unwrap().get() > 1);
    });
}

#[test]
fn arguments_are_refused_as_ever() {
    on_stub("arguments_are_refused_as_ever", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let buffer_here = buffer(&queue, 50_000);
        let mut bytes = pattern(50_001);
        let error = queue.write(&buffer_here, 0, &bytes).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_VALUE, "clEnqueueWriteBuffer"));
        let error = queue.read(&buffer_here, 2, &mut bytes[..49_999]).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_VALUE, "clEnqueueReadBuffer"));
        let none = WaitList::default();
        // SAFETY: the driver refuses null.
        let null = unsafe { queue.enqueue_read(&buffer_here, true, 0, 50_000, std::ptr::null_mut(), &none) };
        let error = null.unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_VALUE, "clEnqueueReadBuffer"));
        let closed = Buffer::new(queue.context(), MemFlags::HOST_NO_ACCESS, 50_000).unwrap();
        let error = queue.write(&closed, 0, &bytes[..50_000]).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_OPERATION, "clEnqueueWriteBuffer"));
        let foreign = buffer(&self::queue(), 50_000);
        let error = queue.write(&foreign, 0, &bytes[..50_000]).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::INVALID_CONTEXT, "clEnqueueWriteBuffer"));
        // And the next copy is as it should be.
        assert!(is_cut(stub, &queue, 50_000));
    });
}

/// A blocking write of `source` with a wait list, and its event.
fn write(
    queue: &CommandQueue,
    buffer: &Buffer,
    source: &[u8],
    wait_for: &WaitList<'_>,
) -> Result<opencl_runtime::Event> {
    // SAFETY: the slice has that many bytes, and the call blocks.
    unsafe { queue.enqueue_write(buffer, true, 0, source.len(), source.as_ptr().cast(), wait_for) }
}

/// The same for a read.
fn read(
    queue: &CommandQueue,
    buffer: &Buffer,
    target: &mut [u8],
    wait_for: &WaitList<'_>,
) -> Result<opencl_runtime::Event> {
    // SAFETY: as above.
    unsafe { queue.enqueue_read(buffer, true, 0, target.len(), target.as_mut_ptr().cast(), wait_for) }
}

#[test]
fn the_event_is_that_of_a_copy_that_is_done() {
    on_stub("the_event_is_that_of_a_copy_that_is_done", "", |stub| {
        for queue in [queue(), out_of_order()] {
            queue.context().set_host_copies(STAGED);
            let buffer = buffer(&queue, 50_000);
            let source = pattern(50_000);
            let live = stub.live("event");
            let event = write(&queue, &buffer, &source, &WaitList::default()).unwrap();
            assert_eq!(stub.live("event"), live + 1);
            assert_eq!(event.command_execution_status().unwrap(), CommandExecutionStatus::COMPLETE);
            assert_eq!(event.command_type().unwrap(), opencl_runtime::CommandType::WRITE_BUFFER);
            event.wait().unwrap();
            let mut target = vec![0; 50_000];
            let after = [&event].into_iter().collect();
            let event = read(&queue, &buffer, &mut target, &after).unwrap();
            assert_eq!(event.command_type().unwrap(), opencl_runtime::CommandType::READ_BUFFER);
            assert_eq!(target, source);
        }
    });
}

#[test]
fn an_event_that_tells_times_tells_those_of_the_whole_copy() {
    on_stub("an_event_that_tells_times_tells_those_of_the_whole_copy", "", |stub| {
        let queue = queue_with(CommandQueueProperties::PROFILING_ENABLE);
        queue.context().set_host_copies(STAGED);
        let buffer = buffer(&queue, 50_000);
        copies(stub);
        write(&queue, &buffer, &pattern(50_000), &WaitList::default()).unwrap();
        assert_eq!(copies(stub), (1, 0));
        // Nobody can ask the event of this one.
        assert!(is_cut(stub, &queue, 50_000));
    });
}

#[test]
fn copies_wait_for_their_wait_list_on_queues_of_either_order() {
    on_stub("copies_wait_for_their_wait_list_on_queues_of_either_order", "", |_| {
        for queue in [queue(), out_of_order()] {
            queue.context().set_host_copies(STAGED);
            let buffer = buffer(&queue, 50_000);
            let (mut target, source) = (vec![0; 50_000], pattern(50_000));
            for reading in [false, true] {
                let gate = UserEvent::new(queue.context()).unwrap();
                let list: WaitList<'_> = [&*gate].into_iter().collect();
                std::thread::scope(|scope| {
                    let (send, receive) = channel();
                    let (queue, buffer, source, target) = (&queue, &buffer, &source, &mut target);
                    scope.spawn(move || {
                        let outcome = if reading {
                            read(queue, buffer, target, &list)
                        } else {
                            write(queue, buffer, source, &list)
                        };
                        send.send(outcome.map(drop)).unwrap();
                    });
                    assert!(receive.recv_timeout(WHILE).is_err(), "it does not wait");
                    gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
                    receive.recv_timeout(SOON).expect("it still waits").unwrap();
                });
            }
            assert_eq!(target, source);
        }
    });
}

#[test]
fn a_write_takes_the_bytes_that_a_command_before_it_brought() {
    on_stub("a_write_takes_the_bytes_that_a_command_before_it_brought", "", |_| {
        for queue in [queue(), out_of_order()] {
            queue.context().set_host_copies(STAGED);
            let (first, second) = (buffer(&queue, 50_000), buffer(&queue, 50_000));
            let source = pattern(50_000);
            queue.write(&first, 0, &source).unwrap();
            let gate = UserEvent::new(queue.context()).unwrap();
            let mut between = vec![0_u8; 50_000];
            let (address, list) = (between.as_mut_ptr(), [&*gate].into_iter().collect());
            // SAFETY: `between` has room, and stays until the write below has returned.
            let event =
                unsafe { queue.enqueue_read(&first, false, 0, 50_000, address.cast(), &list) }.unwrap();
            // An out-of-order queue is told; for the other one, it is enough to come later.
            let after: WaitList<'_> =
                if queue.is_out_of_order() { [&event].into_iter().collect() } else { WaitList::default() };
            std::thread::scope(|scope| {
                let (queue, second) = (&queue, &second);
                let address = address as usize;
                let writer = scope.spawn(move || {
                    // SAFETY: as above.
                    unsafe {
                        queue.enqueue_write(second, true, 0, 50_000, address as *const _, &after).map(drop)
                    }
                });
                std::thread::sleep(WHILE);
                gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
                writer.join().unwrap().unwrap();
            });
            let mut target = vec![0; 50_000];
            queue.read(&second, 0, &mut target).unwrap();
            assert_eq!(target, source);
        }
    });
}

#[test]
fn a_wait_list_that_failed_fails_the_copy() {
    on_stub("a_wait_list_that_failed_fails_the_copy", "", |stub| {
        let dependency = status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        let queue = queue();
        let buffer = buffer(&queue, 50_000);
        let gate = UserEvent::new(queue.context()).unwrap();
        gate.set_status(CommandExecutionStatus(-7)).unwrap();
        let list: WaitList<'_> = [&*gate].into_iter().collect();
        for how in [HostCopies::Plain, STAGED] {
            queue.context().set_host_copies(how);
            let live = stub.live("event");
            let error = write(&queue, &buffer, &pattern(50_000), &list).unwrap_err();
            assert_eq!((error.code(), error.routine()), (dependency, "clEnqueueWriteBuffer"), "{how:?}");
            let error = read(&queue, &buffer, &mut [0; 50_000], &list).unwrap_err();
            assert_eq!((error.code(), error.routine()), (dependency, "clEnqueueReadBuffer"), "{how:?}");
            assert_eq!(stub.live("event"), live);
        }
        assert!(is_cut(stub, &queue, 50_000));
    });
}

#[test]
fn a_chunk_that_fails_fails_the_copy_once_nothing_is_running() {
    on_stub("a_chunk_that_fails_fails_the_copy_once_nothing_is_running", "hold=1", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let buffer = buffer(&queue, 50_000);
        // The memory is mapped by a command too.
        let live = stub.live_total();
        let source = pattern(50_000);
        for (reading, function) in [(false, "clEnqueueWriteBuffer"), (true, "clEnqueueReadBuffer")] {
            let mut target = vec![0_u8; 50_000];
            let first = !reading;
            std::thread::scope(|scope| {
                let (queue, buffer, source, target) = (&queue, &buffer, &source, &mut target);
                let copy = scope.spawn(move || {
                    if reading { queue.read(buffer, 0, target) } else { queue.write(buffer, 0, source) }
                });
                if first {
                    until_pending(stub, 1);
                    assert!(stub.complete_next(), "the map");
                }
                until_pending(stub, 1);
                assert!(stub.complete_next(), "the head");
                until_pending(stub, 2);
                assert!(stub.complete_next_with(-5), "the first chunk");
                // The second one is still there, and may be using the pinned memory.
                std::thread::sleep(WHILE);
                assert!(!copy.is_finished() && stub.pending() == 1);
                assert!(stub.complete_next(), "the second chunk");
                let error = copy.join().unwrap().unwrap_err();
                assert_eq!((error.code(), error.routine()), (-5, function));
                assert_eq!(stub.pending(), 0);
            });
            // The pinned memory and its queue.
            assert_eq!(stub.live_total(), live + 2);
        }
        stub.configure("hold=0");
        assert!(is_cut(stub, &queue, 50_000));
    });
}

#[test]
fn a_second_thread_has_the_driver_copy_meanwhile() {
    on_stub("a_second_thread_has_the_driver_copy_meanwhile", "", |stub| {
        let (one, properties) = (queue(), CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE);
        let two = CommandQueue::with_properties(one.context(), None, properties).unwrap();
        one.context().set_host_copies(STAGED);
        assert!(is_cut(stub, &one, 50_000));
        let (first, second) = (buffer(&one, 50_000), buffer(&one, 50_000));
        let source = pattern(50_000);
        stub.configure("hold=1");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| one.write(&first, 0, &source));
            until_pending(stub, 1);
            copies(stub);
            let other = scope.spawn(|| two.write(&second, 0, &source));
            until_pending(stub, 2);
            stub.configure("hold=0");
            stub.complete_all();
            writer.join().unwrap().unwrap();
            other.join().unwrap().unwrap();
        });
        // Five chunks of the first thread, and one command of the second one.
        assert_eq!(copies(stub).0, 5 + 1);
        for buffer in [first, second] {
            let mut target = vec![0; 50_000];
            one.read(&buffer, 0, &mut target).unwrap();
            assert_eq!(target, source);
        }
    });
}

#[test]
fn threads_may_copy_at_once() {
    on_stub("threads_may_copy_at_once", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let live = stub.live_total();
        std::thread::scope(|scope| {
            for seed in 0..4_u8 {
                let queue = &queue;
                scope.spawn(move || {
                    let buffer = buffer(queue, 60_000);
                    for round in 0..20_u8 {
                        let source: Vec<u8> =
                            pattern(60_000).iter().map(|byte| byte ^ (16 * seed + round)).collect();
                        queue.write(&buffer, 0, &source).unwrap();
                        let mut target = vec![0; 60_000];
                        queue.read(&buffer, 0, &mut target).unwrap();
                        assert_eq!(target, source);
                    }
                });
            }
        });
        assert_eq!(stub.live_total(), live + 2);
    });
}

#[test]
fn the_end_of_a_process_waits_for_all_chunks() {
    on_stub("the_end_of_a_process_waits_for_all_chunks", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        let buffer = buffer(&queue, 50_000);
        assert!(finish_all(SOON));
        stub.configure("hold=1");
        std::thread::scope(|scope| {
            let copy = scope.spawn(|| queue.write(&buffer, 0, &pattern(50_000)));
            until_pending(stub, 1);
            assert!(!finish_all(WHILE));
            let end = scope.spawn(|| finish_all(SOON));
            while !(copy.is_finished() && end.is_finished()) {
                stub.complete_next();
            }
            copy.join().unwrap().unwrap();
            assert!(end.join().unwrap());
        });
        assert_eq!(stub.pending(), 0);
    });
}

#[test]
fn pinned_memory_of_which_nothing_is_known_is_given_up() {
    on_stub("pinned_memory_of_which_nothing_is_known_is_given_up", "", |stub| {
        let queue = queue();
        queue.context().set_host_copies(STAGED);
        assert!(is_cut(stub, &queue, 50_000));
        let buffer = buffer(&queue, 50_000);
        let live = stub.live_total();
        // The head is waited for, the first chunk is not.
        for (function, nth) in [("clWaitForEvents", 2), ("clGetEventInfo", 1), ("clFinish", 1)] {
            stub.fail(function, nth, status::OUT_OF_RESOURCES);
        }
        let error = queue.write(&buffer, 0, &pattern(50_000)).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::OUT_OF_RESOURCES, "clWaitForEvents"));
        assert_eq!(stub.live_total(), live, "neither released nor made anew");
        assert!(is_cut(stub, &queue, 50_000));
        assert_eq!(stub.live_total(), live + 2, "made anew");
    });
}
