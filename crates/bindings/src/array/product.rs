//! Inner products.

use opencl_array::{Array as Runtime, product};
use pyo3::prelude::*;

use super::Array;
use super::operand::{partner, required};
use super::reduction::part;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::error::ArrayResult;

type Product = fn(
    &Runtime,
    &Runtime,
    Option<opencl_array::DType>,
    Option<&opencl_runtime::CommandQueue>,
) -> opencl_array::Result<Runtime>;

fn product_of(
    name: &'static str,
    product: Product,
    operands: [&Bound<'_, PyAny>; 2],
    dtype: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, CommandQueue>>,
    slice: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    let py = operands[0].py();
    let first = partner(&operands, name)?;
    let partner = first.get();
    let dtype = dtype.map(dtype::from_numpy).transpose()?;
    let on = queue.map(|queue| queue.get().live(py)).transpose()?;
    let [a, b] = operands.map(|operand| {
        let found = required(operand, partner, name)?;
        part(found.array(operand, name)?, slice)
    });
    Array::result_on(first, product(&a?, &b?, dtype, on).array_result()?, queue)
}

/// The sum of products of the elements, in *dtype* if given: an array without dimensions. At least one of *a* and *b*,
/// which have one shape, is an array of this module. *slice* takes a part of both.
#[pyfunction]
#[pyo3(signature = (a, b, dtype = None, queue = None, slice = None))]
fn dot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, CommandQueue>>,
    slice: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    product_of("dot", product::dot, [a, b], dtype, queue, slice)
}

/// As :func:`dot`, with the complex conjugates of the elements of *a*.
#[pyfunction]
#[pyo3(signature = (a, b, dtype = None, queue = None, slice = None))]
fn vdot(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, CommandQueue>>,
    slice: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Array>> {
    product_of("vdot", product::vdot, [a, b], dtype, queue, slice)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(dot, m)?)?;
    m.add_function(wrap_pyfunction!(vdot, m)?)
}
