//! Walks along rows in vectors: several neighbours of the innermost dimension by one load or store.

use smallvec::SmallVec;

use super::{Access, DeviceClass, Plan};
use crate::layout::Layout;

/// Rows that are not of whole vectors are worth it from so many vectors on: where two rows meet, elements are taken
/// one by one.
const LONG: usize = 64;

impl Plan {
    /// The same walk with up to `most` elements at once, if in all operands neighbours along the innermost dimension are
    /// neighbours in memory, or one element, and the output, which is the last operand, can be written so.
    #[must_use]
    pub fn in_vectors(self, operands: &[&Layout], most: usize) -> Self {
        self.in_rows(operands, most).unwrap_or(self)
    }

    fn in_rows(&self, operands: &[&Layout], most: usize) -> Option<Self> {
        let walk = self.walk.as_deref()?;
        let &length = walk.shape.last()?;
        let plain = self.class.granule == 0 && self.class.tile == 0 && self.class.device == DeviceClass::Gpu;
        if most <= 1 || !plain {
            return None;
        }
        let access = operands
            .iter()
            .enumerate()
            .map(|(number, layout)| {
                let size = layout.item_size().cast_signed();
                match (self.class.access[number], *walk.strides[number].last()?) {
                    (Access::Flat, _) => Some(Access::Flat),
                    (_, inner) if inner == size => Some(Access::Unit),
                    (_, 0) => Some(Access::Repeated),
                    (_, inner) if inner == -size => Some(Access::Reversed),
                    _ => None,
                }
            })
            .collect::<Option<SmallVec<[Access; 4]>>>()?;
        let output = access.last()?;
        // Whether all vectors of so many elements are aligned to their size.
        let whole = |&count: &usize| {
            length.is_multiple_of(count)
                && access.iter().enumerate().all(|(number, &access)| {
                    let (size, layout) = (operands[number].item_size(), operands[number]);
                    // Of what goes back, vectors end with the first element.
                    let end = if access == Access::Reversed { size } else { 0 };
                    let outer = walk.strides[number].split_last().map_or(&[][..], |(_, outer)| outer);
                    let aligned = |bytes: usize| bytes.is_multiple_of(count * size);
                    access == Access::Repeated
                        || aligned(layout.offset() + end)
                            && (access == Access::Flat
                                || outer.iter().all(|stride| aligned(stride.unsigned_abs())))
                })
        };
        let narrower =
            std::iter::successors(Some(most), |count| Some(count / 2)).take_while(|&count| count > 1);
        let count = match narrower.clone().find(whole) {
            Some(count) => count,
            // Loads from other addresses are not much slower, stores are.
            None if *output == Access::Flat && length >= LONG * most => most,
            None => return None,
        };
        if length < 4 * count || !matches!(output, Access::Flat | Access::Unit) {
            return None;
        }
        let mut plan = self.clone();
        plan.class.access = access;
        plan.class.vector = count as u8;
        Some(plan)
    }
}
