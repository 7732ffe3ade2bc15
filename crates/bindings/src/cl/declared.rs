//! The types that a kernel's arguments were declared to have: read at each launch, set now and then.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::convert::arg::ArgType;

/// One list of types that is replaced as a whole. Reading it costs one load; a list that was replaced stays
/// until this object goes, since a launch may be reading it.
#[derive(Default)]
pub(super) struct Declared {
    current: AtomicPtr<Arc<[ArgType]>>,
    /// All lists that were ever set, boxed so that they keep their addresses.
    #[allow(clippy::vec_box, reason = "the boxes keep their addresses when the list grows")]
    lists: Mutex<Vec<Box<Arc<[ArgType]>>>>,
}

impl Declared {
    /// The types, if any were set.
    #[inline]
    pub(super) fn get(&self) -> Option<&[ArgType]> {
        // SAFETY: the pointer is null or that of a box in `lists`, which lives as long as `self`.
        unsafe { self.current.load(Ordering::Acquire).as_ref() }.map(|list| &**list)
    }

    /// Sets the types.
    pub(super) fn set(&self, types: Vec<ArgType>) {
        if self.get() == Some(&types[..]) {
            return;
        }
        // Programs that declare the same again and again do not make the list of lists grow.
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lists.iter().find(|known| known[..] == types[..]) {
            self.current.store((&raw const **known).cast_mut(), Ordering::Release);
            return;
        }
        drop(lists);
        self.set_list(types.into());
    }

    fn set_list(&self, list: Arc<[ArgType]>) {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let list = Box::new(list);
        self.current.store((&raw const *list).cast_mut(), Ordering::Release);
        lists.push(list);
    }

    /// Another object with the same types.
    pub(super) fn duplicate(&self) -> Self {
        let new = Self::default();
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = lists.last() {
            new.set_list(Arc::clone(list));
        }
        drop(lists);
        new
    }
}
