//! `ARRAY_KERNEL_EXEC_HOOK`: a function of Python that is called in place of the launches of arrays' kernels.

use std::sync::Arc;

use opencl_array::{Error, LaunchHook, Result, set_launch_hook};
use opencl_runtime::{
    Arg, Buffer as RuntimeBuffer, CommandQueue as RuntimeQueue, Event as RuntimeEvent,
    Kernel as RuntimeKernel, NdRange,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::cl::event::Event;
use crate::cl::kernel::Kernel;
use crate::cl::memory::buffer_layers;
use crate::cl::queue::CommandQueue;
use crate::error::IntoPyResult;

struct Hook(Py<PyAny>);

impl Hook {
    fn call(
        &self,
        py: Python<'_>,
        kernel: &RuntimeKernel,
        queue: &RuntimeQueue,
        range: &NdRange,
        arguments: &[Arg<'_>],
        wait_for: &[Arc<RuntimeEvent>],
    ) -> PyResult<RuntimeEvent> {
        let mut all = vec![
            Py::new(py, Kernel::own(kernel.clone()))?.into_any(),
            Py::new(py, CommandQueue::new_of(py, queue.clone())?)?.into_any(),
            PyTuple::new(py, range.global_size())?.into_any().unbind(),
            match range.local_size() {
                Some(local) => PyTuple::new(py, local)?.into_any().unbind(),
                None => py.None(),
            },
        ];
        for argument in arguments {
            all.push(object_of(py, argument)?);
        }
        let events = wait_for.iter().map(|event| Py::new(py, Event::from(event.try_clone().into_py()?)));
        let events = events.collect::<PyResult<Vec<_>>>()?;
        let keywords = PyDict::new(py);
        keywords.set_item("wait_for", if events.is_empty() { None } else { Some(events) })?;
        let event = self.0.bind(py).call(PyTuple::new(py, all)?, Some(&keywords))?;
        event.cast::<Event>()?.get().event.try_clone().into_py()
    }
}

/// An argument of a generated kernel, which are memory and numbers: a buffer, or the bytes of a number.
fn object_of(py: Python<'_>, argument: &Arg<'_>) -> PyResult<Py<PyAny>> {
    Ok(match argument {
        Arg::Mem(memory) => {
            let buffer = RuntimeBuffer::of_object((*memory).clone());
            Py::new(py, buffer_layers(buffer, None))?.into_any()
        }
        Arg::Bytes(bytes) => PyBytes::new(py, bytes).into_any().unbind(),
        _ => py.None(),
    })
}

impl LaunchHook for Hook {
    fn launch(
        &self,
        kernel: &RuntimeKernel,
        queue: &RuntimeQueue,
        range: &NdRange,
        arguments: &[Arg<'_>],
        wait_for: &[Arc<RuntimeEvent>],
    ) -> Result<RuntimeEvent> {
        Python::attach(|py| self.call(py, kernel, queue, range, arguments, wait_for))
            .map_err(|error| Error::Hook(Box::new(error)))
    }
}

/// Sets the function that is called in place of launches, or none.
#[pyfunction]
#[pyo3(signature = (hook, /))]
fn _set_array_kernel_hook(hook: Option<Bound<'_, PyAny>>) {
    set_launch_hook(hook.map(|hook| Arc::new(Hook(hook.unbind())) as Arc<dyn LaunchHook>));
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_set_array_kernel_hook, m)?)
}
