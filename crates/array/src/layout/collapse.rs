//! Fewer dimensions for the same walk: the order in which several operands are best walked, and dimensions
//! merged where every operand steps through two of them as through one.

use smallvec::SmallVec;

use super::{Shape, Strides};

/// A common walk over several operands: outermost dimension first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collapsed {
    /// Lengths, none of them 1; empty for a single element.
    pub shape: Shape,
    /// Byte strides of each operand.
    pub strides: SmallVec<[Strides; 3]>,
}

/// Axes from outermost to innermost so that memory is walked in rising steps, as NumPy's "K" order: an axis
/// goes further in when every operand that distinguishes the two steps less along it. Ties keep C order.
#[must_use]
pub fn iteration_order(shape: &[usize], operands: &[&[isize]]) -> SmallVec<[usize; 4]> {
    let mut order: SmallVec<[usize; 4]> = SmallVec::new();
    for axis in 0..shape.len() {
        // Insertion sort from the inside: `axis` starts innermost and moves out past axes with smaller steps.
        let mut place = order.len();
        for (position, &other) in order.iter().enumerate().rev() {
            match outer_first(shape, operands, axis, other) {
                Some(true) => place = position,
                Some(false) => break,
                None => {}
            }
        }
        order.insert(place, axis);
    }
    order
}

/// Whether `axis` belongs outside `other`; `None` if no operand tells. Operands that disagree keep C order.
fn outer_first(shape: &[usize], operands: &[&[isize]], axis: usize, other: usize) -> Option<bool> {
    if shape[axis] == 1 || shape[other] == 1 {
        return None;
    }
    let mut verdict = None;
    for strides in operands {
        let (a, b) = (strides[axis].unsigned_abs(), strides[other].unsigned_abs());
        if a != 0 && b != 0 {
            if a <= b {
                return Some(false);
            }
            verdict = Some(true);
        }
    }
    verdict
}

/// Merges dimensions of a walk over operands of one shape, in the given order of axes.
#[must_use]
pub fn collapse(shape: &[usize], operands: &[&[isize]], order: &[usize]) -> Collapsed {
    let mut merged = Shape::new();
    let mut strides: SmallVec<[Strides; 3]> = operands.iter().map(|_| Strides::new()).collect();
    for &axis in order {
        let length = shape[axis];
        if length == 1 {
            continue;
        }
        let joins = !merged.is_empty()
            && strides
                .iter()
                .zip(operands)
                .all(|(own, operand)| own.last().copied() == operand[axis].checked_mul(length as isize));
        if joins {
            let last = merged.len() - 1;
            merged[last] *= length;
            for (own, operand) in strides.iter_mut().zip(operands) {
                own[last] = operand[axis];
            }
        } else {
            merged.push(length);
            for (own, operand) in strides.iter_mut().zip(operands) {
                own.push(operand[axis]);
            }
        }
    }
    Collapsed { shape: merged, strides }
}
