//! Objects on every driver found.

mod common;

use common::limits::{self, Need};
use common::{devices, on_each_device};
use opencl_runtime::constants::CommandExecutionStatus;
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, CommandQueueProperties, Context, Error, HostCopies, MapFlags,
    MemFlags, NdRange, Program, RectCopy, UserEvent, WaitList, status, wait_for_events,
};

const SOURCE: &str = "
kernel void scale(global int *a, int factor, local int *scratch)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    scratch[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = factor * scratch[l] + (int)get_global_offset(0);
}
";

fn built(context: &Context, source: &str) -> Program {
    let program = Program::with_source(context, source).unwrap();
    program.build(&BuildOptions::default()).unwrap();
    program
}

#[test]
fn platforms_and_devices_tell_who_they_are() {
    for device in devices() {
        let platform = device.platform().unwrap();
        assert!(!platform.name().unwrap().is_empty());
        assert!(platform.version().unwrap().starts_with("OpenCL "));
        assert!(device.max_work_group_size().unwrap() > 0);
        assert_eq!(
            device.max_work_item_sizes().unwrap().len(),
            device.max_work_item_dimensions().unwrap() as usize
        );
        assert!(platform.devices().unwrap().contains(&device));
    }
}

#[test]
fn a_context_keeps_its_slots_however_it_is_reached() {
    on_each_device(|context, queue| {
        let first = context.slot(|| 7_u8);
        let again = queue.query_context().unwrap();
        assert_eq!(&again, context);
        assert!(std::sync::Arc::ptr_eq(&first, &again.slot(|| 8_u8)));
        assert_eq!(context.devices().unwrap(), [queue.device().clone()]);
    });
}

#[test]
fn a_kernel_runs_with_arguments_of_every_kind_and_an_offset() {
    on_each_device(|context, queue| {
        let kernel = built(context, SOURCE).kernel("scale").unwrap();
        let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        let range = NdRange::new(&[4]).local(&[2]).unwrap().offset(&[4]).unwrap();
        let args = [Arg::Mem(&buffer), Arg::Bytes(&10_i32.to_ne_bytes()), Arg::Local(8)];
        // SAFETY: work-items 4 to 7 touch one `int` each, and the buffer holds eight.
        let event = unsafe { kernel.launch_with_event(queue, &range, &args, &WaitList::default()) }.unwrap();
        event.wait().unwrap();
        assert_eq!(event.command_execution_status().unwrap(), CommandExecutionStatus::COMPLETE);
        let mut result = [0; 8];
        queue.read(&buffer, 0, &mut result).unwrap();
        assert_eq!(result, [1, 2, 3, 4, 54, 64, 74, 84]);
    });
}

#[test]
fn copies_in_chunks_bring_the_same_bytes() {
    on_each_device(|context, queue| {
        context.set_host_copies(HostCopies::Staged { chunk: 1 << 18, threads: 4 });
        let overtaking = CommandQueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let overtaking = CommandQueue::with_properties(context, None, overtaking).unwrap();
        for queue in [queue, &overtaking] {
            let source: Vec<u32> = (0..1_000_003).collect();
            let buffer = Buffer::new(context, MemFlags::READ_WRITE, 4 * source.len() + 12).unwrap();
            for round in 0..3 {
                let source: Vec<u32> = source.iter().map(|number| number ^ round).collect();
                queue.write(&buffer, 12, &source).unwrap();
                let mut target = vec![0; source.len()];
                queue.read(&buffer, 12, &mut target).unwrap();
                assert!(source == target);
            }
        }
    });
}

#[test]
fn arguments_are_set_one_after_the_other() {
    on_each_device(|context, queue| {
        let kernel = built(context, SOURCE).kernel("scale").unwrap();
        let memory = Buffer::from_slice(context, MemFlags::READ_WRITE, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        let (range, none) = (NdRange::new(&[4]).local(&[2]).unwrap(), WaitList::default());
        for _ in 0..2 {
            let mut launch = kernel.begin();
            launch.arg(Arg::Mem(&memory)).unwrap();
            launch.bytes(&10_i32.to_ne_bytes()).unwrap();
            launch.arg(Arg::Local(8)).unwrap();
            // SAFETY: four work-items touch one `int` each, and the buffer holds eight.
            unsafe { launch.enqueue(queue, &range, &none) }.unwrap();
        }
        let mut found = [0; 8];
        queue.read(&memory, 0, &mut found).unwrap();
        assert_eq!(found, [100, 200, 300, 400, 5, 6, 7, 8]);

        let mut launch = kernel.begin();
        launch.arg(Arg::Mem(&memory)).unwrap();
        let error = launch.bytes(&[0]).unwrap_err();
        assert_eq!(error.code(), status::INVALID_ARG_SIZE);
        // SAFETY: refused before anything runs.
        let error = unsafe { launch.enqueue(queue, &range, &none) }.unwrap_err();
        assert_eq!(error.code(), status::INVALID_KERNEL_ARGS);
        assert!(error.to_string().contains("`scale` expected 3 arguments"), "{error}");
    });
}

#[test]
fn wrong_arguments_are_named() {
    on_each_device(|context, queue| {
        let kernel = built(context, SOURCE).kernel("scale").unwrap();
        let buffer = Buffer::new(context, MemFlags::READ_WRITE, 32).unwrap();
        let launch = |args: &[Arg<'_>]| {
            // SAFETY: each of these is refused before anything runs.
            unsafe { kernel.launch(queue, &NdRange::new(&[1]), args, &WaitList::default()) }.unwrap_err()
        };
        let error = launch(&[Arg::Mem(&buffer)]);
        assert_eq!(error.code(), status::INVALID_KERNEL_ARGS);
        assert!(error.to_string().contains("`scale` expected 3 arguments"), "{error}");
        let error = launch(&[Arg::Mem(&buffer), Arg::Bytes(&[0; 8]), Arg::Local(4)]);
        assert_eq!(error.code(), status::INVALID_ARG_SIZE);
        for part in ["argument #2", "`factor`", "`scale`", "`int` (4 bytes)", "a value of 8 bytes"] {
            assert!(error.to_string().contains(part), "{part} is missing in: {error}");
        }
        buffer.release().unwrap();
        let error = launch(&[Arg::Mem(&buffer), Arg::Bytes(&[0; 4]), Arg::Local(4)]);
        assert_eq!(error.code(), status::INVALID_MEM_OBJECT);
        assert!(error.to_string().contains("argument #1"), "{error}");
        assert_eq!(buffer.release().unwrap_err().code(), status::INVALID_MEM_OBJECT);
        assert_eq!(kernel.set_arg(9, &Arg::Local(4)).unwrap_err().code(), status::INVALID_ARG_INDEX);
    });
}

#[test]
fn a_build_error_shows_device_options_log_and_lines() {
    on_each_device(|context, queue| {
        let program =
            Program::with_source(context, "kernel void k(global int *a)\n{\n    a[0] = no_such_name;\n}\n");
        let error = program.unwrap().build(&BuildOptions::text("-DSOME_OPTION=1")).unwrap_err();
        assert!(matches!(error, Error::Build(_)));
        let text = error.to_string();
        for part in [
            "no_such_name",
            "-DSOME_OPTION=1",
            &queue.device().name().unwrap(),
            ">    3 |     a[0] = no_such_name;",
        ] {
            assert!(text.contains(part), "{part} is missing in: {text}");
        }
    });
}

#[test]
fn a_missing_kernel_names_those_that_there_are() {
    on_each_device(|context, _| {
        let error = built(context, SOURCE).kernel("absent").unwrap_err();
        assert_eq!(error.code(), status::INVALID_KERNEL_NAME);
        assert!(error.to_string().contains("scale"), "{error}");
    });
}

#[test]
fn copies_fills_and_sub_buffers_move_the_right_bytes() {
    on_each_device(|context, queue| {
        let none = WaitList::default();
        let align = queue.device().mem_base_addr_align().unwrap() as usize / 8;
        let size = 4 * align;
        let bytes: Vec<u8> = (0..size).map(|i| i as u8).collect();
        let a = Buffer::from_slice(context, MemFlags::READ_WRITE, &bytes).unwrap();
        let b = Buffer::new(context, MemFlags::READ_WRITE, size).unwrap();
        queue.fill_buffer(&b, &[9, 8], 0, size, &none).unwrap();
        queue.copy_buffer(&a, 1, &b, 2, 3, &none).unwrap();
        let part = b.sub_buffer(MemFlags::READ_WRITE, align, align).unwrap();
        assert_eq!(part.size(), align);
        queue.write(&part, 1, &[77_u8]).unwrap();
        let mut result = vec![0_u8; size];
        queue.read(&b, 0, &mut result).unwrap();
        let mut expected: Vec<u8> = [9, 8].into_iter().cycle().take(size).collect();
        expected[2..5].copy_from_slice(&bytes[1..4]);
        expected[align + 1] = 77;
        assert_eq!(result, expected);
        assert_eq!(queue.fill_buffer(&b, &[1, 2, 3], 0, 6, &none).unwrap_err().code(), status::INVALID_VALUE);
        assert_eq!(queue.fill_buffer(&b, &[1, 2], 1, 2, &none).unwrap_err().code(), status::INVALID_VALUE);
        assert_eq!(queue.write(&b, size, &[0_u8]).unwrap_err().code(), status::INVALID_VALUE);
        assert_eq!(
            b.sub_buffer(MemFlags::READ_WRITE, align, size).unwrap_err().code(),
            status::INVALID_VALUE
        );
    });
}

#[test]
fn rect_copy_respects_pitches() {
    on_each_device(|context, queue| {
        let bytes: Vec<u8> = (0..64).collect();
        let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &bytes).unwrap();
        // Rows 2 and 3, columns 1 to 3 of an 8 x 8 square, into rows of 5 bytes.
        let rect = RectCopy {
            region: [3, 2, 1],
            origin: [1, 2, 0],
            pitches: [8, 0],
            other_origin: [1, 0, 0],
            other_pitches: [5, 0],
        };
        let mut block = [0_u8; 9];
        assert_eq!(rect.other_extent().unwrap(), block.len());
        // SAFETY: `block` is as long as the block reaches.
        unsafe {
            queue.enqueue_read_rect(&buffer, true, &rect, block.as_mut_ptr().cast(), &WaitList::default())
        }
        .unwrap();
        assert_eq!(block, [0, 17, 18, 19, 0, 0, 25, 26, 27]);
    });
}

#[test]
fn mapped_memory_reads_and_writes() {
    on_each_device(|context, queue| {
        let none = WaitList::default();
        let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &[1_u8, 2, 3, 4]).unwrap();
        let flags = MapFlags::READ | MapFlags::WRITE;
        let (map, _) = queue.map_buffer(&buffer, true, flags, 1, 2, &none).unwrap();
        // SAFETY: two bytes are mapped, and nothing else touches them.
        let bytes = unsafe { std::slice::from_raw_parts_mut(map.address().cast::<u8>(), 2) };
        assert_eq!(bytes, [2, 3]);
        bytes[1] = 30;
        map.unmap(None, &none).unwrap().wait().unwrap();
        assert_eq!(map.unmap(None, &none).unwrap_err().code(), status::INVALID_VALUE);
        let mut result = [0_u8; 4];
        queue.read(&buffer, 0, &mut result).unwrap();
        assert_eq!(result, [1, 2, 30, 4]);
    });
}

#[test]
fn events_order_commands_tell_times_and_call_back() {
    on_each_device(|context, _| {
        let properties = CommandQueueProperties::PROFILING_ENABLE;
        let queue = CommandQueue::with_properties(context, None, properties).unwrap();
        assert!(queue.is_profiling() && !queue.is_out_of_order());
        let marker = queue.marker(&WaitList::default()).unwrap();
        let barrier = queue.barrier(&[&marker].into_iter().collect()).unwrap();
        wait_for_events([&marker, &barrier]).unwrap();
        assert!(barrier.end().unwrap() >= barrier.queued().unwrap());
        if !limits::has(queue.device(), Need::LateCallbacks) {
            return;
        }
        let (send, receive) = std::sync::mpsc::channel();
        let complete = CommandExecutionStatus::COMPLETE;
        barrier.on_status(complete, move |status| send.send(status).unwrap()).unwrap();
        let wait = std::time::Duration::from_secs(20);
        assert_eq!(receive.recv_timeout(wait).unwrap(), complete);
        wait_for_events([]).unwrap();
    });
}

#[test]
fn a_user_event_holds_what_waits_for_it() {
    on_each_device(|context, queue| {
        if !limits::has(queue.device(), Need::WaitingCommands) {
            return;
        }
        let gate = UserEvent::new(context).unwrap();
        let marker = queue.marker(&[&gate].into_iter().collect()).unwrap();
        queue.flush().unwrap();
        assert!(!marker.is_complete().unwrap());
        gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
        marker.wait().unwrap();
        let error = gate.set_status(CommandExecutionStatus::COMPLETE).unwrap_err();
        assert_eq!(error.code(), status::INVALID_OPERATION);
    });
}

#[test]
fn one_kernel_is_shared_by_threads() {
    const SOURCE: &str = "kernel void k(global int *o, int v, int w) { o[get_global_id(0)] = v * 1000 + w; }";
    on_each_device(|context, queue| {
        if !limits::has(queue.device(), Need::Threads) {
            return;
        }
        let kernel = built(context, SOURCE).kernel("k").unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8_i32 {
                let kernel = &kernel;
                scope.spawn(move || {
                    let queue = CommandQueue::new(context).unwrap();
                    let buffer = Buffer::new(context, MemFlags::READ_WRITE, 16).unwrap();
                    for round in 0..50_i32 {
                        let (v, w) = (thread.to_ne_bytes(), round.to_ne_bytes());
                        let args = [Arg::Mem(&buffer), Arg::Bytes(&v), Arg::Bytes(&w)];
                        // SAFETY: four work-items write four numbers.
                        unsafe { kernel.launch(&queue, &NdRange::new(&[4]), &args, &WaitList::default()) }
                            .unwrap();
                        let mut result = [0_i32; 4];
                        queue.read(&buffer, 0, &mut result).unwrap();
                        assert_eq!(result, [thread * 1000 + round; 4]);
                    }
                });
            }
        });
    });
}
