//! Arrays of subclasses: their results and views are made by the hooks `_new_with_changes` and `_new_like_me`.
//!
//! For the class itself nothing of this happens: results and views are made directly.

use std::sync::OnceLock;

use opencl_array::{Array as Runtime, DType, Layout, Order};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use smallvec::SmallVec;

use super::Array;
use super::allocator;
use super::class::{Content, memory_object, shape as lengths};
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::ArrayResult;

impl Array {
    /// An object for a view of this array, of its class.
    #[inline]
    pub(super) fn view_of(slf: &Bound<'_, Self>, array: Runtime) -> PyResult<Py<Self>> {
        let queue = slf.get().queue_object()?;
        Self::over_own_memory(slf, array, queue.map(|queue| queue.bind(slf.py())))
    }

    /// An object for a view of this array with this queue, of its class.
    #[inline]
    pub(super) fn over_own_memory(
        slf: &Bound<'_, Self>,
        array: Runtime,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let py = slf.py();
        if !slf.is_exact_instance_of::<Self>() {
            return of_subclass(slf, array, queue, true);
        }
        let memory = slf.get().memory_cell(py)?;
        let queue = queue.map(|queue| queue.clone().unbind());
        Py::new(py, Self::of_content(Content::new(py, array, queue, memory)))
    }

    /// An object for the result of an operation of this array, of its class.
    #[inline]
    pub(super) fn result(slf: &Bound<'_, Self>, array: Runtime) -> PyResult<Py<Self>> {
        let queue = slf.get().queue_object()?;
        if slf.is_exact_instance_of::<Self>() {
            return Self::wrap(slf.py(), array, queue.map(|queue| queue.clone_ref(slf.py())));
        }
        of_subclass(slf, array, queue.map(|queue| queue.bind(slf.py())), false)
    }

    /// The same, on the queue that was given for the operation, if one was.
    pub(super) fn result_on(
        slf: &Bound<'_, Self>,
        array: Runtime,
        given: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        match given {
            None => Self::result(slf, array),
            Some(_) => Self::beside(slf, array, given),
        }
    }

    /// An object for new memory on a queue, of this array's class.
    pub(super) fn beside(
        slf: &Bound<'_, Self>,
        array: Runtime,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        allocator::warn_of_other_queue(slf.py(), &array)?;
        if slf.is_exact_instance_of::<Self>() {
            return Self::wrap(slf.py(), array, queue.map(|queue| queue.clone().unbind()));
        }
        of_subclass(slf, array, queue, false)
    }
}

/// An object of the class of `slf` for a view of it, or for new memory.
#[cold]
fn of_subclass(
    slf: &Bound<'_, Array>,
    array: Runtime,
    queue: Option<&Bound<'_, CommandQueue>>,
    is_view: bool,
) -> PyResult<Py<Array>> {
    let py = slf.py();
    let class = slf.get_type();
    let base = py.get_type::<Array>();
    let inherits = |names: &[&Bound<'_, PyString>]| -> PyResult<bool> {
        for name in names {
            if !class.getattr(*name)?.is(&base.getattr(*name)?) {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let own = slf.get().runtime()?;
    let like_me = intern!(py, "_new_like_me");
    if !is_view && array.shape() == own.shape() && !inherits(&[like_me])? {
        let dtype = dtype::to_numpy(py, array.dtype())?;
        let made = as_array(&slf.call_method1(like_me, (dtype, queue))?)?;
        made.get().runtime()?.assign(&array, array.queue()).array_result()?;
        return Ok(made.unbind());
    }
    let with_changes = intern!(py, "_new_with_changes");
    if inherits(&[with_changes, intern!(py, "__init__"), intern!(py, "__new__")])? {
        // Nobody would see the memory on its way, which therefore may stay in the pool.
        let made = uninitialised(&class)?;
        let memory = if is_view { slf.get().memory_cell(py)? } else { OnceLock::new() };
        let queue = queue.map(|queue| queue.clone().unbind());
        made.get().set_content(Content::new(py, array, queue, memory))?;
        return Ok(made.unbind());
    }
    let memory = if is_view { slf.get().base_data(py)? } else { memory_object(py, array.storage())? };
    let keywords = PyDict::new(py);
    keywords.set_item(intern!(py, "shape"), PyTuple::new(py, array.shape())?)?;
    keywords.set_item(intern!(py, "strides"), PyTuple::new(py, array.layout().strides())?)?;
    if array.dtype() != own.dtype() {
        keywords.set_item(intern!(py, "dtype"), dtype::to_numpy(py, array.dtype())?)?;
    }
    let queue_now = slf.get().queue_object()?;
    if queue.map(|queue| queue.as_ptr()) != queue_now.map(Py::as_ptr) {
        keywords.set_item(intern!(py, "queue"), queue)?;
    }
    let allocator = allocator::object_of(&array);
    if allocator.map(Py::as_ptr) != slf.get().allocator_object()?.map(Py::as_ptr) {
        keywords.set_item(intern!(py, "allocator"), allocator)?;
    }
    let made = slf.call_method(with_changes, (memory, array.layout().offset()), Some(&keywords))?;
    Ok(as_array(&made)?.unbind())
}

/// An object of a class of arrays whose constructor has not been called.
pub(super) fn uninitialised<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, Array>> {
    as_array(&class.call_method1(intern!(class.py(), "__new__"), (class,))?)
}

/// What a hook gave, which must be an array.
fn as_array<'py>(made: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Array>> {
    made.cast::<Array>().cloned().map_err(|_| {
        PyTypeError::new_err(format!(
            "a hook of an array must give an array, not an object of {}",
            made.get_type()
        ))
    })
}

/// The queue that an argument names: that of the array, unless a queue or `None` is given.
pub(super) enum QueueArgument<'py> {
    Own,
    Given(Option<Bound<'py, CommandQueue>>),
}

impl<'py> FromPyObject<'_, 'py> for QueueArgument<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self::Given(None));
        }
        // A class stands for the queue of the array.
        if object.cast::<PyType>().is_ok() {
            return Ok(Self::Own);
        }
        Ok(Self::Given(Some(object.cast::<CommandQueue>()?.to_owned())))
    }
}

#[pymethods]
impl Array {
    /// An array of the same class that differs in what is given, over the memory *data* from byte *offset* on, or in
    /// new memory if *data* is ``None``.
    ///
    /// This is a hook: views and results of subclasses are made by it. Without *strides*, those of the array are kept
    /// if its *shape* and the size of its elements are; else the array is in C order.
    #[pyo3(
        signature = (data, offset, shape = None, dtype = None, strides = None, queue = QueueArgument::Own, allocator = None)
    )]
    #[allow(clippy::too_many_arguments, reason = "the parameters of the Python method")]
    fn _new_with_changes<'py>(
        slf: &Bound<'py, Self>,
        data: Option<&Bound<'py, PyAny>>,
        offset: Option<usize>,
        shape: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        strides: Option<&Bound<'py, PyAny>>,
        queue: QueueArgument<'py>,
        allocator: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = slf.get().runtime()?;
        let dtype = dtype.map_or(Ok(array.dtype()), dtype::from_numpy)?;
        let shape = shape.map_or_else(|| Ok(array.shape().into()), lengths)?;
        let layout = if shape[..] != *array.shape() {
            None
        } else if data.is_none() {
            Some(array.layout_like(dtype).array_result()?)
        } else {
            (dtype.size() == array.dtype().size()).then(|| array.layout().clone())
        };
        let keywords = PyDict::new(py);
        let strides: Option<SmallVec<[isize; 6]>> = match strides {
            Some(strides) => {
                Some(strides.try_iter()?.map(|stride| stride?.extract()).collect::<PyResult<_>>()?)
            }
            None => layout.map(|layout| layout.strides().into()),
        };
        set_strides(&keywords, &shape, strides.as_deref(), dtype)?;
        if let Some(data) = data {
            keywords.set_item("data", data)?;
            keywords.set_item("offset", offset.unwrap_or_else(|| array.layout().offset()))?;
        }
        Self::new_of_class(slf, &shape, dtype::to_numpy(py, dtype)?.as_any(), &queue, allocator, &keywords)
    }

    /// An array of the same class, shape and order in new memory, on *queue* or the array's own, with elements of
    /// *dtype* or the array's own. This is a hook: results of subclasses that override it are made by it.
    #[pyo3(signature = (dtype = None, queue = None))]
    fn _new_like_me<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        queue: Option<&Bound<'py, CommandQueue>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = slf.get().runtime()?;
        let dtype = dtype.map_or(Ok(array.dtype()), dtype::from_numpy)?;
        let keywords = PyDict::new(py);
        set_strides(
            &keywords,
            array.shape(),
            Some(array.layout_like(dtype).array_result()?.strides()),
            dtype,
        )?;
        let queue = queue.map_or(QueueArgument::Own, |queue| QueueArgument::Given(Some(queue.clone())));
        Self::new_of_class(slf, array.shape(), dtype::to_numpy(py, dtype)?.as_any(), &queue, None, &keywords)
    }
}

/// Adds strides to what a constructor is called with, unless the array is in C order: without need they are not given,
/// so that a class may do without them.
fn set_strides(
    keywords: &Bound<'_, PyDict>,
    shape: &[usize],
    strides: Option<&[isize]>,
    dtype: DType,
) -> PyResult<()> {
    let Some(strides) = strides else { return Ok(()) };
    if Layout::contiguous(shape, dtype.size(), Order::C).is_ok_and(|layout| layout.strides() == strides) {
        return Ok(());
    }
    keywords.set_item(intern!(keywords.py(), "strides"), PyTuple::new(keywords.py(), strides)?)
}

impl Array {
    /// Calls the class of an array, with what its constructor takes from everybody and `keywords`.
    fn new_of_class<'py>(
        slf: &Bound<'py, Self>,
        shape: &[usize],
        dtype: &Bound<'py, PyAny>,
        queue: &QueueArgument<'py>,
        allocator: Option<&Bound<'py, PyAny>>,
        keywords: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let queue = match queue {
            QueueArgument::Own => slf.get().queue_object()?.map(|queue| queue.bind(py)),
            QueueArgument::Given(queue) => queue.as_ref(),
        };
        let own = slf.get().allocator_object()?.map(|allocator| allocator.bind(py));
        keywords.set_item("allocator", allocator.or(own))?;
        keywords.set_item("_fast", true)?;
        keywords.set_item("_size", shape.iter().product::<usize>())?;
        keywords.set_item("_context", slf.get().context(py)?)?;
        keywords.set_item("_queue", queue)?;
        slf.get_type().call((py.None(), PyTuple::new(py, shape)?, dtype), Some(keywords))
    }
}
