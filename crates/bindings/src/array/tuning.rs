//! Shapes of kernels, for measurements.

use opencl_array::{Tuning, tune_kernels_for};
use pyo3::prelude::*;

use crate::cl::queue::CommandQueue;
use crate::error::ArrayResult;

/// Give elementwise kernels for the device of *queue*, in its context, other shapes: work-items per group, loads in
/// flight per work-item, bytes of one load, longest side of tiles. Results stay the same.
#[pyfunction]
fn _tune_arrays(
    py: Python<'_>,
    queue: &CommandQueue,
    group: usize,
    items: usize,
    vector: usize,
    tile: usize,
) -> PyResult<()> {
    let tuning = Tuning { group, items: Some(items), vector: Some(vector), tile };
    tune_kernels_for(queue.live(py)?, tuning).array_result()
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(_tune_arrays, m)?)
}
