//! Platforms.

use std::ffi::CString;
use std::path::PathBuf;

use opencl_runtime::drivers::{Extra, extend_search, report};
use opencl_runtime::info::TABLES;
use opencl_runtime::{DeviceType, Platform as Runtime};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::device::Device;
use super::hash_of;
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::{Answers, add_attributes, answer, get_info};

/// A platform: what one driver offers.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct Platform {
    pub(crate) platform: Runtime,
    answers: Answers,
}

impl From<Runtime> for Platform {
    fn from(platform: Runtime) -> Self {
        Self { platform, answers: Answers::default() }
    }
}

#[pymethods]
impl Platform {
    /// The devices of some types, a :class:`device_type` mask; an empty list if there is none.
    #[pyo3(signature = (device_type = 0xFFFF_FFFF))]
    fn get_devices<'py>(&self, py: Python<'py>, device_type: u64) -> PyResult<Bound<'py, PyList>> {
        let types = DeviceType::from_bits_retain(device_type);
        let devices = detached(py, || self.platform.devices_of_type(types))?;
        let wrapped = devices.into_iter().map(|device| Py::new(py, Device::from(device)));
        PyList::new(py, wrapped.collect::<PyResult<Vec<_>>>()?)
    }

    /// The answer of the driver to a question, a value of :class:`platform_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.platform, TABLES.platform, param, "Platform.get_info")
    }

    /// The version of OpenCL that the platform reports, as ``(major, minor)``.
    fn _get_cl_version(&self) -> (u16, u16) {
        let version = self.platform.opencl_version();
        (version.major, version.minor)
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.platform.as_raw() as usize
    }

    /// The platform with this C handle. *retain* means nothing: platforms are not counted.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        let _ = retain;
        Runtime::from_raw(int_ptr_value as *mut _).into_py().map(Self::from)
    }

    fn __repr__(&self) -> PyResult<String> {
        let name = self.platform.name().into_py()?;
        Ok(format!("<pyopencl.Platform '{name}' at {:#x}>", self.int_ptr()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().platform == self.platform)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.platform.as_raw())
    }
}

/// All platforms, a list of :class:`Platform`.
///
/// The first call looks for drivers and loads them. Raises :class:`LogicError`
/// (``PLATFORM_NOT_FOUND_KHR``) if there is none, with each place that was searched and each driver that
/// failed. Warns of a driver that ``OCL_ICD_FILENAMES`` names and that is skipped because it failed.
#[pyfunction]
fn get_platforms(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let platforms = detached(py, Runtime::all)?;
    for failure in report().failures.iter().filter(|failure| failure.named_by == "OCL_ICD_FILENAMES") {
        let text = format!("{failure} (the driver is skipped)");
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text).unwrap_or_default(), 1)?;
    }
    let wrapped = platforms.into_iter().map(|platform| Py::new(py, Platform::from(platform)));
    PyList::new(py, wrapped.collect::<PyResult<Vec<_>>>()?)
}

/// Lets the driver of a platform free its compiler.
#[pyfunction]
#[pyo3(signature = (platform, /))]
fn unload_platform_compiler(py: Python<'_>, platform: &Platform) -> PyResult<()> {
    let platform = platform.platform;
    detached(py, || platform.unload_compiler())
}

/// Folders with ``.icd`` files: *prefix* counts like the system's folder, *bundled* holds what packages
/// bring with them. No driver is loaded.
#[pyfunction]
fn _set_driver_paths(prefix: Vec<PathBuf>, bundled: Vec<PathBuf>) {
    extend_search(Extra { prefix, bundled });
}

/// The version of OpenCL whose constants and functions are known here, as ``(major, minor)``.
#[pyfunction]
fn get_cl_header_version() -> (u16, u16) {
    (3, 1)
}

/// The size of the host's ``size_t`` in bytes.
#[pyfunction]
fn _sizeof_size_t() -> usize {
    size_of::<usize>()
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let py = object.py();
    let slf = object.cast::<Platform>()?.get();
    let questions = TABLES.platform.questions;
    slf.answers.get(py, index, questions.len(), || answer(py, (questions[index].ask)(&slf.platform)))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Platform>()?;
    add_attributes(&m.py().get_type::<Platform>(), TABLES.platform, ask)?;
    m.add_function(wrap_pyfunction!(get_platforms, m)?)?;
    m.add_function(wrap_pyfunction!(unload_platform_compiler, m)?)?;
    m.add_function(wrap_pyfunction!(_set_driver_paths, m)?)?;
    m.add_function(wrap_pyfunction!(get_cl_header_version, m)?)?;
    m.add_function(wrap_pyfunction!(_sizeof_size_t, m)?)
}
