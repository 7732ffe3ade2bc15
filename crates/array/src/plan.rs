//! How several arrays are walked together: the layout class, which is part of a kernel's key, and the numbers
//! that go with it as kernel arguments. Pure.

mod rows;
mod tile;

use smallvec::SmallVec;

use crate::error::Result;
use crate::layout::{Collapsed, Layout, Strides, collapse, iteration_order};

/// The sort of device a kernel is shaped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DeviceClass {
    /// Many work-items a few elements each, interleaved.
    Gpu,
    /// Few work-items with a contiguous chunk each.
    Cpu,
}

/// How an operand's element is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Access {
    /// At the number of the element in the walk.
    Flat,
    /// By strides; one element on from one to the next in the innermost dimension (CPUs, tiles and rows in vectors).
    Unit,
    /// By strides; the same element along the innermost dimension (CPUs, tiles and rows in vectors).
    Repeated,
    /// By strides.
    Strided,
    /// In a tile: one element on from one to the next in the last dimension but one.
    Crossed,
    /// By strides; one element back from one to the next in the innermost dimension (CPUs and rows in vectors).
    Reversed,
    /// By strides; two elements on from one to the next in the innermost dimension (CPUs).
    Alternate,
}

/// What a kernel's text depends on besides its expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// Shape of the kernel.
    pub device: DeviceClass,
    /// Whether sizes or offsets need 64-bit indices.
    pub wide: bool,
    /// Whether the output's memory is also an input's.
    pub aliased: bool,
    /// 0 if all elements are aligned; else one more than the base-2 logarithm of what all addresses are multiples of, in
    /// bytes, up to 32.
    pub granule: u8,
    /// Dimensions of the walk; 0 if every access is flat.
    pub ndim: u8,
    /// Elements that one load or store takes, next to each other along the innermost dimension, or along both of a tile.
    pub vector: u8,
    /// Side of the tiles of a walk in tiles, else 0.
    pub tile: u8,
    /// Access of each array operand; the output is the last one, where there is one.
    pub access: SmallVec<[Access; 4]>,
}

impl Class {
    /// How many bits [`Class::bits`] takes.
    pub(crate) const BITS: u32 = 24;

    /// What all addresses of elements are multiples of, in bytes; `None` if elements are aligned.
    pub(crate) fn granule(&self) -> Option<usize> {
        self.granule.checked_sub(1).map(|bits| 1 << bits)
    }

    /// The class as bits, for up to three operands and 15 dimensions.
    #[must_use]
    pub(crate) fn bits(&self) -> Option<u64> {
        if self.ndim > 15 || self.access.len() > 3 {
            return None;
        }
        let mut bits = self.device as u64 | u64::from(self.wide) << 1 | u64::from(self.aliased) << 2;
        bits |= u64::from(self.ndim) << 3;
        for (number, &access) in self.access.iter().enumerate() {
            bits |= (access as u64) << (7 + 3 * number);
        }
        bits |= u64::from(self.granule) << 16 | u64::from(self.vector.trailing_zeros()) << 19;
        // Sides are 32, 64 and 128.
        bits |= u64::from((self.tile / 32).checked_ilog2().map_or(0, |side| side + 1)) << 22;
        Some(bits)
    }

    /// The strides that the kernel takes as arguments: (operand, dimension) in their order. Text and launch
    /// both follow this.
    pub fn stride_arguments(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let ndim = usize::from(self.ndim);
        self.access.iter().enumerate().flat_map(move |(operand, access)| {
            let dims = match access {
                Access::Flat => 0,
                Access::Unit | Access::Repeated | Access::Reversed | Access::Alternate => ndim - 1,
                Access::Strided | Access::Crossed => ndim,
            };
            (0..dims).map(move |dim| (operand, dim))
        })
    }

    /// The dimensions whose lengths the kernel takes as arguments: all but the outermost, on CPUs the innermost
    /// even if it is the outermost, in tiles the last two at any rate.
    #[must_use]
    pub fn length_arguments(&self) -> std::ops::Range<usize> {
        let ndim = usize::from(self.ndim);
        if self.tile > 0 {
            return ndim.saturating_sub(2).min(1)..ndim;
        }
        match self.device {
            DeviceClass::Gpu => 1.min(ndim)..ndim,
            DeviceClass::Cpu => ndim.min(if ndim > 1 { 1 } else { 0 })..ndim,
        }
    }
}

/// A walk over arrays: its class and its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the kernel's text depends on.
    pub class: Class,
    /// Number of elements.
    pub size: usize,
    /// The collapsed dimensions and the byte strides of each operand in them; none if every access is flat, which
    /// is the usual case: a plan is moved about, so that it does not carry the room for them.
    pub walk: Option<Box<Collapsed>>,
}

impl Plan {
    /// Plans a walk over `operands` read (and, for the last one, perhaps written) as arrays of `shape`.
    ///
    /// `keep_order` asks for C order, which expressions that use the index need.
    ///
    /// # Errors
    /// [`crate::Error::Broadcast`] if an operand does not broadcast to `shape`.
    #[inline]
    pub fn new<'a>(
        device: DeviceClass,
        shape: &[usize],
        operands: impl Iterator<Item = &'a Layout> + Clone,
        keep_order: bool,
    ) -> Result<Self> {
        let every = |test: fn(&Layout) -> bool| {
            operands.clone().all(|layout| test(layout) && layout.has_shape(shape))
        };
        if every(Layout::is_c_contiguous) || !keep_order && every(Layout::is_f_contiguous) {
            return Ok(Self::flat(device, shape.iter().product(), operands));
        }
        Self::in_best_order(device, shape, &operands.collect::<SmallVec<[_; 4]>>(), keep_order)
    }

    fn in_best_order(
        device: DeviceClass,
        shape: &[usize],
        operands: &[&Layout],
        keep_order: bool,
    ) -> Result<Self> {
        let broadcast = Self::broadcast(shape, operands)?;
        let strides: SmallVec<[&[isize]; 3]> = broadcast.iter().map(|strides| &strides[..]).collect();
        let order = if keep_order { (0..shape.len()).collect() } else { iteration_order(shape, &strides) };
        Ok(Self::walk(device, shape, operands, &strides, &order))
    }

    /// Plans a walk over `operands` in the order in which the elements of `result`, a layout of `shape`, lie.
    ///
    /// # Errors
    /// [`crate::Error::Broadcast`] if an operand does not broadcast to `shape`.
    pub fn along(device: DeviceClass, result: &Layout, operands: &[&Layout]) -> Result<Self> {
        let shape = result.shape();
        let broadcast = Self::broadcast(shape, operands)?;
        let strides: SmallVec<[&[isize]; 3]> = broadcast.iter().map(|strides| &strides[..]).collect();
        Ok(Self::walk(device, shape, operands, &strides, &iteration_order(shape, &[result.strides()])))
    }

    fn broadcast(shape: &[usize], operands: &[&Layout]) -> Result<SmallVec<[Strides; 3]>> {
        operands.iter().map(|layout| layout.broadcast_strides(shape)).collect()
    }

    fn walk(
        device: DeviceClass,
        shape: &[usize],
        operands: &[&Layout],
        strides: &[&[isize]],
        order: &[usize],
    ) -> Self {
        let size = shape.iter().product();
        let walk = collapse(shape, strides, order);
        let access: SmallVec<[Access; 4]> = walk
            .strides
            .iter()
            .zip(operands)
            .map(|(strides, layout)| access(device, &walk.shape, strides, layout.item_size() as isize))
            .collect();
        if size == 0 || access.iter().all(|&access| access == Access::Flat) || flat_row(&walk.shape, &access)
        {
            return Self::flat(device, size, operands.iter().copied());
        }
        let extent = operands.iter().map(|layout| extent(layout)).max().unwrap_or(0);
        Self {
            class: Class {
                device,
                wide: is_wide(device, size.max(extent)),
                aliased: false,
                granule: granule(operands.iter().copied()),
                vector: 1,
                tile: 0,
                ndim: walk.shape.len() as u8,
                access,
            },
            size,
            walk: Some(Box::new(walk)),
        }
    }

    #[inline]
    fn flat<'a>(
        device: DeviceClass,
        size: usize,
        operands: impl Iterator<Item = &'a Layout> + Clone,
    ) -> Self {
        Self {
            class: Class {
                device,
                wide: is_wide(device, size),
                aliased: false,
                granule: granule(operands.clone()),
                vector: 1,
                tile: 0,
                ndim: 0,
                access: operands.map(|_| Access::Flat).collect(),
            },
            size,
            walk: None,
        }
    }
}

/// CPUs index by their word; GPUs by 32 bits while sizes, offsets and the last group's overhang stay below 2^31.
fn is_wide(device: DeviceClass, size: usize) -> bool {
    device == DeviceClass::Cpu || size > (1 << 31) - (1 << 16)
}

/// A one-dimensional CPU walk in which every operand moves by one element.
fn flat_row(lengths: &[usize], access: &[Access]) -> bool {
    lengths.len() <= 1 && access.iter().all(|&access| access == Access::Unit)
}

fn access(device: DeviceClass, lengths: &[usize], strides: &[isize], item_size: isize) -> Access {
    let Some(&inner) = strides.last() else { return Access::Flat };
    match device {
        DeviceClass::Cpu if inner == item_size => Access::Unit,
        DeviceClass::Cpu if inner == 0 => Access::Repeated,
        DeviceClass::Cpu if inner == -item_size => Access::Reversed,
        DeviceClass::Cpu if inner == 2 * item_size => Access::Alternate,
        DeviceClass::Cpu => Access::Strided,
        DeviceClass::Gpu => {
            let mut expected = item_size;
            let gap_free = lengths.iter().zip(strides).rev().all(|(&length, &stride)| {
                let fits = stride == expected;
                expected = expected.saturating_mul(length as isize);
                fits
            });
            if gap_free { Access::Flat } else { Access::Strided }
        }
    }
}

/// Bytes between the lowest and the highest element, which strided offsets stay within.
fn extent(layout: &Layout) -> usize {
    layout.span().map_or(usize::MAX, |(low, high)| high.abs_diff(low))
}

/// [`Class::granule`] of operands. Elements need what divides their size, up to its largest power of two.
#[inline]
fn granule<'a>(operands: impl Iterator<Item = &'a Layout> + Clone) -> u8 {
    if operands.clone().all(Layout::is_aligned) {
        return 0;
    }
    let together = operands.fold(32, |bits, layout| bits | layout.granule() | layout.item_size());
    together.trailing_zeros() as u8 + 1
}
