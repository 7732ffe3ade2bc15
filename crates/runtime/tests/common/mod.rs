//! Every device found, for tests that run on real drivers.

use opencl_runtime::{CommandQueue, Context, Device, Platform};

pub(crate) mod limits;

/// All devices. Having none is a failure: tests of objects need a driver
/// (`make test` provides one and names it in `OCL_ICD_FILENAMES`).
pub(crate) fn devices() -> Vec<Device> {
    let platforms = Platform::all().expect("tests of objects need an OpenCL driver");
    let devices: Vec<Device> = platforms.iter().flat_map(|platform| platform.devices().unwrap()).collect();
    assert!(!devices.is_empty(), "tests of objects need an OpenCL device");
    devices
}

/// Runs `test` with a context and an in-order queue on each device.
#[allow(dead_code, reason = "not every test file runs on each device")]
pub(crate) fn on_each_device(test: impl Fn(&Context, &CommandQueue)) {
    for device in devices() {
        println!("on {} ({})", device.name().unwrap(), device.platform().unwrap().name().unwrap());
        let context = Context::new(&[device]).unwrap();
        let queue = CommandQueue::new(&context).unwrap();
        test(&context, &queue);
    }
}
