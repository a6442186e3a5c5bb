//! Detects a queue that is still draining when a session starts.
//!
//! A player who joins has often just downloaded a map. When the client sends its first requests, the
//! download's queue still delays one direction. Until that queue has drained, which takes seconds, all delays
//! exceed the path's minimum delay. More replies do not help, because they wait in the same queue.
//!
//! There are three hypotheses: no queue, a queue that drains towards the server, or a queue that drains
//! towards the client. A queue shrinks by `a` per second until it is empty at `T`. Delays also include random
//! queueing of unknown scale. If the mean excess is `g`, the likelihood of `n` delays is about `g^-n`. All
//! `T` in the future explain the delays equally well, so the prior alone decides how much of the queue is
//! left. Most games have round-trip times below 100 ms, so a round-trip time of one second suggests a queue
//! before any trend is visible.

use core::iter;

use super::asymmetry::NOTICEABLE;
use super::history::{Block, CAPACITY, smaller};
use super::standing::{MOVES, QUEUES, Queue, base_density};
use super::{CLEARLY, POINTS, RARE, TINY};

/// How long a queue takes to drain (s), with a log-uniform prior. We don't look for such queues once a
/// session is older than the longest of them.
const LASTS: core::ops::Range<f64> = 1.0..16.0;

/// Besides the best fit, we try this slope (s/s) and steeper ones, doubling it each time.
const FLATTEST: f64 = 4e-3;

/// Consecutive delays are correlated, so each of them counts as this fraction of an independent one. With
/// 0.5, the estimator would mistake changes in a satellite path's delay for queueing.
const INDEPENDENT: f64 = 0.3;

struct Way {
    at: [f64; CAPACITY],
    delay: [f64; CAPACITY],
    count: usize,
    /// The minimum delay (s) and the log-likelihood if there is no queue.
    base: f64,
    fits: f64,
}

#[derive(Clone, Copy, Default)]
struct Weights {
    all: f64,
    /// Weighted sums of the remaining queue (s) and of its square (s^2).
    left: f64,
    square: f64,
    /// The total weight of the drained queues, the weight of the likeliest one, and the number of delays that
    /// the likeliest one caused.
    ended: f64,
    likeliest: f64,
    met: usize,
}

impl Way {
    fn of(blocks: &[Block], point: impl Fn(&Block) -> [f64; 2]) -> Self {
        let (at, delay) = ([0.0; CAPACITY], [0.0; CAPACITY]);
        let mut way = Way { at, delay, count: blocks.len(), base: 0.0, fits: 0.0 };
        for (i, block) in blocks.iter().enumerate() {
            [way.at[i], way.delay[i]] = point(block);
        }
        (way.base, way.fits) = way.without(0.0, way.at[0]);
        way
    }

    /// Returns the minimum delay and the log-likelihood for a queue that shrinks by `slope` per second until
    /// `end`.
    fn without(&self, slope: f64, end: f64) -> (f64, f64) {
        let (mut base, mut sum) = (f64::INFINITY, 0.0);
        for (at, delay) in self.at[..self.count].iter().zip(&self.delay) {
            let left = delay + slope * smaller(at - end, 0.0);
            base = smaller(left, base);
            sum += left;
        }
        let count = self.count as f64;
        // `NOTICEABLE` limits the likelihood if a few delays happen to lie on a line.
        (base, -INDEPENDENT * count * (sum - count * base + NOTICEABLE).ln())
    }

    /// Weighs the possible queues in this direction against no queue. `other` is the other direction's
    /// minimum delay, `wait` is the longest wait for a frame loop (s), and `usual` is the density of base
    /// round-trip times.
    #[inline(never)]
    fn weigh(&self, now: f64, other: f64, wait: f64, usual: &impl Fn(f64) -> f64) -> Weights {
        let (begin, mut weights) = (self.at[0], Weights::default());
        let (mut line, mut slope) = (Line::default(), 0.0);
        for i in 0..self.count {
            line.add(self.at[i] - begin, self.delay[i]);
            slope = line.slope();
            let Some(&next) = self.at[..self.count].get(i + 1).filter(|_| slope > FLATTEST) else { continue };
            // Assume that the queue became empty where the line meets the minimum of the later delays.
            let base = self.delay[i + 1..self.count].iter().copied().fold(f64::INFINITY, smaller);
            let (end, width) = (begin + line.meets(base, slope), next - self.at[i]);
            if (self.at[i] - width..next + width).contains(&end) && is_possible(slope, end - begin, wait) {
                let (base, fits) = self.without(slope, end);
                let weight = density(end - begin) * width * (fits - self.fits).exp() * usual(base + other);
                weights.all += weight;
                weights.ended += weight;
                if weight > weights.likeliest {
                    (weights.likeliest, weights.met) = (weight, i + 1);
                }
            }
        }
        let tried = iter::successors(Some(FLATTEST), |slope| Some(2.0 * slope));
        let tried = tried.take_while(|slope| *slope <= QUEUES.end / LASTS.start);
        for slope in tried.chain((slope > FLATTEST).then_some(slope)) {
            let (level, fits) = self.without(slope, now);
            let step = (level + other) / POINTS as f64;
            for left in (0..POINTS).map(|i| step * (i as f64 + 0.5)) {
                let lasts = now + left / slope - begin;
                if is_possible(slope, lasts, wait) {
                    let likelihood = (fits - self.fits).exp() * usual(level + other - left);
                    let weight = density(lasts) * step / slope * likelihood;
                    weights.all += weight;
                    weights.left += weight * left;
                    weights.square += weight * left * left;
                }
            }
        }
        weights
    }
}

/// A real queue must clearly exceed `wait` (s), because drifting frame phases look like a queue.
fn is_possible(slope: f64, lasts: f64, wait: f64) -> bool {
    LASTS.contains(&lasts) && QUEUES.contains(&(slope * lasts - CLEARLY * wait))
}

/// Returns the prior density (per second) of a queue's duration, given its slope.
fn density(lasts: f64) -> f64 {
    core::f64::consts::LN_2 / (QUEUES.end / QUEUES.start).ln() / (LASTS.end / LASTS.start).ln() / lasts
}

#[derive(Clone, Copy, Default)]
struct Line {
    count: f64,
    at: f64,
    squares: f64,
    delay: f64,
    product: f64,
}

impl Line {
    fn add(&mut self, at: f64, delay: f64) {
        self.count += 1.0;
        self.at += at;
        self.squares += at * at;
        self.delay += delay;
        self.product += at * delay;
    }

    /// Returns the downward slope, or NaN for a single point.
    fn slope(&self) -> f64 {
        let spread = self.squares - self.at * self.at / self.count;
        -(self.product - self.at * self.delay / self.count) / spread
    }

    fn meets(&self, base: f64, slope: f64) -> f64 {
        ((self.delay + slope * self.at) / self.count - base) / slope
    }
}

/// Returns the queue at `now`, and how many of the oldest blocks an already drained queue delayed. `shortest`
/// is a known round-trip time of this path, and `waits` are the longest frame waits (s).
#[inline(never)]
pub(super) fn judge(
    blocks: &[Block],
    now: f64,
    rate: f64,
    shortest: Option<f64>,
    waits: [f64; 2],
) -> (Queue, usize) {
    if blocks.first().is_none_or(|first| now - first.lower.at > LASTS.end) {
        return (Queue::default(), 0);
    }
    let usual = |base: f64| if base > 0.0 { base_density(base, shortest) } else { 0.0 };
    let up = Way::of(blocks, |block| [block.upper.at, block.upper.intercept(rate)]);
    let down = Way::of(blocks, |block| [block.lower.at, -block.lower.intercept(rate)]);
    let ways = [up.weigh(now, down.base, waits[0], &usual), down.weigh(now, up.base, waits[1], &usual)];
    let nothing = (1.0 - 2.0 * RARE) / RARE * usual(up.base + down.base);
    let all = nothing + ways[0].all + ways[1].all;
    if all.is_nan() || all <= 0.0 {
        return (Queue::default(), 0);
    }
    // The midpoint of the bounds contains half of the remaining queue.
    let mean = (ways[0].left - ways[1].left) / all / 2.0;
    let square = (ways[0].square + ways[1].square) / all / 4.0;
    let moves = ways.iter().any(|way| way.all > MOVES * all) && waits == [0.0; 2];
    let beyond = if moves { mean } else { 0.0 };
    let variance = -smaller(2.0 * mean * beyond - square - beyond.powi(2), 0.0);
    let is_empty = nothing + ways[0].ended + ways[1].ended > (1.0 - TINY) * all;
    let ended = ways.iter().find(|way| way.ended > (1.0 - TINY) * all).map_or(0, |way| way.met);
    (Queue { beyond, variance, is_empty }, ended)
}
