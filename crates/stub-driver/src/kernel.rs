//! Kernels: creation, arguments, information.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use crate::border::{check, items, lock, store_list, text};
use crate::device::Device;
use crate::info::Answer;
use crate::memory::Mem;
use crate::object::{self, Kind, Object, Shared};
use crate::program::Program;
use crate::sampler::Sampler;
use crate::source::{Argument, Class, Declaration};
use crate::sys::*;

/// Work-items of a sub-group.
const SUB_GROUP: usize = 32;

/// An argument as set. Handles are not retained, as the specification says; they are looked up at the launch.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bytes(Vec<u8>),
    Memory(usize),
    Local(usize),
    Sampler(usize),
    Svm(usize),
}

/// A kernel.
pub(crate) struct Kernel {
    pub(crate) program: Shared<Program>,
    pub(crate) declaration: Declaration,
    pub(crate) values: Mutex<Vec<Option<Value>>>,
}

impl Kind for Kernel {
    const NAME: &'static str = "kernel";
    const INVALID: cl_int = CL_INVALID_KERNEL;

    fn destroyed(&mut self, _handle: *mut c_void) {
        self.program.kernels.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Kernel {
    fn argument(&self, index: cl_uint) -> Result<&Argument> {
        self.declaration.arguments.get(index as usize).ok_or(CL_INVALID_ARG_INDEX)
    }

    /// The device of a handle, or the only one for null.
    fn device(&self, handle: cl_device_id) -> Result<Shared<Device>> {
        match self.program.devices.as_slice() {
            [only] if handle.is_null() => Ok(only.clone()),
            devices => {
                devices.iter().find(|device| device.handle() == handle).cloned().ok_or(CL_INVALID_DEVICE)
            }
        }
    }
}

fn create(
    program: &Shared<Program>,
    declaration: &Declaration,
    values: Option<Vec<Option<Value>>>,
) -> cl_kernel {
    program.kernels.fetch_add(1, Ordering::Relaxed);
    let values = values.unwrap_or_else(|| vec![None; declaration.arguments.len()]);
    let kernel =
        Kernel { program: program.clone(), declaration: declaration.clone(), values: Mutex::new(values) };
    Object::create(program.dispatch(), 1, kernel).handle()
}

entry! {
    object fn clCreateKernel(program: cl_program, kernel_name: *const c_char) {
        let program = object::get::<Program>(program)?;
        check(!kernel_name.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: a C string by the specification.
        let name = unsafe { text(kernel_name) };
        let declarations: Arc<Vec<Declaration>> = program.declarations()?;
        let found = declarations.iter().find(|one| one.name == name).ok_or(CL_INVALID_KERNEL_NAME)?;
        Ok(create(&program, found, None))
    }
}

entry! {
    status fn clCreateKernelsInProgram(
        program: cl_program, num_kernels: cl_uint, kernels: *mut cl_kernel, num_kernels_ret: *mut cl_uint,
    ) {
        let program = object::get::<Program>(program)?;
        let declarations = program.declarations()?;
        let count = declarations.len();
        check(kernels.is_null() || num_kernels as usize >= count, CL_INVALID_VALUE)?;
        let made: Vec<_> = if kernels.is_null() {
            vec![std::ptr::null_mut(); count]
        } else {
            declarations.iter().map(|one| create(&program, one, None)).collect()
        };
        let room = if kernels.is_null() { 0 } else { num_kernels.max(1) };
        // SAFETY: there is room for all that were made.
        unsafe { store_list(&made, room, kernels, num_kernels_ret) }
    }
}

entry! {
    object fn clCloneKernel(source_kernel: cl_kernel) {
        let source = object::get::<Kernel>(source_kernel)?;
        let values = lock(&source.values).clone();
        Ok(create(&source.program, &source.declaration, Some(values)))
    }
}

entry! {
    status fn clRetainKernel(kernel: cl_kernel) { object::retain::<Kernel>(kernel) }
}

entry! {
    status fn clReleaseKernel(kernel: cl_kernel) { object::release::<Kernel>(kernel) }
}

/// Reads the handle that an argument's value is.
///
/// # Safety
/// - `value` is null or valid for reading `size` bytes.
unsafe fn handle(size: size_t, value: *const c_void) -> Result<*mut c_void> {
    check(size == size_of::<usize>(), CL_INVALID_ARG_SIZE)?;
    // SAFETY: passed on.
    let read = unsafe { items(value.cast::<*mut c_void>(), 1) };
    Ok(read.first().copied().unwrap_or(std::ptr::null_mut()))
}

entry! {
    status fn clSetKernelArg(
        kernel: cl_kernel, arg_index: cl_uint, arg_size: size_t, arg_value: *const c_void,
    ) {
        let kernel = object::get::<Kernel>(kernel)?;
        let value = match kernel.argument(arg_index)?.class {
            Class::Value(size) => {
                check(!arg_value.is_null(), CL_INVALID_ARG_VALUE)?;
                check(if size == 0 { arg_size > 0 } else { arg_size == size }, CL_INVALID_ARG_SIZE)?;
                // SAFETY: the pointer is as the specification demands.
                Value::Bytes(unsafe { items(arg_value.cast::<u8>(), arg_size) })
            }
            Class::Memory => {
                // SAFETY: as above.
                let handle = unsafe { handle(arg_size, arg_value)? };
                if !handle.is_null() {
                    object::get::<Mem>(handle)?;
                }
                Value::Memory(handle as usize)
            }
            Class::Local => {
                check(arg_value.is_null(), CL_INVALID_ARG_VALUE)?;
                check(arg_size > 0, CL_INVALID_ARG_SIZE)?;
                Value::Local(arg_size)
            }
            Class::Sampler => {
                // SAFETY: as above.
                let handle = unsafe { handle(arg_size, arg_value)? };
                object::get::<Sampler>(handle)?;
                Value::Sampler(handle as usize)
            }
        };
        lock(&kernel.values)[arg_index as usize] = Some(value);
        Ok(())
    }
}

entry! {
    status fn clSetKernelArgSVMPointer(kernel: cl_kernel, arg_index: cl_uint, arg_value: *const c_void) {
        let kernel = object::get::<Kernel>(kernel)?;
        check(kernel.program.devices.iter().any(|device| device.svm()), CL_INVALID_OPERATION)?;
        check(kernel.argument(arg_index)?.class == Class::Memory, CL_INVALID_ARG_VALUE)?;
        lock(&kernel.values)[arg_index as usize] = Some(Value::Svm(arg_value as usize));
        Ok(())
    }
}

entry! {
    status fn clSetKernelExecInfo(
        kernel: cl_kernel, param_name: cl_kernel_exec_info, param_value_size: size_t,
        param_value: *const c_void,
    ) {
        let kernel = object::get::<Kernel>(kernel)?;
        check(kernel.program.devices.iter().any(|device| device.svm()), CL_INVALID_OPERATION)?;
        check(!param_value.is_null(), CL_INVALID_VALUE)?;
        match param_name {
            CL_KERNEL_EXEC_INFO_SVM_PTRS => {
                check(param_value_size > 0 && param_value_size.is_multiple_of(size_of::<usize>()), CL_INVALID_VALUE)
            }
            CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM => {
                check(param_value_size == size_of::<cl_bool>(), CL_INVALID_VALUE)?;
                // SAFETY: the pointer is as the specification demands.
                let wanted = unsafe { items(param_value.cast::<cl_bool>(), 1) };
                // No device shares the system's memory.
                check(wanted == [CL_FALSE], CL_INVALID_OPERATION)
            }
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clGetKernelInfo(
        kernel: cl_kernel, param_name: cl_kernel_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let kernel = object::get::<Kernel>(kernel)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_KERNEL_FUNCTION_NAME => answer.text(&kernel.declaration.name),
            CL_KERNEL_NUM_ARGS => answer.value(kernel.declaration.arguments.len() as cl_uint),
            CL_KERNEL_REFERENCE_COUNT => answer.value(kernel.references()),
            CL_KERNEL_CONTEXT => answer.value(kernel.program.context.handle()),
            CL_KERNEL_PROGRAM => answer.value(kernel.program.handle()),
            CL_KERNEL_ATTRIBUTES if kernel.program.context.version() >= (1, 2) => {
                answer.text(&kernel.declaration.attributes)
            }
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clGetKernelArgInfo(
        kernel: cl_kernel, arg_indx: cl_uint, param_name: cl_kernel_arg_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let kernel = object::get::<Kernel>(kernel)?;
        let argument = kernel.argument(arg_indx)?;
        check(kernel.program.knows_arguments(), CL_KERNEL_ARG_INFO_NOT_AVAILABLE)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_KERNEL_ARG_ADDRESS_QUALIFIER => answer.value(argument.address),
            CL_KERNEL_ARG_ACCESS_QUALIFIER => answer.value(argument.access),
            CL_KERNEL_ARG_TYPE_NAME => answer.text(&argument.type_name),
            CL_KERNEL_ARG_TYPE_QUALIFIER => answer.value(argument.qualifiers),
            CL_KERNEL_ARG_NAME => answer.text(&argument.name),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clGetKernelWorkGroupInfo(
        kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_work_group_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let kernel = object::get::<Kernel>(kernel)?;
        let device = kernel.device(device)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_KERNEL_WORK_GROUP_SIZE => answer.value(device.shape().max_work_group_size),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => answer.list(&kernel.declaration.required),
            CL_KERNEL_LOCAL_MEM_SIZE => {
                let local = |value: &Option<Value>| match value {
                    Some(Value::Local(size)) => *size as u64,
                    _ => 0,
                };
                answer.value(lock(&kernel.values).iter().map(local).sum::<u64>())
            }
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE if device.version() >= (1, 1) => {
                answer.value(SUB_GROUP)
            }
            CL_KERNEL_PRIVATE_MEM_SIZE if device.version() >= (1, 1) => answer.value(0_u64),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

/// # Safety
/// - The pointers are null or valid for as many bytes as the sizes say.
unsafe fn sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_sub_group_info,
    input: (size_t, *const c_void),
    answer: Answer,
) -> Result {
    let kernel = object::get::<Kernel>(kernel)?;
    let device = kernel.device(device)?;
    // SAFETY: passed on.
    let given = unsafe { items(input.1.cast::<size_t>(), input.0 / size_of::<size_t>()) };
    let groups = given.iter().fold(1_usize, |items, side| items.saturating_mul(*side)).div_ceil(SUB_GROUP);
    match name {
        CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE if !given.is_empty() => answer.value(SUB_GROUP),
        CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE if !given.is_empty() => answer.value(groups),
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT if given.len() == 1 => {
            let items = given[0].saturating_mul(SUB_GROUP);
            let fits = items <= device.shape().max_work_group_size;
            let first = if fits { items } else { 0 };
            answer.list(&[first, usize::from(fits), usize::from(fits)])
        }
        CL_KERNEL_MAX_NUM_SUB_GROUPS => answer.value(device.shape().max_work_group_size / SUB_GROUP),
        CL_KERNEL_COMPILE_NUM_SUB_GROUPS => answer.value(0_usize),
        _ => Err(CL_INVALID_VALUE),
    }
}

entry! {
    status fn clGetKernelSubGroupInfo(
        kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_sub_group_info,
        input_value_size: size_t, input_value: *const c_void,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        // SAFETY: as above.
        unsafe { sub_group_info(kernel, device, param_name, (input_value_size, input_value), answer) }
    }
}

entry! {
    status fn clGetKernelSubGroupInfoKHR(
        kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_sub_group_info,
        input_value_size: size_t, input_value: *const c_void,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        // SAFETY: as above.
        unsafe { sub_group_info(kernel, device, param_name, (input_value_size, input_value), answer) }
    }
}
