//! Samplers.

use opencl_runtime::constants::{AddressingMode, FilterMode, SamplerProperties};
use opencl_runtime::info::TABLES;
use opencl_runtime::{Context as RuntimeContext, Result, Sampler as Runtime};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::context::Context;
use super::hash_of;
use crate::error::{IntoPyResult, invalid};
use crate::info::{add_attributes, answer, get_info};

/// A sampler: how kernels read an image.
///
/// Arguments are the context and either a list of :class:`sampler_properties` keys and their values, or whether
/// coordinates are normalized, a value of :class:`addressing_mode`, and one of :class:`filter_mode`.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct Sampler {
    pub(crate) sampler: Runtime,
}

/// A sampler by keys and values, which a zero may end.
fn by_properties(context: &RuntimeContext, list: &[u64]) -> PyResult<Result<Runtime>> {
    let list = if list.len() % 2 == 1 { list.strip_suffix(&[0]) } else { Some(list) };
    let Some(list) = list else {
        return Err(invalid(
            "Sampler",
            "the properties are keys, each with a value, and perhaps a zero at the end",
        ));
    };
    let pair = |pair: &[u64]| match u32::try_from(pair[0]) {
        Ok(key) => Ok((SamplerProperties(key), pair[1])),
        Err(_) => Err(invalid("Sampler", format!("{} is no value of sampler_properties", pair[0]))),
    };
    let pairs = list.chunks_exact(2).map(pair).collect::<PyResult<Vec<_>>>()?;
    Ok(Runtime::with_properties(context, &pairs))
}

#[pymethods]
impl Sampler {
    #[new]
    #[pyo3(signature = (arg0, arg1, arg2 = None, arg3 = None, /))]
    fn new(arg0: &Context, arg1: &Bound<'_, PyAny>, arg2: Option<u32>, arg3: Option<u32>) -> PyResult<Self> {
        let context = &arg0.context;
        let sampler = match (arg2, arg3) {
            (Some(addressing), Some(filter)) => {
                Runtime::new(context, arg1.is_truthy()?, AddressingMode(addressing), FilterMode(filter))
            }
            (None, None) => {
                let list: Vec<u64> = arg1.extract().map_err(|_| wrong_arguments())?;
                by_properties(context, &list)?
            }
            _ => return Err(wrong_arguments()),
        };
        Ok(Self { sampler: sampler.into_py()? })
    }

    /// The answer of the driver to a question, a value of :class:`sampler_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.sampler, TABLES.sampler, param, "Sampler.get_info")
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> usize {
        self.sampler.as_raw() as usize
    }

    /// The sampler with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(int_ptr_value: usize, retain: bool) -> PyResult<Self> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        let sampler = unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py()?;
        Ok(Self { sampler })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().sampler == self.sampler)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.sampler.as_raw())
    }
}

fn wrong_arguments() -> PyErr {
    PyTypeError::new_err(
        "Sampler() takes a context and a list of properties, or a context, whether coordinates are normalized, \
         an addressing mode and a filter mode",
    )
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<Sampler>()?.get();
    answer(object.py(), (TABLES.sampler.questions[index].ask)(&slf.sampler))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Sampler>()?;
    add_attributes(&m.py().get_type::<Sampler>(), TABLES.sampler, ask)
}
