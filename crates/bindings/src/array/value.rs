//! The elements of an array: computed, or to be computed when somebody asks for them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use opencl_array::ops::Lazy;
use opencl_array::{Array as Runtime, DType, Deferred, Layout};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

use super::allocator;
use crate::error::ArrayResult;

/// What an array holds.
pub(super) enum Value {
    Ready(Runtime),
    Pending(Box<Pending>),
}

/// An array that a fusion has deferred.
pub(super) struct Pending {
    layout: Layout,
    dtype: DType,
    /// Another one after each operation in place.
    deferred: Mutex<Arc<Deferred>>,
    value: OnceLock<Runtime>,
}

impl From<Runtime> for Value {
    #[inline]
    fn from(array: Runtime) -> Self {
        Self::Ready(array)
    }
}

impl From<Arc<Deferred>> for Value {
    fn from(deferred: Arc<Deferred>) -> Self {
        let (layout, dtype) = (deferred.layout().clone(), deferred.dtype());
        Self::Pending(Box::new(Pending {
            layout,
            dtype,
            deferred: Mutex::new(deferred),
            value: OnceLock::new(),
        }))
    }
}

impl Value {
    /// The runtime's array, computed if it was deferred.
    #[inline]
    pub(super) fn get(&self) -> PyResult<&Runtime> {
        match self {
            Self::Ready(array) => Ok(array),
            Self::Pending(pending) => pending.get(),
        }
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout {
        match self {
            Self::Ready(array) => array.layout(),
            Self::Pending(pending) => &pending.layout,
        }
    }

    #[inline]
    pub(super) fn dtype(&self) -> DType {
        match self {
            Self::Ready(array) => array.dtype(),
            Self::Pending(pending) => pending.dtype,
        }
    }

    /// The array as an operand of an expression.
    pub(super) fn lazy(&self, py: Python<'_>) -> PyResult<Lazy> {
        match self.pending() {
            Some(deferred) => deferred.operand().array_result(),
            None => Ok(Lazy::from(&allocator::with_own_reference(py, self.get()?.clone()))),
        }
    }

    /// What is deferred, as long as nobody has asked for the elements.
    pub(super) fn pending(&self) -> Option<Arc<Deferred>> {
        match self {
            Self::Pending(pending) if pending.value.get().is_none() => Some(pending.lock().clone()),
            _ => None,
        }
    }

    /// Defers other elements of the same layout and dtype in place of those that nobody has asked for.
    pub(super) fn replace(&self, deferred: Arc<Deferred>) {
        if let Self::Pending(pending) = self {
            *pending.lock() = deferred;
        }
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Ready(array) => allocator::traverse(array, visit),
            Self::Pending(pending) => {
                pending.value.get().map_or(Ok(()), |array| allocator::traverse(array, visit))
            }
        }
    }
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, Arc<Deferred>> {
        // Each change is one assignment, so that a panic elsewhere leaves it whole.
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    fn get(&self) -> PyResult<&Runtime> {
        if self.value.get().is_none() {
            let deferred = self.lock().clone();
            let array = deferred.value().array_result()?.clone();
            let array = Python::attach(|py| allocator::with_own_reference(py, array));
            let _ = self.value.set(array);
        }
        Ok(self.value.wait())
    }
}
