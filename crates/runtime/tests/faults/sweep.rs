//! Lets every C call that operations make fail once: the error says so, nothing leaks, and the next try succeeds.
//!
//! Which operations there are, and on what they work, each program of tests says in a table of its own.

use std::ops::RangeInclusive;
use std::sync::Mutex;

use log::{Level, LevelFilter, Log, Metadata, Record};
use opencl_runtime::{Error, Result, status};

use crate::stub::Stub;

/// Something that a program does.
pub(crate) struct Operation<B: 'static> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&B) -> Result<()>,
    /// Functions whose failure is no failure of the operation, in these calls, counted from one.
    pub(crate) absorbs: &'static [(&'static str, RangeInclusive<u32>)],
    /// Whether it releases by itself; a release that comes with the end of an object fails unheard.
    pub(crate) releases: bool,
    /// The status that the operation brings about itself and takes for right.
    pub(crate) provokes: Option<i32>,
}

/// A row of the table.
macro_rules! operation {
    ($name:literal, $run:expr $(, releases $releases:literal)? $(, provokes $code:ident)? $(, absorbs $($function:ident in $calls:expr),+)?) => {
        $crate::sweep::Operation {
            name: $name,
            run: $run,
            absorbs: &[$($((stringify!($function), $calls)),+)?],
            releases: false $(|| $releases)?,
            provokes: $crate::sweep::first(&[$(opencl_runtime::status::$code)?]),
        }
    };
}
pub(crate) use operation;

/// All calls from one on.
pub(crate) const fn from(first: u32) -> RangeInclusive<u32> {
    first..=u32::MAX
}

/// The one number, if there is one.
pub(crate) const fn first(numbers: &[i32]) -> Option<i32> {
    match numbers {
        [] => None,
        [number, ..] => Some(*number),
    }
}

/// Lets every call of every operation fail, once with each plausible status. Gives how many calls there are, and how
/// many failures there were. Each time, `bench` makes the objects anew.
pub(crate) fn sweep<B>(stub: &Stub, operations: &[&Operation<B>], bench: fn() -> B) -> (usize, usize) {
    log::set_logger(&KeepWarnings).unwrap();
    log::set_max_level(LevelFilter::Warn);
    // What is asked once for the process is asked here.
    drop(bench());
    let (mut points, mut failures) = (0, 0);
    for operation in operations {
        let live = stub.live_total();
        let calls = calls_of(stub, operation, bench);
        assert_eq!(stub.live_total(), live, "{} leaks", operation.name);
        assert!(!calls.is_empty(), "{} calls nothing", operation.name);
        let (mut own_points, mut own_failures) = (0, 0);
        for (function, count) in &calls {
            for nth in 1..=*count {
                own_points += 1;
                for code in statuses(function) {
                    if operation.provokes == Some(code) {
                        continue;
                    }
                    check(stub, operation, bench, (function, nth, code));
                    own_failures += 1;
                }
            }
        }
        println!(
            "{}: {} functions, {own_points} calls, {own_failures} failures",
            operation.name,
            calls.len()
        );
        (points, failures) = (points + own_points, failures + own_failures);
    }
    println!("in all: {} operations, {points} calls, {failures} failures", operations.len());
    (points, failures)
}

/// The warnings of the process.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct KeepWarnings;

impl Log for KeepWarnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            WARNINGS.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// Statuses with which a function may plausibly fail.
fn statuses(function: &str) -> Vec<i32> {
    match function {
        // It gives null and no status.
        "clSVMAlloc" => return vec![status::OUT_OF_RESOURCES],
        // It gives nothing.
        "clSVMFree" => return Vec::new(),
        _ => {}
    }
    let own = match function {
        "clBuildProgram" => status::BUILD_PROGRAM_FAILURE,
        "clCompileProgram" => status::COMPILE_PROGRAM_FAILURE,
        "clLinkProgram" => status::LINK_PROGRAM_FAILURE,
        "clCreateProgramWithBinary" => status::INVALID_BINARY,
        "clCreateKernel" => status::INVALID_KERNEL_DEFINITION,
        "clSetKernelArg" => status::INVALID_ARG_VALUE,
        "clEnqueueNDRangeKernel" => status::INVALID_WORK_GROUP_SIZE,
        "clWaitForEvents" => status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        "clEnqueueMapBuffer" => status::MAP_FAILURE,
        "clCreateSubBuffer" => status::MISALIGNED_SUB_BUFFER_OFFSET,
        "clCreateBuffer" => status::MEM_OBJECT_ALLOCATION_FAILURE,
        _ => -9999,
    };
    vec![status::OUT_OF_RESOURCES, status::OUT_OF_HOST_MEMORY, own]
}

/// What an operation calls when nothing fails.
fn calls_of<B>(stub: &Stub, operation: &Operation<B>, bench: fn() -> B) -> Vec<(String, u32)> {
    let bench = bench();
    stub.forget_calls();
    (operation.run)(&bench).unwrap_or_else(|error| panic!("{}: {error}", operation.name));
    stub.all_calls()
}

/// Lets the `nth` call of a function fail.
fn check<B>(
    stub: &Stub,
    operation: &Operation<B>,
    bench: fn() -> B,
    (function, nth, code): (&str, u32, i32),
) {
    let what = format!("{}: call {nth} of {function} fails with {code}", operation.name);
    let before = stub.live_total();
    let bench = bench();
    WARNINGS.lock().unwrap().clear();
    stub.forget_calls();
    stub.fail(function, nth, code);
    let outcome = (operation.run)(&bench);
    assert!(stub.calls(function) >= u64::from(nth), "{what}, but is not made");
    let release = function.starts_with("clRelease");
    let of_drop = release && !operation.releases;
    let unneeded = operation.absorbs.iter().any(|(name, calls)| *name == function && calls.contains(&nth));
    let absorbed = of_drop || unneeded;
    match outcome {
        Ok(()) => assert!(absorbed, "{what}, and that is not told"),
        Err(error) => {
            assert!(!absorbed, "{what}, which should not matter: {error}");
            assert_eq!((error.code(), error.routine()), (code, function), "{what}: {error}");
            assert!(error.to_string().starts_with(&format!("{function} failed: ")), "{what}: {error}");
            let name = status::name(code).map_or_else(|| code.to_string(), str::to_owned);
            assert!(error.to_string().contains(&name), "{what}: {error}");
        }
    }
    let warnings = std::mem::take(&mut *WARNINGS.lock().unwrap());
    if of_drop {
        let expected = Error::Status { function: "", code }.to_string();
        let told = |warning: &String| warning.starts_with(function) && warning.ends_with(&expected[1..]);
        assert!(warnings.iter().any(told), "{what}, and the log does not say so: {warnings:?}");
    } else if !absorbed {
        assert!(warnings.is_empty(), "{what}: {warnings:?}");
    }
    (operation.run)(&bench).unwrap_or_else(|error| panic!("{what}, and then again: {error}"));
    drop(bench);
    let left = stub.live_total() - before;
    match function {
        // Only sub-devices are counted.
        "clReleaseDevice" => assert!(left <= 1, "{what}: {left} objects are left"),
        // What cannot be released stays.
        _ => assert_eq!(left, u64::from(release), "{what}: objects are left"),
    }
}
