/// Size of a replay window, which accepts each of the most recent numbers once, in any order. It rejects
/// older numbers. The window covers four seconds of requests at 60 Hz. No path reorders messages by more than
/// four seconds.
pub const WINDOW: u64 = 256;

const BLOCK: u64 = u64::BITS as u64;

/// The window needs one extra block, because whole blocks are dropped.
const BLOCKS: usize = (WINDOW / BLOCK) as usize + 1;

/// Number of starts that a receiver remembers per sender, each with its own [`WINDOW`].
pub const STARTS: usize = 4;

/// Two senders share a key if an earlier start is still active. A start is active if one of its messages is
/// among the `RECENT` most recent ones and arrived more than `LATE` messages after a later start began.
const LATE: u64 = 4;
const RECENT: u64 = 32;

/// A sender's replay windows, one per start. The upper half of a message number identifies the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    starts: [Option<Start>; STARTS],
    taken: u64,
    /// Starts below this number are rejected unless they are still stored.
    forgotten: u64,
    /// Whether the most recent message belongs to a later start while an earlier start is still active.
    pub(super) is_shared: bool,
}

#[derive(Clone, Debug)]
struct Start {
    start: u64,
    /// Values of `taken` at the first and the latest message of this start.
    began: u64,
    heard: u64,
    window: Window,
}

impl Windows {
    pub(super) fn take(&mut self, number: u64) -> bool {
        let is_new = self.note(number);
        if is_new {
            self.is_shared = self.is_beside_another(number >> 32);
        }
        is_new
    }

    /// Delayed messages from before a restart do not count as another sender's.
    fn is_beside_another(&self, start: u64) -> bool {
        let all = || self.starts.iter().flatten();
        let began = all().find(|it| it.start == start).map_or(u64::MAX, |it| it.began);
        let goes_on = |it: &Start| it.heard > began.saturating_add(LATE) && self.taken - it.heard < RECENT;
        all().any(|it| it.start < start && goes_on(it))
    }

    fn note(&mut self, number: u64) -> bool {
        let start = number >> 32;
        let known = self.starts.iter_mut().flatten().find(|it| it.start == start);
        if known.is_none() && start < self.forgotten {
            return false;
        }
        self.taken += 1;
        if let Some(known) = known {
            let is_new = known.window.take(number);
            if is_new {
                known.heard = self.taken;
            }
            return is_new;
        }
        let mut fresh = Start { start, began: self.taken, heard: self.taken, window: Window::default() };
        let is_new = fresh.window.take(number);
        // Use an empty slot, or replace the start that has been silent the longest.
        let oldest = self.starts.iter_mut().min_by_key(|it| it.as_ref().map(|it| it.heard));
        if let Some(left) = oldest.and_then(|place| place.replace(fresh)) {
            self.forgotten = self.forgotten.max(left.start + 1);
        }
        is_new
    }
}

/// The most recent accepted numbers, as bits in a ring of blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    newest: u64,
    seen: [u64; BLOCKS],
}

impl Window {
    /// Returns false if the number was already accepted or is older than the window.
    pub(super) fn take(&mut self, number: u64) -> bool {
        let place = |block: u64| (block % BLOCKS as u64) as usize;
        let (block, bit) = (number / BLOCK, 1 << (number % BLOCK));
        if number > self.newest {
            let begun = self.newest / BLOCK + 1..=block;
            begun.rev().take(BLOCKS).for_each(|block| self.seen[place(block)] = 0);
            self.newest = number;
        } else if self.newest - number >= WINDOW {
            return false;
        }
        let seen = &mut self.seen[place(block)];
        let is_new = *seen & bit == 0;
        *seen |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_recent_number_is_accepted_once() {
        for spread in [1_u64, 3, 63, 64, 65, 200, 256, 300, 1_000, 100_000] {
            let (mut window, mut came) = (Window::default(), BTreeSet::new());
            let (mut random, mut newest, mut taken) = (spread, 0_u64, 0);
            for step in 0..20_000_u64 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step | 1);
                let number = (step / 3 + (random >> 33) % spread).max(1);
                let is_known = newest > number && newest - number >= WINDOW;
                let expected = !is_known && came.insert(number);
                assert_eq!(window.take(number), expected, "{number} after {newest}, spread {spread}");
                newest = newest.max(number);
                taken += u32::from(expected);
            }
            assert!(taken > 50, "{taken} with spread {spread}");
        }
    }

    #[test]
    fn reordering_is_accepted_and_duplicates_are_rejected() {
        let mut window = Window::default();
        for batch in (1..2_000).step_by(201) {
            for number in (batch..=batch + 200).rev() {
                assert!(window.take(number), "{number}");
            }
            for number in 1..=batch + 200 {
                assert!(!window.take(number), "{number} again");
            }
        }
    }

    #[test]
    fn a_second_sender_does_not_make_the_first_too_old() {
        let (mut windows, number) = (Windows::default(), |start: u64, count: u64| start << 32 | count);
        // One sender is a player that never restarts, and the other is a tool that keeps restarting.
        for count in 1..1_000 {
            assert!(windows.take(number(0, count)) && !windows.take(number(0, count)));
            let tool = number(1_000_000 + count / 100, 1 + count % 100);
            assert!(windows.take(tool) && !windows.take(tool));
        }
        assert!(windows.take(number(0, 1_000)) && !windows.is_shared, "the first sender is not informed");
        assert!(windows.take(number(1_000_009, 1_000)) && windows.is_shared, "the second sender is");
        (1_001..1_050).for_each(|count| assert!(windows.take(number(1_000_009, count))));
        assert!(!windows.is_shared, "the first sender has left");
        for start in 1_000_000..1_000_009 {
            assert!(!windows.take(number(start, 7)), "{start} is forgotten, or 7 came before");
        }
        assert!(!windows.take(number(900, 1)), "below the forgotten starts");
        assert!(windows.take(number(0, 1_001)));
    }

    #[test]
    fn the_least_recently_used_start_is_forgotten_permanently() {
        let (mut windows, number) = (Windows::default(), |start: u64, count: u64| start << 32 | count);
        for start in 0..STARTS as u64 {
            assert!(windows.take(number(start, 1)));
        }
        assert!(windows.take(number(0, 2)), "received again");
        assert!(windows.take(number(9, 1)), "start 1 is forgotten");
        assert!(!windows.take(number(1, 2)));
        assert!(windows.take(number(0, 3)) && windows.take(number(2, 2)));
    }

    #[test]
    fn the_smallest_and_largest_numbers_work() {
        let mut window = Window::default();
        assert!(window.take(u64::MAX));
        assert!(!window.take(u64::MAX));
        assert!(window.take(u64::MAX - WINDOW + 1));
        assert!(!window.take(u64::MAX - WINDOW));
        assert!(!window.take(0) && !window.take(1));
    }
}
