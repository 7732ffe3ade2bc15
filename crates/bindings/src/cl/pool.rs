//! Memory pools and their allocators.

use std::sync::{Arc, Mutex, PoisonError};

use opencl_runtime::pool::{self as runtime, Allocator};
use opencl_runtime::{Buffer as RuntimeBuffer, MemFlags};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use super::buffer::Buffer;
use super::context::Context;
use super::memory::{MemoryObjectHolder, buffer_layers};
use super::queue::CommandQueue;
use crate::error::IntoPyResult;
use crate::gil::detached;

/// Base class of what makes buffers for pools.
#[pyclass(frozen, subclass, module = "pyopencl._cl")]
pub(crate) struct AllocatorBase {
    allocator: Arc<dyn Allocator<Block = RuntimeBuffer>>,
    /// Whether a buffer may turn out to have no memory after it was made.
    is_deferred: bool,
}

#[pymethods]
impl AllocatorBase {
    /// A buffer of *size* bytes; ``None`` for none.
    fn __call__(&self, py: Python<'_>, size: usize) -> PyResult<Option<Py<Buffer>>> {
        if size == 0 {
            return Ok(None);
        }
        let buffer = detached(py, || self.allocator.allocate_or_reclaim(size))?;
        Py::new(py, buffer_layers(buffer, None)).map(Some)
    }
}

/// Makes buffers for which there is memory when the call returns: each is touched by a command on *queue*.
///
/// *mem_flags* is a mask of :class:`mem_flags` without host memory.
#[pyclass(frozen, extends = AllocatorBase, subclass, module = "pyopencl._cl")]
pub(crate) struct ImmediateAllocator;

#[pymethods]
impl ImmediateAllocator {
    #[new]
    #[pyo3(signature = (queue, mem_flags = MemFlags::READ_WRITE.bits()), text_signature = "(queue, mem_flags=1)")]
    fn new(queue: &CommandQueue, py: Python<'_>, mem_flags: u64) -> PyResult<PyClassInitializer<Self>> {
        let flags = MemFlags::from_bits_retain(mem_flags);
        let allocator = runtime::ImmediateAllocator::new(queue.live(py)?, flags).into_py()?;
        let base = AllocatorBase { allocator: Arc::new(allocator), is_deferred: false };
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }
}

/// Makes buffers as the driver does, which may find memory at the first use only.
///
/// *queue* is a context, *mem_flags* a mask of :class:`mem_flags` without host memory.
#[pyclass(frozen, extends = AllocatorBase, subclass, module = "pyopencl._cl")]
pub(crate) struct DeferredAllocator;

#[pymethods]
impl DeferredAllocator {
    #[new]
    #[pyo3(signature = (queue, mem_flags = MemFlags::READ_WRITE.bits()), text_signature = "(queue, mem_flags=1)")]
    fn new(queue: &Context, mem_flags: u64) -> PyResult<PyClassInitializer<Self>> {
        let flags = MemFlags::from_bits_retain(mem_flags);
        let allocator = runtime::DeferredAllocator::new(&queue.context, flags).into_py()?;
        let base = AllocatorBase { allocator: Arc::new(allocator), is_deferred: true };
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }
}

/// A buffer of a pool, which goes back when it goes, or is released.
#[pyclass(frozen, extends = MemoryObjectHolder, subclass, module = "pyopencl._cl")]
pub(crate) struct PooledBuffer;

impl PooledBuffer {
    /// An object for a buffer that a pool has lent.
    pub(crate) fn wrap(py: Python<'_>, buffer: RuntimeBuffer) -> PyResult<Py<Self>> {
        let holder = MemoryObjectHolder { object: buffer.into() };
        Py::new(py, PyClassInitializer::from(holder).add_subclass(Self))
    }
}

#[pymethods]
impl PooledBuffer {
    /// Give the memory back to the pool now; later use raises :class:`LogicError`.
    fn release(slf: &Bound<'_, Self>) -> PyResult<()> {
        let object = &slf.as_super().get().object;
        detached(slf.py(), || object.release())
    }

    /// Does nothing: blocks of buffers are lent in the order of the program. What has a queue is memory of SVM pools.
    #[pyo3(signature = (queue, /))]
    fn bind_to_queue(&self, queue: &CommandQueue) {
        let _ = queue;
    }

    /// Does nothing, as :meth:`bind_to_queue`.
    fn unbind_from_queue(&self) {}
}

/// Keeps buffers that were given back, by size class, and lends them again.
///
/// *allocator* makes the buffers. They are larger than asked for by less than one part in two to the power of
/// *leading_bits_in_bin_id*. When memory runs out, garbage is collected, held blocks are freed, and the allocation
/// is tried again. ``pool(size)`` is :meth:`allocate`.
#[pyclass(frozen, subclass, module = "pyopencl._cl")]
pub(crate) struct MemoryPool {
    pub(crate) pool: runtime::MemoryPool,
}

#[pymethods]
impl MemoryPool {
    #[new]
    #[pyo3(signature = (allocator, leading_bits_in_bin_id = 4))]
    fn new(py: Python<'_>, allocator: &AllocatorBase, leading_bits_in_bin_id: u32) -> PyResult<Self> {
        if allocator.is_deferred {
            let text = c"a memory pool over a deferred allocator cannot react to a lack of memory that shows at the first use of a buffer: use an ImmediateAllocator";
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 1)?;
        }
        let pool = runtime::MemoryPool::new(allocator.allocator.clone(), leading_bits_in_bin_id).into_py()?;
        Ok(Self { pool })
    }

    /// A buffer for *size* bytes.
    fn allocate(&self, py: Python<'_>, size: usize) -> PyResult<Py<PooledBuffer>> {
        let buffer = match self.pool.allocate_held(size) {
            Some(buffer) => buffer,
            None => detached(py, || self.pool.allocate(size))?,
        };
        PooledBuffer::wrap(py, buffer)
    }

    /// The same as :meth:`allocate`.
    fn __call__(&self, py: Python<'_>, size: usize) -> PyResult<Py<PooledBuffer>> {
        self.allocate(py, size)
    }
}

/// What the pools have in common; `$pool` is a field.
macro_rules! pool_methods {
    ($class:ident) => {
        #[pymethods]
        impl $class {
            /// The number of the size class into which *size* bytes fall.
            #[pyo3(signature = (size, /))]
            fn bin_number(&self, size: usize) -> u64 {
                self.pool.bins().bin_number(size)
            }

            /// The size in bytes of the blocks of a size class.
            #[pyo3(signature = (number, /))]
            fn alloc_size(&self, number: u64) -> PyResult<usize> {
                self.pool.bins().alloc_size(number).into_py()
            }

            /// How many blocks nobody uses.
            #[getter]
            fn held_blocks(&self) -> usize {
                self.pool.statistics().held_blocks
            }

            /// How many blocks are in use.
            #[getter]
            fn active_blocks(&self) -> usize {
                self.pool.statistics().active_blocks
            }

            /// Bytes of all blocks.
            #[getter]
            fn managed_bytes(&self) -> usize {
                self.pool.statistics().managed_bytes
            }

            /// Bytes that were asked for, of the blocks in use.
            #[getter]
            fn active_bytes(&self) -> usize {
                self.pool.statistics().active_bytes
            }

            /// Free the blocks that nobody uses.
            fn free_held(&self, py: Python<'_>) {
                py.detach(|| self.pool.free_held());
            }

            /// Free the blocks that nobody uses, and from now on those that come back.
            fn stop_holding(&self, py: Python<'_>) {
                py.detach(|| self.pool.stop_holding());
            }

            #[pyo3(signature = (trace, /))]
            fn _set_trace(&self, trace: bool) {
                self.pool.set_trace(trace);
            }
        }
    };
}

/// A pool of blocks that are no memory, to try size classes and figures on. What is allocated stays in use.
#[pyclass(frozen, name = "_TestMemoryPool", module = "pyopencl._cl")]
pub(crate) struct TestMemoryPool {
    pool: Arc<runtime::Pool<Nothing>>,
    leases: Mutex<Vec<runtime::Lease<Nothing>>>,
}

/// Makes blocks of any size out of nothing.
struct Nothing;

impl Allocator for Nothing {
    type Block = ();

    fn allocate(&self, _size: usize) -> opencl_runtime::Result<()> {
        Ok(())
    }
}

#[pymethods]
impl TestMemoryPool {
    #[new]
    #[pyo3(signature = (leading_bits_in_bin_id = 4))]
    fn new(leading_bits_in_bin_id: u32) -> PyResult<Self> {
        let pool = runtime::Pool::new(Nothing, leading_bits_in_bin_id).into_py()?;
        Ok(Self { pool: Arc::new(pool), leases: Mutex::default() })
    }

    /// Count a block of *size* bytes as in use.
    #[pyo3(signature = (size, /))]
    fn allocate(&self, size: usize) -> PyResult<()> {
        let lease = self.pool.lend(size).into_py()?;
        self.leases.lock().unwrap_or_else(PoisonError::into_inner).push(lease);
        Ok(())
    }
}

pub(super) use pool_methods;

pool_methods!(MemoryPool);
pool_methods!(TestMemoryPool);

/// The position of the highest bit of a number: its logarithm to base 2, rounded down.
#[pyfunction]
#[pyo3(signature = (number, /))]
fn bitlog2(number: u64) -> u32 {
    runtime::bitlog2(number)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<AllocatorBase>()?;
    m.add_class::<ImmediateAllocator>()?;
    m.add_class::<DeferredAllocator>()?;
    m.add_class::<MemoryPool>()?;
    m.add_class::<PooledBuffer>()?;
    m.add_class::<TestMemoryPool>()?;
    m.add_function(wrap_pyfunction!(bitlog2, m)?)
}
