//! The rate of the server's clock against the local one, as a distribution over a few candidate rates.
//!
//! For a candidate rate `b` every bound has an intercept: `u_i - b c_i` for the upper ones, `l_j - b d_j` for the
//! lower ones. Under the right rate the smallest upper intercept `A(b)` and the largest lower one `B(b)` are the
//! envelopes, and the others lie beyond them by the queueing that their message met. Delays have a smallest value
//! and a tail, so take a gap as exponential with the direction's own scale `m`; the likelihood of `b` is then
//!
//! ```text
//!   F(b) = sum_i gap(u_i - b c_i - A(b)) / m_f + sum_j gap(B(b) - (l_j - b d_j)) / m_r + prior(b)
//!   weight(b) = exp(-F(b))
//! ```
//!
//! (its maximum is the hull edge over the centroid: Moon, Skelly & Towsley, INFOCOM 1999). Both directions share
//! the rate, since a clock moves both envelopes and a route only one. A point's cost is limited in two ways. After
//! a change of route points are far from the envelope of the whole session, but near that of their own
//! [segment](super::segments): the cheaper of both counts, the second with a surcharge. And no point costs more
//! than the cut-off, so that what fits nowhere has no pull.
//!
//! `F` is evaluated on a grid that is narrowed around its mean. While the grid is wide, scales are widened to what
//! its step amounts to over the session: otherwise all points would be cut off at every node but the best, and the
//! slope that leads there would be flat. The last grid *is* the posterior: its nodes, with their weights, later
//! say how far the offset may be off because the rate is.

use super::history::{Block, CAPACITY, History};
use super::segments::Segments;

/// Nodes of the grid; odd, so that the centre is one of them.
pub(crate) const NODES: usize = 25;

/// Half-width of a narrowed grid, in standard deviations of the wider one.
const SPREAD: f64 = 4.0;

/// Times the grid is narrowed.
const NARROWINGS: usize = 4;

/// Half-width of the first grid: no two working clocks differ by more.
const WIDEST: f64 = 600e-6;

/// Cut-off of one point's evidence, in scales.
const CUT: f64 = 3.0;

/// Cost of fitting only the envelope of its own segment.
const OTHER_ROUTE: f64 = 4.0;

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

/// What a fit is made of.
struct Evidence<'a> {
    blocks: &'a [Block],
    segments: Segments,
    now: f64,
    prior: Prior,
    wander: f64,
    share_forward: f64,
    share_reverse: f64,
}

impl Posterior {
    /// Weighs the candidate rates by all blocks of `history`, which must not be empty, as of local time `now`.
    pub(crate) fn fit(history: &History, now: f64, prior: Prior, wander: f64) -> Self {
        let blocks = history.blocks();
        let mut fit = Posterior {
            nodes: [Node::default(); NODES],
            mean: prior.mean,
            sigma: WIDEST / SPREAD,
            scale_forward: FINEST_SCALE,
            scale_reverse: FINEST_SCALE,
        };
        let span = blocks[blocks.len() - 1].upper.at - blocks[0].upper.at;
        let segments = Segments::divide(blocks, prior.mean);
        let mut evidence =
            Evidence { blocks, segments, now, prior, wander, share_forward: 1.0, share_reverse: 1.0 };
        // First as if all points were independent, which finds the rate ...
        for _ in 0..=NARROWINGS {
            fit.refine(&mut evidence, span);
        }
        // ... and then with the share that is, which says how sure it is.
        let mean = fit.mean;
        let (_, share_forward) = evidence.noise(FINEST_SCALE, |block| block.upper.intercept(mean));
        let (_, share_reverse) = evidence.noise(FINEST_SCALE, |block| -block.lower.intercept(mean));
        (evidence.share_forward, evidence.share_reverse) = (share_forward, share_reverse);
        fit.sigma = (fit.sigma / share_forward.min(share_reverse).sqrt()).min(WIDEST / SPREAD);
        for _ in 0..2 {
            fit.refine(&mut evidence, span);
        }
        fit
    }

    fn refine(&mut self, evidence: &mut Evidence<'_>, span: f64) {
        let step = SPREAD * self.sigma / (NODES / 2) as f64;
        let floor = FINEST_SCALE.max(step * span / 4.0);
        let mean = self.mean;
        (self.scale_forward, _) = evidence.noise(floor, |block| block.upper.intercept(mean));
        (self.scale_reverse, _) = evidence.noise(floor, |block| -block.lower.intercept(mean));
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.rate = mean + step * (i as f64 - (NODES / 2) as f64);
        }
        self.weigh(evidence, step);
        evidence.segments = Segments::divide(evidence.blocks, self.mean);
    }

    fn weigh(&mut self, evidence: &Evidence<'_>, step: f64) {
        let mut costs = [0.0; NODES];
        let mut least = f64::INFINITY;
        for (node, cost) in self.nodes.iter_mut().zip(&mut costs) {
            let mut points = [0.0; CAPACITY];
            let points = &mut points[..evidence.blocks.len()];
            for (point, block) in points.iter_mut().zip(evidence.blocks) {
                *point = block.upper.intercept(node.rate);
            }
            let forward = evidence.cost(points, self.scale_forward);
            node.upper = evidence.envelope(points, |block| block.upper.at);
            for (point, block) in points.iter_mut().zip(evidence.blocks) {
                *point = -block.lower.intercept(node.rate);
            }
            let reverse = evidence.cost(points, self.scale_reverse);
            node.lower = -evidence.envelope(points, |block| block.lower.at);
            *cost = evidence.prior.cost(node.rate)
                + evidence.share_forward * forward
                + evidence.share_reverse * reverse;
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
        self.mean = mean;
        // A grid resolves no less than a part of its own step.
        self.sigma = variance.sqrt().max(step / 4.0).max(1e-9);
    }
}

impl Evidence<'_> {
    /// Scale of the points' noise, and the share of them that is independent evidence.
    fn noise(&self, floor: f64, intercept: impl Fn(&Block) -> f64) -> (f64, f64) {
        let mut gaps = [0.0; CAPACITY];
        let gaps = &mut gaps[..self.blocks.len()];
        let mut own = [f64::INFINITY; CAPACITY];
        for (i, (gap, block)) in gaps.iter_mut().zip(self.blocks).enumerate() {
            *gap = intercept(block);
            let own = &mut own[self.segments.of(i)];
            *own = own.min(*gap);
        }
        for (i, gap) in gaps.iter_mut().enumerate() {
            *gap -= own[self.segments.of(i)];
        }
        let mut sorted = [0.0; CAPACITY];
        let sorted = &mut sorted[..gaps.len()];
        sorted.copy_from_slice(gaps);
        let (_, median, _) = sorted.select_nth_unstable_by(gaps.len() / 2, f64::total_cmp);
        let scale = (*median / core::f64::consts::LN_2).max(floor);
        for gap in gaps.iter_mut() {
            *gap = (*gap / scale).min(CUT);
        }
        let correlation = correlation(gaps).max(0.0);
        (scale, (1.0 - correlation) / (1.0 + correlation))
    }

    /// Smallest of `points`, each loosened by the wander its age allows for.
    fn envelope(&self, points: &[f64], at: impl Fn(&Block) -> f64) -> f64 {
        points
            .iter()
            .zip(self.blocks)
            .map(|(point, block)| point + self.wander * (self.now - at(block)))
            .fold(f64::INFINITY, f64::min)
    }

    /// The sum of the points' costs: gaps to the envelope, in scales, limited as described above.
    fn cost(&self, points: &[f64], scale: f64) -> f64 {
        let mut own = [f64::INFINITY; CAPACITY];
        let mut whole = f64::INFINITY;
        for (i, &point) in points.iter().enumerate() {
            let own = &mut own[self.segments.of(i)];
            *own = own.min(point);
            whole = whole.min(point);
        }
        let (mut to_whole, mut to_own) = ([0.0; CAPACITY], [0.0; CAPACITY]);
        for (i, &point) in points.iter().enumerate() {
            let segment = self.segments.of(i);
            to_whole[segment] += ((point - whole) / scale).min(CUT);
            to_own[segment] += ((point - own[segment]) / scale).min(CUT);
        }
        (0..self.segments.count()).map(|i| f64::min(to_whole[i], to_own[i] + OTHER_ROUTE)).sum()
    }
}

/// Scale of the queueing in a series of one-sided noisy points: gaps to the smallest of five neighbours, so that
/// level changes do not count. For exponential noise the median of such gaps is 0.47 of the scale.
pub(crate) fn local_scale(points: &[f64]) -> f64 {
    let mut gaps = [0.0; CAPACITY];
    let gaps = &mut gaps[..points.len()];
    for (i, gap) in gaps.iter_mut().enumerate() {
        let near = &points[i.saturating_sub(2)..points.len().min(i + 3)];
        *gap = points[i] - near.iter().copied().fold(f64::INFINITY, f64::min);
    }
    let middle = gaps.len() / 2;
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f64::total_cmp);
    *median / 0.47
}

/// Correlation of a series with itself one step later; zero for fewer than four points.
fn correlation(series: &[f64]) -> f64 {
    if series.len() < 4 {
        return 0.0;
    }
    let mean = series.iter().sum::<f64>() / series.len() as f64;
    let variance: f64 = series.iter().map(|x| (x - mean).powi(2)).sum();
    let product: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if variance > 0.0 { (product / variance).min(0.98) } else { 0.0 }
}
