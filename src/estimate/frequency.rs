//! The rate of the server's clock against the local one, as a distribution over a few candidate rates.
//!
//! For a candidate rate `b` every bound has an intercept: `u_i - b c_i` for the upper ones, `l_j - b d_j` for the
//! lower ones. Under the right rate the smallest upper intercept `A(b)` and the largest lower one `B(b)` are the
//! envelopes, and the others lie beyond them by the queueing that their message met. Delays have a smallest value
//! and a tail, so take the gap as exponential with the direction's own scale `m`; the likelihood of `b` is then
//!
//! ```text
//!   F(b) = sum_i min((u_i - b c_i - A(b)) / m_f, k) + sum_j min((B(b) - (l_j - b d_j)) / m_r, k) + prior(b)
//!   weight(b) = exp(-F(b))
//! ```
//!
//! (the maximum of the first sums without the cut-off is the hull edge over the centroid: Moon, Skelly & Towsley,
//! INFOCOM 1999). The cut-off `k` takes the pull out of points on another level: after a route change the new
//! points are all far from the old envelope, and tilting the line towards them gains nothing. Both directions
//! share the rate, since a clock moves both envelopes together and a route only one.
//!
//! `F` is evaluated on a grid that is narrowed twice around its mean. The last grid *is* the posterior: its
//! nodes, with their weights, later say how far the offset may be off because the rate is.

use super::history::{Block, History};

/// Nodes of the grid; odd, so that the centre is one of them.
pub(crate) const NODES: usize = 25;

/// Half-width of a narrowed grid, in standard deviations of the wider one.
const SPREAD: f64 = 4.0;

/// Times the grid is narrowed.
const NARROWINGS: usize = 3;

/// Cut-off of one point's evidence, in scales.
const CUT: f64 = 4.0;

/// Smallest scale of queueing (s): finer than that is timer noise, and a zero scale would be infinitely sure.
const FINEST_SCALE: f64 = 20e-6;

/// A distribution of the rate before any evidence of this session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prior {
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
}

impl Prior {
    /// Two ordinary crystals: half of all pairs within 20 ppm or so.
    pub(crate) const CRYSTALS: Prior = Prior { mean: 0.0, sigma: 20e-6 };

    /// Negative logarithm: quadratic near the mean, but with a tail, for the pair of clocks that is far off.
    fn cost(&self, rate: f64) -> f64 {
        let z = (rate - self.mean) / self.sigma;
        2.0 * (1.0 + z * z / 4.0).ln()
    }
}

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

/// The posterior distribution of the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    pub(crate) nodes: [Node; NODES],
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
    /// Scale of queueing of each direction among the blocks (s).
    pub(crate) scale_forward: f64,
    pub(crate) scale_reverse: f64,
}

impl Posterior {
    /// Weighs the candidate rates by all blocks of `history`, which must not be empty, as of local time `now`.
    pub(crate) fn fit(history: &History, now: f64, prior: Prior, limit: f64, wander: f64) -> Self {
        let blocks = history.blocks();
        let mut fit = Posterior {
            nodes: [Node::default(); NODES],
            mean: prior.mean,
            sigma: (prior.sigma * 2.0).min(limit / SPREAD),
            scale_forward: FINEST_SCALE,
            scale_reverse: FINEST_SCALE,
        };
        for _ in 0..=NARROWINGS {
            fit.measure_scales(blocks, now, wander);
            fit.spread_nodes(limit);
            fit.weigh(blocks, now, prior, wander);
        }
        fit
    }

    fn measure_scales(&mut self, blocks: &[Block], now: f64, wander: f64) {
        let (upper, lower) = envelopes(blocks, self.mean, now, wander);
        self.scale_forward = scale(blocks.iter().map(|block| block.upper.intercept(self.mean) - upper));
        self.scale_reverse = scale(blocks.iter().map(|block| lower - block.lower.intercept(self.mean)));
    }

    fn spread_nodes(&mut self, limit: f64) {
        let step = SPREAD * self.sigma / (NODES / 2) as f64;
        let (low, high) = (-limit, limit);
        let mean = self.mean.clamp(low, high);
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.rate = (mean + step * (i as f64 - (NODES / 2) as f64)).clamp(low, high);
        }
    }

    fn weigh(&mut self, blocks: &[Block], now: f64, prior: Prior, wander: f64) {
        let mut costs = [0.0; NODES];
        let mut least = f64::INFINITY;
        for (node, cost) in self.nodes.iter_mut().zip(&mut costs) {
            (node.upper, node.lower) = envelopes(blocks, node.rate, now, wander);
            *cost = prior.cost(node.rate) + self_cost(blocks, node, self.scale_forward, self.scale_reverse);
            least = least.min(*cost);
        }
        let mut total = 0.0;
        for (node, cost) in self.nodes.iter_mut().zip(&costs) {
            node.weight = (least - cost).exp();
            total += node.weight;
        }
        let mut mean = 0.0;
        for node in &mut self.nodes {
            node.weight /= total;
            mean += node.weight * node.rate;
        }
        let variance: f64 = self.nodes.iter().map(|node| node.weight * (node.rate - mean).powi(2)).sum();
        // A grid cannot resolve less than a part of its own step.
        let step = (self.nodes[NODES - 1].rate - self.nodes[0].rate) / (NODES - 1) as f64;
        self.mean = mean;
        self.sigma = variance.sqrt().max(step / 4.0).max(1e-9);
    }
}

/// A(b) and B(b): the tightest intercepts, each bound loosened by `wander` times its age.
fn envelopes(blocks: &[Block], rate: f64, now: f64, wander: f64) -> (f64, f64) {
    let mut upper = f64::INFINITY;
    let mut lower = f64::NEG_INFINITY;
    for block in blocks {
        upper = upper.min(block.upper.intercept(rate) + wander * (now - block.upper.at));
        lower = lower.max(block.lower.intercept(rate) - wander * (now - block.lower.at));
    }
    (upper, lower)
}

fn self_cost(blocks: &[Block], node: &Node, scale_forward: f64, scale_reverse: f64) -> f64 {
    let mut cost = 0.0;
    for block in blocks {
        let forward = (block.upper.intercept(node.rate) - node.upper) / scale_forward;
        let reverse = (node.lower - block.lower.intercept(node.rate)) / scale_reverse;
        cost += forward.clamp(0.0, CUT) + reverse.clamp(0.0, CUT);
    }
    cost
}

/// Scale of an exponential distribution from the median of its gaps (median = m ln 2).
fn scale(gaps: impl Iterator<Item = f64>) -> f64 {
    let mut sorted = [0.0; super::history::CAPACITY];
    let mut count = 0;
    for gap in gaps {
        sorted[count] = gap;
        count += 1;
    }
    let sorted = &mut sorted[..count];
    let (_, median, _) = sorted.select_nth_unstable_by(count / 2, f64::total_cmp);
    (*median / core::f64::consts::LN_2).max(FINEST_SCALE)
}
