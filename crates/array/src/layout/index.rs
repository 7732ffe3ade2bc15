//! Basic indexing: integers, slices, new axes, an ellipsis; and transposition.

use super::{Layout, Shape, Strides};
use crate::error::{Error, Result};

/// One entry of a basic index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// One position; negative ones count from the end. The axis goes.
    At(isize),
    /// Python's `start:stop:step`.
    Slice {
        /// First position; by default the first in the direction of the step.
        start: Option<isize>,
        /// End, exclusive; by default all.
        stop: Option<isize>,
        /// Step, not zero.
        step: isize,
    },
    /// A new axis of length 1.
    NewAxis,
    /// As many full slices as are missing; at most one.
    Ellipsis,
}

impl Index {
    /// The slice `:`.
    pub const FULL: Self = Self::Slice { start: None, stop: None, step: 1 };
}

/// First position and number of positions of a slice of an axis of length `length`, as Python counts.
fn slice_extent(start: Option<isize>, stop: Option<isize>, step: isize, length: usize) -> (isize, usize) {
    let length = length as isize;
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let place = |bound: isize| {
        let bound = if bound < 0 { bound.saturating_add(length) } else { bound };
        bound.clamp(lowest, highest)
    };
    let start = start.map_or(if step > 0 { lowest } else { highest }, place);
    let stop = stop.map_or(if step > 0 { highest } else { lowest }, place);
    let gap = if step > 0 { stop - start } else { start - stop };
    let count = if gap <= 0 { 0 } else { (gap as usize - 1) / step.unsigned_abs() + 1 };
    (start, count)
}

/// The axis that a number means, which counts from the end if it is negative.
///
/// # Errors
/// [`Error::Axis`] if there is none.
pub fn resolve_axis(axis: isize, dimensions: usize) -> Result<usize> {
    let place = if axis < 0 { axis.checked_add(dimensions.cast_signed()) } else { Some(axis) };
    match place {
        Some(place) if place >= 0 && place.cast_unsigned() < dimensions => Ok(place.cast_unsigned()),
        _ => Err(Error::Axis { axis, dimensions }),
    }
}

impl Layout {
    /// The part that a basic index names; missing entries are full slices.
    ///
    /// # Errors
    /// [`Error::TooManyIndices`], [`Error::Index`], [`Error::ZeroStep`].
    pub fn index(&self, indices: &[Index]) -> Result<Self> {
        let used = indices.iter().filter(|i| matches!(i, Index::At(_) | Index::Slice { .. })).count();
        let ellipses = indices.iter().filter(|i| matches!(i, Index::Ellipsis)).count();
        if used > self.ndim() || ellipses > 1 {
            return Err(Error::TooManyIndices { dimensions: self.ndim() });
        }
        let mut shape = Shape::new();
        let mut strides = Strides::new();
        let mut offset = self.0.offset as isize;
        let mut axis = 0;
        let keep = |axis: &mut usize, count: usize, shape: &mut Shape, strides: &mut Strides| {
            shape.extend_from_slice(&self.0.shape[*axis..*axis + count]);
            strides.extend_from_slice(&self.0.strides[*axis..*axis + count]);
            *axis += count;
        };
        for &index in indices {
            match index {
                Index::NewAxis => {
                    shape.push(1);
                    strides.push(0);
                }
                Index::Ellipsis => keep(&mut axis, self.ndim() - used, &mut shape, &mut strides),
                Index::At(at) => {
                    let length = self.0.shape[axis];
                    let place = if at < 0 { at.checked_add(length as isize) } else { Some(at) };
                    match place {
                        Some(place) if place >= 0 && (place as usize) < length => {
                            // Without elements no address is formed, and the strides mean nothing.
                            if self.0.size > 0 {
                                offset += place * self.0.strides[axis];
                            }
                        }
                        _ => return Err(Error::Index { index: at, axis, size: length }),
                    }
                    axis += 1;
                }
                Index::Slice { step: 0, .. } => return Err(Error::ZeroStep),
                Index::Slice { start, stop, step } => {
                    let (first, count) = slice_extent(start, stop, step, self.0.shape[axis]);
                    if count > 0 && self.0.size > 0 {
                        offset += first * self.0.strides[axis];
                    }
                    shape.push(count);
                    strides.push(self.0.strides[axis].wrapping_mul(step));
                    axis += 1;
                }
            }
        }
        let rest = self.ndim() - axis;
        keep(&mut axis, rest, &mut shape, &mut strides);
        Ok(Self::derive(shape, strides, offset as usize, self.0.item_size))
    }

    /// The same elements with axes in another order.
    ///
    /// # Errors
    /// [`Error::NotAPermutation`].
    pub fn transpose(&self, axes: &[usize]) -> Result<Self> {
        let mut seen = Shape::from_elem(0, self.ndim());
        for &axis in axes {
            if let Some(count) = seen.get_mut(axis) {
                *count += 1;
            }
        }
        if axes.len() != self.ndim() || seen.iter().any(|&count| count != 1) {
            return Err(Error::NotAPermutation { axes: axes.to_vec() });
        }
        let shape = axes.iter().map(|&axis| self.0.shape[axis]).collect();
        let strides = axes.iter().map(|&axis| self.0.strides[axis]).collect();
        Ok(Self::derive(shape, strides, self.0.offset, self.0.item_size))
    }

    /// The same elements with axes in reverse order.
    #[must_use]
    pub fn reversed_axes(&self) -> Self {
        let shape = self.0.shape.iter().rev().copied().collect();
        let strides = self.0.strides.iter().rev().copied().collect();
        Self::derive(shape, strides, self.0.offset, self.0.item_size)
    }

    /// Without the axes of length 1.
    #[must_use]
    pub fn squeeze(&self) -> Self {
        let kept = || (0..self.ndim()).filter(|&axis| self.0.shape[axis] != 1);
        let shape = kept().map(|axis| self.0.shape[axis]).collect();
        let strides = kept().map(|axis| self.0.strides[axis]).collect();
        Self::derive(shape, strides, self.0.offset, self.0.item_size)
    }
}
