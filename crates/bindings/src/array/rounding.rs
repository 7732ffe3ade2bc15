//! Elements kept within bounds, and rounded.

use opencl_array::ops;
use pyo3::prelude::*;

use super::Array;
use super::logical::{compute, lazy};
use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

#[pymethods]
impl Array {
    /// The elements, *min* in place of those that are less and *max* in place of those that are greater, in one kernel.
    /// Bounds are numbers or arrays, which broadcast; ``None`` is no bound. The result is *out*, if it is given.
    #[pyo3(signature = (min = None, max = None, out = None, queue = None))]
    fn clip<'py>(
        slf: &Bound<'py, Self>,
        min: Option<&Bound<'py, PyAny>>,
        max: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, Self>>,
        queue: Option<&Bound<'py, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let bound = |bound: &Bound<'py, PyAny>| lazy(bound, slf, "clip");
        let (low, high) = (min.map(bound).transpose()?, max.map(bound).transpose()?);
        let clipped = ops::clip(lazy(slf.as_any(), slf, "clip")?, low, high).array_result()?;
        compute(slf, &clipped, out, queue)
    }

    /// The elements rounded to so many *decimals*, to the even neighbour from halfway, in one kernel; to tens and so on
    /// if that is negative. The result is *out*, if it is given.
    #[pyo3(signature = (decimals = 0, out = None, queue = None))]
    fn round<'py>(
        slf: &Bound<'py, Self>,
        decimals: i32,
        out: Option<&Bound<'py, Self>>,
        queue: Option<&Bound<'py, CommandQueue>>,
    ) -> PyResult<Py<Self>> {
        let rounded = ops::round(lazy(slf.as_any(), slf, "round")?, decimals).array_result()?;
        compute(slf, &rounded, out, queue)
    }
}
