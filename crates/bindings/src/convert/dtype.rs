//! Dtypes of NumPy and of the array crate.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use opencl_array::DType;
use opencl_array::dtype::{Field, Record, Vector};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::error::ArrayResult;

/// What NumPy knows of one dtype of numbers.
struct Known {
    dtype: DType,
    descr: Py<PyArrayDescr>,
    scalar: Py<PyType>,
}

static TABLE: PyOnceLock<Vec<Known>> = PyOnceLock::new();

/// The dtypes of numbers in the order of the array crate.
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

/// NumPy's dtypes that are no numbers: vectors as in `pyopencl.cltypes`, and every record that was met.
struct Structured {
    /// The numbers of vectors and records by dtype: those of records come after those of vectors.
    numbers: Py<PyDict>,
    dtypes: Mutex<Vec<(DType, Py<PyArrayDescr>)>>,
}

static STRUCTURED: PyOnceLock<Structured> = PyOnceLock::new();

impl Structured {
    fn of(py: Python<'_>) -> PyResult<&Self> {
        STRUCTURED.get_or_try_init(py, || {
            let types = py.import("pyopencl.cltypes")?;
            let numbers = PyDict::new(py);
            let mut dtypes = Vec::new();
            for vector in Vector::all() {
                let descr = types.getattr(vector.name())?.cast_into::<PyArrayDescr>()?;
                numbers.set_item(&descr, dtypes.len())?;
                dtypes.push((DType::Vector(vector), descr.unbind()));
            }
            Ok(Self { numbers: numbers.unbind(), dtypes: Mutex::new(dtypes) })
        })
    }

    fn dtype(&self, descr: &Bound<'_, PyArrayDescr>) -> PyResult<DType> {
        let py = descr.py();
        if let Some(number) = self.numbers.bind(py).get_item(descr)? {
            let number: usize = number.extract()?;
            let dtypes = self.dtypes.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((dtype, _)) = dtypes.get(number) {
                return Ok(*dtype);
            }
        }
        let dtype = DType::Record(record(descr)?);
        let number = {
            let mut dtypes = self.dtypes.lock().unwrap_or_else(PoisonError::into_inner);
            dtypes.push((dtype, descr.clone().unbind()));
            dtypes.len() - 1
        };
        self.numbers.bind(py).set_item(descr, number)?;
        Ok(dtype)
    }

    fn descr<'py>(&self, py: Python<'py>, dtype: DType) -> Option<Bound<'py, PyArrayDescr>> {
        let dtypes = self.dtypes.lock().unwrap_or_else(PoisonError::into_inner);
        dtypes.iter().find(|(known, _)| *known == dtype).map(|(_, descr)| descr.bind(py).clone())
    }
}

/// The record of a NumPy dtype that is neither number nor vector. Its name is what NumPy prints, so that different
/// dtypes are different records.
fn record(descr: &Bound<'_, PyArrayDescr>) -> PyResult<Record> {
    if descr.has_object() {
        return Err(PyTypeError::new_err(format!(
            "elements of dtype {descr} are Python objects, which mean nothing on a device"
        )));
    }
    let mut fields = Vec::new();
    if let Some(names) = descr.names() {
        let all = descr.getattr("fields")?;
        for name in names {
            let entry = all.get_item(&name)?.cast_into::<PyTuple>()?;
            let title = if entry.len() > 2 { entry.get_item(2)?.extract().ok() } else { None };
            let inner = entry.get_item(0)?.cast_into::<PyArrayDescr>()?;
            let shape: Vec<usize> = inner.getattr("shape")?.extract()?;
            let dtype = from_numpy(inner.getattr("base")?.as_any())?;
            let offset = entry.get_item(1)?.extract()?;
            fields.push(Field { name, title, offset, dtype, shape: shape.into_iter().collect() });
        }
    }
    let name = descr.repr()?.to_string();
    Record::new(&name, fields, descr.itemsize()).array_result()
}

/// NumPy's object for a dtype.
#[inline]
pub(crate) fn to_numpy(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyArrayDescr>> {
    match table(py)?.iter().find(|known| known.dtype == dtype) {
        Some(known) => Ok(known.descr.bind(py).clone()),
        None => Structured::of(py)?.descr(py, dtype).ok_or_else(|| {
            PyTypeError::new_err(format!("NumPy does not know the dtype {dtype}, which Rust made"))
        }),
    }
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
    Structured::of(py)?.dtype(&descr)
}

/// The dtype of a NumPy scalar of exactly that type.
#[inline]
pub(crate) fn of_scalar(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<DType>> {
    let kind = object.get_type_ptr();
    Ok(table(object.py())?.iter().find(|known| known.scalar.as_ptr() == kind.cast()).map(|known| known.dtype))
}
