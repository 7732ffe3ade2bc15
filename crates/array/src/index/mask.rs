//! Masks: which elements of some axes are meant, said by an array of as many axes.
//!
//! The sums of a mask's truth values up to an element say where among the chosen ones it is: that, and the condition, is
//! all that reading and writing need, for any layout.

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use super::{Positions, Subscript, apart};
use crate::array::{Array, Operand, check_context};
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::expr::BinaryOp;
use crate::layout::{Advanced, Entry, Index, IndexedAxis, Layout, Order, Shape};
use crate::ops::Lazy;
use crate::ops::element::Along;
use crate::ops::logical::truth;
use crate::scan;

/// An index with a mask and no other array.
struct Masked<'a> {
    /// What is indexed, with the axes that the mask stands for.
    part: Array,
    mask: &'a Array,
    advanced: Advanced,
    /// The mask's number of the first of its axes, and how many others come after them.
    first: usize,
    behind: usize,
}

impl<'a> Masked<'a> {
    fn new(array: &Array, mask: &'a Array, entries: &[Entry], queue: &CommandQueue) -> Result<Self> {
        check_context(mask.storage(), queue)?;
        let advanced = Advanced::new(array.layout(), entries)?;
        check_shape(mask, &advanced.indexed)?;
        let first = advanced.indexed.first().map_or(0, |axis| axis.axis);
        let behind = advanced.layout.ndim() - first - advanced.indexed.len();
        Ok(Self { part: array.view(advanced.layout.clone()), mask, advanced, first, behind })
    }

    /// An array of the mask's shape beside the part.
    fn beside(&self, array: &Array) -> Result<Array> {
        let mut indices: SmallVec<[Index; 6]> = SmallVec::from_elem(Index::Ellipsis, 1);
        indices.extend(std::iter::repeat_n(Index::NewAxis, self.behind));
        array.index(&indices)
    }

    /// An array that has one axis for the chosen elements, or its elements at position 0 of it, beside the part.
    fn spread(&self, array: &Array) -> Result<Array> {
        // Its other axes, those of the result, in their order, around as many axes of length 1 as the mask has.
        let before = self.advanced.before;
        let mut shape: Shape = array.shape().into();
        let mut strides: crate::layout::Strides = array.layout().strides().into();
        shape.remove(before);
        strides.remove(before);
        let ndim = self.mask.layout().ndim();
        shape.insert_many(self.first, std::iter::repeat_n(1, ndim));
        strides.insert_many(self.first, std::iter::repeat_n(0, ndim));
        let layout = array.layout();
        Ok(array.view(Layout::derive(shape, strides, layout.offset(), layout.item_size())))
    }

    /// Where among the chosen elements an element comes, beside the part, and their number.
    fn places(&self, queue: &CommandQueue) -> Result<(Lazy, usize)> {
        let (ranks, count) = ranks(self.mask, queue)?;
        let places =
            Lazy::from(&self.beside(&ranks)?).binary(BinaryOp::Subtract, &Scalar::WeakInt(1).into())?;
        Ok((places, count))
    }

    fn condition(&self) -> Result<Lazy> {
        chosen(&Lazy::from(&self.beside(self.mask)?))
    }
}

/// Whether a mask chooses an element. What `~` makes of a comparison's 1 is -2, and chooses none as that of NumPy's
/// truth values does.
fn chosen(mask: &Lazy) -> Result<Lazy> {
    let truth = truth(mask)?;
    if mask.dtype() != DType::I8 {
        return Ok(truth);
    }
    let other = mask.binary(BinaryOp::NotEqual, &Scalar::I8(!1).into())?;
    truth.binary(BinaryOp::And, &other)
}

/// The number of chosen elements up to each one, in the mask's shape, and of all; the host waits for it.
fn ranks(mask: &Array, queue: &CommandQueue) -> Result<(Array, usize)> {
    let dtype = if i32::try_from(mask.layout().size()).is_ok() { DType::I32 } else { DType::I64 };
    let ranks = scan::cumsum(chosen(&mask.into())?, Some(dtype), Some(queue))?;
    let count = match ranks.layout().size() {
        0 => 0,
        _ => {
            let last = ranks.index(&[Index::At(-1)])?;
            let bytes = last.to_host(Order::C, Some(queue))?;
            // Four or eight bytes; not negative.
            bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
        }
    };
    let shape: Vec<i64> = mask.shape().iter().map(|&length| length as i64).collect();
    Ok((ranks.reshape(&shape, Order::C)?, count))
}

/// The elements where the mask holds.
pub(super) fn get(array: &Array, mask: &Array, entries: &[Entry], queue: &CommandQueue) -> Result<Array> {
    let masked = Masked::new(array, mask, entries, queue)?;
    let (places, count) = masked.places(queue)?;
    let shape = masked.advanced.result_shape(&[count]);
    let layout = Layout::contiguous(&shape, array.dtype().size(), Order::C)?;
    let output = Array::for_result(queue, &[array], layout, array.dtype())?;
    if output.layout().size() == 0 {
        return Ok(output);
    }
    let stride = output.layout().strides()[masked.advanced.before];
    let target = masked.spread(&output)?.broadcast_to(masked.part.shape())?;
    let along = [Along { positions: places, length: count, stride }];
    Lazy::from(&masked.part).stored_at(&along, Some(&masked.condition()?))?.store(&target, Some(queue))?;
    Ok(output)
}

/// Sets the elements where the mask holds.
pub(super) fn set(
    array: &Array,
    mask: &Array,
    entries: &[Entry],
    value: Operand<'_>,
    queue: &CommandQueue,
) -> Result<()> {
    let masked = Masked::new(array, mask, entries, queue)?;
    let condition = masked.condition()?;
    let value = match value {
        Operand::Scalar(number) => Lazy::scalar(number.store(array.dtype())?),
        Operand::Array(from) => {
            let ndim = masked.advanced.result_shape(&[1]).len();
            masked.value(&apart(queue, &from.trimmed(ndim)?, array)?, queue)?
        }
    };
    value.stored_at(&[], Some(&condition))?.store(&masked.part, Some(queue))
}

impl Masked<'_> {
    /// The elements of an array that broadcasts to the chosen ones, each where it goes.
    fn value(&self, from: &Array, queue: &CommandQueue) -> Result<Lazy> {
        let ndim = self.advanced.result_shape(&[1]).len();
        let unfit = |count| {
            let expected = self.advanced.result_shape(&[count]);
            Error::Broadcast { lhs: from.shape().into(), rhs: expected }
        };
        let missing = ndim.checked_sub(from.layout().ndim()).ok_or_else(|| unfit(0))?;
        let mut indices: SmallVec<[Index; 6]> = SmallVec::from_elem(Index::NewAxis, missing);
        indices.push(Index::Ellipsis);
        let from_all = from.index(&indices)?;
        let (length, before) = (from_all.shape()[self.advanced.before], self.advanced.before);
        let kept = self.advanced.kept_shape();
        let others = from_all.shape().iter().enumerate().filter(|&(axis, _)| axis != before);
        if others.zip(&kept).any(|((_, &found), &expected)| found != expected && found != 1) {
            return Err(unfit(length));
        }
        let spread = self.spread(&from_all)?;
        if length == 1 {
            return Ok(Lazy::from(&spread));
        }
        let (places, count) = self.places(queue)?;
        if count != length {
            return Err(Error::MaskCount { expected: count, found: length });
        }
        if count == 0 {
            // Nothing is read where nothing is set.
            return Ok(Lazy::scalar(Scalar::Bool(false).store(self.part.dtype())?));
        }
        let stride = from_all.layout().strides()[before];
        Lazy::element(&spread, &[Along { positions: places, length, stride }])
    }
}

/// Masks of an index with several arrays, as positions.
pub(super) struct Held {
    /// Of each subscript that is a mask those along its axes.
    arrays: Vec<Vec<Array>>,
}

/// The positions where the masks among the subscripts of an array hold.
pub(super) fn as_positions(
    array: &Array,
    subscripts: &[Subscript<'_>],
    queue: &CommandQueue,
) -> Result<Held> {
    if !subscripts.iter().any(|subscript| matches!(subscript, Subscript::Mask(_))) {
        return Ok(Held { arrays: Vec::new() });
    }
    let entries: SmallVec<[Entry; 6]> = subscripts.iter().map(Subscript::entry).collect();
    let advanced = Advanced::new(array.layout(), &entries)?;
    let mut axes = &advanced.indexed[..];
    let mut arrays = Vec::new();
    for subscript in subscripts {
        let count = match subscript {
            Subscript::Basic(_) => continue,
            Subscript::Positions(_) => 1,
            Subscript::Mask(mask) => mask.layout().ndim(),
        };
        let (own, others) = axes.split_at(count);
        axes = others;
        if let Subscript::Mask(mask) = subscript {
            check_shape(mask, own)?;
            arrays.push(nonzero(mask, queue)?);
        }
    }
    Ok(Held { arrays })
}

/// Refuses a mask of another shape than that of the axes that it stands for.
fn check_shape(mask: &Array, axes: &[IndexedAxis]) -> Result<()> {
    let shape: Shape = axes.iter().map(|axis| axis.length).collect();
    if *mask.shape() == shape[..] {
        return Ok(());
    }
    let axis = axes.first().map_or(0, |axis| axis.original);
    Err(Error::MaskShape { axis, mask: mask.shape().into(), shape })
}

impl Held {
    /// The subscripts with positions in place of masks.
    pub(super) fn subscripts<'a>(&'a self, subscripts: &[Subscript<'a>]) -> Vec<Subscript<'a>> {
        let mut held = self.arrays.iter();
        let mut all = Vec::new();
        for subscript in subscripts {
            match subscript {
                Subscript::Mask(_) => all.extend(
                    held.next()
                        .into_iter()
                        .flatten()
                        .map(|array| Subscript::Positions(Positions::Device(array))),
                ),
                other => all.push(other.clone()),
            }
        }
        all
    }
}

/// The positions, along each axis, of the chosen elements, in C order, as int64.
///
/// # Errors
/// [`Error::MaskBesideArrays`] for a mask without dimensions; [`Error::NoQueue`], or what build and launch give.
fn nonzero(mask: &Array, queue: &CommandQueue) -> Result<Vec<Array>> {
    if mask.layout().ndim() == 0 {
        return Err(Error::MaskBesideArrays);
    }
    (0..mask.layout().ndim())
        .map(|axis| {
            let length = Scalar::I64(mask.shape()[axis] as i64);
            let numbers = Array::arange(queue, Scalar::I64(0), length, Scalar::I64(1), DType::I64)?;
            let mut indices: SmallVec<[Index; 6]> = SmallVec::from_elem(Index::Ellipsis, 1);
            indices.extend(std::iter::repeat_n(Index::NewAxis, mask.layout().ndim() - 1 - axis));
            let numbers = numbers.index(&indices)?.broadcast_to(mask.shape())?;
            get(&numbers, mask, &[Entry::Axes(mask.layout().ndim())], queue)
        })
        .collect()
}
