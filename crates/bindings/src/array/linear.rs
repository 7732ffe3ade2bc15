//! Linear combinations.

use opencl_array::expr::BinaryOp;
use opencl_array::ops::Lazy;
use pyo3::prelude::*;

use super::Array;
use super::operand::required;
use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

#[pymethods]
impl Array {
    /// ``selffac * self + otherfac * other``, computed in one kernel, with dtypes and broadcasting as in NumPy.
    #[pyo3(signature = (selffac, other, otherfac, queue = None))]
    fn mul_add<'py>(
        slf: &Bound<'py, Self>,
        selffac: &Bound<'py, PyAny>,
        other: &Bound<'py, PyAny>,
        otherfac: &Bound<'py, PyAny>,
        queue: Option<&Bound<'py, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let (array, name) = (slf.get(), "mul_add");
        let queue = array.queue_or(slf.py(), queue)?;
        let lazy = |object| Ok::<Lazy, PyErr>(required(object, array, name)?.runtime().into());
        let own = Lazy::from(array.runtime()?).binary(BinaryOp::Multiply, &lazy(selffac)?).array_result()?;
        let others = if other.cast::<Self>().is_ok() || otherfac.cast::<Self>().is_ok() {
            lazy(other)?.binary(BinaryOp::Multiply, &lazy(otherfac)?).array_result()?
        } else {
            // Numbers of Python stay weak.
            lazy(&other.mul(otherfac)?)?
        };
        let sum = own.binary(BinaryOp::Add, &others).array_result()?;
        Self::result(slf, sum.evaluate(Some(queue)).array_result()?)
    }
}
