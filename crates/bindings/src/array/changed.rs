//! What an array is after its attributes were set.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::{Py, PyTraverseError, PyVisit};

use super::class::Content;

/// The contents that an array was given by setting its attributes, over the memory that it has from the start.
///
/// Commands that other threads, or callers of the one that sets, are just making refer to the content that was there
/// before, so that all stay as long as the array. One that there was is taken again, so that an array whose queue goes
/// back and forth does not grow.
#[allow(clippy::vec_box, reason = "contents stay where they are when the list grows")]
pub(super) struct Changed {
    /// Never shortened.
    all: Mutex<Vec<Box<Content>>>,
    /// Points to one of them.
    current: AtomicPtr<Content>,
}

impl Changed {
    pub(super) fn new(content: Content) -> Self {
        let content = Box::new(content);
        let current = AtomicPtr::new(ptr::from_ref(&*content).cast_mut());
        Self { all: Mutex::new(vec![content]), current }
    }

    /// What the array is now.
    pub(super) fn content(&self) -> &Content {
        // SAFETY: it points into one of the boxes of `all`, which are never dropped before `self`, nor borrowed mutably.
        unsafe { &*self.current.load(Ordering::Acquire) }
    }

    /// Makes the array something else.
    pub(super) fn set(&self, content: Content) -> PyResult<()> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = None;
        for before in all.iter().rev().take(RECENT) {
            if same(before, &content)? {
                known = Some(ptr::from_ref(&**before));
                break;
            }
        }
        let (current, spare) = match known {
            Some(known) => (known, Some(content)),
            None => {
                let content = Box::new(content);
                let current = ptr::from_ref(&*content);
                all.push(content);
                (current, None)
            }
        };
        self.current.store(current.cast_mut(), Ordering::Release);
        // Dropping it may run Python.
        drop(all);
        drop(spare);
        Ok(())
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Whoever holds the lock runs no Python, and so no collection.
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().try_for_each(|content| content.traverse(visit))
    }
}

/// Among how many of the last contents one is looked for that is to be taken again.
const RECENT: usize = 8;

/// Whether two contents over the same memory are the same.
fn same(lhs: &Content, rhs: &Content) -> PyResult<bool> {
    let ((lhs, lhs_queue), (rhs, rhs_queue)) = (lhs.parts()?, rhs.parts()?);
    Ok(lhs_queue.map(Py::as_ptr) == rhs_queue.map(Py::as_ptr)
        && lhs.dtype() == rhs.dtype()
        && lhs.layout() == rhs.layout()
        && Arc::ptr_eq(lhs.storage(), rhs.storage())
        && super::allocator::object_of(lhs).map(Py::as_ptr)
            == super::allocator::object_of(rhs).map(Py::as_ptr))
}
