//! Copies between host memory and buffers.

use std::ffi::CString;

use opencl_runtime::{MemObject, RectCopy};
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError};
use pyo3::prelude::*;

use super::buffer::Buffer;
use super::event::{Event, NannyEvent};
use super::image::Image;
use super::image_transfer;
use super::memory::MemoryObjectHolder;
use super::platform::Platform;
use super::queue::CommandQueue;
use super::svm::is_svm;
use super::svm_transfer;
use crate::convert::dims::filled;
use crate::convert::host::HostMemory;
use crate::convert::wait_list::Events;
use crate::error::{IntoPyResult, invalid};
use crate::gil::detached;

type Holder<'py> = Bound<'py, MemoryObjectHolder>;

/// Copy from host memory into a buffer, from byte *dst_offset*.
#[pyfunction]
#[pyo3(signature = (queue, mem, hostbuf, dst_offset = 0, wait_for = None, is_blocking = true))]
pub(super) fn _enqueue_write_buffer<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    hostbuf: &Bound<'py, PyAny>,
    dst_offset: usize,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let host = HostMemory::readable(hostbuf)?;
    let runtime = queue.get().live(py)?;
    let object = &mem.get().object;
    let list = events.list();
    let event = if host.size == 0 {
        runtime.marker(&list).into_py()?
    } else {
        let host = &host;
        // SAFETY: the event's object keeps the host memory until the command is done.
        detached(py, || unsafe {
            runtime.enqueue_write(object, is_blocking, dst_offset, host.size, host.address, &list)
        })?
    };
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

/// Copy from a buffer, from byte *src_offset*, into host memory.
#[pyfunction]
#[pyo3(signature = (queue, mem, hostbuf, src_offset = 0, wait_for = None, is_blocking = true))]
pub(super) fn _enqueue_read_buffer<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    hostbuf: &Bound<'py, PyAny>,
    src_offset: usize,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let host = HostMemory::writable(hostbuf)?;
    let runtime = queue.get().live(py)?;
    let object = &mem.get().object;
    let list = events.list();
    let event = if host.size == 0 {
        runtime.marker(&list).into_py()?
    } else {
        let host = &host;
        // SAFETY: the event's object keeps the host memory until the command is done.
        detached(py, || unsafe {
            runtime.enqueue_read(object, is_blocking, src_offset, host.size, host.address, &list)
        })?
    };
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

/// Copy *byte_count* bytes between buffers; by default all that *src* has beyond its offset, which must fit into *dst*.
#[pyfunction]
#[pyo3(
    signature = (queue, src, dst, byte_count = -1, src_offset = 0, dst_offset = 0, wait_for = None),
    // A negative default is not written out otherwise.
    text_signature = "(queue, src, dst, byte_count=-1, src_offset=0, dst_offset=0, wait_for=None)"
)]
fn _enqueue_copy_buffer(
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dst: &MemoryObjectHolder,
    byte_count: isize,
    src_offset: usize,
    dst_offset: usize,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(queue.py())?;
    let beyond = |object: &MemObject, offset: usize| {
        object.size().checked_sub(offset).ok_or_else(|| {
            let text = format!("offset {offset} is beyond the {} bytes of the buffer", object.size());
            invalid("clEnqueueCopyBuffer", text)
        })
    };
    let (rest, room) = (beyond(&src.object, src_offset)?, beyond(&dst.object, dst_offset)?);
    let count = usize::try_from(byte_count).unwrap_or(rest);
    if count > room {
        let text = format!("{count} bytes do not fit into the {room} bytes of the target beyond its offset");
        return Err(invalid("clEnqueueCopyBuffer", text));
    }
    if count == 0 {
        return runtime.marker(&events.list()).into_py().map(Event::from);
    }
    let copied = runtime.copy_buffer(&src.object, src_offset, &dst.object, dst_offset, count, &events.list());
    copied.into_py().map(Event::from)
}

/// A block by origins, region and pitches as Python gives them, up to three numbers each.
fn rect(
    origin: &Bound<'_, PyAny>,
    other_origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    pitches: Option<&Bound<'_, PyAny>>,
    other_pitches: Option<&Bound<'_, PyAny>>,
) -> PyResult<RectCopy> {
    let two = |pitches: Option<&Bound<'_, PyAny>>| match pitches {
        Some(pitches) => filled(pitches, 0, "the list of pitches"),
        None => Ok([0; 2]),
    };
    Ok(RectCopy {
        region: filled(region, 1, "the region")?,
        origin: filled(origin, 0, "the origin")?,
        pitches: two(pitches)?,
        other_origin: filled(other_origin, 0, "the origin")?,
        other_pitches: two(other_pitches)?,
    })
}

/// Refuses a block that reaches beyond host memory.
fn check_host(rect: &RectCopy, host: &HostMemory) -> PyResult<()> {
    let extent = rect.other_extent().into_py()?;
    if extent <= host.size {
        return Ok(());
    }
    let text = format!("the block ends at byte {extent}, beyond the {} bytes of the host memory", host.size);
    Err(invalid("enqueue_copy", text))
}

/// Copy a block from host memory into a buffer. Lengths of axis 0, origins and pitches are in bytes.
#[pyfunction]
#[pyo3(signature = (queue, mem, hostbuf, buffer_origin, host_origin, region, buffer_pitches = None, host_pitches = None, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn _enqueue_write_buffer_rect<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    hostbuf: &Bound<'py, PyAny>,
    buffer_origin: &Bound<'py, PyAny>,
    host_origin: &Bound<'py, PyAny>,
    region: &Bound<'py, PyAny>,
    buffer_pitches: Option<&Bound<'py, PyAny>>,
    host_pitches: Option<&Bound<'py, PyAny>>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let rect = rect(buffer_origin, host_origin, region, buffer_pitches, host_pitches)?;
    let host = HostMemory::readable(hostbuf)?;
    check_host(&rect, &host)?;
    let runtime = queue.get().live(py)?;
    let object = &mem.get().object;
    let (list, memory) = (events.list(), &host);
    // SAFETY: the block is inside of the host memory, which the event's object keeps until the command is done.
    let event = detached(py, || unsafe {
        runtime.enqueue_write_rect(object, is_blocking, &rect, memory.address, &list)
    })?;
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

/// Copy a block from a buffer into host memory. Lengths of axis 0, origins and pitches are in bytes.
#[pyfunction]
#[pyo3(signature = (queue, mem, hostbuf, buffer_origin, host_origin, region, buffer_pitches = None, host_pitches = None, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn _enqueue_read_buffer_rect<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    hostbuf: &Bound<'py, PyAny>,
    buffer_origin: &Bound<'py, PyAny>,
    host_origin: &Bound<'py, PyAny>,
    region: &Bound<'py, PyAny>,
    buffer_pitches: Option<&Bound<'py, PyAny>>,
    host_pitches: Option<&Bound<'py, PyAny>>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let rect = rect(buffer_origin, host_origin, region, buffer_pitches, host_pitches)?;
    let host = HostMemory::writable(hostbuf)?;
    check_host(&rect, &host)?;
    let runtime = queue.get().live(py)?;
    let object = &mem.get().object;
    let (list, memory) = (events.list(), &host);
    // SAFETY: the block is inside of the host memory, which the event's object keeps until the command is done.
    let event = detached(py, || unsafe {
        runtime.enqueue_read_rect(object, is_blocking, &rect, memory.address, &list)
    })?;
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

/// Copy a block between buffers. Lengths of axis 0, origins and pitches are in bytes.
#[pyfunction]
#[pyo3(signature = (queue, src, dst, src_origin, dst_origin, region, src_pitches = None, dst_pitches = None, wait_for = None))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
fn _enqueue_copy_buffer_rect(
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dst: &MemoryObjectHolder,
    src_origin: &Bound<'_, PyAny>,
    dst_origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    src_pitches: Option<&Bound<'_, PyAny>>,
    dst_pitches: Option<&Bound<'_, PyAny>>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let rect = rect(src_origin, dst_origin, region, src_pitches, dst_pitches)?;
    let runtime = queue.get().live(queue.py())?;
    runtime.copy_buffer_rect(&src.object, &dst.object, &rect, &events.list()).into_py().map(Event::from)
}

/// How many keyword arguments of a copy depend on its kind.
const COUNT: usize = 18;

/// What was given under the names of such arguments, taken one by one; what is left over is an error.
pub(super) struct Keywords<'a, 'py> {
    names: &'static [&'static str; COUNT],
    given: [Option<&'a Bound<'py, PyAny>>; COUNT],
    /// How many are given and not taken; mostly none are, and then nothing is looked up.
    left: usize,
}

/// The [`Keywords`] of these parameters.
macro_rules! keywords {
    ($($name:ident),* $(,)?) => {{
        const NAMES: [&str; COUNT] = [$(stringify!($name)),*];
        let given: [Option<&Bound<'_, PyAny>>; COUNT] = [$($name),*];
        Keywords { left: given.iter().flatten().count(), names: &NAMES, given }
    }};
}

impl<'a, 'py> Keywords<'a, 'py> {
    /// The places of those that are given and not taken.
    fn rest(&self) -> impl Iterator<Item = usize> {
        let given = if self.left == 0 { &[][..] } else { &self.given[..] };
        (0..).zip(given).filter(|(_, value)| value.is_some()).map(|(place, _)| place)
    }

    #[inline]
    pub(super) fn take(&mut self, name: &str) -> Option<&'a Bound<'py, PyAny>> {
        let place = self.rest().find(|place| self.names[*place] == name)?;
        self.left -= 1;
        self.given[place].take()
    }

    pub(super) fn require(&mut self, name: &str) -> PyResult<&'a Bound<'py, PyAny>> {
        self.take(name)
            .ok_or_else(|| PyTypeError::new_err(format!("enqueue_copy: this kind of copy needs {name}=")))
    }

    fn has(&self, name: &str) -> bool {
        self.rest().any(|place| self.names[place] == name)
    }

    /// A number under its name, or under the old one with a warning.
    pub(super) fn offset(&mut self, name: &str, old: &str) -> PyResult<usize> {
        if let Some(value) = self.take(old) {
            let py = value.py();
            // The names hold no zero byte.
            let text =
                CString::new(format!("enqueue_copy: {old}= is deprecated, use {name}=")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), &text, 1)?;
            return value.extract();
        }
        self.take(name).map_or(Ok(0), |value| value.extract())
    }

    /// Refuses arguments that nobody took.
    pub(super) fn finish(self) -> PyResult<()> {
        if self.left == 0 {
            return Ok(());
        }
        let names: Vec<&str> = self.rest().map(|place| self.names[place]).collect();
        let text =
            format!("enqueue_copy: these arguments do not fit this kind of copy: {}", names.join(", "));
        Err(PyTypeError::new_err(text))
    }
}

/// Copy between host memory, buffers and shared virtual memory, from each to each other, and between two of the
/// latter kinds.
///
/// Host memory is anything with the buffer protocol, contiguous; its event is a :class:`NannyEvent`. A linear copy
/// that blocks, of 16 MiB and more, with a device that has memory of its own, may be several commands, by which it is
/// some times as fast; the event is then that of the last one. On a queue that profiles it is always one.
///
/// Keyword arguments: *wait_for*; *is_blocking* (with host memory, true by default); for linear copies
/// *src_offset*, *dst_offset* and, between buffers or with shared virtual memory, *byte_count*; for rectangular ones with host memory
/// *buffer_origin*, *host_origin*, *region*, *buffer_pitches*, *host_pitches*, and between buffers
/// *src_origin*, *dst_origin*, *region*, *src_pitches*, *dst_pitches*. All numbers are bytes on axis 0.
///
/// Where an image takes part, *origin* and *region* count its pixels: with host memory there are *pitches* too,
/// those of the memory in bytes; with a buffer *offset*, a byte; and between images *src_origin*, *dest_origin*
/// and *region*.
#[pyfunction]
#[pyo3(
    signature = (
        queue, dest, src, *, wait_for = None, is_blocking = true, byte_count = None, src_offset = None,
        dst_offset = None, device_offset = None, dest_offset = None, buffer_origin = None, host_origin = None,
        buffer_pitches = None, host_pitches = None, src_origin = None, dst_origin = None, src_pitches = None,
        dst_pitches = None, region = None, origin = None, pitches = None, dest_origin = None, offset = None
    ),
    text_signature = "(queue, dest, src, **kwargs)"
)]
#[allow(clippy::too_many_arguments, reason = "named ones cost less than a dict of them")]
fn enqueue_copy<'py>(
    queue: &Bound<'py, CommandQueue>,
    dest: &Bound<'py, PyAny>,
    src: &Bound<'py, PyAny>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
    byte_count: Option<&Bound<'py, PyAny>>,
    src_offset: Option<&Bound<'py, PyAny>>,
    dst_offset: Option<&Bound<'py, PyAny>>,
    device_offset: Option<&Bound<'py, PyAny>>,
    dest_offset: Option<&Bound<'py, PyAny>>,
    buffer_origin: Option<&Bound<'py, PyAny>>,
    host_origin: Option<&Bound<'py, PyAny>>,
    buffer_pitches: Option<&Bound<'py, PyAny>>,
    host_pitches: Option<&Bound<'py, PyAny>>,
    src_origin: Option<&Bound<'py, PyAny>>,
    dst_origin: Option<&Bound<'py, PyAny>>,
    src_pitches: Option<&Bound<'py, PyAny>>,
    dst_pitches: Option<&Bound<'py, PyAny>>,
    region: Option<&Bound<'py, PyAny>>,
    origin: Option<&Bound<'py, PyAny>>,
    pitches: Option<&Bound<'py, PyAny>>,
    dest_origin: Option<&Bound<'py, PyAny>>,
    offset: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let mut keywords = keywords![
        byte_count,
        src_offset,
        dst_offset,
        device_offset,
        dest_offset,
        buffer_origin,
        host_origin,
        buffer_pitches,
        host_pitches,
        src_origin,
        dst_origin,
        src_pitches,
        dst_pitches,
        region,
        origin,
        pitches,
        dest_origin,
        offset,
    ];
    let (target, source) = (dest.cast::<MemoryObjectHolder>().ok(), src.cast::<MemoryObjectHolder>().ok());
    if [target, source].into_iter().flatten().any(is_image) {
        return image_transfer::copy(queue, dest, src, wait_for, is_blocking, keywords);
    }
    if (target.is_none() && is_svm(dest)) || (source.is_none() && is_svm(src)) {
        return svm_transfer::copy(queue, dest, src, wait_for, is_blocking, keywords);
    }
    match (target, source) {
        (Some(target), Some(source)) => between_buffers(queue, target, source, wait_for, keywords),
        (Some(buffer), None) if keywords.has("buffer_origin") => {
            let HostBlock { origin, host_origin, region, pitches, host_pitches } = HostBlock::take(keywords)?;
            _enqueue_write_buffer_rect(
                queue,
                buffer,
                src,
                origin,
                host_origin,
                region,
                pitches,
                host_pitches,
                wait_for,
                is_blocking,
            )
            .map(Py::into_any)
        }
        (Some(buffer), None) => {
            let offset = keywords.offset("dst_offset", "device_offset")?;
            keywords.finish()?;
            _enqueue_write_buffer(queue, buffer, src, offset, wait_for, is_blocking).map(Py::into_any)
        }
        (None, Some(buffer)) if keywords.has("buffer_origin") => {
            let HostBlock { origin, host_origin, region, pitches, host_pitches } = HostBlock::take(keywords)?;
            _enqueue_read_buffer_rect(
                queue,
                buffer,
                dest,
                origin,
                host_origin,
                region,
                pitches,
                host_pitches,
                wait_for,
                is_blocking,
            )
            .map(Py::into_any)
        }
        (None, Some(buffer)) => {
            let offset = keywords.offset("src_offset", "device_offset")?;
            keywords.finish()?;
            _enqueue_read_buffer(queue, buffer, dest, offset, wait_for, is_blocking).map(Py::into_any)
        }
        (None, None) => {
            let text = format!(
                "enqueue_copy: one side has to be a buffer (of an array, its `data`), got {} and {}",
                dest.get_type().name()?,
                src.get_type().name()?
            );
            Err(PyTypeError::new_err(text))
        }
    }
}

/// Most are no images, which the exact type tells at once.
#[inline]
fn is_image(object: &Holder<'_>) -> bool {
    !object.is_exact_instance_of::<Buffer>() && object.is_instance_of::<Image>()
}

/// The arguments of a rectangular copy with host memory.
struct HostBlock<'a, 'py> {
    origin: &'a Bound<'py, PyAny>,
    host_origin: &'a Bound<'py, PyAny>,
    region: &'a Bound<'py, PyAny>,
    pitches: Option<&'a Bound<'py, PyAny>>,
    host_pitches: Option<&'a Bound<'py, PyAny>>,
}

impl<'a, 'py> HostBlock<'a, 'py> {
    fn take(mut keywords: Keywords<'a, 'py>) -> PyResult<Self> {
        let block = Self {
            origin: keywords.require("buffer_origin")?,
            host_origin: keywords.require("host_origin")?,
            region: keywords.require("region")?,
            pitches: keywords.take("buffer_pitches"),
            host_pitches: keywords.take("host_pitches"),
        };
        keywords.finish()?;
        Ok(block)
    }
}

fn between_buffers<'py>(
    queue: &Bound<'py, CommandQueue>,
    target: &Holder<'py>,
    source: &Holder<'py>,
    wait_for: Option<&Bound<'py, PyAny>>,
    mut keywords: Keywords<'_, 'py>,
) -> PyResult<Py<PyAny>> {
    let event = if keywords.has("src_origin") {
        let (origin, other_origin) = (keywords.require("src_origin")?, keywords.require("dst_origin")?);
        let region = keywords.require("region")?;
        let (pitches, other_pitches) = (keywords.take("src_pitches"), keywords.take("dst_pitches"));
        keywords.finish()?;
        let (source, target) = (source.get(), target.get());
        _enqueue_copy_buffer_rect(
            queue,
            source,
            target,
            origin,
            other_origin,
            region,
            pitches,
            other_pitches,
            wait_for,
        )?
    } else {
        let source_offset = keywords.offset("src_offset", "device_offset")?;
        let target_offset = keywords.offset("dst_offset", "dest_offset")?;
        let count = keywords.take("byte_count").map_or(Ok(-1), |count| count.extract())?;
        keywords.finish()?;
        _enqueue_copy_buffer(
            queue,
            source.get(),
            target.get(),
            count,
            source_offset,
            target_offset,
            wait_for,
        )?
    };
    Ok(Py::new(queue.py(), event)?.into_any())
}

/// Copy between buffers of two devices of one platform (``cl_amd_copy_buffer_p2p``): *byte_count* bytes, by default
/// as many as both have.
#[pyfunction]
#[pyo3(signature = (platform, queue, src, dst, byte_count = None, wait_for = None))]
fn enqueue_copy_buffer_p2p_amd(
    platform: &Platform,
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dst: &MemoryObjectHolder,
    byte_count: Option<usize>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let _ = platform;
    let events = Events::new(wait_for)?;
    let runtime = queue.get().live(queue.py())?;
    let count = byte_count.unwrap_or_else(|| src.object.size().min(dst.object.size()));
    runtime.copy_buffer_p2p(&src.object, &dst.object, count, &events.list()).into_py().map(Event::from)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let copy = wrap_pyfunction!(enqueue_copy, m)?;
    #[cfg(vectorcall)]
    let copy = crate::shortcut::function::<super::plain_copy::PlainCopy>(copy)?;
    m.add("enqueue_copy", copy)?;
    m.add_function(wrap_pyfunction!(enqueue_copy_buffer_p2p_amd, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_write_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_read_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_copy_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_write_buffer_rect, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_read_buffer_rect, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_copy_buffer_rect, m)?)
}
