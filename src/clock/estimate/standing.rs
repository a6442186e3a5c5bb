//! Whether a queue stands in one direction, so that its smallest delay is no floor.
//!
//! A TCP upload that began before the client fills the buffer of the slowest router. CUBIC then lowers its
//! window to 0.7 and fills the buffer again. If the buffer is deep, it never empties: the smallest round trip
//! `m` is 0.7 of the largest one `M`, and the base round trip `R` is below both. No exchange shows `R`. But
//! the delays of one direction rise and fall by `V = M - m`, and those of the other stand still. So there are
//! three hypotheses: the queue empties (`R = m`), it stands by CUBIC's law, or it stands by another one
//! (several flows, another congestion control). Let `b` be the density of base round trips of games. Let
//! buffers, and what stands in them, be as likely at each order of magnitude. Then the likelihoods are
//!
//! ```text
//!   empties:   b(m) / V
//!   by CUBIC:  normal(m / M - 0.7) / M  integral b(R) / (M - R) dR
//!   otherwise: 1 / V  integral b(R) / (m - R) / ln 6 dR,  V / 2 < m - R < 3 V
//! ```
//!
//! A queue that empties rests at its floor, and a route that changed at its new level. So the last two also
//! have the likelihood of how few delays are at either end. Where a queue is nearly certain, the estimate
//! moves to the middle of what `R` may be. What it may err by is in the variance either way.

use super::history::{Block, smaller};

/// Exchanges that are looked back to, and their least distance (s): 34 s at least, which is four
/// saw-teeth of one CUBIC flow at 5 Mbit/s.
const KEPT: usize = 40;
const APART: f32 = 0.85;

/// Nothing is said of fewer: by chance, the first few of 64 players on Wi-Fi look like a queue.
const LEAST: usize = 16;

/// Of a direction that rises and falls by less (s) only its own size is doubted. By less than the second,
/// CUBIC's smallest round trip is below 70 ms, and errs by 25 on a base of 20: no move is worth its risk.
const LEAST_SWING: f64 = 0.020;
const LEAST_MOVE: f64 = 0.030;

/// The smallest round trip over the largest one where one CUBIC flow stands (RFC 9438), and how far it is off
/// as recorded (one sigma).
const CUBIC: f64 = 0.7;
const CUBIC_SIGMA: f64 = 0.03;

/// A direction stands still if its mean excess is well below this share of the other one's.
const STILL: f64 = 0.1;

/// Where one direction is this unlikely to stand still, no queue in the other one is likely enough to count.
/// It varies by two thirds as much then. This decides most paths, and spares them the integral.
const MOVING: f64 = 1e-9;

/// Delays are at an end of their range within this share of it. Of a queue that stands, about this share is.
const END: f64 = 1.0 / 16.0;
const AT_ENDS: f64 = 0.15;

/// Base round trips of games are log-normal: their median (s), and the deviation of their logarithm.
const BASE: f64 = 0.045;
const BASE_SIGMA: f64 = 0.8;

/// Odds of a queue that stands before anybody looks: by CUBIC's law, and otherwise.
const BY_CUBIC: f64 = 0.1;
const OTHERWISE: f64 = 0.02;

/// What stands otherwise, in times of what rises and falls.
const STANDS: core::ops::Range<f64> = 0.5..3.0;

/// Probability that a shorter round trip that is known is still the base. A known one counts as shorter below
/// this share.
const KNOWN: f64 = 0.95;

/// Deviation of the logarithm of a base round trip from the one that is known.
const KNOWN_SIGMA: f64 = 0.1;

/// A queue this likely moves the estimate: moved wrongly, a good clock becomes a bad one. It stays moved
/// while a queue is likelier than none.
const MOVES: f64 = 0.8;
const STAYS: f64 = 0.5;

/// A queue less likely than this is none.
const UNLIKELY: f64 = 0.02;

/// A direction that varies by little while the other stands still may be beyond its floor by this share of
/// its mean excess (one sigma): there is always a packet of someone else on the wire.
const BEYOND: f64 = 0.1;

/// Base round trips that are tried.
const TRIED: u32 = 16;

/// The bounds of one exchange, in seconds from the anchor. Single precision is finer than a tick
/// for a day, as the offset moves slowly.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Seen {
    at: f32,
    upper: f32,
    lower: f32,
}

impl Seen {
    /// The delays up and down under `rate`, each beyond a constant.
    fn delays(&self, rate: f64) -> [f64; 2] {
        let slope = rate * f64::from(self.at);
        [f64::from(self.upper) - slope, slope - f64::from(self.lower)]
    }
}

/// The last exchanges of a path.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    seen: [Seen; KEPT],
    count: usize,
}

/// What a queue that may stand does to an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Queue {
    /// How far the middle of the bounds is expected beyond the offset (s).
    pub(super) beyond: f64,
    /// What that may be off by (s^2).
    pub(super) variance: f64,
    /// The smallest round trip is that of an empty path.
    pub(super) is_empty: bool,
}

/// How the delays of one direction vary (s).
#[derive(Clone, Copy, Debug)]
struct Swing {
    least: f64,
    most: f64,
    /// Beyond the least.
    mean: f64,
}

impl Queue {
    /// It is likely enough that the estimate is moved.
    pub(super) fn stands(&self) -> bool {
        self.beyond != 0.0
    }
}

impl Standing {
    pub(super) fn new() -> Self {
        Standing { seen: [Seen::default(); KEPT], count: 0 }
    }

    /// Takes in one exchange.
    pub(super) fn note(&mut self, block: &Block) {
        let (at, newest) = (block.lower.at as f32, self.count.wrapping_sub(1) % KEPT);
        if self.count == 0 || at - self.seen[newest].at >= APART {
            self.seen[self.count % KEPT] =
                Seen { at, upper: block.upper.value as f32, lower: block.lower.value as f32 };
            self.count += 1;
        }
    }

    /// What stands, after what stood `before`, if the smallest `round_trip` of the session is this under
    /// `rate`. `frames`: periods of the frames that hold messages up and down. `shortest`: a round trip of
    /// this path that is known from before (s).
    ///
    /// Exchanges that are not looked back to have shown how short the path is. With the smallest round trip
    /// of the others, a queue that began after the client would seem to stand: 25 ms of error as recorded.
    #[inline(never)]
    pub(super) fn judge(
        &self,
        before: Queue,
        rate: f64,
        round_trip: f64,
        frames: [f64; 2],
        shortest: Option<f64>,
    ) -> Queue {
        if self.count < LEAST || round_trip <= 0.0 {
            return Queue::default();
        }
        let swings = self.swings(rate);
        let (way, other) = if swings[0].mean > swings[1].mean { (0, 1) } else { (1, 0) };
        let (queue, frame) = (swings[way], frames[way]);
        let varies = swings[other].mean;
        // Delays that are all alike have no mean excess.
        let still = (-(varies / queue.mean.max(f64::MIN_POSITIVE) / STILL).powi(2) / 2.0).exp();
        if still < MOVING {
            return Queue { is_empty: true, ..Queue::default() };
        }
        let evident = still * self.rests(self.at_ends(rate, way, &queue));
        let range = queue.most - queue.least - frame;
        if range <= LEAST_SWING {
            let sigma = if frame > 0.0 { 0.0 } else { BEYOND * queue.mean };
            let variance = evident / (1.0 + evident) * sigma.powi(2);
            return Queue { beyond: 0.0, variance, is_empty: true };
        }
        let known = shortest.filter(|&shortest| shortest < KNOWN * round_trip);
        if shortest.is_some() && known.is_none() {
            return Queue { is_empty: true, ..Queue::default() };
        }
        let general = if known.is_some() { 1.0 - KNOWN } else { 1.0 };
        let (largest, step) = (round_trip + range, round_trip / f64::from(TRIED));
        let law = bell((round_trip / largest - CUBIC) / CUBIC_SIGMA) / CUBIC_SIGMA / largest;
        let tried = (0..TRIED).map(|i| (f64::from(i) + 0.5) * step);
        let tried = tried.map(|base| (base, general * density(base) * step));
        // The likelihoods that a queue stands, and the sums for mean and mean square of what stands.
        let (mut stands, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (base, weight) in tried.chain(known.map(|known| (known, KNOWN))) {
            let standing = round_trip - base;
            let is_possible = STANDS.contains(&(standing / range));
            let log_range = (STANDS.end / STANDS.start).ln();
            let otherwise = if is_possible { OTHERWISE / standing / log_range / range } else { 0.0 };
            let likelihood = weight * (BY_CUBIC * law / (largest - base) + otherwise);
            stands += likelihood;
            sum += likelihood * standing;
            squares += likelihood * standing.powi(2);
        }
        let odds = evident * stands / (general * density(round_trip) / range);
        let probability = odds / (1.0 + odds);
        if probability.is_nan() || probability < UNLIKELY {
            return Queue { is_empty: true, ..Queue::default() };
        }
        // Half of what stands is in the middle of the bounds.
        let (mean, square) = (sum / stands / 2.0, squares / stands / 4.0);
        let enough = if before.stands() { STAYS } else { MOVES };
        let moved = if probability > enough && range > LEAST_MOVE { mean } else { 0.0 };
        let variance = probability * (square - 2.0 * mean * moved) + moved.powi(2);
        debug_assert!(mean >= 0.0 && variance >= 0.0, "a queue delays: {mean} s, {variance} s^2");
        Queue { beyond: if way == 0 { moved } else { -moved }, variance, is_empty: false }
    }

    fn seen(&self) -> &[Seen] {
        &self.seen[..self.count.min(KEPT)]
    }

    /// How the delays up and down vary under `rate`.
    // Together, as no sum or minimum of one direction waits for those of the other.
    fn swings(&self, rate: f64) -> [Swing; 2] {
        let (mut least, mut most, mut sum) = ([f64::INFINITY; 2], [f64::INFINITY; 2], [0.0; 2]);
        for seen in self.seen() {
            for (way, delay) in seen.delays(rate).into_iter().enumerate() {
                (least[way], most[way]) = (smaller(delay, least[way]), smaller(-delay, most[way]));
                sum[way] += delay;
            }
        }
        let count = self.seen().len() as f64;
        core::array::from_fn(|way| Swing {
            least: least[way],
            most: -most[way],
            mean: sum[way] / count - least[way],
        })
    }

    /// Delays of one direction that are at an end of their range.
    fn at_ends(&self, rate: f64, way: usize, swing: &Swing) -> u32 {
        let end = END * (swing.most - swing.least);
        let is_at_end = |delay: f64| delay - swing.least < end || swing.most - delay < end;
        self.seen().iter().filter(|seen| is_at_end(seen.delays(rate)[way])).count() as u32
    }

    /// The likelihood of this many delays at the ends of their range if a queue stands, against any share of
    /// them being there: `(n + 1) binomial(k; n, p)`.
    fn rests(&self, at_ends: u32) -> f64 {
        let count = self.count.min(KEPT) as i32;
        let each = |i| f64::from(count - i as i32) / f64::from(i + 1) * AT_ENDS / (1.0 - AT_ENDS);
        (0..at_ends).map(each).product::<f64>() * f64::from(count + 1) * (1.0 - AT_ENDS).powi(count)
    }
}

/// The same if a round trip of this path is known (s).
pub(super) fn base_density(base: f64, known: Option<f64>) -> f64 {
    let of_known = |known: f64| bell((base / known).ln() / KNOWN_SIGMA) / KNOWN_SIGMA / base;
    known.map_or(density(base), |known| KNOWN * of_known(known) + (1.0 - KNOWN) * density(base))
}

/// Density of base round trips of games (per second).
fn density(base: f64) -> f64 {
    bell((base / BASE).ln() / BASE_SIGMA) / BASE_SIGMA / base
}

/// The normal law.
#[inline(never)]
fn bell(z: f64) -> f64 {
    (-z * z / 2.0).exp() / core::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests;
