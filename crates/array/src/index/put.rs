//! Elements taken from positions of a whole array, and put there.

use opencl_runtime::CommandQueue;

use super::{Positions, Resolved, Subscript, apart};
use crate::array::{Array, Operand};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::expr::BinaryOp;
use crate::layout::{Layout, Order, Shape, Strides, broadcast_pair};
use crate::ops::Lazy;
use crate::ops::element::Along;

/// The elements of an array, counted in C order, at positions: an array of the positions' shape, in one kernel (and a
/// copy of an array whose elements do not lie in one row).
///
/// # Errors
/// [`Error::Index`], [`Error::IndexDType`], [`Error::NoQueue`], [`Error::DifferentContexts`], or what build and launch
/// give.
pub fn take(array: &Array, positions: &Positions<'_>, queue: Option<&CommandQueue>) -> Result<Array> {
    let queue = array.queue_for(queue)?;
    row(array, queue)?.get_at(&[Subscript::Positions(positions.clone())], Some(queue))
}

/// As [`take`], into an array that exists.
///
/// # Errors
/// As [`take`]; [`Error::OutputDType`]; [`Error::OutputShape`] if the positions' shape is another.
pub fn take_into(
    array: &Array,
    positions: &Positions<'_>,
    output: &Array,
    queue: Option<&CommandQueue>,
) -> Result<()> {
    let queue = array.queue_for(queue)?;
    if positions.shape() != output.shape() {
        return Err(Error::OutputShape { expected: positions.shape().into(), found: output.shape().into() });
    }
    let source = row(&apart(queue, array, output)?, queue)?;
    let index = Resolved::new(&source, &[Subscript::Positions(positions.clone())], queue, Some(output))?;
    Lazy::element(&index.frame, &index.along)?.evaluate_into(output, Some(queue))
}

/// Sets the elements of `output`, counted in C order, at `positions` to those of `values`, again from the first one on
/// when there are no more; or to those at positions among them, the array of `from`, to each of which a number is added.
///
/// # Errors
/// As [`take`]; [`Error::Broadcast`] or [`Error::OutputShape`] if shapes differ; [`Error::ReshapeCopies`] if the elements
/// of `output` do not lie in one row.
pub fn put(
    output: &Array,
    positions: &Array,
    values: &Array,
    from: Option<(&Array, i64)>,
    queue: Option<&CommandQueue>,
) -> Result<()> {
    let queue = output.queue_for(queue)?;
    if !output.layout().is_aligned() {
        let aligned = output.copy(Some(queue))?;
        put(&aligned, positions, values, from, Some(queue))?;
        return output.assign(&aligned, Some(queue));
    }
    let target = output.reshape(&[-1], Order::C)?;
    let subscript = Subscript::Positions(Positions::Device(positions));
    let index = Resolved::new(&target, &[subscript], queue, Some(output))?;
    let values = apart(queue, values, output)?;
    let value = match from {
        None if values.shape() == positions.shape() => Lazy::from(&values),
        None => {
            let [first, size, step] = [0, positions.layout().size(), 1].map(|n| Scalar::I64(n as i64));
            let shape: Vec<i64> = positions.shape().iter().map(|&length| length as i64).collect();
            let numbers = Array::arange(queue, first, size, step, DType::I64)?.reshape(&shape, Order::C)?;
            let count = Scalar::I64(values.layout().size().max(1) as i64);
            let cycled = Lazy::from(&numbers).binary(BinaryOp::Modulo, &count.into())?;
            elements(&values, cycled, numbers.layout().size(), queue)?
        }
        Some((from, number)) => {
            let from = apart(queue, from, output)?;
            let positions = signed(Lazy::from(&from))?;
            let shifted = positions.binary(BinaryOp::Add, &Scalar::I64(number).into())?;
            elements(&values, shifted, from.layout().size(), queue)?
        }
    };
    store(queue, &value, &index)
}

/// Positions as int64, where adding a number to what uint64 holds beyond it stays beyond every array.
fn signed(positions: Lazy) -> Result<Lazy> {
    if positions.dtype() != DType::U64 {
        return positions.cast(DType::I64);
    }
    let largest = Scalar::U64(i64::MAX as u64 / 2);
    positions.binary(BinaryOp::Minimum, &largest.into())?.cast(DType::I64)
}

/// The elements of an array, counted in C order, at so many positions, as an expression.
pub(crate) fn elements(array: &Array, positions: Lazy, count: usize, queue: &CommandQueue) -> Result<Lazy> {
    let source = row(array, queue)?;
    let length = source.layout().size();
    if length == 0 && count > 0 {
        return Err(Error::Index { index: 0, axis: 0, size: 0 });
    }
    let stride = source.layout().strides()[0];
    let first = source.view(first_element(source.layout()));
    Lazy::element(&first, &[Along { positions, length, stride }])
}

/// Sets the elements that an index names.
pub(super) fn scatter(
    queue: &CommandQueue,
    array: &Array,
    index: &Resolved,
    value: Operand<'_>,
) -> Result<()> {
    let value = match value {
        Operand::Scalar(number) => Lazy::scalar(number.store(array.dtype())?),
        Operand::Array(from) => {
            let from = apart(queue, &from.trimmed(index.shape.len())?, array)?;
            if broadcast_pair(from.shape(), &index.shape)? != index.shape {
                return Err(Error::OutputShape { expected: from.shape().into(), found: index.shape.clone() });
            }
            Lazy::from(&from)
        }
    };
    store(queue, &value, index)
}

fn store(queue: &CommandQueue, value: &Lazy, index: &Resolved) -> Result<()> {
    let target = index.frame.broadcast_to(&index.shape)?;
    value.stored_at(&index.along, None)?.store(&target, Some(queue))
}

/// The first element alone, without dimensions.
fn first_element(layout: &Layout) -> Layout {
    Layout::derive(Shape::new(), Strides::new(), layout.offset(), layout.item_size())
}

/// The elements in one dimension, in C order, aligned: a copy if they do not lie so.
fn row(array: &Array, queue: &CommandQueue) -> Result<Array> {
    if !array.layout().is_aligned() {
        return row(&array.copy_in(Order::C, Some(queue))?, queue);
    }
    match array.reshape(&[-1], Order::C) {
        Err(Error::ReshapeCopies { .. }) => array.copy_in(Order::C, Some(queue))?.reshape(&[-1], Order::C),
        other => other,
    }
}
