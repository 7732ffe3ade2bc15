//! Allocators of Python as allocators of arrays.

use std::any::Any;
use std::sync::Arc;

use opencl_array::{Allocator, Array as Runtime, Error, Result, Storage};
use opencl_runtime::pool::MemoryPool as RuntimePool;
use opencl_runtime::{Buffer as RuntimeBuffer, Context};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::cl::memory::MemoryObjectHolder;
use crate::cl::pool::MemoryPool;
use crate::error::IntoPyResult;

/// A function of a size in bytes that makes a memory object.
struct PyAllocator {
    object: Py<PyAny>,
    /// The pool, if the function is one: it needs no Python.
    pool: Option<RuntimePool>,
}

impl Allocator for PyAllocator {
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>> {
        if let Some(pool) = &self.pool {
            return Allocator::allocate(pool, context, bytes);
        }
        Python::attach(|py| {
            let memory = self.object.bind(py).call1((bytes,))?;
            let storage = storage(&memory)?;
            // An allocator that gives the same memory again keeps it itself.
            let _ = storage.keep(Box::new(memory.unbind()));
            Ok(storage)
        })
        .map_err(|error: PyErr| Error::Allocator(Box::new(error)))
    }
}

/// The allocator of arrays that a Python object is.
pub(super) fn of_object(object: &Bound<'_, PyAny>) -> Arc<dyn Allocator> {
    let pool = object.cast_exact::<MemoryPool>().ok().map(|pool| pool.get().pool.clone());
    Arc::new(PyAllocator { object: object.clone().unbind(), pool })
}

/// The Python object that is the allocator of an array.
pub(super) fn object_of(array: &Runtime) -> Option<&Py<PyAny>> {
    let allocator: &dyn Any = &**array.allocator()?;
    allocator.downcast_ref::<PyAllocator>().map(|allocator| &allocator.object)
}

/// The object that an allocator made for a storage.
pub(super) fn memory_of(storage: &Storage) -> Option<&Py<PyAny>> {
    storage.owner()?.downcast_ref()
}

/// The storage of a memory object.
pub(super) fn storage(memory: &Bound<'_, PyAny>) -> PyResult<Arc<Storage>> {
    let holder = memory.cast::<MemoryObjectHolder>().map_err(|_| {
        let kind = memory.get_type();
        PyTypeError::new_err(format!("the memory of an array must be a buffer, not an object of {kind}"))
    })?;
    let object = &holder.get().object;
    let context = object.context().into_py()?;
    Ok(Storage::shared(&context, RuntimeBuffer::of_object(object.clone())))
}
