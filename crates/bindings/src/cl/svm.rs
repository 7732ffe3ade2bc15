//! Shared virtual memory.

use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::PyUntypedArray;
use opencl_runtime::{
    Buffer as RuntimeBuffer, Event as RuntimeEvent, MapFlags, MemFlags, MemMigrationFlags,
    SvmAllocation as RuntimeAllocation, SvmMemFlags, SvmPointer as RuntimePointer,
};
use pyo3::prelude::*;

use super::buffer::Buffer;
use super::context::Context;
use super::copy::Keywords;
use super::event::{Event, NannyEvent};
use super::map::array_over;
use super::memory::{MemoryObjectHolder, buffer_layers};
use super::queue::CommandQueue;
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
    fn first(&self, size: Option<usize>) -> PyResult<RuntimePointer<'_>> {
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
        let event = _enqueue_svm_map(queue, is_blocking, flags, slf, wait_for, size)?;
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
        _enqueue_svm_unmap(queue, slf, wait_for)
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
        let flags = MemFlags::from_bits_retain(flags.unwrap_or(0)) | MemFlags::USE_HOST_PTR;
        let (address, size) = (pointer.address().into_py()?, pointer.size());
        // SAFETY: the memory holds `size` bytes, and the buffer's object keeps it.
        let buffer = unsafe { RuntimeBuffer::with_host_ptr(&ctx.context, flags, size, address) }.into_py()?;
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
        let event = _enqueue_svm_map(queue, is_blocking, flags, slf.as_super(), wait_for, None)?;
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
        _enqueue_svm_unmap(queue, slf.as_super(), wait_for)
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

/// The event of a command; where it does not block and uses memory of the host, with the object that keeps that.
fn event_of(
    py: Python<'_>,
    event: RuntimeEvent,
    host: Option<(&Bound<'_, PyAny>, Option<Export>)>,
    done: bool,
) -> PyResult<Py<PyAny>> {
    match host {
        Some((object, export)) => NannyEvent::wrap(py, event, object, export, done).map(Py::into_any),
        None => Ok(Py::new(py, Event::from(event))?.into_any()),
    }
}

/// What keeps the memory, unless an allocation does.
fn ward<'a, 'py>(svm: &'a Bound<'py, SvmPointer>) -> Option<(&'a Bound<'py, PyAny>, Option<Export>)> {
    svm.get().allocation().is_none().then(|| (svm.as_any(), None))
}

/// Map shared virtual memory; *flags* is a mask of :class:`map_flags`.
#[pyfunction]
#[pyo3(signature = (queue, is_blocking, flags, svm, wait_for = None, size = None))]
fn _enqueue_svm_map<'py>(
    queue: &Bound<'py, CommandQueue>,
    is_blocking: bool,
    flags: u64,
    svm: &Bound<'py, SvmPointer>,
    wait_for: Option<&Bound<'py, PyAny>>,
    size: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(py)?;
    let pointer = svm.get().first(size)?;
    let (flags, list) = (MapFlags::from_bits_retain(flags), events.list());
    let event = detached(py, || runtime.svm_map(pointer, is_blocking, flags, &list))?;
    event_of(py, event, ward(svm), is_blocking)
}

/// End a mapping of shared virtual memory.
#[pyfunction]
#[pyo3(signature = (queue, svm, wait_for = None))]
fn _enqueue_svm_unmap<'py>(
    queue: &Bound<'py, CommandQueue>,
    svm: &Bound<'py, SvmPointer>,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(py)?;
    let event = runtime.svm_unmap(svm.get().runtime()?, &events.list()).into_py()?;
    event_of(py, event, ward(svm), false)
}

/// Copy between two pieces of shared virtual memory: *byte_count* bytes, by default all of both, which must have
/// the same size.
#[pyfunction]
#[pyo3(signature = (queue, is_blocking, dst, src, wait_for = None, byte_count = None))]
fn _enqueue_svm_memcpy<'py>(
    queue: &Bound<'py, CommandQueue>,
    is_blocking: bool,
    dst: &Bound<'py, SvmPointer>,
    src: &Bound<'py, SvmPointer>,
    wait_for: Option<&Bound<'py, PyAny>>,
    byte_count: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(py)?;
    let (source, target) = (src.get().first(byte_count)?, dst.get().first(byte_count)?);
    let list = events.list();
    let event = detached(py, || runtime.svm_copy(source, target, is_blocking, &list))?;
    let both = (src, dst).into_pyobject(py)?.into_any();
    let kept = ward(src).and(ward(dst)).map(|_| (&both, None));
    event_of(py, event, kept.or_else(|| ward(src)).or_else(|| ward(dst)), is_blocking)
}

/// Fill *byte_count* bytes (all by default) of shared virtual memory with repetitions of *pattern*.
#[pyfunction]
#[pyo3(signature = (queue, dst, pattern, byte_count = None, wait_for = None))]
fn _enqueue_svm_memfill<'py>(
    queue: &Bound<'py, CommandQueue>,
    dst: &Bound<'py, SvmPointer>,
    pattern: &Bound<'py, PyAny>,
    byte_count: Option<usize>,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    fill(queue, dst, pattern, 0, byte_count, wait_for)
}

/// Fill *size* bytes of shared virtual memory from byte *offset*.
#[pyfunction]
#[pyo3(signature = (queue, dst, pattern, offset, size, wait_for = None))]
fn _enqueue_svm_fill_part<'py>(
    queue: &Bound<'py, CommandQueue>,
    dst: &Bound<'py, SvmPointer>,
    pattern: &Bound<'py, PyAny>,
    offset: usize,
    size: usize,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    fill(queue, dst, pattern, offset, Some(size), wait_for)
}

fn fill<'py>(
    queue: &Bound<'py, CommandQueue>,
    target: &Bound<'py, SvmPointer>,
    pattern: &Bound<'py, PyAny>,
    offset: usize,
    size: Option<usize>,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(py)?;
    let host = HostMemory::readable(pattern)?;
    let memory = part(target.get().runtime()?, offset, size)?;
    // SAFETY: the pattern's object is alive during this call, which copies the bytes.
    let event = runtime.svm_fill(memory, unsafe { host.bytes() }, &events.list()).into_py()?;
    event_of(py, event, ward(target), false)
}

/// Move shared virtual memory to the queue's device, or to the host; *flags* is a mask of
/// :class:`mem_migration_flags`.
#[pyfunction]
#[pyo3(signature = (queue, svms, flags = None, wait_for = None))]
fn _enqueue_svm_migrate_mem(
    queue: &Bound<'_, CommandQueue>,
    svms: &Bound<'_, PyAny>,
    flags: Option<u64>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let objects = svms
        .try_iter()?
        .map(|item| Ok(item?.cast_into::<SvmPointer>()?))
        .collect::<PyResult<Vec<Bound<'_, SvmPointer>>>>()?;
    let pointers = objects.iter().map(|object| object.get().runtime()).collect::<PyResult<Vec<_>>>()?;
    let flags = MemMigrationFlags::from_bits_retain(flags.unwrap_or(0));
    let event = queue.get().live(py)?.svm_migrate(&pointers, flags, &events.list()).into_py()?;
    event_of(py, event, objects.iter().any(|object| ward(object).is_some()).then_some((svms, None)), false)
}

/// `size` bytes (the rest by default) from `offset`.
fn part(memory: RuntimePointer<'_>, offset: usize, size: Option<usize>) -> PyResult<RuntimePointer<'_>> {
    memory.range(offset, size.unwrap_or(memory.size().saturating_sub(offset))).into_py()
}

/// One side of a copy that is no buffer: memory of an object, or shared virtual memory.
enum Side<'a, 'py> {
    Shared(&'a Bound<'py, SvmPointer>),
    Host(HostMemory, &'a Bound<'py, PyAny>),
}

impl<'a, 'py> Side<'a, 'py> {
    fn new(object: &'a Bound<'py, PyAny>, writable: bool) -> PyResult<Self> {
        if let Ok(shared) = object.cast::<SvmPointer>() {
            return Ok(Self::Shared(shared));
        }
        let host = if writable { HostMemory::writable(object) } else { HostMemory::readable(object) };
        host.map(|host| Self::Host(host, object))
    }

    fn pointer(&self) -> PyResult<RuntimePointer<'_>> {
        match self {
            Self::Shared(shared) => shared.get().runtime(),
            // SAFETY: the event's object keeps the memory until the command is done.
            Self::Host(host, _) => Ok(unsafe { RuntimePointer::system(host.address, host.size) }),
        }
    }

    /// What the event has to keep.
    fn ward(self) -> Option<(&'a Bound<'py, PyAny>, Option<Export>)> {
        match self {
            Self::Shared(shared) => ward(shared),
            Self::Host(host, object) => Some((object, host.into_export())),
        }
    }
}

/// `enqueue_copy` with shared virtual memory on one side at least.
pub(super) fn copy<'py>(
    queue: &Bound<'py, CommandQueue>,
    dest: &Bound<'py, PyAny>,
    src: &Bound<'py, PyAny>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
    mut keywords: Keywords<'_, 'py>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let list = events.list();
    let runtime = queue.get().live(py)?;
    let source_offset = keywords.offset("src_offset", "device_offset")?;
    let target_offset = keywords.offset("dst_offset", "dest_offset")?;
    let count = keywords.take("byte_count").map_or(Ok(None), |count| count.extract::<Option<usize>>())?;
    keywords.finish()?;
    let wait = |event: RuntimeEvent| {
        if is_blocking {
            detached(py, || event.wait())?;
        }
        Ok::<_, PyErr>(event)
    };
    if let Ok(buffer) = dest.cast::<MemoryObjectHolder>() {
        let source = Side::new(src, false)?;
        let memory = part(source.pointer()?, source_offset, count)?;
        let object = &buffer.get().object;
        let event = wait(runtime.svm_to_buffer(memory, object, target_offset, &list).into_py()?)?;
        return event_of(py, event, source.ward(), is_blocking);
    }
    let target = Side::new(dest, true)?;
    let to = part(target.pointer()?, target_offset, count)?;
    if let Ok(buffer) = src.cast::<MemoryObjectHolder>() {
        let event = wait(runtime.buffer_to_svm(&buffer.get().object, source_offset, to, &list).into_py()?)?;
        return event_of(py, event, target.ward(), is_blocking);
    }
    let source = Side::new(src, false)?;
    let from = part(source.pointer()?, source_offset, count)?;
    let event = detached(py, || runtime.svm_copy(from, to, is_blocking, &list))?;
    match (source.ward(), target.ward()) {
        (Some((one, export)), Some((other, None))) | (Some((other, None)), Some((one, export))) => {
            // Of two memories of the host, one is wrapped in an `SVM`, which holds its own.
            let both = (one, other).into_pyobject(py)?.into_any();
            event_of(py, event, Some((&both, export)), is_blocking)
        }
        (one, other) => event_of(py, event, one.or(other), is_blocking),
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
    m.add_class::<SvmAllocation>()?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_map, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_unmap, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_memcpy, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_memfill, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_fill_part, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_migrate_mem, m)?)
}
