//! `cl_khr_suggested_local_work_size`: the local size that the driver would choose itself.

use crate::sys::*;

extension! {
    /// The functions of `cl_khr_suggested_local_work_size`.
    Functions {
        clGetKernelSuggestedLocalWorkSizeKHR: clGetKernelSuggestedLocalWorkSizeKHR_t,
    }
}
