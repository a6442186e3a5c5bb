//! The rate of the server's clock against the local one, as a distribution over a few candidate rates.
//!
//! For a candidate rate `b` every bound has an intercept: `u_i - b c_i` for the upper ones, `l_j - b d_j` for
//! the lower ones. Under the right rate the smallest upper intercept `A(b)` and the largest lower one `B(b)`
//! are the envelopes. The others lie beyond them by the queueing that their messages met. Delays have a
//! smallest value and a tail. So take a gap as exponential with the direction's own scale `m`; then the
//! likelihood of `b` is
//!
//! ```text
//!   F(b) = sum_i (u_i - b c_i - A(b)) / m_f + sum_j (B(b) - (l_j - b d_j)) / m_r
//!   weight(b) = exp(-F(b)) prior(b)
//! ```
//!
//! (its maximum is the hull edge over the centroid: Moon, Skelly & Towsley, INFOCOM 1999). Both directions
//! share the rate, since a clock moves both envelopes and a route only one. [Evidence] makes the two sums
//! robust against changes of route and against queues that last.
//!
//! `F` is first evaluated on a grid that is narrowed around its mean, as if all gaps were independent. This
//! finds the rate. A last grid is wider again, for the share of gaps that is independent. This shows how sure
//! the rate is. The last grid *is* the posterior. Its nodes and weights later give the error of the offset
//! that comes from the rate.

use core::ops::Range;

use super::evidence::{Evidence, LANES, Lag, Lanes, NEIGHBOURS};
use super::history::{Block, History, Point, smaller};
use super::level::Route;
use super::prior::Prior;
use super::scatter::{Unexplained, unexplained};
use super::segments::Segments;

/// Nodes of the last grid; odd, so that the centre is one of them.
const NODES: usize = 23;

/// Nodes of a grid that is only to be narrowed; odd, too.
const COARSE: usize = 15;

/// A route of fewer blocks is not known yet.
const LEAST_BLOCKS: usize = 4;

/// Half-width of a narrowed grid, in standard deviations of the wider one.
const SPREAD: f64 = 4.0;

/// Half-width of the first grid. No two working crystals differ by more.
const WIDEST: f64 = 600e-6;

/// A rate beyond this is looked at again beside those of ordinary crystals: a wrong hint may have said it.
const FAR: f64 = 300e-6;

/// An odd rate is believed if it explains the gaps better by this, in logarithms of the likelihood.
const CLEARLY: f64 = 4.0;

/// Times the grid is narrowed from there.
const NARROWINGS: usize = 4;

/// A session that was fitted before starts from a grid this many times as wide as its last one, narrowed
/// once.
const REOPENED: f64 = 5.0;

/// One candidate rate with the envelopes' intercepts under it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Node {
    pub(crate) rate: f64,
    /// Probability; the nodes' weights sum to one.
    pub(crate) weight: f64,
    /// A(b) and B(b), in seconds.
    pub(crate) upper: f64,
    pub(crate) lower: f64,
}

/// The envelopes under the best rate, and when the bounds that make them were taken.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Support {
    /// Smallest upper and largest lower intercept (s).
    pub(crate) upper: f64,
    pub(crate) lower: f64,
    /// Local times (s).
    pub(crate) upper_at: f64,
    pub(crate) lower_at: f64,
}

impl Support {
    pub(crate) fn round_trip(&self) -> f64 {
        self.upper - self.lower
    }
}

/// A grid over the rate, by its mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Belief {
    pub(super) mean: f64,
    pub(super) sigma: f64,
}

/// The posterior distribution of the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    pub(crate) nodes: [Node; NODES],
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
    pub(crate) support: Support,
    /// How much farther from its floor the upper bound is expected to be than the lower one (s).
    pub(crate) lag: f64,
    /// Share of the exchanges that counts as independent, and how many there are in all blocks.
    pub(crate) share: f64,
    pub(crate) exchanges: f64,
    /// The envelopes of the newest route, if the session has seen another one before.
    pub(crate) newest: Option<Route>,
    /// What the model does not know of.
    pub(crate) unexplained: Unexplained,
    /// Scale of queueing that the envelopes' own exchanges met in each direction (s).
    pub(crate) scale_forward: f64,
    pub(crate) scale_reverse: f64,
    /// If arrivals are intervals: the variance of the middle between both bases under one rate (s^2). Scales
    /// and shares are then unused.
    pub(crate) of_bases: Option<f64>,
    /// The distribution as if all gaps were independent.
    independent: Belief,
}

impl Posterior {
    /// A posterior of arrivals that are intervals. The envelopes of `nodes` and `support` are bases.
    pub(super) fn of_bases(some: &[Node], belief: Belief, support: Support, variance: f64) -> Self {
        let mut nodes = [Node::default(); NODES];
        nodes[..some.len()].copy_from_slice(some);
        Posterior {
            nodes,
            mean: belief.mean,
            sigma: belief.sigma,
            support,
            lag: 0.0,
            share: 1.0,
            exchanges: 1.0,
            newest: None,
            unexplained: Unexplained::default(),
            scale_forward: 0.0,
            scale_reverse: 0.0,
            of_bases: Some(variance),
            independent: belief,
        }
    }

    /// Weighs the candidate rates by all blocks of `history`, which must not be empty, as of local time
    /// `now`. `last` is the fit before this one. Bounds are loosened by `wander` times their age.
    pub(crate) fn fit(
        history: &History,
        now: f64,
        prior: Prior,
        wander: f64,
        last: Option<&Posterior>,
    ) -> Self {
        let rate = last.map_or(prior.mean, |last| last.mean);
        let segments = Segments::divide(history.blocks(), rate);
        Self::weigh((history.blocks(), &segments, history.rate_changes()), now, prior, wander, last)
    }

    /// Not inlined, so that dividing takes no stack beside it.
    #[inline(never)]
    fn weigh(
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
            proven: proven(blocks),
            nodes: [Node::default(); NODES],
        };
        fit.upper.take_upper(blocks);
        fit.lower.take_lower(blocks);
        let independent = fit.reopened(last).unwrap_or_else(|| fit.widest());
        fit.measure_scales(independent.mean);
        fit.upper.measure_share(independent.mean);
        fit.lower.measure_share(-independent.mean);
        let share = fit.upper.share.min(fit.lower.share);
        debug_assert!(share > 0.0 && share <= 1.0, "some of the evidence counts, and none twice: {share}");
        let wider = Belief { sigma: (independent.sigma / share.sqrt()).min(WIDEST / SPREAD), ..independent };
        let is_far = independent.mean.abs() > FAR;
        let is_doubtful = is_far || prior.is_odd(independent.mean, independent.sigma);
        let around = if is_doubtful { fit.reconsidered(wider, share) } else { wider };
        let belief = fit.refine(NODES, around);
        for nodes in fit.nodes.chunks_mut(LANES) {
            let rates = rates(nodes);
            let upper = fit.upper.tightest_intercepts(&rates, now, wander);
            let lower = fit.lower.tightest_intercepts(&rates.map(|rate| -rate), now, wander);
            for (k, node) in nodes.iter_mut().enumerate() {
                (node.upper, node.lower) = (upper[k], -lower[k]);
            }
        }
        let upper = fit.upper.tightest(belief.mean, now, wander);
        let lower = fit.lower.tightest(-belief.mean, now, wander);
        let forward = fit.upper.lag(belief.mean, now, wander);
        let reverse = fit.lower.lag(-belief.mean, now, wander);
        let lags = forward.zip(reverse);
        // Blocks of several routes have several floors.
        let of_one_route = lags.filter(|_| segments.count == 1);
        let unexplained = unexplained(&fit.upper, &fit.lower, segments.newest(), belief.mean, changes);
        // No more than the tightest blocks are apart, whatever queue the others met. Those that resemble
        // each other count as fewer.
        let apart = |(forward, reverse): (Lag, Lag)| {
            NEIGHBOURS as f64 * forward.at_most.hypot(reverse.at_most) / share
        };
        let apart = lags.map_or(f64::INFINITY, apart);
        Posterior {
            lag: of_one_route
                .map_or(0.0, |(forward, reverse)| share * beyond_chance(forward.expected, reverse.expected)),
            share,
            exchanges: fit.upper.all_exchanges(),
            nodes: fit.nodes,
            mean: belief.mean,
            sigma: belief.sigma,
            support: Support {
                upper: upper.intercept,
                lower: -lower.intercept,
                upper_at: upper.at,
                lower_at: lower.at,
            },
            newest: (segments.count > 1).then(|| fit.route(segments.newest(), belief.mean)).flatten(),
            unexplained: Unexplained {
                variance: smaller(unexplained.variance, apart.powi(2)),
                ..unexplained
            },
            scale_forward: fit.upper.scale_of_support(forward),
            scale_reverse: fit.lower.scale_of_support(reverse),
            of_bases: None,
            independent,
        }
    }

    /// Takes in one exchange's bounds between two fits. All older bounds age by `aged`.
    pub(crate) fn tighten(&mut self, block: &Block, aged: f64) {
        for node in &mut self.nodes {
            node.upper = smaller(node.upper + aged, block.upper.intercept(node.rate));
            node.lower = -smaller(aged - node.lower, -block.lower.intercept(node.rate));
        }
        let support = &mut self.support;
        (support.upper, support.lower) = (support.upper + aged, support.lower - aged);
        let (upper, lower) = (block.upper.intercept(self.mean), block.lower.intercept(self.mean));
        if upper <= support.upper {
            (support.upper, support.upper_at) = (upper, block.upper.at);
        }
        if lower >= support.lower {
            (support.lower, support.lower_at) = (lower, block.lower.at);
        }
    }
}

/// A fit that is not finished.
struct Fit<'a> {
    upper: Evidence<'a>,
    lower: Evidence<'a>,
    prior: Prior,
    /// The least and the largest rate that the bounds leave possible.
    proven: [f64; 2],
    nodes: [Node; NODES],
}

impl Fit<'_> {
    /// Starts from all rates near the prior's, and from those of ordinary crystals. If the bounds leave none
    /// of them possible, from those that they do.
    // Not inlined: two ask for it.
    #[inline(never)]
    fn widest(&mut self) -> Belief {
        let mut best = self.narrowed(self.prior.mean, WIDEST);
        if self.prior.mean.abs() > FAR {
            let ordinary = self.narrowed(0.0, WIDEST);
            if self.misfit(ordinary) < self.misfit(best) || !self.is_possible(best) {
                best = ordinary;
            }
        }
        if !self.is_possible(best) {
            let [least, most] = self.proven;
            best = self.narrowed((least + most) / 2.0, (most - least) / 2.0);
        }
        self.measure_scales(best.mean);
        best
    }

    /// Narrows a grid of this half-width.
    fn narrowed(&mut self, mean: f64, half: f64) -> Belief {
        let mut belief = Belief { mean, sigma: half / SPREAD };
        for _ in 0..=NARROWINGS {
            self.measure_scales(belief.mean);
            belief = self.refine(COARSE, belief);
        }
        belief
    }

    fn is_possible(&self, rate: Belief) -> bool {
        let [least, most] = self.proven;
        rate.mean > least - rate.sigma && rate.mean < most + rate.sigma
    }

    /// Starts near the last fit. None if there was none, or if the rate is not well inside the reopened grid.
    fn reopened(&mut self, last: Option<&Posterior>) -> Option<Belief> {
        let last = last?.independent;
        let sigma = (REOPENED * last.sigma).min(WIDEST / SPREAD);
        self.measure_scales(last.mean);
        let wide = self.refine(COARSE, Belief { sigma, ..last });
        let inside = (wide.mean - last.mean).abs() < 0.5 * SPREAD * sigma && self.is_possible(wide);
        inside.then(|| self.refine(COARSE, wide))
    }

    /// Looks for the rate again, and takes whichever explains the gaps better. Delays that drift look like an
    /// odd rate, and a grid around that rate holds no other. So only what is independent of the evidence
    /// counts: `share`, that of the direction that drifts more.
    fn reconsidered(&mut self, odd: Belief, share: f64) -> Belief {
        (self.upper.share, self.lower.share) = (share, share);
        let again = self.widest();
        let better = if self.misfit(odd) + CLEARLY < self.misfit(again) { odd } else { again };
        self.measure_scales(better.mean);
        better
    }

    /// The negative logarithm of a rate's likelihood if each rate has scales of its own, and of its prior.
    fn misfit(&mut self, rate: Belief) -> f64 {
        self.measure_scales(rate.mean);
        self.upper.misfit() + self.lower.misfit() - self.prior.density(rate.mean, rate.sigma).ln()
    }

    /// The envelopes of some blocks. None of too few.
    fn route(&self, blocks: Range<usize>, rate: f64) -> Option<Route> {
        if blocks.len() < LEAST_BLOCKS {
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

    /// Weighs a grid of `count` nodes around `belief`.
    fn refine(&mut self, count: usize, belief: Belief) -> Belief {
        let (nodes, middle) = (&mut self.nodes[..count], count / 2);
        let step = SPREAD * belief.sigma / middle as f64;
        let mut least = f64::INFINITY;
        for (i, node) in nodes.iter_mut().enumerate() {
            node.rate = belief.mean + step * (i as f64 - middle as f64);
        }
        // The weights are costs at first.
        for nodes in nodes.chunks_mut(LANES) {
            let rates = rates(nodes);
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
        // A grid resolves no less than a part of its own step.
        Belief { mean, sigma: variance.sqrt().max(step / 4.0).max(1e-9) }
    }
}

/// The least and the largest rate that bounds leave possible: the offset was at most the oldest upper bound
/// and is at least each later lower one, and the reverse.
fn proven(blocks: &[Block]) -> [f64; 2] {
    let (first, mut proven) = (&blocks[0], [f64::NEG_INFINITY, f64::INFINITY]);
    for block in &blocks[1..] {
        let rate = |a: &Point, b: &Point| (b.value - a.value) / (b.at - a.at);
        if block.upper.at > first.lower.at && block.lower.at > first.upper.at {
            proven[0] = -smaller(-proven[0], -rate(&first.upper, &block.lower));
            proven[1] = smaller(proven[1], rate(&first.lower, &block.upper));
        }
    }
    proven
}

/// The difference of two lags, shrunk towards zero by the part that chance explains (the rule of James and
/// Stein). Each lag is a mean of exponential distances, so its variance is its square over their number.
fn beyond_chance(forward: f64, reverse: f64) -> f64 {
    let (difference, variance) = (forward - reverse, (forward.powi(2) + reverse.powi(2)) / NEIGHBOURS as f64);
    if difference.powi(2) > variance { difference - variance / difference } else { 0.0 }
}

/// The rates of some nodes, at most one per lane.
fn rates(nodes: &[Node]) -> Lanes {
    core::array::from_fn(|k| nodes.get(k).map_or(0.0, |node| node.rate))
}

#[cfg(test)]
mod tests;
