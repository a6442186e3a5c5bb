//! The [learner](mod@super::learner) for frame loops that measure how long messages may have been waiting.
//!
//! Unlike the other learner, this one does not know the scale of the queueing delay. It knows only how the
//! scale is distributed, and that both directions have the same one. A message found at `hi` arrived at most
//! `w` earlier, so the likelihood of a direction's base `B` is the same as in the library's fit:
//!
//! ```text
//!   product over messages of  F((hi - B) / s) - F((hi - w - B) / s),  F(x) = 1 - exp(-x) for x > 0, else 0
//! ```
//!
//! Unlike the library, the learner keeps all messages and integrates over fine grids of rates, scales and
//! bases. The result is the exact posterior mean, which minimises the mean square error over all draws.

use super::anchored::FOUR_STAMPS;
use super::learner::{Average, Prior, delays};
use netclock_sim::{Clocks, Estimator, Exchange, TICKS_PER_S, Wire};

const RATES: usize = 21;
const SCALES: usize = 10;
const BASES: usize = 64;
/// The bench draws scales log-uniformly from this range (s).
const LEAST_SCALE: f64 = 0.3e-3;
const MOST_SCALE: f64 = 10e-3;
/// The half-widths of the first and the narrowest grid. `SPREAD` is in standard deviations.
const WIDEST: f64 = 150e-6;
const NARROWEST: f64 = 0.05e-6;
const SPREAD: f64 = 3.5;
/// Log-likelihoods this far below the largest one are negligible.
const NEGLIGIBLE: f64 = 12.0;
/// A fit takes milliseconds, so we reuse each one for this long (s).
const FITTED_FOR: f64 = 3.0;
const SHORTEST: f64 = 2e-7;

/// A message that was found after it had waited for at most `wait` (s).
struct Found {
    at: f64,
    latest: f64,
    wait: f64,
}

pub(super) struct LoopsLearner {
    clocks: Clocks,
    prior: Prior,
    ways: [Vec<Found>; 2],
    /// The centre and half-width of the grid of rates.
    grid: [f64; 2],
    /// The time of the latest fit, with the errors of its offset at time zero and of its rate.
    line: Option<[f64; 3]>,
}

impl LoopsLearner {
    pub(super) fn new(clocks: Clocks, prior: Prior) -> Self {
        Self { clocks, prior, ways: Default::default(), grid: [0.0, WIDEST], line: None }
    }

    fn fit(&mut self, now: f64) {
        for _ in 0..6 {
            let [middle, half] = self.grid;
            let step = half / (RATES / 2) as f64;
            let rates = (0..RATES).map(|i| middle - half + step * i as f64);
            let nodes: Vec<[f64; 3]> = rates.flat_map(|rate| self.nodes(rate)).collect();
            let Average { rate, sigma, offset } = Average::of(&nodes, middle);
            self.line = Some([now, offset, rate]);
            if (rate - middle).abs() < 0.4 * half && (1.2 * step..0.4 * half).contains(&sigma) {
                break;
            }
            self.grid = [rate, (SPREAD * sigma.max(step / 2.0)).clamp(NARROWEST, WIDEST)];
        }
    }

    fn nodes(&self, rate: f64) -> impl Iterator<Item = [f64; 3]> {
        (0..SCALES).map(move |i| {
            let share = (i as f64 + 0.5) / SCALES as f64;
            let scale = LEAST_SCALE * (MOST_SCALE / LEAST_SCALE).powf(share);
            let [forward, reverse] = &self.ways;
            let (up, down) = (weigh(forward, rate, scale), weigh(reverse, -rate, scale));
            [rate, self.prior.cost(rate) - (up[0] + down[0]), (up[1] - down[1]) / 2.0]
        })
    }
}

/// Returns the log-likelihood of one direction's messages, and the mean of its base delay.
fn weigh(found: &[Found], rate: f64, scale: f64) -> [f64; 2] {
    let top = found.iter().map(|it| it.latest - rate * it.at).fold(f64::INFINITY, f64::min);
    let ends = |it: &Found| {
        let latest = it.latest - rate * it.at - top;
        [latest, latest - it.wait - SHORTEST].map(|late| (-late / scale).exp())
    };
    let ends: Vec<[f64; 2]> = found.iter().map(ends).collect();
    let logarithms = |gaps: &[f64; BASES]| {
        let shares = gaps.map(|gap| (-gap / scale).exp());
        let (mut products, mut logarithms) = ([1.0_f64; BASES], [0.0; BASES]);
        // It is faster to take one logarithm per 16 factors, and a product of 16 factors cannot underflow.
        for some in ends.chunks(16) {
            for [latest, earliest] in some {
                for (product, share) in products.iter_mut().zip(shares) {
                    *product *= ((earliest * share).min(1.0) - latest * share).max(1e-12);
                }
            }
            for (logarithm, product) in logarithms.iter_mut().zip(&mut products) {
                *logarithm += product.ln();
                *product = 1.0;
            }
        }
        logarithms
    };
    // The first grid covers all possible bases, and the second only the likely ones.
    let longest = found.iter().map(|it| it.wait).fold(0.0, f64::max).min(0.06);
    let farthest = longest + 3.0 * scale;
    let coarse: [f64; BASES] = std::array::from_fn(|k| farthest * ((k as f64 + 0.5) / BASES as f64).powi(3));
    let logs = logarithms(&coarse);
    let best = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let matters = |log: &f64| *log > best - NEGLIGIBLE;
    let first = logs.iter().position(matters).unwrap_or(0);
    let last = logs.iter().rposition(matters).unwrap_or(BASES - 1);
    let from = if first == 0 { 0.0 } else { coarse[first - 1] };
    let width = (coarse[(last + 1).min(BASES - 1)] - from) / BASES as f64;
    let fine: [f64; BASES] = std::array::from_fn(|k| from + width * (k as f64 + 0.5));
    let logs = logarithms(&fine);
    let best = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.map(|log| (log - best).exp());
    let total: f64 = weights.iter().sum();
    let gap = weights.iter().zip(fine).map(|(weight, gap)| weight * gap).sum::<f64>() / total;
    [best + (total * width).ln(), top - gap]
}

impl Estimator for LoopsLearner {
    fn name(&self) -> &'static str {
        self.prior.name
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let waits = [x.waits.0, x.waits.1].map(|wait| wait as f64 / TICKS_PER_S);
        for ((way, (at, latest)), wait) in self.ways.iter_mut().zip(delays(&self.clocks, x)).zip(waits) {
            way.push(Found { at, latest, wait });
        }
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let now = self.clocks.server_when_client(local);
        let is_current = |[at, ..]: &[f64; 3]| now / TICKS_PER_S - at < FITTED_FOR;
        if !self.ways[0].is_empty() && self.line.as_ref().is_none_or(|line| !is_current(line)) {
            self.fit(now / TICKS_PER_S);
        }
        let [_, offset, rate] = self.line?;
        Some(self.clocks.stamp(now + offset * TICKS_PER_S + rate * now))
    }

    fn wire(&self) -> Wire {
        FOUR_STAMPS
    }
}

#[cfg(test)]
mod tests {
    use super::super::LEARNER;
    use crate::scenario;
    use crate::study::bench::suite::{BenchPlan, run};
    use crate::study::bench::summary::standings;
    use netclock_sim::PRODUCT;

    /// The learner minimises the mean square error, so the p99 of another clock may be smaller in a few
    /// draws.
    #[test]
    fn the_limit_is_near_the_clock() {
        let plan = BenchPlan {
            cases: vec![scenario::find("loops_measured").expect("a scenario")],
            seconds: 300.0,
            seeds: (101..=108).collect(),
            only: [PRODUCT, LEARNER].map(String::from).to_vec(),
            ..BenchPlan::default()
        };
        let standings = standings(&run(&plan).expect("valid settings"));
        let [clock, limit] = &standings[..] else { panic!("two clocks") };
        let ratio = limit.p99_ms / clock.p99_ms;
        assert!((0.7..1.0).contains(&ratio), "{ratio} times the p99 of NetClock");
    }
}
