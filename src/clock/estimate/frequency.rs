//! Estimates the rate of the server's clock relative to the local clock, as a distribution over candidates.
//!
//! At a candidate rate `b`, each upper bound has the intercept `u_i - b c_i`, and each lower bound has the
//! intercept `l_j - b d_j`. At the true rate, the smallest upper intercept `A(b)` and the largest lower
//! intercept `B(b)` are the envelopes. Every other intercept lies beyond its envelope by the queueing delay
//! of its message. Delays have a minimum and a tail, so we assume exponential gaps, with a separate scale `m`
//! for each direction. The weight of `b` is then
//!
//! ```text
//!   F(b) = sum_i (u_i - b c_i - A(b)) / m_f + sum_j (B(b) - (l_j - b d_j)) / m_r
//!   weight(b) = exp(-F(b)) prior(b)
//! ```
//!
//! For a single direction, the most likely rate is the slope of the hull's edge at the centroid (Moon, Skelly
//! & Towsley, INFOCOM 1999). A clock error moves both envelopes, so both directions share the rate. A route
//! change may move only one. [Evidence] makes both sums robust against route changes and long-lasting queues.
//!
//! `F` is first evaluated as if all gaps were independent, on a grid that is repeatedly narrowed around its
//! mean. The final grid is wider because correlated gaps count less. Its spread reflects the uncertainty of
//! the rate. The nodes and weights of the final grid are the posterior. It also determines how much the rate
//! adds to the offset's error.

use core::ops::Range;

use super::asymmetry::Route;
use super::evidence::{Evidence, Lanes, NEIGHBOURS};
use super::history::{Block, History, Point, smaller};
use super::prior::Prior;
use super::scatter::{Unexplained, unexplained};
use super::segments::Segments;
use super::{CLEARLY, EVIDENT, FEW, POINTS, SLIGHT, USUAL_LIMIT};

const NODES: usize = 23;

/// Half-width of a narrowed grid, in standard deviations of the wider grid.
pub(super) const SPREAD: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Node {
    pub(crate) rate: f64,
    /// The probability of this rate, normalised so that all weights sum to one.
    pub(crate) weight: f64,
    /// The envelopes `A(b)` and `B(b)` (s).
    pub(crate) upper: f64,
    pub(crate) lower: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Support {
    /// Smallest upper and largest lower intercept (s).
    pub(crate) upper: f64,
    pub(crate) lower: f64,
    /// Local times at which the two bounds were measured (s).
    pub(crate) upper_at: f64,
    pub(crate) lower_at: f64,
}

impl Support {
    pub(crate) fn round_trip(&self) -> f64 {
        self.upper - self.lower
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Belief {
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
}

impl Belief {
    /// No two working crystals differ by more than six times the usual limit.
    fn widest(mean: f64) -> Self {
        Belief { mean, sigma: 2.0 * EVIDENT * USUAL_LIMIT / SPREAD }
    }
}

/// Returns whether a rate is so unusual for a crystal that it may come from a wrong hint.
fn is_far(rate: f64) -> bool {
    rate.abs() > EVIDENT * USUAL_LIMIT
}

/// The queueing delay that may remain in the envelopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Residual {
    /// `share` is the fraction of exchanges that counts as independent. `scale` is the combined queueing
    /// scale of both directions (s).
    Envelopes { exchanges: f64, share: f64, scale: f64 },
    /// Used when messages wait for a frame loop. `variance` (s^2) is the variance of the midpoint for a known
    /// rate.
    Bases { variance: f64 },
}

impl Residual {
    /// Returns the variance (s^2) of the midpoint between envelopes that are `round_trip` (s) apart. On
    /// average, the smallest of `n` exponential delays exceeds the minimum by their mean divided by `n`. The
    /// prior mean is a fifth of the round trip, with the weight of one exchange.
    pub(crate) fn variance(&self, round_trip: f64) -> f64 {
        match *self {
            Residual::Bases { variance } => variance,
            Residual::Envelopes { exchanges, share, scale } => {
                let guess = 2.0 * SLIGHT * round_trip.max(0.0);
                let scale = (exchanges * scale + guess) / (exchanges + 1.0);
                (scale / (2.0 * exchanges * share)).powi(2)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    pub(crate) nodes: [Node; NODES],
    pub(crate) rate: Belief,
    pub(crate) support: Support,
    pub(crate) residual: Residual,
    /// The envelopes of the current route, or `None` if it is the session's first route or has too few
    /// blocks.
    pub(crate) route: Option<Route>,
    pub(crate) unexplained: Unexplained,
    /// The next fit starts from this distribution, for which all gaps are independent.
    independent: Belief,
}

impl Posterior {
    /// Used when messages wait for a frame loop. The nodes `some` and the `support` then contain
    /// [bases](super::base) instead of envelopes.
    pub(super) fn of_bases(some: &[Node], rate: Belief, support: Support, variance: f64) -> Self {
        let mut nodes = [Node::default(); NODES];
        nodes[..some.len()].copy_from_slice(some);
        Posterior {
            nodes,
            rate,
            support,
            residual: Residual::Bases { variance },
            route: None,
            unexplained: Unexplained::default(),
            independent: rate,
        }
    }

    /// Fits the rate at local time `now` to all blocks of `history`, which must not be empty. Bounds are
    /// loosened by `wander` times their age.
    pub(crate) fn fit(
        history: &History,
        now: f64,
        prior: Prior,
        wander: f64,
        last: Option<&Posterior>,
    ) -> Self {
        let rate = last.map_or(prior.mean, |last| last.rate.mean);
        let segments = Segments::divide(history.blocks(), rate);
        Self::of_segments((history.blocks(), &segments, history.rate_changes()), now, prior, wander, last)
    }

    // Not inlined, to free the stack used by `Segments::divide` before the fit.
    #[inline(never)]
    fn of_segments(
        (blocks, segments, changes): (&[Block], &Segments, bool),
        now: f64,
        prior: Prior,
        wander: f64,
        last: Option<&Posterior>,
    ) -> Self {
        let mut fit = Fit {
            upper: Evidence::none(segments),
            lower: Evidence::none(segments),
            prior,
            possible: possible(blocks),
            nodes: [Node::default(); NODES],
        };
        fit.upper.take_upper(blocks);
        fit.lower.take_lower(blocks);
        let (independent, rate) = fit.weigh_rates(last);
        fit.find_envelopes(now, wander);
        let route = segments.newest();
        let (residual, unexplained) = fit.trust(rate.mean, route.clone(), changes, now, wander);
        Posterior {
            rate,
            support: fit.support(rate.mean, now, wander),
            residual,
            route: (segments.count > 1).then(|| fit.route(route, rate.mean)).flatten(),
            unexplained,
            independent,
            nodes: fit.nodes,
        }
    }

    /// Applies the bounds of an exchange without a new fit. Older bounds are loosened by `aged` (s).
    pub(crate) fn tighten(&mut self, block: &Block, aged: f64) {
        for node in &mut self.nodes {
            node.upper = smaller(node.upper + aged, block.upper.intercept(node.rate));
            node.lower = -smaller(aged - node.lower, -block.lower.intercept(node.rate));
        }
        let support = &mut self.support;
        (support.upper, support.lower) = (support.upper + aged, support.lower - aged);
        let (upper, lower) = (block.upper.intercept(self.rate.mean), block.lower.intercept(self.rate.mean));
        if upper <= support.upper {
            (support.upper, support.upper_at) = (upper, block.upper.at);
        }
        if lower >= support.lower {
            (support.lower, support.lower_at) = (lower, block.lower.at);
        }
    }
}

struct Fit<'a> {
    upper: Evidence<'a>,
    lower: Evidence<'a>,
    prior: Prior,
    possible: [f64; 2],
    nodes: [Node; NODES],
}

impl Fit<'_> {
    /// Returns the rate's distribution as if all gaps were independent, and a wider distribution that
    /// discounts correlated gaps.
    // Not inlined, so that the rest of the fit needs less stack.
    #[inline(never)]
    fn weigh_rates(&mut self, last: Option<&Posterior>) -> (Belief, Belief) {
        let independent = self.reopened(last).unwrap_or_else(|| self.widest());
        self.measure_scales(independent.mean);
        self.upper.measure_share(independent.mean);
        self.lower.measure_share(-independent.mean);
        let share = self.share();
        debug_assert!(share > 0.0 && share <= 1.0, "some of the evidence counts, and none twice: {share}");
        let sigma = (independent.sigma / share.sqrt()).min(Belief::widest(0.0).sigma);
        let wider = Belief { sigma, ..independent };
        let is_unlikely = is_far(wider.mean) || self.prior.is_unlikely(independent.mean, independent.sigma);
        let around = if is_unlikely { self.reconsidered(wider, share) } else { wider };
        (independent, self.refine(NODES, around))
    }

    /// Searches again from the widest grid, and returns the rate that explains the gaps better. Slowly
    /// changing delays can look like an unlikely rate, and a grid around that rate would miss the true one.
    /// The search uses the smaller `share` for both directions. The final grid uses each direction's own
    /// share. After a one-way route change, the other direction still shows the rate.
    fn reconsidered(&mut self, unlikely: Belief, share: f64) -> Belief {
        let own = (self.upper.share, self.lower.share);
        (self.upper.share, self.lower.share) = (share, share);
        let again = self.widest();
        let better = if self.misfit(unlikely) + CLEARLY < self.misfit(again) { unlikely } else { again };
        self.measure_scales(better.mean);
        (self.upper.share, self.lower.share) = own;
        better
    }

    fn find_envelopes(&mut self, now: f64, wander: f64) {
        for (nodes, rates) in in_lanes(&mut self.nodes) {
            let upper = self.upper.tightest_intercepts(&rates, now, wander);
            let lower = self.lower.tightest_intercepts(&rates.map(|rate| -rate), now, wander);
            for (k, node) in nodes.iter_mut().enumerate() {
                (node.upper, node.lower) = (upper[k], -lower[k]);
            }
        }
    }

    fn support(&self, rate: f64, now: f64, wander: f64) -> Support {
        let upper = self.upper.tightest(rate, now, wander);
        let lower = self.lower.tightest(-rate, now, wander);
        Support { upper: upper.intercept, lower: -lower.intercept, upper_at: upper.at, lower_at: lower.at }
    }

    /// Returns how much queueing may remain in the envelopes, and the offset's unexplained variance. `route`
    /// contains the blocks of the current route.
    fn trust(
        &self,
        rate: f64,
        route: Range<usize>,
        changes: bool,
        now: f64,
        wander: f64,
    ) -> (Residual, Unexplained) {
        let up = self.upper.spacing_at_floor(rate, now, wander);
        let down = self.lower.spacing_at_floor(-rate, now, wander);
        let residual = Residual::Envelopes {
            exchanges: self.upper.all_exchanges(),
            share: self.share(),
            scale: self.upper.scale_at_floor(up).hypot(self.lower.scale_at_floor(down)),
        };
        let unexplained = unexplained(&self.upper, &self.lower, route, rate, changes, wander);
        // A queue does not affect a minimum delay that was observed before it formed. Therefore, only the
        // spread of the tightest points matters. Correlated points count for less than independent ones.
        let most = (NEIGHBOURS as f64 * up.hypot(down) / self.share()).powi(2);
        (residual, Unexplained { variance: smaller(unexplained.variance, most), ..unexplained })
    }

    fn share(&self) -> f64 {
        smaller(self.upper.share, self.lower.share)
    }

    /// Searches the rates near the prior's mean. If that mean is unusual, also searches the rates of ordinary
    /// crystals. If the bounds exclude the result, searches only the rates that the bounds allow. This is not
    /// inlined, because there are two callers.
    #[inline(never)]
    fn widest(&mut self) -> Belief {
        let mut best = self.narrowed(Belief::widest(self.prior.mean));
        if is_far(self.prior.mean) {
            let ordinary = self.narrowed(Belief::widest(0.0));
            if self.misfit(ordinary) < self.misfit(best) || !self.is_possible(best) {
                best = ordinary;
            }
        }
        if !self.is_possible(best) {
            let [least, most] = self.possible;
            best = self.narrowed(Belief { mean: (least + most) / 2.0, sigma: (most - least) / 2.0 / SPREAD });
        }
        self.measure_scales(best.mean);
        best
    }

    fn narrowed(&mut self, mut belief: Belief) -> Belief {
        for _ in 0..=FEW {
            self.measure_scales(belief.mean);
            belief = self.refine_coarsely(belief);
        }
        belief
    }

    fn refine_coarsely(&mut self, belief: Belief) -> Belief {
        self.refine(POINTS - 1, belief)
    }

    fn is_possible(&self, rate: Belief) -> bool {
        let [least, most] = self.possible;
        rate.mean > least - rate.sigma && rate.mean < most + rate.sigma
    }

    /// Searches around the rate of the last fit, on a grid that is [`SPREAD`] times as wide. Returns `None`
    /// if there was no fit, or if the new rate is near the edge of the grid.
    fn reopened(&mut self, last: Option<&Posterior>) -> Option<Belief> {
        let last = last?.independent;
        let sigma = (SPREAD * last.sigma).min(Belief::widest(0.0).sigma);
        self.measure_scales(last.mean);
        let wide = self.refine_coarsely(Belief { sigma, ..last });
        let inside = (wide.mean - last.mean).abs() < 0.5 * SPREAD * sigma && self.is_possible(wide);
        inside.then(|| self.refine_coarsely(wide))
    }

    fn misfit(&mut self, rate: Belief) -> f64 {
        self.measure_scales(rate.mean);
        self.upper.misfit() + self.lower.misfit() - self.prior.density(rate.mean, rate.sigma).ln()
    }

    fn route(&self, blocks: Range<usize>, rate: f64) -> Option<Route> {
        if blocks.len() <= FEW {
            return None;
        }
        let (upper, lower) =
            (self.upper.envelope(blocks.clone(), rate), -self.lower.envelope(blocks.clone(), -rate));
        let left = self.upper.scale.hypot(self.lower.scale) / (2.0 * self.upper.exchanges(blocks));
        Some(Route { upper, lower, sigma: left })
    }

    fn measure_scales(&mut self, rate: f64) {
        self.upper.measure_scale(rate);
        self.lower.measure_scale(-rate);
        self.upper.find_quiet(rate);
        self.lower.find_quiet(-rate);
    }

    /// Weighs `count` rates around `belief`, where `count` must be odd.
    fn refine(&mut self, count: usize, belief: Belief) -> Belief {
        let (nodes, middle) = (&mut self.nodes[..count], count / 2);
        let step = SPREAD * belief.sigma / middle as f64;
        let mut least = f64::INFINITY;
        for (i, node) in nodes.iter_mut().enumerate() {
            node.rate = belief.mean + step * (i as f64 - middle as f64);
        }
        // `weight` holds the cost until it is normalised below.
        for (nodes, rates) in in_lanes(nodes) {
            let (upper, lower) = (self.upper.costs(&rates), self.lower.costs(&rates.map(|rate| -rate)));
            for (k, node) in nodes.iter_mut().enumerate() {
                node.weight = upper[k] + lower[k];
                least = smaller(least, node.weight);
            }
        }
        let mut total = 0.0;
        for node in &mut *nodes {
            node.weight = (least - node.weight).exp() * self.prior.density(node.rate, step);
            total += node.weight;
        }
        debug_assert!(total > 0.0, "some rate on the grid is possible: {total}");
        let mut mean = 0.0;
        for node in &mut *nodes {
            node.weight /= total;
            mean += node.weight * node.rate;
        }
        let variance: f64 = nodes.iter().map(|node| node.weight * (node.rate - mean).powi(2)).sum();
        // A grid cannot resolve differences smaller than a fraction of its step.
        Belief { mean, sigma: variance.sqrt().max(step / 4.0).max(1e-9) }
    }
}

/// Returns the range of rates that the bounds allow. The first upper bound and any later lower bound give a
/// lower limit on the rate. The first lower bound and any later upper bound give an upper limit.
fn possible(blocks: &[Block]) -> [f64; 2] {
    let (first, mut possible) = (&blocks[0], [f64::NEG_INFINITY, f64::INFINITY]);
    for block in &blocks[1..] {
        let rate = |a: &Point, b: &Point| (b.value - a.value) / (b.at - a.at);
        if block.upper.at > first.lower.at && block.lower.at > first.upper.at {
            possible[0] = -smaller(-possible[0], -rate(&first.upper, &block.lower));
            possible[1] = smaller(possible[1], rate(&first.lower, &block.upper));
        }
    }
    possible
}

fn in_lanes(nodes: &mut [Node]) -> impl Iterator<Item = (&mut [Node], Lanes)> {
    nodes.chunks_mut(Lanes::default().len()).map(|nodes| {
        let rates = core::array::from_fn(|k| nodes.get(k).map_or(0.0, |node| node.rate));
        (nodes, rates)
    })
}

#[cfg(test)]
mod tests;
