//! Indices with arrays among their entries: positions and masks, of the device and of the host.

use std::borrow::Cow;

use numpy::{PyArrayDescrMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use opencl_array::index::{Positions, Subscript};
use opencl_array::{Array as Runtime, Index, policy};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Array;
use super::index::basic_entry;
use super::transfer::upload;

/// The entries of an index, kept while they are used.
pub(super) struct Subscripts(Vec<Entry>);

enum Entry {
    Basic(Index),
    Device(Runtime),
    Host { shape: Vec<usize>, values: Vec<i64> },
    Mask(Runtime),
}

impl Subscripts {
    /// As the array crate takes them.
    pub(super) fn subscripts(&self) -> Vec<Subscript<'_>> {
        self.0
            .iter()
            .map(|entry| match entry {
                Entry::Basic(index) => Subscript::Basic(*index),
                Entry::Device(array) => Subscript::Positions(Positions::Device(array)),
                Entry::Host { shape, values } => Subscript::Positions(Positions::Host {
                    shape: shape.iter().copied().collect(),
                    values: Cow::Borrowed(values),
                }),
                Entry::Mask(mask) => Subscript::Mask(mask),
            })
            .collect()
    }
}

/// The entries of any index of `array`. Masks of the host are copied to its queue.
pub(super) fn subscripts(index: &Bound<'_, PyAny>, array: &Array) -> PyResult<Subscripts> {
    let entries = match index.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter_borrowed().map(|item| entry(&item, array)).collect(),
        Err(_) => entry(index, array).map(|entry| vec![entry]),
    };
    entries.map(Subscripts)
}

fn entry(item: &Bound<'_, PyAny>, array: &Array) -> PyResult<Entry> {
    if let Some(index) = basic_entry(item)? {
        return Ok(Entry::Basic(index));
    }
    if let Ok(positions) = item.cast::<Array>() {
        let positions = positions.get().runtime()?;
        return Ok(if policy::is_truth(positions.dtype()) {
            Entry::Mask(positions.clone())
        } else {
            Entry::Device(positions.clone())
        });
    }
    let numpy = item.py().import("numpy")?;
    let host = numpy.call_method1("asarray", (item,))?.cast_into::<PyUntypedArray>()?;
    match host.dtype().kind() {
        b'b' => {
            if host.ndim() == 0 {
                return Err(PyIndexError::new_err("truth values are no indices of an array"));
            }
            Ok(Entry::Mask(upload(array.queue(item.py())?, &host)?))
        }
        // An empty list is one of float64.
        b'i' | b'u' => host_positions(&host),
        _ if host.len() == 0 && item.cast::<PyUntypedArray>().is_err() => host_positions(&host),
        _ => {
            let dtype = host.dtype();
            Err(PyIndexError::new_err(format!(
                "arrays of positions hold integers, and masks truth values; found {dtype}"
            )))
        }
    }
}

/// The positions that a host array of integers has.
pub(super) fn host_positions_of(item: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<i64>)> {
    let numpy = item.py().import("numpy")?;
    let wide = numpy.call_method1("ascontiguousarray", (item, numpy.getattr("int64")?))?;
    let wide = wide.extract::<PyReadonlyArrayDyn<'_, i64>>()?;
    let shape = item.getattr("shape")?.extract()?;
    Ok((shape, wide.as_slice()?.to_vec()))
}

fn host_positions(host: &Bound<'_, PyUntypedArray>) -> PyResult<Entry> {
    host_positions_of(host.as_any()).map(|(shape, values)| Entry::Host { shape, values })
}
