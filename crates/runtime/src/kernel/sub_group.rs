//! `clGetKernelSubGroupInfo`.

use opencl_driver::sys::{
    CL_KERNEL_COMPILE_NUM_SUB_GROUPS, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, CL_KERNEL_MAX_NUM_SUB_GROUPS,
    CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
};

use super::Kernel;
use crate::{Device, Error, Result, status};

impl Kernel {
    /// An answer of `clGetKernelSubGroupInfo` (OpenCL 2.1, or `cl_khr_subgroups`): one number, or the three local
    /// sizes of `LOCAL_SIZE_FOR_SUB_GROUP_COUNT`.
    ///
    /// `input` is the local size for `MAX_SUB_GROUP_SIZE_FOR_NDRANGE` and `SUB_GROUP_COUNT_FOR_NDRANGE`, one number
    /// of sub-groups for `LOCAL_SIZE_FOR_SUB_GROUP_COUNT`, and empty for the other questions.
    ///
    /// # Errors
    /// `INVALID_VALUE` for another question or an input that it does not take, else what the function gives.
    pub fn sub_group_info(&self, question: u32, device: &Device, input: &[usize]) -> Result<Vec<usize>> {
        let function = "clGetKernelSubGroupInfo";
        let (inputs, count) = match question {
            CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE | CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => (1..=3, 1),
            CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => (1..=1, 3),
            CL_KERNEL_MAX_NUM_SUB_GROUPS | CL_KERNEL_COMPILE_NUM_SUB_GROUPS => (0..=0, 1),
            _ => {
                let detail = format!("{question} is no value of kernel_sub_group_info");
                return Err(Error::refused(function, status::INVALID_VALUE, detail));
            }
        };
        if !inputs.contains(&input.len()) {
            let detail = format!("the question does not take {} numbers as input", input.len());
            return Err(Error::refused(function, status::INVALID_VALUE, detail));
        }
        let api = self.api();
        let get = api.clGetKernelSubGroupInfo.or(api.clGetKernelSubGroupInfoKHR);
        let get = get.ok_or_else(|| Error::unsupported(function, api.version))?;
        let address = if input.is_empty() { std::ptr::null() } else { input.as_ptr().cast() };
        let mut answer = vec![0_usize; count];
        // SAFETY: kernel and device are live, the input is read during the call, and `answer` has room.
        let code = unsafe {
            get(
                self.raw(),
                device.as_raw(),
                question,
                size_of_val(input),
                address,
                size_of_val(answer.as_slice()),
                answer.as_mut_ptr().cast(),
                std::ptr::null_mut(),
            )
        };
        if code == status::SUCCESS { Ok(answer) } else { Err(Error::status(function, code)) }
    }
}
