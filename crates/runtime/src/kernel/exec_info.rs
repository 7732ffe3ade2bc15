//! What a kernel is told of memory that it reaches through pointers.

use std::ffi::c_void;

use opencl_driver::sys::{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_KERNEL_EXEC_INFO_SVM_PTRS};

use super::Kernel;
use crate::call::call;
use crate::{Result, SvmPointer};

impl Kernel {
    /// Names the shared virtual memory that the kernel reaches through pointers in memory, besides its arguments,
    /// in place of what was named before (`clSetKernelExecInfo`, OpenCL 2.0).
    ///
    /// # Errors
    /// What the function gives.
    pub fn set_svm_pointers(&self, pointers: &[SvmPointer<'_>]) -> Result<()> {
        let function = "clSetKernelExecInfo";
        let addresses: Vec<*mut c_void> = pointers
            .iter()
            .map(|pointer| pointer.address_in(self.0.context, function))
            .collect::<Result<_>>()?;
        let _guard = self.lock();
        // SAFETY: the kernel is live, and the driver reads the addresses during the call.
        unsafe {
            call!(
                self.api(),
                clSetKernelExecInfo(
                    self.raw(),
                    CL_KERNEL_EXEC_INFO_SVM_PTRS,
                    size_of_val(addresses.as_slice()),
                    addresses.as_ptr().cast()
                )
            )
        }
    }

    /// Says whether the kernel reaches ordinary memory of the host through pointers in memory
    /// (`clSetKernelExecInfo`, OpenCL 2.0).
    ///
    /// # Errors
    /// `INVALID_OPERATION` if no device shares the system's memory, else what the function gives.
    pub fn set_fine_grain_system(&self, reaches: bool) -> Result<()> {
        let value = u32::from(reaches);
        let _guard = self.lock();
        // SAFETY: the kernel is live, and the driver reads the value during the call.
        unsafe {
            call!(
                self.api(),
                clSetKernelExecInfo(
                    self.raw(),
                    CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                    size_of_val(&value),
                    (&raw const value).cast()
                )
            )
        }
    }
}
