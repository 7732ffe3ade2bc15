//! Arrays, expressions and kernels generated for OpenCL devices.
//!
//! What the crate promises:
//!
//! * Every operation is right for every layout: any strides, any offset, broadcasting, any size.
//! * Values and dtypes are NumPy 2's; where the class `pyopencl.array.Array` differs, [`policy`] says so.
//! * There is one way from an expression to a kernel. `a + b` is an expression of one node whose kernel is found
//!   by a key of 64 bits; [`ops::Lazy`] computes whole expressions in one kernel; reductions take expressions.
//! * Operations on in-order queues make no events; on out-of-order queues, and across queues, results are as if
//!   everything ran in order.
//! * No `unsafe` but in `launch`, the one door to the runtime.
//!
//! ```
//! use opencl_array::{Array, Index, Scalar, ops, reduction};
//! use opencl_runtime::{CommandQueue, Context};
//!
//! # fn main() -> Result<(), opencl_array::Error> {
//! // The device that PYOPENCL_CTX names, else the first one.
//! let queue = CommandQueue::new(&Context::from_environment()?)?;
//! let x = Array::from_slice_with_shape(&queue, &[2, 3], &[0_f32, 1.0, 2.0, 3.0, 4.0, 5.0])?;
//! let row = x.index(&[Index::At(1)])?;
//! // A weak number takes the other operand's dtype, as Python's numbers do.
//! let y = ops::add(&ops::multiply(&x, Scalar::WeakInt(2), None)?, &row, None)?; // broadcast
//! assert_eq!(y.to_vec::<f32>()?, [3.0, 6.0, 9.0, 9.0, 12.0, 15.0]);
//! let total = reduction::sum(&y.transpose(None)?, None, None)?; // an array without dimensions
//! assert_eq!(total.to_vec::<f32>()?, [54.0]);
//! # Ok(())
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`dtype`] | element types, promotion, scalars |
//! | [`policy`] | which dtype an operation computes in and returns |
//! | [`layout`] | shapes, strides, views, broadcasting (pure) |
//! | [`expr`] | typed expressions (pure) |
//! | [`plan`] | a common walk over several layouts (pure) |
//! | [`codegen`] | expression and walk to kernel text (pure) |
//! | `kernels`, `pool` | the kernels of a context, and its pool of memory |
//! | `launch`, `launch_hook` | the only door to the runtime; [`LaunchHook`]: what watches it |
//! | `array`, `allocator` | [`Array`]: create, transfer, view; [`Allocator`]: whence its memory |
//! | [`ops`] | arithmetic, comparisons, whole expressions |
//! | `deferred` | [`Deferred`]: results that are computed when asked for; [`Fusion`] collects them |
//! | [`reduction`], [`product`] | sum, max, min; inner products |
//! | [`index`] | elements at positions and where masks hold, read and written |
//! | [`join`] | concatenation, stacks, differences |
//! | [`scan`] | cumulative sums |
//! | [`elementwise`] | snippets of OpenCL C as kernels |
//! | [`random`] | uniform and normal random numbers |
//! | `struct_layout` | [`StructLayout`]: how a device lays out a struct of C |
#![deny(unsafe_code)]

mod allocator;
mod array;
mod bit_hasher;
pub mod codegen;
mod deferred;
pub mod dtype;
pub mod elementwise;
mod error;
mod evaluate;
pub mod expr;
pub mod index;
pub mod join;
mod kernels;
mod launch;
mod launch_hook;
pub mod layout;
pub mod ops;
mod per_context;
pub mod plan;
pub mod policy;
mod pool;
pub mod product;
pub mod random;
pub mod reduction;
pub mod scan;
mod struct_layout;

pub use allocator::Allocator;
pub use array::{Array, Operand, Storage};
pub use deferred::{Deferred, Fusion};
pub use dtype::{DType, Element, Scalar};
pub use error::{Error, Result};
pub use kernels::{Tuning, shape_kernels_for, tune_kernels_for};
pub use launch_hook::{LaunchHook, set_launch_hook};
pub use layout::{Index, Layout, Order};
pub use pool::{free_held, pool_held, set_pool_limit};
pub use struct_layout::StructLayout;
