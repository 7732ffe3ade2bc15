//! How an array lies in memory.

use pyo3::prelude::*;

use super::Array;

/// How an array lies in memory: whether without gaps in C order, in Fortran order, or in one of them.
#[pyclass(frozen, get_all, module = "pyopencl._cl")]
struct ArrayFlags {
    /// Whether the elements lie without gaps in C order. Axes of length 1 and empty arrays do not matter.
    c_contiguous: bool,
    /// Whether the elements lie without gaps in Fortran order.
    f_contiguous: bool,
    /// One of the two.
    forc: bool,
}

#[pymethods]
impl Array {
    /// Whether the elements lie without gaps: ``c_contiguous``, ``f_contiguous``, ``forc``.
    #[getter]
    fn flags(&self) -> PyResult<ArrayFlags> {
        let layout = self.layout()?;
        let (c_contiguous, f_contiguous) = (layout.is_c_contiguous(), layout.is_f_contiguous());
        Ok(ArrayFlags { c_contiguous, f_contiguous, forc: c_contiguous || f_contiguous })
    }
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ArrayFlags>()
}
