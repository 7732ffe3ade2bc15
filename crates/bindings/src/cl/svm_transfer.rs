//! Commands on shared virtual memory: mapping, copies, fills, migration.

use opencl_runtime::{
    Event as RuntimeEvent, ImageBlock, MapFlags, MemMigrationFlags, SvmPointer as RuntimePointer,
};
use pyo3::prelude::*;

use super::copy::Keywords;
use super::event::{Event, NannyEvent};
use super::image_transfer::image;
use super::memory::MemoryObjectHolder;
use super::queue::CommandQueue;
use super::svm::SvmPointer;
use crate::convert::host::{Export, HostMemory};
use crate::convert::wait_list::Events;
use crate::error::IntoPyResult;
use crate::gil::detached;

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
#[pyfunction(name = "_enqueue_svm_map")]
#[pyo3(signature = (queue, is_blocking, flags, svm, wait_for = None, size = None))]
pub(super) fn map<'py>(
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
#[pyfunction(name = "_enqueue_svm_unmap")]
#[pyo3(signature = (queue, svm, wait_for = None))]
pub(super) fn unmap<'py>(
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

/// `enqueue_copy` between an image and shared virtual memory.
pub(super) fn copy_image<'py>(
    queue: &Bound<'py, CommandQueue>,
    dest: &Bound<'py, PyAny>,
    src: &Bound<'py, PyAny>,
    block: &ImageBlock,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let list = events.list();
    let runtime = queue.get().live(py)?;
    let (event, svm) = if let Ok(target) = dest.cast::<MemoryObjectHolder>() {
        let svm = src.cast::<SvmPointer>()?;
        (runtime.svm_to_image(svm.get().runtime()?, &image(target.get()), block, &list), svm)
    } else {
        let (source, svm) = (src.cast::<MemoryObjectHolder>()?, dest.cast::<SvmPointer>()?);
        (runtime.image_to_svm(&image(source.get()), block, svm.get().runtime()?, &list), svm)
    };
    let event = event.into_py()?;
    if is_blocking {
        detached(py, || event.wait())?;
    }
    event_of(py, event, ward(svm), is_blocking)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(map, m)?)?;
    m.add_function(wrap_pyfunction!(unmap, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_memcpy, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_memfill, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_fill_part, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_svm_migrate_mem, m)?)
}
