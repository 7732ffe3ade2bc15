//! Safe OpenCL objects: platforms, devices, contexts, queues, buffers, programs, kernels, events.
//!
//! What the crate promises:
//!
//! * Objects are cheap to clone, may be shared by threads, and are released when the last clone goes.
//! * Every error has the status code, the C function and, where it helps, what was expected and what
//!   came ([`Error`]).
//! * What a caller can get wrong in a way that no check sees, launching a kernel foremost, is `unsafe`
//!   and says what has to hold. Everything else is safe.
//! * No driver is touched before the first question ([`Platform::all`]).
//!
//! ```
//! use opencl_runtime::{Arg, BuildOptions, CommandQueue, Context, Buffer, MemFlags, NdRange, Program};
//!
//! let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
//! let queue = CommandQueue::new(&context)?;
//! let program = Program::with_source(&context, "kernel void scale(global int *a, int by) { a[get_global_id(0)] *= by; }")?;
//! program.build(&BuildOptions::default())?;
//! let kernel = program.kernel("scale")?;
//! let buffer = Buffer::from_slice(&context, MemFlags::READ_WRITE, &[1, 2, 3])?;
//! // SAFETY: the kernel touches one `int` a work-item, and the buffer holds three.
//! unsafe {
//!     let args = [Arg::Mem(&buffer), Arg::scalar(&2_i32)];
//!     kernel.launch(&queue, &NdRange::new(&[3]), &args, &Default::default())?;
//! }
//! let mut result = [0; 3];
//! queue.read(&buffer, 0, &mut result)?;
//! assert_eq!(result, [2, 4, 6]);
//! # Ok::<(), opencl_runtime::Error>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`constants`] | flags and enumerations |
//! | [`info`] | what objects can be asked |
//! | [`cache`] | programs built before: memory and disk |
//! | [`pool`] | memory pools and their allocators |
//! | `platform`, `device`, `context`, `queue`, `event`, `program`, `kernel`, `memory`, `sampler` | the objects |
//! | `gl_context` | devices that share objects with an OpenGL context |
//! | `staging` | pinned memory for large host copies ([`HostCopies`]), huge pages for their results |
//! | `enqueue` | commands, one file per family, as methods of [`CommandQueue`] |

pub mod cache;
mod call;
mod choose;
pub mod constants;
mod context;
mod debug;
mod device;
mod enqueue;
mod error;
mod event;
mod gl_context;
mod handle;
pub mod info;
mod kernel;
mod known;
mod memory;
mod platform;
pub mod pool;
mod program;
mod queue;
mod sampler;
mod staging;
mod user_event;

pub use choose::{choose_devices, devices_named};
pub use constants::{
    CommandExecutionStatus, CommandQueueProperties, CommandType, DeviceType, MapFlags, MemFlags,
    MemMigrationFlags, MemObjectType, SvmMemFlags,
};
pub use context::{Context, ContextProperty};
pub use device::Device;
pub use enqueue::image::{ImageBlock, ImageLayout};
pub use enqueue::map::Map;
pub use enqueue::rect::RectCopy;
pub use enqueue::svm_map::SvmMap;
pub use error::{Error, Result};
pub use event::{Event, WaitList, wait_for_events};
pub use kernel::argument::{Arg, ArgumentError};
pub use kernel::launch::{Launch, NdRange};
pub use kernel::{
    Kernel,
    parameter::{Parameter, UNKNOWN_ADDRESS},
};
pub use memory::svm::{SvmAllocation, SvmPointer};
pub use memory::{
    Buffer, GlBuffer, GlRenderbuffer, GlTexture, Image, ImageDescriptor, ImageFormat, MemObject, Pipe,
    set_reclaim,
};
pub use opencl_driver::{Version, in_forked_child, status};
pub use platform::Platform;
pub use program::options::{BuildOptions, join_options, split_options};
pub use program::{BuildError, BuildLog, Program, link, meaningful_log};
pub use queue::{CommandQueue, WeakQueue, finish_all};
pub use sampler::Sampler;
pub use staging::{HostCopies, ask_for_huge_pages};
pub use user_event::{UserEvent, abandon_user_events};

/// The search for drivers: where to look besides the system's places, and what was found.
pub mod drivers {
    pub use opencl_driver::search::{Extra, Found, Place};
    pub use opencl_driver::{Failure, NoPlatform, Report, extend_search, report};
}
