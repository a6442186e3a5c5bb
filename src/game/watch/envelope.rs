//! Tracks a bound on the client's clock from the messages in one direction.
//!
//! Values are bounds on `client - server`, with the sign chosen so that larger values are tighter. Delay can
//! only make a value smaller, so the largest value remains valid until the clock itself moves. If the
//! envelope rises repeatedly, either the clock gains or the path keeps getting shorter.

use super::packed::Packed;
use crate::clock::Span;

/// Duration of a block. From a player who reports every second, it contains two reports.
pub(super) const BLOCK: Span = Span::from_secs(2);

/// Number of blocks in an envelope, which covers 52 s.
pub(super) const BLOCKS: usize = 26;

/// Rises are stored in units of this many ticks (0.1 ms), up to 6.5 s per block. Storing spans would take
/// four times the memory.
const UNIT: i64 = 1_000;

const SLACK_BLOCKS: i32 = 8;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Envelope {
    /// The tightest bound so far, loosened with its age.
    best: Option<Packed>,
    now: Option<Packed>,
    before: Option<Packed>,
    /// The rise in each block, oldest first.
    rises: [u16; BLOCKS],
    /// An upper bound on the largest rise that a single message has caused.
    step: u16,
    slack: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rise {
    pub(super) total: Span,
    /// Largest rise in two adjacent blocks, because a single path change or jump affects at most two blocks.
    pub(super) largest: Span,
    pub(super) step: Span,
    pub(super) blocks: usize,
}

impl Envelope {
    pub(super) fn offer(&mut self, value: Span) -> bool {
        self.now = self.now.max(Some(value.into()));
        let best = Span::from(*self.best.get_or_insert(value.into()));
        let units = (value - best).ticks() / UNIT;
        if units <= 0 {
            return false;
        }
        // Keep the remainder for later, so that many small rises are not rounded away.
        self.best = Some((best + Span::from_ticks(units * UNIT)).into());
        let units = u16::try_from(units).unwrap_or(u16::MAX);
        self.rises[BLOCKS - 1] = self.rises[BLOCKS - 1].saturating_add(units);
        self.step = self.step.max(units);
        true
    }

    pub(super) fn offer_loose(&mut self, value: Span) {
        self.best = self.best.max(Some(value.into()));
    }

    pub(super) fn pass(&mut self, count: u32, loosening: Span) {
        if let (Some(best), Some(now)) = (self.best(), self.this_block()) {
            let below = (best - now).ticks().max(0) / UNIT;
            let (below, slack) = (i32::from(u16::try_from(below).unwrap_or(u16::MAX)), i32::from(self.slack));
            self.slack = (slack + (below - slack) / SLACK_BLOCKS) as u16;
        }
        self.before = self.now.take().filter(|_| count == 1);
        let loosened = Span::from_ticks(loosening.ticks().saturating_mul(count.into()));
        self.best = self.best().map(|best| (best - loosened).into());
        let passed = BLOCKS.min(count as usize);
        self.rises.copy_within(passed.., 0);
        self.rises[BLOCKS - passed..].fill(0);
        self.step = self.rises.iter().fold(0, |largest, &rise| rise.max(largest)).min(self.step);
    }

    pub(super) fn best(&self) -> Option<Span> {
        self.best.map(Span::from)
    }

    pub(super) fn this_block(&self) -> Option<Span> {
        self.now.map(Span::from)
    }

    pub(super) fn departure(&self) -> Option<Span> {
        self.best().zip(self.now.max(self.before)).map(|(best, lately)| best - lately.into())
    }

    pub(super) fn slack(&self) -> Span {
        Span::from_ticks(i64::from(self.slack) * UNIT)
    }

    pub(super) fn rise(&self, notable: Span) -> Rise {
        let (mut total, mut largest, mut first) = (0, 0, BLOCKS);
        for (block, pair) in self.rises.windows(2).enumerate() {
            largest = largest.max(i64::from(pair[0]) + i64::from(pair[1]));
            if first == BLOCKS && i64::from(pair[1]) * UNIT > notable.ticks() {
                first = block + 1;
            }
        }
        for rise in self.rises {
            total += i64::from(rise);
        }
        let span = |units: i64| Span::from_ticks(units * UNIT);
        Rise {
            total: span(total),
            largest: span(largest),
            step: span(self.step.into()),
            blocks: BLOCKS - first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(ticks: i64) -> Span {
        Span::from_ticks(ticks)
    }

    fn rise(total: i64, largest: i64, step: i64, blocks: usize) -> Rise {
        Rise { total: ticks(total), largest: ticks(largest), step: ticks(step), blocks }
    }

    #[test]
    fn only_tighter_bounds_raise_the_envelope() {
        let mut envelope = Envelope::default();
        assert!(!envelope.offer(ticks(50_000)), "the first bound is not a rise");
        for (value, is_rise) in [(20_000, false), (50_999, false), (53_000, true)] {
            assert_eq!(envelope.offer(ticks(value)), is_rise, "{value}");
        }
        assert_eq!(envelope.rise(Span::ZERO), rise(3_000, 3_000, 3_000, 1));
        envelope.pass(1, ticks(500));
        assert_eq!(envelope.best(), Some(ticks(52_500)));
        envelope.offer(ticks(40_000));
        assert_eq!(envelope.departure(), Some(ticks(-500)), "the block before still counts");
        envelope.pass(1, ticks(500));
        assert_eq!(envelope.departure(), Some(ticks(12_000)));
        envelope.pass(1, ticks(500));
        assert_eq!((envelope.departure(), envelope.this_block()), (None, None));
    }

    #[test]
    fn many_small_rises_add_up() {
        let mut envelope = Envelope::default();
        for step in 0..1_000 {
            envelope.offer(ticks(step * 70));
        }
        assert!(
            (69_000..=69_930).contains(&envelope.rise(Span::ZERO).total.ticks()),
            "{:?}",
            envelope.rise(Span::ZERO)
        );
    }

    #[test]
    fn rises_expire() {
        let mut envelope = Envelope::default();
        envelope.offer(ticks(0));
        for step in 1..=5 {
            envelope.offer(ticks(step * 10_000));
            envelope.pass(1, ticks(0));
        }
        assert_eq!(envelope.rise(Span::ZERO), rise(50_000, 20_000, 10_000, 6));
        envelope.pass(21, ticks(0));
        assert_eq!(envelope.rise(Span::ZERO).total, ticks(40_000));
        envelope.pass(u32::MAX, ticks(i64::MAX));
        assert_eq!(envelope.rise(Span::ZERO), rise(0, 0, 0, 0));
        assert!(envelope.best().is_some());
    }
}
