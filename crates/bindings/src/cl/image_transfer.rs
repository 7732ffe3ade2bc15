//! Copies from, to and between images, and fills. Origins and regions count pixels.

use opencl_runtime::{Image as Runtime, ImageBlock};
use pyo3::prelude::*;

use super::copy::Keywords;
use super::event::{Event, NannyEvent};
use super::image::Image;
use super::memory::MemoryObjectHolder;
use super::queue::CommandQueue;
use super::svm::is_svm;
use super::svm_transfer;
use crate::convert::dims::filled;
use crate::convert::host::HostMemory;
use crate::convert::wait_list::Events;
use crate::error::{IntoPyResult, invalid};
use crate::gil::detached;

type Holder<'py> = Bound<'py, MemoryObjectHolder>;

/// A memory object as an image; one that is none is refused.
pub(super) fn image(object: &MemoryObjectHolder) -> Runtime {
    Runtime::of_object(object.object.clone())
}

fn origin(object: &Bound<'_, PyAny>) -> PyResult<[usize; 3]> {
    filled(object, 0, "the origin")
}

fn region(object: &Bound<'_, PyAny>) -> PyResult<[usize; 3]> {
    filled(object, 1, "the region")
}

/// Refuses a block that reaches beyond host memory.
fn check_host(block: &ImageBlock, image: &Runtime, host: &HostMemory) -> PyResult<()> {
    let extent = block.host_extent(image).into_py()?;
    if extent <= host.size {
        return Ok(());
    }
    let text = format!("the block takes {extent} bytes, and the host memory has {}", host.size);
    Err(invalid("enqueue_copy", text))
}

/// Copy a block of an image into host memory. Pitches are in bytes; zero means no gaps.
#[pyfunction]
#[pyo3(signature = (queue, mem, origin, region, hostbuf, row_pitch = 0, slice_pitch = 0, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
pub(super) fn _enqueue_read_image<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    origin: &Bound<'py, PyAny>,
    region: &Bound<'py, PyAny>,
    hostbuf: &Bound<'py, PyAny>,
    row_pitch: usize,
    slice_pitch: usize,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let block = block(origin, region, [row_pitch, slice_pitch])?;
    let host = HostMemory::writable(hostbuf)?;
    let image = &image(mem.get());
    check_host(&block, image, &host)?;
    let runtime = queue.get().live(py)?;
    let (list, memory) = (events.list(), &host);
    // SAFETY: the block is inside of the host memory, which the event's object keeps until the command is done.
    let event = detached(py, || unsafe {
        runtime.enqueue_read_image(image, is_blocking, &block, memory.address, &list)
    })?;
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

/// Copy host memory into a block of an image. Pitches are in bytes; zero means no gaps.
#[pyfunction]
#[pyo3(signature = (queue, mem, origin, region, hostbuf, row_pitch = 0, slice_pitch = 0, wait_for = None, is_blocking = true))]
#[allow(clippy::too_many_arguments, reason = "the parameters of the Python function")]
pub(super) fn _enqueue_write_image<'py>(
    queue: &Bound<'py, CommandQueue>,
    mem: &Holder<'py>,
    origin: &Bound<'py, PyAny>,
    region: &Bound<'py, PyAny>,
    hostbuf: &Bound<'py, PyAny>,
    row_pitch: usize,
    slice_pitch: usize,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
) -> PyResult<Py<NannyEvent>> {
    let py = queue.py();
    let events = Events::new(wait_for)?;
    let block = block(origin, region, [row_pitch, slice_pitch])?;
    let host = HostMemory::readable(hostbuf)?;
    let image = &image(mem.get());
    check_host(&block, image, &host)?;
    let runtime = queue.get().live(py)?;
    let (list, memory) = (events.list(), &host);
    // SAFETY: the block is inside of the host memory, which the event's object keeps until the command is done.
    let event = detached(py, || unsafe {
        runtime.enqueue_write_image(image, is_blocking, &block, memory.address, &list)
    })?;
    NannyEvent::wrap(py, event, hostbuf, host.into_export(), is_blocking)
}

fn block(
    origin_: &Bound<'_, PyAny>,
    region_: &Bound<'_, PyAny>,
    pitches: [usize; 2],
) -> PyResult<ImageBlock> {
    Ok(ImageBlock { origin: origin(origin_)?, region: region(region_)?, pitches })
}

/// Copy a block between images of one format.
#[pyfunction]
#[pyo3(signature = (queue, src, dest, src_origin, dest_origin, region, wait_for = None))]
pub(super) fn _enqueue_copy_image(
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dest: &MemoryObjectHolder,
    src_origin: &Bound<'_, PyAny>,
    dest_origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let (from, to, region) = (origin(src_origin)?, origin(dest_origin)?, self::region(region)?);
    let queue = queue.get().live(queue.py())?;
    queue.copy_image(&image(src), &image(dest), from, to, region, &events.list()).into_py().map(Event::from)
}

/// Copy a block of an image into a buffer, from byte *offset* and without gaps.
#[pyfunction]
#[pyo3(signature = (queue, src, dest, origin, region, offset, wait_for = None))]
pub(super) fn _enqueue_copy_image_to_buffer(
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dest: &MemoryObjectHolder,
    origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    offset: usize,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let (origin, region) = (self::origin(origin)?, self::region(region)?);
    let queue = queue.get().live(queue.py())?;
    let copied =
        queue.copy_image_to_buffer(&image(src), &dest.object, origin, region, offset, &events.list());
    copied.into_py().map(Event::from)
}

/// Copy from a buffer, from byte *offset* and without gaps, into a block of an image.
#[pyfunction]
#[pyo3(signature = (queue, src, dest, offset, origin, region, wait_for = None))]
pub(super) fn _enqueue_copy_buffer_to_image(
    queue: &Bound<'_, CommandQueue>,
    src: &MemoryObjectHolder,
    dest: &MemoryObjectHolder,
    offset: usize,
    origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let (origin, region) = (self::origin(origin)?, self::region(region)?);
    let queue = queue.get().live(queue.py())?;
    let copied =
        queue.copy_buffer_to_image(&src.object, &image(dest), offset, origin, region, &events.list());
    copied.into_py().map(Event::from)
}

/// Fill a block of an image with one colour.
///
/// *color* is anything with the buffer protocol: four ``float32`` for formats of floating-point or normalised
/// numbers, four ``int32`` or ``uint32`` for those of integers. What is missing of the four is zero.
#[pyfunction]
#[pyo3(signature = (queue, mem, color, origin, region, wait_for = None))]
fn enqueue_fill_image(
    queue: &Bound<'_, CommandQueue>,
    mem: &MemoryObjectHolder,
    color: &Bound<'_, PyAny>,
    origin: &Bound<'_, PyAny>,
    region: &Bound<'_, PyAny>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let events = Events::new(wait_for)?;
    let (origin, region) = (self::origin(origin)?, self::region(region)?);
    let host = HostMemory::readable(color)?;
    if host.size > 16 {
        let text = format!("a color has four numbers of 32 bits, 16 bytes, not {}", host.size);
        return Err(invalid("enqueue_fill_image", text));
    }
    let mut colour = [0; 16];
    // SAFETY: the color's object is alive during this call, and its memory does not change under the lock.
    colour[..host.size].copy_from_slice(unsafe { host.bytes() });
    let queue = queue.get().live(queue.py())?;
    queue.fill_image(&image(mem), &colour, origin, region, &events.list()).into_py().map(Event::from)
}

/// The copies of `enqueue_copy` in which an image takes part.
pub(super) fn copy<'py>(
    queue: &Bound<'py, CommandQueue>,
    dest: &Bound<'py, PyAny>,
    src: &Bound<'py, PyAny>,
    wait_for: Option<&Bound<'py, PyAny>>,
    is_blocking: bool,
    mut keywords: Keywords<'_, 'py>,
) -> PyResult<Py<PyAny>> {
    let py = queue.py();
    let images = (dest.is_instance_of::<Image>(), src.is_instance_of::<Image>());
    let event = match (dest.cast::<MemoryObjectHolder>(), src.cast::<MemoryObjectHolder>()) {
        (Ok(target), Ok(source)) if images == (true, true) => {
            let (from, to) = (keywords.require("src_origin")?, keywords.require("dest_origin")?);
            let region = keywords.require("region")?;
            keywords.finish()?;
            _enqueue_copy_image(queue, source.get(), target.get(), from, to, region, wait_for)?
        }
        (Ok(target), Ok(source)) => {
            let (origin, region) = (keywords.require("origin")?, keywords.require("region")?);
            let offset = keywords.take("offset").map_or(Ok(0), |offset| offset.extract())?;
            keywords.finish()?;
            let (source, target) = (source.get(), target.get());
            if images.1 {
                _enqueue_copy_image_to_buffer(queue, source, target, origin, region, offset, wait_for)?
            } else {
                _enqueue_copy_buffer_to_image(queue, source, target, offset, origin, region, wait_for)?
            }
        }
        (target, source) => {
            let (origin, region) = (keywords.require("origin")?, keywords.require("region")?);
            let pitches = keywords.take("pitches").map_or(Ok([0; 2]), |given| filled(given, 0, "pitches"))?;
            keywords.finish()?;
            if is_svm(dest) || is_svm(src) {
                let block = block(origin, region, pitches)?;
                return svm_transfer::copy_image(queue, dest, src, &block, wait_for, is_blocking);
            }
            let [row, slice] = pitches;
            let event = match (target, source) {
                (Ok(image), _) => _enqueue_write_image(
                    queue,
                    image,
                    origin,
                    region,
                    src,
                    row,
                    slice,
                    wait_for,
                    is_blocking,
                )?,
                (_, image) => _enqueue_read_image(
                    queue,
                    image?,
                    origin,
                    region,
                    dest,
                    row,
                    slice,
                    wait_for,
                    is_blocking,
                )?,
            };
            return Ok(event.into_any());
        }
    };
    Ok(Py::new(py, event)?.into_any())
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_enqueue_read_image, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_write_image, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_copy_image, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_copy_image_to_buffer, m)?)?;
    m.add_function(wrap_pyfunction!(_enqueue_copy_buffer_to_image, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_fill_image, m)?)
}
