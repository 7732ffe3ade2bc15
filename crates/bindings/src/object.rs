//! Objects of the classes of which most are made, past `object.__new__`: that looks for arguments, and in Python 3.11
//! and 3.12 makes a dictionary for each object, which hardly one ever needs.

use std::marker::PhantomData;
use std::ptr;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::{PyClass, ffi};

/// Where the value of a class lies in its objects: an object that PyO3 has made tells.
pub(crate) struct Place<C>(OnceLock<usize>, PhantomData<fn() -> C>);

impl<C: PyClass<Frozen = True> + Sync> Place<C> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new(), PhantomData)
    }

    /// Notes the place from an object of the class.
    #[cold]
    pub(crate) fn learn(&self, object: &Bound<'_, C>) {
        self.0.get_or_init(|| ptr::from_ref(object.get()).addr() - object.as_ptr().addr());
    }

    /// The distance from the object's address, once it is known.
    #[inline]
    pub(crate) fn offset(&self) -> Option<usize> {
        self.0.get().copied()
    }
}

impl<C: PyClass<Frozen = True> + Sync + Into<PyClassInitializer<C>>> Place<C> {
    /// A new object of the class, which is derived from none but `object`, around `value`.
    #[inline]
    pub(crate) fn wrap<'py>(&self, py: Python<'py>, value: C) -> PyResult<Bound<'py, C>> {
        let Some(offset) = self.offset() else {
            let object = Bound::new(py, value)?;
            self.learn(&object);
            return Ok(object);
        };
        let object = allocate::<C>(py)?;
        // SAFETY: the value of each object of the class is there, and this one has none yet.
        unsafe { object.write(offset, value) };
        // SAFETY: the class has no other value.
        Ok(unsafe { object.finish() })
    }
}

/// An object that has no values yet. Its memory is zero, which for what PyO3 keeps beside a value (dictionary and list
/// of weak references) means that there is none.
pub(crate) struct Unwritten<'py, C> {
    object: *mut ffi::PyObject,
    py: Python<'py>,
    class: PhantomData<fn() -> C>,
}

/// Memory for an object of exactly this class.
#[inline]
pub(crate) fn allocate<C: PyClass<Frozen = True>>(py: Python<'_>) -> PyResult<Unwritten<'_, C>> {
    // SAFETY: the type is alive, and its objects have no variable part.
    let object = unsafe { ffi::PyType_GenericAlloc(C::type_object_raw(py), 0) };
    if object.is_null() {
        return Err(PyErr::fetch(py));
    }
    Ok(Unwritten { object, py, class: PhantomData })
}

impl<'py, C: PyClass> Unwritten<'py, C> {
    /// Writes the value of a class.
    ///
    /// # Safety
    /// * The class is `C` or one that it is derived from.
    /// * `offset` is what [`Place::offset`] gave for it, and no value was written there.
    #[inline]
    pub(crate) unsafe fn write<B: PyClass>(&self, offset: usize, value: B) {
        // SAFETY: the object is new and has room for the value there, by the caller's promise.
        unsafe { self.object.byte_add(offset).cast::<B>().write(value) };
    }

    /// The object.
    ///
    /// # Safety
    /// The values of all its classes are written.
    #[inline]
    pub(crate) unsafe fn finish(self) -> Bound<'py, C> {
        // SAFETY: the reference is the one that allocating gave, and the object is complete, by the caller's promise.
        unsafe { Bound::from_owned_ptr(self.py, self.object).cast_into_unchecked() }
    }
}
