//! Objects shared with OpenGL (`cl_khr_gl_sharing`).

use opencl_runtime::constants::GlContextInfo;
use opencl_runtime::info::TABLES;
use opencl_runtime::{
    GlBuffer as RuntimeBuffer, GlRenderbuffer as RuntimeRenderbuffer, GlTexture as RuntimeTexture, MemFlags,
    MemObject, Platform as RuntimePlatform,
};
use pyo3::prelude::*;

use super::context::{Context, property_list};
use super::device::Device;
use super::event::Event;
use super::image::Image;
use super::memory::{MemoryObject, MemoryObjectHolder};
use super::platform::Platform;
use super::queue::CommandQueue;
use crate::convert::wait_list::Events;
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::get_info;

/// A buffer that is the buffer object *bufobj* of the OpenGL context that *context* shares. *flags* is a mask of
/// :class:`mem_flags`.
///
/// Raises :class:`LogicError` if no device of the context has ``cl_khr_gl_sharing``. Commands may use it between
/// :func:`enqueue_acquire_gl_objects` and :func:`enqueue_release_gl_objects`.
#[pyclass(frozen, name = "GLBuffer", extends = MemoryObject, subclass, module = "pyopencl._cl")]
pub(crate) struct GlBuffer;

/// An image that is the renderbuffer *bufobj*; else as :class:`GLBuffer`.
#[pyclass(frozen, name = "GLRenderBuffer", extends = MemoryObject, subclass, module = "pyopencl._cl")]
pub(crate) struct GlRenderbuffer;

/// An image that is level *miplevel* of the *texture* with *dims* dimensions and the target *texture_target*, an
/// enumerant of OpenGL; else as :class:`GLBuffer`.
#[pyclass(frozen, name = "GLTexture", extends = Image, subclass, module = "pyopencl._cl")]
pub(crate) struct GlTexture;

/// Kind and name of an object of OpenGL as a tuple.
fn gl_object_info(object: &MemObject) -> PyResult<(u32, u32)> {
    let (kind, name) = RuntimeBuffer::of_object(object.clone()).gl_object().into_py()?;
    Ok((kind.0, name))
}

#[pymethods]
impl GlBuffer {
    #[new]
    fn new(py: Python<'_>, context: &Context, flags: u64, bufobj: u32) -> PyResult<PyClassInitializer<Self>> {
        let (context, flags) = (&context.context, MemFlags::from_bits_retain(flags));
        // SAFETY: the caller vouches for the object of OpenGL, which only they know.
        let buffer = detached(py, || unsafe { RuntimeBuffer::new(context, flags, bufobj) })?;
        Ok(MemoryObject::layers(buffer.into(), None).add_subclass(Self))
    }

    /// The kind of OpenGL object, a value of :class:`gl_object_type`, and its name.
    fn get_gl_object_info(slf: &Bound<'_, Self>) -> PyResult<(u32, u32)> {
        gl_object_info(&slf.as_super().as_super().get().object)
    }

    /// The name in OpenGL.
    #[getter]
    fn gl_object(slf: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(Self::get_gl_object_info(slf)?.1)
    }
}

#[pymethods]
impl GlRenderbuffer {
    #[new]
    fn new(py: Python<'_>, context: &Context, flags: u64, bufobj: u32) -> PyResult<PyClassInitializer<Self>> {
        let (context, flags) = (&context.context, MemFlags::from_bits_retain(flags));
        // SAFETY: as for buffers.
        let image = detached(py, || unsafe { RuntimeRenderbuffer::new(context, flags, bufobj) })?;
        Ok(MemoryObject::layers(image.into(), None).add_subclass(Self))
    }

    /// The kind of OpenGL object, a value of :class:`gl_object_type`, and its name.
    fn get_gl_object_info(slf: &Bound<'_, Self>) -> PyResult<(u32, u32)> {
        gl_object_info(&slf.as_super().as_super().get().object)
    }
}

#[pymethods]
impl GlTexture {
    #[new]
    fn new(
        py: Python<'_>,
        context: &Context,
        flags: u64,
        texture_target: u32,
        miplevel: i32,
        texture: u32,
        dims: usize,
    ) -> PyResult<PyClassInitializer<Self>> {
        let (context, flags) = (&context.context, MemFlags::from_bits_retain(flags));
        // SAFETY: as for buffers.
        let made = detached(py, || unsafe {
            RuntimeTexture::new(context, flags, texture_target, miplevel, texture, dims)
        })?;
        Ok(MemoryObject::layers(made.into(), None).add_subclass(Image).add_subclass(Self))
    }

    /// The kind of OpenGL object, a value of :class:`gl_object_type`, and its name.
    fn get_gl_object_info(slf: &Bound<'_, Self>) -> PyResult<(u32, u32)> {
        gl_object_info(&slf.as_super().as_super().as_super().get().object)
    }

    /// The answer of the driver to a question, a value of :class:`gl_texture_info`.
    #[pyo3(signature = (arg, /))]
    fn get_gl_texture_info(slf: &Bound<'_, Self>, arg: i64) -> PyResult<Py<PyAny>> {
        let object = &slf.as_super().as_super().as_super().get().object;
        let texture = RuntimeTexture::of_object(object.clone());
        get_info(slf.py(), &texture, TABLES.gl_texture, arg, "GLTexture.get_gl_texture_info")
    }

    /// The name in OpenGL.
    #[getter]
    fn gl_object(slf: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(Self::get_gl_object_info(slf)?.1)
    }
}

/// The memory objects of a list of them.
fn objects(mem_objects: &Bound<'_, PyAny>) -> PyResult<Vec<MemObject>> {
    let object =
        |item: PyResult<Bound<'_, PyAny>>| Ok(item?.cast::<MemoryObjectHolder>()?.get().object.clone());
    mem_objects.try_iter()?.map(object).collect()
}

/// Take objects over from OpenGL, whose commands on them must be done.
#[pyfunction]
#[pyo3(signature = (queue, mem_objects, wait_for = None))]
fn enqueue_acquire_gl_objects(
    queue: &Bound<'_, CommandQueue>,
    mem_objects: &Bound<'_, PyAny>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let (events, objects) = (Events::new(wait_for)?, objects(mem_objects)?);
    let objects: Vec<_> = objects.iter().collect();
    let queue = queue.get().live(queue.py())?;
    queue.acquire_gl_objects(&objects, &events.list()).into_py().map(Event::from)
}

/// Give objects back to OpenGL, which may use them when the event is done.
#[pyfunction]
#[pyo3(signature = (queue, mem_objects, wait_for = None))]
fn enqueue_release_gl_objects(
    queue: &Bound<'_, CommandQueue>,
    mem_objects: &Bound<'_, PyAny>,
    wait_for: Option<&Bound<'_, PyAny>>,
) -> PyResult<Event> {
    let (events, objects) = (Events::new(wait_for)?, objects(mem_objects)?);
    let objects: Vec<_> = objects.iter().collect();
    let queue = queue.get().live(queue.py())?;
    queue.release_gl_objects(&objects, &events.list()).into_py().map(Event::from)
}

/// The device that shows an OpenGL context (``CURRENT_DEVICE_FOR_GL_CONTEXT_KHR``, ``None`` if no device of the
/// platform does), or the list of those that can share objects with it (``DEVICES_FOR_GL_CONTEXT_KHR``).
/// *properties* name the context as they do for :class:`Context`; *platform* is the first one by default.
#[pyfunction]
#[pyo3(signature = (properties, param_name, platform = None))]
fn get_gl_context_info_khr<'py>(
    py: Python<'py>,
    properties: &Bound<'py, PyAny>,
    param_name: u32,
    platform: Option<&Platform>,
) -> PyResult<Bound<'py, PyAny>> {
    let properties = property_list(Some(properties))?;
    let platform = match platform {
        Some(platform) => platform.platform,
        None => detached(py, RuntimePlatform::all)?[0],
    };
    let asked = GlContextInfo(param_name);
    let devices = detached(py, || platform.gl_context_devices(&properties, asked))?;
    let mut devices = devices.into_iter().map(Device::from);
    if asked == GlContextInfo::CURRENT_DEVICE_FOR_GL_CONTEXT_KHR {
        return Ok(devices.next().into_pyobject(py)?.into_any());
    }
    Ok(devices.collect::<Vec<_>>().into_pyobject(py)?.into_any())
}

/// Whether a device that was found shares objects with OpenGL (``cl_khr_gl_sharing``).
#[pyfunction]
fn have_gl(py: Python<'_>) -> bool {
    // Without a driver there is nothing to share with.
    detached(py, RuntimePlatform::any_with_gl).unwrap_or(false)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<GlBuffer>()?;
    m.add_class::<GlRenderbuffer>()?;
    m.add_class::<GlTexture>()?;
    m.add_function(wrap_pyfunction!(enqueue_acquire_gl_objects, m)?)?;
    m.add_function(wrap_pyfunction!(enqueue_release_gl_objects, m)?)?;
    m.add_function(wrap_pyfunction!(get_gl_context_info_khr, m)?)?;
    m.add_function(wrap_pyfunction!(have_gl, m)?)
}
