//! Where the axes go when an index has arrays among its entries, by NumPy's rules. Pure.

use smallvec::SmallVec;

use super::{Index, Layout, Shape, Strides};
use crate::error::{Error, Result};

/// One entry of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An entry of basic indexing.
    Basic(Index),
    /// An array that stands for so many axes: one of positions for one, a mask for as many as it has.
    Axes(usize),
}

/// An axis that an array stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexedAxis {
    /// Its number in [`Advanced::layout`].
    pub axis: usize,
    /// Its number in the array that is indexed, for messages.
    pub original: usize,
    /// Its length.
    pub length: usize,
    /// Bytes from one of its elements to the next.
    pub stride: isize,
}

/// What an index with arrays means for a layout. The axes of the arrays, broadcast together, take the place of those
/// that they stand for: where the first of them is if they are neighbours (integers count among them), else in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// What the basic entries leave, with the axes that arrays stand for.
    pub layout: Layout,
    /// The axes that arrays stand for, in their order.
    pub indexed: SmallVec<[IndexedAxis; 4]>,
    /// How many of the other axes come before those of the arrays in the result.
    pub before: usize,
}

impl Advanced {
    /// Applies an index to a layout.
    ///
    /// # Errors
    /// As [`Layout::index`].
    pub fn new(layout: &Layout, entries: &[Entry]) -> Result<Self> {
        let consumed: usize = entries
            .iter()
            .map(|entry| match entry {
                Entry::Basic(Index::At(_) | Index::Slice { .. }) => 1,
                Entry::Basic(_) => 0,
                Entry::Axes(count) => *count,
            })
            .sum();
        let rest = layout
            .ndim()
            .checked_sub(consumed)
            .ok_or_else(|| Error::TooManyIndices { dimensions: layout.ndim() })?;
        let mut basic: SmallVec<[Index; 6]> = SmallVec::new();
        let mut indexed: SmallVec<[IndexedAxis; 4]> = SmallVec::new();
        // Axes so far: of the array, of what the basic entries leave, and of the latter those that no array stands for.
        let (mut original, mut axis, mut kept) = (0, 0, 0);
        let mut place = Place::Open;
        for &entry in entries {
            let fancy = matches!(entry, Entry::Basic(Index::At(_)) | Entry::Axes(_));
            place = place.after(fancy, kept);
            match entry {
                Entry::Basic(index) => {
                    basic.push(index);
                    let (taken, left) = match index {
                        Index::At(_) => (1, 0),
                        Index::Slice { .. } => (1, 1),
                        Index::NewAxis => (0, 1),
                        Index::Ellipsis => (rest, rest),
                    };
                    original += taken;
                    axis += left;
                    kept += left;
                }
                Entry::Axes(count) => {
                    basic.extend(std::iter::repeat_n(Index::FULL, count));
                    indexed.extend((0..count).map(|n| IndexedAxis {
                        axis: axis + n,
                        original: original + n,
                        length: 0,
                        stride: 0,
                    }));
                    original += count;
                    axis += count;
                }
            }
        }
        let layout = layout.index(&basic)?;
        for entry in &mut indexed {
            entry.length = layout.shape()[entry.axis];
            entry.stride = layout.strides()[entry.axis];
        }
        let before = match place {
            Place::Inside(before) | Place::Behind(before) => before,
            Place::Open | Place::Scattered => 0,
        };
        Ok(Self { layout, indexed, before })
    }

    /// The axes that no array stands for: lengths and strides.
    fn kept(&self) -> impl Iterator<Item = (usize, isize)> + '_ {
        let axes = self.layout.shape().iter().copied().zip(self.layout.strides().iter().copied());
        axes.enumerate()
            .filter(|(axis, _)| !self.indexed.iter().any(|indexed| indexed.axis == *axis))
            .map(|(_, axis)| axis)
    }

    /// How many of the other axes come after those of the arrays in the result.
    #[must_use]
    pub fn after(&self) -> usize {
        self.layout.ndim() - self.indexed.len() - self.before
    }

    /// Lengths of the axes that no array stands for.
    #[must_use]
    pub fn kept_shape(&self) -> Shape {
        self.kept().map(|(length, _)| length).collect()
    }

    /// Shape of the result, the arrays having `shape` together.
    #[must_use]
    pub fn result_shape(&self, shape: &[usize]) -> Shape {
        let mut result = self.kept_shape();
        result.insert_from_slice(self.before, shape);
        result
    }

    /// The elements at position 0 of the axes that arrays stand for, with `ndim` axes of length 1 in their place: it
    /// broadcasts with the result, and other elements lie [`IndexedAxis::stride`] bytes on. An array without elements
    /// has none.
    #[must_use]
    pub fn frame(&self, ndim: usize) -> Layout {
        let (mut shape, mut strides): (Shape, Strides) = self.kept().unzip();
        shape.insert_many(self.before, std::iter::repeat_n(1, ndim));
        strides.insert_many(self.before, std::iter::repeat_n(0, ndim));
        Layout::derive(shape, strides, self.layout.offset(), self.layout.item_size())
    }
}

/// Whether the arrays and integers of an index are neighbours.
#[derive(Clone, Copy)]
enum Place {
    /// There was none yet.
    Open,
    /// So many other axes came before them, and the last entry was one.
    Inside(usize),
    /// So many other axes came before them, and something else has come since.
    Behind(usize),
    /// They are not.
    Scattered,
}

impl Place {
    fn after(self, fancy: bool, kept: usize) -> Self {
        match (self, fancy) {
            (Self::Open, true) => Self::Inside(kept),
            (Self::Inside(before), false) => Self::Behind(before),
            (Self::Behind(_), true) => Self::Scattered,
            (same, _) => same,
        }
    }
}
