//! Kernel launches. A kernel does nothing, unless its body says `STUB_FILL(argument, value)`; but what was
//! launched, how and with which arguments can be asked for.

use std::fmt::Write as _;
use std::sync::Mutex;

use crate::border::{check, items, lock};
use crate::enqueue::Enqueue;
use crate::kernel::{Kernel, Value};
use crate::memory::Mem;
use crate::object::{self, Object, Shared};
use crate::queue::Queue;
use crate::rect;
use crate::sampler::Sampler;
use crate::source::type_size;
use crate::sys::*;

static LAST: Mutex<String> = Mutex::new(String::new());

/// The last launch in words.
pub(crate) fn last() -> String {
    lock(&LAST).clone()
}

/// Forgets the last launch.
pub(crate) fn forget() {
    lock(&LAST).clear();
}

/// Sizes of a launch.
struct Range {
    offset: Vec<usize>,
    global: Vec<usize>,
    local: Option<Vec<usize>>,
}

impl Range {
    /// Copies and checks the sizes.
    ///
    /// # Safety
    /// - The pointers are null or valid for reading `dimensions` sizes.
    unsafe fn new(
        queue: &Queue,
        kernel: &Kernel,
        dimensions: cl_uint,
        [offset, global, local]: [*const size_t; 3],
    ) -> Result<Self> {
        check((1..=3).contains(&dimensions), CL_INVALID_WORK_DIMENSION)?;
        let count = dimensions as usize;
        let version = queue.device.version();
        // SAFETY: passed on.
        let given = unsafe { items(global, count) };
        let empty_allowed = version >= (2, 1);
        check(empty_allowed || (!given.is_empty() && !given.contains(&0)), CL_INVALID_GLOBAL_WORK_SIZE)?;
        check(!given.is_empty(), CL_INVALID_GLOBAL_WORK_SIZE)?;
        check(offset.is_null() || version >= (1, 1), CL_INVALID_GLOBAL_OFFSET)?;
        // SAFETY: passed on.
        let mut offset = unsafe { items(offset, count) };
        offset.resize(count, 0);
        // SAFETY: passed on.
        let local = (!local.is_null()).then(|| unsafe { items(local, count) });
        let limit = queue.device.shape().max_work_group_size;
        if let Some(local) = &local {
            check(local.iter().all(|side| *side <= limit), CL_INVALID_WORK_ITEM_SIZE)?;
            let items = local.iter().fold(1_usize, |items, side| items.saturating_mul(*side));
            check(items > 0 && items <= limit, CL_INVALID_WORK_GROUP_SIZE)?;
            let uniform = given.iter().zip(local).all(|(global, local)| global % local == 0);
            // OpenCL 2.x must take remainders, 3.0 need not, and this device says that it does not.
            check(uniform || version.0 == 2, CL_INVALID_WORK_GROUP_SIZE)?;
        }
        let required = &kernel.declaration.required;
        if *required != [0; 3] {
            let mut sides = local.clone().unwrap_or_default();
            sides.resize(3, 1);
            check(local.is_some() && sides == required, CL_INVALID_WORK_GROUP_SIZE)?;
        }
        Ok(Self { offset, global: given, local })
    }
}

/// Notes what is launched.
fn note(kernel: &Kernel, range: &Range, values: &[Value]) {
    let joined = |sides: &[usize]| sides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let local = range.local.as_deref().map_or("none".to_owned(), joined);
    let arguments: Vec<_> = values.iter().map(spell).collect();
    *lock(&LAST) = format!(
        "{} offset={} global={} local={local} args={}",
        kernel.declaration.name,
        joined(&range.offset),
        joined(&range.global),
        arguments.join(",")
    );
}

/// A value as hexadecimal bytes.
fn spell(value: &Value) -> String {
    let address = |address: &usize| address.to_ne_bytes().to_vec();
    let bytes = match value {
        Value::Local(_) | Value::Memory(0) => return "-".to_owned(),
        Value::Bytes(bytes) => bytes.clone(),
        Value::Memory(handle) | Value::Sampler(handle) | Value::Svm(handle) => address(handle),
    };
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What `STUB_FILL` writes, if the kernel says so: bytes per element.
fn pattern(kernel: &Kernel) -> Option<(usize, Vec<u8>)> {
    let (index, value) = kernel.declaration.fill.clone()?;
    let type_name = kernel.declaration.arguments[index].type_name.trim_end_matches('*');
    let bytes = match (type_name, type_size(type_name)) {
        ("float", _) => value.parse::<f32>().ok()?.to_ne_bytes().to_vec(),
        ("double", _) => value.parse::<f64>().ok()?.to_ne_bytes().to_vec(),
        (_, size @ 1..=8) => value.parse::<i64>().ok()?.to_le_bytes()[..size].to_vec(),
        _ => return None,
    };
    Some((index, bytes))
}

fn launch(enqueue: Enqueue, kernel: &Object<Kernel>, range: &Range, command: cl_command_type) -> Result {
    check(kernel.program.runs_on(&enqueue.queue.device), CL_INVALID_PROGRAM_EXECUTABLE)?;
    check(kernel.program.context.handle() == enqueue.queue.context.handle(), CL_INVALID_CONTEXT)?;
    let set: Option<Vec<Value>> = lock(&kernel.values).iter().cloned().collect();
    let values = set.ok_or(CL_INVALID_KERNEL_ARGS)?;
    let mut used: Vec<Option<Shared<Mem>>> = Vec::new();
    for value in &values {
        used.push(match value {
            Value::Memory(handle) if *handle != 0 => Some(enqueue.mem(*handle as cl_mem)?),
            Value::Sampler(handle) => {
                object::get::<Sampler>(*handle as cl_sampler)?;
                None
            }
            _ => None,
        });
    }
    note(kernel, range, &values);
    let count = range.global.iter().fold(1_usize, |count, side| count.saturating_mul(*side));
    let pattern = pattern(kernel);
    enqueue.submit(command, false, move || {
        if let Some((index, bytes)) = pattern
            && let Some(mem) = &used[index]
        {
            let size = count.saturating_mul(bytes.len()).min(mem.size);
            // SAFETY: not more than the object has.
            unsafe { rect::fill(mem.address(), &bytes, size) };
        }
        drop(used);
    })
}

entry! {
    status fn clEnqueueNDRangeKernel(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: *const size_t, global_work_size: *const size_t,
        local_work_size: *const size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let kernel = object::get::<Kernel>(kernel)?;
        let sizes = [global_work_offset, global_work_size, local_work_size];
        // SAFETY: as above.
        let range = unsafe { Range::new(&enqueue.queue, &kernel, work_dim, sizes)? };
        launch(enqueue, &kernel, &range, CL_COMMAND_NDRANGE_KERNEL)
    }
}

entry! {
    status fn clEnqueueTask(
        command_queue: cl_command_queue, kernel: cl_kernel,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        let enqueue =
            unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        let kernel = object::get::<Kernel>(kernel)?;
        let range = Range { offset: vec![0], global: vec![1], local: Some(vec![1]) };
        launch(enqueue, &kernel, &range, CL_COMMAND_TASK)
    }
}

entry! {
    status fn clEnqueueNativeKernel(
        command_queue: cl_command_queue, _user_func: Option<unsafe extern "C" fn(*mut c_void)>,
        _args: *mut c_void, _cb_args: size_t, _num_mem_objects: cl_uint, _mem_list: *const cl_mem,
        _args_mem_loc: *mut *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event,
    ) {
        // SAFETY: the pointers are as the specification demands.
        unsafe { Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)? };
        // The devices report that they run no native kernels.
        Err(CL_INVALID_OPERATION)
    }
}

entry! {
    status fn clGetKernelSuggestedLocalWorkSize(
        command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: *const size_t, global_work_size: *const size_t,
        suggested_local_work_size: *mut size_t,
    ) {
        let queue = object::get::<Queue>(command_queue)?;
        let kernel = object::get::<Kernel>(kernel)?;
        check(!suggested_local_work_size.is_null(), CL_INVALID_VALUE)?;
        check(kernel.program.runs_on(&queue.device), CL_INVALID_PROGRAM_EXECUTABLE)?;
        let required = kernel.declaration.required;
        let local = if required == [0; 3] { std::ptr::null() } else { required.as_ptr() };
        let sizes = [global_work_offset, global_work_size, local];
        // SAFETY: the pointers are as the specification demands, and `required` has three sizes.
        let range = unsafe { Range::new(&queue, &kernel, work_dim, sizes)? };
        let mut room = queue.device.shape().max_work_group_size.min(32);
        for (axis, side) in range.global.iter().enumerate() {
            let divisor = (1..=room).rev().find(|size| side % size == 0).unwrap_or(1);
            room /= divisor;
            let size = if required == [0; 3] { divisor } else { required[axis] };
            // SAFETY: there is room for a size per dimension.
            unsafe { suggested_local_work_size.add(axis).write(size) };
        }
        Ok(())
    }
}
