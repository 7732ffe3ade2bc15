//! Shared virtual memory.

use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::PyUntypedArray;
use opencl_runtime::{
    Buffer as RuntimeBuffer, Context as RuntimeContext, MapFlags, MemFlags,
    SvmAllocation as RuntimeAllocation, SvmMemFlags, SvmPointer as RuntimePointer,
};
use pyo3::prelude::*;

use super::buffer::Buffer;
use super::context::Context;
use super::event::Event;
use super::map::array_over;
use super::memory::buffer_layers;
use super::queue::CommandQueue;
use super::svm_transfer::{map, unmap};
use crate::convert::host::{Export, HostMemory};
use crate::convert::wait_list::Events;
use crate::error::IntoPyResult;
use crate::gil::detached;

/// Memory that kernels and the host see at the same address: what :class:`SVM`, :class:`SVMAllocation` and
/// memory from pools have in common.
#[pyclass(frozen, name = "SVMPointer", subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct SvmPointer {
    start: Start,
    size: usize,
    /// Keeps an exporter of host memory from moving it.
    _export: Option<Export>,
}

/// Where the memory begins.
enum Start {
    /// At an offset in an allocation.
    Within(RuntimeAllocation, usize),
    /// At an address of the host's, which an object keeps that the Python object knows.
    At(usize),
}

impl SvmPointer {
    /// The layers of an object for the first `size` bytes of an allocation.
    pub(crate) fn layers(allocation: RuntimeAllocation, size: usize) -> PyClassInitializer<Self> {
        PyClassInitializer::from(Self { start: Start::Within(allocation, 0), size, _export: None })
    }

    /// As the runtime takes it.
    pub(crate) fn runtime(&self) -> PyResult<RuntimePointer<'_>> {
        match &self.start {
            Start::Within(allocation, offset) => allocation.pointer().range(*offset, self.size).into_py(),
            // SAFETY: the object's memory lives as long as the object, which those who enqueue commands keep.
            Start::At(address) => Ok(unsafe { RuntimePointer::system(*address as *mut c_void, self.size) }),
        }
    }

    /// The allocation that it points into.
    pub(crate) fn allocation(&self) -> Option<&RuntimeAllocation> {
        match &self.start {
            Start::Within(allocation, _) => Some(allocation),
            Start::At(_) => None,
        }
    }

    fn address(&self) -> PyResult<*mut c_void> {
        self.runtime()?.address().into_py()
    }

    /// The first `size` bytes, or all.
    pub(super) fn first(&self, size: Option<usize>) -> PyResult<RuntimePointer<'_>> {
        self.runtime()?.range(0, size.unwrap_or(self.size)).into_py()
    }
}

#[pymethods]
impl SvmPointer {
    /// The address.
    #[getter]
    fn svm_ptr(&self) -> PyResult<usize> {
        Ok(self.address()? as usize)
    }

    /// Size in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.size
    }

    /// The memory as an array of bytes. Coarse-grained memory may be touched while it is mapped.
    #[getter]
    fn buf(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        bytes(slf, slf.get().size)
    }

    /// Map *size* bytes (all by default) for the host: returns an :class:`SVMMap`, whose array holds the bytes.
    /// *flags* is a mask of :class:`map_flags`.
    #[pyo3(signature = (queue, *, flags, is_blocking = true, wait_for = None, size = None))]
    fn map<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        flags: u64,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
        size: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let event = map(queue, is_blocking, flags, slf, wait_for, size)?;
        let array = bytes(slf, size.unwrap_or(slf.get().size))?;
        new_map(slf.as_any(), array, queue, event)
    }

    /// Map the memory for reading.
    #[pyo3(signature = (queue, *, is_blocking = true, wait_for = None, size = None))]
    fn map_ro<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
        size: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::map(slf, queue, MapFlags::READ.bits(), is_blocking, wait_for, size)
    }

    /// Map the memory for reading and writing.
    #[pyo3(signature = (queue, *, is_blocking = true, wait_for = None, size = None))]
    fn map_rw<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
        size: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::map(slf, queue, READ_WRITE.bits(), is_blocking, wait_for, size)
    }

    /// End a mapping.
    #[pyo3(signature = (queue, wait_for = None))]
    fn _enqueue_unmap<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        unmap(queue, slf, wait_for)
    }

    /// A buffer over the first *size* bytes (all by default). *flags* is a mask of :class:`mem_flags`, to which
    /// ``USE_HOST_PTR`` is added.
    #[pyo3(signature = (ctx, *, flags = None, size = None))]
    fn as_buffer(
        slf: &Bound<'_, Self>,
        ctx: &Context,
        flags: Option<u64>,
        size: Option<usize>,
    ) -> PyResult<Py<Buffer>> {
        let pointer = slf.get().first(size)?;
        let flags = MemFlags::from_bits_retain(flags.unwrap_or(0));
        // SAFETY: the buffer's object keeps the memory.
        let buffer = unsafe { buffer_over(pointer, &ctx.context, flags) }.into_py()?;
        Py::new(slf.py(), buffer_layers(buffer, Some(Self::buf(slf)?)))
    }

    /// The memory as an array that keeps it.
    fn _array(
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        order: &str,
    ) -> PyResult<Py<PyAny>> {
        let this = slf.get();
        // SAFETY: the object, which is the array's base, keeps its memory.
        unsafe { array_over(this.address()?, this.size, shape, dtype, order, slf.as_any()) }
    }
}

/// A buffer that uses memory in place.
///
/// # Safety
/// Whoever has the buffer keeps memory of the host that is no allocation.
pub(crate) unsafe fn buffer_over(
    memory: RuntimePointer<'_>,
    context: &RuntimeContext,
    flags: MemFlags,
) -> opencl_runtime::Result<RuntimeBuffer> {
    if memory.allocation().is_some() {
        return memory.as_buffer(context, flags);
    }
    // SAFETY: the memory holds `size` bytes, which the caller keeps.
    unsafe {
        RuntimeBuffer::with_host_ptr(
            context,
            flags | MemFlags::USE_HOST_PTR,
            memory.size(),
            memory.address()?,
        )
    }
}

const READ_WRITE: MapFlags = MapFlags::READ.union(MapFlags::WRITE);

/// The first `size` bytes as an array.
fn bytes(slf: &Bound<'_, SvmPointer>, size: usize) -> PyResult<Py<PyAny>> {
    let py = slf.py();
    let (shape, dtype) = (size.into_pyobject(py)?.into_any(), "uint8".into_pyobject(py)?.into_any());
    let this = slf.get();
    // SAFETY: the object, which is the array's base, keeps its memory.
    unsafe { array_over(this.address()?, this.size, &shape, &dtype, "C", slf.as_any()) }
}

/// A `SVMMap` of the package.
fn new_map<'py>(
    svm: &Bound<'py, PyAny>,
    array: Py<PyAny>,
    queue: &Bound<'py, CommandQueue>,
    event: Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    svm.py().import("pyopencl._svm")?.getattr("SVMMap")?.call1((svm, array, queue, event))
}

/// Shared virtual memory in *mem*, an array or another object with a writable, contiguous buffer: an array from
/// :func:`csvm_empty` and the like, or on devices that share the system's memory any one.
#[pyclass(frozen, name = "SVM", extends = SvmPointer, subclass, module = "pyopencl._cl")]
pub(crate) struct Svm {
    /// The object that holds the memory.
    #[pyo3(get)]
    mem: Py<PyAny>,
}

/// The allocation that holds the memory of an array, if it has one.
fn allocation_of(object: &Bound<'_, PyAny>) -> PyResult<Option<RuntimeAllocation>> {
    let mut object = object.clone();
    while object.cast::<PyUntypedArray>().is_ok() {
        object = object.getattr("base")?;
    }
    Ok(object.cast::<SvmPointer>().ok().and_then(|pointer| pointer.get().allocation().cloned()))
}

#[pymethods]
impl Svm {
    #[new]
    #[pyo3(signature = (mem, /))]
    fn new(mem: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let host = HostMemory::writable(mem)?;
        let address = host.address as usize;
        let start = match allocation_of(mem)? {
            Some(allocation) => {
                let offset = address - allocation.address().into_py()? as usize;
                Start::Within(allocation, offset)
            }
            None => Start::At(address),
        };
        let pointer = SvmPointer { start, size: host.size, _export: host.into_export() };
        Ok(PyClassInitializer::from(pointer).add_subclass(Self { mem: mem.clone().unbind() }))
    }

    /// Map the memory for the host: returns an :class:`SVMMap`, whose array is :attr:`mem`. *flags* is a mask of
    /// :class:`map_flags`.
    #[pyo3(signature = (queue, flags, is_blocking = true, wait_for = None))]
    fn map<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        flags: u64,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let event = map(queue, is_blocking, flags, slf.as_super(), wait_for, None)?;
        new_map(slf.as_any(), slf.get().mem.clone_ref(slf.py()), queue, event)
    }

    /// Map the memory for reading.
    #[pyo3(signature = (queue, is_blocking = true, wait_for = None))]
    fn map_ro<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::map(slf, queue, MapFlags::READ.bits(), is_blocking, wait_for)
    }

    /// Map the memory for reading and writing.
    #[pyo3(signature = (queue, is_blocking = true, wait_for = None))]
    fn map_rw<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        is_blocking: bool,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::map(slf, queue, READ_WRITE.bits(), is_blocking, wait_for)
    }

    /// End a mapping.
    #[pyo3(signature = (queue, wait_for = None))]
    fn _enqueue_unmap<'py>(
        slf: &Bound<'py, Self>,
        queue: &Bound<'py, CommandQueue>,
        wait_for: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        unmap(queue, slf.as_super(), wait_for)
    }
}

/// An allocation of shared virtual memory: *size* bytes, aligned to *alignment* (a power of two, zero for that of
/// the largest type). *flags* is a mask of :class:`svm_mem_flags`.
///
/// It is freed with the object, or by :meth:`release`, once the commands are done that used it; by *queue* if one
/// is given or bound.
#[pyclass(frozen, name = "SVMAllocation", extends = SvmPointer, subclass, module = "pyopencl._cl")]
pub(crate) struct SvmAllocation {
    pub(super) allocation: RuntimeAllocation,
}

#[pymethods]
impl SvmAllocation {
    #[new]
    #[pyo3(signature = (context, size, alignment, flags, queue = None))]
    fn new(
        py: Python<'_>,
        context: &Context,
        size: usize,
        alignment: u32,
        flags: u64,
        queue: Option<&CommandQueue>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let context = &context.context;
        let flags = SvmMemFlags::from_bits_retain(flags);
        let allocation = detached(py, || RuntimeAllocation::new(context, flags, size, alignment))?;
        if let Some(queue) = queue {
            allocation.bind_to_queue(queue.live(py)?).into_py()?;
        }
        Ok(SvmPointer::layers(allocation.clone(), size).add_subclass(Self { allocation }))
    }

    /// Let *queue* free the memory. If another one did so before, commands of *queue* wait for its commands.
    fn bind_to_queue(&self, py: Python<'_>, queue: &CommandQueue) -> PyResult<()> {
        self.allocation.bind_to_queue(queue.live(py)?).into_py()
    }

    /// Wait for the bound queue, and let no queue free the memory.
    fn unbind_from_queue(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.allocation.unbind_from_queue())
    }

    /// Free the memory; later use raises :class:`LogicError`.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.allocation.release())
    }

    /// Let *queue*, or the bound one, free the memory: returns the event of the command.
    #[pyo3(signature = (queue = None, wait_for = None))]
    fn enqueue_release(
        &self,
        py: Python<'_>,
        queue: Option<&CommandQueue>,
        wait_for: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Event> {
        let events = Events::new(wait_for)?;
        let queue = queue.map(|queue| queue.live(py)).transpose()?;
        self.allocation.enqueue_release(queue, &events.list()).into_py().map(Event::from)
    }

    /// The bound queue, or ``None``.
    #[getter]
    fn _queue(&self, py: Python<'_>) -> PyResult<Option<CommandQueue>> {
        self.allocation.queue().map(|queue| CommandQueue::new_of(py, queue)).transpose()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().allocation == self.allocation)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.allocation.hash(&mut hasher);
        hasher.finish()
    }
}
/// Whether an object is shared virtual memory.
#[inline]
pub(super) fn is_svm(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<SvmPointer>()
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<SvmPointer>()?;
    m.add_class::<Svm>()?;
    m.add_class::<SvmAllocation>()
}
