//! Waiting for the next frame: the delay that a game's own loop adds, and that no minimum removes.
//!
//! A message that is handled at frame boundaries a period `P` apart waits up to `P`. As long as it meets the frame
//! at ever other moments, some message waits hardly at all and the smallest delay is free of it. But frame rates in
//! an exact ratio meet at the same moment every time. Then all messages wait alike, nothing in the stamps shows how
//! long, and the best guess is half of what may be hidden, with the deviation of a uniform distribution.
//!
//! How much may be hidden shows in the spread of the delays above the smallest one: waits that are uniform over
//! the whole period exceed their smallest by `P / 2` on average, waits that are always the same by nothing. So
//! with `g` the mean excess, cut off at `P`, the hidden part is `P - 2 g`.

use super::frequency::Posterior;
use super::history::Block;

/// Exchanges over which the mean excess is taken.
const MEMORY: f64 = 64.0;

/// Share of the period that is never ruled out: even frames that drift past each other meet at few moments.
const UNMET: f64 = 1.0 / 12.0;

/// One direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wait {
    /// Frame period at the receiver (s), zero if messages are handled on arrival.
    period: f64,
    /// Mean excess over the smallest delay, each cut off at the period (s).
    excess: f64,
}

impl Wait {
    fn note(&mut self, gap: f64, count: f64) {
        // Not `clamp`: to be able to panic with its floats it brings the formatting of floats along, 15 KB.
        self.excess += (gap.max(0.0).min(self.period) - self.excess) / count;
    }

    fn hidden(&self) -> f64 {
        (self.period - 2.0 * self.excess).max(0.0)
    }
}

/// The waits of both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waits {
    forward: Wait,
    reverse: Wait,
    count: f64,
}

impl Waits {
    pub(crate) fn new(server_frame: f64, client_frame: f64) -> Self {
        let wait = |period| Wait { period, excess: 0.0 };
        Waits { forward: wait(server_frame), reverse: wait(client_frame), count: 0.0 }
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.forward.period, self.reverse.period);
    }

    /// Takes note of one exchange.
    pub(crate) fn note(&mut self, block: &Block, posterior: &Posterior) {
        self.count = (self.count + 1.0).min(MEMORY);
        let support = &posterior.support;
        self.forward.note(block.upper.intercept(posterior.mean) - support.upper, self.count);
        self.reverse.note(support.lower - block.lower.intercept(posterior.mean), self.count);
    }

    /// What the hidden waits are expected to add to the estimated offset, and its standard deviation (s).
    pub(crate) fn expected(&self) -> (f64, f64) {
        let (forward, reverse) = (self.forward.hidden(), self.reverse.hidden());
        let spread = |wait: &Wait, hidden: f64| hidden.max(UNMET * wait.period).powi(2);
        let sigma = (spread(&self.forward, forward) + spread(&self.reverse, reverse)).sqrt() / 12_f64.sqrt();
        ((forward - reverse) / 4.0, sigma / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f64 = 1.0 / 30.0;

    fn after(waits: impl Iterator<Item = f64>) -> f64 {
        let mut wait = Wait { period: FRAME, excess: 0.0 };
        for (i, gap) in waits.enumerate() {
            wait.note(gap, (i as f64 + 1.0).min(MEMORY));
        }
        wait.hidden()
    }

    #[test]
    fn waits_that_are_always_the_same_may_hide_the_whole_frame() {
        assert_eq!(after((0..50).map(|_| 0.0)), FRAME);
    }

    #[test]
    fn waits_that_differ_hide_little() {
        let spread = after((0..200).map(|i| FRAME * f64::from(i * 37 % 100) / 100.0));
        assert!(spread < 0.1 * FRAME, "{spread}");
        assert_eq!(after((0..50).map(|_| 1.0)), 0.0, "jitter beyond a frame mixes the waits");
    }

    #[test]
    fn the_longer_frame_is_expected_to_hide_more() {
        let (bias, sigma) = Waits::new(1.0 / 30.0, 1.0 / 60.0).expected();
        assert!((bias - 1.0 / 240.0).abs() < 1e-12);
        assert!(sigma > 0.005 && sigma < 0.006);
        assert_eq!(Waits::new(0.0, 0.0).expected(), (0.0, 0.0));
    }
}
