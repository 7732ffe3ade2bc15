//! Platforms of old versions, on the stub driver: older functions take over, and what there is not is named.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use opencl_runtime::cache::{Cache, build_in};
use opencl_runtime::constants::{AddressingMode, ChannelOrder, ChannelType, FilterMode};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandExecutionStatus, CommandQueue, CommandQueueProperties, Context, Device,
    Error, Image, ImageBlock, ImageDescriptor, ImageFormat, MemFlags, MemMigrationFlags, MemObject, NdRange,
    Pipe, Platform, Program, RectCopy, Result, Sampler, UserEvent, Version, WaitList, status,
};
use stub::{Stub, on_stub};

const SOURCE: &str =
    "kernel void fill(global int *out, int n) { STUB_FILL(out, 7); }\nkernel void empty(void) {}";

/// A queue on the one device.
fn queue() -> CommandQueue {
    let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
    CommandQueue::new(&Context::new(&[device]).unwrap()).unwrap()
}

/// The functions among `names` that were called since the last question, and how often.
fn called(stub: &Stub, names: &[&str]) -> Vec<u64> {
    let counts = names.iter().map(|name| stub.calls(name)).collect();
    stub.forget_calls();
    counts
}

/// An error that names the function that the driver lacks, and its version.
fn assert_unsupported<T: std::fmt::Debug>(outcome: Result<T>, function: &str, version: Version) {
    let error = outcome.unwrap_err();
    let named = matches!(
        &error,
        Error::Unsupported { function: f, version: v } if *f == function && *v == version
    );
    assert!(named, "{error:?}");
    let text = error.to_string();
    assert!(text.contains(function) && text.contains(&format!("OpenCL {version}")), "{text}");
    assert_eq!(error.code(), status::INVALID_OPERATION);
}

/// An error that says which version or extension brought the question.
fn assert_needs<T: std::fmt::Debug>(outcome: Result<T>, what: &str) {
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), status::INVALID_VALUE);
    assert!(error.to_string().ends_with(&format!("this question needs {what}")), "{error}");
}

/// What every version can: buffers, copies, programs, kernels, launches.
fn assert_works(queue: &CommandQueue) {
    let context = queue.context();
    let buffer = Buffer::from_slice(context, MemFlags::READ_WRITE, &[1_i32, 2, 3, 4]).unwrap();
    let program = Program::with_source(context, SOURCE).unwrap();
    program.build(&BuildOptions::default()).unwrap();
    let kernel = program.kernel("fill").unwrap();
    let types: Vec<_> = kernel.parameters().iter().map(|one| one.type_name.clone()).collect();
    assert_eq!(types, ["int*", "int"]);
    let args = [Arg::Mem(&buffer), Arg::Bytes(&[0; 4])];
    // SAFETY: the kernel fills the first two numbers.
    unsafe { kernel.launch(queue, &NdRange::new(&[2]), &args, &WaitList::default()) }.unwrap();
    let mut numbers = [0_i32; 4];
    queue.read(&buffer, 0, &mut numbers).unwrap();
    assert_eq!(numbers, [7, 7, 3, 4]);
    let error = kernel.set_arg(1, &Arg::Bytes(&[0; 8])).unwrap_err();
    assert!(error.to_string().contains("`int` (4 bytes)"), "{error}");
    assert_eq!(kernel.fresh().unwrap().name(), "fill");
    assert_eq!(program.all_kernels().unwrap().len(), 2);
    let error = program.kernel("absent").unwrap_err();
    assert_eq!(error.code(), status::INVALID_KERNEL_NAME);
    assert!(error.to_string().contains("no kernel \"absent\""), "{error}");
    assert!(!error.to_string().ends_with(": "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::Directory(folder.path().to_owned());
    let build = || build_in(&cache, context, SOURCE, &BuildOptions::text("-DX"), None).unwrap();
    assert_eq!([build().found, build().found], [false, true]);
}

/// Markers and barriers as they were before 1.2.
fn assert_old_synchronisation(stub: &Stub, queue: &CommandQueue) {
    let names = [
        "clEnqueueWaitForEvents",
        "clEnqueueBarrier",
        "clEnqueueMarker",
        "clEnqueueMarkerWithWaitList",
        "clEnqueueBarrierWithWaitList",
    ];
    stub.forget_calls();
    let marker = queue.marker(&WaitList::default()).unwrap();
    assert_eq!(called(stub, &names), [0, 0, 1, 0, 0]);
    let after: WaitList<'_> = [&marker].into_iter().collect();
    let marker = queue.marker(&after).unwrap();
    assert_eq!(called(stub, &names), [1, 0, 1, 0, 0]);
    let barrier = queue.barrier(&WaitList::default()).unwrap();
    assert_eq!(called(stub, &names), [0, 1, 1, 0, 0]);
    queue.barrier(&after).unwrap();
    assert_eq!(called(stub, &names), [1, 1, 1, 0, 0]);
    for function in ["clEnqueueWaitForEvents", "clEnqueueBarrier", "clEnqueueMarker"] {
        let live = stub.live_total();
        stub.fail(function, 1, status::OUT_OF_RESOURCES);
        let error = queue.barrier(&after).unwrap_err();
        assert_eq!((error.code(), error.routine()), (status::OUT_OF_RESOURCES, function));
        assert_eq!(stub.live_total(), live);
    }
    opencl_runtime::wait_for_events(&[marker, barrier]).unwrap();
}

/// Queues as they were before 2.0.
fn assert_old_queues(stub: &Stub, queue: &CommandQueue) {
    stub.forget_calls();
    let properties = CommandQueueProperties::PROFILING_ENABLE;
    let made = CommandQueue::with_properties(queue.context(), None, properties).unwrap();
    let names = ["clCreateCommandQueue", "clCreateCommandQueueWithProperties"];
    assert_eq!(called(stub, &names), [1, 0]);
    assert!(made.is_profiling());
    assert_eq!(made.properties().unwrap(), properties);
    let version = Platform::all().unwrap()[0].opencl_version();
    let listed = CommandQueue::with_property_list(queue.context(), None, &[]);
    assert_unsupported(listed, "clCreateCommandQueueWithProperties", version);
}

/// Images and samplers as they were before 1.2 and 2.0.
fn assert_old_images(stub: &Stub, queue: &CommandQueue, version: Version) {
    let context = queue.context();
    let format = ImageFormat::new(ChannelOrder::RGBA, ChannelType::UNSIGNED_INT8);
    let image = |shape: &[usize], is_array| {
        let descriptor = ImageDescriptor::of_shape(shape, is_array).unwrap();
        let bytes: Vec<u8> = (0..4 * shape.iter().product::<usize>()).map(|number| number as u8).collect();
        Image::from_slice(context, MemFlags::READ_WRITE, format, &descriptor, &bytes)
    };
    stub.forget_calls();
    let square = image(&[4, 3], false).unwrap();
    let cube = image(&[4, 3, 2], false).unwrap();
    assert_eq!(called(stub, &["clCreateImage2D", "clCreateImage3D", "clCreateImage"]), [1, 1, 0]);
    assert_eq!((square.shape().unwrap(), cube.shape().unwrap()), (vec![4, 3], vec![4, 3, 2]));
    let mut bytes = [0_u8; 96];
    queue.read_image(&cube, &ImageBlock::whole(&cube).unwrap(), &mut bytes).unwrap();
    assert_eq!(bytes[95], 95);
    for (shape, is_array) in [(&[4][..], false), (&[4, 3], true), (&[4, 3, 2], true)] {
        assert_unsupported(image(shape, is_array), "clCreateImage", version);
    }
    let filled = queue.fill_image(&square, &[0; 16], [0; 3], [1; 3], &WaitList::default());
    assert_unsupported(filled, "clEnqueueFillImage", version);
    let (edge, nearest) = (AddressingMode::CLAMP_TO_EDGE, FilterMode::NEAREST);
    let sampler = Sampler::new(context, true, edge, nearest).unwrap();
    assert_eq!(called(stub, &["clCreateSampler", "clCreateSamplerWithProperties"]), [1, 0]);
    assert_eq!((sampler.addressing_mode().unwrap(), sampler.filter_mode().unwrap()), (edge, nearest));
    let listed = Sampler::with_properties(context, &[]);
    assert_unsupported(listed, "clCreateSamplerWithProperties", version);
    assert_unsupported(Pipe::new(context, MemFlags::READ_WRITE, 4, 4, &[]), "clCreatePipe", version);
}

/// What came with 1.2.
fn assert_without_1_2(queue: &CommandQueue, version: Version) {
    let context = queue.context();
    let buffer = Buffer::new(context, MemFlags::READ_WRITE, 64).unwrap();
    let filled = queue.fill_buffer(&buffer, &[1], 0, 64, &WaitList::default());
    assert_unsupported(filled, "clEnqueueFillBuffer", version);
    let moved = queue.migrate(&[&buffer], MemMigrationFlags::HOST, &WaitList::default());
    assert_unsupported(moved, "clEnqueueMigrateMemObjects", version);
    let program = Program::with_source(context, SOURCE).unwrap();
    let options = BuildOptions::default();
    assert_unsupported(program.compile(&options, None, &[]), "clCompileProgram", version);
    assert_unsupported(opencl_runtime::link(context, &[], &options, None), "clLinkProgram", version);
    assert_unsupported(queue.device().create_sub_devices(&[0x1086, 1]), "clCreateSubDevices", version);
    assert_unsupported(Platform::all().unwrap()[0].unload_compiler(), "clUnloadPlatformCompiler", version);
    program.build(&options).unwrap();
    let kernel = program.kernel("fill").unwrap();
    assert_unsupported(kernel.arg_info_text(0, 0x119A), "clGetKernelArgInfo", version);
    assert_needs(program.kernel_names(), "OpenCL 1.2");
    assert_needs(kernel.attributes(), "OpenCL 1.2");
}

#[test]
fn a_platform_of_1_0_does_what_1_0_can() {
    let configuration = "version=OpenCL 1.0 Stub;table=short:66";
    on_stub("a_platform_of_1_0_does_what_1_0_can", configuration, |stub| {
        let queue = queue();
        let version = Version::new(1, 0);
        assert_works(&queue);
        assert_old_queues(stub, &queue);
        assert_old_synchronisation(stub, &queue);
        assert_without_1_2(&queue, version);
        assert_old_images(stub, &queue, version);
        let buffer = Buffer::new(queue.context(), MemFlags::READ_WRITE, 64).unwrap();
        assert_unsupported(buffer.sub_buffer(MemFlags::READ_WRITE, 0, 8), "clCreateSubBuffer", version);
        assert_unsupported(UserEvent::new(queue.context()), "clCreateUserEvent", version);
        let kept = std::sync::Arc::new(());
        let held = std::sync::Arc::clone(&kept);
        let event = queue.marker(&WaitList::default()).unwrap();
        let set = event.on_status(CommandExecutionStatus::COMPLETE, move |_| drop(held));
        assert_unsupported(set, "clSetEventCallback", version);
        assert_eq!(std::sync::Arc::strong_count(&kept), 1);
        let rect = RectCopy { region: [1, 1, 1], ..RectCopy::default() };
        let copied = queue.copy_buffer_rect(&buffer, &buffer, &rect, &WaitList::default());
        assert_unsupported(copied, "clEnqueueCopyBufferRect", version);
        assert_needs(buffer.offset(), "OpenCL 1.1");
        drop((queue, buffer, event));
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn a_platform_of_1_1_does_what_1_1_can() {
    let configuration = "version=OpenCL 1.1 Stub;table=short:89";
    on_stub("a_platform_of_1_1_does_what_1_1_can", configuration, |stub| {
        let queue = queue();
        assert_works(&queue);
        assert_old_queues(stub, &queue);
        assert_old_synchronisation(stub, &queue);
        assert_without_1_2(&queue, Version::new(1, 1));
        assert_old_images(stub, &queue, Version::new(1, 1));
        let buffer = Buffer::new(queue.context(), MemFlags::READ_WRITE, 256).unwrap();
        let part = buffer.sub_buffer(MemFlags::READ_WRITE, 128, 8).unwrap();
        assert_eq!(part.offset().unwrap(), 128);
        let gate = UserEvent::new(queue.context()).unwrap();
        let marker = queue.marker(&[&gate].into_iter().collect()).unwrap();
        assert!(!marker.is_complete().unwrap());
        gate.set_status(CommandExecutionStatus::COMPLETE).unwrap();
        marker.wait().unwrap();
        let again = queue.query_device().unwrap();
        assert_eq!(&again, queue.device());
        assert_eq!(stub.calls("clRetainDevice") + stub.calls("clReleaseDevice"), 0);
        drop((queue, buffer, part, gate, marker));
        assert_eq!(stub.live_total(), 0);
    });
}

#[test]
fn a_platform_of_1_2_does_what_1_2_can() {
    let configuration = "version=OpenCL 1.2 Stub;table=short:109";
    on_stub("a_platform_of_1_2_does_what_1_2_can", configuration, |stub| {
        let queue = queue();
        let version = Version::new(1, 2);
        assert_works(&queue);
        assert_old_queues(stub, &queue);
        stub.forget_calls();
        queue.marker(&WaitList::default()).unwrap();
        queue.barrier(&WaitList::default()).unwrap();
        let names = ["clEnqueueMarkerWithWaitList", "clEnqueueBarrierWithWaitList", "clEnqueueMarker"];
        assert_eq!(called(stub, &names), [1, 1, 0]);
        let buffer = Buffer::new(queue.context(), MemFlags::READ_WRITE, 64).unwrap();
        queue.fill_buffer(&buffer, &[1], 0, 64, &WaitList::default()).unwrap();
        assert_unsupported(Program::with_il(queue.context(), b"module"), "clCreateProgramWithIL", version);
        assert_unsupported(queue.device().host_timer(), "clGetHostTimer", version);
        assert_needs(buffer.uses_svm_pointer(), "OpenCL 2.0");
        assert_needs(queue.properties_array(), "OpenCL 3.0");
        let platform = Platform::all().unwrap()[0];
        assert_needs(platform.host_timer_resolution(), "OpenCL 2.1");
        assert_needs(platform.numeric_version(), "OpenCL 3.0");
        assert_needs(queue.device().warp_size_nv(), "cl_nv_device_attribute_query");
    });
}

#[test]
fn a_function_that_a_new_driver_lacks_is_named() {
    let configuration = "missing=clEnqueueFillBuffer,clCloneKernel,clGetEventInfo";
    on_stub("a_function_that_a_new_driver_lacks_is_named", configuration, |_| {
        let queue = queue();
        let version = Version::new(3, 0);
        assert_works(&queue);
        let buffer = Buffer::new(queue.context(), MemFlags::READ_WRITE, 64).unwrap();
        let filled = queue.fill_buffer(&buffer, &[1], 0, 64, &WaitList::default());
        assert_unsupported(filled, "clEnqueueFillBuffer", version);
        let program = Program::with_source(queue.context(), SOURCE).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        let kernel = program.kernel("fill").unwrap();
        assert_unsupported(kernel.duplicate(), "clCloneKernel", version);
        let event = queue.marker(&WaitList::default()).unwrap();
        assert_unsupported(event.is_complete(), "clGetEventInfo", version);
    });
}

#[test]
fn handles_that_are_none_are_refused() {
    on_stub("handles_that_are_none_are_refused", "", |_| {
        let zeroes = [0_usize; 4];
        for address in [std::ptr::null_mut(), (&raw const zeroes).cast_mut().cast()] {
            // SAFETY: the first word, which is all that is read, is there, or the handle is null.
            let error = unsafe { MemObject::from_raw(address, true) }.unwrap_err();
            assert_eq!(error.code(), status::INVALID_MEM_OBJECT);
            // SAFETY: as above.
            let error = unsafe { Device::from_raw(address, false) }.unwrap_err();
            assert_eq!(error.code(), status::INVALID_DEVICE);
            // SAFETY: as above.
            let error = unsafe { Context::from_raw(address, true) }.unwrap_err();
            assert_eq!(error.code(), status::INVALID_CONTEXT);
        }
        let error = Platform::from_raw(std::ptr::null_mut()).unwrap_err();
        assert_eq!(error.code(), status::INVALID_PLATFORM);
    });
}

#[test]
fn objects_of_two_platforms_do_not_mix() {
    on_stub("objects_of_two_platforms_do_not_mix", "platforms=2;1.version=OpenCL 1.2 Stub", |_| {
        let platforms = Platform::all().unwrap();
        let devices: Vec<Device> = platforms.iter().flat_map(|one| one.devices().unwrap()).collect();
        assert_eq!(Context::new(&devices).unwrap_err().code(), status::INVALID_DEVICE);
        assert_eq!(Context::new(&[]).unwrap_err().code(), status::INVALID_VALUE);
        let events: Vec<UserEvent> =
            devices.chunks(1).map(|one| UserEvent::new(&Context::new(one).unwrap()).unwrap()).collect();
        let error = opencl_runtime::wait_for_events(events.iter().map(|event| &**event)).unwrap_err();
        assert_eq!(error.code(), status::INVALID_CONTEXT);
        assert!(error.to_string().contains("different platforms"), "{error}");
    });
}
