//! Evidence that delays have changed, from bets on their ranks.
//!
//! If delays are exchangeable (their order does not matter), the rank of a new delay among `n` older ones is
//! uniform for any distribution. The share `p` of delays at least as extreme is at most `q` with probability
//! `q`. A gambler stakes the share `a` of the money on `p <= q`, at fair odds. After each delay the money is
//!
//! ```text
//!   money *= a / q               if p <= q
//!   money *= (1 - a) / (1 - q)   else
//! ```
//!
//! On average, the gambler gains nothing while nothing changes, and much after a change. Let the gambler
//! restart at 1 whenever the money falls below. Then it exceeds `m` at most once in `m` delays on average.
//! This is a CUSUM with a known false alarm rate that does not depend on the path. It is an e-detector (Shin,
//! Ramdas and Rinaldo, 2023), with ranks as in conformal test martingales (Vovk, 2021). It requires
//! exchangeable delays; `docs/theory.md` describes its performance with others.

/// The bets of a side: `q` and `a`. The first needs only a few delays, if they stand out from all others. The
/// other two find a shift that only moves the middle of large jitter.
const BETS: [(f32, f32); 3] = [(0.05, 0.8), (0.25, 0.75), (0.5, 0.85)];

/// Bets per exchange: three on both sides, in two directions.
pub(super) const BETS_MADE: f64 = 12.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bet {
    /// Logarithm of the money; never below zero.
    log: f32,
    /// Delays since the logarithm was zero.
    run: u8,
}

/// Evidence for a change to one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    bets: [Bet; 3],
}

impl Evidence {
    pub(super) const NONE: Self = Evidence { bets: [Bet { log: 0.0, run: 0 }; 3] };

    /// Adds a delay; `extreme` of `count` older ones are at least as extreme. Limits each run to `longest`
    /// and each logarithm to `most`.
    pub(super) fn add(&mut self, extreme: usize, count: usize, longest: u8, most: f32) {
        debug_assert!(extreme <= count, "{extreme} of {count} are as extreme");
        let share = (extreme + 1) as f32 / (count + 1) as f32;
        for (bet, (quantile, stake)) in self.bets.iter_mut().zip(BETS) {
            let odds = if share <= quantile { stake / quantile } else { (1.0 - stake) / (1.0 - quantile) };
            bet.log = (bet.log + odds.ln()).min(most);
            bet.run = if bet.log > 0.0 { bet.run.saturating_add(1).min(longest) } else { 0 };
            bet.log = bet.log.max(0.0);
        }
    }

    /// The best bet: its logarithm, and the number of delays in its run.
    pub(super) fn best(&self) -> (f32, u8) {
        let mut best = (0.0, 0);
        for bet in &self.bets {
            if bet.log > best.0 {
                best = (bet.log, bet.run);
            }
        }
        best
    }

    /// Length of the longest run of newest delays.
    pub(super) fn suspects(&self) -> u8 {
        self.bets.iter().map(|bet| bet.run).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bets_are_fair() {
        for (quantile, stake) in BETS {
            let mean = quantile * (stake / quantile) + (1.0 - quantile) * ((1.0 - stake) / (1.0 - quantile));
            assert!((mean - 1.0).abs() < 1e-6, "{quantile}: {mean}");
        }
    }
}
