//! Command queues.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::border::{check, pair, pairs, store};
use crate::context::Context;
use crate::device::Device;
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::schedule;
use crate::sys::*;

/// A command queue.
pub(crate) struct Queue {
    pub(crate) context: Shared<Context>,
    pub(crate) device: Shared<Device>,
    properties: AtomicU64,
    array: Vec<cl_queue_properties>,
}

impl Kind for Queue {
    const NAME: &'static str = "queue";
    const INVALID: cl_int = CL_INVALID_COMMAND_QUEUE;
}

impl Queue {
    /// Whether commands may overtake each other.
    pub(crate) fn out_of_order(&self) -> bool {
        self.properties.load(Ordering::Relaxed) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0
    }

    /// Whether events carry times.
    pub(crate) fn profiling(&self) -> bool {
        self.properties.load(Ordering::Relaxed) & CL_QUEUE_PROFILING_ENABLE != 0
    }
}

fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    array: Vec<cl_queue_properties>,
) -> Result<cl_command_queue> {
    let context = object::get::<Context>(context)?;
    let device = context.device(device)?;
    let host = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    let known = host | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    check(properties & !known == 0, CL_INVALID_VALUE)?;
    check(properties & !host == 0, CL_INVALID_QUEUE_PROPERTIES)?;
    let dispatch = context.dispatch();
    let queue = Queue { context, device, properties: AtomicU64::new(properties), array };
    Ok(Object::create(dispatch, 1, queue).handle())
}

entry! {
    object fn clCreateCommandQueue(
        context: cl_context, device: cl_device_id, properties: cl_command_queue_properties,
    ) {
        create(context, device, properties, Vec::new())
    }
}

entry! {
    object fn clCreateCommandQueueWithProperties(
        context: cl_context, device: cl_device_id, properties: *const cl_queue_properties,
    ) {
        // SAFETY: the pointer is as the specification demands.
        let array = unsafe { pairs(properties) };
        let names = [u64::from(CL_QUEUE_PROPERTIES), u64::from(CL_QUEUE_SIZE)];
        check(array.chunks_exact(2).all(|pair| names.contains(&pair[0])), CL_INVALID_VALUE)?;
        let bits = pair(&array, u64::from(CL_QUEUE_PROPERTIES)).unwrap_or(0);
        create(context, device, bits, array)
    }
}

entry! {
    status fn clRetainCommandQueue(command_queue: cl_command_queue) {
        object::retain::<Queue>(command_queue)
    }
}

entry! {
    status fn clReleaseCommandQueue(command_queue: cl_command_queue) {
        object::release::<Queue>(command_queue)
    }
}

entry! {
    status fn clGetCommandQueueInfo(
        command_queue: cl_command_queue, param_name: cl_command_queue_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let queue = object::get::<Queue>(command_queue)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_QUEUE_CONTEXT => answer.value(queue.context.handle()),
            CL_QUEUE_DEVICE => answer.value(queue.device.handle()),
            CL_QUEUE_REFERENCE_COUNT => answer.value(queue.references()),
            CL_QUEUE_PROPERTIES => answer.value(queue.properties.load(Ordering::Relaxed)),
            CL_QUEUE_SIZE if queue.device.version() >= (2, 0) => Err(CL_INVALID_COMMAND_QUEUE),
            CL_QUEUE_DEVICE_DEFAULT if queue.device.version() >= (2, 1) => {
                // There are no device queues, so none is the default.
                answer.value(std::ptr::null_mut::<c_void>())
            }
            CL_QUEUE_PROPERTIES_ARRAY if queue.device.version() >= (3, 0) => answer.list(&queue.array),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clSetCommandQueueProperty(
        command_queue: cl_command_queue, properties: cl_command_queue_properties, enable: cl_bool,
        old_properties: *mut cl_command_queue_properties,
    ) {
        let queue = object::get::<Queue>(command_queue)?;
        check(queue.device.version() == (1, 0), CL_INVALID_OPERATION)?;
        let known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        check(properties & !known == 0, CL_INVALID_VALUE)?;
        let old = if enable == CL_FALSE {
            queue.properties.fetch_and(!properties, Ordering::Relaxed)
        } else {
            queue.properties.fetch_or(properties, Ordering::Relaxed)
        };
        // SAFETY: the pointer is as the specification demands.
        unsafe { store(old_properties, old) };
        Ok(())
    }
}

entry! {
    status fn clSetDefaultDeviceCommandQueue(
        context: cl_context, device: cl_device_id, command_queue: cl_command_queue,
    ) {
        let context = object::get::<Context>(context)?;
        context.device(device)?;
        object::get::<Queue>(command_queue)?;
        // Queues here are host queues, and the default must be a device queue.
        Err(CL_INVALID_OPERATION)
    }
}

entry! {
    status fn clFlush(command_queue: cl_command_queue) {
        object::get::<Queue>(command_queue).map(drop)
    }
}

entry! {
    status fn clFinish(command_queue: cl_command_queue) {
        let queue = object::get::<Queue>(command_queue)?;
        schedule::finish(&queue);
        Ok(())
    }
}
