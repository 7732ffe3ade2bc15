//! Walks in tiles: where operands lie along different dimensions, so that no order of the walk suits all.

use smallvec::SmallVec;

use super::{Access, DeviceClass, Plan};
use crate::layout::{Layout, Shape, Strides};

/// Dimensions that are shorter are not worth tiles.
const SHORT: usize = 8;
/// What tiles may take: local memory that every device has, or a part of a core's first cache.
const MEMORY: usize = 32 << 10;

impl Plan {
    /// The same walk in tiles, if an input lies along another dimension than the output, which is the last operand:
    /// its dimension `ndim - 1` is the one along which the output lies, `ndim - 2` the one of such inputs. Tiles have
    /// sides of at most `largest`. Where addresses allow it, squares of `block` by `block` elements are turned in
    /// registers, and sides are twice as long.
    #[must_use]
    pub fn tiled(self, operands: &[&Layout], largest: usize, block: usize) -> Self {
        self.in_tiles(operands, largest, block).unwrap_or(self)
    }

    fn in_tiles(&self, operands: &[&Layout], largest: usize, block: usize) -> Option<Self> {
        let walk = self.walk.as_deref()?;
        let ndim = walk.shape.len();
        let size = |operand: usize| operands[operand].item_size();
        let unit = |operand: usize, dim: usize| walk.strides[operand][dim] == size(operand).cast_signed();
        let long = |dim: &usize| walk.shape[*dim] >= SHORT;
        let output = operands.len().checked_sub(1)?;
        let along = (0..ndim).rev().filter(long).find(|&dim| unit(output, dim))?;
        let turned = |operand: usize, dim: usize| {
            unit(operand, dim) && !unit(operand, along) && walk.strides[operand][along] != 0
        };
        let across = (0..ndim)
            .filter(|&dim| dim != along && long(&dim))
            .find(|&dim| (0..output).any(|operand| turned(operand, dim)))?;
        let crossed: SmallVec<[usize; 4]> = (0..output).filter(|&operand| turned(operand, across)).collect();
        // In blocks, what is moved in vectors is aligned to them; its last two dimensions end with whole ones or in an
        // incomplete tile.
        let aligned = |operand: usize| {
            let own = if crossed.contains(&operand) { across } else { along };
            let bytes = block * size(operand);
            !unit(operand, own)
                || operands[operand].offset().is_multiple_of(bytes)
                    && (0..ndim)
                        .filter(|&dim| dim != own)
                        .all(|dim| walk.strides[operand][dim].unsigned_abs().is_multiple_of(bytes))
        };
        let in_blocks = block > 1
            && self.class.granule == 0
            && self.class.device == DeviceClass::Gpu
            && (0..operands.len()).all(aligned);
        let (block, largest) = match self.class.device {
            DeviceClass::Gpu if in_blocks => (block, 2 * largest),
            DeviceClass::Gpu => (1, largest),
            DeviceClass::Cpu => (1, largest.min(32)),
        };
        // Elements are kept as values, half precision as single, but in blocks as they lie in memory.
        let kept: usize =
            crossed.iter().map(|&operand| size(operand).max(if in_blocks { 1 } else { 4 })).sum();
        let fits = |&side: &usize| {
            let row = if in_blocks { side } else { side + 1 };
            side <= largest && side >= 16 * block && kept * side * row <= MEMORY
        };
        let Some(tile) = [128, 64, 32].into_iter().find(fits) else {
            return if in_blocks { self.in_tiles(operands, largest / 2, 1) } else { None };
        };

        let order: SmallVec<[usize; 4]> =
            (0..ndim).filter(|&dim| dim != across && dim != along).chain([across, along]).collect();
        let mut plan = self.clone();
        let new = plan.walk.as_deref_mut()?;
        new.shape = order.iter().map(|&dim| walk.shape[dim]).collect::<Shape>();
        for (own, strides) in new.strides.iter_mut().zip(&walk.strides) {
            *own = order.iter().map(|&dim| strides[dim]).collect::<Strides>();
        }
        plan.class.tile = tile as u8;
        plan.class.vector = block as u8;
        plan.class.access = (0..operands.len())
            .map(|operand| match walk.strides[operand][along] {
                _ if crossed.contains(&operand) => Access::Crossed,
                _ if unit(operand, along) => Access::Unit,
                0 => Access::Repeated,
                _ => Access::Strided,
            })
            .collect();
        Some(plan)
    }

    /// How many tiles a walk in tiles has.
    #[must_use]
    pub(crate) fn tiles(&self) -> usize {
        let (side, Some(walk)) = (usize::from(self.class.tile), &self.walk) else { return 0 };
        let (outer, inner) = walk.shape.split_at(walk.shape.len() - 2);
        outer.iter().product::<usize>() * inner.iter().map(|length| length.div_ceil(side)).product::<usize>()
    }
}
