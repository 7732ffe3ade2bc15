//! How a copy is cut: a head, chunks for the two slots of the pinned memory, and pieces for the threads.
//!
//! Nothing here touches memory or a device.

/// Bytes that the driver copies from or to the caller's memory itself, as the first command of a copy.
pub(crate) const HEAD: usize = 4 << 10;

/// The largest chunk: on an H200, a 512 MiB copy with chunks of 1, 4 and 16 MiB made 17, 26 and 31 GB/s.
pub(crate) const LARGEST_CHUNK: usize = 16 << 20;

/// The least chunk that a copy is cut into for the sake of overlapping: smaller ones spend their time on waking
/// threads and waiting for commands.
const SMALLEST_CHUNK: usize = 2 << 20;

/// How many slots there are: one is filled while the other one is emptied. More were no faster.
pub(crate) const SLOTS: usize = 2;

/// A huge page on most systems. Threads that meet for the first time in one of them would each clear it.
const HUGE_PAGE: usize = 2 << 20;

/// The least piece for a thread.
const SMALLEST_PIECE: usize = 64 << 10;

/// What lies at the boundaries of chunks, so that the device's offsets stay aligned.
const PAGE: usize = 4 << 10;

/// A copy of `size` bytes, of which the first [`HEAD`] are apart and the others are cut into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    size: usize,
    chunk: usize,
}

/// A part of a copy that goes through a slot of the pinned memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// In bytes from the beginning of the copy.
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) slot: usize,
}

impl Plan {
    /// Chunks of about the same size, of which none is larger than `largest` bytes: four if that makes them neither
    /// too large nor too small. `None` for a copy that has nothing beyond its head.
    pub(crate) fn new(size: usize, largest: usize) -> Option<Self> {
        let rest = size.checked_sub(HEAD).filter(|rest| *rest > 0)?;
        let largest = largest.max(1);
        let wanted = (rest / 4).clamp(SMALLEST_CHUNK.min(largest), largest);
        let even = rest.div_ceil(rest.div_ceil(wanted));
        Some(Self { size, chunk: even.next_multiple_of(PAGE).min(largest) })
    }

    /// How many chunks there are; never none.
    pub(crate) fn count(&self) -> usize {
        (self.size - HEAD).div_ceil(self.chunk)
    }

    /// The chunk of this number, if there are as many.
    pub(crate) fn chunk(&self, number: usize) -> Option<Chunk> {
        let offset = HEAD + number.checked_mul(self.chunk)?;
        let size = self.size.checked_sub(offset)?.min(self.chunk);
        (size > 0).then_some(Chunk { offset, size, slot: number % SLOTS })
    }

    /// The size that a slot needs.
    pub(crate) fn slot_size(&self) -> usize {
        self.chunk
    }
}

/// The distance of the boundaries between pieces in the target's address: that of huge pages, or less if more than a
/// fifth of the threads' time would be idle otherwise.
pub(super) fn piece_size(size: usize, threads: usize) -> usize {
    let mut piece = HUGE_PAGE;
    while piece > SMALLEST_PIECE {
        let rounds = size.div_ceil(piece).div_ceil(threads);
        if rounds * threads * piece <= size + size / 4 {
            break;
        }
        piece /= 2;
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MIB: usize = 1 << 20;

    fn sizes(size: usize, largest: usize) -> Vec<usize> {
        let plan = Plan::new(size, largest).unwrap();
        (0..plan.count()).map(|number| plan.chunk(number).unwrap().size).collect()
    }

    #[test]
    fn large_copies_have_the_largest_chunks_and_smaller_ones_four() {
        assert_eq!(sizes(HEAD + 64 * MIB, LARGEST_CHUNK), [16 * MIB; 4]);
        assert_eq!(sizes(HEAD + 16 * MIB, LARGEST_CHUNK), [4 * MIB; 4]);
        assert_eq!(sizes(HEAD + 6 * MIB, LARGEST_CHUNK), [2 * MIB; 3]);
        assert_eq!(sizes(HEAD + MIB, LARGEST_CHUNK), [MIB]);
        assert_eq!(sizes(HEAD + 10, 4), [4, 4, 2]);
        assert_eq!(Plan::new(HEAD, LARGEST_CHUNK), None);
        assert_eq!(Plan::new(0, LARGEST_CHUNK), None);
    }

    #[test]
    fn pieces_are_huge_pages_where_that_keeps_the_threads_busy() {
        assert_eq!(piece_size(16 * MIB, 8), 2 * MIB);
        assert_eq!(piece_size(16 * MIB, 6), MIB);
        assert_eq!(piece_size(16 * MIB, 7), MIB / 2);
        assert_eq!(piece_size(2 * MIB, 8), MIB / 4);
        assert_eq!(piece_size(16 * MIB, 1), 2 * MIB);
        assert_eq!(piece_size(1, 8), SMALLEST_PIECE);
    }

    proptest! {
        #[test]
        fn chunks_cover_the_copy_and_take_the_slots_in_turn(
            size in HEAD + 1..256 * MIB, largest in 1_usize..20 * MIB,
        ) {
            let largest = largest.max(size / 1000);
            let plan = Plan::new(size, largest).unwrap();
            let mut end = HEAD;
            for number in 0..plan.count() {
                let chunk = plan.chunk(number).unwrap();
                prop_assert_eq!((chunk.offset, chunk.slot), (end, number % SLOTS));
                prop_assert!(chunk.size > 0 && chunk.size <= plan.slot_size() && plan.slot_size() <= largest);
                end += chunk.size;
            }
            prop_assert_eq!(end, size);
            prop_assert_eq!(plan.chunk(plan.count()), None);
        }

        #[test]
        fn pieces_leave_few_threads_idle(size in MIB..64 * MIB, threads in 1_usize..9) {
            let piece = piece_size(size, threads);
            prop_assert!(piece.is_power_of_two() && (SMALLEST_PIECE..=HUGE_PAGE).contains(&piece));
            let rounds = size.div_ceil(piece).div_ceil(threads);
            prop_assert!(piece == SMALLEST_PIECE || rounds * threads * piece <= size + size / 4);
        }
    }
}
