//! Broadcasting: stretching dimensions of length 1 and adding leading ones.

use super::{Layout, Shape, Strides};
use crate::error::{Error, Result};

/// The shape to which two shapes broadcast.
///
/// # Errors
/// [`Error::Broadcast`] if a dimension differs and neither is 1.
pub fn broadcast_pair(lhs: &[usize], rhs: &[usize]) -> Result<Shape> {
    let ndim = lhs.len().max(rhs.len());
    let at =
        |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(ndim).map_or(1, |own| shape[own]);
    (0..ndim)
        .map(|axis| match (at(lhs, axis), at(rhs, axis)) {
            (a, b) if a == b => Ok(a),
            (1, b) => Ok(b),
            (a, 1) => Ok(a),
            _ => Err(Error::Broadcast { lhs: lhs.into(), rhs: rhs.into() }),
        })
        .collect()
}

/// The shape to which all shapes broadcast; none broadcast to the shape of a scalar.
///
/// # Errors
/// [`Error::Broadcast`], naming the shape so far and the one that does not fit.
pub fn broadcast_shapes<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Result<Shape> {
    shapes.into_iter().try_fold(Shape::new(), |result, shape| {
        if result[..] == *shape { Ok(result) } else { broadcast_pair(&result, shape) }
    })
}

impl Layout {
    /// Strides with which this array is read as one of `shape`: 0 in stretched dimensions.
    ///
    /// # Errors
    /// [`Error::Broadcast`] if this array does not broadcast to `shape`.
    pub fn broadcast_strides(&self, shape: &[usize]) -> Result<Strides> {
        let error = || Error::Broadcast { lhs: self.0.shape.clone(), rhs: shape.into() };
        let added = shape.len().checked_sub(self.ndim()).ok_or_else(error)?;
        let mut strides = Strides::from_elem(0, shape.len());
        for axis in added..shape.len() {
            let own = axis - added;
            if self.0.shape[own] == shape[axis] {
                strides[axis] = if shape[axis] == 1 { 0 } else { self.0.strides[own] };
            } else if self.0.shape[own] != 1 {
                return Err(error());
            }
        }
        Ok(strides)
    }

    /// This array stretched to `shape` without copying.
    ///
    /// # Errors
    /// [`Error::Broadcast`] if it does not broadcast to `shape`.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Self> {
        let strides = self.broadcast_strides(shape)?;
        Ok(Self::derive(shape.into(), strides, self.0.offset, self.0.item_size))
    }
}
