//! Arrays, expressions and kernels generated for OpenCL devices.
pub mod codegen;
pub mod dtype;
mod error;
pub mod expr;
pub mod layout;
pub mod plan;
pub mod policy;
pub use error::{Error, Result};
