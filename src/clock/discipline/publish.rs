//! One writer, any number of wait-free readers, no lock and no unsafe code. What a reader was shown, no later
//! snapshot takes back.
//!
//! # Whole snapshots
//!
//! Publications are numbered. There is room for two snapshots; number `n` goes into slot `n & 1`. One word
//! says how far the writer is, its `progress`: the newest finished number, and whether the next is begun. A
//! reader loads the finished number `f` and copies the words it needs out of that slot. It keeps the copy
//! if no more than `f + 1` is begun by then. `f + 1` goes into the other slot, and `f + 2` is the first
//! that spoils this one.
//!
//! - Nothing older than `f` is copied: the acquire load of `progress` sees all that came before its store.
//! - A copied word may be of a later publication `m` into the same slot. Then `m >= f + 2` and the copy is
//!   refused. The writer's release fence lies between its store that `m` is begun and the words. The reader's
//!   acquire fence lies between the words and its second load of `progress`. So that load sees `m` begun, or
//!   more.
//!
//! # What was shown stays shown
//!
//! A snapshot draws a line through time, and a read asks where it is `at` one instant. A later snapshot may
//! leave that line only after all instants at which it was read. So each slot has a **horizon**:
//! `read_until`, the latest instant at which its line may have been read. A reader that asks for a later one
//! raises it first, by [`AHEAD`] more than it needs. So only one read in a while has to. Before the writer
//! publishes `n + 1` it **closes** `n`: one exchange takes the horizon of `n` from what the new line was made
//! for to [`CLOSED`].
//!
//! - A reader keeps its copy of `n` only if it found or made the horizon `at` or later, and not closed. All
//!   changes of this one word are in one order, and until it is closed it only rises. So it was closed at
//!   `at` or later.
//! - The exchange succeeds only if the new line leaves the old one after the horizon that it takes away. If a
//!   reader has raised that beyond, nothing is published and the writer makes another line.
//! - So lines `n` and `n + 1` agree wherever `n` was ever read; or there the newer one is ahead, if it jumps.
//! - A reader that meets `n` closed goes on to `n + 1`, without waiting until that is called finished. It was
//!   filled before `n` was closed, and acquire and release of that word make it visible. A reader that is
//!   later in order meets `n` closed too.
//! - The horizon of a slot may be that of a later publication `m >= n + 2`, set after `m` was begun. Then the
//!   copy is refused as above. A reader that is late may raise the horizon of `m` instead of `n`: the line
//!   then stays for longer.
//!
//! # A bounded number of steps
//!
//! A copy fails only if the writer came round to the same slot during it. After [`TRIES`] failures in a row a
//! reader counts itself as `waiting`. While anybody is waiting, the writer skips publications: it keeps its
//! snapshot and offers it again at its next call. So the next try succeeds:
//!
//! - The writer's check and the reader's announcement are each next to a sequentially consistent fence, so
//!   one fence is first. If it is the reader's, the check sees the announcement and the publication is
//!   skipped.
//! - So let `p` be the last publication whose check came first. The reader sees all that the writer did
//!   before that check: `p - 1` is finished. Nothing after `p` begins. So the reader finds `p - 1` or `p`
//!   finished, and no more than `p` begun. If `p - 1` is closed it goes on to `p`, and nobody closes that. It
//!   keeps the copy.
//!
//! Hence a read takes at most `TRIES + 1` copies whatever the writer does, and one more if it began with a
//! [glance](Published::glance). Each comes after two looks at horizons at most. The writer never waits.

use crate::clock::ground::sync::{AtomicI64, AtomicU32, AtomicU64, Ordering, fence};
use crate::clock::ground::time::MAX_INSTANT_TICKS;

/// Failed copies before a reader asks the writer to hold off, and horizons that the writer tries to take
/// away. One is bad luck, three are a busy thread. The argument above is the same for any number. Most model
/// checks take one, so that there are fewer steps to permute.
#[cfg(not(all(test, loom)))]
pub(super) const TRIES: usize = 3;
#[cfg(all(test, loom))]
pub(super) use super::TRIES;

/// By how much more than it needs a reader raises the horizon: 20 ms. Corrections begin that much later, and
/// frame loops raise it in every other frame.
pub(super) const AHEAD: i64 = 200_000;

/// The horizon of a publication that a newer one replaces: later than all instants.
const CLOSED: i64 = i64::MAX;

/// The number that is finished before the first publication. Its slot is closed, so that no copy is kept.
const NOTHING: u64 = 0;

/// How the line of a snapshot goes on from that of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It is the same.
    Kept,
    /// It agrees with that one, or is ahead of it, up to `until`. It was made for the horizon `read`. If that
    /// is later than `until`, the writer took the reads beyond for forecasts, which may be taken back.
    Bent { read: i64, until: i64 },
    /// It is another line, and what was read of the one before does not matter.
    New,
}

/// A snapshot of `N` words, published by one writer and copied by any number of readers.
///
/// Aligned to a cache line, so that the words that nearly all reads load are in one, or one and a word. The
/// reference counts before it change as readers come and go, so they must not share it.
#[repr(C, align(64))]
pub(crate) struct Published<const N: usize> {
    progress: AtomicU64,
    /// The horizon of each slot.
    read_until: [AtomicI64; 2],
    /// Both slots of each word side by side: a reader adds the slot to an address once and multiplies
    /// nothing.
    words: [[AtomicU64; 2]; N],
    waiting: AtomicU32,
    /// The number that is finished, for the writer alone: what nobody else reads has no order to check.
    finished: AtomicU64,
}

/// The words of one slot, to be copied from.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, const N: usize> {
    published: &'a Published<N>,
    slot: usize,
}

impl<const N: usize> Words<'_, N> {
    /// Word `i`. It may be of another snapshot than the last word; this shows afterwards.
    #[inline]
    pub(crate) fn get(self, i: usize) -> u64 {
        self.published.words[i][self.slot].load(Ordering::Relaxed)
    }

    /// How far the horizon is ahead of `at`, modulo 2^64. It is negative if the horizon has to be raised.
    /// If the slot is closed and `at` is a valid instant, it is more than a quarter of all numbers.
    #[inline]
    pub(crate) fn room(self, at: i64) -> i64 {
        self.published.read_until[self.slot].load(Ordering::Relaxed).wrapping_sub(at)
    }
}

/// The slot of a number; also that of the newest finished number of a progress.
#[inline]
fn slot(number: u64) -> usize {
    (number & 1) as usize
}

/// Part of a progress: the number after the finished one is begun.
const BEGUN: u64 = 1 << 63;

/// The newest number that is finished at this `progress`.
fn finished(progress: u64) -> u64 {
    progress & !BEGUN
}

/// The newest number that is begun at this `progress`.
fn begun(progress: u64) -> u64 {
    finished(progress) + u64::from(progress != finished(progress))
}

// The writer.
impl<const N: usize> Published<N> {
    /// Nothing published.
    pub(crate) fn new() -> Self {
        Published {
            progress: AtomicU64::new(NOTHING),
            read_until: core::array::from_fn(|_| AtomicI64::new(CLOSED)),
            words: core::array::from_fn(|_| core::array::from_fn(|_| AtomicU64::new(0))),
            waiting: AtomicU32::new(0),
            finished: AtomicU64::new(NOTHING),
        }
    }

    /// The latest instant at which the line may have been read. For the writer: it may rise at any time, and
    /// then [`publish`](Self::publish) refuses a line made for it.
    pub(crate) fn horizon(&self) -> i64 {
        self.read_until[slot(self.finished.load(Ordering::Relaxed))].load(Ordering::Relaxed)
    }

    /// Makes `words` the snapshot that readers see from now on; the first is [`Line::New`]. False, and
    /// nothing changed, if a reader asked the writer to hold off, or has read the line where `line` bends it.
    /// Then offer the newest words again at the next occasion.
    ///
    /// Call from one thread at a time. Concurrent writers would mix their contents, but not corrupt memory.
    pub(crate) fn publish(&self, words: &[u64; N], line: Line) -> bool {
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let finished = self.finished.load(Ordering::Relaxed);
        // The same as at the last call, if that was refused.
        let number = finished + 1;
        // Release: a reader that meets it sees what is finished.
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

    /// Closes `number` and sets the horizon of the `next`. False if a reader was where the line bends.
    ///
    /// The `next` one is set by exchanges. Stores would do, but loom does not know that an exchange of a late
    /// reader, which leaves [`CLOSED`] as it is, cannot come after them.
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
                    // Readers of the next one may have raised it in between.
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
    /// Whether anything was published.
    #[cfg(not(all(test, loom)))]
    pub(crate) fn is_published(&self) -> bool {
        self.newest() != NOTHING
    }

    /// Copies words from the newest snapshot, to read its line `at` an instant, or returns `None` if nothing
    /// was published. `copy` loads the words it needs and may compute with them. It may run several times, on
    /// words that do not belong together. Its result is used only if all loads came from one snapshot.
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
        // The first turn succeeds, as shown above; the loop spares a panic that cannot happen.
        let copied = loop {
            if let Some(copied) = self.attempt(self.newest(), at, &copy) {
                break copied;
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(copied)
    }

    /// The newest number that is finished, and whose snapshot is visible from here on.
    fn newest(&self) -> u64 {
        finished(self.progress.load(Ordering::Acquire))
    }

    /// Tries once. This nearly always succeeds and is small enough to be inlined. `copy` must return `None`
    /// if there is no [room](Words::room) for the instant that it reads. Returns `None` in this case, if the
    /// writer interfered, or if nothing was published. Use [`read`](Self::read) then.
    #[inline]
    pub(crate) fn glance<T>(&self, copy: impl FnOnce(Words<'_, N>) -> Option<T>) -> Option<T> {
        let progress = self.progress.load(Ordering::Acquire);
        let copied = copy(self.words(progress))?;
        fence(Ordering::Acquire);
        // Stricter than it has to be, and one instruction less.
        (self.progress.load(Ordering::Relaxed) == progress).then_some(copied)
    }

    /// Tries once to copy the number `finished` or the next one, and raises the horizon if necessary.
    fn attempt<T>(&self, finished: u64, at: i64, copy: &impl Fn(Words<'_, N>) -> T) -> Option<T> {
        let number = [finished, finished + 1].into_iter().find(|&it| self.keep(it, at))?;
        let copied = copy(self.words(number));
        fence(Ordering::Acquire);
        (begun(self.progress.load(Ordering::Relaxed)) <= number + 1).then_some(copied)
    }

    /// Makes sure that the line of `number` does not change up to `at`. Returns false if it is closed.
    fn keep(&self, number: u64, at: i64) -> bool {
        let read_until = &self.read_until[slot(number)];
        let mut seen = read_until.load(Ordering::Acquire);
        if seen < at {
            // No horizon is later than the last valid instant, so a glance finds no room for an instant
            // beyond, and needs no check of its own.
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
