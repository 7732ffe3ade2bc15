//! An OpenCL driver for tests: it keeps everything in memory, counts calls and live objects,
//! fails on demand, and pretends to be any version with any number of platforms and devices.
//!
//! The shared library `libopencl_stub_driver.so` is an ICD like any other. Beside the functions of OpenCL it
//! exports the `stub_*` functions of [`control`], which a test calls through `libloading` or `ctypes`:
//!
//! ```
//! use opencl_stub_driver::control::{stub_calls, stub_configure, stub_live_total};
//!
//! // SAFETY: the arguments are C strings.
//! assert_eq!(unsafe { stub_configure(c"platforms=2;version=OpenCL 1.1 Stub".as_ptr()) }, 0);
//! // SAFETY: as above.
//! assert_eq!(unsafe { stub_calls(c"clFinish".as_ptr()) }, 0);
//! assert_eq!(stub_live_total(), 0);
//! ```
//!
//! | module | subject |
//! |---|---|
//! | `table` | the one list of functions: slots, look-up by name, counters |
//! | [`control`] | the `stub_*` functions: counts, injected failures, held commands |
//! | `config` | the text that configures the driver |
//! | `border` | pointers and panics at the C border |
//! | `object` | handles, reference counts, live counts |
//! | `info` | answers of the `clGet…Info` functions |
//! | `schedule` | when commands run |
//! | the rest | one file per object or command family of the specification |

// The functions carry the names of the C interface.
#![allow(
    non_snake_case,
    non_camel_case_types,
    reason = "entry points and types are named by the C interface"
)]
#![allow(clippy::too_many_arguments, reason = "prototypes are those of the C interface")]

#[macro_use]
mod border;
mod config;
mod context;
pub mod control;
mod device;
mod enqueue;
mod event;
mod gl;
mod image;
mod info;
mod kernel;
mod launch;
mod memory;
mod object;
mod pipe;
mod platform;
mod program;
mod queue;
mod rect;
mod sampler;
mod schedule;
mod source;
mod svm;
mod sys;
mod table;
mod transfer;
