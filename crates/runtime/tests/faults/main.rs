//! Every C call that an operation of the runtime makes fails once.

#[path = "../../../driver/tests/stub/mod.rs"]
mod stub;

mod bench;
mod operations;
mod sweep;

use bench::Bench;
use operations::OPERATIONS;
use stub::on_stub;

#[test]
fn every_call_of_every_operation_may_fail() {
    on_stub(
        "every_call_of_every_operation_may_fail",
        "compute_units=4;device_extensions=cl_khr_fp64 cl_khr_icd cl_khr_gl_sharing",
        |stub| {
            let (_, failures) = sweep::sweep(stub, OPERATIONS, Bench::new);
            assert!(OPERATIONS.len() >= 60 && failures >= 1000, "the table has shrunk");
        },
    );
}
