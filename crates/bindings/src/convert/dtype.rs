//! Dtypes of NumPy and of the array crate.

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use opencl_array::DType;
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// What NumPy knows of one dtype.
struct Known {
    dtype: DType,
    descr: Py<PyArrayDescr>,
    scalar: Py<PyType>,
}

static TABLE: PyOnceLock<Vec<Known>> = PyOnceLock::new();

/// The dtypes in order of their discriminants.
fn table(py: Python<'_>) -> PyResult<&Vec<Known>> {
    TABLE.get_or_try_init(py, || {
        let known = |dtype: DType| {
            let descr = PyArrayDescr::new(py, dtype.name())?;
            let scalar = descr.getattr("type")?.cast_into::<PyType>()?;
            Ok(Known { dtype, descr: descr.unbind(), scalar: scalar.unbind() })
        };
        DType::ALL.into_iter().map(known).collect()
    })
}

/// NumPy's object for a dtype.
#[inline]
pub(crate) fn to_numpy(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyArrayDescr>> {
    Ok(table(py)?[dtype as usize].descr.bind(py).clone())
}

/// The object of NumPy for whatever it takes as a dtype; `None` means float64, as there.
pub(crate) fn descr<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDescr>> {
    if object.is_none() {
        to_numpy(object.py(), DType::F64)
    } else {
        PyArrayDescr::new(object.py(), object.clone())
    }
}

/// The dtype that an object stands for: a `numpy.dtype`, a scalar type, a name, or whatever else NumPy takes.
#[inline]
pub(crate) fn from_numpy(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let py = object.py();
    let pointer = object.as_ptr();
    let is = |known: &&Known| known.descr.as_ptr() == pointer || known.scalar.as_ptr() == pointer;
    if let Some(known) = table(py)?.iter().find(is) {
        return Ok(known.dtype);
    }
    let descr = descr(object)?;
    for known in table(py)? {
        if descr.is_equiv_to(known.descr.bind(py)) {
            return Ok(known.dtype);
        }
    }
    Err(PyTypeError::new_err(format!("arrays of dtype {descr} are not known")))
}

/// The dtype of a NumPy scalar of exactly that type.
#[inline]
pub(crate) fn of_scalar(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<DType>> {
    let kind = object.get_type_ptr();
    Ok(table(object.py())?.iter().find(|known| known.scalar.as_ptr() == kind.cast()).map(|known| known.dtype))
}
