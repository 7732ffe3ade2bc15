//! Elements at positions of whole arrays: taken, put elsewhere, reduced.

use std::borrow::Cow;

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use opencl_array::index::{self, Positions};
use opencl_array::{Array as Runtime, Scalar, ops, product, reduction};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::Array;
use super::class::{empty, order, shape};
use super::reduction::part;
use super::subscript::host_positions_of;
use crate::cl::queue::CommandQueue;
use crate::convert::dtype;
use crate::convert::wait_list::Events;
use crate::error::{ArrayResult, IntoPyResult};

/// Makes what is enqueued on the array's memory next wait for events.
fn wait_before(array: &Runtime, wait_for: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    for event in Events::new(wait_for)?.iter() {
        array.storage().add_event(event.try_clone().into_py()?).array_result()?;
    }
    Ok(())
}

/// Elements of *a*, counted in C order, at positions *indices*: an array of the shape of *indices*, or *out*, which has it.
/// *indices* is an array of integers, of the device or of NumPy; negative ones count from the end. Positions of NumPy
/// outside of the array are refused (:class:`IndexError`); those of the device take the nearest element.
#[pyfunction]
#[pyo3(signature = (a, indices, out = None, queue = None, wait_for = None))]
fn take<'py>(
    a: &Bound<'py, Array>,
    indices: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, Array>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<Array>> {
    let array = a.get().runtime()?;
    wait_before(array, wait_for)?;
    let on = a.get().queue_or(a.py(), queue)?;
    let held = Held::new(indices)?;
    let positions = held.positions();
    match out {
        None => Array::result_on(a, index::take(array, &positions, Some(on)).array_result()?, queue),
        Some(out) => {
            index::take_into(array, &positions, out.get().runtime()?, Some(on)).array_result()?;
            Ok(out.clone().unbind())
        }
    }
}

/// Positions, kept while they are used.
enum Held<'a> {
    Device(&'a Runtime),
    Host(Vec<usize>, Vec<i64>),
}

impl<'a> Held<'a> {
    fn new(indices: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(array) = indices.cast::<Array>() {
            return array.get().runtime().map(Self::Device);
        }
        let host = indices.py().import("numpy")?.call_method1("asarray", (indices,))?;
        let host = host.cast_into::<PyUntypedArray>()?;
        if !matches!(host.dtype().kind(), b'i' | b'u') && host.len() > 0 {
            let dtype = host.dtype();
            return Err(PyIndexError::new_err(format!("arrays of positions hold integers; found {dtype}")));
        }
        let (shape, values) = host_positions_of(host.as_any())?;
        Ok(Self::Host(shape, values))
    }

    fn positions(&self) -> Positions<'_> {
        match self {
            Self::Device(array) => Positions::Device(array),
            Self::Host(shape, values) => {
                Positions::Host { shape: shape.iter().copied().collect(), values: Cow::Borrowed(values) }
            }
        }
    }
}

/// :func:`take` of each of *arrays*, a list; into the arrays of the list *out*, if it is given.
#[pyfunction]
#[pyo3(signature = (arrays, indices, out = None, queue = None))]
fn multi_take<'py>(
    arrays: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
) -> PyResult<Py<PyAny>> {
    let py = arrays.py();
    let arrays = arrays_of(arrays)?;
    let outputs = out.map(|out| outputs_of(out, arrays.len())).transpose()?;
    let taken = arrays
        .iter()
        .enumerate()
        .map(|(n, array)| take(array, indices, outputs.as_ref().map(|outputs| &outputs[n]), queue, None))
        .collect::<PyResult<Vec<_>>>()?;
    match out {
        Some(out) => Ok(out.clone().unbind()),
        None => Ok(PyList::new(py, taken)?.into_any().unbind()),
    }
}

fn arrays_of<'py>(arrays: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, Array>>> {
    arrays.try_iter()?.map(|array| Ok(array?.cast_into::<Array>()?)).collect()
}

fn outputs_of<'py>(out: &Bound<'py, PyAny>, expected: usize) -> PyResult<Vec<Bound<'py, Array>>> {
    let outputs = arrays_of(out)?;
    if outputs.len() == expected {
        return Ok(outputs);
    }
    let found = outputs.len();
    Err(PyValueError::new_err(format!("out has {found} arrays, but there are {expected} arrays to fill")))
}

/// Put the elements of each of *arrays* at positions *dest_indices*, counted in C order, of arrays of shape *dest_shape*,
/// zero elsewhere, or of the arrays of the list *out*. Elements that are fewer than the positions are repeated from the
/// first one on, as :func:`numpy.put` does. Positions outside of an array are left out. Returns the list.
#[pyfunction]
#[pyo3(signature = (arrays, dest_indices, dest_shape = None, out = None, queue = None, wait_for = None))]
fn multi_put<'py>(
    arrays: &Bound<'py, PyAny>,
    dest_indices: &Bound<'py, Array>,
    dest_shape: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    wait_for: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    wait_before(dest_indices.get().runtime()?, wait_for)?;
    put_all(arrays, dest_indices, dest_shape, out, queue, |array, output, positions, queue, _| {
        index::put(output, positions, array, None, Some(queue))
    })
}

/// Put the elements of each of *arrays* that are at positions *src_indices* at positions *dest_indices* of arrays of shape
/// *dest_shape*, zero elsewhere, or of the arrays of the list *out*. All positions count in C order; *src_offsets*, one
/// number for each array, is added to those in *arrays*. Returns the list.
#[pyfunction]
#[pyo3(signature = (arrays, dest_indices, src_indices, dest_shape = None, out = None, queue = None, src_offsets = None))]
fn multi_take_put<'py>(
    arrays: &Bound<'py, PyAny>,
    dest_indices: &Bound<'py, Array>,
    src_indices: &Bound<'py, Array>,
    dest_shape: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    src_offsets: Option<Vec<i64>>,
) -> PyResult<Py<PyAny>> {
    let source = src_indices.get().runtime()?;
    if source.shape() != dest_indices.get().runtime()?.shape() {
        return Err(PyValueError::new_err("src_indices and dest_indices must have the same shape"));
    }
    if let Some(offsets) = &src_offsets
        && offsets.len() != arrays.len()?
    {
        return Err(PyValueError::new_err("src_offsets must have as many numbers as there are arrays"));
    }
    put_all(arrays, dest_indices, dest_shape, out, queue, |array, output, positions, queue, number| {
        let offset = src_offsets.as_ref().map_or(0, |offsets| offsets[number]);
        index::put(output, positions, array, Some((source, offset)), Some(queue))
    })
}

/// Calls `put` with each of *arrays*, the array that its elements go to, the positions there, the queue and the number.
fn put_all<'py>(
    arrays: &Bound<'py, PyAny>,
    dest_indices: &Bound<'py, Array>,
    dest_shape: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    put: impl Fn(&Runtime, &Runtime, &Runtime, &opencl_runtime::CommandQueue, usize) -> opencl_array::Result<()>,
) -> PyResult<Py<PyAny>> {
    let py = arrays.py();
    let arrays = arrays_of(arrays)?;
    let positions = dest_indices.get().runtime()?;
    let outputs = match (out, dest_shape) {
        (Some(out), _) => outputs_of(out, arrays.len())?,
        (None, Some(dest_shape)) => {
            let shape = shape(dest_shape)?;
            let zeros = |array: &Bound<'py, Array>| {
                let own = array.get().queue_object()?.map(|queue| queue.bind(py).clone());
                let queue = queue.cloned().or(own);
                let queue = queue.ok_or_else(|| array.get().queue(py).err().unwrap_or_else(no_queue))?;
                let dtype = array.get().runtime()?.dtype();
                let zeros = empty(&queue, &shape, dtype, order("C")?, None)?;
                zeros.fill(Scalar::Bool(false), None).array_result()?;
                Ok(Array::beside(array, zeros, Some(&queue))?.into_bound(py))
            };
            arrays.iter().map(zeros).collect::<PyResult<_>>()?
        }
        (None, None) if arrays.is_empty() => Vec::new(),
        (None, None) => return Err(PyTypeError::new_err("either dest_shape or out must be given")),
    };
    for (number, (array, output)) in arrays.iter().zip(&outputs).enumerate() {
        let queue = output.get().queue_or(py, queue)?;
        put(array.get().runtime()?, output.get().runtime()?, positions, queue, number).array_result()?;
    }
    match out {
        Some(out) => Ok(out.clone().unbind()),
        None => Ok(PyList::new(py, outputs)?.into_any().unbind()),
    }
}

fn no_queue() -> PyErr {
    PyTypeError::new_err("an array has no queue")
}

/// The sum of products of the elements of *a* and *b*, counted in C order, at positions *subset*; see :func:`dot`.
#[pyfunction]
#[pyo3(signature = (subset, a, b, dtype = None, queue = None, slice = None))]
fn subset_dot<'py>(
    subset: &Bound<'py, Array>,
    a: &Bound<'py, Array>,
    b: &Bound<'py, Array>,
    dtype: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, CommandQueue>>,
    slice: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<Array>> {
    let dtype = dtype.map(dtype::from_numpy).transpose()?;
    let on = a.get().queue_or(a.py(), queue)?;
    let subset = part(subset.get().runtime()?, slice)?;
    let (left, right) = (a.get().runtime()?, b.get().runtime()?);
    Array::result_on(a, product::subset_dot(&subset, left, right, dtype, Some(on)).array_result()?, queue)
}

/// The greatest of the elements of *a*, counted in C order, at positions *subset*.
#[pyfunction]
#[pyo3(signature = (subset, a, queue = None, slice = None))]
fn subset_max<'py>(
    subset: &Bound<'py, Array>,
    a: &Bound<'py, Array>,
    queue: Option<&Bound<'py, CommandQueue>>,
    slice: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<Array>> {
    let on = a.get().queue_or(a.py(), queue)?;
    let subset = part(subset.get().runtime()?, slice)?;
    let elements = ops::take(a.get().runtime()?, &subset, Some(on)).array_result()?;
    Array::result_on(a, reduction::max(elements, Some(on)).array_result()?, queue)
}

/// The least of the elements of *a*, counted in C order, at positions *subset*.
#[pyfunction]
#[pyo3(signature = (subset, a, queue = None, slice = None))]
fn subset_min<'py>(
    subset: &Bound<'py, Array>,
    a: &Bound<'py, Array>,
    queue: Option<&Bound<'py, CommandQueue>>,
    slice: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<Array>> {
    let on = a.get().queue_or(a.py(), queue)?;
    let subset = part(subset.get().runtime()?, slice)?;
    let elements = ops::take(a.get().runtime()?, &subset, Some(on)).array_result()?;
    Array::result_on(a, reduction::min(elements, Some(on)).array_result()?, queue)
}

pub(super) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(take, m)?)?;
    m.add_function(wrap_pyfunction!(multi_take, m)?)?;
    m.add_function(wrap_pyfunction!(multi_put, m)?)?;
    m.add_function(wrap_pyfunction!(multi_take_put, m)?)?;
    m.add_function(wrap_pyfunction!(subset_dot, m)?)?;
    m.add_function(wrap_pyfunction!(subset_max, m)?)?;
    m.add_function(wrap_pyfunction!(subset_min, m)?)
}
