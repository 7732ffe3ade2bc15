//! Pipes.

use opencl_runtime::info::TABLES;
use opencl_runtime::{MemFlags, Pipe as Runtime};
use pyo3::prelude::*;

use super::context::Context;
use super::memory::MemoryObject;
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};

/// A pipe between kernels, of at most *max_packets* packets of *packet_size* bytes. *properties* has to be empty.
#[pyclass(frozen, extends = MemoryObject, subclass, module = "pyopencl._cl")]
pub(crate) struct Pipe;

impl Pipe {
    fn runtime(slf: &Bound<'_, Self>) -> Runtime {
        Runtime::of_object(slf.as_super().as_super().get().object.clone())
    }
}

#[pymethods]
impl Pipe {
    #[new]
    #[pyo3(
        signature = (context, flags, packet_size, max_packets, properties = Vec::new()),
        text_signature = "(context, flags, packet_size, max_packets, properties=())"
    )]
    fn new(
        py: Python<'_>,
        context: &Context,
        flags: u64,
        packet_size: u32,
        max_packets: u32,
        properties: Vec<u64>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let flags = MemFlags::from_bits_retain(flags);
        let context = &context.context;
        let pipe = detached(py, || Runtime::new(context, flags, packet_size, max_packets, &properties))?;
        Ok(MemoryObject::layers(pipe.into(), None).add_subclass(Self))
    }

    /// The answer of the driver to a question, a value of :class:`pipe_info`.
    #[pyo3(signature = (param, /))]
    fn get_pipe_info(slf: &Bound<'_, Self>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(slf.py(), &Self::runtime(slf), TABLES.pipe, param, "Pipe.get_pipe_info")
    }
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let pipe = Pipe::runtime(object.cast::<Pipe>()?);
    answer(object.py(), (TABLES.pipe.questions[index].ask)(&pipe))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Pipe>()?;
    add_attributes(&m.py().get_type::<Pipe>(), TABLES.pipe, ask)
}
