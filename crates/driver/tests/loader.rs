//! The loader on the stub driver: tables of every kind, broken drivers, retries, foreign handles.

mod stub;

use std::ffi::{OsStr, c_void};
use std::path::{Path, PathBuf};
use std::{fs, ptr};

use opencl_driver::search::Found;
use opencl_driver::{Api, Platform, Version, api_of, platforms, report};
use stub::{Stub, alone, library, on_stub};

/// Functions of the table that the stub does not have: of objects shared with OpenGL, those that no core version knows.
const ABSENT: [&str; 2] = ["clGetGLContextInfoKHR", "clCreateEventFromGLsyncKHR"];

/// The names of the functions that are there must be those of the version, without `missing`.
fn assert_complete(api: &Api, missing: &[&str]) {
    for (name, since, present) in api.entries() {
        let expected = since <= api.version && !ABSENT.contains(&name) && !missing.contains(&name);
        assert_eq!(present, expected, "{name} of OpenCL {since} on OpenCL {}", api.version);
    }
}

/// The number of devices, asked through the table.
fn device_count(platform: &Platform) -> u32 {
    let mut count = 0;
    let all = opencl_driver::sys::CL_DEVICE_TYPE_ALL;
    let get = platform.api.clGetDeviceIDs.unwrap();
    // SAFETY: the platform is live, and a null list asks for the count.
    assert_eq!(unsafe { get(platform.raw, all, 0, ptr::null_mut(), &raw mut count) }, 0);
    count
}

/// A copy of the stub: to the loader another driver.
fn copy_of_stub(folder: &Path, name: &str) -> PathBuf {
    let copy = folder.join(name);
    fs::copy(library(), &copy).unwrap();
    copy
}

/// What `NoPlatform` says.
fn refusal() -> String {
    let text = platforms().map(<[Platform]>::len).unwrap_err().to_string();
    println!("{text}");
    text
}

#[test]
fn a_driver_of_today_gives_a_whole_table() {
    on_stub("a_driver_of_today_gives_a_whole_table", "devices=2", |stub| {
        let list = platforms().unwrap();
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].api.version, list[0].origin.as_path()), (Version::new(3, 0), &*library()));
        assert_eq!(list[0].api.platform, list[0].raw);
        assert_complete(list[0].api, &[]);
        assert_eq!(device_count(&list[0]), 2);
        let calls = stub.calls("clIcdGetPlatformIDsKHR");
        assert!(ptr::eq(platforms().unwrap(), list), "the second call gives the same list");
        assert_eq!(stub.calls("clIcdGetPlatformIDsKHR"), calls, "and asks no driver");
        assert!(report().failures.is_empty());
        assert_eq!(report().places[0].found, Found::Drivers(1));
    });
}

#[test]
fn a_newer_driver_has_the_newest_functions() {
    on_stub("a_newer_driver_has_the_newest_functions", "version=OpenCL 3.1 Stub", |_| {
        assert_complete(platforms().unwrap()[0].api, &[]);
        assert!(platforms().unwrap()[0].api.clGetKernelSuggestedLocalWorkSize.is_some());
    });
}

#[test]
fn tags_do_not_disturb_a_whole_table() {
    on_stub("tags_do_not_disturb_a_whole_table", "icd2=tags", |stub| {
        let platform = &platforms().unwrap()[0];
        assert_complete(platform.api, &[]);
        assert_eq!(device_count(platform), 1);
        assert_eq!(stub.calls("clIcdSetPlatformDispatchDataKHR"), 0);
    });
}

#[test]
fn an_empty_table_with_tags_is_filled_by_name() {
    let configuration = "icd2=byname;missing=clSVMAlloc,clEnqueueFillBuffer;version=OpenCL 2.1 Stub";
    on_stub("an_empty_table_with_tags_is_filled_by_name", configuration, |stub| {
        let platform = &platforms().unwrap()[0];
        assert_eq!(platform.api.version, Version::new(2, 1));
        assert_complete(platform.api, &["clSVMAlloc", "clEnqueueFillBuffer"]);
        assert_eq!(device_count(platform), 1);
        assert!(stub.calls("clIcdGetFunctionAddressForPlatformKHR") > 0);
        // That call is a loader's way to hand out objects that begin with its own table; ours has none.
        assert_eq!(stub.calls("clIcdSetPlatformDispatchDataKHR"), 0);
    });
}

/// Tables that end with the version's last function, before a page that cannot be read.
fn short_table(test: &str, version: &str, slots: usize) {
    let configuration = format!("version=OpenCL {version} Stub;table=short:{slots}");
    on_stub(test, &configuration, |_| {
        let platform = &platforms().unwrap()[0];
        assert_eq!(platform.api.version.to_string(), version);
        assert_complete(platform.api, &[]);
        assert_eq!(device_count(platform), 1);
    });
}

#[test]
fn a_short_table_of_1_0_is_not_over_read() {
    short_table("a_short_table_of_1_0_is_not_over_read", "1.0", 66);
}

#[test]
fn a_short_table_of_1_1_is_not_over_read() {
    short_table("a_short_table_of_1_1_is_not_over_read", "1.1", 89);
}

#[test]
fn a_short_table_of_1_2_is_not_over_read() {
    short_table("a_short_table_of_1_2_is_not_over_read", "1.2", 109);
}

#[test]
fn a_short_table_of_2_0_is_not_over_read() {
    short_table("a_short_table_of_2_0_is_not_over_read", "2.0", 136);
}

#[test]
fn a_short_table_of_2_2_is_not_over_read() {
    short_table("a_short_table_of_2_2_is_not_over_read", "2.2", 146);
}

#[test]
fn a_short_table_of_3_0_is_not_over_read() {
    short_table("a_short_table_of_3_0_is_not_over_read", "3.0", 149);
}

#[test]
fn functions_that_a_driver_lacks_are_none() {
    let configuration = "missing=clEnqueueFillBuffer,clFlush,clCreateUserEvent";
    on_stub("functions_that_a_driver_lacks_are_none", configuration, |_| {
        assert_complete(
            platforms().unwrap()[0].api,
            &["clEnqueueFillBuffer", "clFlush", "clCreateUserEvent"],
        );
    });
}

#[test]
fn each_platform_has_the_table_of_its_version() {
    let configuration = "platforms=4;0.version=OpenCL 1.0 A;0.table=short:66;1.version=OpenCL 1.2 B;\
                         1.table=short:109;2.version=OpenCL 3.1 C;3.version=nonsense";
    on_stub("each_platform_has_the_table_of_its_version", configuration, |_| {
        let list = platforms().unwrap();
        let versions: Vec<_> = list.iter().map(|platform| platform.api.version.to_string()).collect();
        assert_eq!(versions, ["1.0", "1.2", "3.1"], "the one whose version cannot be read is left out");
        for platform in list {
            assert_complete(platform.api, &[]);
            assert_eq!(platform.api.platform, platform.raw);
            // SAFETY: a platform is a live object.
            let api = unsafe { api_of(platform.raw) }.unwrap();
            assert!(ptr::eq(api, platform.api));
        }
    });
}

#[test]
fn a_version_that_cannot_be_read_is_told() {
    on_stub("a_version_that_cannot_be_read_is_told", "version=nonsense", |_| {
        let text = refusal();
        assert!(text.contains("version text \"nonsense\""), "{text}");
    });
}

#[test]
fn a_driver_that_fails_is_skipped_and_its_reason_remembered() {
    let test = "a_driver_that_fails_is_skipped_and_its_reason_remembered";
    let folder = tempfile::tempdir().unwrap();
    let names = ["failing.so", "empty.so", "speechless.so", "good.so"];
    let copies = names.map(|name| copy_of_stub(folder.path(), name));
    let list = std::env::join_paths(&copies).unwrap();
    let nowhere = folder.path().join("nowhere");
    let variables = [("OCL_ICD_FILENAMES", list.as_os_str()), ("OPENCL_VENDOR_PATH", nowhere.as_os_str())];
    alone(test, &variables, || {
        // The process that plays has the paths from its variable, and folders of its own.
        #[allow(clippy::disallowed_methods, reason = "the paths that the other process chose")]
        let list = std::env::var_os("OCL_ICD_FILENAMES").unwrap();
        let paths: Vec<PathBuf> = std::env::split_paths(&list).collect();
        let stubs: Vec<Stub> = paths.iter().map(|path| Stub::open(path)).collect();
        stubs[0].fail("clIcdGetPlatformIDsKHR", 0, -6);
        stubs[1].configure("platforms=0");
        stubs[2].fail("clGetPlatformInfo", 0, -5);
        let found = platforms().unwrap();
        let origins: Vec<_> = found.iter().map(|platform| platform.origin.clone()).collect();
        assert_eq!(origins, [paths[3].clone()]);
        assert_eq!(device_count(&found[0]), 1);
        let failures = report().failures;
        let expected = [
            "clIcdGetPlatformIDsKHR failed: OUT_OF_HOST_MEMORY",
            "it has no platform",
            "clGetPlatformInfo failed: OUT_OF_RESOURCES",
        ];
        assert_eq!(failures.len(), expected.len());
        for ((failure, path), reason) in failures.iter().zip(&paths).zip(expected) {
            assert_eq!((&failure.library, failure.named_by.as_str()), (path, "OCL_ICD_FILENAMES"));
            assert!(failure.reason.starts_with(reason), "{}", failure.reason);
        }
    });
}

#[test]
fn a_platform_list_that_fails_the_second_time_is_told() {
    on_stub("a_platform_list_that_fails_the_second_time_is_told", "", |stub| {
        stub.fail("clIcdGetPlatformIDsKHR", 2, -6);
        let text = refusal();
        assert!(text.contains("clIcdGetPlatformIDsKHR failed: OUT_OF_HOST_MEMORY"), "{text}");
        assert_eq!(platforms().unwrap().len(), 1, "and tried anew");
    });
}

#[test]
fn what_is_no_driver_is_told_with_the_places_and_a_hint() {
    let test = "what_is_no_driver_is_told_with_the_places_and_a_hint";
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("text.so", "this is no library");
    write("text.icd", &format!("{}\n", folder.path().join("text.so").display()));
    write("libm.icd", "libm.so.6\n");
    write("dangling.icd", "/nowhere/libgone.so\n");
    write("empty.icd", "\n");
    let vendors = folder.path().as_os_str();
    alone(test, &[("OCL_ICD_VENDORS", vendors)], || {
        let text = refusal();
        let failures = report().failures;
        assert_eq!(failures.len(), 3, "{text}");
        for part in [
            "no OpenCL platform found",
            "places searched:",
            "(OCL_ICD_VENDORS): names 3 drivers",
            "drivers that failed:",
            "/text.so (named by ",
            "cannot be opened: ",
            "libm.so.6 (named by ",
            "is no OpenCL driver: it has no `clGetExtensionFunctionAddress`",
            "/nowhere/libgone.so (named by ",
            "No such file",
            "pip install pocl-binary-distribution",
        ] {
            assert!(text.contains(part), "{part:?} is missing in:\n{text}");
        }
    });
}

#[test]
fn a_search_that_found_nothing_is_tried_anew() {
    let test = "a_search_that_found_nothing_is_tried_anew";
    let folder = tempfile::tempdir().unwrap();
    alone(test, &[("OCL_ICD_VENDORS", folder.path().as_os_str())], || {
        assert!(report().places.is_empty(), "nothing is looked at before the first question");
        #[allow(clippy::disallowed_methods, reason = "the folder that the other process chose")]
        let folder = PathBuf::from(std::env::var_os("OCL_ICD_VENDORS").unwrap());
        let text = refusal();
        assert!(text.contains("names no driver"), "{text}");
        assert_eq!(report().places.len(), 1);
        fs::write(folder.join("bad.icd"), "libm.so.6").unwrap();
        assert!(refusal().contains("libm.so.6"));
        fs::write(folder.join("good.icd"), library().display().to_string()).unwrap();
        assert_eq!(platforms().unwrap().len(), 1);
        assert_eq!(report().failures.len(), 1, "the other driver's reason stays");
        fs::remove_file(folder.join("good.icd")).unwrap();
        assert_eq!(platforms().unwrap().len(), 1, "what was found stays");
    });
}

#[test]
fn one_library_by_several_names_is_one_driver() {
    let test = "one_library_by_several_names_is_one_driver";
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.so");
    std::os::unix::fs::symlink(library(), &link).unwrap();
    for name in ["a.icd", "b.icd"] {
        fs::write(folder.path().join(name), library().display().to_string()).unwrap();
    }
    fs::write(folder.path().join("c.icd"), link.display().to_string()).unwrap();
    let list = std::env::join_paths([&link, &library()]).unwrap();
    let variables = [("OCL_ICD_FILENAMES", list.as_os_str()), ("OCL_ICD_VENDORS", folder.path().as_os_str())];
    alone(test, &variables, || {
        assert_eq!(platforms().unwrap().len(), 1);
        assert!(report().failures.is_empty());
        // Twice: for the count and for the list. A second opening would ask again.
        assert_eq!(Stub::open(&library()).calls("clIcdGetPlatformIDsKHR"), 2);
    });
}

#[test]
fn a_library_that_is_no_libopencl_is_told() {
    // The stub exports what a driver has to, and that is not what a `libOpenCL` exports.
    let library = library();
    alone("a_library_that_is_no_libopencl_is_told", &[("OPENCL_LIBRARY", library.as_os_str())], || {
        let text = refusal();
        assert!(
            text.contains("(named by OPENCL_LIBRARY): is no OpenCL driver: it has no `clGetPlatformIDs`")
        );
    });
}

#[test]
fn the_systems_libopencl_serves_as_override() {
    let test = "the_systems_libopencl_serves_as_override";
    let name = opencl_driver::library::SYSTEM_NAME;
    // SAFETY: opening the loader runs its initialisers, which is what the test is about.
    if let Err(error) = unsafe { libloading::Library::new(name) } {
        println!("skipped: this system has no {name}: {error}");
        return;
    }
    let (library, folder) = (library(), tempfile::tempdir().unwrap());
    fs::write(folder.path().join("stub.icd"), library.display().to_string()).unwrap();
    let variables = [
        ("OPENCL_LIBRARY", OsStr::new(name)),
        // The variable by which the loaders in use find a driver: one reads the first, others the second.
        ("OCL_ICD_FILENAMES", library.as_os_str()),
        ("OCL_ICD_VENDORS", folder.path().as_os_str()),
        ("STUB_DRIVER", OsStr::new("devices=3")),
    ];
    alone(test, &variables, || {
        let list = platforms().unwrap();
        assert_eq!(list[0].origin, PathBuf::from(name));
        assert_eq!(device_count(&list[0]), 3);
        assert!(list[0].api.clEnqueueFillBuffer.is_some());
        // All calls go through the library, so its functions serve any object.
        // SAFETY: a platform is a live object.
        assert!(ptr::eq(unsafe { api_of(list[0].raw) }.unwrap(), list[0].api));
    });
}

#[test]
fn extension_functions_are_looked_up_by_platform() {
    let configuration = "platforms=2;1.version=OpenCL 1.1 Old";
    on_stub("extension_functions_are_looked_up_by_platform", configuration, |stub| {
        let [new, old] = platforms().unwrap() else { panic!("two platforms") };
        let known = c"clGetKernelSubGroupInfoKHR";
        assert!(!new.extension_address(known).is_null());
        assert_eq!(stub.calls("clGetExtensionFunctionAddressForPlatform"), 1);
        let asked = stub.calls("clGetExtensionFunctionAddress");
        assert!(!old.extension_address(known).is_null());
        assert_eq!(stub.calls("clGetExtensionFunctionAddress"), asked + 1, "an old platform has no other");
        for platform in [new, old] {
            assert!(platform.extension_address(c"clNoSuchFunctionEXT").is_null());
            let (found, extensions) = opencl_driver::registry::platform_of(platform.api).unwrap();
            assert!(ptr::eq(found, platform));
            assert!(extensions.amd_copy_buffer_p2p(found).clEnqueueCopyBufferP2PAMD.is_none());
            assert!(extensions.khr_gl_sharing(found).clGetGLContextInfoKHR.is_none());
        }
    });
}

#[test]
fn objects_of_others_are_recognised_by_their_table() {
    on_stub("objects_of_others_are_recognised_by_their_table", "platforms=2", |_| {
        let list = platforms().unwrap();
        let all = opencl_driver::sys::CL_DEVICE_TYPE_ALL;
        for platform in list {
            let mut device = ptr::null_mut();
            let get = platform.api.clGetDeviceIDs.unwrap();
            // SAFETY: the platform is live, and there is room for one device.
            assert_eq!(unsafe { get(platform.raw, all, 1, &raw mut device, ptr::null_mut()) }, 0);
            // SAFETY: the device is live.
            assert!(ptr::eq(unsafe { api_of(device) }.unwrap(), platform.api));
        }
        let mut zeroes = [0_usize; 8];
        let address: *mut c_void = zeroes.as_mut_ptr().cast();
        // SAFETY: the function reads the first word, which is there.
        assert!(unsafe { api_of(address) }.is_none());
        zeroes[0] = (&raw const zeroes[1]) as usize;
        // SAFETY: as above.
        assert!(unsafe { api_of(zeroes.as_mut_ptr().cast()) }.is_none());
    });
}
