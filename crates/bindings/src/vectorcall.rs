//! Calls by CPython's fast protocol (PEP 590), for which PyO3 has no slot: arguments are taken where they lie on the
//! interpreter's stack, and no tuple is made of them.
//!
//! A class that is called much implements [`Called`] and has a field of type [`Vectorcall`]. Its `__call__` stays as
//! it is: it switches the protocol on when it runs for the first time, and it is what runs wherever the class, or one
//! derived from it, has got another `__call__`. Only for `cfg(vectorcall)`, which the build script sets.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};
use pyo3::{Borrowed, PyClass, ffi};

/// The arguments of a call, as they lie on the interpreter's stack.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a, 'py> {
    positional: &'a [Borrowed<'a, 'py, PyAny>],
    named: &'a [Borrowed<'a, 'py, PyAny>],
    names: Option<Borrowed<'a, 'py, PyTuple>>,
}

impl<'a, 'py> Arguments<'a, 'py> {
    /// # Safety
    /// They are what the interpreter called a `vectorcallfunc` with, and `'a` ends before that call does.
    #[inline]
    pub(crate) unsafe fn new(
        py: Python<'py>,
        arguments: *const *mut ffi::PyObject,
        count_and_flag: usize,
        names: *mut ffi::PyObject,
    ) -> Self {
        // SAFETY: it reads a number.
        let count = unsafe { ffi::PyVectorcall_NARGS(count_and_flag) }.cast_unsigned();
        // SAFETY: the names are null or a tuple, alive during the call.
        let names =
            unsafe { Borrowed::from_ptr_or_opt(py, names).map(|names| names.cast_unchecked::<PyTuple>()) };
        let all = count + names.map_or(0, |names| names.len());
        let all: &[Borrowed<'_, '_, PyAny>] = if all == 0 {
            &[]
        } else {
            // SAFETY: so many objects are there, alive during the call, and `Borrowed` is a transparent pointer to one.
            unsafe { slice::from_raw_parts(arguments.cast(), all) }
        };
        let (positional, named) = all.split_at(count);
        Self { positional, named, names }
    }

    /// Those without a name.
    #[inline]
    pub(crate) fn positional(&self) -> &'a [Borrowed<'a, 'py, PyAny>] {
        self.positional
    }

    /// Those without a name, if there are no others.
    #[inline]
    pub(crate) fn plain(&self) -> Option<&'a [Borrowed<'a, 'py, PyAny>]> {
        self.names.is_none().then_some(self.positional)
    }

    /// Names and values of those with a name.
    #[inline]
    pub(crate) fn named(
        &self,
    ) -> impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)> + use<'a, 'py> {
        let named = self.named.iter().map(|value| (**value).clone());
        self.names.into_iter().flat_map(|names| names.to_owned()).zip(named)
    }

    /// The same as a dictionary, if there are any.
    pub(crate) fn dictionary(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.names.map(|_| self.named().into_py_dict(py)).transpose()
    }
}

/// A class whose objects are called by the fast protocol.
pub(crate) trait Called: PyClass<Frozen = True> + Sync {
    /// The object's field for the protocol.
    fn field(&self) -> &Vectorcall<Self>;

    /// What is known of the class.
    fn class() -> &'static Class;

    /// What `__call__` does.
    fn called<'py>(slf: &Bound<'py, Self>, arguments: Arguments<'_, 'py>) -> PyResult<Py<PyAny>>;
}

/// The field of an object in which the interpreter finds what to call.
#[repr(transparent)]
pub(crate) struct Vectorcall<C>(ffi::vectorcallfunc, PhantomData<fn() -> C>);

impl<C: Called> Vectorcall<C> {
    pub(crate) fn new() -> Self {
        Self(vectorcall::<C>, PhantomData)
    }
}

/// What is known of a class that is called by the fast protocol.
pub(crate) struct Class {
    /// The address of the `__call__` that the class was made with.
    call: AtomicUsize,
    enabled: Once,
}

impl Class {
    pub(crate) const fn new() -> Self {
        Self { call: AtomicUsize::new(0), enabled: Once::new() }
    }

    /// Whether calling the object means the `__call__` that the class was made with.
    #[inline]
    fn is_own_call(&self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: the object is alive, and with it its type.
        let call = unsafe { (*ffi::Py_TYPE(object)).tp_call };
        call.map_or(0, |call| call as usize) == self.call.load(Ordering::Relaxed)
    }
}

/// Notes the `__call__` of a class that was just made.
pub(crate) fn register<C: Called>(py: Python<'_>) {
    // SAFETY: the type is alive.
    let call = unsafe { (*C::type_object_raw(py)).tp_call };
    C::class().call.store(call.map_or(0, |call| call as usize), Ordering::Relaxed);
}

/// Switches the protocol on for the class of `object`, or the one that it is derived from. The object tells where the
/// field lies in all of them.
#[inline]
pub(crate) fn enable<C: Called>(object: &Bound<'_, C>) {
    C::class().enabled.call_once(|| {
        let field = ptr::from_ref(object.get().field()).addr();
        let class = C::type_object_raw(object.py());
        // SAFETY: the type is alive, and nobody else uses it while the GIL is held. All its objects have a function in
        // that place, or zero while they are being made, for which the interpreter takes `__call__`.
        unsafe {
            (*class).tp_vectorcall_offset = (field - object.as_ptr().addr()).cast_signed();
            (*class).tp_flags |= ffi::Py_TPFLAGS_HAVE_VECTORCALL;
            ffi::PyType_Modified(class);
        }
    });
}

/// What the interpreter calls.
unsafe extern "C" fn vectorcall<C: Called>(
    object: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls, so that this thread is attached to it.
    let py = unsafe { Python::assume_attached() };
    let body = || -> PyResult<Py<PyAny>> {
        // SAFETY: the interpreter calls, and both end before this function does.
        let (borrowed, arguments) =
            unsafe { (Borrowed::from_ptr(py, object), Arguments::new(py, arguments, count_and_flag, names)) };
        if !C::class().is_own_call(object) {
            return call_slot(borrowed, arguments);
        }
        // SAFETY: the function stands in objects of the class alone.
        let object = unsafe { borrowed.cast_unchecked::<C>() };
        C::called(&object, arguments)
    };
    give(py, caught(body).and_then(|result| result))
}

/// Runs what a function of C is for; a panic becomes an exception.
#[inline]
pub(crate) fn caught<T>(body: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| panicked(&*payload))
}

/// What a function of C gives back: a new reference, or null with an exception set.
#[inline]
pub(crate) fn give(py: Python<'_>, result: PyResult<Py<PyAny>>) -> *mut ffi::PyObject {
    match result {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}

/// Calls the object by the slot of its type, which has got another `__call__`.
#[cold]
fn call_slot(object: Borrowed<'_, '_, PyAny>, arguments: Arguments<'_, '_>) -> PyResult<Py<PyAny>> {
    let py = object.py();
    let positional = PyTuple::new(py, arguments.positional())?;
    let named = arguments.dictionary(py)?;
    // SAFETY: the object is alive, and with it its type.
    let Some(call) = (unsafe { (*ffi::Py_TYPE(object.as_ptr())).tp_call }) else {
        let text = format!("'{}' object is not callable", object.get_type().name()?);
        return Err(pyo3::exceptions::PyTypeError::new_err(text));
    };
    let named = named.as_ref().map_or(ptr::null_mut(), Bound::as_ptr);
    // SAFETY: it takes an object, a tuple, and a dict or null; what it gives is new, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, call(object.as_ptr(), positional.as_ptr(), named)) }
        .map(Bound::unbind)
}

/// The exception for a panic.
#[cold]
fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "panic from Rust code".to_owned(),
    };
    PanicException::new_err((text,))
}
