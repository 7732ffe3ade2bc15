//! Memory objects: what all kinds share.

use opencl_runtime::info::TABLES;
use opencl_runtime::{Buffer as RuntimeBuffer, MemObject as Runtime, MemObjectType};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

use super::buffer::Buffer;
use super::host_owner::HostOwner;
use super::image::Image;
use super::pipe::Pipe;
use super::{hash_of, shown};
use crate::error::IntoPyResult;
use crate::gil::detached;
use crate::info::{add_attributes, answer, get_info};
#[cfg(vectorcall)]
use crate::object::{Place, allocate};

/// Base class of everything that holds device memory.
#[pyclass(frozen, subclass, dict, weakref, module = "pyopencl._cl")]
pub(crate) struct MemoryObjectHolder {
    pub(crate) object: Runtime,
}

#[pymethods]
impl MemoryObjectHolder {
    /// Size in bytes.
    #[getter]
    fn size(&self) -> PyResult<usize> {
        self.object.as_raw().into_py()?;
        Ok(self.object.size())
    }

    /// The answer of the driver to a question, a value of :class:`mem_info`.
    #[pyo3(signature = (param, /))]
    fn get_info(&self, py: Python<'_>, param: i64) -> PyResult<Py<PyAny>> {
        get_info(py, &self.object, TABLES.memory, param, "MemoryObjectHolder.get_info")
    }

    /// The memory of an object made with ``USE_HOST_PTR`` as an array.
    #[pyo3(signature = (shape, dtype, order = None))]
    fn get_host_array(
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        order: Option<&str>,
    ) -> PyResult<Py<PyAny>> {
        super::map::host_array(slf, shape, dtype, order.unwrap_or("C"))
    }

    /// The C handle.
    #[getter]
    fn int_ptr(&self) -> PyResult<usize> {
        Ok(self.object.as_raw().into_py()? as usize)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let object = &slf.get().object;
        match object.as_raw() {
            Ok(raw) => shown(slf, raw, &format!(" of {} bytes", object.size())),
            Err(_) => Ok(format!("<pyopencl.{}, released>", slf.get_type().name()?)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().object == self.object)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.object.as_raw().unwrap_or(std::ptr::null_mut()))
    }
}

/// A memory object that owns its memory.
#[pyclass(frozen, extends = MemoryObjectHolder, subclass, module = "pyopencl._cl")]
pub(crate) struct MemoryObject {
    /// The owner of host memory that the object uses in place.
    hostbuf: Option<HostOwner>,
}

impl MemoryObject {
    /// The layers of a Python object for `object`, which may use memory of `hostbuf` in place.
    pub(crate) fn layers(object: Runtime, hostbuf: Option<Py<PyAny>>) -> PyClassInitializer<Self> {
        let hostbuf = hostbuf.map(|owner| HostOwner::new(owner, object.clone()));
        PyClassInitializer::from(MemoryObjectHolder { object }).add_subclass(Self { hostbuf })
    }
}

#[pymethods]
impl MemoryObject {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.hostbuf.as_ref().map_or(Ok(()), |hostbuf| visit.call(hostbuf.owner()))
    }

    /// Give the memory back now; later use raises :class:`LogicError`.
    fn release(slf: &Bound<'_, Self>) -> PyResult<()> {
        let object = &slf.as_super().get().object;
        if let Some(hostbuf) = &slf.get().hostbuf {
            hostbuf.keep(slf.py());
        }
        detached(slf.py(), || object.release())
    }

    /// The owner of host memory that the object uses in place (``USE_HOST_PTR``), else ``None``.
    #[getter]
    fn hostbuf(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hostbuf.as_ref()?.owner().map(|owner| owner.clone_ref(py))
    }

    /// The memory object with this C handle; with *retain* false, a reference to it is given away.
    #[staticmethod]
    #[pyo3(signature = (int_ptr_value, retain = true))]
    fn from_int_ptr(py: Python<'_>, int_ptr_value: usize, retain: bool) -> PyResult<Py<PyAny>> {
        // SAFETY: the caller vouches for the handle, which is what this method is for.
        let object = unsafe { Runtime::from_raw(int_ptr_value as *mut _, retain) }.into_py()?;
        of_runtime(py, object)
    }
}

/// A Python object of the class that fits the kind of memory object.
pub(crate) fn of_runtime(py: Python<'_>, object: Runtime) -> PyResult<Py<PyAny>> {
    let layers = MemoryObject::layers(object.clone(), None);
    Ok(match object.type_().into_py()? {
        MemObjectType::BUFFER => Py::new(py, layers.add_subclass(Buffer))?.into_any(),
        MemObjectType::PIPE => Py::new(py, layers.add_subclass(Pipe))?.into_any(),
        // All other kinds that the specification knows are images.
        _ => Py::new(py, layers.add_subclass(Image))?.into_any(),
    })
}

/// The layers of a buffer.
pub(crate) fn buffer_layers(buffer: RuntimeBuffer, hostbuf: Option<Py<PyAny>>) -> PyClassInitializer<Buffer> {
    MemoryObject::layers(buffer.into(), hostbuf).add_subclass(Buffer)
}

#[cfg(vectorcall)]
static HOLDER_PLACE: Place<MemoryObjectHolder> = Place::new();
#[cfg(vectorcall)]
static OBJECT_PLACE: Place<MemoryObject> = Place::new();

/// The object for a buffer that uses no memory of the host's.
#[cfg(vectorcall)]
pub(crate) fn plain_buffer(py: Python<'_>, buffer: RuntimeBuffer) -> PyResult<Py<PyAny>> {
    let (Some(holder_offset), Some(object_offset)) = (HOLDER_PLACE.offset(), OBJECT_PLACE.offset()) else {
        let object = Bound::new(py, buffer_layers(buffer, None))?;
        OBJECT_PLACE.learn(object.as_super());
        HOLDER_PLACE.learn(object.as_super().as_super());
        return Ok(object.into_any().unbind());
    };
    let object = allocate::<Buffer>(py)?;
    // SAFETY: these are all values that the object has, each in its place; that of `Buffer` itself has no size.
    unsafe {
        object.write(holder_offset, MemoryObjectHolder { object: buffer.into() });
        object.write(object_offset, MemoryObject { hostbuf: None });
        Ok(object.finish().into_any().unbind())
    }
}

fn ask(object: &Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>> {
    let slf = object.cast::<MemoryObjectHolder>()?.get();
    answer(object.py(), (TABLES.memory.questions[index].ask)(&slf.object))
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<MemoryObjectHolder>()?;
    m.add_class::<MemoryObject>()?;
    add_attributes(&m.py().get_type::<MemoryObjectHolder>(), TABLES.memory, ask)
}
