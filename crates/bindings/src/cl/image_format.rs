//! Formats and descriptors of images.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use opencl_runtime::constants::{ChannelOrder, ChannelType};
use opencl_runtime::{ImageDescriptor as RuntimeDescriptor, ImageFormat as Runtime, MemObjectType};
use pyo3::prelude::*;

use super::memory::{MemoryObjectHolder, of_runtime};
use crate::convert::dims::filled;
use crate::error::IntoPyResult;

/// The format of an image: the channels of a pixel, a value of :class:`channel_order`, and their type, a value of
/// :class:`channel_type`.
#[pyclass(frozen, subclass, module = "pyopencl._cl")]
pub(crate) struct ImageFormat {
    order: AtomicU32,
    channel_type: AtomicU32,
}

impl ImageFormat {
    /// The runtime's format.
    pub(crate) fn runtime(&self) -> Runtime {
        let order = ChannelOrder(self.order.load(Ordering::Relaxed));
        Runtime::new(order, ChannelType(self.channel_type.load(Ordering::Relaxed)))
    }
}

impl From<Runtime> for ImageFormat {
    fn from(format: Runtime) -> Self {
        Self { order: AtomicU32::new(format.order.0), channel_type: AtomicU32::new(format.channel_type.0) }
    }
}

#[pymethods]
impl ImageFormat {
    #[new]
    #[pyo3(signature = (arg0, arg1, /))]
    fn new(arg0: u32, arg1: u32) -> Self {
        Runtime::new(ChannelOrder(arg0), ChannelType(arg1)).into()
    }

    /// The channels, a value of :class:`channel_order`.
    #[getter]
    fn channel_order(&self) -> u32 {
        self.order.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_channel_order(&self, value: u32) {
        self.order.store(value, Ordering::Relaxed);
    }

    /// The type of the channels, a value of :class:`channel_type`.
    #[getter]
    fn channel_data_type(&self) -> u32 {
        self.channel_type.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_channel_data_type(&self, value: u32) {
        self.channel_type.store(value, Ordering::Relaxed);
    }

    /// How many channels a pixel has.
    #[getter]
    fn channel_count(&self) -> PyResult<usize> {
        self.runtime().channel_count().into_py()
    }

    /// Bytes of a channel; of a whole pixel where the channels are packed into one number.
    #[getter]
    fn dtype_size(&self) -> PyResult<usize> {
        self.runtime().channel_size().into_py()
    }

    /// Bytes of a pixel.
    #[getter]
    fn itemsize(&self) -> PyResult<usize> {
        self.runtime().pixel_size().into_py()
    }

    fn __repr__(&self) -> String {
        format!("ImageFormat({})", self.runtime().describe())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().runtime() == self.runtime())
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.channel_order()) << 32 | u64::from(self.channel_data_type())
    }
}

/// Kind and size of an image, for :class:`Image`. Everything is zero until it is set.
#[pyclass(frozen, subclass, module = "pyopencl._cl")]
pub(crate) struct ImageDescriptor(Mutex<RuntimeDescriptor>);

impl ImageDescriptor {
    fn lock(&self) -> MutexGuard<'_, RuntimeDescriptor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runtime's descriptor as it is now.
    pub(crate) fn runtime(&self) -> RuntimeDescriptor {
        self.lock().clone()
    }
}

#[pymethods]
impl ImageDescriptor {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// The kind of image, a value of :class:`mem_object_type`.
    #[getter]
    fn image_type(&self) -> u32 {
        self.lock().kind.0
    }

    #[setter]
    fn set_image_type(&self, value: u32) {
        self.lock().kind = MemObjectType(value);
    }

    /// Width, height and depth in pixels.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        self.lock().shape.into()
    }

    #[setter]
    fn set_shape(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let shape = filled(value, 1, "the shape")?;
        self.lock().shape = shape;
        Ok(())
    }

    /// How many images an array holds.
    #[getter]
    fn array_size(&self) -> usize {
        self.lock().array_size
    }

    #[setter]
    fn set_array_size(&self, value: usize) {
        self.lock().array_size = value;
    }

    /// Bytes from row to row and from slice to slice in the host memory or buffer; zero if there are no gaps.
    #[getter]
    fn pitches(&self) -> (usize, usize) {
        self.lock().pitches.into()
    }

    #[setter]
    fn set_pitches(&self, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let pitches = value.map_or(Ok([0; 2]), |value| filled(value, 0, "the list of pitches"))?;
        self.lock().pitches = pitches;
        Ok(())
    }

    /// Number of mipmap levels.
    #[getter]
    fn num_mip_levels(&self) -> u32 {
        self.lock().num_mip_levels
    }

    #[setter]
    fn set_num_mip_levels(&self, value: u32) {
        self.lock().num_mip_levels = value;
    }

    /// Number of samples of a pixel.
    #[getter]
    fn num_samples(&self) -> u32 {
        self.lock().num_samples
    }

    #[setter]
    fn set_num_samples(&self, value: u32) {
        self.lock().num_samples = value;
    }

    /// The buffer whose memory the image uses, or ``None``.
    #[getter]
    fn buffer(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let buffer = self.lock().buffer.clone();
        buffer.map(|buffer| of_runtime(py, buffer)).transpose()
    }

    #[setter]
    fn set_buffer(&self, value: Option<&MemoryObjectHolder>) {
        self.lock().buffer = value.map(|value| value.object.clone());
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ImageFormat>()?;
    m.add_class::<ImageDescriptor>()
}
