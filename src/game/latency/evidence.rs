//! Detects delay changes by betting on the ranks of delays. `docs/theory.md` ("When the latency changes")
//! explains the bets and their behaviour if delays are not exchangeable.

/// Each bet is stored as `(q, ln(a / q), ln((1 - a) / (1 - q)))`, where `a` is 0.8, 0.75 and 0.85,
/// respectively. The first bet detects large changes within a few delays. The other two detect changes that
/// are small relative to the jitter.
const BETS: [(f32, f32, f32); 3] =
    [(0.05, 2.772_588_7, -1.558_144_7), (0.25, 1.098_612_3, -1.098_612_3), (0.5, 0.530_628_26, -1.203_972_9)];

pub(super) const BETS_MADE: f64 = 12.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bet {
    /// The logarithm of the bet's capital, which is never negative.
    log: f32,
    run: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    bets: [Bet; 3],
}

impl Evidence {
    pub(super) const NONE: Self = Evidence { bets: [Bet { log: 0.0, run: 0 }; 3] };

    /// `extreme` of the `count` older delays are at least as extreme as the new delay. `longest` and `most`
    /// are the upper limits of `run` and `log`.
    pub(super) fn add(&mut self, extreme: usize, count: usize, longest: u8, most: f32) {
        debug_assert!(extreme <= count, "{extreme} of {count} delays are as extreme");
        let share = (extreme + 1) as f32 / (count + 1) as f32;
        for (bet, (quantile, won, lost)) in self.bets.iter_mut().zip(BETS) {
            bet.log = (bet.log + if share <= quantile { won } else { lost }).min(most);
            bet.run = if bet.log > 0.0 { bet.run.saturating_add(1).min(longest) } else { 0 };
            bet.log = bet.log.max(0.0);
        }
    }

    pub(super) fn best(&self) -> (f32, u8) {
        let mut best = (0.0, 0);
        for bet in &self.bets {
            if bet.log > best.0 {
                best = (bet.log, bet.run);
            }
        }
        best
    }

    pub(super) fn suspects(&self) -> u8 {
        self.bets.iter().map(|bet| bet.run).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bets_are_fair() {
        for ((quantile, won, lost), stake) in BETS.into_iter().zip([0.8, 0.75, 0.85]) {
            let mean = quantile * won.exp() + (1.0 - quantile) * lost.exp();
            assert!((mean - 1.0).abs() < 1e-6, "{quantile}: {mean}");
            assert!((won.exp() * quantile - stake).abs() < 1e-6, "{quantile}: {stake}");
        }
    }
}
