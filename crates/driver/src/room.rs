//! Room for what a driver answers, whose number of entries it tells before.

/// No answer is as large: binaries of programs, the largest ones, are some MiB.
const MOST_BYTES: usize = 1 << 30;

/// So many entries; `None` if a driver has told a number that cannot be right.
pub fn room<T: Clone>(entry: T, count: usize) -> Option<Vec<T>> {
    let bytes = count.checked_mul(size_of::<T>())?;
    (bytes <= MOST_BYTES).then(|| vec![entry; count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_cannot_be_right_get_no_room() {
        assert_eq!(room(7_u8, 3), Some(vec![7; 3]));
        assert_eq!(room(0_u64, usize::MAX / 2), None);
        assert_eq!(room(0_u64, 4_000_000_000), None);
    }
}
