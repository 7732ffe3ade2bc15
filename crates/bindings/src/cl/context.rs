//! Contexts.

use std::ffi::OsString;
use std::path::PathBuf;

use opencl_runtime::cache;
use opencl_runtime::info::TABLES;
use opencl_runtime::{
    Context as Runtime, ContextProperty, Device as RuntimeDevice, DeviceType, HostCopies, Platform,
};
use pyo3::prelude::*;

use super::device::Device;
use super::hash_of;
use super::platform::Platform as PyPlatform;
use super::queue::CommandQueue;
use crate::error::{IntoPyResult, invalid, raise};
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};

/// A context: devices of one platform that share memory objects and programs.
///
/// It is made for *devices*, or for the devices of *dev_type* of the platform that *properties* name, a list of
/// pairs with keys from :class:`context_properties`. With neither devices nor type, the default devices are
/// taken.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct Context {
    pub(crate) context: Runtime,
}

impl From<Runtime> for Context {
    fn from(context: Runtime) -> Self {
        Self { context }
    }
}

/// Keys and values of a properties list: pairs, with objects where their handles are meant.
pub(super) fn property_list(properties: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<ContextProperty>> {
    let Some(properties) = properties else { return Ok(Vec::new()) };
    let convert = |item: PyResult<Bound<'_, PyAny>>| {
        let (key, value): (isize, Bound<'_, PyAny>) = item?.extract()?;
        let value = match value.cast::<PyPlatform>() {
            Ok(platform) => platform.get().platform.as_raw() as isize,
            Err(_) => value.extract()?,
        };
        Ok((key, value))
    };
    properties.try_iter()?.map(convert).collect()
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(signature = (devices = None, properties = None, dev_type = None))]
    fn new(
        py: Python<'_>,
        devices: Option<&Bound<'_, PyAny>>,
        properties: Option<&Bound<'_, PyAny>>,
        dev_type: Option<u64>,
    ) -> PyResult<Self> {
        let properties = property_list(properties)?;
        if let Some(devices) = devices {
            if dev_type.is_some() {
                return Err(invalid("Context", "one of 'devices' or 'dev_type' must be None"));
            }
            let devices = devices
                .try_iter()?
                .map(|item| Ok(item?.cast_into::<Device>()?.get().device.clone()))
                .collect::<PyResult<Vec<RuntimeDevice>>>()?;
            return detached(py, || Runtime::with_properties(&devices, &properties)).map(Self::from);
        }
        let types = DeviceType::from_bits_retain(dev_type.unwrap_or(DeviceType::DEFAULT.bits()));
        let key = opencl_runtime::constants::ContextProperties::PLATFORM.0 as isize;
        let named = properties.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        let platform = match named {
            Some(handle) => Platform::from_raw(handle as *mut _).into_py()?,
            None => detached(py, Platform::all)?[0],
        };
        detached(py, || Runtime::from_type(&platform, types, &properties)).map(Self::from)
    }

    /// The answer of the driver to a question, a value of :class:`context_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.context, TABLES.context, param, "Context.get_info")
    }

    /// Set the queue that kernels on a device enqueue to.
    #[pyo3(signature = (device, queue, /))]
    fn set_default_device_command_queue(
        &self,
        device: &Device,
        queue: &Bound<'_, CommandQueue>,
    ) -> PyResult<()> {
        let queue = queue.get().live(queue.py())?;
        self.context.set_default_device_command_queue(&device.device, queue).into_py()
    }

    /// Say how blocking copies between host memory and buffers are made: in chunks of *chunk* bytes through pinned
    /// memory by *threads* threads, or by one call of the driver, or, with ``None``, as is faster. For tests and
    /// benchmarks.
    #[pyo3(signature = (staged, chunk = 16777216, threads = 8))]
    fn _set_host_copies(&self, staged: Option<bool>, chunk: usize, threads: usize) {
        self.context.set_host_copies(match staged {
            None => HostCopies::Automatic,
            Some(true) => HostCopies::Staged { chunk, threads },
            Some(false) => HostCopies::Plain,
        });
    }

    /// The version of OpenCL that the context's platform reports, as ``(major, minor)``.
    fn _get_cl_version(&self) -> PyResult<(u16, u16)> {
        let devices = self.context.devices().into_py()?;
        let Some(first) = devices.first() else {
            return Err(raise(
                "Context._get_cl_version",
                opencl_runtime::status::INVALID_CONTEXT,
                "no device",
            ));
        };
        let version = first.platform().into_py()?.opencl_version();
        Ok((version.major, version.minor))
    }

    /// The folder in which :meth:`Program.build` keeps programs of this context; ``None`` for that of the user.
    #[getter]
    fn get_cache_dir(&self) -> Option<OsString> {
        cache::directory(&self.context).map(PathBuf::into_os_string)
    }

    #[setter]
    fn set_cache_dir(&self, folder: Option<PathBuf>) {
        cache::set_directory(&self.context, folder);
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.context.as_raw() as usize
    }

    /// The context with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py().map(Self::from)
    }

    fn __repr__(&self) -> PyResult<String> {
        let devices = self.context.devices().into_py()?;
        let texts = devices.into_iter().map(|device| Device::from(device).__repr__());
        let texts = texts.collect::<PyResult<Vec<_>>>()?.join(", ");
        Ok(format!("<pyopencl.Context at {:#x} on {texts}>", self.int_ptr()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().context == self.context)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.context.as_raw())
    }
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<Context>()?.get();
    answer(object.py(), (TABLES.context.questions[index].ask)(&slf.context))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Context>()?;
    add_attributes(&m.py().get_type::<Context>(), TABLES.context, ask)
}
