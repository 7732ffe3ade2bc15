//! Choosing devices: by a text, on every driver found; by environment variables, on the stub driver.

mod common;
#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use std::ffi::OsStr;

use common::devices;
use opencl_runtime::{Context, Platform, choose_devices, devices_named, status};

#[test]
fn numbers_and_names_choose_devices() {
    for (index, platform) in Platform::all().unwrap().iter().enumerate() {
        let all = platform.devices().unwrap();
        if all.is_empty() {
            println!("{platform:?} has no device");
            continue;
        }
        assert_eq!(devices_named(&index.to_string()).unwrap(), all[..1]);
        assert_eq!(devices_named(&format!("{index}:")).unwrap(), all[..1]);
        let every: Vec<_> = (0..all.len()).map(|index| index.to_string()).collect();
        assert_eq!(devices_named(&format!("{index}:{}", every.join(","))).unwrap(), all);
        // A colon in the name would end it.
        let name = all[0].name().unwrap().to_uppercase();
        if !name.contains([':', ',']) {
            assert_eq!(devices_named(&format!("{index}:{name}")).unwrap(), all[..1]);
        }
    }
}

#[test]
fn what_matches_nothing_is_named() {
    assert!(!devices().is_empty());
    let error = devices_named("no such platform").unwrap_err();
    assert_eq!(error.code(), status::DEVICE_NOT_FOUND);
    assert!(error.to_string().contains("\"no such platform\" did not match any platform"), "{error}");
    let error = devices_named("0:999").unwrap_err();
    assert!(error.to_string().contains("\"0:999\": \"999\" did not match any device"), "{error}");
    let error = devices_named("0:0:0").unwrap_err();
    assert_eq!(error.code(), status::INVALID_VALUE);
}

/// Plays `scenario` where these variables are set and the stub driver has two platforms of three devices.
fn with_variables(test: &str, variables: &[(&str, &str)], scenario: impl FnOnce()) {
    let library = stub::library();
    let driver = [
        ("OCL_ICD_VENDORS", library.as_os_str()),
        ("STUB_DRIVER", OsStr::new("platforms=2;devices=3")),
        ("PYOPENCL_TEST", OsStr::new("")),
    ];
    let own = variables.iter().map(|&(name, value)| (name, OsStr::new(value)));
    stub::alone(test, &driver.into_iter().chain(own).collect::<Vec<_>>(), scenario);
}

#[test]
fn pyopencl_ctx_chooses_several_devices() {
    with_variables("pyopencl_ctx_chooses_several_devices", &[("PYOPENCL_CTX", "1:2,0")], || {
        let all = Platform::all().unwrap()[1].devices().unwrap();
        assert_eq!(choose_devices().unwrap(), [all[2].clone(), all[0].clone()]);
        assert_eq!(Context::from_environment().unwrap().devices().unwrap().len(), 2);
    });
}

#[test]
fn pyopencl_test_wins_and_gives_one_device() {
    let variables = [("PYOPENCL_CTX", "0:0"), ("PYOPENCL_TEST", "1:1,2;0:0")];
    with_variables("pyopencl_test_wins_and_gives_one_device", &variables, || {
        let all = Platform::all().unwrap()[1].devices().unwrap();
        assert_eq!(choose_devices().unwrap(), [all[1].clone()]);
    });
}

#[test]
fn a_variable_that_matches_nothing_is_named() {
    with_variables("a_variable_that_matches_nothing_is_named", &[("PYOPENCL_CTX", "nvidia")], || {
        let text = choose_devices().unwrap_err().to_string();
        assert!(text.contains("PYOPENCL_CTX=\"nvidia\": \"nvidia\" did not match any platform"), "{text}");
    });
}
