//! Generators of random numbers.

use opencl_array::Scalar;
use opencl_array::random::Philox;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Array;
use super::operand::scalar;
use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

/// The generator Philox4x32-10 of a key, from a counter on; both in words of 32 bits, the lowest first.
#[pyclass(frozen, name = "_Philox", module = "pyopencl._cl")]
struct Generator(Philox);

#[pymethods]
impl Generator {
    #[new]
    fn new(key: [u32; 2], counter: [u32; 4]) -> Self {
        Self(Philox::new(key, counter))
    }

    /// Fills an array with uniformly distributed numbers from *a* on and below *b*.
    #[pyo3(signature = (ary, a, b, queue = None))]
    fn fill_uniform(
        &self,
        ary: &Bound<'_, Array>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<()> {
        let queue = ary.get().queue_or(ary.py(), queue)?;
        self.0.fill_uniform(ary.get().runtime()?, bound(a)?, bound(b)?, Some(queue)).array_result()
    }
}

fn bound(object: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    scalar(object.as_borrowed())?.filter(|bound| !bound.dtype().is_complex()).ok_or_else(|| {
        PyTypeError::new_err(format!(
            "a bound of random numbers is a real number, not an object of {}",
            object.get_type()
        ))
    })
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Generator>()
}
