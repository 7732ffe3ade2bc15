//! Classes of constants, made from the runtime's tables.

use opencl_runtime::constants::{Constant, classes};
use opencl_runtime::info::TABLES;
use opencl_runtime::status;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// Groups whose values other tools combine like bit fields, though the specification does not.
const COMBINED: [&str; 2] = ["queue_properties", "version_bits"];

/// The name of a value, in the manner of `to_string(value, default_format=None)`.
#[pyclass(frozen, module = "pyopencl._cl")]
struct ToString {
    class: &'static str,
    bit_field: bool,
    constants: Vec<(&'static str, i64)>,
}

#[pymethods]
impl ToString {
    /// The name of *value*; for bit fields all names that its bits meet, joined by ``" | "``.
    ///
    /// A value without name is written with *default_format*, a ``%`` format; without one it raises
    /// :class:`ValueError`.
    #[pyo3(signature = (value, default_format = None))]
    fn __call__(
        &self,
        value: &Bound<'_, PyAny>,
        default_format: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let number = match value.extract::<i64>() {
            Ok(number) => number,
            Err(_) => value.getattr("value")?.extract()?,
        };
        let meets = |constant: i64| {
            if self.bit_field && number != 0 { constant & number != 0 } else { constant == number }
        };
        let mut names: Vec<_> =
            self.constants.iter().filter(|(_, constant)| meets(*constant)).map(|(name, _)| *name).collect();
        names.sort_unstable();
        if !self.bit_field {
            names.truncate(1);
        }
        if !names.is_empty() {
            return Ok(names.join(" | "));
        }
        match default_format {
            Some(format) => format.rem(number)?.extract(),
            None => {
                let text = format!("a name for value {number} was not found in {}", self.class);
                Err(PyValueError::new_err(text))
            }
        }
    }
}

/// Puts all classes of constants into the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    for class in classes() {
        let pairs = class.constants.iter().map(|constant| (constant.name, constant.value)).collect();
        add(m, class.name, class.bit_field || COMBINED.contains(&class.name), pairs)?;
    }
    let info = |questions: &mut dyn Iterator<Item = Constant>| {
        questions.map(|constant| (constant.name, constant.value)).collect()
    };
    macro_rules! tables {
        ($($table:ident)*) => {$(
            let constants = &mut TABLES.$table.questions.iter().map(|question| question.constant);
            add(m, TABLES.$table.name, false, info(constants))?;
        )*};
    }
    tables! { platform device context queue event profiling memory image pipe gl_texture sampler program kernel }
    let codes = status::STATUS.iter().map(|(name, code)| (*name, i64::from(*code))).collect();
    add(m, "status_code", false, codes)
}

fn add(
    m: &Bound<'_, PyModule>,
    name: &'static str,
    bit_field: bool,
    constants: Vec<(&'static str, i64)>,
) -> PyResult<()> {
    let py = m.py();
    let members = PyDict::new(py);
    for (constant, value) in &constants {
        members.set_item(constant, value)?;
    }
    // What a program was made from is an enumeration of Python's, all others are plain classes.
    let class = if name == "program_kind" {
        let arguments = PyDict::new(py);
        arguments.set_item("module", "pyopencl._cl")?;
        py.import("enum")?.getattr("Enum")?.call((name, members), Some(&arguments))?
    } else {
        members.set_item("__module__", "pyopencl._cl")?;
        members.set_item("__doc__", format!("Constants of ``{name}``."))?;
        if bit_field {
            members.set_item("_is_bitfield", true)?;
        }
        py.get_type::<PyType>().call1((name, (py.get_type::<PyAny>(),), members))?
    };
    class.setattr("to_string", ToString { class: name, bit_field, constants })?;
    m.add(name, class)
}
