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
//! ```no_run
//! use opencl_array::{Array, DType, Index, Order, Scalar, ops, reduction};
//! use opencl_runtime::{CommandQueue, Context, Platform};
//!
//! # fn main() -> Result<(), opencl_array::Error> {
//! let device = Platform::all()?.remove(0).devices()?.remove(0);
//! let queue = CommandQueue::new(&Context::new(&[device])?)?;
//! let int = Scalar::WeakInt;
//! let x = Array::arange(&queue, int(0), int(12), int(1), DType::F32)?.reshape(&[3, 4], Order::C)?;
//! let row = x.index(&[Index::At(1)])?;
//! let y = ops::add(&ops::multiply(&x, int(2), None)?, &row, None)?; // broadcast
//! let total = reduction::sum(&y.transpose(None)?, None, None)?; // an array without dimensions
//! assert_eq!(total.to_host(Order::C, None)?, 198f32.to_ne_bytes());
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
//! | `launch` | the only door to the runtime |
//! | `array` | [`Array`]: create, transfer, view |
//! | [`ops`] | arithmetic, comparisons, whole expressions |
//! | [`reduction`] | sum, max, min |
#![deny(unsafe_code)]

mod array;
mod bit_hasher;
pub mod codegen;
pub mod dtype;
mod error;
mod evaluate;
pub mod expr;
mod kernels;
mod launch;
pub mod layout;
pub mod ops;
mod per_context;
pub mod plan;
pub mod policy;
mod pool;
pub mod reduction;

pub use array::{Array, Operand, Storage};
pub use dtype::{DType, Scalar};
pub use error::{Error, Result};
pub use kernels::shape_kernels_for;
pub use layout::{Index, Layout, Order};
pub use pool::{free_held, pool_held, set_pool_limit};
