//! Another shape for the same elements without moving them.

use super::{Layout, Order, Shape, Strides, contiguous_strides};
use crate::error::{Error, Result};

/// Resolves a shape with at most one `-1`, which takes what is left of `size` elements.
///
/// # Errors
/// [`Error::UnknownLengths`] for a second `-1`, [`Error::NegativeDimension`] for other negative lengths,
/// [`Error::ReshapeSize`] if the sizes differ.
pub fn resolve_shape(shape: &[i64], size: usize) -> Result<Shape> {
    let mismatch = || Error::ReshapeSize { size, shape: shape.to_vec() };
    let mut free = None;
    let mut resolved = Shape::new();
    let mut known: usize = 1;
    for (axis, &dimension) in shape.iter().enumerate() {
        match usize::try_from(dimension) {
            Ok(length) => {
                known = known.checked_mul(length).ok_or_else(mismatch)?;
                resolved.push(length);
            }
            Err(_) if dimension == -1 && free.is_none() => {
                free = Some(axis);
                resolved.push(1);
            }
            Err(_) if dimension == -1 => return Err(Error::UnknownLengths { shape: shape.to_vec() }),
            Err(_) => return Err(Error::NegativeDimension { dimension }),
        }
    }
    if let Some(axis) = free {
        if known == 0 || !size.is_multiple_of(known) {
            return Err(mismatch());
        }
        resolved[axis] = size / known;
        known = size;
    }
    if known == size { Ok(resolved) } else { Err(mismatch()) }
}

impl Layout {
    /// The same elements, read in `order`, as an array of `shape` (see [`resolve_shape`]).
    ///
    /// # Errors
    /// As [`resolve_shape`]; [`Error::ReshapeCopies`] if no strides do it.
    pub fn reshape(&self, shape: &[i64], order: Order) -> Result<Self> {
        let shape = resolve_shape(shape, self.0.size)?;
        let gap_free = match order {
            Order::C => self.0.c_contiguous,
            Order::F => self.0.f_contiguous,
        };
        let strides = if gap_free {
            contiguous_strides(&shape, self.0.item_size, order)?
        } else {
            match order {
                Order::C => split(&self.0.shape, &self.0.strides, &shape, self.0.item_size),
                Order::F => {
                    // The same question with all axes reversed.
                    let reverse = |lengths: &[usize]| lengths.iter().rev().copied().collect::<Shape>();
                    let strides: Strides = self.0.strides.iter().rev().copied().collect();
                    split(&reverse(&self.0.shape), &strides, &reverse(&shape), self.0.item_size)
                        .map(|strides| strides.into_iter().rev().collect())
                }
            }
            .ok_or_else(|| Error::ReshapeCopies { shape: shape.clone() })?
        };
        Ok(Self::derive(shape, strides, self.0.offset, self.0.item_size))
    }
}

/// Strides for `new` over the elements of `old` in C order: old and new dimensions are grouped into runs of
/// equal size, and within a run the old ones must step as one.
fn split(old: &[usize], old_strides: &[isize], new: &[usize], item_size: usize) -> Option<Strides> {
    let dims: SmallPairs =
        old.iter().copied().zip(old_strides.iter().copied()).filter(|&(length, _)| length != 1).collect();
    let mut strides = Strides::from_elem(item_size as isize, new.len());
    let (mut old_end, mut new_end) = (dims.len(), new.len());
    while new_end > 0 {
        if old_end == 0 {
            // Only lengths 1 are left.
            return new[..new_end].iter().all(|&length| length == 1).then_some(strides);
        }
        let (mut old_start, mut new_start) = (old_end - 1, new_end - 1);
        let (mut old_size, mut new_size) = (dims[old_start].0, new[new_start]);
        while old_size != new_size {
            if old_size < new_size {
                old_start = old_start.checked_sub(1)?;
                old_size *= dims[old_start].0;
            } else {
                new_start = new_start.checked_sub(1)?;
                new_size *= new[new_start];
            }
        }
        for pair in dims[old_start..old_end].windows(2) {
            if pair[0].1 != pair[1].1.checked_mul(pair[1].0 as isize)? {
                return None;
            }
        }
        let mut stride = dims[old_end - 1].1;
        for axis in (new_start..new_end).rev() {
            strides[axis] = stride;
            stride = stride.checked_mul(new[axis] as isize)?;
        }
        (old_end, new_end) = (old_start, new_start);
    }
    Some(strides)
}

type SmallPairs = smallvec::SmallVec<[(usize, isize); 4]>;
