//! Finds OpenCL drivers, opens them, and hands out one table of function pointers per platform.
//!
//! The crate is the unsafe floor of the stack and promises three things:
//!
//! * **No `libOpenCL` is needed.** It is an installable-client-driver (ICD) loader of its own, after
//!   the `cl_khr_icd` extension specification; calls go straight through the driver's table.
//! * **Nothing happens before the first [`platforms`] call**, and a driver that cannot be used is
//!   skipped and its reason remembered ([`Report`]).
//! * **A table is never freed.** [`Api`] is `&'static`: libraries stay loaded, so pointers taken
//!   from them stay valid, also while a process is ending.
//!
//! ```
//! for platform in opencl_driver::platforms()? {
//!     println!("OpenCL {} from {}", platform.api.version, platform.origin.display());
//! }
//! # Ok::<(), opencl_driver::NoPlatform>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`search`] | environment and directories → ordered list of candidates (pure) |
//! | [`icd`] | opens one driver library and asks it for its platforms |
//! | [`library`] | uses a system `libOpenCL` instead |
//! | [`api`] | the core functions by version |
//! | [`ext`] | extension functions, one file per extension, looked up per platform on first use |
//! | `fork` | whether this process is a child that has its parent's objects |
//! | [`registry`] | the platforms of this process; whose handle is this? |
//! | [`status`] | status codes and their names |

pub mod api;
pub mod ext;
mod fork;
pub mod icd;
pub mod library;
pub mod registry;
mod room;
pub mod search;
pub mod status;

/// The C types, constants and function types of OpenCL, re-exported so that only this crate names
/// the crate they come from.
pub mod sys {
    pub use opencl_sys::cl_function_types::*;
    pub use opencl_sys::cl_icd::cl_icd_dispatch;
    pub use opencl_sys::*;
}

pub use api::{Api, Version};
pub use fork::{in_forked_child, is_lost_to_fork, note_use};
pub use registry::{Failure, NoPlatform, Platform, Report, api_of, extend_search, platforms, report};
pub use room::room;
