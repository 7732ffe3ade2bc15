//! Short ways into the function and the constructor that are called most, for the plainest arguments: in the usual way,
//! PyO3 looks for each of two dozen names, or the interpreter makes a tuple and `object.__new__` a dictionary. All other
//! calls go the usual way. Only for `cfg(vectorcall)`.

use std::ptr;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyTuple};
use pyo3::{Borrowed, PyClass, ffi};

use crate::vectorcall::{Arguments, caught, give};

/// What a short way gives, if it goes for the arguments.
pub(crate) type Short = Option<PyResult<Py<PyAny>>>;

/// A function with a short way.
pub(crate) trait Function: 'static {
    /// What PyO3 made of the function, for other arguments.
    fn usual() -> &'static OnceLock<ffi::PyCFunctionFastWithKeywords>;

    /// The result for the arguments of a call without keywords.
    fn short<'py>(py: Python<'py>, arguments: &[Borrowed<'_, 'py, PyAny>]) -> Short;
}

/// The function with its short way.
pub(crate) fn function<'py, F: Function>(function: Bound<'py, PyCFunction>) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let object = function.as_ptr().cast::<ffi::PyCFunctionObject>();
    // SAFETY: the object is a function of C, which lives, and with it its definition.
    let (definition, owner, module) = unsafe { (&*(*object).m_ml, (*object).m_self, (*object).m_module) };
    if definition.ml_flags != ffi::METH_FASTCALL | ffi::METH_KEYWORDS {
        return Ok(function.into_any());
    }
    // SAFETY: the flags say which kind of function it is.
    F::usual().get_or_init(|| unsafe { definition.ml_meth.PyCFunctionFastWithKeywords });
    let ml_meth = ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: called::<F> };
    // A definition stays as long as its function, which is as long as the process in this case.
    let definition = Box::leak(Box::new(ffi::PyMethodDef { ml_meth, ..*definition }));
    // SAFETY: the definition fits the function, and the objects live.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCFunction_NewEx(definition, owner, module)) }
}

/// What the interpreter calls for a function.
unsafe extern "C" fn called<F: Function>(
    owner: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls, so that this thread is attached to it.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the interpreter calls, and they are used before this function ends.
    let given = unsafe { Arguments::new(py, arguments, count.cast_unsigned(), names) };
    let short = caught(|| given.plain().and_then(|plain| F::short(py, plain)));
    match short.transpose() {
        Some(result) => give(py, result.and_then(|result| result)),
        None => match F::usual().get() {
            // SAFETY: the arguments are those that the interpreter calls with.
            Some(usual) => unsafe { usual(owner, arguments, count, names) },
            None => ptr::null_mut(),
        },
    }
}

/// A class whose constructor has a short way.
pub(crate) trait Constructed: PyClass {
    /// The slots that the class was made with.
    fn slots() -> &'static OnceLock<Slots>;

    /// A new object of exactly this class for the arguments of a call without keywords.
    fn short<'py>(py: Python<'py>, arguments: &[Borrowed<'_, 'py, PyAny>]) -> Short;
}

/// What makes objects of a class: `__new__` and `__init__`. Where they were replaced, the short way is not gone.
#[derive(PartialEq)]
pub(crate) struct Slots {
    new: usize,
    init: usize,
}

impl Slots {
    /// # Safety
    /// The type is alive.
    #[inline]
    unsafe fn of(class: *mut ffi::PyTypeObject) -> Self {
        // SAFETY: the caller's promise.
        let (new, init) = unsafe { ((*class).tp_new, (*class).tp_init) };
        Self { new: new.map_or(0, |new| new as usize), init: init.map_or(0, |init| init as usize) }
    }
}

/// Gives a class that was just made its short way.
pub(crate) fn constructor<C: Constructed>(py: Python<'_>) {
    let class = C::type_object_raw(py);
    // SAFETY: the type is alive, and nobody else uses it while the module is being made. Derived classes do not inherit
    // this entry.
    unsafe {
        C::slots().get_or_init(|| Slots::of(class));
        (*class).tp_vectorcall = Some(constructed::<C>);
    }
}

/// What the interpreter calls for a class.
unsafe extern "C" fn constructed<C: Constructed>(
    class: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count_and_flag: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls, so that this thread is attached to it.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the interpreter calls, and they are used before this function ends.
    let given = unsafe { Arguments::new(py, arguments, count_and_flag, names) };
    let body = || {
        // SAFETY: the interpreter calls with the class, which is alive.
        let slots = unsafe { Slots::of(class.cast()) };
        if C::slots().get() == Some(&slots)
            && let Some(plain) = given.plain()
            && let Some(result) = C::short(py, plain)
        {
            return result;
        }
        // SAFETY: as above.
        construct(unsafe { Borrowed::from_ptr(py, class) }, given)
    };
    give(py, caught(body).and_then(|result| result))
}

/// Makes an object the usual way, by `type.__call__`.
#[cold]
fn construct(class: Borrowed<'_, '_, PyAny>, given: Arguments<'_, '_>) -> PyResult<Py<PyAny>> {
    let py = class.py();
    let positional = PyTuple::new(py, given.positional())?;
    let named = given.dictionary(py)?;
    let named = named.as_ref().map_or(ptr::null_mut(), Bound::as_ptr);
    // SAFETY: the type of all types is alive and has that slot, which takes a class, a tuple, and a dict or null, and gives
    // a new reference, or null with an exception set.
    unsafe {
        let Some(call) = (*ffi::Py_TYPE(class.as_ptr())).tp_call else { return Ok(py.None()) };
        Bound::from_owned_ptr_or_err(py, call(class.as_ptr(), positional.as_ptr(), named)).map(Bound::unbind)
    }
}
