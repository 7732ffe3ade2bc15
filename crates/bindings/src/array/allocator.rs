//! Allocators of Python as allocators of arrays.

use std::any::Any;
use std::sync::Arc;

use opencl_array::{Allocator, Array as Runtime, Error, Result, Storage};
use opencl_runtime::pool::MemoryPool as RuntimePool;
use opencl_runtime::{Buffer as RuntimeBuffer, Context, MemFlags};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit};

use crate::cl::memory::MemoryObjectHolder;
use crate::cl::pool::MemoryPool;
use crate::cl::svm::{SvmPointer, buffer_over};
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
            let storage = storage(&memory, Some(context))?;
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
    py_allocator(array).map(|allocator| &allocator.object)
}

/// The same array with an allocator of its own that refers to the same function, so that garbage collection finds one
/// reference for each Python array. A pool refers to no Python objects, and is shared.
#[inline]
pub(super) fn with_own_reference(py: Python<'_>, mut array: Runtime) -> Runtime {
    if array.allocator().is_some() {
        own_reference(py, &mut array);
    }
    array
}

fn own_reference(py: Python<'_>, array: &mut Runtime) {
    if let Some(PyAllocator { object, pool: None }) = py_allocator(array) {
        let object = object.clone_ref(py);
        array.set_allocator(Some(Arc::new(PyAllocator { object, pool: None })));
    }
}

/// Visits the reference that [`with_own_reference`] made.
pub(super) fn traverse(array: &Runtime, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
    match py_allocator(array) {
        Some(PyAllocator { object, pool: None }) => visit.call(object),
        _ => Ok(()),
    }
}

fn py_allocator(array: &Runtime) -> Option<&PyAllocator> {
    let allocator: &dyn Any = &**array.allocator()?;
    allocator.downcast_ref()
}

/// The object that an allocator made for a storage.
pub(super) fn memory_of(storage: &Storage) -> Option<&Py<PyAny>> {
    storage.owner()?.downcast_ref()
}

/// Warns of an array whose shared virtual memory is bound to another queue than the array has. It is used in the right
/// order all the same.
pub(super) fn warn_of_other_queue(py: Python<'_>, array: &Runtime) -> PyResult<()> {
    let (Some(queue), Some(memory)) = (array.queue(), memory_of(array.storage())) else { return Ok(()) };
    let memory = memory.bind(py).cast::<SvmPointer>().ok();
    let bound = memory.and_then(|memory| memory.get().allocation()?.queue());
    if bound.is_none_or(|bound| bound == *queue) {
        return Ok(());
    }
    let category = py.import("pyopencl.array")?.getattr("InconsistentOpenCLQueueWarning")?;
    let text = c"the array's queue is not the one that its shared virtual memory is bound to";
    PyErr::warn(py, category.cast::<PyType>()?, text, 1)
}

/// The storage of a memory object or of shared virtual memory; `context` is asked for the latter only.
pub(super) fn storage(memory: &Bound<'_, PyAny>, context: Option<&Context>) -> PyResult<Arc<Storage>> {
    if let Ok(svm) = memory.cast::<SvmPointer>() {
        return svm_storage(svm, context);
    }
    let holder = memory.cast::<MemoryObjectHolder>().map_err(|_| {
        let kind = memory.get_type();
        PyTypeError::new_err(format!(
            "the memory of an array must be a buffer or shared virtual memory, not an object of {kind}"
        ))
    })?;
    let object = &holder.get().object;
    let context = object.context().into_py()?;
    Ok(Storage::shared(&context, RuntimeBuffer::of_object(object.clone())))
}

fn svm_storage(svm: &Bound<'_, SvmPointer>, context: Option<&Context>) -> PyResult<Arc<Storage>> {
    let pointer = svm.get().runtime()?;
    let own = pointer.allocation().map(|allocation| allocation.context());
    let context = own.or(context).ok_or_else(|| {
        PyTypeError::new_err("an array over memory of the host needs a queue or a context besides")
    })?;
    let address = pointer.address().into_py()? as usize;
    let storage = Storage::shared_at(context, address, pointer.size(), || {
        // SAFETY: the storage keeps the object below, and the object the memory.
        unsafe { buffer_over(pointer, context, MemFlags::READ_WRITE) }.into_py()
    })?;
    // A storage that is known keeps an object already.
    let _ = storage.keep(Box::new(svm.as_any().clone().unbind()));
    Ok(storage)
}
