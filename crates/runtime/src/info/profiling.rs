//! `clGetEventProfilingInfo`.

use super::info;
use crate::Event;

info! {
    /// When a command did what, in nanoseconds of the device's clock.
    PROFILING_INFO = "profiling_info", Event, clGetEventProfilingInfo {
        QUEUED = 0x1280 => queued: u64, "1.0";
        SUBMIT = 0x1281 => submit: u64, "1.0";
        START = 0x1282 => start: u64, "1.0";
        END = 0x1283 => end: u64, "1.0";
        COMPLETE = 0x1284 => complete: u64, "2.0";
    }
}
