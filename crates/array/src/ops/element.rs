//! Expressions that take elements from elsewhere in an array, or that are stored there.

use std::sync::Arc;

use opencl_runtime::CommandQueue;

use super::graph::Builder;
use super::lazy::{Lazy, State};
use crate::array::Array;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, Result};
use crate::expr::{BinaryOp, Id, Target};
use crate::index::elements;

/// The elements of an array, counted in C order, at positions, as an expression: see [`crate::index::take`]. An array
/// whose elements do not lie in one row is copied, on the queue.
///
/// # Errors
/// [`Error::IndexDType`]; [`Error::Index`] for positions in an array without elements; [`Error::NoQueue`], or what the
/// copy gives.
pub fn take(array: &Array, positions: &Array, queue: Option<&CommandQueue>) -> Result<Lazy> {
    let queue = queue.or(array.queue()).ok_or(Error::NoQueue)?;
    if !positions.dtype().is_integer() {
        return Err(Error::IndexDType { dtype: positions.dtype() });
    }
    elements(array, positions.into(), positions.layout().size(), queue)
}

/// Positions along one axis of an array.
pub(crate) struct Along {
    pub(crate) positions: Lazy,
    /// Length of the axis, not zero.
    pub(crate) length: usize,
    /// Bytes from one element of the axis to the next.
    pub(crate) stride: isize,
}

impl Lazy {
    /// The elements of an array at positions along axes that `base`, which holds the elements at position 0, does not
    /// have. Negative positions count from the end; those beyond an axis take its nearest element.
    pub(crate) fn element(base: &Array, along: &[Along]) -> Result<Self> {
        let base_lazy = Self::from(base);
        let mut builder = Builder::default();
        let array = builder.take(&base_lazy)?;
        let (offset, _) = builder.offset(along)?;
        match offset {
            Some(offset) => builder.expr.element(array, offset),
            None => builder.expr.cast(array, base.dtype()),
        };
        Ok(Self(State::Graph(Arc::new(builder.finish()?))))
    }

    /// The same, to be stored so far along axes of the output, and only where `condition` is not zero, by default where
    /// the positions are those of elements.
    pub(crate) fn stored_at(&self, along: &[Along], condition: Option<&Self>) -> Result<Self> {
        let mut builder = Builder::default();
        let value = builder.take(self)?;
        let (offset, inside) = builder.offset(along)?;
        let condition = match condition {
            Some(condition) => {
                let condition = builder.take(condition)?;
                Some(builder.expr.cast(condition, DType::Bool))
            }
            None => inside,
        };
        builder.expr.store(value, Target { condition, offset });
        Ok(Self(State::Graph(Arc::new(builder.finish()?))))
    }
}

impl<'a> Builder<'a> {
    /// How many bytes the positions are from the first elements of their axes, and whether all are inside.
    fn offset(&mut self, along: &'a [Along]) -> Result<(Option<Id>, Option<Id>)> {
        let (mut sum, mut all) = (None, None);
        for Along { positions, length, stride } in along {
            let position = self.take(positions)?;
            let position = self.signed(position)?;
            let length = self.number(*length as i64);
            let stride = self.number(*stride as i64);
            let offset = self.expr.offset(position, length, stride);
            let inside = self.expr.on_axis(position, length);
            sum = match sum {
                Some(sum) => Some(self.expr.binary(BinaryOp::Add, sum, offset)?),
                None => Some(offset),
            };
            all = match all {
                Some(all) => Some(self.expr.binary(BinaryOp::And, all, inside)?),
                None => Some(inside),
            };
        }
        Ok((sum, all))
    }

    /// A position that int64 holds: those of uint64 that it does not are beyond every axis, as its largest is.
    fn signed(&mut self, position: Id) -> Result<Id> {
        if self.expr.dtype(position) != DType::U64 {
            return Ok(position);
        }
        let largest = self.scalar(&Arc::new(Scalar::U64(i64::MAX as u64)));
        self.expr.binary(BinaryOp::Minimum, position, largest)
    }

    fn number(&mut self, value: i64) -> Id {
        self.scalar(&Arc::new(Scalar::I64(value)))
    }
}
