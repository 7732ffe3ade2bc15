//! Attributes that ask the driver: one descriptor for every question of the runtime's tables.

use std::sync::OnceLock;

use opencl_runtime::Result;
use opencl_runtime::info::{Table, answer::Value};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::value;
use crate::error::{IntoPyResult, invalid};

/// Puts question number `index` to an object of Python.
pub(crate) type Ask = fn(&Bound<'_, PyAny>, index: usize) -> PyResult<Py<PyAny>>;

/// An attribute that asks the driver each time, or once where the object keeps answers.
#[pyclass(frozen, module = "pyopencl._cl")]
struct InfoAttribute {
    name: String,
    index: usize,
    ask: Ask,
}

#[pymethods]
impl InfoAttribute {
    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        object: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        match object {
            Some(object) => (slf.get().ask)(object, slf.get().index),
            None => Ok(slf.clone().into_any().unbind()),
        }
    }

    fn __set__(&self, _object: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyAttributeError::new_err(format!("attribute '{}' cannot be set", self.name)))
    }

    #[getter(__doc__)]
    fn doc(&self) -> String {
        format!("The answer of the driver to ``{}``.", self.name.to_uppercase())
    }
}

/// Gives the class `class` an attribute for each question of a table, named in small letters.
pub(crate) fn add_attributes<T>(class: &Bound<'_, PyType>, table: &Table<T>, ask: Ask) -> PyResult<()> {
    let own = class.getattr("__dict__")?;
    for (index, question) in table.questions.iter().enumerate() {
        let name = question.constant.name.to_lowercase();
        if own.contains(&name)? {
            // The class answers this one itself.
            continue;
        }
        class.setattr(&name, InfoAttribute { name: name.clone(), index, ask })?;
    }
    Ok(())
}

/// The answer to the question with the value `parameter`; `routine` names the method in the error for a
/// value that is no question.
pub(crate) fn get_info<T>(
    py: Python<'_>,
    object: &T,
    table: &Table<T>,
    parameter: i64,
    routine: &str,
) -> PyResult<Py<PyAny>> {
    let index = u32::try_from(parameter).ok().and_then(|value| table.find(value));
    let Some(index) = index else {
        return Err(invalid(routine, format!("{parameter} is no value of {}", table.name)));
    };
    answer(py, (table.questions[index].ask)(object))
}

/// An answer as a Python object.
pub(crate) fn answer(py: Python<'_>, answer: Result<Value>) -> PyResult<Py<PyAny>> {
    value::to_py(py, answer.into_py()?)
}

/// Answers that never change, kept with their object.
#[derive(Default)]
pub(crate) struct Answers(OnceLock<Box<[OnceLock<Py<PyAny>>]>>);

impl Answers {
    /// The kept answer to question `index` of `count`, or that of `ask`.
    #[inline]
    pub(crate) fn get(
        &self,
        py: Python<'_>,
        index: usize,
        count: usize,
        ask: impl FnOnce() -> PyResult<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let slots = self.0.get_or_init(|| (0..count).map(|_| OnceLock::new()).collect());
        if let Some(kept) = slots[index].get() {
            return Ok(kept.clone_ref(py));
        }
        let answer = ask()?;
        // Two threads may ask at once; either answer will do.
        let _ = slots[index].set(answer.clone_ref(py));
        Ok(answer)
    }
}
