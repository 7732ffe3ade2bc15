//! Fills, markers, barriers, migration.

use opencl_runtime::MemMigrationFlags;
use pyo3::prelude::*;

use super::event::Event;
use super::memory::MemoryObjectHolder;
use super::queue::CommandQueue;
use crate::convert::host::HostMemory;
use crate::convert::wait_list::Events;
use crate::error::IntoPyResult;

/// Write *pattern* again and again into *size* bytes of a buffer from byte *offset*.
///
/// *pattern* is anything with the buffer protocol of 1, 2, 4, … or 128 bytes, a NumPy scalar for instance.
/// Raises :class:`LogicError` if *offset* or *size* is no multiple of its length.
#[pyfunction]
#[pyo3(signature = (queue, mem, pattern, offset, size, wait_for = None))]
fn enqueue_fill_buffer(
    queue: &Bound<'_, CommandQueue>,
    mem: &MemoryObjectHolder,
    pattern: &Bound<'_, PyAny>,
    offset: usize,
    size: usize,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let queue = queue.get().live(queue.py())?;
    if size == 0 {
        return queue.marker(&events.list()).into_py().map(Event::from);
    }
    let host = HostMemory::readable(pattern)?;
    // SAFETY: the pattern's object is alive during this call and holds that many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(host.address.cast::<u8>(), host.size) };
    queue.fill_buffer(&mem.object, bytes, offset, size, &events.list()).into_py().map(Event::from)
}

/// An event that is done when the events of *wait_for* are, or all commands before it.
#[pyfunction]
#[pyo3(signature = (queue, wait_for = None))]
fn enqueue_marker(queue: &Bound<'_, CommandQueue>, wait_for: Option<&Bound<'_, PyAny>>) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    queue.get().live(queue.py())?.marker(&events.list()).into_py().map(Event::from)
}

/// The same as :func:`enqueue_marker`, and no later command starts before.
#[pyfunction]
#[pyo3(signature = (queue, wait_for = None))]
fn enqueue_barrier(queue: &Bound<'_, CommandQueue>, wait_for: Option<&Bound<'_, PyAny>>) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    queue.get().live(queue.py())?.barrier(&events.list()).into_py().map(Event::from)
}

/// Later commands of the queue wait for the events.
#[pyfunction]
#[pyo3(signature = (queue, wait_for = None))]
fn _enqueue_wait_for_events(
    queue: &Bound<'_, CommandQueue>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let events = Events::new(wait_for)?;
    queue.get().live(queue.py())?.barrier(&events.list()).into_py().map(drop)
}

/// Move memory objects to the queue's device, or to the host; *flags* is a mask of
/// :class:`mem_migration_flags`.
#[pyfunction]
#[pyo3(signature = (queue, mem_objects, flags = 0, wait_for = None))]
fn enqueue_migrate_mem_objects(
    queue: &Bound<'_, CommandQueue>,
    mem_objects: &Bound<'_, PyAny>,
    flags: u64,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let objects = mem_objects
        .try_iter()?
        .map(|item| Ok(item?.cast_into::<MemoryObjectHolder>()?))
        .collect::<PyResult<Vec<_>>>()?;
    let objects: Vec<_> = objects.iter().map(|object| &object.get().object).collect();
    let queue = queue.get().live(queue.py())?;
    let flags = MemMigrationFlags::from_bits_retain(flags);
    queue.migrate(&objects, flags, &events.list()).into_py().map(Event::from)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(enqueue_fill_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_marker, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_barrier, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_wait_for_events, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_migrate_mem_objects, m)?)?;
    // The names by which the reference's own layers call them.
    for (name, alias) in [
        ("enqueue_fill_buffer", "_enqueue_fill_buffer"),
        ("enqueue_marker", "_enqueue_marker"),
        ("enqueue_marker", "_enqueue_marker_with_wait_list"),
        ("enqueue_barrier", "_enqueue_barrier"),
        ("enqueue_barrier", "_enqueue_barrier_with_wait_list"),
    ] {
        m.add(alias, m.getattr(name)?)?;
    }
    Ok(())
}
