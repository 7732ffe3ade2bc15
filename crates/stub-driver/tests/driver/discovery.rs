//! Platforms, devices, and the tables that a loader meets.

use std::ptr::null_mut;

use crate::harness::sys::*;
use crate::harness::{Bench, Stub, table, turn};

fn platform_text(platform: cl_platform_id, name: cl_platform_info) -> String {
    let mut size = 0;
    let status = cl!(platform => clGetPlatformInfo(platform, name, 0, null_mut(), &raw mut size));
    assert_eq!(status, CL_SUCCESS);
    let mut text = vec![0_u8; size];
    let at = text.as_mut_ptr().cast();
    assert_eq!(
        cl!(platform => clGetPlatformInfo(platform, name, size - 1, at, null_mut())),
        CL_INVALID_VALUE,
        "one byte too few"
    );
    assert_eq!(cl!(platform => clGetPlatformInfo(platform, name, size, at, null_mut())), CL_SUCCESS);
    assert_eq!(text.pop(), Some(0));
    String::from_utf8(text).unwrap()
}

fn words(platform: cl_platform_id, slots: usize) -> Vec<usize> {
    let start = table(platform).cast::<usize>();
    // SAFETY: the caller names how many slots the table has.
    (0..slots).map(|slot| unsafe { start.add(slot).read() }).collect()
}

#[test]
fn platforms_and_devices_are_as_configured() {
    let _turn = turn();
    let stub = Stub::open("platforms=2;devices=3;version=OpenCL 1.1 Stub;1.name=Second;1.devices=0");
    let platforms = stub.platforms().unwrap();
    assert_eq!(platforms.len(), 2);
    assert_eq!(platform_text(platforms[0], CL_PLATFORM_NAME), "Stub");
    assert_eq!(platform_text(platforms[1], CL_PLATFORM_NAME), "Second");
    assert_eq!(platform_text(platforms[0], CL_PLATFORM_VERSION), "OpenCL 1.1 Stub");
    let mut count = 0;
    let first = platforms[0];
    let all = CL_DEVICE_TYPE_ALL;
    assert_eq!(cl!(first => clGetDeviceIDs(first, all, 0, null_mut(), &raw mut count)), CL_SUCCESS);
    assert_eq!(count, 3);
    let second = platforms[1];
    let status = cl!(second => clGetDeviceIDs(second, all, 0, null_mut(), &raw mut count));
    assert_eq!(status, CL_DEVICE_NOT_FOUND);
    assert_eq!(stub.configure("platforms=0"), 0);
    assert_eq!(stub.platforms(), Err(CL_PLATFORM_NOT_FOUND_KHR));
    assert_eq!(stub.configure("nonsense=1"), -1);
}

#[test]
fn short_tables_end_before_a_page_without_access() {
    let _turn = turn();
    let stub = Stub::open("table=short:81;version=OpenCL 1.1 Stub");
    let platform = stub.platforms().unwrap()[0];
    assert!(words(platform, 66).iter().all(|word| *word != 0));
    let end = table(platform) as usize + 81 * size_of::<usize>();
    assert_eq!(end % 4096, 0);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let after = maps.lines().find(|line| line.starts_with(&format!("{end:x}-"))).unwrap();
    assert!(after.contains("---p"), "{after}");
}

#[test]
fn missing_functions_have_no_slot() {
    let _turn = turn();
    let stub = Stub::open("missing=clSVMAlloc,clEnqueueFillBuffer");
    let whole = table(stub.platforms().unwrap()[0]);
    // SAFETY: the table has all slots.
    let whole: cl_icd_dispatch = unsafe { whole.read() };
    assert!(whole.clSVMAlloc.is_none() && whole.clEnqueueFillBuffer.is_none() && whole.clSVMFree.is_some());
}

#[test]
fn second_edition_drivers_carry_tags() {
    let _turn = turn();
    let stub = Stub::open("icd2=tags");
    let slots = words(stub.platforms().unwrap()[0], 150);
    assert_eq!((slots[0], slots[31]), [CL_ICD2_TAG_KHR as usize; 2].into());
    assert!(slots[1] != 0 && slots[149] != 0);
    assert_eq!(stub.configure("icd2=byname"), 0);
    let platform = stub.platforms().unwrap()[0];
    let slots = words(platform, 150);
    let set: Vec<_> = (0..150).filter(|slot| slots[*slot] != 0).collect();
    assert_eq!(set, [0, 31]);
    let by_name = stub.extension("clIcdGetFunctionAddressForPlatformKHR");
    // SAFETY: the driver gives the function of this name.
    let by_name: clIcdGetFunctionAddressForPlatformKHR_t = unsafe { std::mem::transmute(by_name) };
    let get = by_name.unwrap();
    // SAFETY: a platform and a C string.
    assert!(!unsafe { get(platform, c"clFinish".as_ptr()) }.is_null());
    // SAFETY: as above.
    assert!(unsafe { get(platform, c"clNoSuchFunction".as_ptr()) }.is_null());
    assert_eq!(stub.calls("clIcdSetPlatformDispatchDataKHR"), 0);
    assert_eq!(stub.configure("icd2=none"), 0);
    assert!(stub.extension("clIcdGetFunctionAddressForPlatformKHR").is_null());
}

#[test]
fn sub_devices_are_counted() {
    let _turn = turn();
    let bench = Bench::new("compute_units=4");
    let properties = [CL_DEVICE_PARTITION_EQUALLY, 2, 0];
    let mut parts = [null_mut(); 2];
    let device = bench.device;
    let status =
        cl!(device => clCreateSubDevices(device, properties.as_ptr(), 2, parts.as_mut_ptr(), null_mut()));
    assert_eq!(status, CL_SUCCESS);
    assert_eq!(bench.stub.live("device"), 2);
    for part in parts {
        assert_eq!(cl!(part => clReleaseDevice(part)), CL_SUCCESS);
    }
    assert_eq!(bench.stub.live("device"), 0);
    assert_eq!(cl!(device => clReleaseDevice(device)), CL_SUCCESS, "root devices are not counted");
}

#[test]
fn the_environment_configures_a_process() {
    let _turn = turn();
    let count = Stub::open("").platforms().unwrap().len();
    println!("{count} platforms");
    if count == 1 {
        // Once more, in a process that has the variable.
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "discovery::the_environment_configures_a_process", "--nocapture"]);
        let output = child.env("STUB_DRIVER", "platforms=3;version=OpenCL 1.2 Stub").output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("3 platforms"), "{output:?}");
    }
}
