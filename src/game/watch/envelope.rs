//! An envelope around the messages in one direction, which bounds a client's clock from below.
//!
//! Values are bounds on `client - server`, with the sign chosen so that larger values are tighter. Delay can
//! only lower a value, so the largest remains valid until the clock itself moves. If the envelope rises
//! repeatedly, either the clock gains or the path keeps getting shorter.

/// Length of a block (ticks): 2 s, so that a player who reports once per second reports twice per block.
pub(super) const BLOCK_TICKS: i64 = 20_000_000;

/// Length of a block in seconds.
pub(super) const BLOCK_S: f64 = 2.0;

/// Number of stored blocks, which cover 52 s.
pub(super) const BLOCKS: usize = 26;

/// Unit in which rises are stored (ticks): 0.1 ms, so a rise is at most 6.5 s per block.
const UNIT: i64 = 1_000;

/// Number of blocks over which the slack is averaged.
const SLACK_BLOCKS: i32 = 8;

/// Represents a missing bound.
const NONE: i64 = i64::MIN;

/// The tightest bound in one direction, and its recent rises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    /// Tightest bound, loosened by its age, or [`NONE`] before the first bound.
    best: i64,
    /// The tightest bounds in the current and the previous block.
    now: i64,
    before: i64,
    /// How much each of the last blocks raised the envelope, oldest first.
    rises: [u16; BLOCKS],
    /// Upper bound on the largest rise by a single message in these blocks.
    step: u16,
    /// Mean distance between a block's tightest bound and the envelope, over about eight blocks.
    slack: u16,
}

/// How much an envelope rose within the stored blocks (ticks).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rise {
    /// Total rise.
    pub(super) total: i64,
    /// Largest rise over two adjacent blocks, which cover a single path change or jump.
    pub(super) largest: i64,
    /// Largest rise by a single message.
    pub(super) step: i64,
    /// Number of blocks from the first notable rise until now.
    pub(super) blocks: i64,
}

impl Envelope {
    pub(super) const EMPTY: Envelope =
        Envelope { best: NONE, now: NONE, before: NONE, rises: [0; BLOCKS], step: 0, slack: 0 };

    /// Adds a current bound. Returns true if it raised the envelope.
    pub(super) fn offer(&mut self, value: i64) -> bool {
        self.now = self.now.max(value);
        if self.best == NONE {
            self.best = value;
            return false;
        }
        let units = value.saturating_sub(self.best) / UNIT;
        if units <= 0 {
            return false;
        }
        // Raise the envelope by whole units only, so that many small rises are not rounded away.
        self.best = self.best.saturating_add(units.saturating_mul(UNIT));
        let units = u16::try_from(units).unwrap_or(u16::MAX);
        self.rises[BLOCKS - 1] = self.rises[BLOCKS - 1].saturating_add(units);
        self.step = self.step.max(units);
        true
    }

    /// Adds a loose bound that is used for comparison but does not count as a rise.
    pub(super) fn offer_loose(&mut self, value: i64) {
        self.best = self.best.max(value);
    }

    /// Advances by `count` blocks. The envelope loosens by `loosening` ticks per block.
    pub(super) fn pass(&mut self, count: u64, loosening: i64) {
        if self.now != NONE {
            let below = self.best.saturating_sub(self.now).max(0) / UNIT;
            let (below, slack) = (i32::from(u16::try_from(below).unwrap_or(u16::MAX)), i32::from(self.slack));
            // The result is between both values, so it fits.
            self.slack = (slack + (below - slack) / SLACK_BLOCKS) as u16;
        }
        self.before = if count == 1 { self.now } else { NONE };
        self.now = NONE;
        if self.best != NONE {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            self.best = self.best.saturating_sub(count.saturating_mul(loosening)).max(NONE + 1);
        }
        let passed = usize::try_from(count).map_or(BLOCKS, |count| count.min(BLOCKS));
        self.rises.copy_within(passed.., 0);
        self.rises[BLOCKS - passed..].fill(0);
        self.step = self.rises.iter().fold(0, |largest, &rise| rise.max(largest)).min(self.step);
    }

    /// Returns the tightest bound, loosened by its age.
    pub(super) fn best(&self) -> Option<i64> {
        (self.best != NONE).then_some(self.best)
    }

    /// Returns the tightest bound of this block.
    pub(super) fn this_block(&self) -> Option<i64> {
        (self.now != NONE).then_some(self.now)
    }

    /// Returns how far the tightest bound of this and the previous block is below the envelope, or `None` if
    /// there were no messages.
    pub(super) fn departure(&self) -> Option<i64> {
        let lately = self.now.max(self.before);
        (lately != NONE).then(|| self.best.saturating_sub(lately))
    }

    /// Returns the mean distance between a block's tightest bound and the envelope (ticks). Jitter and queues
    /// cause this distance.
    pub(super) fn slack(&self) -> i64 {
        i64::from(self.slack) * UNIT
    }

    /// Returns the rise of the envelope. The rise of a block is notable if it exceeds `notable` ticks.
    pub(super) fn rise(&self, notable: i64) -> Rise {
        let (mut total, mut largest, mut first) = (0, 0, BLOCKS);
        for (block, pair) in self.rises.windows(2).enumerate() {
            largest = largest.max(i64::from(pair[0]) + i64::from(pair[1]));
            if first == BLOCKS && i64::from(pair[1]) * UNIT > notable {
                first = block + 1;
            }
        }
        for rise in self.rises {
            total += i64::from(rise);
        }
        Rise {
            total: total * UNIT,
            largest: largest * UNIT,
            step: i64::from(self.step) * UNIT,
            blocks: (BLOCKS - first) as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_tighter_raises_it() {
        let mut envelope = Envelope::EMPTY;
        assert!(!envelope.offer(50_000), "the first is no rise");
        for (value, is_rise) in [(20_000, false), (50_999, false), (53_000, true)] {
            assert_eq!(envelope.offer(value), is_rise, "{value}");
        }
        assert_eq!(envelope.rise(0), Rise { total: 3_000, largest: 3_000, step: 3_000, blocks: 1 });
        envelope.pass(1, 500);
        assert_eq!(envelope.best(), Some(52_500));
        envelope.offer(40_000);
        assert_eq!(envelope.departure(), Some(-500), "the block before still counts");
        envelope.pass(1, 500);
        assert_eq!(envelope.departure(), Some(12_000));
        envelope.pass(1, 500);
        assert_eq!((envelope.departure(), envelope.this_block()), (None, None));
    }

    #[test]
    fn many_small_rises_add_up() {
        let mut envelope = Envelope::EMPTY;
        for step in 0..1_000 {
            envelope.offer(step * 70);
        }
        assert!((69_000..=69_930).contains(&envelope.rise(0).total), "{:?}", envelope.rise(0));
    }

    #[test]
    fn rises_are_forgotten() {
        let mut envelope = Envelope::EMPTY;
        envelope.offer(0);
        for step in 1..=5 {
            envelope.offer(step * 10_000);
            envelope.pass(1, 0);
        }
        assert_eq!(envelope.rise(0), Rise { total: 50_000, largest: 20_000, step: 10_000, blocks: 6 });
        envelope.pass(21, 0);
        assert_eq!(envelope.rise(0).total, 40_000);
        envelope.pass(u64::MAX, i64::MAX);
        assert_eq!(envelope.rise(0), Rise { total: 0, largest: 0, step: 0, blocks: 0 });
        assert!(envelope.best().is_some());
    }
}
