//! Comparisons: arrays of int8, as this class has always given.

use opencl_array::expr::BinaryOp;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;

use super::Array;
use super::arithmetic::binary;

#[pymethods]
impl Array {
    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let op = match op {
            CompareOp::Eq => BinaryOp::Equal,
            CompareOp::Ne => BinaryOp::NotEqual,
            CompareOp::Lt => BinaryOp::Less,
            CompareOp::Le => BinaryOp::LessEqual,
            CompareOp::Gt => BinaryOp::Greater,
            CompareOp::Ge => BinaryOp::GreaterEqual,
        };
        binary(slf, op, other, false)
    }
}
