//! The pool of shared virtual memory and its allocator.

use std::hash::{DefaultHasher, Hash, Hasher};

use opencl_runtime::pool::{self as runtime, Allocator};
use opencl_runtime::{SvmAllocation as RuntimeAllocation, SvmMemFlags};
use pyo3::prelude::*;

use super::context::Context;
use super::pool::pool_methods;
use super::queue::CommandQueue;
use super::svm::{SvmAllocation, SvmPointer};
use crate::error::IntoPyResult;
use crate::gil::detached;

/// Makes shared virtual memory for pools and others: :class:`SVMAllocation` objects with these *alignment*, *flags*
/// and *queue*.
#[pyclass(frozen, name = "SVMAllocator", subclass, module = "pyopencl._cl")]
pub(crate) struct SvmAllocator {
    allocator: std::sync::Arc<runtime::SvmAllocator>,
}

#[pymethods]
impl SvmAllocator {
    #[new]
    #[pyo3(
        signature = (context, alignment = 0, flags = SvmMemFlags::READ_WRITE.bits(), queue = None),
        text_signature = "(context, alignment=0, flags=1, queue=None)"
    )]
    fn new(
        py: Python<'_>,
        context: &Context,
        alignment: u32,
        flags: u64,
        queue: Option<&CommandQueue>,
    ) -> PyResult<Self> {
        let queue = queue.map(|queue| queue.live(py)).transpose()?;
        let flags = SvmMemFlags::from_bits_retain(flags);
        let allocator = runtime::SvmAllocator::new(&context.context, flags, alignment, queue);
        Ok(Self { allocator: allocator.into() })
    }

    /// An allocation of *size* bytes.
    fn __call__(&self, py: Python<'_>, size: usize) -> PyResult<Py<SvmAllocation>> {
        let allocation = detached(py, || self.allocator.allocate(size))?;
        let layers = SvmPointer::layers(allocation.clone(), size);
        Py::new(py, layers.add_subclass(SvmAllocation { allocation }))
    }
}

/// Keeps shared virtual memory that was given back, by size class, and lends it again; see :class:`MemoryPool`.
#[pyclass(frozen, name = "SVMPool", subclass, module = "pyopencl._cl")]
pub(crate) struct SvmPool {
    pool: runtime::SvmPool,
}

#[pymethods]
impl SvmPool {
    #[new]
    #[pyo3(signature = (allocator, leading_bits_in_bin_id = 4))]
    fn new(allocator: &SvmAllocator, leading_bits_in_bin_id: u32) -> PyResult<Self> {
        let pool = runtime::SvmPool::new(allocator.allocator.clone(), leading_bits_in_bin_id).into_py()?;
        Ok(Self { pool })
    }

    /// Memory of *size* bytes.
    fn __call__(&self, py: Python<'_>, size: usize) -> PyResult<Py<PooledSvm>> {
        let allocation = detached(py, || self.pool.allocate(size))?;
        let layers = SvmPointer::layers(allocation.clone(), size);
        Py::new(py, layers.add_subclass(PooledSvm { allocation }))
    }
}

pool_methods!(SvmPool);

/// Shared virtual memory of a pool, which goes back when it goes, or is released.
#[pyclass(frozen, name = "PooledSVM", extends = SvmPointer, subclass, module = "pyopencl._cl")]
pub(crate) struct PooledSvm {
    allocation: RuntimeAllocation,
}

#[pymethods]
impl PooledSvm {
    /// Give the memory back to the pool now; later use raises :class:`LogicError`.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.allocation.release())
    }

    /// The same as :meth:`release`: what is enqueued to the bound queue next may use the memory.
    fn enqueue_release(&self, py: Python<'_>) -> PyResult<()> {
        self.release(py)
    }

    /// Bind the memory to *queue*. If another one was bound before, commands of *queue* wait for its commands.
    #[pyo3(signature = (queue, /))]
    fn bind_to_queue(&self, py: Python<'_>, queue: &CommandQueue) -> PyResult<()> {
        self.allocation.bind_to_queue(queue.live(py)?).into_py()
    }

    /// Wait for the bound queue, and bind none.
    fn unbind_from_queue(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.allocation.unbind_from_queue())
    }

    /// The bound queue, or ``None``.
    #[getter]
    fn _queue(&self, py: Python<'_>) -> PyResult<Option<CommandQueue>> {
        self.allocation.queue().map(|queue| CommandQueue::new_of(py, queue)).transpose()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().allocation == self.allocation)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.allocation.hash(&mut hasher);
        hasher.finish()
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<SvmAllocator>()?;
    m.add_class::<SvmPool>()?;
    m.add_class::<PooledSvm>()
}
