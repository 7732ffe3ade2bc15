//! Fusion: what operators and functions give is computed later, several of them in one kernel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_array::expr::BinaryOp;
use opencl_array::ops::Lazy;
use opencl_array::{Deferred, Fusion};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::Array;
use super::class::Content;
use super::operand::operand;
use crate::error::ArrayResult;

/// How many fusions are open in all threads: while it is zero, nothing else is asked.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// The context variable that holds the fusion of a thread or task.
static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn variable(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let made = VARIABLE.get_or_try_init(py, || {
        let keywords = [("default", py.None())];
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        let keywords = pyo3::types::IntoPyDict::into_py_dict(keywords, py)?;
        Ok::<_, PyErr>(class.call(("pyopencl.array.fuse",), Some(&keywords))?.unbind())
    })?;
    Ok(made.bind(py))
}

/// A part of a program in which results of arrays are deferred, as a context manager.
#[pyclass(frozen, name = "_Fusing", module = "pyopencl._cl")]
pub(crate) struct Fusing {
    fusion: Fusion,
    entered: Mutex<Entered>,
}

#[derive(Default)]
struct Entered {
    times: usize,
    /// How to leave it; none inside of another one, which it is a part of.
    token: Option<Py<PyAny>>,
}

impl Fusing {
    fn entered(&self) -> MutexGuard<'_, Entered> {
        // Each change is whole before anything can fail.
        self.entered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The fusion of this thread or task, if there is an open one.
fn current(py: Python<'_>) -> PyResult<Option<Bound<'_, Fusing>>> {
    let value = variable(py)?.call_method0(intern!(py, "get"))?;
    // A context that was copied may remember one that has ended.
    Ok(value.cast_into::<Fusing>().ok().filter(|fusing| fusing.get().entered().token.is_some()))
}

/// Computes what commands that are enqueued from here on may change.
#[inline]
pub(crate) fn before_command(py: Python<'_>) -> PyResult<()> {
    if OPEN.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    match current(py)? {
        Some(fusing) => fusing.get().fusion.before_unseen_command().array_result(),
        None => Ok(()),
    }
}

/// The fusion that takes results of this array: none for subclasses, whose hooks must see them, and for arrays without
/// a queue.
#[inline]
pub(super) fn fusing<'py>(slf: &Bound<'py, Array>) -> PyResult<Option<Bound<'py, Fusing>>> {
    if OPEN.load(Ordering::Relaxed) == 0
        || !slf.is_exact_instance_of::<Array>()
        || slf.get().queue_object()?.is_none()
    {
        return Ok(None);
    }
    current(slf.py())
}

impl Fusing {
    /// An array for a result of `slf` that is computed later.
    pub(super) fn defer(&self, slf: &Bound<'_, Array>, lazy: Lazy) -> PyResult<Py<Array>> {
        let (Some(queue), Some(on)) = (slf.get().queue_object()?, lazy.queue().cloned()) else {
            return Array::result(slf, lazy.evaluate(None).array_result()?);
        };
        let deferred = self.fusion.defer(lazy, &on).array_result()?;
        Py::new(slf.py(), Array::of_content(Content::deferred(deferred, queue.clone_ref(slf.py()))))
    }

    /// `slf op other`, or `other op slf` if `reflected`; nothing for what is no operand.
    pub(super) fn binary(
        &self,
        slf: &Bound<'_, Array>,
        op: BinaryOp,
        other: &Bound<'_, PyAny>,
        reflected: bool,
    ) -> PyResult<Option<Py<Array>>> {
        let Some(other) = lazy(other, slf)? else { return Ok(None) };
        let own = slf.get().value()?.lazy(slf.py())?;
        let result = if reflected { other.binary(op, &own) } else { own.binary(op, &other) };
        self.defer(slf, result.array_result()?).map(Some)
    }
}

/// An operand beside `partner` as an expression; nothing for what is no operand.
pub(super) fn lazy(object: &Bound<'_, PyAny>, partner: &Bound<'_, Array>) -> PyResult<Option<Lazy>> {
    if let Ok(array) = object.cast::<Array>() {
        return array.get().value()?.lazy(object.py()).map(Some);
    }
    Ok(operand(object.as_borrowed(), partner.get())?.map(|operand| operand.runtime().into()))
}

/// What an object defers, if it is an array whose elements nobody has asked for.
pub(super) fn pending(object: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Deferred>>> {
    match object.cast::<Array>() {
        Ok(array) => Ok(array.get().value()?.pending()),
        Err(_) => Ok(None),
    }
}

/// `slf op= other` with what is deferred, if one of them is; false if there is nothing to do for fusion.
pub(super) fn in_place(slf: &Bound<'_, Array>, op: BinaryOp, other: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, value) = (slf.py(), slf.get().value()?);
    if value.pending().is_some() {
        let (Some(fusing), Some(other)) = (fusing(slf)?, lazy(other, slf)?) else { return Ok(false) };
        let result = value.lazy(py)?.binary_in_place(op, &other, value.dtype()).array_result()?;
        // The array keeps its strides.
        if result.layout().array_result()? != *value.layout() {
            return Ok(false);
        }
        if let Some(queue) = result.queue().cloned() {
            value.replace(fusing.get().fusion.defer(result, &queue).array_result()?);
            return Ok(true);
        }
        return Ok(false);
    }
    let Some(deferred) = pending(other)? else { return Ok(false) };
    let target = value.get()?;
    if deferred.reads(target.storage()) {
        deferred.value().array_result()?;
    }
    let other = deferred.operand().array_result()?;
    let result = value.lazy(py)?.binary_in_place(op, &other, target.dtype()).array_result()?;
    result.store(target, None).array_result()?;
    Ok(true)
}

#[pymethods]
impl Fusing {
    #[new]
    fn new() -> Self {
        Self { fusion: Fusion::default(), entered: Mutex::default() }
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        if current(py)?.is_none() {
            let token = variable(py)?.call_method1(intern!(py, "set"), (slf,))?.unbind();
            OPEN.fetch_add(1, Ordering::Relaxed);
            slf.get().entered().token = Some(token);
        }
        slf.get().entered().times += 1;
        Ok(slf.clone())
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        exc_type: &Bound<'_, PyAny>,
        _exc_value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let token = {
            let mut entered = self.entered();
            entered.times = entered.times.saturating_sub(1);
            if entered.times == 0 { entered.token.take() } else { None }
        };
        let Some(token) = token else { return Ok(()) };
        OPEN.fetch_sub(1, Ordering::Relaxed);
        let left = variable(py)?.call_method1(intern!(py, "reset"), (token,));
        let finished = self.fusion.finish();
        // What cannot be computed says so again when it is asked for.
        if exc_type.is_none() {
            left?;
            finished.array_result()?;
        }
        Ok(())
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Fusing>()
}
