//! The one place where errors become Python exceptions.

use opencl_runtime::{Error, status};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The classes of `pyopencl/_errors.py`, which are Python's: the limited interface cannot derive from its exceptions.
struct Classes {
    record: Py<PyType>,
    error: Py<PyType>,
    memory: Py<PyType>,
    logic: Py<PyType>,
    runtime: Py<PyType>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

/// Puts the exception classes into the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    let source = py.import("pyopencl._errors")?;
    let names = source.getattr("STATUS_NAMES")?.cast_into::<PyDict>()?;
    for (name, code) in status::STATUS {
        names.set_item(code, name)?;
    }
    let class = |name: &str| -> PyResult<Py<PyType>> {
        let class = source.getattr(name)?.cast_into::<PyType>()?;
        m.add(name, &class)?;
        Ok(class.unbind())
    };
    let classes = Classes {
        record: class("_ErrorRecord")?,
        error: class("Error")?,
        memory: class("MemoryError")?,
        logic: class("LogicError")?,
        runtime: class("RuntimeError")?,
    };
    // The module is initialised once in a process.
    let _ = CLASSES.set(py, classes);
    Ok(())
}

/// An error of the runtime as the exception of its class; what a compiler refuses is a `RuntimeError`, whatever its
/// status.
pub(crate) fn to_py(error: &Error) -> PyErr {
    let compiled = matches!(error, Error::Build(_));
    exception(error.routine(), error.code(), &error.detail(), compiled)
}

/// An exception for an operation, a status and a text.
pub(crate) fn raise(routine: &str, code: i32, detail: &str) -> PyErr {
    exception(routine, code, detail, false)
}

fn exception(routine: &str, code: i32, detail: &str, compiled: bool) -> PyErr {
    Python::attach(|py| {
        let Some(classes) = CLASSES.get(py) else {
            return PyRuntimeError::new_err(format!("{routine} failed: {code} - {detail}"));
        };
        let class = match code {
            status::MEM_OBJECT_ALLOCATION_FAILURE => &classes.memory,
            code if code <= status::INVALID_VALUE && !compiled => &classes.logic,
            code if code < 0 => &classes.runtime,
            _ => &classes.error,
        };
        let record = classes.record.call1(py, (routine, code, detail));
        match record {
            Ok(record) => PyErr::from_type(class.bind(py).clone(), (record,)),
            Err(error) => error,
        }
    })
}

/// An `INVALID_VALUE` for something that is wrong before the driver is asked.
pub(crate) fn invalid(routine: &str, detail: impl AsRef<str>) -> PyErr {
    raise(routine, status::INVALID_VALUE, detail.as_ref())
}

/// Results of the runtime as results of Python.
pub(crate) trait IntoPyResult<T> {
    fn into_py(self) -> PyResult<T>;
}

impl<T> IntoPyResult<T> for opencl_runtime::Result<T> {
    #[inline]
    fn into_py(self) -> PyResult<T> {
        self.map_err(|error| to_py(&error))
    }
}

/// An error of the array crate as the exception that NumPy raises in its place.
pub(crate) fn array_error(error: &opencl_array::Error) -> PyErr {
    use opencl_array::Error as E;
    let text = error.to_string();
    match error {
        E::Runtime(error) => to_py(error),
        E::Allocator(error) | E::Hook(error) => match error.downcast_ref::<PyErr>() {
            Some(error) => Python::attach(|py| error.clone_ref(py)),
            None => PyRuntimeError::new_err(text),
        },
        E::Undefined { .. } | E::OutputDType { .. } | E::NoFp64 { .. } => PyTypeError::new_err(text),
        E::ArgumentCount { .. } | E::ArgumentKind { .. } => PyTypeError::new_err(text),
        E::NoArrays => PyRuntimeError::new_err(text),
        E::OutOfBounds { .. } => PyOverflowError::new_err(text),
        E::MaskShape { .. } | E::MaskBesideArrays => PyIndexError::new_err(format!(
            "{text}: int8 and bool arrays are masks; for positions use another integer dtype, as in \
             index.astype(np.int32), or pyopencl.array.take"
        )),
        E::Index { .. } | E::TooManyIndices { .. } | E::IndexDType { .. } => PyIndexError::new_err(text),
        E::Field { dtype, .. } if dtype.is_number() => PyIndexError::new_err(text),
        E::AddressSpace { .. } => PyRuntimeError::new_err(text),
        E::NoQueue => PyValueError::new_err(format!("{text}: array.with_queue(queue) makes one")),
        _ => PyValueError::new_err(text),
    }
}

/// Results of the array crate as results of Python.
pub(crate) trait ArrayResult<T> {
    fn array_result(self) -> PyResult<T>;
}

impl<T> ArrayResult<T> for opencl_array::Result<T> {
    #[inline]
    fn array_result(self) -> PyResult<T> {
        self.map_err(|error| array_error(&error))
    }
}
