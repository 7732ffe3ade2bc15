//! Rectangular regions of memory: pitches, bounds, copying.

use crate::border::check;
use crate::sys::*;

/// Where a region begins and how its rows and slices are spaced; x in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Rect {
    pub(crate) address: usize,
    start: usize,
    row: usize,
    slice: usize,
}

impl Rect {
    /// Works out the pitches (0 means packed).
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for an empty region or pitches that are too small.
    pub(crate) fn new(
        address: usize,
        origin: [usize; 3],
        region: [usize; 3],
        row: usize,
        slice: usize,
    ) -> Result<Self> {
        check(region.iter().all(|side| *side > 0), CL_INVALID_VALUE)?;
        let row = if row == 0 { region[0] } else { row };
        let packed = product(row, region[1])?;
        let slice = if slice == 0 { packed } else { slice };
        check(row >= region[0] && slice >= packed, CL_INVALID_VALUE)?;
        let parts = [Ok(origin[0]), product(origin[1], row), product(origin[2], slice)];
        let start = sum(&parts)?;
        Ok(Self { address, start, row, slice })
    }

    /// The byte after the last of the region.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if it cannot be counted.
    pub(crate) fn end(&self, region: [usize; 3]) -> Result<usize> {
        let rows = product(region[1] - 1, self.row);
        sum(&[Ok(self.start), product(region[2] - 1, self.slice), rows, Ok(region[0])])
    }

    /// The address of a row.
    pub(crate) fn at(&self, y: usize, z: usize) -> usize {
        self.address + self.start + y * self.row + z * self.slice
    }

    /// Whether two regions of the same memory and pitches share a byte.
    pub(crate) fn overlaps(&self, other: &Self, region: [usize; 3]) -> bool {
        let rows = |rect: &Self| -> Vec<usize> {
            let lines = (0..region[2]).flat_map(|z| (0..region[1]).map(move |y| (y, z)));
            lines.map(|(y, z)| rect.at(y, z)).collect()
        };
        let mut theirs = rows(other);
        theirs.sort_unstable();
        rows(self).into_iter().any(|mine| {
            let next = theirs.partition_point(|start| start + region[0] <= mine);
            theirs.get(next).is_some_and(|start| *start < mine + region[0])
        })
    }
}

/// Copies a region.
///
/// # Safety
/// - Both regions lie in memory that is valid for reading and writing respectively.
pub(crate) unsafe fn copy(source: &Rect, target: &Rect, region: [usize; 3]) {
    for z in 0..region[2] {
        for y in 0..region[1] {
            // SAFETY: the row lies in both regions.
            unsafe { copy_bytes(source.at(y, z), target.at(y, z), region[0]) };
        }
    }
}

/// Copies bytes between ranges that may overlap.
///
/// # Safety
/// - `source` is valid for reading and `target` for writing `size` bytes.
pub(crate) unsafe fn copy_bytes(source: usize, target: usize, size: usize) {
    // SAFETY: passed on.
    unsafe { std::ptr::copy(source as *const u8, target as *mut u8, size) };
}

/// Repeats a pattern.
///
/// # Safety
/// - `target` is valid for writing `size` bytes.
pub(crate) unsafe fn fill(target: usize, pattern: &[u8], size: usize) {
    for offset in (0..size).step_by(pattern.len().max(1)) {
        let length = pattern.len().min(size - offset);
        // SAFETY: `offset + length <= size`.
        unsafe { copy_bytes(pattern.as_ptr() as usize, target + offset, length) };
    }
}

/// A product that fits.
///
/// # Errors
/// `CL_INVALID_VALUE` if it does not.
pub(crate) fn product(a: usize, b: usize) -> Result<usize> {
    a.checked_mul(b).ok_or(CL_INVALID_VALUE)
}

fn sum(parts: &[Result<usize>]) -> Result<usize> {
    let mut total = 0_usize;
    for part in parts {
        total = total.checked_add((*part)?).ok_or(CL_INVALID_VALUE)?;
    }
    Ok(total)
}
