//! Arrays: memory, layout, dtype, queue.

mod create;
mod exposed;
mod field;
mod pending;
mod storage;
mod transfer;
mod typed;
mod view;

use std::fmt;
use std::sync::Arc;

use opencl_runtime::{Buffer, CommandQueue, Context};

use crate::allocator::Allocator;
use crate::dtype::{DType, Scalar};
use crate::error::Result;
use crate::layout::{Layout, Tuple};

pub(crate) use pending::{Events, Use, event_in};
pub use storage::Storage;
pub(crate) use storage::check_context;

/// An array on a device. Views share the memory.
///
/// Operations enqueue to the queue of their first array that has one, unless one is named.
#[derive(Clone)]
pub struct Array {
    storage: Arc<Storage>,
    layout: Layout,
    dtype: DType,
    queue: Option<CommandQueue>,
    allocator: Option<Arc<dyn Allocator>>,
}

impl Array {
    /// An array over given memory.
    ///
    /// # Errors
    /// [`crate::Error::OutOfBuffer`] if the layout does not fit the memory, [`crate::Error::DifferentContexts`] if the queue is not of the memory's context.
    pub fn new(
        storage: Arc<Storage>,
        layout: Layout,
        dtype: DType,
        queue: Option<CommandQueue>,
    ) -> Result<Self> {
        layout.check_inside(storage.buffer().size())?;
        if let Some(queue) = &queue {
            check_context(&storage, queue)?;
        }
        Ok(Self::inside(storage, layout, dtype, queue))
    }

    /// An array whose layout is known to fit.
    pub(crate) fn inside(
        storage: Arc<Storage>,
        layout: Layout,
        dtype: DType,
        queue: Option<CommandQueue>,
    ) -> Self {
        Self { storage, layout, dtype, queue, allocator: None }
    }

    /// The memory with its pending commands.
    #[must_use]
    pub fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// The memory itself; the array starts [`Layout::offset`] bytes into it.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        self.storage.buffer()
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.storage.context()
    }

    /// Shape, strides and offset.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Lengths of the dimensions.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// The elements' type.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The queue that operations enqueue to.
    #[must_use]
    pub fn queue(&self) -> Option<&CommandQueue> {
        self.queue.as_ref()
    }

    /// What makes the memory of results, if not the pool of the context.
    #[must_use]
    pub fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.allocator.as_ref()
    }

    /// The same array with another allocator for results, or none.
    #[must_use]
    pub fn with_allocator(self, allocator: Option<Arc<dyn Allocator>>) -> Self {
        Self { allocator, ..self }
    }

    /// Sets the allocator for results, or none.
    pub fn set_allocator(&mut self, allocator: Option<Arc<dyn Allocator>>) {
        self.allocator = allocator;
    }

    /// The same array without a queue.
    #[must_use]
    #[inline]
    pub fn without_queue(mut self) -> Self {
        self.queue = None;
        self
    }

    /// The same array with another queue, or none.
    ///
    /// # Errors
    /// [`crate::Error::DifferentContexts`].
    pub fn with_queue(&self, queue: Option<CommandQueue>) -> Result<Self> {
        if let Some(queue) = &queue {
            check_context(&self.storage, queue)?;
        }
        Ok(Self { queue, ..self.clone() })
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, shape {}", self.dtype, Tuple(self.shape()))?;
        if !self.layout.is_c_contiguous() {
            write!(f, ", strides {}", Tuple(self.layout.strides()))?;
        }
        if self.layout.offset() != 0 {
            write!(f, ", offset {}", self.layout.offset())?;
        }
        write!(f, " in {:?})", self.buffer())
    }
}

/// An operand: an array or a number.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// An array.
    Array(&'a Array),
    /// A number.
    Scalar(Scalar),
}

impl<'a> Operand<'a> {
    /// The array, if it is one.
    #[must_use]
    pub fn array(&self) -> Option<&'a Array> {
        match *self {
            Self::Array(array) => Some(array),
            Self::Scalar(_) => None,
        }
    }

    /// The dtype; of weak scalars the one they have on their own.
    #[must_use]
    pub fn dtype(&self) -> DType {
        match self {
            Self::Array(array) => array.dtype(),
            Self::Scalar(scalar) => scalar.dtype(),
        }
    }
}

impl<'a> From<&'a Array> for Operand<'a> {
    fn from(array: &'a Array) -> Self {
        Self::Array(array)
    }
}

impl<T: Into<Scalar>> From<T> for Operand<'_> {
    fn from(scalar: T) -> Self {
        Self::Scalar(scalar.into())
    }
}
