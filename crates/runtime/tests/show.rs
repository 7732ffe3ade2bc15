//! What `{:?}` shows of objects, on every driver found.

mod common;

use common::on_each_device;
use opencl_runtime::{Buffer, BuildOptions, MemFlags, Program};

const SOURCE: &str = "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }";

#[test]
fn objects_show_name_handle_and_size_in_one_line() {
    on_each_device(|context, queue| {
        let (device, platform) = (queue.device(), queue.device().platform().unwrap());
        assert_eq!(format!("{device:?}"), format!("Device({:?})", device.name().unwrap()));
        assert_eq!(format!("{platform:?}"), format!("Platform({:?})", platform.name().unwrap()));
        assert_eq!(format!("{context:?}"), format!("Context({:?})", context.as_raw()));
        assert_eq!(format!("{queue:?}"), format!("CommandQueue({:?} on {device:?})", queue.as_raw()));
        let program = Program::with_source(context, SOURCE).unwrap();
        program.build(&BuildOptions::default()).unwrap();
        assert_eq!(format!("{program:?}"), format!("Program({:?})", program.as_raw()));
        let kernel = program.kernel("twice").unwrap();
        assert_eq!(format!("{kernel:?}"), format!("Kernel(\"twice\" at {:?})", kernel.as_raw()));
        let buffer = Buffer::new(context, MemFlags::READ_WRITE, 64).unwrap();
        assert_eq!(format!("{buffer:?}"), format!("Buffer({:?}, 64 bytes)", buffer.as_raw().unwrap()));
        buffer.release().unwrap();
        assert_eq!(format!("{buffer:?}"), "Buffer(released, 64 bytes)");
    });
}

#[test]
fn a_failed_build_shows_its_log_to_whoever_returns_it_from_main() {
    on_each_device(|context, _| {
        let program =
            Program::with_source(context, "kernel void wrong(global int *a) { a[0] = nobody; }").unwrap();
        let error = program.build(&BuildOptions::default()).unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(format!("{error:?}").contains("nobody"));
    });
}
