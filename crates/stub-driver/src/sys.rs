//! The C types and constants of OpenCL; the only file that names the crate they come from.

pub(crate) use opencl_sys::cl_icd::cl_icd_dispatch;
pub(crate) use opencl_sys::*;
pub(crate) use std::ffi::{c_char, c_uchar, c_void};

/// `size_t`, by the name the C prototypes use.
pub(crate) type size_t = usize;
/// Result of an entry point before it is turned into a status code.
pub(crate) type Result<T = ()> = std::result::Result<T, cl_int>;

/// The mark of an ICD-2 driver in slots 0 and 31 of its table: "OPENCL31" in ASCII.
pub(crate) const CL_ICD2_TAG_KHR: isize = 0x4F50_454E_434C_3331;
