//! Threads that copy memory together: one copies at 7 to 9 GB/s, eight at several times as much.

use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::plan::piece_size;

/// The threads of one copy, the caller's among them. They live as long as [`gather`] runs: starting eight takes
/// about a tenth of a millisecond, which a copy large enough to need them does not feel, and nothing is left behind
/// for a fork or the end of the process to stumble over.
pub(crate) struct Team {
    threads: usize,
    work: Mutex<Work>,
    /// There is work, or there will be none any more.
    begin: Condvar,
    /// Nobody is working.
    end: Condvar,
}

/// What is still to be copied, and how many are copying.
struct Work {
    from: *const u8,
    to: *mut u8,
    left: usize,
    /// The distance of boundaries between pieces.
    piece: usize,
    running: usize,
    over: bool,
}

// SAFETY: the memory is the caller's of `Team::copy`, who waits until no thread uses it, and vouches that none but
// the team does.
unsafe impl Send for Work {}

/// A piece of the work.
struct Piece {
    from: *const u8,
    to: *mut u8,
    size: usize,
}

/// Calls `lead` with a team of `threads`, the calling one among them. If the system refuses to start some, the team
/// is smaller.
pub(crate) fn gather<R>(threads: usize, lead: impl FnOnce(&Team) -> R) -> R {
    let nothing = Work { from: ptr::null(), to: ptr::null_mut(), left: 0, piece: 1, running: 0, over: false };
    let (begin, end) = (Condvar::new(), Condvar::new());
    let team = Team { threads: threads.max(1), work: Mutex::new(nothing), begin, end };
    thread::scope(|scope| {
        // Also if `lead` panics: the scope waits for its threads.
        let _dismissal = Dismissal(&team);
        for _ in 1..team.threads {
            let builder = thread::Builder::new().name("opencl-copy".to_owned());
            if let Err(error) = builder.spawn_scoped(scope, || team.help()) {
                log::debug!("a thread for copying could not be started: {error}");
                break;
            }
        }
        lead(&team)
    })
}

/// Ends the team's threads when it goes.
struct Dismissal<'a>(&'a Team);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.work().over = true;
        self.0.begin.notify_all();
    }
}

impl Team {
    /// Copies `size` bytes, and returns when they are there.
    ///
    /// # Safety
    /// * `size` bytes can be read at `from` and written at `to`, and nobody writes to either meanwhile.
    /// * The two do not overlap.
    pub(crate) unsafe fn copy(&self, from: *const u8, to: *mut u8, size: usize) {
        let piece = piece_size(size, self.threads);
        let mut work = self.work();
        *work = Work { from, to, left: size, piece, ..*work };
        drop(work);
        if size > piece {
            self.begin.notify_all();
        }
        let mut work = self.share(self.work());
        while work.running > 0 {
            work = self.end.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What the other threads do.
    fn help(&self) {
        let mut work = self.work();
        while !work.over {
            work = self.share(work);
            if work.left == 0 && !work.over {
                work = self.begin.wait(work).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Copies pieces until none is left to begin with.
    fn share<'a>(&'a self, mut work: MutexGuard<'a, Work>) -> MutexGuard<'a, Work> {
        while let Some(piece) = work.take() {
            work.running += 1;
            drop(work);
            // SAFETY: the piece is a part of what the caller of `copy` vouches for, no other thread has it, and
            // `copy` returns only when nobody is running.
            unsafe { ptr::copy_nonoverlapping(piece.from, piece.to, piece.size) };
            work = self.work();
            work.running -= 1;
        }
        if work.running == 0 {
            self.end.notify_one();
        }
        work
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// The next piece: up to the next boundary in the target.
    fn take(&mut self) -> Option<Piece> {
        if self.left == 0 {
            return None;
        }
        let size = (self.piece - self.to.addr() % self.piece).min(self.left);
        let piece = Piece { from: self.from, to: self.to, size };
        self.left -= size;
        (self.from, self.to) = (self.from.wrapping_add(size), self.to.wrapping_add(size));
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of which each tells its place.
    fn pattern(size: usize) -> Vec<u8> {
        (0..size).map(|at| (at ^ (at >> 8) ^ (at >> 16)) as u8).collect()
    }

    #[test]
    fn all_bytes_arrive_with_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 8] {
            gather(threads, |team| {
                for size in [0, 1, 4096, 65_536, 1_000_003, 5_000_000] {
                    let source = pattern(size + 3);
                    let mut target = vec![0xAA; size + 7];
                    // SAFETY: both have that many bytes behind the offsets.
                    unsafe { team.copy(source.as_ptr().add(3), target.as_mut_ptr().add(5), size) };
                    assert_eq!(target[5..size + 5], source[3..], "{size} bytes, {threads} threads");
                    assert_eq!((&target[..5], &target[size + 5..]), (&[0xAA; 5][..], &[0xAA; 2][..]));
                }
            });
        }
    }

    #[test]
    fn a_team_whose_leader_panics_goes_home() {
        let outcome = std::panic::catch_unwind(|| gather(4, |_| panic!("as intended")));
        assert!(outcome.is_err());
    }
}
