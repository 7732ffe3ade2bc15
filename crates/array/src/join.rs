//! Joining arrays, and what is made of an array's neighbouring or reversed elements.
//!
//! Each input of a join is one launch, which converts, and reads and writes any layout.

use std::sync::Arc;

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::allocator::Allocator;
use crate::array::{Array, Operand, check_context};
use crate::dtype::{DType, common};
use crate::error::{Error, Result};
use crate::evaluate::{copy, copy_into, queue_for};
use crate::expr::BinaryOp;
use crate::layout::{Index, Layout, Order, Shape, resolve_axis};
use crate::ops;

type Indices = SmallVec<[Index; 6]>;

/// Joins arrays along an axis (negative ones count from the end), which they have already; dtypes promote as NumPy's.
/// The result is in the memory of `allocator`, by default in that of the first array's.
///
/// # Errors
/// [`Error::NothingToJoin`]; [`Error::JoinShapes`] if lengths of other axes differ; [`Error::Axis`], also for arrays
/// without dimensions; [`Error::NoQueue`], [`Error::DifferentContexts`], or what allocation, build and launch give.
pub fn concatenate(
    arrays: &[&Array],
    axis: isize,
    queue: Option<&CommandQueue>,
    allocator: Option<Arc<dyn Allocator>>,
) -> Result<Array> {
    const NAME: &str = "concatenate";
    let [first, ..] = arrays else { return Err(Error::NothingToJoin { operation: NAME }) };
    let axis = resolve_axis(axis, first.layout().ndim())?;
    let mut shape: Shape = first.shape().into();
    for (number, array) in arrays.iter().enumerate().skip(1) {
        let fits = array.shape().len() == shape.len()
            && (0..shape.len()).all(|other| other == axis || array.shape()[other] == shape[other]);
        if !fits {
            return Err(unlike(NAME, first, array, number));
        }
        shape[axis] += array.shape()[axis];
    }
    let output = joined(arrays, queue, &shape, allocator)?;
    let mut start = 0;
    for array in arrays {
        let stop = start + array.shape()[axis].cast_signed();
        let mut indices = Indices::from_elem(Index::FULL, axis);
        indices.push(Index::Slice { start: Some(start), stop: Some(stop), step: 1 });
        put(array, &output, &indices)?;
        start = stop;
    }
    Ok(output)
}

/// Joins arrays of one shape along a new axis, which is number `axis` of the result.
///
/// # Errors
/// As [`concatenate`]; [`Error::JoinShapes`] if the shapes differ.
pub fn stack(arrays: &[&Array], axis: isize, queue: Option<&CommandQueue>) -> Result<Array> {
    const NAME: &str = "stack";
    let [first, ..] = arrays else { return Err(Error::NothingToJoin { operation: NAME }) };
    let axis = resolve_axis(axis, first.layout().ndim() + 1)?;
    for (number, array) in arrays.iter().enumerate() {
        if array.shape() != first.shape() {
            return Err(unlike(NAME, first, array, number));
        }
    }
    let mut shape: Shape = first.shape().into();
    shape.insert(axis, arrays.len());
    let output = joined(arrays, queue, &shape, None)?;
    for (place, array) in arrays.iter().enumerate() {
        let mut indices = Indices::from_elem(Index::FULL, axis);
        indices.push(Index::At(place.cast_signed()));
        put(array, &output, &indices)?;
    }
    Ok(output)
}

/// Joins arrays along their second axis, those of one dimension or none along their first.
///
/// # Errors
/// As [`concatenate`].
pub fn hstack(arrays: &[&Array], queue: Option<&CommandQueue>) -> Result<Array> {
    let Some(first) = arrays.first() else { return Err(Error::NothingToJoin { operation: "hstack" }) };
    let lifted: Vec<Array> = arrays
        .iter()
        .map(|array| match array.layout().ndim() {
            0 => array.index(&[Index::NewAxis]),
            _ => Ok((*array).clone()),
        })
        .collect::<Result<_>>()?;
    let axis = if first.layout().ndim() < 2 { 0 } else { 1 };
    concatenate(&lifted.iter().collect::<Vec<_>>(), axis, queue, None)
}

/// Each element less the one before it, along the last axis, which becomes shorter by one; of truth values whether
/// the two differ.
///
/// # Errors
/// [`Error::Axis`] for an array without dimensions; [`Error::NoQueue`], or what build and launch give.
pub fn diff(array: &Array, queue: Option<&CommandQueue>) -> Result<Array> {
    resolve_axis(-1, array.layout().ndim())?;
    let from = Index::Slice { start: Some(1), stop: None, step: 1 };
    let to = Index::Slice { start: None, stop: Some(-1), step: 1 };
    let (after, before) = (array.index(&[Index::Ellipsis, from])?, array.index(&[Index::Ellipsis, to])?);
    let op = if array.dtype() == DType::Bool { BinaryOp::Xor } else { BinaryOp::Subtract };
    ops::binary(op, &after, &before, queue)
}

impl Array {
    /// The elements in reverse order, along all axes, in new memory.
    ///
    /// # Errors
    /// [`Error::NoQueue`], or what build and launch give.
    pub fn reverse(&self, queue: Option<&CommandQueue>) -> Result<Self> {
        let queue = queue_for(queue, &[Operand::Array(self)])?;
        let backwards = Index::Slice { start: None, stop: None, step: -1 };
        copy(queue, &self.index(&Indices::from_elem(backwards, self.layout().ndim()))?)
    }
}

fn unlike(operation: &'static str, first: &Array, other: &Array, number: usize) -> Error {
    Error::JoinShapes { operation, number, first: first.shape().into(), found: other.shape().into() }
}

/// New memory for all arrays together, on the queue on which they are joined: in Fortran's order if they all are.
fn joined(
    arrays: &[&Array],
    queue: Option<&CommandQueue>,
    shape: &[usize],
    allocator: Option<Arc<dyn Allocator>>,
) -> Result<Array> {
    let queue = queue.or_else(|| arrays.iter().find_map(|array| array.queue())).ok_or(Error::NoQueue)?;
    for array in arrays {
        check_context(array.storage(), queue)?;
    }
    let mut dtypes = arrays.iter().map(|array| array.dtype());
    // There is a first array: the callers have looked.
    let first = dtypes.next().unwrap_or(DType::F64);
    let dtype = dtypes.try_fold(first, |a, b| common("concatenate", a, b))?;
    let reversed = |array: &&Array| array.layout().is_f_contiguous() && !array.layout().is_c_contiguous();
    let order = if arrays.iter().all(reversed) { Order::F } else { Order::C };
    let layout = Layout::contiguous(shape, dtype.size(), order)?;
    match allocator {
        Some(allocator) => Array::from_allocator(allocator, queue.context(), Some(queue), layout, dtype),
        None => Array::for_result(queue, arrays, layout, dtype),
    }
}

/// Copies an array into the part of the output that an index names.
fn put(array: &Array, output: &Array, indices: &[Index]) -> Result<()> {
    copy_into(output.queue().ok_or(Error::NoQueue)?, array, &output.index(indices)?)
}
