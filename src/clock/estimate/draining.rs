//! Whether a queue drains while a session begins, so that no delay so far is a floor.
//!
//! Who joins a game has often just downloaded a map. The queue of that download stands in one direction when
//! the first requests leave, and drains within seconds. Until then the smallest delay is no floor, and
//! neighbouring replies do not make it one: they meet the same queue.
//!
//! Three hypotheses explain the delays so far: no queue drains, or one drains up, or down. A queue that
//! drains falls by `a` a second and ends at `T`. Without it, the delays lie above their base by queueing of
//! which the scale is unknown. If the mean of these gaps is `g`, `n` delays have a likelihood of about
//! `g^-n`. All ends that are still to come explain the delays alike. Then only the prior says what is left:
//! most games have round trips below 100 ms. So a round trip of a second is evidence before any trend is
//! seen.

use super::history::{Block, CAPACITY, smaller};
use super::standing::{Queue, base_density};

/// Nothing is said of a session older than this (s).
const YOUNG: f64 = 20.0;

/// Probability of a queue that drains in one direction, before anybody looks.
const DRAINS: f64 = 0.05;

/// What stands when the first request leaves, and how long that takes to drain (s). Each order of magnitude
/// is as likely.
const QUEUES: core::ops::Range<f64> = 0.03..2.0;
const LASTS: core::ops::Range<f64> = 1.0..16.0;

/// Waits for a frame loop slide like a queue. Only a queue of so many waits beyond the least one is seen.
const WAITS: f64 = 4.0;

/// Slopes that are tried beside the one that fits best (s/s): the first one, their number, and the ratio of
/// neighbours.
const FLATTEST: f64 = 4e-3;
const SLOPES: i32 = 9;
const STEEPER: f64 = 2.0;

/// Sizes that are tried of what is left.
const LEFT: u32 = 12;

/// A gap that counts with the others (s): a few delays on one line are no proof that nothing else delays.
const JITTER: f64 = 1e-3;

/// Neighbouring delays resemble each other. Each counts as this much of an independent one. With 0.5, levels
/// of a satellite are taken for queues.
const INDEPENDENT: f64 = 0.3;

/// A queue this likely moves the estimate. One that has ended this surely counts no more.
const MOVES: f64 = 0.8;
const ENDED: f64 = 0.99;

/// A queue less likely than this is none.
const UNLIKELY: f64 = 0.02;

/// The delays of one direction, with when they were seen (s).
struct Way {
    at: [f64; CAPACITY],
    delay: [f64; CAPACITY],
    count: usize,
    /// The base, and the logarithm of the likelihood, if no queue drains.
    base: f64,
    fits: f64,
}

/// Weights of the queues that may drain in one direction.
#[derive(Clone, Copy, Default)]
struct Weights {
    all: f64,
    /// Times what is left (s), and its square.
    left: f64,
    square: f64,
    /// Of those that have ended; the likeliest of them, and the delays that met it.
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

    /// The base, and the logarithm of the likelihood, without a queue that falls by `slope` a second until
    /// `end`.
    fn without(&self, slope: f64, end: f64) -> (f64, f64) {
        let (mut base, mut sum) = (f64::INFINITY, 0.0);
        for (at, delay) in self.at[..self.count].iter().zip(&self.delay) {
            let left = delay + slope * smaller(at - end, 0.0);
            base = smaller(left, base);
            sum += left;
        }
        let count = self.count as f64;
        (base, -INDEPENDENT * count * (sum - count * base + JITTER).ln())
    }

    /// Weighs the queues that may drain here, against none, as of `now`. `other` is the base of the other
    /// direction, and `usual` the density of base round trips.
    #[inline(never)]
    fn weigh(&self, now: f64, other: f64, wait: f64, usual: &impl Fn(f64) -> f64) -> Weights {
        let (begin, mut weights) = (self.at[0], Weights::default());
        let (mut line, mut slope) = (Line::default(), 0.0);
        for i in 0..self.count {
            line.add(self.at[i] - begin, self.delay[i]);
            slope = line.slope();
            let Some(&next) = self.at[..self.count].get(i + 1).filter(|_| slope > FLATTEST) else { continue };
            // It ended before the next delay, where the line meets the base of the later ones.
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
        let tried = (0..SLOPES).map(|i| FLATTEST * STEEPER.powi(i));
        for slope in tried.chain((slope > FLATTEST).then_some(slope)) {
            let (level, fits) = self.without(slope, now);
            let step = (level + other) / f64::from(LEFT);
            for left in (0..LEFT).map(|i| step * (f64::from(i) + 0.5)) {
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

/// Whether a queue may fall by `slope` for so long (s), where messages wait for this long until a loop looks.
fn is_possible(slope: f64, lasts: f64, wait: f64) -> bool {
    LASTS.contains(&lasts) && QUEUES.contains(&(slope * lasts - WAITS * wait))
}

/// Probability that a queue of one of the tried slopes lasts for so long (per second).
fn density(lasts: f64) -> f64 {
    STEEPER.ln() / (QUEUES.end / QUEUES.start).ln() / (LASTS.end / LASTS.start).ln() / lasts
}

/// Sums for the line that is nearest to some points.
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

    /// How fast it falls. Not a number for one point.
    fn slope(&self) -> f64 {
        let spread = self.squares - self.at * self.at / self.count;
        -(self.product - self.at * self.delay / self.count) / spread
    }

    /// When it meets a `base`, if it falls by `slope`.
    fn meets(&self, base: f64, slope: f64) -> f64 {
        ((self.delay + slope * self.at) / self.count - base) / slope
    }
}

/// What drains as of `now`, under `rate`. Returns, too, how many of the oldest blocks met a queue that has
/// surely ended. `shortest`: a round trip of this path that is known (s). `waits`: how long messages wait up
/// and down until a loop looks for them (s).
#[inline(never)]
pub(super) fn judge(
    blocks: &[Block],
    now: f64,
    rate: f64,
    shortest: Option<f64>,
    waits: [f64; 2],
) -> (Queue, usize) {
    if blocks.first().is_none_or(|first| now - first.lower.at > YOUNG) {
        return (Queue::default(), 0);
    }
    let usual = |base: f64| if base > 0.0 { base_density(base, shortest) } else { 0.0 };
    let up = Way::of(blocks, |block| [block.upper.at, block.upper.intercept(rate)]);
    let down = Way::of(blocks, |block| [block.lower.at, -block.lower.intercept(rate)]);
    let ways = [up.weigh(now, down.base, waits[0], &usual), down.weigh(now, up.base, waits[1], &usual)];
    let nothing = (1.0 - 2.0 * DRAINS) / DRAINS * usual(up.base + down.base);
    let all = nothing + ways[0].all + ways[1].all;
    if all.is_nan() || all <= 0.0 {
        return (Queue::default(), 0);
    }
    // Half of what is left is in the middle of the bounds.
    let mean = (ways[0].left - ways[1].left) / all / 2.0;
    let square = (ways[0].square + ways[1].square) / all / 4.0;
    // Two frame loops that slide past each other look like a queue, too.
    let moves = ways.iter().any(|way| way.all > MOVES * all) && waits == [0.0; 2];
    let beyond = if moves { mean } else { 0.0 };
    let variance = -smaller(2.0 * mean * beyond - square - beyond.powi(2), 0.0);
    let is_empty = nothing + ways[0].ended + ways[1].ended > (1.0 - UNLIKELY) * all;
    let ended = ways.iter().find(|way| way.ended > ENDED * all).map_or(0, |way| way.met);
    (Queue { beyond, variance, is_empty }, ended)
}
