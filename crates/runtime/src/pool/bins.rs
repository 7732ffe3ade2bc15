//! Size classes: which bin a size falls into, and how large the blocks of a bin are. Pure arithmetic.
//!
//! A bin is named by the exponent of a size (the position of its highest bit) and by the bits that follow that
//! one, as many as `leading_bits_in_bin_id`. With four of them a block is at most 1/16 larger than asked for.

use crate::{Error, Result, status};

/// The classes for one number of leading bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    leading_bits: u32,
}

/// With more, numbers of bins would not fit into 64 bits.
const MOST_BITS: u32 = 58;

impl Bins {
    /// The classes in which `leading_bits` bits after the highest one tell sizes apart: blocks are larger than
    /// asked for by less than one part in 2 to that power.
    ///
    /// # Errors
    /// `INVALID_VALUE` for more than 58 bits.
    pub fn new(leading_bits: u32) -> Result<Self> {
        if leading_bits > MOST_BITS {
            let detail = format!("at most {MOST_BITS} leading bits name a bin, not {leading_bits}");
            return Err(Error::refused("memory_pool", status::INVALID_VALUE, detail));
        }
        Ok(Self { leading_bits })
    }

    /// How many bits after the highest one tell sizes apart.
    #[must_use]
    pub fn leading_bits(self) -> u32 {
        self.leading_bits
    }

    /// The bin of blocks for `size` bytes. Zero bytes share the bin of one.
    #[must_use]
    pub fn bin_number(self, size: usize) -> u64 {
        let size = size as u64;
        let exponent = size.max(1).ilog2();
        let bits = self.leading_bits;
        // The bits that follow the highest one are the most significant ones of the bin within its exponent.
        let top = if exponent >= bits { size >> (exponent - bits) } else { size << (bits - exponent) };
        (u64::from(exponent) << bits) | (top & self.mask())
    }

    /// The size in bytes of the blocks of a bin: the largest size that falls into it. Of a bin into which no
    /// size falls, because its sizes would lie between two numbers, the size rounded down.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a bin of sizes that have more than 64 bits.
    pub fn alloc_size(self, bin: u64) -> Result<usize> {
        let bits = self.leading_bits;
        let exponent = u32::try_from(bin >> bits).ok().filter(|exponent| *exponent < usize::BITS);
        let Some(exponent) = exponent else {
            let detail = format!("bin {bin} is for sizes of more than {} bits", usize::BITS);
            return Err(Error::refused("memory_pool", status::INVALID_VALUE, detail));
        };
        let head = (1 << bits) | (bin & self.mask());
        let size = if exponent >= bits {
            let free = exponent - bits;
            (head << free) | ((1 << free) - 1)
        } else {
            head >> (bits - exponent)
        };
        // The exponent is that of a `usize`.
        Ok(usize::try_from(size).unwrap_or(usize::MAX))
    }

    fn mask(self) -> u64 {
        (1 << self.leading_bits) - 1
    }
}

/// The position of the highest bit of `number`, which is the logarithm to base 2, rounded down; of zero it is zero.
#[must_use]
pub fn bitlog2(number: u64) -> u32 {
    number.max(1).ilog2()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bins(leading_bits: u32) -> Bins {
        Bins::new(leading_bits).unwrap()
    }

    fn size() -> impl Strategy<Value = usize> {
        // As many small sizes as large ones.
        (any::<usize>(), 0..usize::BITS).prop_map(|(size, shift)| size >> shift)
    }

    proptest! {
        #[test]
        fn blocks_are_large_enough_and_waste_little(leading_bits in 0..=MOST_BITS, size in size()) {
            let bins = bins(leading_bits);
            let block = bins.alloc_size(bins.bin_number(size)).unwrap();
            prop_assert!(block >= size);
            let waste = (block - size.max(1)) as u128;
            prop_assert!(waste << leading_bits <= size as u128, "{block} bytes for {size}");
        }

        #[test]
        fn larger_sizes_have_no_smaller_bins(leading_bits in 0..=MOST_BITS, a in size(), b in size()) {
            let bins = bins(leading_bits);
            let (a, b) = (a.min(b), a.max(b));
            prop_assert!(bins.bin_number(a) <= bins.bin_number(b));
        }

        #[test]
        fn a_block_belongs_to_its_bin(leading_bits in 0..=MOST_BITS, size in size()) {
            let bins = bins(leading_bits);
            let bin = bins.bin_number(size);
            let block = bins.alloc_size(bin).unwrap();
            prop_assert_eq!(bins.bin_number(block), bin);
            // The next byte is the next bin's.
            if let Some(next) = block.checked_add(1) {
                prop_assert!(bins.bin_number(next) > bin);
            }
        }
    }

    #[test]
    fn numbers_are_those_of_pyopencl() {
        // Observed: leading bits, size, bin, size of the bin's blocks.
        let observed: [(u32, usize, u64, usize); 22] = [
            (4, 0, 0, 1),
            (4, 1, 0, 1),
            (4, 2, 16, 2),
            (4, 3, 24, 3),
            (4, 17, 65, 17),
            (4, 65, 96, 67),
            (4, 100, 105, 103),
            (4, 1000, 159, 1023),
            (4, 5000, 195, 5119),
            (4, (1 << 32) - 1, 511, (1 << 32) - 1),
            (4, 1 << 32, 512, (1 << 32) + (1 << 28) - 1),
            (4, (1 << 63) - 1, 1007, (1 << 63) - 1),
            (4, usize::MAX, 1023, usize::MAX),
            (0, 0, 0, 1),
            (0, 5, 2, 7),
            (0, 70001, 16, 131_071),
            (1, 6, 5, 7),
            (1, 1_000_001, 39, 1_048_575),
            (2, 9, 12, 9),
            (3, 4, 16, 4),
            (5, 64, 192, 65),
            (8, 131_073, 4352, 131_583),
        ];
        for (leading_bits, size, bin, block) in observed {
            let bins = bins(leading_bits);
            assert_eq!((bins.bin_number(size), bins.alloc_size(bin).unwrap()), (bin, block), "{size}");
        }
        // Bins that no size falls into.
        assert_eq!((bins(4).alloc_size(1).unwrap(), bins(4).alloc_size(31).unwrap()), (1, 3));
    }

    #[test]
    fn what_has_no_number_is_refused() {
        assert_eq!(Bins::new(MOST_BITS + 1).unwrap_err().code(), status::INVALID_VALUE);
        assert!(bins(4).alloc_size(1023).is_ok());
        assert_eq!(bins(4).alloc_size(1024).unwrap_err().code(), status::INVALID_VALUE);
        assert!(bins(0).alloc_size(u64::MAX).is_err());
        assert_eq!(bins(MOST_BITS).leading_bits(), MOST_BITS);
    }

    #[test]
    fn logarithms() {
        let cases = [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (u64::MAX, 63), (1 << 40, 40)];
        assert!(cases.into_iter().all(|(number, log)| bitlog2(number) == log));
    }
}
