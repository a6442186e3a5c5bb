//! The best possible accuracy of a clock that has to learn the rate. The learner knows what the
//! [oracle](super::ORACLE) knows, except the constant part of the rate difference between the two clocks.
//!
//! The learner keeps all exchanges, and it knows how the crystals wander and how long messages queue in each
//! direction on average. The prior for the rate is either the distribution of ordinary crystals or a correct
//! hint. Once the wander is removed, an exchange that is sent at `c` and answered at `d` on the server's time
//! axis implies
//!
//! ```text
//!   theta + x c <= u = theta + f      theta + x d >= l = theta - r      x: the rate, which the bench knows
//! ```
//!
//! For a candidate rate `x`, let `A(x) = min_i (u_i - x c_i)` and `B(x) = max_j (l_j - x d_j)`. With the two
//! base delays integrated out, the likelihood of all exchanges is `exp(-F(x))`, where
//!
//! ```text
//!   F(x) = (sum_i u_i - x sum_i c_i - n A(x)) / m_f + (n B(x) - sum_j l_j + x sum_j d_j) / m_r,
//! ```
//!
//! On average, the true intercepts are `m_f / n` below `A` and `m_r / n` above `B`, so the posterior mean of
//! the midpoint can be computed by summing over `x` only. Of the estimators that assume equal base delays and
//! do not know the rate, the learner has the smallest mean square error over the prior. `A` and `B` depend
//! only on the points of the convex hulls, so even a long run stores few points.

use super::anchored::FOUR_STAMPS;
use netclock_sim::{Clocks, Estimator, Exchange, TICKS_PER_S, Wire};

pub const LEARNER: &str = "learner";
pub const HINTED_LEARNER: &str = "learner_hinted";

const CRYSTALS_PPM: f64 = 20.0;
const WIDEST: f64 = 200e-6;
const NODES: usize = 161;
const NARROWINGS: usize = 5;
/// The half-width of each narrowed grid in standard deviations.
const SPREAD: f64 = 7.0;

/// The points of one direction as (time, delay).
#[derive(Default)]
struct Leg {
    hull: Vec<(f64, f64)>,
    count: f64,
    sum_at: f64,
    sum: f64,
    mean: f64,
}

impl Leg {
    fn add(&mut self, at: f64, delay: f64) {
        self.count += 1.0;
        self.sum_at += at;
        self.sum += delay;
        let place = self.hull.partition_point(|&(other, _)| other < at);
        self.hull.insert(place, (at, delay));
        let mut hull: Vec<(f64, f64)> = Vec::with_capacity(self.hull.len());
        for &point in &self.hull {
            while let [.., a, b] = hull[..] {
                if (b.0 - a.0) * (point.1 - a.1) > (point.0 - a.0) * (b.1 - a.1) {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        self.hull = hull;
    }

    /// Returns the envelope's intercept and this direction's term of `F`.
    fn evaluate(&self, rate: f64) -> (f64, f64) {
        let envelope = self.hull.iter().map(|&(at, delay)| delay - rate * at).fold(f64::INFINITY, f64::min);
        (envelope, (self.sum - rate * self.sum_at - self.count * envelope) / self.mean)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Prior {
    /// The true rate minus the mean of the prior.
    off: f64,
    sigma: f64,
}

impl Prior {
    pub(super) fn crystals(clocks: &Clocks) -> Self {
        Prior { off: clocks.drift_ppm * 1e-6, sigma: CRYSTALS_PPM * 1e-6 }
    }

    pub(super) fn hint(clocks: &Clocks, ppm: f64, doubt_ppm: f64) -> Self {
        Prior { off: (clocks.drift_ppm - ppm) * 1e-6, sigma: doubt_ppm * 1e-6 }
    }

    pub(super) fn cost(&self, rate: f64) -> f64 {
        ((rate - self.off) / self.sigma).powi(2) / 2.0
    }
}

pub(super) struct Average {
    pub(super) rate: f64,
    pub(super) sigma: f64,
    pub(super) offset: f64,
}

impl Average {
    /// Each of the `nodes` consists of a rate, its cost (the negative log-likelihood), and the offset at that
    /// rate.
    pub(super) fn of(nodes: &[[f64; 3]], middle: f64) -> Self {
        let least = nodes.iter().map(|node| node[1]).fold(f64::INFINITY, f64::min);
        let [mut total, mut rate, mut square, mut offset] = [0.0; 4];
        for [x, cost, value] in nodes {
            let weight = (least - cost).exp();
            total += weight;
            rate += weight * x;
            square += weight * (x - middle).powi(2);
            offset += weight * value;
        }
        rate /= total;
        let sigma = (square / total - (rate - middle).powi(2)).max(0.0).sqrt();
        Average { rate, sigma, offset: offset / total }
    }
}

pub(super) fn delays(clocks: &Clocks, x: &Exchange) -> [(f64, f64); 2] {
    let (sent, back) = (clocks.server_when_client(x.t0), clocks.server_when_client(x.t3));
    let [up, down] = [clocks.since_start(x.t1) - sent, back - clocks.since_start(x.t2)];
    [(sent, up), (back, down)].map(|(at, delay)| (at / TICKS_PER_S, delay / TICKS_PER_S))
}

pub(super) struct Learner {
    clocks: Clocks,
    prior: Prior,
    forward: Leg,
    reverse: Leg,
    /// The offset error at time zero and the rate error.
    line: Option<(f64, f64)>,
}

impl Learner {
    pub(super) fn new(clocks: Clocks, queueing_ms: (f64, f64), prior: Prior) -> Self {
        let leg = |ms: f64| Leg { mean: ms * 1e-3, ..Leg::default() };
        Self { clocks, prior, forward: leg(queueing_ms.0), reverse: leg(queueing_ms.1), line: None }
    }

    fn evaluate(&self, rate: f64) -> [f64; 3] {
        let (upper, forward) = self.forward.evaluate(rate);
        let (lower, reverse) = self.reverse.evaluate(-rate);
        let lag = self.forward.mean / self.forward.count - self.reverse.mean / self.reverse.count;
        [rate, forward + reverse + self.prior.cost(rate), (upper - lower - lag) / 2.0]
    }

    fn fit(&mut self) {
        let (mut mean, mut width) = (0.0, WIDEST);
        for _ in 0..=NARROWINGS {
            let place = |i: usize| mean + width * (2.0 * i as f64 / (NODES - 1) as f64 - 1.0);
            let nodes: Vec<[f64; 3]> = (0..NODES).map(|i| self.evaluate(place(i))).collect();
            let fit = Average::of(&nodes, mean);
            self.line = Some((fit.offset, fit.rate));
            mean = fit.rate;
            width = (SPREAD * fit.sigma).max(2.0 * width / (NODES - 1) as f64);
        }
    }
}

impl Estimator for Learner {
    fn on_exchange(&mut self, x: &Exchange) {
        let [(sent, up), (back, down)] = delays(&self.clocks, x);
        self.forward.add(sent, up);
        self.reverse.add(back, down);
        self.fit();
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let now = self.clocks.server_when_client(local);
        let (offset, rate) = self.line?;
        Some(self.clocks.stamp(now + offset * TICKS_PER_S + rate * now))
    }

    fn wire(&self) -> Wire {
        FOUR_STAMPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::oracle::Oracle;
    use netclock_sim::{ClockConfig, Random};

    /// Returns the mean square errors (ms^2) of the oracle, the learner, and the learner with a hint of 1 ppm
    /// uncertainty.
    fn mean_squares(count: u32, drift_ppm: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        const RUNS: u64 = 60;
        for seed in 0..RUNS {
            let clocks =
                Clocks::new(&ClockConfig { drift_ppm, wander_ppm: 1.0, ..Default::default() }, 700.0, seed);
            let mut random = Random::new(seed, "delays");
            let hint = Prior::hint(&clocks, drift_ppm + random.normal(1.0), 1.0);
            let learner = |prior| Box::new(Learner::new(clocks.clone(), (5.0, 5.0), prior));
            let mut limits: [Box<dyn Estimator>; 3] =
                [Box::new(Oracle::new(clocks.clone())), learner(Prior::crystals(&clocks)), learner(hint)];
            for i in 0..count {
                let sent_s = f64::from(i);
                let received_s = sent_s + 0.020 + random.exponential(0.005);
                let arrived_s = received_s + 0.020 + random.exponential(0.005);
                let (sent, received) = (clocks.client(sent_s), clocks.server(received_s));
                let exchange = Exchange::of_stamps(0, [sent, received, received, clocks.client(arrived_s)]);
                limits.iter_mut().for_each(|limit| limit.on_exchange(&exchange));
            }
            let now_s = f64::from(count);
            for (sum, limit) in sums.iter_mut().zip(&mut limits) {
                let shown = limit.shown(clocks.client(now_s)).unwrap();
                *sum += (clocks.error(shown, now_s) / 1e4).powi(2) / RUNS as f64;
            }
        }
        sums
    }

    #[test]
    fn an_unknown_rate_at_least_doubles_the_error_at_first() {
        let [oracle, learner, hinted] = mean_squares(30, 20.0);
        let (ratio, with_hint) = ((learner / oracle).sqrt(), (hinted / oracle).sqrt());
        assert!((2.0..4.0).contains(&ratio), "{ratio}");
        assert!((1.0..1.3).contains(&with_hint), "{with_hint} with a hint");
    }

    #[test]
    fn the_learner_overcomes_a_wrong_prior() {
        let [_, ordinary, _] = mean_squares(120, 0.0);
        let [_, far_off, _] = mean_squares(120, 60.0);
        assert!(far_off.sqrt() < 0.1 && (far_off / ordinary).sqrt() < 1.3, "{ordinary} {far_off}");
    }
}
