//! Answers of the driver as Python objects.

use opencl_runtime::info::answer::Value;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::cl::context::Context;
use crate::cl::device::{Device, DeviceTopologyAmd, NameVersion};
use crate::cl::image_format::ImageFormat;
use crate::cl::memory::of_runtime;
use crate::cl::platform::Platform;
use crate::cl::program::Program;
use crate::cl::queue::CommandQueue;

/// The object for an answer: numbers, texts, lists, objects, or `None`.
pub(crate) fn to_py(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::None => py.None(),
        Value::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::UInt(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Address(address) => address.into_pyobject(py)?.into_any().unbind(),
        Value::Float(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Value::Ints(numbers) => PyList::new(py, numbers)?.into_any().unbind(),
        Value::Bytes(blocks) => {
            PyList::new(py, blocks.iter().map(|block| PyBytes::new(py, block)))?.into_any().unbind()
        }
        Value::Platform(platform) => Py::new(py, Platform::from(platform))?.into_any(),
        Value::Device(device) => Py::new(py, Device::from(device))?.into_any(),
        Value::Devices(devices) => {
            let wrapped = devices.into_iter().map(|device| Py::new(py, Device::from(device)));
            PyList::new(py, wrapped.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()
        }
        Value::Context(context) => Py::new(py, Context::from(context))?.into_any(),
        Value::Queue(queue) => Py::new(py, CommandQueue::new_of(py, queue)?)?.into_any(),
        Value::Program(program) => Program::wrap(py, program)?.into_any(),
        Value::Mem(object) => of_runtime(py, object)?,
        Value::ImageFormat(format) => Py::new(py, ImageFormat::from(format))?.into_any(),
        Value::NameVersions(list) => {
            let wrapped = list.into_iter().map(|item| Py::new(py, NameVersion::from(item)));
            PyList::new(py, wrapped.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()
        }
        Value::Topology(topology) => Py::new(py, DeviceTopologyAmd::from(topology))?.into_any(),
        _ => py.None(),
    })
}
