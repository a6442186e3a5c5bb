//! Computes the likelihood of one direction's base, the bound that a message without queueing delay would
//! give. The base equals the offset plus the minimum delay.
//!
//! Each message arrived after `lo` and no later than `hi`. If queueing delays beyond the base `B` are
//! exponential with a scale `s`, the likelihood of `B` at a candidate rate is
//!
//! ```text
//!   product over messages of  F((hi - B) / s) - F((lo - B) / s),     F(x) = 1 - exp(-x) for x > 0, else 0
//! ```
//!
//! Since no message can arrive before `B`, the smallest `hi` is the largest possible `B`. A message with
//! `lo > B` waited in a queue. This lowers the log-likelihood by `(lo - B) / s`. If `lo < B` and `hi` is much
//! later than `B`, a message carries no information. We assume that a small fraction of the messages waits in
//! longer queues. Apart from these outliers, the log-likelihood is concave in `B`, so it has one maximum. A
//! coarse grid with geometric spacing finds the relevant range below the smallest `hi`. An evenly spaced grid
//! then covers that range.

use core::f64::consts::LN_2;

use super::POINTS;
use super::asymmetry::NOTICEABLE;
use super::history::smaller;

/// We assume that this fraction of the messages waits in a queue with a scale of [`LONG_QUEUE`] (s).
const OUTLIERS: f64 = 0.03;
const LONG_QUEUE: f64 = 0.050;

/// Number of queueing scales to try. Each scale is twice the previous one, and the second is [`NOTICEABLE`].
/// If the steps were larger, we might miss the true scale and underestimate the variance of the result.
pub(super) const SCALES: usize = 7;

/// Standard deviation of the log ratio of the two directions' queueing scales. From path to path, the
/// logarithm of the scale itself varies three times as much.
const LIKE: f64 = 0.5;

/// Log-likelihoods this far below the largest are negligible. Few queueing delays exceed the scale by this
/// factor.
pub(super) const NEGLIGIBLE: f64 = 9.0;

type Lanes = [f64; POINTS];

/// The interval (s) in which a message arrived, relative to the largest possible `B`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrival {
    pub(super) latest: f64,
    earliest: f64,
    other: f64,
    /// `exp(-latest / s)` and `exp(-earliest / s)`, for the current scale.
    after: f64,
    before: f64,
}

impl Arrival {
    pub(super) fn new(latest: f64, earliest: f64) -> Self {
        let (width, late) = (latest - earliest, -smaller(-earliest, 0.0));
        let other = OUTLIERS * width * LONG_QUEUE / ((width + LONG_QUEUE) * (late + LONG_QUEUE));
        // The lower limit keeps the product of all factors positive, even if a message is years late.
        Arrival { latest, earliest, other: -smaller(-other, -f64::EPSILON), after: 0.0, before: 0.0 }
    }

    fn scale(&mut self, scale: f64) {
        let per_scale = -1.0 / scale;
        [self.after, self.before] = exp([self.latest * per_scale, self.earliest * per_scale]);
    }

    /// Halves the scale by squaring, which is faster than recomputing the exponentials.
    fn halve_scale(&mut self) {
        // The result is capped at the largest value of `exp`, because infinity times a negligible share would
        // be infinite.
        const LARGEST: f64 = 1e304;
        [self.after, self.before] = [self.after, self.before].map(|x| smaller(x * x, LARGEST));
    }
}

/// Computes `exp` of each number with a relative error below 1e-11. Inputs are clamped to -700..=700. The
/// result is `2^k` times the Taylor series of `x - k ln 2`, where `k` is `x / ln 2`, rounded. Each step
/// processes all numbers, so that the compiler can vectorise the loop. The standard library's function takes
/// three times as long.
#[inline(always)]
pub(super) fn exp<const N: usize>(mut numbers: [f64; N]) -> [f64; N] {
    const LARGEST_EXPONENT: f64 = 700.0;
    // Adding this to a number leaves the nearest integer in the lowest bits.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    // We split ln 2 into two parts, so that `k` times the first part is exact.
    const PARTS: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    // The coefficients of the Taylor series, beginning with 1 / 9!.
    const SERIES: [f64; 10] = [
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    for x in &mut numbers {
        let limited = smaller(-smaller(-*x, LARGEST_EXPONENT), LARGEST_EXPONENT);
        let shifted = limited * core::f64::consts::LOG2_E + ROUNDING;
        let k = shifted - ROUNDING;
        let r = (limited - k * PARTS[0]) - k * PARTS[1];
        let [a, b, c, d, e, f, g, h, i, j] = SERIES;
        let series =
            ((((((((a * r + b) * r + c) * r + d) * r + e) * r + f) * r + g) * r + h) * r + i) * r + j;
        *x = f64::from_bits((shifted.to_bits() << 52).wrapping_add(series.to_bits()));
    }
    numbers
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Base {
    pub(super) value: f64,
    pub(super) variance: f64,
    pub(super) likelihood: f64,
}

/// Returns the log-likelihood that the two directions' queueing scales differ by a factor of 2^`steps`.
pub(super) fn likeness(steps: usize) -> f64 {
    let apart = steps as f64 * LN_2 / LIKE;
    -1.5 * (apart * apart / 2.0).ln_1p()
}

fn scale(number: usize) -> f64 {
    NOTICEABLE * 2.0_f64.powi(number as i32 - 1)
}

impl Base {
    /// Returns the [`Base`] for each `tried` scale, relative to the largest possible `B`. `longest` is the
    /// longest wait (s). The search starts with the `ranges` found at a similar rate, and updates them.
    pub(super) fn weigh(
        arrivals: &mut [Arrival],
        longest: f64,
        tried: &[bool; SCALES],
        ranges: &mut [Range; SCALES],
    ) -> [Self; SCALES] {
        let mut bases = [Base { likelihood: f64::NEG_INFINITY, ..Base::default() }; SCALES];
        let is_tried = |&is_tried: &bool| is_tried;
        let Some(smallest) = tried.iter().position(is_tried) else { return bases };
        let largest = tried.iter().rposition(is_tried).unwrap_or(smallest);
        arrivals.iter_mut().for_each(|arrival| arrival.scale(scale(largest)));
        for number in (smallest..=largest).rev() {
            if number < largest {
                arrivals.iter_mut().for_each(Arrival::halve_scale);
            }
            if tried[number] {
                let base = Base::with_scale(arrivals, longest, scale(number), &mut ranges[number]);
                // Queueing scales near the middle of the range are the most common ones.
                let unusual = (number as f64 - (SCALES - 1) as f64 / 2.0) * LN_2 / (3.0 * LIKE);
                bases[number] = Base { likelihood: base.likelihood - unusual.powi(2) / 2.0, ..base };
            }
        }
        bases
    }

    fn mean<const N: usize>(bases: &[Base; N]) -> Self {
        let best = largest(bases.iter().map(|base| base.likelihood));
        let weights = exp(core::array::from_fn::<_, N, _>(|k| bases[k].likelihood - best));
        let [mut total, mut mean, mut square] = [0.0; 3];
        for (base, weight) in bases.iter().zip(weights) {
            total += weight;
            mean += weight * base.value;
            square += weight * (base.value.powi(2) + base.variance);
        }
        let (value, square) = (mean / total, square / total);
        Base { value, variance: (square - value * value).max(0.0), likelihood: best + total.ln() }
    }

    fn with_scale(arrivals: &[Arrival], longest: f64, scale: f64, range: &mut Range) -> Self {
        let mut bases = range.bases();
        let known = (range.width > 0.0).then(|| logarithms(arrivals, &bases, scale));
        let logs = known.filter(|logs| range.fits(logs)).unwrap_or_else(|| {
            *range = Range::find(arrivals, longest, scale);
            bases = range.bases();
            logarithms(arrivals, &bases, scale)
        });
        let variance = range.width.powi(2) / 12.0;
        let part = |k: usize| Base { value: -bases[k], variance, likelihood: logs[k] };
        let mean = Self::mean(&core::array::from_fn::<_, POINTS, _>(part));
        Base { likelihood: mean.likelihood + range.width.ln(), ..mean }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    from: f64,
    /// The distance between grid points, or zero if the range is unknown.
    width: f64,
}

impl Range {
    fn bases(&self) -> Lanes {
        core::array::from_fn(|k| self.from + self.width * (k as f64 + 0.5))
    }

    /// Returns whether the grid covers all likely values, but at most three times their range.
    fn fits(&self, logs: &Lanes) -> bool {
        let (first, last) = that_count(logs);
        let begins = first > 0 || self.from == 0.0;
        begins && last < POINTS - 1 && 3 * (last - first) >= POINTS - 1
    }

    #[inline(never)]
    fn find(arrivals: &[Arrival], longest: f64, scale: f64) -> Self {
        let (least, most) = (0.02 * scale / arrivals.len() as f64, longest + 4.0 * scale);
        let ratio = (most / least).powf(1.0 / (POINTS - 1) as f64);
        let mut gap = least / ratio;
        let coarse: Lanes = core::array::from_fn(|_| {
            gap *= ratio;
            gap
        });
        let (first, last) = that_count(&logarithms(arrivals, &coarse, scale));
        let from = if first == 0 { 0.0 } else { coarse[first - 1] };
        Range { from, width: (coarse[(last + 1).min(POINTS - 1)] - from) / POINTS as f64 }
    }
}

/// Returns the indices of the first and the last value that is not negligible.
fn that_count(logs: &Lanes) -> (usize, usize) {
    let best = largest(logs.iter().copied());
    let counts = |log: &f64| *log > best - NEGLIGIBLE;
    (logs.iter().position(counts).unwrap_or(0), logs.iter().rposition(counts).unwrap_or(POINTS - 1))
}

fn largest(logarithms: impl Iterator<Item = f64>) -> f64 {
    -logarithms.map(|logarithm| -logarithm).fold(f64::INFINITY, smaller)
}

/// Returns the log-likelihood of `B = -gap` for each of the ascending `gaps`.
fn logarithms(arrivals: &[Arrival], gaps: &Lanes, scale: f64) -> Lanes {
    let per_scale = -1.0 / scale;
    let shares = exp(core::array::from_fn::<_, POINTS, _>(|k| gaps[k] * per_scale));
    let shares = shares.map(|share| (1.0 - OUTLIERS) * share);
    let (nearest, farthest) = (-gaps[0], -gaps[POINTS - 1]);
    // A plain product would underflow, so each product is stored as a mantissa and a power of two.
    let (mut numbers, mut powers) = ([1.0; POINTS], [0.0; POINTS]);
    for some in arrivals.chunks(POINTS) {
        for &Arrival { latest, earliest, other, after, before } in some {
            if earliest < farthest {
                // This message may have arrived before the whole grid.
                if latest <= NEGLIGIBLE * scale {
                    let certain = other + (1.0 - OUTLIERS);
                    multiply(&mut numbers, |k| certain - after * shares[k]);
                }
            } else if earliest >= nearest {
                let within = before - after;
                multiply(&mut numbers, |k| other + within * shares[k]);
            } else {
                let before = |k: usize| smaller(before * shares[k], 1.0 - OUTLIERS);
                multiply(&mut numbers, |k| other + before(k) - after * shares[k]);
            }
        }
        for (number, power) in numbers.iter_mut().zip(&mut powers) {
            let bits = number.to_bits();
            *power += f64::from((bits >> 52) as i32 - 1023);
            *number = f64::from_bits(bits & (u64::MAX >> 12) | 1.0_f64.to_bits());
        }
    }
    core::array::from_fn(|k| numbers[k].ln() + powers[k] * LN_2)
}

#[inline(always)]
fn multiply(numbers: &mut Lanes, factor: impl Fn(usize) -> f64) {
    for (k, number) in numbers.iter_mut().enumerate() {
        *number *= factor(k);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;

    const ALL: [bool; SCALES] = [true; SCALES];

    /// Returns the simulated arrivals' intervals relative to their smallest upper bound, and that bound (s).
    fn points(period: f64, count: u32, phase: impl Fn(f64) -> f64) -> (Vec<[f64; 2]>, f64) {
        let found = (0..count).map(|i| {
            let share = f64::from(i * 37 % 101) / 101.0 + 0.003;
            let arrival = -2e-3 * share.ln();
            let phase = phase(f64::from(i));
            let high = ((arrival - phase) / period).ceil() * period + phase;
            [high, high - period]
        });
        below_the_smallest(found)
    }

    fn below_the_smallest(found: impl Iterator<Item = [f64; 2]>) -> (Vec<[f64; 2]>, f64) {
        let mut points: Vec<_> = found.collect();
        let top = -largest(points.iter().map(|point| -point[0]));
        points.iter_mut().for_each(|point| *point = point.map(|value| value - top));
        (points, top)
    }

    fn arrivals(points: &[[f64; 2]]) -> Vec<Arrival> {
        points.iter().map(|point| Arrival::new(point[0], point[1])).collect()
    }

    fn error(points: &[[f64; 2]], top: f64, longest: f64) -> (f64, f64) {
        let base = Base::mean(&Base::weigh(&mut arrivals(points), longest, &ALL, &mut Default::default()));
        ((base.value + top) * 1e3, base.variance.sqrt() * 1e3)
    }

    #[test]
    fn exact_arrivals_show_the_base() {
        let (points, top) = points(20e-6, 60, |_| 0.0);
        let (error, sigma) = error(&points, top, 20e-6);
        assert!(error.abs() < 0.1 && (0.01..0.1).contains(&sigma), "{error} +- {sigma} ms");
    }

    #[test]
    fn polls_at_all_phases_show_the_base_within_a_part_of_a_frame() {
        let period = 1.0 / 60.0;
        let (points, top) = points(period, 100, |i| i * 0.618 % 1.0 * period);
        let (error, sigma) = error(&points, top, period);
        assert!(error.abs() < 1.0 && (0.05..1.0).contains(&sigma), "{error} +- {sigma} ms");
    }

    #[test]
    fn polls_at_one_phase_leave_the_base_uncertain() {
        let period = 1.0 / 60.0;
        for phase in [0.002, 0.008, 0.014] {
            let (points, top) = points(period, 100, |_| phase);
            let (error, sigma) = error(&points, top, period);
            assert!(error.abs() < 3.0 * sigma && sigma > 0.3, "{error} +- {sigma} ms at {phase} s");
        }
    }

    #[test]
    fn messages_that_are_years_late_are_unlikely_but_possible() {
        let late: Vec<[f64; 2]> = (0..100).map(|i| [f64::from(i) * 1e6, f64::from(i) * 1e6 - 1e-7]).collect();
        for base in Base::weigh(&mut arrivals(&late), 1e-7, &ALL, &mut Default::default()) {
            assert!(base.likelihood.is_finite() && base.value.is_finite(), "{base:?}");
        }
    }

    #[test]
    fn a_hitch_reveals_nothing() {
        let period = 1.0 / 60.0;
        let (mut points, top) = points(period, 100, |i| i * 0.618 % 1.0 * period);
        let before = error(&points, top, period);
        points.extend([[0.4, -0.1], [0.3, -0.2]]);
        let after = error(&points, top, period);
        assert!((before.0 - after.0).abs() < 0.1 * before.1, "{before:?} {after:?}");
    }

    #[test]
    fn scales_between_the_tried_ones_do_not_make_the_base_overconfident() {
        const DRAWS: u64 = 100;
        const MESSAGES: u32 = 200;
        let period = 1.0 / 60.0;
        for scale in (0..8).map(|quarter| 2e-3 * (f64::from(quarter) / 4.0).exp2()) {
            // The phases of the two loops drift apart by a quarter of a frame.
            let is_honest = |draw: &u64| {
                let mut random = Random(*draw);
                let first = random.share();
                let (points, top) = below_the_smallest((0..MESSAGES).map(|i| {
                    let phase = (first + f64::from(i) / f64::from(4 * MESSAGES)) * period;
                    let high = ((random.exponential(scale) - phase) / period).ceil() * period + phase;
                    [high, high - period]
                }));
                let (error, sigma) = error(&points, top, period);
                error.abs() < 3.0 * sigma
            };
            let honest = (0..DRAWS).filter(is_honest).count();
            assert!(honest >= 88, "{honest} of {DRAWS} draws at a scale of {scale} s");
        }
    }
}
