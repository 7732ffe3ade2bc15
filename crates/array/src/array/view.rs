//! Views: the same memory, read as another array.

use smallvec::SmallVec;

use super::Array;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::{Index, Layout, Order, Strides};

impl Array {
    /// The same memory with another layout inside of it.
    pub(crate) fn view(&self, layout: Layout) -> Self {
        let Self { storage, dtype, queue, allocator, .. } = self;
        let (storage, queue, allocator) = (storage.clone(), queue.clone(), allocator.clone());
        Self { storage, layout, dtype: *dtype, queue, allocator }
    }

    /// The part that a basic index names (slices, positions, new axes, an ellipsis).
    ///
    /// # Errors
    /// As [`Layout::index`].
    pub fn index(&self, indices: &[Index]) -> Result<Self> {
        Ok(self.view(self.layout.index(indices)?))
    }

    /// With the axes in another order; in reverse order by default.
    ///
    /// # Errors
    /// [`Error::NotAPermutation`].
    pub fn transpose(&self, axes: Option<&[usize]>) -> Result<Self> {
        Ok(self.view(match axes {
            Some(axes) => self.layout.transpose(axes)?,
            None => self.layout.reversed_axes(),
        }))
    }

    /// With another shape (at most one length may be -1), without a copy.
    ///
    /// # Errors
    /// As [`Layout::reshape`]: [`Error::ReshapeCopies`] if only a copy could have this shape.
    pub fn reshape(&self, shape: &[i64], order: Order) -> Result<Self> {
        Ok(self.view(self.layout.reshape(shape, order)?))
    }

    /// Without the axes of length 1.
    #[must_use]
    pub fn squeeze(&self) -> Self {
        self.view(self.layout.squeeze())
    }

    /// Stretched to a shape, without a copy. Several elements are then one place in memory.
    ///
    /// # Errors
    /// [`Error::Broadcast`].
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Self> {
        Ok(self.view(self.layout.broadcast_to(shape)?))
    }

    /// With other shape and strides (bytes), from the same first element.
    ///
    /// # Errors
    /// [`Error::OutOfBuffer`] if it reaches beyond the memory.
    pub fn as_strided(&self, shape: &[usize], strides: &[isize]) -> Result<Self> {
        let size = self.buffer().size();
        let layout = Layout::strided(shape, strides, self.layout.offset(), self.dtype.size());
        let layout = layout.map_err(|error| match error {
            Error::BeforeBuffer { low, high } => Error::OutOfBuffer { low, high, size },
            other => other,
        })?;
        layout.check_inside(size)?;
        Ok(self.view(layout))
    }

    /// Without leading axes of length 1 that are more than `ndim`, which do not count where elements are set.
    pub(crate) fn trimmed(&self, ndim: usize) -> Result<Self> {
        let more = self.layout.ndim().saturating_sub(ndim);
        let ones = self.shape()[..more].iter().take_while(|&&length| length == 1).count();
        if ones == 0 {
            return Ok(self.clone());
        }
        self.index(&SmallVec::<[Index; 6]>::from_elem(Index::At(0), ones))
    }

    /// The same bytes read as another dtype. Of another size it changes the length of the last axis, along which there
    /// must be no gaps, or, of an array that lies in Fortran's order, that of the first.
    ///
    /// # Errors
    /// [`Error::ViewSize`] if the layout or the length does not allow it.
    pub fn view_as(&self, dtype: DType) -> Result<Self> {
        let (old, new) = (self.dtype.size(), dtype.size());
        let mut shape: crate::layout::Shape = self.shape().into();
        let mut strides: Strides = self.layout.strides().into();
        if old != new {
            let refuse = || Error::ViewSize { from: self.dtype, to: dtype, shape: self.shape().into() };
            let gap_free = |axis: &usize| {
                let layout = &self.layout;
                shape[*axis] == 1 || layout.size() == 0 || layout.strides()[*axis] == old as isize
            };
            let last = shape.len().checked_sub(1).filter(gap_free);
            let first = Some(0).filter(|_| !shape.is_empty() && self.layout.is_f_contiguous());
            let axis = last.or(first).ok_or_else(refuse)?;
            if !(shape[axis] * old).is_multiple_of(new) {
                return Err(refuse());
            }
            shape[axis] = shape[axis] * old / new;
            strides[axis] = new as isize;
        }
        let layout = Layout::strided(&shape, &strides, self.layout.offset(), new)?;
        layout.check_inside(self.buffer().size())?;
        Ok(Self { dtype, ..self.view(layout) })
    }
}
