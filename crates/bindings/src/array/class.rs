//! The class itself: construction, attributes, what other files build on.

use std::sync::{Arc, OnceLock};

use opencl_array::layout::{Tuple, checked_shape};
use opencl_array::{Array as Runtime, DType, Deferred, Layout, Order, Storage};
use opencl_runtime::CommandQueue as RuntimeQueue;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use smallvec::SmallVec;

use super::allocator::{self, memory_of, object_of, storage, warn_of_other_queue};
use super::changed::Changed;
use super::value::Value;
use crate::cl::context::Context;
use crate::cl::event::Event;
use crate::cl::memory::buffer_layers;
use crate::cl::pool::PooledBuffer;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::{ArrayResult, IntoPyResult};
use crate::made::Made;

/// A multi-dimensional array on a device, with the manners of NumPy's.
///
/// It has *shape* and *dtype* and no defined contents, or lies over the memory *data*. *cq* is a queue, or a
/// context for an array without a queue. *order* is ``"C"`` or ``"F"``; *strides* and *offset* are in bytes;
/// *allocator* is a function that makes a buffer of a size in bytes; operations wait for *events*.
///
/// ``a[index]`` is NumPy's: a view, or new memory if the index has arrays. bool arrays and the device's int8 arrays,
/// which comparisons give, are masks, of the shape of the axes that they stand for; other integers are positions.
/// For positions in an int8 array of the device use ``index.astype(np.int32)`` or :func:`pyopencl.array.take`.
/// Positions on the device that are beyond an axis take its nearest element, and nothing is written there.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl.array")]
pub(crate) struct Array {
    content: Slot,
    /// Takes the place of `content` once an attribute was set.
    changed: OnceLock<Box<Changed>>,
    made: Made,
}

/// Where the content of an array is.
enum Slot {
    /// Here, from the start: results and views.
    Filled(Content),
    /// Set once, by the constructor; subclasses may do other things before.
    Open(OnceLock<Content>),
}

/// What an array is, once it is initialised.
pub(super) struct Content {
    array: Value,
    queue: Option<Py<CommandQueue>>,
    /// The object that holds the memory, made when somebody asks for it.
    memory: OnceLock<Py<PyAny>>,
}

impl Content {
    /// An array with its queue, which operations use if there is one, and the object for its memory, if there is one.
    #[inline]
    pub(super) fn new(
        py: Python<'_>,
        array: Runtime,
        queue: Option<Py<CommandQueue>>,
        memory: OnceLock<Py<PyAny>>,
    ) -> Self {
        let array = allocator::with_own_reference(py, array);
        let array = if queue.is_none() { array.without_queue() } else { array };
        Self { array: array.into(), queue, memory }
    }

    /// An array whose elements are computed later.
    pub(super) fn deferred(deferred: Arc<Deferred>, queue: Py<CommandQueue>) -> Self {
        Self { array: deferred.into(), queue: Some(queue), memory: OnceLock::new() }
    }

    /// The parts that can be set.
    pub(super) fn parts(&self) -> PyResult<(&Runtime, Option<&Py<CommandQueue>>)> {
        Ok((self.array.get()?, self.queue.as_ref()))
    }

    /// Shows the garbage collector what there is.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.queue)?;
        self.array.traverse(visit)?;
        visit.call(self.memory.get())
    }
}

impl Array {
    /// An array that is to be initialised.
    fn open() -> Self {
        Self { content: Slot::Open(OnceLock::new()), changed: OnceLock::new(), made: Made::new() }
    }

    /// An object for an array of the runtime.
    #[inline]
    pub(super) fn wrap(
        py: Python<'_>,
        array: Runtime,
        queue: Option<Py<CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        Py::new(py, Self::of_content(Content::new(py, array, queue, OnceLock::new())))
    }

    /// An initialised array.
    #[inline]
    pub(super) fn of_content(content: Content) -> Self {
        Self { content: Slot::Filled(content), changed: OnceLock::new(), made: Made::new() }
    }

    /// Initialises the array, which can be done once.
    pub(super) fn set_content(&self, content: Content) -> PyResult<()> {
        let set = match &self.content {
            Slot::Filled(_) => Err(content),
            Slot::Open(open) => open.set(content),
        };
        set.map_err(|_| PyRuntimeError::new_err("the array is initialised already"))
    }

    /// Gives the array another content over the same memory, which its attributes show from now on.
    pub(super) fn change(
        &self,
        py: Python<'_>,
        array: Runtime,
        queue: Option<Py<CommandQueue>>,
    ) -> PyResult<()> {
        let content = Content::new(py, array, queue, self.memory_cell(py)?);
        match self.changed.get() {
            Some(changed) => changed.set(content),
            // Where two threads come here at once, the other one has set it last.
            None => {
                drop(self.changed.set(Box::new(Changed::new(content))));
                Ok(())
            }
        }
    }

    /// The object that holds the memory, if there is one, for another array over that memory.
    #[inline]
    pub(super) fn memory_cell(&self, py: Python<'_>) -> PyResult<OnceLock<Py<PyAny>>> {
        Ok(match self.content()?.memory.get() {
            Some(memory) => OnceLock::from(memory.clone_ref(py)),
            None => OnceLock::new(),
        })
    }

    #[inline]
    fn filled(&self) -> Option<&Content> {
        if let Some(changed) = self.changed.get() {
            return Some(changed.content());
        }
        match &self.content {
            Slot::Filled(content) => Some(content),
            Slot::Open(open) => open.get(),
        }
    }

    #[inline]
    fn content(&self) -> PyResult<&Content> {
        self.filled().ok_or_else(|| PyRuntimeError::new_err("the array's __init__ has not been called"))
    }

    /// The runtime's array.
    #[inline]
    pub(super) fn runtime(&self) -> PyResult<&Runtime> {
        self.content()?.array.get()
    }

    /// The array as it is known: computed, or to be computed.
    #[inline]
    pub(super) fn value(&self) -> PyResult<&Value> {
        Ok(&self.content()?.array)
    }

    /// The layout, which is known before the elements are.
    #[inline]
    pub(super) fn layout(&self) -> PyResult<&Layout> {
        Ok(self.content()?.array.layout())
    }

    /// The queue of the array as an object.
    pub(super) fn queue_object(&self) -> PyResult<Option<&Py<CommandQueue>>> {
        Ok(self.content()?.queue.as_ref())
    }

    /// The allocator of the array.
    pub(super) fn allocator_object(&self) -> PyResult<Option<&Py<PyAny>>> {
        Ok(object_of(self.runtime()?))
    }

    /// The queue of the array; an error if it has none.
    pub(super) fn queue<'a>(&'a self, py: Python<'_>) -> PyResult<&'a RuntimeQueue> {
        match self.queue_object()? {
            Some(queue) => queue.get().live(py),
            None => Err(no_queue()),
        }
    }

    /// The same for a command that this module makes of what it knows, so that nothing else has to be computed before.
    pub(super) fn own_queue<'a>(&'a self, py: Python<'_>) -> PyResult<&'a RuntimeQueue> {
        match self.queue_object()? {
            Some(queue) => queue.get().live_for_array(py),
            None => Err(no_queue()),
        }
    }

    /// The queue for an operation: the given one, or that of the array.
    pub(super) fn queue_or<'a>(
        &'a self,
        py: Python<'_>,
        given: Option<&'a Bound<'_, CommandQueue>>,
    ) -> PyResult<&'a RuntimeQueue> {
        match given {
            Some(queue) => queue.get().live(py),
            None => self.queue(py),
        }
    }
}

fn no_queue() -> PyErr {
    PyValueError::new_err(
        "the array has no queue: pass queue= to the operation, or use array.with_queue(queue) first",
    )
}

/// `C` or `F`, also in other spellings that NumPy takes.
pub(super) fn order(name: &str) -> PyResult<Order> {
    match name {
        "C" | "c" | "A" | "a" | "K" | "k" => Ok(Order::C),
        "F" | "f" => Ok(Order::F),
        _ => Err(PyValueError::new_err(format!("invalid order: {name:?}, expected 'C' or 'F'"))),
    }
}

/// A shape: one length, or an iterable of them.
pub(super) fn shape(object: &Bound<'_, PyAny>) -> PyResult<SmallVec<[usize; 6]>> {
    let dimension = |item: &Bound<'_, PyAny>| {
        item.extract::<i64>().map_err(|error| {
            if error.is_instance_of::<PyTypeError>(item.py()) {
                PyValueError::new_err(format!("invalid shape {object}: lengths are integers"))
            } else {
                error
            }
        })
    };
    let dimensions: SmallVec<[i64; 6]> = if let Ok(tuple) = object.cast::<PyTuple>() {
        tuple.iter_borrowed().map(|item| dimension(&item)).collect::<PyResult<_>>()?
    } else if let Ok(length) = object.extract() {
        SmallVec::from_slice(&[length])
    } else {
        let items = object.try_iter().map_err(|_| {
            let kind = object.get_type();
            PyTypeError::new_err(format!("a shape is a length or several of them, not an object of {kind}"))
        })?;
        items.map(|item| dimension(&item?)).collect::<PyResult<_>>()?
    };
    Ok(checked_shape(&dimensions).array_result()?.into_iter().collect())
}

#[pymethods]
impl Array {
    /// Operations with NumPy's arrays are this class's.
    #[classattr]
    #[pyo3(name = "__array_priority__")]
    const ARRAY_PRIORITY: i64 = 100;

    #[classattr]
    fn __array_ufunc__(py: Python<'_>) -> Py<PyAny> {
        py.None()
    }

    // What is shown is what `__init__` takes: this part takes anything, for the sake of subclasses.
    #[new]
    #[pyo3(
        signature = (*args, **kwargs),
        text_signature = "(cq, shape, dtype, order='C', allocator=None, data=None, offset=0, strides=None, events=None, _flags=None, _fast=False, _size=None, _context=None, _queue=None)"
    )]
    fn new(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let _ = (args, kwargs);
        Self::open()
    }

    #[pyo3(signature = (cq, shape, dtype, order = "C", allocator = None, data = None, offset = 0, strides = None, events = None, _flags = None, _fast = false, _size = None, _context = None, _queue = None))]
    #[allow(clippy::too_many_arguments, reason = "the parameters of the Python method")]
    fn __init__(
        slf: &Bound<'_, Self>,
        cq: Option<&Bound<'_, PyAny>>,
        shape: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        order: &str,
        allocator: Option<&Bound<'_, PyAny>>,
        data: Option<&Bound<'_, PyAny>>,
        offset: usize,
        strides: Option<&Bound<'_, PyAny>>,
        events: Option<&Bound<'_, PyAny>>,
        _flags: Option<&Bound<'_, PyAny>>,
        _fast: bool,
        _size: Option<usize>,
        _context: Option<&Bound<'_, PyAny>>,
        _queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<()> {
        let py = slf.py();
        let queue = match cq {
            Some(cq) => cq.cast::<CommandQueue>().ok(),
            None => _queue,
        };
        let context = match (queue, cq, _context) {
            (Some(_), ..) => None,
            (None, Some(context), _) | (None, None, Some(context)) => Some(
                context
                    .cast::<Context>()
                    .map_err(|_| PyTypeError::new_err("cq must be a CommandQueue or a Context"))?,
            ),
            (None, None, None) => None,
        };
        let dtype = dtype::from_numpy(dtype)?;
        let shape = self::shape(shape)?;
        let layout = match strides {
            None => Layout::contiguous(&shape, dtype.size(), self::order(order)?)
                .and_then(|layout| layout.shifted(offset))
                .array_result()?,
            Some(strides) => {
                let strides: SmallVec<[isize; 6]> =
                    strides.try_iter()?.map(|stride| stride?.extract()).collect::<PyResult<_>>()?;
                Layout::strided(&shape, &strides, offset, dtype.size()).array_result()?
            }
        };
        let runtime_queue = queue.map(|queue| queue.get().live(py)).transpose()?;
        let allocator = allocator.map(allocator::of_object);
        let context = match (runtime_queue, context) {
            (Some(queue), _) => Some(queue.context()),
            (None, context) => context.map(|context| &context.get().context),
        };
        let array = match (data, context) {
            (Some(memory), context) => {
                Runtime::new(storage(memory, context)?, layout, dtype, runtime_queue.cloned())
                    .array_result()?
                    .with_allocator(allocator)
            }
            (None, None) => return Err(PyTypeError::new_err("an array needs a queue, a context, or data")),
            (None, Some(context)) => match allocator {
                Some(allocator) => Runtime::from_allocator(allocator, context, runtime_queue, layout, dtype),
                None => Runtime::in_context(context, runtime_queue, layout, dtype),
            }
            .array_result()?,
        };
        for event in events.map(|events| events.try_iter()).transpose()?.into_iter().flatten() {
            array
                .storage()
                .add_event(event?.cast::<Event>()?.get().event.try_clone().into_py()?)
                .array_result()?;
        }
        warn_of_other_queue(slf.py(), &array)?;
        let content = Content {
            array: array.into(),
            queue: queue.map(|queue| queue.clone().unbind()),
            memory: data.map_or_else(OnceLock::new, |data| OnceLock::from(data.clone().unbind())),
        };
        slf.get().set_content(content)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if !self.made.is_made() {
            return Ok(());
        }
        if let Some(changed) = self.changed.get() {
            changed.traverse(&visit)?;
        }
        match &self.content {
            Slot::Filled(content) => content.traverse(&visit),
            Slot::Open(open) => open.get().map_or(Ok(()), |content| content.traverse(&visit)),
        }
    }

    /// Lengths of the dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.layout()?.shape())
    }

    /// Bytes from one element to the next, per dimension.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.layout()?.strides())
    }

    /// The elements' type, a :class:`numpy.dtype`.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(dtype::to_numpy(py, self.value()?.dtype())?.into_any())
    }

    /// Number of dimensions.
    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        Ok(self.layout()?.ndim())
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> PyResult<usize> {
        Ok(self.layout()?.size())
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> PyResult<usize> {
        Ok(self.layout()?.nbytes())
    }

    /// Bytes from the start of the memory to the first element.
    #[getter]
    fn offset(&self) -> PyResult<usize> {
        Ok(self.layout()?.offset())
    }

    /// The queue that operations enqueue to, or ``None``.
    #[getter(queue)]
    fn get_queue(&self, py: Python<'_>) -> PyResult<Option<Py<CommandQueue>>> {
        Ok(self.queue_object()?.map(|queue| queue.clone_ref(py)))
    }

    /// The context.
    #[getter]
    pub(super) fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        match self.queue_object()? {
            Some(queue) => Ok(queue.get().context_object(py)),
            None => Py::new(py, Context::from(self.runtime()?.context().clone())),
        }
    }

    /// The function that makes memory for results, or ``None``.
    #[getter]
    fn allocator(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.allocator_object()?.map(|allocator| allocator.clone_ref(py)))
    }

    /// The object that holds the memory; the array begins :attr:`offset` bytes into it.
    #[getter]
    pub(super) fn base_data(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let content = self.content()?;
        let storage = content.array.get()?.storage();
        // Whoever has the memory may write it.
        storage.settle().array_result()?;
        if let Some(memory) = content.memory.get() {
            return Ok(memory.clone_ref(py));
        }
        let memory = memory_object(py, storage)?;
        Ok(content.memory.get_or_init(|| memory).clone_ref(py))
    }

    /// The memory, if the array begins at its start; else :class:`ArrayHasOffsetError`.
    #[getter]
    fn data(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.runtime()?.layout().offset() != 0 {
            let class = py.import("pyopencl.array")?.getattr("ArrayHasOffsetError")?;
            return Err(PyErr::from_value(class.call0()?));
        }
        self.base_data(py)
    }

    fn __len__(&self) -> PyResult<usize> {
        self.layout()?
            .shape()
            .first()
            .copied()
            .ok_or_else(|| PyTypeError::new_err("len() of an array without dimensions"))
    }

    fn __hash__(&self) -> PyResult<isize> {
        Err(PyTypeError::new_err("arrays are compared by element, so they cannot be hashed"))
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if slf.get().runtime()?.layout().size() != 1 {
            let text = "the truth value of an array with other than one element is ambiguous: ask an element, or all of them in .get()";
            return Err(PyValueError::new_err(text));
        }
        Self::get_object(slf)?.is_truthy()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        if slf.get().queue_object()?.is_none() {
            return Self::__str__(slf);
        }
        let text: String = Self::get_object(slf)?.repr()?.extract()?;
        let name = slf.get_type().name()?.to_string();
        Ok(match text.strip_prefix("array") {
            Some(rest) => format!("cl.{name}{rest}"),
            // What a subclass gives in place of a host array.
            None => text,
        })
    }

    /// Class, dtype and shape, without the elements: what the debugger PuDB shows.
    fn safely_stringify_for_pudb(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (array, name) = (slf.get().runtime()?, slf.get_type().name()?);
        Ok(format!("cl.{name} {} {}", array.dtype().name(), Tuple(array.shape())))
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        if slf.get().queue_object()?.is_none() {
            let runtime = slf.get().runtime()?;
            return Ok(format!(
                "<cl.Array {} of {} without queue, call with_queue()>",
                Tuple(runtime.shape()),
                runtime.dtype().name()
            ));
        }
        Self::get_object(slf)?.str()?.extract()
    }

    /// Wait until what was enqueued for the array's memory is done.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let array = self.runtime()?;
        py.detach(|| array.storage().finish()).array_result()
    }

    /// The same array with another queue, or with ``None``.
    pub(super) fn with_queue(
        slf: &Bound<'_, Self>,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let runtime_queue = queue.map(|queue| queue.get().live(slf.py())).transpose()?.cloned();
        let array = slf.get().runtime()?.with_queue(runtime_queue).array_result()?;
        warn_of_other_queue(slf.py(), &array)?;
        Self::over_own_memory(slf, array, queue)
    }
}

/// A new object for the memory of arrays. Whoever has it may use the memory elsewhere and come back with it.
pub(super) fn memory_object(py: Python<'_>, storage: &Arc<Storage>) -> PyResult<Py<PyAny>> {
    storage.expose();
    let buffer = storage.buffer().clone();
    Ok(match memory_of(storage) {
        Some(memory) => memory.clone_ref(py),
        None if buffer.is_pooled() => PooledBuffer::wrap(py, buffer)?.into_any(),
        None => Py::new(py, buffer_layers(buffer, None))?.into_any(),
    })
}

/// An array of `dtype` in new memory of an allocator, or of the queue's context.
pub(super) fn empty(
    queue: &Bound<'_, CommandQueue>,
    shape: &[usize],
    dtype: DType,
    order: Order,
    allocator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Runtime> {
    let py = queue.py();
    let queue = queue.get().live(py)?;
    let Some(allocator) = allocator else {
        return Runtime::empty(queue, shape, dtype, order).array_result();
    };
    let layout = Layout::contiguous(shape, dtype.size(), order).array_result()?;
    let allocator = allocator::of_object(allocator);
    let array =
        Runtime::from_allocator(allocator, queue.context(), Some(queue), layout, dtype).array_result()?;
    warn_of_other_queue(py, &array)?;
    Ok(array)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Array>()
}
