//! Where the memory of an array and of the results of its operations comes from, if not from the pool of its context:
//! buffers, or shared virtual memory.

use std::any::Any;
use std::sync::Arc;

use opencl_runtime::Context;
use opencl_runtime::pool::{self, MemoryPool, SvmAllocator, SvmPool};

use crate::array::Storage;
use crate::error::Result;

/// Makes memory for arrays. Results of operations use the allocator of their first array, as they do its queue.
///
/// ```
/// use std::sync::Arc;
///
/// use opencl_array::{Array, ops};
/// use opencl_runtime::pool::{ImmediateAllocator, MemoryPool};
/// use opencl_runtime::{CommandQueue, Context, MemFlags};
///
/// # fn main() -> Result<(), opencl_array::Error> {
/// let queue = CommandQueue::new(&Context::from_environment()?)?;
/// let pool = MemoryPool::new(ImmediateAllocator::new(&queue, MemFlags::READ_WRITE)?, 4)?;
/// let x = Array::from_slice(&queue, &[1_f32, 2.0])?.with_allocator(Some(Arc::new(pool.clone())));
/// let y = ops::add(&x, &x, None)?;
/// assert_eq!(pool.statistics().active_bytes, 8);
/// # assert_eq!(y.to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub trait Allocator: Any + Send + Sync {
    /// Memory of at least `bytes` bytes, which are one or more, in this context.
    ///
    /// # Errors
    /// What the allocation gives; [`Error::Allocator`](crate::Error::Allocator) for errors of the allocator's own.
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>>;
}

impl Allocator for MemoryPool {
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>> {
        Ok(Arc::new(Storage::from_buffer(context, Self::allocate(self, bytes)?)))
    }
}

impl Allocator for SvmAllocator {
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>> {
        Storage::shared_svm(context, pool::Allocator::allocate(self, bytes)?.pointer())
    }
}

impl Allocator for SvmPool {
    fn allocate(&self, context: &Context, bytes: usize) -> Result<Arc<Storage>> {
        Storage::shared_svm(context, Self::allocate(self, bytes)?.pointer())
    }
}
