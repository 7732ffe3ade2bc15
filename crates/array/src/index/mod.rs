//! Elements at positions and where masks hold, read and written, by NumPy's rules of advanced indexing.
//!
//! Reading is one kernel, and so is writing; a mask that is read first counts its elements, for which the host waits.
//!
//! Positions in host memory are checked: [`Error::Index`]. Those on the device are not known to the host, and so cannot
//! be refused: what is read beyond an axis is its nearest element, what is written there is left out. Where several
//! positions to write to are the same, any one of the values is written.

mod mask;
mod put;

use std::borrow::Cow;

use opencl_runtime::CommandQueue;
use smallvec::SmallVec;

use crate::array::{Array, Operand, check_context};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::evaluate::copy;
use crate::layout::{Advanced, Entry, Index, IndexedAxis, Layout, Order, Shape, broadcast_shapes};
use crate::ops::Lazy;
use crate::ops::element::Along;

pub(crate) use put::elements;
pub use put::{put, take, take_into};

/// One entry of an index.
#[derive(Clone, Debug)]
pub enum Subscript<'a> {
    /// An entry of basic indexing.
    Basic(Index),
    /// Positions along one axis.
    Positions(Positions<'a>),
    /// An array whose elements say, by not being zero, which elements are meant of as many axes as it has.
    Mask(&'a Array),
}

/// Positions along an axis; negative ones count from the end.
#[derive(Clone, Debug)]
pub enum Positions<'a> {
    /// Integers on the device.
    Device(&'a Array),
    /// Integers of the host, in C order.
    Host {
        /// Shape.
        shape: Shape,
        /// As many numbers as the shape has elements.
        values: Cow<'a, [i64]>,
    },
}

impl Positions<'_> {
    fn shape(&self) -> &[usize] {
        match self {
            Self::Device(array) => array.shape(),
            Self::Host { shape, .. } => shape,
        }
    }

    /// The positions on the device, those of the host if they are inside the axis.
    fn on_device(&self, queue: &CommandQueue, axis: IndexedAxis) -> Result<Array> {
        match self {
            Self::Device(array) => {
                check_context(array.storage(), queue)?;
                Ok((*array).clone())
            }
            Self::Host { shape, values } => {
                let length = axis.length as i64;
                if let Some(&wrong) = values.iter().find(|&&value| value < -length || value >= length) {
                    return Err(Error::Index {
                        index: wrong as isize,
                        axis: axis.original,
                        size: axis.length,
                    });
                }
                Array::from_host(queue, shape, DType::I64, Order::C, bytemuck::cast_slice(values))
            }
        }
    }
}

impl Array {
    /// The part that an index names, in new memory if the index has an array.
    ///
    /// ```
    /// use opencl_array::{Array, Index, index::{Positions, Subscript}};
    /// use opencl_runtime::{CommandQueue, Context};
    ///
    /// # fn main() -> Result<(), opencl_array::Error> {
    /// let queue = CommandQueue::new(&Context::from_environment()?)?;
    /// let x = Array::from_slice_with_shape(&queue, &[2, 3], &[0_f32, 1.0, 2.0, 3.0, 4.0, 5.0])?;
    /// let columns = Array::from_slice(&queue, &[-1_i32, 0])?;
    /// let index = [Subscript::Basic(Index::FULL), Subscript::Positions(Positions::Device(&columns))];
    /// assert_eq!(x.get_at(&index, None)?.to_vec::<f32>()?, [2.0, 0.0, 5.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Layout::index`]; [`Error::Index`], [`Error::IndexDType`], [`Error::MaskShape`]; [`Error::Broadcast`] if the
    /// arrays do not broadcast together; [`Error::NoQueue`], [`Error::DifferentContexts`], or what build and launch
    /// give.
    pub fn get_at(&self, subscripts: &[Subscript<'_>], queue: Option<&CommandQueue>) -> Result<Self> {
        match Kind::of(subscripts) {
            Kind::Basic(indices) => self.index(&indices),
            Kind::Mask(mask, entries) => mask::get(self, mask, &entries, self.queue_for(queue)?),
            Kind::Arrays if !self.layout().is_aligned() => self.copy(queue)?.get_at(subscripts, queue),
            Kind::Arrays => {
                let queue = self.queue_for(queue)?;
                let held = mask::as_positions(self, subscripts, queue)?;
                let index = Resolved::new(self, &held.subscripts(subscripts), queue, None)?;
                if index.shape.contains(&0) {
                    let layout = Layout::contiguous(&index.shape, self.dtype().size(), Order::C)?;
                    return Self::for_result(queue, &[self], layout, self.dtype());
                }
                Lazy::element(&index.frame, &index.along)?.evaluate(Some(queue))
            }
        }
    }

    /// Sets the part that an index names to a number or to the elements of an array, which broadcast to it and are
    /// converted.
    ///
    /// # Errors
    /// As [`Array::get_at`] and [`Array::fill`]; [`Error::Broadcast`] or [`Error::OutputShape`] if the elements do not
    /// broadcast to the part, [`Error::MaskCount`].
    pub fn set_at<'a>(
        &self,
        subscripts: &[Subscript<'_>],
        value: impl Into<Operand<'a>>,
        queue: Option<&CommandQueue>,
    ) -> Result<()> {
        let value = value.into();
        match Kind::of(subscripts) {
            Kind::Basic(indices) => {
                let part = self.index(&indices)?;
                match value {
                    Operand::Scalar(number) => part.fill(number, queue),
                    Operand::Array(from) => part.assign(from, queue),
                }
            }
            Kind::Mask(mask, entries) => mask::set(self, mask, &entries, value, self.queue_for(queue)?),
            Kind::Arrays if !self.layout().is_aligned() => {
                let aligned = self.copy(queue)?;
                aligned.set_at(subscripts, value, queue)?;
                self.assign(&aligned, queue)
            }
            Kind::Arrays => {
                let queue = self.queue_for(queue)?;
                let held = mask::as_positions(self, subscripts, queue)?;
                let index = Resolved::new(self, &held.subscripts(subscripts), queue, Some(self))?;
                put::scatter(queue, self, &index, value)
            }
        }
    }

    fn queue_for<'a>(&'a self, queue: Option<&'a CommandQueue>) -> Result<&'a CommandQueue> {
        queue.or(self.queue()).ok_or(Error::NoQueue)
    }
}

/// What an index has among its entries.
enum Kind<'a> {
    /// No arrays.
    Basic(SmallVec<[Index; 6]>),
    /// One mask and no other arrays.
    Mask(&'a Array, SmallVec<[Entry; 6]>),
    /// Others.
    Arrays,
}

impl<'a> Kind<'a> {
    fn of(subscripts: &[Subscript<'a>]) -> Self {
        let mut arrays = subscripts.iter().filter(|subscript| !matches!(subscript, Subscript::Basic(_)));
        match (arrays.next(), arrays.next()) {
            (None, _) => Self::Basic(
                subscripts
                    .iter()
                    .filter_map(|subscript| match subscript {
                        Subscript::Basic(index) => Some(*index),
                        _ => None,
                    })
                    .collect(),
            ),
            (Some(&Subscript::Mask(mask)), None) => {
                Self::Mask(mask, subscripts.iter().map(Subscript::entry).collect())
            }
            _ => Self::Arrays,
        }
    }
}

impl Subscript<'_> {
    fn entry(&self) -> Entry {
        match self {
            Subscript::Basic(index) => Entry::Basic(*index),
            Subscript::Positions(_) => Entry::Axes(1),
            Subscript::Mask(mask) => Entry::Axes(mask.layout().ndim()),
        }
    }
}

/// An index with positions, ready for a kernel.
struct Resolved {
    /// The elements at position 0, which broadcasts with the positions.
    frame: Array,
    along: Vec<Along>,
    /// Shape of what the index names.
    shape: Shape,
}

impl Resolved {
    /// Of subscripts without masks; `written` is what is written to while the positions are read.
    fn new(
        array: &Array,
        subscripts: &[Subscript<'_>],
        queue: &CommandQueue,
        written: Option<&Array>,
    ) -> Result<Self> {
        let entries: SmallVec<[Entry; 6]> = subscripts.iter().map(Subscript::entry).collect();
        let advanced = Advanced::new(array.layout(), &entries)?;
        let positions: SmallVec<[&Positions<'_>; 4]> = subscripts
            .iter()
            .filter_map(|subscript| match subscript {
                Subscript::Positions(positions) => Some(positions),
                _ => None,
            })
            .collect();
        for positions in &positions {
            if let Positions::Device(array) = positions
                && !array.dtype().is_integer()
            {
                return Err(Error::IndexDType { dtype: array.dtype() });
            }
        }
        let together = broadcast_shapes(positions.iter().map(|positions| positions.shape()))?;
        let count: usize = together.iter().product();
        let along = advanced
            .indexed
            .iter()
            .zip(&positions)
            // Positions that broadcast to none are never used.
            .take_while(|_| count > 0)
            .map(|(&axis, positions)| {
                if axis.length == 0 {
                    return Err(Error::Index { index: 0, axis: axis.original, size: 0 });
                }
                let mut array = positions.on_device(queue, axis)?;
                if let Some(written) = written {
                    array = apart(queue, &array, written)?;
                }
                // Beside the axes that come after.
                let mut indices: SmallVec<[Index; 6]> = SmallVec::from_elem(Index::Ellipsis, 1);
                indices.extend(std::iter::repeat_n(Index::NewAxis, advanced.after()));
                let positions = Lazy::from(&array.index(&indices)?);
                Ok(Along { positions, length: axis.length, stride: axis.stride })
            })
            .collect::<Result<Vec<_>>>()?;
        let frame = array.view(advanced.frame(together.len()));
        Ok(Self { frame, along, shape: advanced.result_shape(&together) })
    }
}

/// An array that is not changed by writing to `target`, and aligned: a copy if their memories may overlap.
fn apart(queue: &CommandQueue, array: &Array, target: &Array) -> Result<Array> {
    let overlaps = |a: &Layout, b: &Layout| match (a.span(), b.span()) {
        (Some((a_low, a_high)), Some((b_low, b_high))) => a_low < b_high && b_low < a_high,
        _ => true,
    };
    let shared = array.buffer() == target.buffer() && overlaps(array.layout(), target.layout());
    if shared || !array.layout().is_aligned() { copy(queue, array) } else { Ok(array.clone()) }
}
