//! Every C call that an operation on arrays makes fails once.

#[path = "../../../driver/tests/stub/mod.rs"]
mod stub;
#[path = "../../../runtime/tests/faults/sweep.rs"]
mod sweep;

mod bench;
mod operations;

use std::ffi::OsStr;

use bench::Bench;
use operations::OPERATIONS;
use stub::{Stub, alone, library};

/// Sweeps in a process of its own, with a device of this type. Programs are built anew each time.
fn sweep_on(test: &str, device: &str, bench: fn() -> Bench) {
    let driver = library();
    // What kernels declare is asked for each of their many arguments, and need not be known.
    let missing = "missing=clGetKernelArgInfo";
    let configuration = format!("device_type={device};device_extensions=cl_khr_fp64;{missing}");
    let variables = [
        ("OCL_ICD_VENDORS", driver.as_os_str()),
        ("STUB_DRIVER", OsStr::new(&configuration)),
        ("PYOPENCL_NO_CACHE", OsStr::new("1")),
    ];
    alone(test, &variables, || {
        let (_, failures) = sweep::sweep(&Stub::open(&driver), OPERATIONS, bench);
        assert!(OPERATIONS.len() >= 30 && failures >= 1000, "the table has shrunk");
    });
}

#[test]
fn every_call_of_every_operation_may_fail() {
    sweep_on("every_call_of_every_operation_may_fail", "gpu", Bench::in_order);
}

#[test]
fn every_call_may_fail_with_kernels_for_cpus() {
    sweep_on("every_call_may_fail_with_kernels_for_cpus", "cpu", Bench::in_order);
}

#[test]
fn every_call_may_fail_on_out_of_order_queues() {
    sweep_on("every_call_may_fail_on_out_of_order_queues", "gpu", Bench::out_of_order);
}
