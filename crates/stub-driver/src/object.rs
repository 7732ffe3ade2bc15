//! Handles: which are alive, of what kind, and how often the application holds them.
//!
//! A handle is the address of a [`Header`]. It stays valid while the application holds a reference
//! or another object needs it; afterwards its memory is kept for a while, so that a stale handle is reported, not reused.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};

use crate::border::lock;
use crate::sys::*;

/// How many dead handles keep their memory.
const STALE: usize = 1 << 16;

/// What a handle points to: the dispatch table, then the word that ICD-2 gives the loader.
#[repr(C)]
pub(crate) struct Header {
    dispatch: usize,
    data: AtomicUsize,
}

/// A kind of object of the specification.
pub(crate) trait Kind: Send + Sync + Sized + 'static {
    /// The word by which `stub_live` knows it.
    const NAME: &'static str;
    /// The status that an invalid handle of this kind gives.
    const INVALID: cl_int;

    /// Whether the object counts as alive for `stub_live`.
    fn counted(&self) -> bool {
        true
    }

    /// What happens when the object goes, before its handle becomes invalid.
    fn destroyed(&mut self, _handle: *mut c_void) {}
}

/// An object with a handle.
pub(crate) struct Object<T: Kind> {
    header: Option<Box<Header>>,
    body: T,
}

/// A reference to an object from inside the driver.
pub(crate) type Shared<T> = Arc<Object<T>>;

struct Entry {
    kind: &'static str,
    counted: bool,
    references: u32,
    owner: Option<Arc<dyn Any + Send + Sync>>,
    weak: Weak<dyn Any + Send + Sync>,
}

static HANDLES: LazyLock<Mutex<HashMap<usize, Entry>>> = LazyLock::new(Mutex::default);
/// What a loader gave the platforms for their objects, by the platforms' tables.
static LOADER_DATA: LazyLock<Mutex<HashMap<usize, usize>>> = LazyLock::new(Mutex::default);
static DEAD: LazyLock<Mutex<VecDeque<Box<Header>>>> = LazyLock::new(Mutex::default);

impl<T: Kind> Object<T> {
    /// Makes an object to which the application holds `references` references (0: only the driver does).
    pub(crate) fn create(dispatch: usize, references: u32, body: T) -> Shared<T> {
        let data = lock(&LOADER_DATA).get(&dispatch).copied().unwrap_or(0);
        let header = Box::new(Header { dispatch, data: AtomicUsize::new(data) });
        let counted = body.counted();
        let object = Arc::new(Self { header: Some(header), body });
        let any: Arc<dyn Any + Send + Sync> = object.clone();
        let entry = Entry {
            kind: T::NAME,
            counted,
            references,
            weak: Arc::downgrade(&any),
            owner: (references > 0).then_some(any),
        };
        lock(&HANDLES).insert(object.handle() as usize, entry);
        object
    }

    /// The handle by which the application knows the object.
    pub(crate) fn handle(&self) -> *mut c_void {
        match &self.header {
            Some(header) => std::ptr::from_ref::<Header>(header).cast_mut().cast(),
            None => std::ptr::null_mut(),
        }
    }

    /// The table to which the handle's first word points.
    pub(crate) fn dispatch(&self) -> usize {
        self.header.as_ref().map_or(0, |header| header.dispatch)
    }

    /// Sets the word that ICD-2 gives the loader, also for objects of the same platform that are yet to be made.
    pub(crate) fn set_data(&self, data: usize) {
        if let Some(header) = &self.header {
            header.data.store(data, Ordering::Relaxed);
            lock(&LOADER_DATA).insert(header.dispatch, data);
        }
    }

    /// How many references the application holds.
    pub(crate) fn references(&self) -> cl_uint {
        lock(&HANDLES).get(&(self.handle() as usize)).map_or(0, |entry| entry.references)
    }
}

impl<T: Kind> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T: Kind> Drop for Object<T> {
    fn drop(&mut self) {
        let handle = self.handle();
        self.body.destroyed(handle);
        let entry = lock(&HANDLES).remove(&(handle as usize));
        drop(entry);
        if let Some(header) = self.header.take() {
            let mut dead = lock(&DEAD);
            dead.push_back(header);
            if dead.len() > STALE {
                dead.pop_front();
            }
        }
    }
}

/// The object behind a handle.
///
/// # Errors
/// The kind's own status if the handle is null, stale, or of another kind.
pub(crate) fn get<T: Kind>(handle: *mut c_void) -> Result<Shared<T>> {
    let found = lock(&HANDLES).get(&(handle as usize)).and_then(|entry| entry.weak.upgrade());
    found.and_then(|any| any.downcast::<Object<T>>().ok()).ok_or(T::INVALID)
}

/// The objects behind several handles.
///
/// # Errors
/// As [`get`], for the first handle that is wrong.
pub(crate) fn get_all<T: Kind>(handles: &[*mut c_void]) -> Result<Vec<Shared<T>>> {
    handles.iter().map(|handle| get(*handle)).collect()
}

/// Adds a reference of the application.
///
/// # Errors
/// As [`get`].
pub(crate) fn retain<T: Kind>(handle: *mut c_void) -> Result {
    let object = get::<T>(handle)?;
    if let Some(entry) = lock(&HANDLES).get_mut(&(handle as usize)) {
        entry.references += 1;
        entry.owner.get_or_insert(object);
    }
    Ok(())
}

/// Takes back a reference of the application.
///
/// # Errors
/// As [`get`]; also if the application holds none.
pub(crate) fn release<T: Kind>(handle: *mut c_void) -> Result {
    // Dropped after the lock: the last reference may run callbacks.
    let object = get::<T>(handle)?;
    let mut owner = None;
    if let Some(entry) = lock(&HANDLES).get_mut(&(handle as usize)) {
        entry.references = entry.references.checked_sub(1).ok_or(T::INVALID)?;
        if entry.references == 0 {
            owner = entry.owner.take();
        }
    }
    drop(owner);
    drop(object);
    Ok(())
}

/// How many objects of a kind the application holds; of all kinds for `None`.
pub(crate) fn live(kind: Option<&str>) -> u64 {
    let held =
        |entry: &&Entry| entry.counted && entry.references > 0 && kind.is_none_or(|kind| entry.kind == kind);
    lock(&HANDLES).values().filter(held).count() as u64
}
