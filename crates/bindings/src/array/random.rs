//! Generators of random numbers.

use opencl_array::Scalar;
use opencl_array::random::{Distribution, Generator as Runtime};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::Array;
use super::operand::scalar;
use crate::cl::context::Context;
use crate::cl::kernel::Kernel;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::ArrayResult;

/// A generator of a key, from a counter on; both in words of 32 bits, the lowest first.
#[pyclass(frozen, name = "_Generator", module = "pyopencl._cl")]
struct Generator(Runtime);

#[pymethods]
impl Generator {
    /// Philox4x32-10.
    #[staticmethod]
    fn philox(key: [u32; 2], counter: [u32; 4]) -> Self {
        Self(Runtime::philox(key, counter))
    }

    /// Threefry4x32-20.
    #[staticmethod]
    fn threefry(key: [u32; 4], counter: [u32; 4]) -> Self {
        Self(Runtime::threefry(key, counter))
    }

    /// The counter of the next block of four words.
    #[getter]
    fn counter(&self) -> [u32; 4] {
        self.0.counter()
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
        let (a, b) = (real(a, "a bound")?, real(b, "a bound")?);
        self.0.fill_uniform(ary.get().runtime()?, a, b, Some(queue)).array_result()
    }

    /// Fills an array with normally distributed numbers.
    #[pyo3(signature = (ary, mu, sigma, queue = None))]
    fn fill_normal(
        &self,
        ary: &Bound<'_, Array>,
        mu: &Bound<'_, PyAny>,
        sigma: &Bound<'_, PyAny>,
        queue: Option<&Bound<'_, CommandQueue>>,
    ) -> PyResult<()> {
        let queue = ary.get().queue_or(ary.py(), queue)?;
        let (mu, sigma) = (real(mu, "the mean")?, real(sigma, "the deviation")?);
        self.0.fill_normal(ary.get().runtime()?, mu, sigma, Some(queue)).array_result()
    }

    /// The kernel that fills memory, and how many elements each block of four words makes.
    fn kernel(
        &self,
        context: &Bound<'_, Context>,
        dtype: &Bound<'_, PyAny>,
        distribution: &str,
    ) -> PyResult<(Kernel, usize)> {
        let distribution = match distribution {
            "uniform" => Distribution::Uniform,
            "normal" => Distribution::Normal,
            other => {
                let text = format!("a distribution is 'uniform' or 'normal', not {other:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let dtype = dtype::from_numpy(dtype)?;
        let (kernel, count) = self.0.kernel(&context.get().context, distribution, dtype).array_result()?;
        Ok((Kernel::shared(std::sync::Arc::new(kernel.into())), count))
    }
}

/// A real number that `what` is.
fn real(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Scalar> {
    scalar(object.as_borrowed())?.filter(|number| !number.dtype().is_complex()).ok_or_else(|| {
        let kind = object.get_type();
        PyTypeError::new_err(format!("{what} of random numbers is a real number, not an object of {kind}"))
    })
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Generator>()
}
