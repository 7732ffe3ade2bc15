//! Between host memory and arrays.

use numpy::npyffi::{NpyTypes, PY_ARRAY_API, get_type_object};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use opencl_array::layout::Tuple;
use opencl_array::{Array as Runtime, Order};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use super::Array;
use super::class::empty;
use super::subclass::QueueArgument;
use crate::cl::event::NannyEvent;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::host::HostMemory;
use crate::error::{ArrayResult, array_error};

/// The order in which the elements of an array that is contiguous lie.
fn order_of(host: &Bound<'_, PyUntypedArray>) -> Option<Order> {
    if host.is_c_contiguous() {
        Some(Order::C)
    } else if host.is_fortran_contiguous() {
        Some(Order::F)
    } else {
        None
    }
}

/// A contiguous version of a host array, with its order.
fn contiguous<'py>(host: &Bound<'py, PyUntypedArray>) -> PyResult<(Bound<'py, PyUntypedArray>, Order)> {
    match order_of(host) {
        Some(order) => Ok((host.clone(), order)),
        None => {
            let copy = host.py().import("numpy")?.call_method1("ascontiguousarray", (host,))?;
            Ok((copy.cast_into()?, Order::C))
        }
    }
}

/// Sets the elements of an array to those of a host array of the same shape and dtype.
fn write(
    queue: &RuntimeQueue,
    array: &Runtime,
    host: &Bound<'_, PyUntypedArray>,
    order: Order,
) -> PyResult<()> {
    let memory = HostMemory::readable(host.as_any())?;
    let py = host.py();
    // SAFETY: the host array is alive during the call and holds that many bytes.
    let bytes = unsafe { memory.bytes() };
    py.detach(|| array.write(bytes, order, Some(queue))).map_err(|error| array_error(&error))
}

/// A copy of a host array on the device.
pub(super) fn upload(queue: &RuntimeQueue, host: &Bound<'_, PyUntypedArray>) -> PyResult<Runtime> {
    let dtype = dtype::from_numpy(host.dtype().as_any())?;
    let (host, order) = contiguous(host)?;
    let array = Runtime::empty(queue, host.shape(), dtype, order).array_result()?;
    write(queue, &array, &host, order)?;
    Ok(array)
}

/// Copy a NumPy array to the device of *queue*, as an array of the same shape, dtype and order.
///
/// The result's queue is *array_queue*, which is *queue* by default; with ``None`` it has none. With *async_*, the host array must not
/// be changed before the transfer is done.
#[pyfunction]
#[pyo3(signature = (queue, ary, allocator = None, async_ = None, array_queue = QueueArgument::Own))]
pub(super) fn to_device(
    queue: &Bound<'_, CommandQueue>,
    ary: &Bound<'_, PyAny>,
    allocator: Option<&Bound<'_, PyAny>>,
    async_: Option<bool>,
    array_queue: QueueArgument<'_>,
) -> PyResult<Py<Array>> {
    // The transfer is done when the call returns: waiting longer than asked for is allowed.
    let _ = async_;
    let py = queue.py();
    let host = as_array(ary)?;
    let dtype = dtype::from_numpy(host.dtype().as_any())?;
    let (host, order) = contiguous(&host)?;
    let made = empty(queue, host.shape(), dtype, order, allocator)?;
    write(queue.get().live(py)?, &made, &host, order)?;
    let array = Array::wrap(py, made, Some(queue.clone().unbind()))?;
    match array_queue {
        QueueArgument::Own => Ok(array),
        QueueArgument::Given(other) => Array::with_queue(array.bind(py), other.as_ref()),
    }
}

/// A host array of anything that NumPy makes one of, in native byte order.
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    Ok(object.py().import("numpy")?.call_method1("asarray", (object,))?.cast_into()?)
}

impl Array {
    /// The elements as a new NumPy array; what a subclass has in its place if it has a `get` of its own.
    pub(super) fn get_object<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if slf.is_exact_instance_of::<Self>() {
            return Self::get(slf, None, None);
        }
        slf.call_method0(intern!(slf.py(), "get"))
    }
}

#[pymethods]
impl Array {
    /// The elements as a NumPy array: a new one, or *ary*, which must be contiguous and of the same shape, or lie in C
    /// order and have as many elements.
    #[pyo3(signature = (queue = None, ary = None))]
    pub(super) fn get<'py>(
        slf: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        ary: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = slf.get().runtime()?;
        let queue = slf.get().queue_or(py, queue)?;
        let (host, order) = target(py, array, ary)?;
        let memory = HostMemory::writable(host.as_any())?;
        // SAFETY: the host array is alive during the call and has that many bytes; nobody else knows a new
        // one, and who passes one must not use it meanwhile.
        let bytes = unsafe { memory.bytes_mut() };
        py.detach(|| array.read(bytes, order, Some(queue))).map_err(|error| array_error(&error))?;
        Ok(host.into_any())
    }

    /// The same without waiting: returns ``(array, event)``. The array may be used once the event, a
    /// :class:`NannyEvent` that keeps it, is done.
    #[pyo3(signature = (queue = None, ary = None))]
    fn get_async<'py>(
        slf: &Bound<'py, Self>,
        queue: Option<&Bound<'py, CommandQueue>>,
        ary: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Py<NannyEvent>)> {
        let py = slf.py();
        let array = slf.get().runtime()?;
        let queue = Some(slf.get().queue_or(py, queue)?);
        let (host, order) = target(py, array, ary)?;
        let memory = HostMemory::writable(host.as_any())?;
        let layout = array.layout();
        let gap_free = if order == Order::C { layout.is_c_contiguous() } else { layout.is_f_contiguous() };
        let copied;
        let source = if gap_free {
            array
        } else {
            copied = py.detach(|| array.copy_in(order, queue)).array_result()?;
            &copied
        };
        let enqueued = source.enqueue_with(false, queue, &[], |queue, wait| {
            if memory.size == 0 {
                return queue.marker(wait).map(|event| ((), event));
            }
            let (buffer, offset) = (source.buffer(), source.layout().offset());
            // SAFETY: the event's object keeps the host array until the command is done.
            unsafe { queue.enqueue_read(buffer, false, offset, memory.size, memory.address, wait) }
                .map(|event| ((), event))
        });
        let ((), event) = enqueued.array_result()?;
        let event = NannyEvent::wrap(py, event, host.as_any(), memory.into_export(), false)?;
        Ok((host.into_any(), event))
    }

    /// Set the elements to those of a NumPy array of the same shape and dtype.
    #[pyo3(signature = (ary, queue = None, async_ = None))]
    fn set<'py>(
        slf: &Bound<'py, Self>,
        ary: &Bound<'py, PyAny>,
        queue: Option<&Bound<'py, CommandQueue>>,
        async_: Option<bool>,
    ) -> PyResult<()> {
        // The transfer is done when the call returns: waiting longer than asked for is allowed.
        let _ = async_;
        let array = slf.get().runtime()?;
        let queue = slf.get().queue_or(slf.py(), queue)?;
        let host = as_array(ary)?;
        check_shape(array, &host)?;
        check_dtype(array, &host)?;
        let (host, order) = contiguous(&host)?;
        write(queue, array, &host, order)
    }
}

/// The host array that an array is copied to, and the order of its elements: `ary`, or a new one.
fn target<'py>(
    py: Python<'py>,
    array: &Runtime,
    ary: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyUntypedArray>, Order)> {
    match ary {
        Some(ary) => {
            let host = ary.cast::<PyUntypedArray>()?;
            let reshapes = host.is_c_contiguous() && host.len() == array.layout().size();
            if !reshapes {
                check_shape(array, host)?;
            }
            check_dtype(array, host)?;
            let not_contiguous = || PyValueError::new_err("'ary' must be contiguous");
            Ok((host.clone(), order_of(host).ok_or_else(not_contiguous)?))
        }
        None => {
            let layout = array.layout();
            let order =
                if layout.is_f_contiguous() && !layout.is_c_contiguous() { Order::F } else { Order::C };
            Ok((new_host_array(py, array, order)?, order))
        }
    }
}

/// Refuses a host array of another shape.
fn check_shape(array: &Runtime, host: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    if host.shape() != array.shape() {
        let text = format!(
            "the host array has shape {}, the device array {}",
            Tuple(host.shape()),
            Tuple(array.shape())
        );
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// Refuses a host array of another dtype.
fn check_dtype(array: &Runtime, host: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let dtype = dtype::from_numpy(host.dtype().as_any())?;
    if dtype != array.dtype() {
        let text =
            format!("the host array has dtype {}, the device array {}", dtype.name(), array.dtype().name());
        return Err(PyTypeError::new_err(text));
    }
    Ok(())
}

/// A new host array of the shape and dtype of an array.
///
/// From 4 MiB on its memory is in huge pages, which is twice as fast to fill: NumPy asks Linux for them
/// (`madvise`; `hg` in `/proc/self/smaps`), unless `NUMPY_MADVISE_HUGEPAGE=0` is set.
fn new_host_array<'py>(
    py: Python<'py>,
    array: &Runtime,
    order: Order,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let mut shape: Vec<isize> = array.shape().iter().map(|length| length.cast_signed()).collect();
    let descr = dtype::to_numpy(py, array.dtype())?;
    // SAFETY: the shape has as many lengths as are told, and the reference to the dtype is given away.
    let host = unsafe {
        let kind = get_type_object(py, NpyTypes::PyArray_Type);
        let raw = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            kind,
            descr.into_dtype_ptr(),
            // NumPy refuses more dimensions than it has.
            i32::try_from(shape.len()).unwrap_or(i32::MAX),
            shape.as_mut_ptr(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            i32::from(order == Order::F),
            std::ptr::null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, raw)?
    };
    Ok(host.cast_into()?)
}
