//! Publishes snapshots from one writer to any number of wait-free readers, without locks or unsafe code.
//! Later snapshots never contradict a time that was shown to a reader.
//!
//! # Consistent snapshots
//!
//! Publications are numbered, and publication `n` goes into slot `n & 1` of two slots. The word `progress`
//! stores the last finished number and whether the writer has begun the next one. A reader loads the finished
//! number `f` and copies the words it needs out of that slot. The reader keeps the copy if the writer has
//! begun no number above `f + 1` by then. Number `f + 1` goes into the other slot, so `f + 2` is the first to
//! overwrite this slot.
//!
//! - The reader copies nothing older than `f`, because the acquire load of `progress` synchronises with its
//!   release store.
//! - A copied word may belong to a later publication `m` in the same slot. Then `m >= f + 2`, and the copy is
//!   rejected. The writer's release fence lies between its store that begins `m` and its stores of the words.
//!   The reader's acquire fence lies between its loads of the words and its second load of `progress`. The
//!   second load of `progress` therefore shows that `m` or a later number was begun.
//!
//! # Stability of shown times
//!
//! A snapshot describes a line, and a read evaluates it `at` one instant. A later snapshot may depart from
//! that line only after the last instant at which the line was read. Each slot therefore has a **horizon**,
//! `read_until`, the latest instant at which its line may have been read. A reader that needs a later instant
//! first raises the horizon to [`AHEAD`] ticks past that instant. Most later reads then need not raise the
//! horizon. To publish a successor, the writer first **closes** `n` by replacing its horizon with [`CLOSED`]
//! in one atomic exchange. If the new line bends away from the old one, the writer closes `n` only if the
//! horizon has not changed since the new line was computed.
//!
//! - A reader keeps its copy of `n` only if the slot was open and its horizon was at `at` or later. If
//!   necessary, the reader raises the horizon. All changes to this word have a single order, and its value
//!   only increases until the slot is closed. So the horizon is `at` or later when the slot is closed.
//! - The atomic exchange succeeds only if, up to the replaced horizon, the new line agrees with the old one
//!   or is ahead of it. If a reader has raised the horizon since, nothing is published and the writer
//!   computes another line.
//! - At every instant at which `n` was read, lines `n` and `n + 1` therefore agree, or `n + 1` is ahead
//!   because the clock jumped.
//! - A reader that finds `n` closed continues with `n + 1`, even if `n + 1` is not finished yet. The slot of
//!   `n + 1` was filled before `n` was closed. Release and acquire accesses of the horizon make its words
//!   visible. All later readers in the order of these accesses also find `n` closed.
//! - A late reader may find the horizon of a publication `m >= n + 2`, which was set after `m` was begun. Its
//!   copy is then rejected as above. If the reader raises that horizon, line `m` is only kept for longer.
//!
//! # Bounded number of steps
//!
//! A copy fails only if the writer reused the same slot during the copy. After [`TRIES`] consecutive
//! failures, a reader counts itself as `waiting`. While a reader is waiting, the writer publishes nothing. It
//! tries again at its next call. So the reader's next attempt succeeds:
//!
//! - The writer's check and the reader's increment of `waiting` each have a sequentially consistent fence.
//!   One of the fences comes first. If the reader's fence is first, the check sees the increment, and the
//!   publication is skipped.
//! - Let `p` be the last publication whose check came before the reader's fence. The reader sees everything
//!   that the writer did before that check, so `p - 1` is finished. No publication after `p` begins. The
//!   reader therefore finds `p - 1` or `p` finished, and nothing after `p` begun. If `p - 1` is closed, it
//!   continues with `p`, which is not closed. The reader keeps that copy.
//!
//! Whatever the writer does, a read takes at most `TRIES + 1` copies, or one more if it began with a
//! [glance](Published::glance). At most two horizons are checked before each copy. The writer never waits.

use crate::clock::ground::sync::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};
use crate::clock::ground::time::MAX_INSTANT_TICKS;

/// After this many failed copies, a reader asks the writer to pause. The writer tries to replace a horizon
/// this many times. A single failure is a coincidence, but three failures suggest a busy thread. The proof
/// above holds for any number of tries. Most model checks use one try, which reduces the number of
/// interleavings.
#[cfg(not(all(test, loom)))]
pub(super) const TRIES: usize = 3;
#[cfg(all(test, loom))]
pub(super) use super::TRIES;

/// Readers raise the horizon this far past the required instant (20 ms). Corrections are delayed by the same
/// time, but frame loops only have to raise the horizon in every other frame.
pub(super) const AHEAD: i64 = 200_000;

/// The horizon of a closed slot, which is later than all instants.
const CLOSED: i64 = i64::MAX;

/// This number counts as finished before anything is published. Its slot starts closed, so readers never keep
/// it.
const NOTHING: u64 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The line has not changed.
    Kept,
    /// Up to `until`, the new line agrees with the previous line or is ahead of it. The writer computed the
    /// new line for the horizon `read`. If `read` is later than `until`, the writer treats the reads after
    /// `until` as forecasts, which may be revoked.
    Bent { read: i64, until: i64 },
    /// The new line is unrelated to the previous line, so earlier reads do not matter.
    New,
}

/// A snapshot of `N` words, published by one writer and copied by any number of readers. Nearly all reads
/// load one cache line and at most one more word. The alignment also separates the words from the preceding
/// reference counts. These change whenever a reader is cloned or dropped.
#[repr(C, align(64))]
pub(crate) struct Published<const N: usize> {
    progress: AtomicU64,
    read_until: [AtomicI64; 2],
    /// The two slots of a word are adjacent, so that readers can add the slot number to an address.
    words: [[AtomicU64; 2]; N],
    waiting: AtomicU32,
    /// Only the writer uses this copy of the last finished number, so its accesses need no ordering.
    finished: AtomicU64,
}

#[derive(Clone, Copy)]
pub(crate) struct Words<'a, const N: usize> {
    published: &'a Published<N>,
    slot: usize,
}

impl<const N: usize> Words<'_, N> {
    /// If the word belongs to a different snapshot, the check after the copy will detect it.
    #[inline]
    pub(crate) fn get(self, i: usize) -> u64 {
        self.published.words[i][self.slot].load(Ordering::Relaxed)
    }

    /// Returns how far the horizon is ahead of `at`, modulo 2^64. If the result is negative, the horizon must
    /// be raised. If the slot is closed and `at` is a valid instant, the result exceeds a quarter of the
    /// 64-bit range.
    #[inline]
    pub(crate) fn room(self, at: i64) -> i64 {
        self.published.read_until[self.slot].load(Ordering::Relaxed).wrapping_sub(at)
    }
}

#[inline]
fn slot(number: u64) -> usize {
    (number & 1) as usize
}

/// The writer sets this bit of the progress word when it begins the next number.
const BEGUN: u64 = 1 << 63;

fn finished(progress: u64) -> u64 {
    progress & !BEGUN
}

fn begun(progress: u64) -> u64 {
    finished(progress) + u64::from(progress != finished(progress))
}

// The writer.
impl<const N: usize> Published<N> {
    pub(crate) fn new() -> Self {
        Published {
            progress: AtomicU64::new(NOTHING),
            read_until: core::array::from_fn(|_| AtomicI64::new(CLOSED)),
            words: core::array::from_fn(|_| core::array::from_fn(|_| AtomicU64::new(0))),
            waiting: AtomicU32::new(0),
            finished: AtomicU64::new(NOTHING),
        }
    }

    /// Returns the latest instant at which the line may have been read. Only the writer calls this. If the
    /// horizon rises later, [`publish`](Self::publish) rejects a line computed for the old value.
    pub(crate) fn horizon(&self) -> i64 {
        self.read_until[slot(self.finished.load(Ordering::Relaxed))].load(Ordering::Relaxed)
    }

    /// Publishes `words` as the new snapshot. The first call must pass [`Line::New`]. Returns false and
    /// changes nothing if a reader asked the writer to pause, or has read the old line beyond the point where
    /// the new `line` begins to differ. The caller should then try again at its next call, with the latest
    /// words. Call this from one thread at a time. Concurrent writers would mix contents, but not corrupt
    /// memory.
    pub(crate) fn publish(&self, words: &[u64; N], line: Line) -> bool {
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let finished = self.finished.load(Ordering::Relaxed);
        // If this publication is rejected, the next call reuses its number.
        let number = finished + 1;
        // A reader that loads this progress must also see the finished snapshot, so this is a release store.
        self.progress.store(finished | BEGUN, Ordering::Release);
        fence(Ordering::Release);
        for (word, value) in self.words.iter().zip(words) {
            word[slot(number)].store(*value, Ordering::Relaxed);
        }
        if !self.close(finished, &self.read_until[slot(number)], line) {
            return false;
        }
        self.finished.store(number, Ordering::Relaxed);
        self.progress.store(number, Ordering::Release);
        true
    }

    /// Closes `number` and sets the horizon of `next`. Returns false if a reader read the old line beyond the
    /// point where the new `line` begins to differ. We set the horizon of `next` with swaps. Stores would
    /// suffice. However, loom does not know that a late reader's `fetch_max`, which leaves [`CLOSED`]
    /// unchanged, cannot follow them.
    fn close(&self, number: u64, next: &AtomicI64, line: Line) -> bool {
        let current = &self.read_until[slot(number)];
        match line {
            Line::New => {
                next.swap(i64::MIN, Ordering::Relaxed);
                current.swap(CLOSED, Ordering::Release);
                true
            }
            Line::Kept => {
                next.swap(i64::MIN, Ordering::Relaxed);
                let read = current.swap(CLOSED, Ordering::Release);
                if read != i64::MIN {
                    // Readers of the next publication may already have raised its horizon.
                    next.fetch_max(read, Ordering::Relaxed);
                }
                true
            }
            Line::Bent { mut read, until } => {
                for _ in 0..TRIES {
                    next.swap(read.min(until), Ordering::Relaxed);
                    match current.compare_exchange(read, CLOSED, Ordering::Release, Ordering::Relaxed) {
                        Ok(_) => return true,
                        Err(raised) if raised <= until => read = raised,
                        Err(_) => break,
                    }
                }
                false
            }
        }
    }
}

// Readers.
impl<const N: usize> Published<N> {
    /// Reads the line of the most recent snapshot at the instant `at`, or returns `None` if nothing has been
    /// published. `copy` should load only the words it needs. The closure may run several times and see words
    /// from different snapshots. A result is returned only if all its loads came from one snapshot.
    pub(crate) fn read<T>(&self, at: i64, copy: impl Fn(Words<'_, N>) -> T) -> Option<T> {
        for _ in 0..TRIES {
            let finished = self.newest();
            if finished == NOTHING {
                return None;
            }
            if let Some(copied) = self.attempt(finished, at, &copy) {
                return Some(copied);
            }
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // The first iteration succeeds, by the proof above. Using a loop avoids code for a panic that cannot
        // occur.
        let copied = loop {
            if let Some(copied) = self.attempt(self.newest(), at, &copy) {
                break copied;
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(copied)
    }

    fn newest(&self) -> u64 {
        finished(self.progress.load(Ordering::Acquire))
    }

    /// Makes a single attempt, which nearly always succeeds and is small enough to be inlined. `copy` must
    /// return `None` if the horizon is [before](Words::room) the instant that it reads. If the result is
    /// `None`, call [`read`](Self::read).
    #[inline]
    pub(crate) fn glance<T>(&self, copy: impl FnOnce(Words<'_, N>) -> Option<T>) -> Option<T> {
        let progress = self.progress.load(Ordering::Acquire);
        let copied = copy(self.words(progress))?;
        fence(Ordering::Acquire);
        // This check is stricter than it has to be, but saves one instruction.
        (self.progress.load(Ordering::Relaxed) == progress).then_some(copied)
    }

    fn attempt<T>(&self, finished: u64, at: i64, copy: &impl Fn(Words<'_, N>) -> T) -> Option<T> {
        let number = [finished, finished + 1].into_iter().find(|&it| self.keep(it, at))?;
        let copied = copy(self.words(number));
        fence(Ordering::Acquire);
        (begun(self.progress.load(Ordering::Relaxed)) <= number + 1).then_some(copied)
    }

    /// Raises the horizon of `number` to `at` or later. Returns false if the line is already closed.
    fn keep(&self, number: u64, at: i64) -> bool {
        let read_until = &self.read_until[slot(number)];
        let mut seen = read_until.load(Ordering::Acquire);
        if seen < at {
            // The raised horizon is a valid instant, so that a glance rejects later instants without another
            // check.
            let raised = at.saturating_add(AHEAD).min(MAX_INSTANT_TICKS);
            seen = read_until.fetch_max(raised, Ordering::Acquire);
        }
        seen != CLOSED
    }

    #[inline]
    fn words(&self, number: u64) -> Words<'_, N> {
        Words { published: self, slot: slot(number) }
    }
}

#[cfg(all(test, not(loom)))]
#[path = "publish/tests.rs"]
mod tests;
