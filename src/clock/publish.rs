//! One writer, any number of wait-free readers, no lock and no unsafe code.
//!
//! Two slots, each a sequence counter and the words of one snapshot. The writer fills the slot that is not
//! current (its counter is odd meanwhile) and then makes it current. A reader copies the words it needs out of
//! the current slot and keeps the copy if the slot's counter was even and the same before and after.
//!
//! A copy fails only if the writer came round to the same slot during it, that is, published twice. After
//! [`TRIES`] failures in a row a reader counts itself as `waiting`; while anybody is waiting the writer skips
//! publications (it keeps its snapshot and offers it again at its next call), so the next try succeeds:
//!
//! - The writer's check and the reader's announcement are each next to a sequentially consistent fence, so one
//!   fence is first. If it is the reader's, the check sees the announcement and the publication is skipped.
//! - So let P be the last publication whose check came first. Every switch of `current` before P is visible to
//!   the reader, and P writes only the slot that is not current. If the reader loads `current` from before P's
//!   switch it gets the slot P does not touch; if from after, a slot that P has finished.
//!
//! Hence a read takes at most `TRIES + 1` copies, whatever the writer does, and the writer never waits at all.
//!
//! The orderings within one slot are those of a seqlock: the odd counter is kept before the words by the release
//! fence, the words before the even counter by its release store; on the reader's side the acquire load keeps
//! the words after the first look at the counter and the acquire fence keeps them before the second.

use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

/// Failed copies before a reader asks the writer to hold off. One is bad luck, three are a busy writer.
const TRIES: usize = 3;

struct Slot<const N: usize> {
    sequence: AtomicU64,
    words: [AtomicU64; N],
}

/// A snapshot of `N` words, published by one writer and copied by any number of readers.
pub(crate) struct Published<const N: usize> {
    current: AtomicUsize,
    waiting: AtomicU32,
    slots: [Slot<N>; 2],
}

impl<const N: usize> Published<N> {
    /// All words zero.
    pub(crate) fn new() -> Self {
        let slot = || Slot { sequence: AtomicU64::new(0), words: [const { AtomicU64::new(0) }; N] };
        Published { current: AtomicUsize::new(0), waiting: AtomicU32::new(0), slots: [slot(), slot()] }
    }

    /// Makes `words` the snapshot that readers see from now on. Returns false, having changed nothing, if a
    /// reader asked the writer to hold off: offer the newest words again at the next occasion.
    ///
    /// Call from one thread at a time; concurrent writers would not corrupt memory, only the contents.
    pub(crate) fn publish(&self, words: &[u64; N]) -> bool {
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            return false;
        }
        let next = 1 - self.current.load(Ordering::Relaxed);
        let slot = &self.slots[next];
        let sequence = slot.sequence.load(Ordering::Relaxed);
        slot.sequence.store(sequence.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, value) in slot.words.iter().zip(words) {
            word.store(*value, Ordering::Relaxed);
        }
        slot.sequence.store(sequence.wrapping_add(2), Ordering::Release);
        self.current.store(next, Ordering::Release);
        true
    }

    /// Copies words out of the newest snapshot: `copy` is given the slot's words and loads those it needs. It
    /// may run several times, and what it returns is kept only if all its loads came from one snapshot.
    #[inline]
    pub(crate) fn read<T>(&self, copy: impl Fn(&[AtomicU64; N]) -> T) -> T {
        for _ in 0..TRIES {
            if let Some(copied) = self.attempt(&copy) {
                return copied;
            }
        }
        self.read_waiting(&copy)
    }

    #[cold]
    fn read_waiting<T>(&self, copy: &impl Fn(&[AtomicU64; N]) -> T) -> T {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // The first turn succeeds, as shown above; the loop spares a panic that cannot happen.
        let copied = loop {
            if let Some(copied) = self.attempt(copy) {
                break copied;
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        copied
    }

    #[inline]
    fn attempt<T>(&self, copy: &impl Fn(&[AtomicU64; N]) -> T) -> Option<T> {
        let slot = &self.slots[self.current.load(Ordering::Acquire)];
        let before = slot.sequence.load(Ordering::Acquire);
        let copied = copy(&slot.words);
        fence(Ordering::Acquire);
        let after = slot.sequence.load(Ordering::Relaxed);
        (before == after && before % 2 == 0).then_some(copied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<const N: usize>(words: &[AtomicU64; N]) -> [u64; N] {
        core::array::from_fn(|i| words[i].load(Ordering::Relaxed))
    }

    #[test]
    fn readers_see_what_was_published_last() {
        let published = Published::<3>::new();
        assert_eq!(published.read(all), [0; 3]);
        for round in 1..10 {
            assert!(published.publish(&[round; 3]));
            assert_eq!(published.read(all), [round; 3]);
        }
    }

    #[test]
    fn the_writer_holds_off_while_a_reader_waits() {
        let published = Published::<2>::new();
        assert!(published.publish(&[1, 1]));
        published.waiting.fetch_add(1, Ordering::Relaxed);
        assert!(!published.publish(&[2, 2]));
        assert_eq!(published.read(all), [1, 1]);
        published.waiting.fetch_sub(1, Ordering::Relaxed);
        assert!(published.publish(&[3, 3]));
        assert_eq!(published.read(all), [3, 3]);
    }

    #[test]
    fn a_reader_that_is_always_disturbed_still_gets_one_whole_snapshot() {
        let published = Published::<2>::new();
        let round = core::cell::Cell::new(0);
        // The writer publishes twice inside every copy until it is asked to hold off.
        let copied = published.read(|words| {
            let first = words[0].load(Ordering::Relaxed);
            for _ in 0..2 {
                round.set(round.get() + 1);
                published.publish(&[round.get(); 2]);
            }
            (first, words[1].load(Ordering::Relaxed))
        });
        assert_eq!(copied.0, copied.1);
        assert_eq!(published.waiting.load(Ordering::Relaxed), 0);
    }
}
