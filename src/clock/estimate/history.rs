//! Stores a session's bounds in a limited number of blocks, each of which keeps only the tightest bounds.
//!
//! Queueing only adds delay, so the tightest of many bounds contains nearly all information. Each block
//! begins as a single exchange. When all blocks are in use, they are merged in pairs, and new blocks become
//! twice as long, up to [`LONGEST`]. After that, the oldest block is dropped, because bounds from half an
//! hour ago say little about the current rate of a wandering crystal.

use super::ENOUGH;
use crate::clock::ground::memory::{self, OutOfMemory};

/// Returns the smaller number. This is faster than `f64::min`, which also checks for NaN.
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Returns the median of `gaps`, which must not be empty and are reordered. Not inlined, because each
/// instance of the standard library's function takes several kilobytes.
#[inline(never)]
pub(super) fn median(gaps: &mut [f64]) -> f64 {
    debug_assert!(
        gaps.iter().all(|gap| *gap >= 0.0),
        "only non-negative numbers are in the order of their bits"
    );
    // Comparing bits is faster, and non-negative numbers have the same order as their bits.
    *gaps.select_nth_unstable_by_key(gaps.len() / 2, |gap| gap.to_bits()).1
}

/// Intervals and queueing scales are at least this large (s), because zero would mean infinite certainty.
pub(super) const TIMER_NOISE: f64 = 20e-6;

/// Number of blocks, of 40 bytes each.
pub(crate) const CAPACITY: usize = 64;

/// Maximum length of a block (s). 64 such blocks cover 17 minutes.
pub(super) const LONGEST: f32 = 16.0;

/// A bound on the offset, with its time and value in seconds from the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Point {
    pub(crate) at: f64,
    pub(crate) value: f64,
}

impl Point {
    pub(crate) fn intercept(&self, rate: f64) -> f64 {
        self.value - rate * self.at
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Block {
    pub(crate) upper: Point,
    pub(crate) lower: Point,
    /// Start of the block (s). Blocks last for seconds, so single precision is enough.
    start: f32,
    pub(crate) count: u32,
}

impl Block {
    pub(crate) fn new(upper: Point, lower: Point) -> Self {
        Block { upper, lower, start: upper.at as f32, count: 1 }
    }

    /// Keeps the tighter bounds at this rate, and adds up the exchanges if `counts` is true.
    fn absorb(&mut self, other: &Block, rate: f64, counts: bool) {
        if other.upper.intercept(rate) <= self.upper.intercept(rate) {
            self.upper = other.upper;
        }
        if other.lower.intercept(rate) >= self.lower.intercept(rate) {
            self.lower = other.lower;
        }
        self.start = self.start.min(other.start);
        if counts {
            self.count += other.count;
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct History {
    blocks: Box<[Block]>,
    used: usize,
    length: f32,
    /// Whether the weight of a block is its number of exchanges.
    counts: bool,
    /// The start (s) of the newest block at the time when a rate change last discarded blocks.
    changed: f32,
}

impl History {
    /// Set `counts` if the queueing delays of exchanges are independent. The minimum of many is then tighter.
    pub(crate) fn new(counts: bool) -> Result<Self, OutOfMemory> {
        Ok(History {
            blocks: memory::filled(Block::default(), CAPACITY)?,
            used: 0,
            length: 0.0,
            counts,
            changed: f32::NEG_INFINITY,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.length = 0.0;
        self.changed = f32::NEG_INFINITY;
    }

    pub(crate) fn rate_changes(&self) -> bool {
        self.blocks().first().is_some_and(|oldest| oldest.start < self.changed)
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.used]
    }

    /// Returns true if this opened a new block.
    pub(crate) fn add(&mut self, block: Block, rate: f64) -> bool {
        if let Some(newest) = self.blocks[..self.used].last_mut() {
            if block.start - newest.start < self.length {
                newest.absorb(&block, rate, self.counts);
                return false;
            }
        }
        if self.used == CAPACITY {
            self.make_room(rate);
        }
        debug_assert!(self.used < CAPACITY, "there is room for one more block");
        self.blocks[self.used] = block;
        self.used += 1;
        true
    }

    /// Merges the next block with the `count` oldest blocks, which a queue in one direction delayed. The
    /// merged block counts as one exchange.
    pub(crate) fn join_oldest(&mut self, count: usize, rate: f64) {
        if count == 0 || count >= self.used {
            return;
        }
        for i in 0..count {
            let older = self.blocks[i];
            self.blocks[count].absorb(&older, rate, false);
        }
        self.blocks.copy_within(count..self.used, 0);
        self.used -= count;
    }

    /// After a rate change, discards the oldest eighth of the blocks, unless too few would remain for another
    /// check. New blocks may then be shorter, because the remaining ones cover less time.
    pub(crate) fn forget_oldest(&mut self) {
        let first = self.used / 8;
        if self.used - first < ENOUGH {
            return;
        }
        self.blocks.copy_within(first..self.used, 0);
        self.used -= first;
        self.changed = self.blocks[self.used - 1].start;
        self.length = self.length.min((self.changed - self.blocks[0].start) / CAPACITY as f32);
    }

    fn make_room(&mut self, rate: f64) {
        if self.length >= LONGEST {
            self.blocks.copy_within(1.., 0);
            self.used -= 1;
            return;
        }
        let spacing = (self.blocks[self.used - 1].start - self.blocks[0].start) / CAPACITY as f32;
        self.length = (2.0 * self.length.max(spacing)).min(LONGEST);
        for pair in 0..CAPACITY / 2 {
            let mut merged = self.blocks[2 * pair];
            merged.absorb(&self.blocks[2 * pair + 1], rate, self.counts);
            self.blocks[pair] = merged;
        }
        self.used = CAPACITY / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(at: f64, upper: f64, lower: f64) -> Block {
        Block::new(Point { at, value: upper }, Point { at, value: lower })
    }

    #[test]
    fn merging_keeps_the_tightest_of_each_direction() {
        let mut history = History::new(true).expect("there is memory");
        for i in 0..=CAPACITY {
            let noise = if i % 2 == 0 { 0.0 } else { 1.0 };
            history.add(exchange(i as f64, noise, noise - 2.0), 0.0);
        }
        assert_eq!(history.blocks().len(), CAPACITY / 2 + 1);
        let merged = history.blocks()[0];
        assert_eq!((merged.upper.value, merged.lower.value, merged.count), (0.0, -1.0, 2));
    }

    #[test]
    fn memory_is_bounded_and_old_blocks_go_first() {
        let mut history = History::new(true).expect("there is memory");
        for second in 0..20_000 {
            history.add(exchange(f64::from(second), 0.0, 0.0), 0.0);
            assert!(history.blocks().len() <= CAPACITY);
            assert!(history.blocks().windows(2).all(|pair| pair[0].start < pair[1].start));
        }
        let oldest = history.blocks()[0].start;
        assert!((20_000.0 - CAPACITY as f32 * LONGEST - LONGEST..19_100.0).contains(&oldest), "{oldest}");
    }

    #[test]
    fn a_changed_rate_shortens_the_session() {
        let mut history = History::new(true).expect("there is memory");
        for second in 0..100 {
            history.add(exchange(f64::from(second), 0.0, 0.0), 0.0);
        }
        let (used, oldest) = (history.blocks().len(), history.blocks()[0].start);
        assert!(!history.rate_changes());
        history.forget_oldest();
        assert!(history.rate_changes() && history.blocks().len() == used - used / 8);
        assert!(history.blocks()[0].start > oldest);
        (0..100).for_each(|_| history.forget_oldest());
        assert!(history.blocks().len() >= ENOUGH, "{}", history.blocks().len());
    }

    #[test]
    fn blocks_that_met_a_queue_keep_the_bound_of_the_other_direction() {
        let mut history = History::new(false).expect("there is memory");
        for (at, upper, lower) in
            [(0.0, 0.02, -0.9), (1.0, 0.03, -0.5), (2.0, 0.03, -0.03), (3.0, 0.04, -0.02)]
        {
            history.add(exchange(at, upper, lower), 0.0);
        }
        history.join_oldest(2, 0.0);
        let joined = history.blocks()[0];
        assert_eq!((history.blocks().len(), joined.upper.value, joined.lower.value), (2, 0.02, -0.03));
        history.join_oldest(2, 0.0);
        assert_eq!(history.blocks().len(), 2, "the newest one stays");
    }

    #[test]
    fn a_drifting_clock_does_not_hide_the_tightest_bound() {
        // The offset falls by 100 us per second, so the earlier bound is tighter even though it is larger.
        let mut block = exchange(0.0, 0.000_010, 0.0);
        block.absorb(&exchange(10.0, -0.000_500, 0.0), -100e-6, true);
        assert_eq!(block.upper.at, 0.0);
    }
}
