//! Where the elements of an array lie: shape, byte strides of any sign, byte offset. Pure.

mod advanced;
mod broadcast;
mod collapse;
mod index;
mod reshape;
mod tuple;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::{Error, Result};

pub use advanced::{Advanced, Entry, IndexedAxis};
pub use broadcast::{broadcast_pair, broadcast_shapes};
pub use collapse::{Collapsed, collapse, iteration_order};
pub use index::{Index, resolve_axis};
pub use reshape::resolve_shape;
pub use tuple::Tuple;

/// Lengths of the dimensions.
pub type Shape = SmallVec<[usize; 4]>;
/// Bytes from one element to the next, per dimension.
pub type Strides = SmallVec<[isize; 4]>;

/// The order in which dimensions lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The last index varies fastest.
    #[default]
    C,
    /// The first index varies fastest.
    F,
}

/// Shape, strides and offset of an array, with what is often asked of them. A clone shares them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout(Arc<Parts>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Parts {
    shape: Shape,
    strides: Strides,
    offset: usize,
    item_size: usize,
    // What follows from the others.
    size: usize,
    c_contiguous: bool,
    f_contiguous: bool,
    canonical: bool,
}

impl Layout {
    /// A gap-free layout at offset 0.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the bytes do not fit `isize`.
    pub fn contiguous(shape: &[usize], item_size: usize, order: Order) -> Result<Self> {
        let strides = contiguous_strides(shape, item_size, order)?;
        let size = shape.iter().product();
        // With one length above 1 at most, both orders are the same.
        let several = shape.len() > 1 && size > 0 && shape.iter().filter(|&&n| n > 1).count() > 1;
        let canonical = order == Order::C || is_canonical(shape, &strides, item_size);
        Ok(Self(Arc::new(Parts {
            shape: Shape::from_slice(shape),
            strides,
            offset: 0,
            item_size,
            size,
            c_contiguous: !several || order == Order::C,
            f_contiguous: !several || order == Order::F,
            canonical,
        })))
    }

    /// A layout of given strides and offset, both in bytes.
    ///
    /// # Errors
    /// [`Error::Dimensions`] if the number of strides is wrong, [`Error::TooLarge`] if sizes overflow,
    /// [`Error::BeforeBuffer`] if an element would lie before byte 0.
    pub fn strided(shape: &[usize], strides: &[isize], offset: usize, item_size: usize) -> Result<Self> {
        if shape.len() != strides.len() {
            return Err(Error::Dimensions { what: "strides", expected: shape.len(), found: strides.len() });
        }
        checked_bytes(shape, item_size)?;
        let layout = Self::derive(shape.into(), strides.into(), offset, item_size);
        let (low, _) = layout.span().ok_or_else(|| Error::TooLarge { shape: shape.into(), item_size })?;
        if low < 0 {
            let high = layout.span().map_or(0, |span| span.1);
            return Err(Error::BeforeBuffer { low, high });
        }
        Ok(layout)
    }

    /// A layout inside one that was checked.
    pub(crate) fn derive(shape: Shape, strides: Strides, offset: usize, item_size: usize) -> Self {
        let size = shape.iter().product();
        let contiguous = |axes: &mut dyn Iterator<Item = usize>| {
            let mut expected = item_size as isize;
            for axis in axes {
                if shape[axis] != 1 {
                    if strides[axis] != expected {
                        return false;
                    }
                    expected *= shape[axis] as isize;
                }
            }
            true
        };
        let c_contiguous = size == 0 || contiguous(&mut (0..shape.len()).rev());
        let f_contiguous = size == 0 || contiguous(&mut (0..shape.len()));
        let canonical = offset == 0 && c_contiguous && is_canonical(&shape, &strides, item_size);
        Self(Arc::new(Parts {
            shape,
            strides,
            offset,
            item_size,
            size,
            c_contiguous,
            f_contiguous,
            canonical,
        }))
    }

    /// Lengths of the dimensions.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// Bytes from one element to the next, per dimension.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.0.strides
    }

    /// Bytes from the start of the memory to the first element.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Bytes per element.
    #[must_use]
    pub fn item_size(&self) -> usize {
        self.0.item_size
    }

    /// Number of dimensions.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.0.shape.len()
    }

    /// Number of elements.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Bytes of all elements.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.0.size * self.0.item_size
    }

    /// Whether the elements lie gap-free with the last index fastest; dimensions of length 1 do not count,
    /// arrays without elements are contiguous.
    #[must_use]
    pub fn is_c_contiguous(&self) -> bool {
        self.0.c_contiguous
    }

    /// Whether it is what [`Layout::contiguous`] makes of its shape in C order.
    #[inline]
    pub(crate) fn is_canonical(&self) -> bool {
        self.0.canonical
    }

    /// Whether this is its shape, which often comes from a clone of it.
    #[inline]
    pub(crate) fn has_shape(&self, shape: &[usize]) -> bool {
        std::ptr::eq(&self.0.shape[..], shape) || self.0.shape[..] == *shape
    }

    /// As [`Layout::is_c_contiguous`] with the first index fastest.
    #[must_use]
    pub fn is_f_contiguous(&self) -> bool {
        self.0.f_contiguous
    }

    /// The same layout in a memory that starts `bytes` earlier.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the offset overflows.
    pub fn shifted(&self, bytes: usize) -> Result<Self> {
        let Parts { shape, strides, offset, item_size, .. } = &*self.0;
        let offset = offset
            .checked_add(bytes)
            .filter(|&offset| isize::try_from(offset).is_ok())
            .ok_or_else(|| Error::TooLarge { shape: shape.clone(), item_size: *item_size })?;
        Ok(Self::derive(shape.clone(), strides.clone(), offset, *item_size))
    }

    /// First byte and one past the last byte of any element (equal if there are none); `None` on overflow.
    #[must_use]
    pub fn span(&self) -> Option<(isize, isize)> {
        let start = isize::try_from(self.0.offset).ok()?;
        if self.0.size == 0 {
            return Some((start, start));
        }
        let (mut low, mut high) = (start, start);
        for (&length, &stride) in self.0.shape.iter().zip(&self.0.strides) {
            let reach = stride.checked_mul(isize::try_from(length - 1).ok()?)?;
            if reach < 0 {
                low = low.checked_add(reach)?;
            } else {
                high = high.checked_add(reach)?;
            }
        }
        Some((low, high.checked_add(isize::try_from(self.0.item_size).ok()?)?))
    }

    /// Checks that every element lies in a memory of `size` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfBuffer`] otherwise.
    pub fn check_inside(&self, size: usize) -> Result<()> {
        match self.span() {
            Some((low, high)) if low >= 0 && high as usize <= size => Ok(()),
            span => {
                let (low, high) = span.unwrap_or((isize::MIN, isize::MAX));
                Err(Error::OutOfBuffer { low, high, size })
            }
        }
    }

    /// Whether the addresses of all elements are multiples of what divides their size, up to its largest power of two.
    #[must_use]
    #[inline]
    pub fn is_aligned(&self) -> bool {
        self.granule() & (self.alignment() - 1) == 0
    }

    /// The largest power of two that divides the size of an item.
    #[inline]
    pub(crate) fn alignment(&self) -> usize {
        self.0.item_size & self.0.item_size.wrapping_neg()
    }

    /// A number whose trailing zero bits all addresses of elements have, but for bits that the size of an item has too
    /// where there are no gaps.
    #[inline]
    pub(crate) fn granule(&self) -> usize {
        if self.0.c_contiguous || self.0.f_contiguous {
            return self.0.offset;
        }
        let strides = self.0.shape.iter().zip(&self.0.strides).filter(|(length, _)| **length > 1);
        strides.fold(self.0.offset, |bits, (_, stride)| bits | stride.unsigned_abs())
    }
}

/// Whether strides are those of [`contiguous_strides`] in C order.
fn is_canonical(shape: &[usize], strides: &[isize], item_size: usize) -> bool {
    let mut expected = item_size as isize;
    shape.iter().zip(strides).rev().all(|(&length, &stride)| {
        let fits = stride == expected;
        expected = expected.saturating_mul(length.max(1) as isize);
        fits
    })
}

/// Turns lengths that may be negative into a shape.
///
/// # Errors
/// [`Error::NegativeDimension`], [`Error::TooLarge`].
pub fn checked_shape(dimensions: &[i64]) -> Result<Shape> {
    dimensions
        .iter()
        .map(|&dimension| usize::try_from(dimension).map_err(|_| Error::NegativeDimension { dimension }))
        .collect()
}

/// Bytes of a gap-free array. Zero lengths count as one, as in NumPy, so that strides cannot overflow either.
fn checked_bytes(shape: &[usize], item_size: usize) -> Result<usize> {
    shape
        .iter()
        .try_fold(item_size, |bytes, &length| bytes.checked_mul(length.max(1)))
        .filter(|&bytes| isize::try_from(bytes).is_ok())
        .ok_or_else(|| Error::TooLarge { shape: shape.into(), item_size })
}

/// Strides of a gap-free array.
///
/// # Errors
/// [`Error::TooLarge`] if the bytes do not fit `isize`.
pub fn contiguous_strides(shape: &[usize], item_size: usize, order: Order) -> Result<Strides> {
    checked_bytes(shape, item_size)?;
    if let [_] = shape {
        return Ok(Strides::from_slice(&[item_size as isize]));
    }
    let mut strides: Strides = SmallVec::from_elem(0, shape.len());
    let mut stride = item_size as isize;
    let mut place = |axis: usize| {
        strides[axis] = stride;
        stride *= shape[axis].max(1) as isize;
    };
    match order {
        Order::C => (0..shape.len()).rev().for_each(&mut place),
        Order::F => (0..shape.len()).for_each(&mut place),
    }
    Ok(strides)
}
