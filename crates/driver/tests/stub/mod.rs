//! The stub driver as tests use it: a process of its own for each scenario, and the driver's control functions.
//!
//! The library is built by `cargo build -p opencl-stub-driver` (`make test-rust` does so) and lies beside the
//! test programs.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::ffi::{CString, OsStr, c_char, c_int};
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::Library;

/// The variable that tells a process which scenario it is to play.
const SCENARIO: &str = "OPENCL_TEST_SCENARIO";

/// What a process prints when it has played its scenario to the end.
const DONE: &str = "the scenario was played to its end";

/// The variables that steer drivers; a scenario starts without them.
const STEERING: [&str; 9] = [
    "OCL_ICD_FILENAMES",
    "OCL_ICD_VENDORS",
    "OPENCL_VENDOR_PATH",
    "OPENCL_LIBRARY",
    "OPENCL_LAYERS",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "STUB_DRIVER",
    "OCL_ICD_ENABLE_TRACE",
];

/// The stub driver's library.
pub(crate) fn library() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let found =
        exe.ancestors().map(|folder| folder.join("libopencl_stub_driver.so")).find(|file| file.exists());
    found.expect("the stub driver is not built: run `cargo build -p opencl-stub-driver`")
}

/// Plays a scenario in a process of its own, with these variables and no other that steers drivers. `test` is
/// the name of the calling test (its path below the crate): the process runs it again, and only then `scenario`.
pub(crate) fn alone(test: &str, variables: &[(&str, &OsStr)], scenario: impl FnOnce()) {
    #[allow(clippy::disallowed_methods, reason = "how a process is told which scenario it plays")]
    let played = std::env::var_os(SCENARIO);
    if played.as_deref() == Some(test.as_ref()) {
        scenario();
        println!("{DONE}: {test}");
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    for name in STEERING {
        child.env_remove(name);
    }
    child.env(SCENARIO, test).envs(variables.iter().copied());
    let output = child.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    print!("{out}");
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
    assert!(out.contains(&format!("{DONE}: {test}")), "no test is named {test:?}:\n{out}\n{err}");
}

/// Plays a scenario in a process whose one driver is the stub with this configuration.
pub(crate) fn on_stub(test: &str, configuration: &str, scenario: impl FnOnce(&Stub)) {
    let library = library();
    let variables = [("OCL_ICD_VENDORS", library.as_os_str()), ("STUB_DRIVER", OsStr::new(configuration))];
    alone(test, &variables, || scenario(&Stub::open(&library)));
}

/// The control functions of one stub driver. A copy of the library is another driver with a state of its own.
pub(crate) struct Stub(Library);

impl Stub {
    /// Opens the library, which is the one that the loader opens under the same path.
    pub(crate) fn open(path: &Path) -> Self {
        // SAFETY: the library's initialisers do nothing.
        Self(unsafe { Library::new(path) }.unwrap())
    }

    /// A function; the callers name the type that it has.
    fn control<T: Copy>(&self, name: &str) -> T {
        // SAFETY: the type is the function's, by the callers' care.
        *unsafe { self.0.get::<T>(name) }.unwrap()
    }

    /// Calls a function without arguments.
    fn call<T>(&self, name: &str) -> T {
        let function: unsafe extern "C" fn() -> T = self.control(name);
        // SAFETY: it takes no arguments.
        unsafe { function() }
    }

    /// Calls a function of a name that gives a number.
    fn number(&self, control: &str, name: &str) -> u64 {
        let function: unsafe extern "C" fn(*const c_char) -> u64 = self.control(control);
        let name = CString::new(name).unwrap();
        // SAFETY: a C string.
        unsafe { function(name.as_ptr()) }
    }

    /// Calls a function that gives a text.
    fn text(&self, control: &str) -> String {
        let function: unsafe extern "C" fn(*mut c_char, usize) -> usize = self.control(control);
        let mut bytes = vec![0_u8; 1 << 16];
        // SAFETY: the size is that of the buffer.
        let length = unsafe { function(bytes.as_mut_ptr().cast(), bytes.len()) };
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    /// Changes the configuration.
    pub(crate) fn configure(&self, configuration: &str) {
        let function: unsafe extern "C" fn(*const c_char) -> c_int = self.control("stub_configure");
        let text = CString::new(configuration).unwrap();
        // SAFETY: a C string.
        assert_eq!(unsafe { function(text.as_ptr()) }, 0, "{configuration}");
    }

    /// Lets the `nth` call from now of a function fail (0: every call).
    pub(crate) fn fail(&self, function: &str, nth: u32, status: i32) {
        let fail: unsafe extern "C" fn(*const c_char, u32, c_int) -> c_int = self.control("stub_fail");
        let name = CString::new(function).unwrap();
        // SAFETY: a C string.
        assert_eq!(unsafe { fail(name.as_ptr(), nth, status) }, 0, "{function}");
    }

    /// Forgets counts and failures, lets held commands run, and goes back to the first configuration.
    pub(crate) fn reset(&self) {
        self.call::<()>("stub_reset");
    }

    /// How often a function was called.
    pub(crate) fn calls(&self, function: &str) -> u64 {
        self.number("stub_calls", function)
    }

    /// Sets all counts to zero.
    pub(crate) fn forget_calls(&self) {
        self.call::<()>("stub_calls_reset");
    }

    /// The functions that were called, and how often.
    pub(crate) fn all_calls(&self) -> Vec<(String, u32)> {
        let lines = self.text("stub_calls_dump");
        let pair = |line: &str| {
            let (name, count) = line.split_once(' ').unwrap();
            (name.to_owned(), count.parse().unwrap())
        };
        lines.lines().map(pair).collect()
    }

    /// How many objects of a kind are held.
    pub(crate) fn live(&self, kind: &str) -> u64 {
        self.number("stub_live", kind)
    }

    /// How many objects of all kinds are held.
    pub(crate) fn live_total(&self) -> u64 {
        self.call("stub_live_total")
    }

    /// Runs the oldest held command that can run; whether there was one.
    pub(crate) fn complete_next(&self) -> bool {
        self.call::<c_int>("stub_complete_next") == 1
    }

    /// Ends the oldest held command that can run with a negative status; whether there was one.
    pub(crate) fn complete_next_with(&self, status: i32) -> bool {
        let function: unsafe extern "C" fn(c_int) -> c_int = self.control("stub_complete_next_with");
        // SAFETY: it takes a number.
        unsafe { function(status) == 1 }
    }

    /// Lets all commands run.
    pub(crate) fn complete_all(&self) {
        self.call::<()>("stub_complete_all");
    }

    /// How many commands have not ended.
    pub(crate) fn pending(&self) -> u64 {
        self.call("stub_pending")
    }

    /// The last launch in words.
    pub(crate) fn last_launch(&self) -> String {
        self.text("stub_last_launch")
    }
}
