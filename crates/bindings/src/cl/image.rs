//! Images.

use std::ffi::CString;

use opencl_array::layout::Tuple;
use opencl_runtime::info::TABLES;
use opencl_runtime::{
    Context as RuntimeContext, Image as Runtime, ImageDescriptor as RuntimeDescriptor,
    ImageFormat as RuntimeFormat, MemFlags, MemObjectType, Version, status,
};
use pyo3::exceptions::{PyAttributeError, PyDeprecationWarning, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use super::context::Context;
use super::image_format::{ImageDescriptor, ImageFormat};
use super::memory::{MemoryObject, MemoryObjectHolder};
use crate::convert::dims::{filled, sizes};
use crate::convert::host::HostMemory;
use crate::error::{IntoPyResult, invalid, raise};
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};

/// An image: pixels of one :class:`ImageFormat`, which kernels read through a :class:`Sampler`.
///
/// What it is is said by *desc*, an :class:`ImageDescriptor`; :func:`create_image` makes one of *shape*,
/// *pitches*, *is_array* and *buffer*, which the constructor takes too, with a warning. *flags* is a mask of
/// :class:`mem_flags`: with ``COPY_HOST_PTR`` the image begins with the content of *hostbuf*, with
/// ``USE_HOST_PTR`` it uses the memory of *hostbuf* and keeps it.
#[pyclass(frozen, extends = MemoryObject, subclass, module = "pyopencl._cl")]
pub(crate) struct Image;

impl Image {
    fn runtime(slf: &Bound<'_, Self>) -> Runtime {
        Runtime::of_object(slf.as_super().as_super().get().object.clone())
    }
}

#[pymethods]
impl Image {
    #[new]
    #[pyo3(signature = (context, flags, format, shape = None, pitches = None, hostbuf = None, is_array = false, buffer = None, *, desc = None, _through_create_image = false))]
    #[allow(clippy::too_many_arguments, reason = "the parameters of the Python class")]
    fn new(
        py: Python<'_>,
        context: &Context,
        flags: u64,
        format: &ImageFormat,
        shape: Option<&Bound<'_, PyAny>>,
        pitches: Option<&Bound<'_, PyAny>>,
        hostbuf: Option<&Bound<'_, PyAny>>,
        is_array: bool,
        buffer: Option<&MemoryObjectHolder>,
        desc: Option<&ImageDescriptor>,
        _through_create_image: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let flags = MemFlags::from_bits_retain(flags);
        let context = &context.context;
        let descriptor = match desc {
            Some(desc) => desc.runtime(),
            None => {
                if !_through_create_image {
                    warn_of_constructor(py, context)?;
                }
                describe(shape, pitches, hostbuf, is_array, buffer)?
            }
        };
        let Some(hostbuf) = hostbuf else {
            let image = detached(py, || Runtime::new(context, flags, format.runtime(), &descriptor))?;
            return Ok(layers(image, None));
        };
        let in_place = flags.contains(MemFlags::USE_HOST_PTR);
        let image = with_host_memory(context, flags, format.runtime(), &descriptor, hostbuf)?;
        Ok(layers(image, in_place.then(|| hostbuf.clone().unbind())))
    }

    /// Width, height and depth, as many as the image has; for arrays the number of images comes last.
    #[getter]
    fn shape<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(slf.py(), Self::runtime(slf).shape().into_py()?)
    }

    /// The answer of the driver to a question, a value of :class:`image_info`.
    #[pyo3(signature = (param, /))]
    fn get_image_info(slf: &Bound<'_, Self>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(slf.py(), &Self::runtime(slf), TABLES.image, param, "Image.get_image_info")
    }

    /// The attributes of the image under an old name: deprecated, they are attributes of the image itself.
    #[getter]
    fn image(slf: Bound<'_, Self>) -> ImageInfoGetter {
        ImageInfoGetter { image: slf.unbind() }
    }
}

/// The attributes of an image, by name.
#[pyclass(frozen, module = "pyopencl")]
struct ImageInfoGetter {
    image: Py<Image>,
}

#[pymethods]
impl ImageInfoGetter {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.image)
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let small = name.to_lowercase();
        let mut questions = TABLES.image.questions.iter();
        if !questions.any(|question| question.constant.name.to_lowercase() == small) {
            let text = format!("'ImageInfoGetter' object has no attribute '{name}'");
            return Err(PyAttributeError::new_err(text));
        }
        // The names hold no zero byte.
        let text =
            CString::new(format!("Image.image.{name} is deprecated, use Image.{small}")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), &text, 1)?;
        self.image.bind(py).getattr(&small).map(Bound::unbind)
    }
}

fn warn_of_constructor(py: Python<'_>, context: &RuntimeContext) -> PyResult<()> {
    let devices = context.devices().into_py()?;
    let Some(device) = devices.first() else { return Ok(()) };
    if device.platform().into_py()?.opencl_version() < Version::new(1, 2) {
        return Ok(());
    }
    let text =
        c"Image() without a descriptor is deprecated: use create_image(), which takes the same arguments";
    PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), text, 1)
}

/// The descriptor that the arguments make.
fn describe(
    shape: Option<&Bound<'_, PyAny>>,
    pitches: Option<&Bound<'_, PyAny>>,
    hostbuf: Option<&Bound<'_, PyAny>>,
    is_array: bool,
    buffer: Option<&MemoryObjectHolder>,
) -> PyResult<RuntimeDescriptor> {
    let shape = match (shape, hostbuf) {
        (Some(shape), _) => sizes(shape)?,
        (None, Some(hostbuf)) => sizes(&hostbuf.getattr("shape")?)?,
        (None, None) => return Err(invalid("Image", "'shape' must be given if 'hostbuf' is not")),
    };
    if shape.len() > 3 {
        return Err(PyValueError::new_err(format!(
            "an image has at most three dimensions, not {}",
            Tuple(&shape)
        )));
    }
    if is_array && shape.len() == 1 {
        return Err(PyTypeError::new_err(
            "an array of images needs their shape, and their number as the last one",
        ));
    }
    let mut descriptor = RuntimeDescriptor::of_shape(&shape, is_array).into_py()?;
    if let Some(pitches) = pitches {
        if hostbuf.is_none() && buffer.is_none() {
            return Err(invalid("Image", "'pitches' may only be given if 'hostbuf' or 'buffer' is"));
        }
        descriptor.pitches = filled(pitches, 0, "the list of pitches")?;
    }
    let Some(buffer) = buffer else { return Ok(descriptor) };
    if !matches!(descriptor.kind, MemObjectType::IMAGE1D | MemObjectType::IMAGE2D) {
        return Err(PyTypeError::new_err("'buffer' makes images of one or two dimensions, and no arrays"));
    }
    descriptor.over_buffer(&buffer.object).into_py()
}

/// An image with the content, or over the memory, of a Python object.
fn with_host_memory(
    context: &RuntimeContext,
    flags: MemFlags,
    format: RuntimeFormat,
    descriptor: &RuntimeDescriptor,
    hostbuf: &Bound<'_, PyAny>,
) -> PyResult<Runtime> {
    let py = hostbuf.py();
    if !flags.intersects(MemFlags::USE_HOST_PTR | MemFlags::COPY_HOST_PTR) {
        let text = c"'hostbuf' was passed, but no memory flags to make use of it";
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 1)?;
        let detail = "hostbuf without USE_HOST_PTR or COPY_HOST_PTR";
        return Err(raise("clCreateImage", status::INVALID_HOST_PTR, detail));
    }
    let written = flags.contains(MemFlags::USE_HOST_PTR) && !flags.contains(MemFlags::READ_ONLY);
    let host = if written { HostMemory::writable(hostbuf) } else { HostMemory::readable(hostbuf) }?;
    // Formats that this package does not know are the driver's to judge.
    if let Ok(pixel) = format.pixel_size() {
        let needed = descriptor.host_extent(pixel).into_py()?;
        if needed > host.size {
            let text = format!("the image takes {needed} bytes, and the host memory has {}", host.size);
            return Err(invalid("Image", text));
        }
    }
    let host = &host;
    // SAFETY: the memory holds the image; where it is used in place, the image's object keeps it.
    detached(py, || unsafe { Runtime::with_host_ptr(context, flags, format, descriptor, host.address) })
}

fn layers(image: Runtime, hostbuf: Option<Py<PyAny>>) -> PyClassInitializer<Image> {
    MemoryObject::layers(image.into(), hostbuf).add_subclass(Image)
}

/// The formats that images of a kind may have, used as the flags say: arguments are the context, a mask of
/// :class:`mem_flags` and a value of :class:`mem_object_type`.
#[pyfunction]
#[pyo3(signature = (arg0, arg1, arg2, /))]
fn get_supported_image_formats(arg0: &Context, arg1: u64, arg2: u32) -> PyResult<Vec<ImageFormat>> {
    let flags = MemFlags::from_bits_retain(arg1);
    let formats = arg0.context.supported_image_formats(flags, MemObjectType(arg2)).into_py()?;
    Ok(formats.into_iter().map(ImageFormat::from).collect())
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let image = Image::runtime(object.cast::<Image>()?);
    answer(object.py(), (TABLES.image.questions[index].ask)(&image))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Image>()?;
    m.add_function(wrap_pyfunction!(get_supported_image_formats, m)?)?;
    add_attributes(&m.py().get_type::<Image>(), TABLES.image, ask)
}
