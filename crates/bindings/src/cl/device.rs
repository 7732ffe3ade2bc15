//! Devices.

use opencl_runtime::info::{TABLES, answer as answers};
use opencl_runtime::{Device as Runtime, Version};
use pyo3::exceptions::PyDeprecationWarning;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::hash_of;
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::{Answers, add_attributes, answer, get_info};

/// Questions whose answers change; all others are asked once an object.
const CHANGING: [&str; 3] = ["AVAILABLE", "REFERENCE_COUNT", "GLOBAL_FREE_MEMORY_AMD"];

/// A device, or a part of one.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct Device {
    pub(crate) device: Runtime,
    answers: Answers,
}

impl From<Runtime> for Device {
    fn from(device: Runtime) -> Self {
        Self { device, answers: Answers::default() }
    }
}

#[pymethods]
impl Device {
    /// The answer of the driver to a question, a value of :class:`device_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.device, TABLES.device, param, "Device.get_info")
    }

    /// Divide the device: *properties* is a list of :class:`device_partition_property` values and their
    /// arguments, without a zero at its end.
    #[pyo3(signature = (properties, /))]
    fn create_sub_devices(&self, py: Python<'_>, properties: Vec<isize>) -> PyResult<Vec<Self>> {
        let parts = detached(py, || self.device.create_sub_devices(&properties))?;
        Ok(parts.into_iter().map(Self::from).collect())
    }

    /// Device and host time of one moment, in nanoseconds.
    fn device_and_host_timer(&self) -> PyResult<(u64, u64)> {
        self.device.device_and_host_timer().into_py()
    }

    /// Host time in nanoseconds.
    fn host_timer(&self) -> PyResult<u64> {
        self.device.host_timer().into_py()
    }

    /// Vendor, name, version and the like: equal for devices of one model with one driver, on any machine.
    #[getter]
    fn hashable_model_and_version_identifier<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let device = &slf.get().device;
        let identifier = (
            "v1",
            device.vendor().into_py()?,
            device.vendor_id().into_py()?,
            device.name().into_py()?,
            device.version().into_py()?,
        );
        identifier.into_pyobject(py)
    }

    /// The old name of :attr:`hashable_model_and_version_identifier`.
    #[getter]
    fn persistent_unique_id<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let text = c"Device.persistent_unique_id is deprecated: use hashable_model_and_version_identifier";
        PyErr::warn(slf.py(), &slf.py().get_type::<PyDeprecationWarning>(), text, 1)?;
        Self::hashable_model_and_version_identifier(slf)
    }

    /// The version of OpenCL that the device reports, as ``(major, minor)``.
    fn _get_cl_version(&self) -> PyResult<(u16, u16)> {
        let text = self.device.version().into_py()?;
        let version = Version::parse(&text).unwrap_or(Version::new(1, 0));
        Ok((version.major, version.minor))
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.device.as_raw() as usize
    }

    /// The device with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py().map(Self::from)
    }

    pub(crate) fn __repr__(&self) -> PyResult<String> {
        let name = self.device.name().into_py()?;
        let platform = self.device.platform().and_then(|platform| platform.name()).into_py()?;
        Ok(format!("<pyopencl.Device '{}' on '{}' at {:#x}>", name.trim(), platform.trim(), self.int_ptr()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().device == self.device)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.device.as_raw())
    }
}

/// The name of an extension, feature or language with its version.
#[pyclass(subclass, module = "pyopencl._cl")]
#[derive(Default)]
pub(crate) struct NameVersion {
    /// A version number: major in the upper 10 bits, minor in 10, patch in 12.
    #[pyo3(get, set)]
    version: u32,
    /// The name.
    #[pyo3(get, set)]
    name: String,
}

impl From<answers::NameVersion> for NameVersion {
    fn from(answer: answers::NameVersion) -> Self {
        Self { version: answer.version, name: answer.name }
    }
}

#[pymethods]
impl NameVersion {
    #[new]
    #[pyo3(signature = (version = 0, name = String::new()), text_signature = "(version=0, name='')")]
    fn new(version: u32, name: String) -> Self {
        Self { version, name }
    }

    fn __repr__(&self) -> String {
        let (major, minor, patch) = (self.version >> 22, self.version >> 12 & 0x3FF, self.version & 0xFFF);
        format!("<pyopencl.NameVersion '{}' {major}.{minor}.{patch}>", self.name)
    }
}

/// The place of a device on its bus.
#[pyclass(subclass, module = "pyopencl._cl")]
pub(crate) struct DeviceTopologyAmd {
    /// Bus number.
    #[pyo3(get, set)]
    bus: u8,
    /// Device number.
    #[pyo3(get, set)]
    device: u8,
    /// Function number.
    #[pyo3(get, set)]
    function: u8,
    /// A value of :class:`device_topology_type_amd`.
    #[pyo3(get, set, name = "type")]
    type_: u32,
}

impl From<answers::TopologyAmd> for DeviceTopologyAmd {
    fn from(answer: answers::TopologyAmd) -> Self {
        let answers::TopologyAmd { type_, bus, device, function } = answer;
        Self { bus, device, function, type_ }
    }
}

#[pymethods]
impl DeviceTopologyAmd {
    #[new]
    #[pyo3(signature = (bus = 0, device = 0, function = 0))]
    fn new(bus: u8, device: u8, function: u8) -> Self {
        // Those of PCIe are the only ones with these three numbers.
        Self { bus, device, function, type_: 1 }
    }
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let py = object.py();
    let slf = object.cast::<Device>()?.get();
    let questions = TABLES.device.questions;
    let question = &questions[index];
    let put = || answer(py, (question.ask)(&slf.device));
    if CHANGING.contains(&question.constant.name) {
        return put();
    }
    slf.answers.get(py, index, questions.len(), put)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Device>()?;
    m.add_class::<NameVersion>()?;
    m.add_class::<DeviceTopologyAmd>()?;
    add_attributes(&m.py().get_type::<Device>(), TABLES.device, ask)
}
