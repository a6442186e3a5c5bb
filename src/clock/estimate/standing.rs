//! Detects a standing queue in one direction, which keeps even the smallest delay above that of the empty
//! path.
//!
//! A TCP upload that began before the session fills the buffer of the slowest router. CUBIC then reduces its
//! window to 0.7 of its size and fills the buffer again, so a deep buffer never empties. The smallest
//! round-trip time `m` is then 0.7 of the largest one, `M`. The base round-trip time `R` is smaller than
//! both. No exchange reveals `R`. However, the delays vary by `V = M - m` in one direction, while those in
//! the other direction are constant. The first of three hypotheses is that the queue empties, so `R = m`
//! ([`Empties`]). Otherwise, the queue never empties. It follows CUBIC's law ([`Cubic`]), or another law if
//! there are several flows or a different congestion control ([`OtherLaw`]). Let `b` be the density of base
//! round-trip times in games ([`density`]). All orders of magnitude are assumed equally likely for buffers
//! and standing queues. The likelihoods are then
//!
//! ```text
//!   Empties:   b(m) / V
//!   Cubic:     normal(m / M - 0.7) / M  integral b(R) / (M - R) dR
//!   OtherLaw:  1 / V  integral b(R) / (m - R) / ln 6 dR,  V / 2 < m - R < 3 V
//! ```
//!
//! If a queue empties, some delays stay at the minimum for a while. After a route change, all delays stay at
//! the new level. The last two hypotheses therefore also include the likelihood of the number of delays near
//! either end of the range ([`Standing::ends_likelihood`]). Only if a standing queue is nearly certain do we
//! move the estimate to the middle of the possible `R`. The variance always includes the remaining error.

use super::history::{Block, smaller};
use super::{ENOUGH, POINTS, RARE, SLIGHT, TINY};

/// We keep this many exchanges, at least [`APART`] seconds apart. They cover at least 34 s, or four cycles of
/// one CUBIC flow at 5 Mbit/s.
const KEPT: usize = 40;
const APART: f32 = 0.85;

/// Ratio of the smallest to the largest round-trip time with one CUBIC flow (RFC 9438), give or take
/// [`TINY`].
const CUBIC: f64 = 0.7;

/// A delay is near an end of the range if it is within this fraction of the range from that end. With a
/// standing queue, the fraction [`AT_ENDS`] of all delays is near an end.
const END: f64 = 1.0 / 16.0;
const AT_ENDS: f64 = 0.15;

/// Base round-trip times in games are log-normal, with this median (s) and logarithmic standard deviation.
const BASE: f64 = 0.045;
const BASE_SIGMA: f64 = 0.8;

/// Queues of these sizes (s) move the estimate, with a log-uniform prior. For a standing queue, this is the
/// size of the varying part. For a draining queue, it is the size at the first request.
pub(super) const QUEUES: core::ops::Range<f64> = 0.03..2.0;

/// Ratio of the constant to the varying part of a queue that follows another law.
const STANDS: core::ops::Range<f64> = 0.5..3.0;

/// We only move the estimate if a queue is more likely than this, to avoid degrading a good clock.
pub(super) const MOVES: f64 = 0.8;

/// The bounds of one exchange, in seconds from the anchor. The offset changes slowly, so single precision
/// resolves a tick for a day.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Sample {
    at: f32,
    upper: f32,
    lower: f32,
}

impl Sample {
    /// The delays of each direction include an unknown constant.
    fn delays(&self, rate: f64) -> [f64; 2] {
        let slope = rate * f64::from(self.at);
        [f64::from(self.upper) - slope, slope - f64::from(self.lower)]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Standing {
    samples: [Sample; KEPT],
    count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Queue {
    /// How far the midpoint of the bounds exceeds the offset (s).
    pub(super) beyond: f64,
    pub(super) variance: f64,
    /// Whether the smallest round-trip time was measured on an empty path.
    pub(super) is_empty: bool,
}

impl Queue {
    const NONE: Queue = Queue { beyond: 0.0, variance: 0.0, is_empty: true };
}

#[derive(Clone, Copy, Debug)]
struct Range {
    least: f64,
    most: f64,
    /// Mean excess over the smallest delay.
    mean: f64,
}

/// The hypothesis that the queue empties, so the smallest round-trip time is that of the empty path.
struct Empties {
    round_trip: f64,
    range: f64,
}

impl Empties {
    /// `general` is the probability that the base is not a known round-trip time.
    fn likelihood(&self, general: f64) -> f64 {
        general * density(self.round_trip) / self.range
    }
}

/// The hypothesis that one CUBIC flow fills the buffer again after each loss.
struct Cubic {
    largest: f64,
    law: f64,
}

impl Cubic {
    fn of(round_trip: f64, range: f64, frame: f64) -> Self {
        let largest = round_trip + range;
        // Waits for frames blur the smallest and the largest round trip.
        let width = TINY.hypot(frame / 3.0 / largest);
        Cubic { largest, law: bell((round_trip / largest - CUBIC) / width) / width / largest }
    }

    /// Returns the likelihood of this base round-trip time (s), times the prior odds. The factor of 2
    /// accounts for queues in either direction.
    fn likelihood(&self, base: f64) -> f64 {
        2.0 * RARE * self.law / (self.largest - base)
    }
}

struct OtherLaw {
    round_trip: f64,
    range: f64,
}

impl OtherLaw {
    fn likelihood(&self, base: f64) -> f64 {
        let standing = self.round_trip - base;
        let log_range = (STANDS.end / STANDS.start).ln();
        let is_possible = STANDS.contains(&(standing / self.range));
        if is_possible { TINY / standing / log_range / self.range } else { 0.0 }
    }
}

impl Queue {
    pub(super) fn stands(&self) -> bool {
        self.beyond != 0.0
    }
}

impl Standing {
    pub(super) fn new() -> Self {
        Standing { samples: [Sample::default(); KEPT], count: 0 }
    }

    pub(super) fn add(&mut self, block: &Block) {
        let (at, latest) = (block.lower.at as f32, self.count.wrapping_sub(1) % KEPT);
        if self.count == 0 || at - self.samples[latest].at >= APART {
            self.samples[self.count % KEPT] =
                Sample { at, upper: block.upper.value as f32, lower: block.lower.value as f32 };
            self.count += 1;
        }
    }

    /// Returns the current queue, where `before` is the previous result. `round_trip` is the session's
    /// smallest round-trip time, including exchanges that are no longer stored. Without those exchanges, a
    /// queue that formed after the start would look like a standing queue. In recordings, this caused an
    /// error of 25 ms. `frames` are the periods of the loops that delay requests and replies, and `shortest`
    /// is a previously known round-trip time of this path (s).
    #[inline(never)]
    pub(super) fn judge(
        &self,
        before: Queue,
        rate: f64,
        round_trip: f64,
        frames: [f64; 2],
        shortest: Option<f64>,
    ) -> Queue {
        if self.count < ENOUGH || round_trip <= 0.0 {
            return Queue::default();
        }
        let ranges = self.ranges(rate);
        let (way, other) = if ranges[0].mean > ranges[1].mean { (0, 1) } else { (1, 0) };
        let (queue, frame) = (ranges[way], frames[way]);
        // Avoid a division by zero if all delays are equal.
        let excess = ranges[other].mean / queue.mean.max(f64::MIN_POSITIVE);
        let constant = (-(excess / SLIGHT).powi(2) / 2.0).exp();
        // On most paths, both directions vary nearly equally, which rules out a standing queue.
        if constant < f64::EPSILON {
            return Queue::NONE;
        }
        let evidence = constant * self.ends_likelihood(self.at_ends(rate, way, &queue));
        let range = queue.most - queue.least - frame;
        if range <= QUEUES.start {
            // By CUBIC's law, the smallest round trip is then below 70 ms. With a base round-trip time of 20
            // ms, the error is below 25 ms. Moving the estimate for such a small error is not worth the risk.
            // However, even the smallest delay may include queueing, because other traffic always has a
            // packet on the wire.
            let sigma = if frame > 0.0 { 0.0 } else { SLIGHT * queue.mean };
            return Queue { variance: evidence / (1.0 + evidence) * sigma.powi(2), ..Queue::NONE };
        }
        let known = shortest.filter(|&shortest| shortest < (1.0 - RARE) * round_trip);
        if shortest.is_some() && known.is_none() {
            return Queue::NONE;
        }
        let Some((probability, mean, square)) = standing(evidence, round_trip, range, frame, known) else {
            return Queue::NONE;
        };
        // Once the estimate has been moved, we leave it there as long as a queue is more likely than not.
        let enough = if before.stands() { 0.5 } else { MOVES };
        let moved = if probability > enough { mean } else { 0.0 };
        let variance = probability * (square - 2.0 * mean * moved) + moved.powi(2);
        debug_assert!(mean >= 0.0 && variance >= 0.0, "a queue only adds delay: {mean} s, {variance} s^2");
        Queue { beyond: if way == 0 { moved } else { -moved }, variance, is_empty: false }
    }

    fn samples(&self) -> &[Sample] {
        &self.samples[..self.count.min(KEPT)]
    }

    // A single loop computes both directions in parallel.
    fn ranges(&self, rate: f64) -> [Range; 2] {
        let (mut least, mut most, mut sum) = ([f64::INFINITY; 2], [f64::INFINITY; 2], [0.0; 2]);
        for sample in self.samples() {
            for (way, delay) in sample.delays(rate).into_iter().enumerate() {
                (least[way], most[way]) = (smaller(delay, least[way]), smaller(-delay, most[way]));
                sum[way] += delay;
            }
        }
        let count = self.samples().len() as f64;
        core::array::from_fn(|way| Range {
            least: least[way],
            most: -most[way],
            mean: sum[way] / count - least[way],
        })
    }

    fn at_ends(&self, rate: f64, way: usize, range: &Range) -> u32 {
        let end = END * (range.most - range.least);
        let is_at_end = |delay: f64| delay - range.least < end || range.most - delay < end;
        self.samples().iter().filter(|sample| is_at_end(sample.delays(rate)[way])).count() as u32
    }

    /// Returns the likelihood ratio of this number of delays near the ends of the range: with a standing
    /// queue, relative to a uniformly distributed fraction. This ratio is `(n + 1) binomial(k; n, p)`.
    fn ends_likelihood(&self, at_ends: u32) -> f64 {
        let count = self.count.min(KEPT) as i32;
        let each = |i| f64::from(count - i as i32) / f64::from(i + 1) * AT_ENDS / (1.0 - AT_ENDS);
        (0..at_ends).map(each).product::<f64>() * f64::from(count + 1) * (1.0 - AT_ENDS).powi(count)
    }
}

/// Returns the probability of a standing queue, and the mean and mean square of its effect on the midpoint of
/// the bounds (s, s^2). `evidence` is the likelihood of the delays given a standing queue, and `known` is a
/// known shorter round-trip time (s). `range` is the range of the delays (s) if the slowest message waited
/// for a whole `frame` longer than the fastest one.
fn standing(
    evidence: f64,
    round_trip: f64,
    range: f64,
    frame: f64,
    known: Option<f64>,
) -> Option<(f64, f64, f64)> {
    let general = if known.is_some() { RARE } else { 1.0 };
    // On average, the slowest message has waited for half a frame longer than the fastest one.
    let range = range + frame / 2.0;
    let empties = Empties { round_trip, range };
    let (cubic, other) = (Cubic::of(round_trip, range, frame), OtherLaw { round_trip, range });
    let step = round_trip / POINTS as f64;
    let tried = (0..POINTS).map(|i| (i as f64 + 0.5) * step);
    let tried = tried.map(|base| (base, general * density(base) * step));
    let (mut stands, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (base, weight) in tried.chain(known.map(|known| (known, 1.0 - RARE))) {
        let likelihood = weight * (cubic.likelihood(base) + other.likelihood(base));
        stands += likelihood;
        sum += likelihood * (round_trip - base);
        squares += likelihood * (round_trip - base).powi(2);
    }
    let odds = evidence * stands / empties.likelihood(general);
    let probability = odds / (1.0 + odds);
    let counts = !probability.is_nan() && probability >= TINY;
    // The midpoint of the bounds is off by half of the queue.
    counts.then(|| (probability, sum / stands / 2.0, squares / stands / 4.0))
}

/// Like [`density`], but allows for a `known` round-trip time of this path (s).
pub(super) fn base_density(base: f64, known: Option<f64>) -> f64 {
    let of_known = |known: f64| bell((base / known).ln() / SLIGHT) / SLIGHT / base;
    known.map_or(density(base), |known| (1.0 - RARE) * of_known(known) + RARE * density(base))
}

fn density(base: f64) -> f64 {
    bell((base / BASE).ln() / BASE_SIGMA) / BASE_SIGMA / base
}

#[inline(never)]
fn bell(z: f64) -> f64 {
    (-z * z / 2.0).exp() / core::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests;
