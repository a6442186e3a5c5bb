//! One writer, any number of wait-free readers, no lock and no unsafe code.
//!
//! Publications are numbered. There is room for two snapshots; number `n` goes into slot `n & 1`. The writer stores `n` as
//! `begun`, fills the slot, and stores `n` as `finished`. A reader loads the finished number `f` and copies the words it
//! needs out of that slot. It keeps the copy if no more than `f + 1` is begun by then: `f + 1` goes into the other slot,
//! and `f + 2` is the first that spoils this one.
//!
//! - Nothing older than `f` is copied: the acquire load of `finished` sees all that came before its store.
//! - A copied word may be of a later publication `m` into the same slot. Then `m >= f + 2` and the copy is refused. The
//!   writer's release fence lies between its store of `begun` and the words. The reader's acquire fence lies between the
//!   words and its load of `begun`. So that load sees `m` or more.
//!
//! So a copy fails only if the writer came round to the same slot during it. After [`TRIES`] failures in a row a reader
//! counts itself as `waiting`. While anybody is waiting, the writer skips publications: it keeps its snapshot and offers it
//! again at its next call. So the next try succeeds:
//!
//! - The writer's check and the reader's announcement are each next to a sequentially consistent fence, so one
//!   fence is first. If it is the reader's, the check sees the announcement and the publication is skipped.
//! - So let `p` be the last publication whose check came first. The reader sees all that the writer did before that check:
//!   `p - 1` is finished. Nothing after `p` begins. So the reader finds `p - 1` or `p` finished, and no more than `p` begun.
//!   It keeps the copy.
//!
//! Hence a read takes at most `TRIES + 1` copies whatever the writer does, and one more if it began with a
//! [glance](Published::glance). The writer never waits.

use crate::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// Failed copies before a reader asks the writer to hold off. One is bad luck, three are a busy writer. The argument
/// above is the same for any number, and the model check has fewer steps to permute with one.
pub(super) const TRIES: usize = if cfg!(all(test, loom)) { 1 } else { 3 };

/// The number that is finished before the first publication.
const NOTHING: u64 = 0;

/// The number that is begun before the first publication: so far beyond [`NOTHING`] that no copy is kept.
const NONE_YET: u64 = NOTHING + 2;

/// A snapshot of `N` words, published by one writer and copied by any number of readers.
///
/// Aligned to a cache line. The reference counts before it change as readers come and go, so they must not share the line
/// that every read loads.
#[repr(align(64))]
pub(crate) struct Published<const N: usize> {
    finished: AtomicU64,
    begun: AtomicU64,
    /// Both slots of each word side by side: a reader adds the slot to an address once and multiplies nothing.
    words: [[AtomicU64; 2]; N],
    waiting: AtomicU32,
}

/// The words of one slot, to be copied from.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, const N: usize> {
    words: &'a [[AtomicU64; 2]; N],
    number: u64,
}

impl<const N: usize> Words<'_, N> {
    /// Word `i`. It may be of another snapshot than the last word; this shows afterwards.
    #[inline]
    pub(crate) fn get(self, i: usize) -> u64 {
        self.words[i][slot(self.number)].load(Ordering::Relaxed)
    }
}

#[inline]
fn slot(number: u64) -> usize {
    (number & 1) as usize
}

impl<const N: usize> Published<N> {
    /// Nothing published.
    pub(crate) fn new() -> Self {
        Published {
            finished: AtomicU64::new(NOTHING),
            begun: AtomicU64::new(NONE_YET),
            words: core::array::from_fn(|_| core::array::from_fn(|_| AtomicU64::new(0))),
            waiting: AtomicU32::new(0),
        }
    }

    /// Makes `words` the snapshot that readers see from now on. False, and nothing changed, if a reader asked the writer to
    /// hold off. Then offer the newest words again at the next occasion.
    ///
    /// Call from one thread at a time. Concurrent writers would mix their contents, but not corrupt memory.
    pub(crate) fn publish(&self, words: &[u64; N]) -> bool {
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let number = self.begun.load(Ordering::Relaxed).wrapping_add(1);
        self.begun.store(number, Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, value) in self.words.iter().zip(words) {
            word[slot(number)].store(*value, Ordering::Relaxed);
        }
        self.finished.store(number, Ordering::Release);
        true
    }

    /// Copies words out of the newest snapshot; none if nothing was published. `copy` loads the words that it needs and may
    /// work on them. It may run several times, on words that do not belong together. Its result counts only if all loads
    /// came from one snapshot.
    pub(crate) fn read<T>(&self, copy: impl Fn(Words<'_, N>) -> T) -> Option<T> {
        // Only whether there is anything; the glances look again, and acquire.
        if self.finished.load(Ordering::Relaxed) == NOTHING {
            return None;
        }
        for _ in 0..TRIES {
            if let Some(copied) = self.glance(|words| Some(copy(words))) {
                return Some(copied);
            }
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // The first turn succeeds, as shown above; the loop spares a panic that cannot happen.
        let copied = loop {
            if let Some(copied) = self.glance(|words| Some(copy(words))) {
                break copied;
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(copied)
    }

    /// Tries once. This nearly always succeeds and is small enough to be inlined. None if `copy` returns none, if the writer
    /// came in between, or if nothing was published. Then use [`read`](Self::read).
    #[inline]
    pub(crate) fn glance<T>(&self, copy: impl FnOnce(Words<'_, N>) -> Option<T>) -> Option<T> {
        let finished = self.finished.load(Ordering::Acquire);
        let copied = copy(Words { words: &self.words, number: finished })?;
        fence(Ordering::Acquire);
        let ahead = self.begun.load(Ordering::Relaxed).wrapping_sub(finished);
        (ahead <= 1).then_some(copied)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn all<const N: usize>(words: Words<'_, N>) -> [u64; N] {
        core::array::from_fn(|i| words.get(i))
    }

    #[test]
    fn readers_see_what_was_published_last() {
        let published = Published::<3>::new();
        assert_eq!(published.read(all), None);
        assert_eq!(published.glance(|words| Some(all(words))), None);
        for round in 1..10 {
            assert!(published.publish(&[round; 3]));
            assert_eq!(published.read(all), Some([round; 3]));
            assert_eq!(published.glance(|words| Some(all(words))), Some([round; 3]));
        }
    }

    #[test]
    fn the_writer_holds_off_while_a_reader_waits() {
        let published = Published::<2>::new();
        assert!(published.publish(&[1, 1]));
        published.waiting.fetch_add(1, Ordering::Relaxed);
        assert!(!published.publish(&[2, 2]));
        assert_eq!(published.read(all), Some([1, 1]));
        published.waiting.fetch_sub(1, Ordering::Relaxed);
        assert!(published.publish(&[3, 3]));
        assert_eq!(published.read(all), Some([3, 3]));
    }

    #[test]
    fn a_copy_survives_one_publication_and_not_two() {
        let published = Published::<2>::new();
        for round in 0..4 {
            for disturbances in 0..4 {
                assert!(published.publish(&[round; 2]));
                let copied = published.glance(|words| {
                    let first = words.get(0);
                    for other in 0..disturbances {
                        assert!(published.publish(&[100 + other; 2]));
                    }
                    Some((first, words.get(1)))
                });
                assert_eq!(copied, (disturbances < 2).then_some((round, round)));
            }
        }
    }

    #[test]
    fn a_reader_that_is_always_disturbed_still_gets_one_whole_snapshot() {
        let published = Published::<2>::new();
        assert!(published.publish(&[0; 2]));
        let (round, copies) = (core::cell::Cell::new(0), core::cell::Cell::new(0));
        // The writer publishes twice inside every copy until it is asked to hold off.
        let copied = published.read(|words| {
            copies.set(copies.get() + 1);
            let first = words.get(0);
            for _ in 0..2 {
                round.set(round.get() + 1);
                published.publish(&[round.get(); 2]);
            }
            (first, words.get(1))
        });
        assert!(copied.is_some_and(|(first, second)| first == second));
        assert_eq!(copies.get(), TRIES + 1);
        assert_eq!(published.waiting.load(Ordering::Relaxed), 0);
    }
}
