//! Which numbers came: each counts once.

/// Numbers that a receiver knows, up to the newest: it takes each of them once, in any order, and refuses
/// older ones. Four seconds of requests at 60 Hz, which no path reorders.
pub const WINDOW: u64 = 256;

/// Numbers in a block of bits.
const BLOCK: u64 = u64::BITS as u64;

/// One block more than the window has: blocks are forgotten whole.
const BLOCKS: usize = (WINDOW / BLOCK) as usize + 1;

/// The newest numbers that came, in blocks that take turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    newest: u64,
    seen: [u64; BLOCKS],
}

impl Window {
    /// Takes a number. False if it came before, or is too old to know.
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

    /// Any order, beside a set of all numbers that came.
    #[test]
    fn each_of_the_newest_numbers_counts_once() {
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
    fn reordering_by_two_hundred_is_accepted_and_each_copy_refused() {
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
    fn the_ends_of_the_numbers_are_as_good_as_others() {
        let mut window = Window::default();
        assert!(window.take(u64::MAX));
        assert!(!window.take(u64::MAX));
        assert!(window.take(u64::MAX - WINDOW + 1));
        assert!(!window.take(u64::MAX - WINDOW));
        assert!(!window.take(0) && !window.take(1));
    }
}
