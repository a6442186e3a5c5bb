//! The likelihood of one direction's base: the offset and the smallest delay.
//!
//! A message arrived after `lo` and up to `hi`. Queueing beyond the base `B` is exponential with a scale `s`.
//! Then the likelihood of `B` along a candidate rate is
//!
//! ```text
//!   product over messages of  F((hi - B) / s) - F((lo - B) / s),     F(x) = 1 - exp(-x) for x > 0, else 0
//! ```
//!
//! `B` is at most the smallest `hi`. A message with `lo > B` met a queue, which costs `(lo - B) / s` in the
//! logarithm. One with `lo < B` and `hi` far beyond carries no information. A small fraction of the messages
//! meets queues of another scale. Apart from these, the logarithm is concave in `B`, so it has one maximum.
//! It is weighed on a grid with equal ratios of distances to the smallest `hi`, and again on an even grid
//! where it matters.

use super::history::smaller;

/// Bases of one grid.
const BASES: usize = 16;

/// Fraction of messages that meet queues of another scale, and that scale (s).
const OUTLIERS: f64 = 0.03;
const LONG_QUEUE: f64 = 0.050;

/// Number of scales of queueing, the smallest one (s), and the ratio of each to the one before.
pub(super) const SCALES: usize = 6;
const FINEST_SCALE: f64 = 0.2e-3;
const STEP: f64 = 2.5;

/// The usual scale (s), and the deviation of its logarithm.
const USUAL: f64 = 2e-3;
const USUAL_SIGMA: f64 = 1.5;

/// Deviation of the logarithm of one direction's scale from that of the other.
const LIKE: f64 = 0.5;

/// A logarithm this much below the largest one is negligible.
const NEGLIGIBLE: f64 = 9.0;

/// Nothing is known about a queue this many scales from the base.
const FAR: f64 = 9.0;

/// Number of factors whose product can never become too small, and the smallest factor. Messages that are
/// years late would have smaller ones.
const FACTORS: usize = 24;
const LEAST_FACTOR: f64 = 1e-12;

/// One number per base of a grid.
type Lanes = [f64; BASES];

/// The base of one direction under one rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Base {
    /// Mean, and variance (s, s^2).
    pub(super) value: f64,
    pub(super) variance: f64,
    /// Logarithm of the likelihood of the rate.
    pub(super) likelihood: f64,
}

/// The likelihood, as a logarithm, that queueing up and down has these scales (by number): they are mostly
/// similar.
pub(super) fn likeness(forward: usize, reverse: usize) -> f64 {
    let apart = forward.abs_diff(reverse) as f64 * STEP.ln() / LIKE;
    -1.5 * (apart * apart / 2.0).ln_1p()
}

/// A scale by its number (s).
fn scale(number: usize) -> f64 {
    FINEST_SCALE * STEP.powi(number as i32)
}

impl Base {
    /// Weighs bases by `points`, the latest and the earliest arrival of each message, for each scale that is
    /// `tried`. The largest possible base is zero; `longest` is the longest wait.
    pub(super) fn weigh(points: &[[f64; 2]], longest: f64, tried: &[bool; SCALES]) -> [Self; SCALES] {
        core::array::from_fn(|number| {
            if !tried[number] {
                return Base { likelihood: f64::NEG_INFINITY, ..Base::default() };
            }
            let base = Base::with_scale(points, longest, scale(number));
            let unusual = (scale(number) / USUAL).ln() / USUAL_SIGMA;
            Base { likelihood: base.likelihood - unusual.powi(2) / 2.0, ..base }
        })
    }

    /// Several hypotheses, weighed by their likelihoods.
    fn mean(bases: impl Iterator<Item = Base> + Clone) -> Self {
        let best = largest(bases.clone().map(|base| base.likelihood));
        let [mut total, mut mean, mut square] = [0.0; 3];
        for base in bases {
            let weight = (base.likelihood - best).exp();
            total += weight;
            mean += weight * base.value;
            square += weight * (base.value.powi(2) + base.variance);
        }
        let (value, square) = (mean / total, square / total);
        Base { value, variance: (square - value * value).max(0.0), likelihood: best + total.ln() }
    }

    fn with_scale(points: &[[f64; 2]], longest: f64, scale: f64) -> Self {
        let (least, most) = (0.02 * scale / points.len() as f64, longest + 4.0 * scale);
        let ratio = (most / least).powf(1.0 / (BASES - 1) as f64);
        let mut gap = least / ratio;
        let coarse: Lanes = core::array::from_fn(|_| {
            gap *= ratio;
            gap
        });
        let logs = logarithms(points, &coarse, scale);
        let best = largest(logs.iter().copied());
        let counts = |log: &f64| *log > best - NEGLIGIBLE;
        let first = logs.iter().position(counts).unwrap_or(0);
        let last = logs.iter().rposition(counts).unwrap_or(BASES - 1);
        let from = if first == 0 { 0.0 } else { coarse[first - 1] };
        let width = (coarse[(last + 1).min(BASES - 1)] - from) / BASES as f64;
        let fine: Lanes = core::array::from_fn(|k| from + width * (k as f64 + 0.5));
        let logs = logarithms(points, &fine, scale);
        let part = |k: usize| Base { value: -fine[k], variance: width * width / 12.0, likelihood: logs[k] };
        let mean = Self::mean((0..BASES).map(part));
        Base { likelihood: mean.likelihood + width.ln(), ..mean }
    }
}

fn largest(logarithms: impl Iterator<Item = f64>) -> f64 {
    -logarithms.map(|logarithm| -logarithm).fold(f64::INFINITY, smaller)
}

/// Logarithms of the likelihoods of bases at these distances below zero.
fn logarithms(points: &[[f64; 2]], gaps: &Lanes, scale: f64) -> Lanes {
    let shares = gaps.map(|gap| (-gap / scale).exp());
    let (mut sums, mut products, mut factors) = ([0.0; BASES], [1.0; BASES], 0);
    for &[high, low] in points {
        if high > FAR * scale && low < -gaps[BASES - 1] {
            continue;
        }
        let (width, late) = (high - low, -smaller(-low, 0.0));
        let other = OUTLIERS * width * LONG_QUEUE / ((width + LONG_QUEUE) * (late + LONG_QUEUE));
        let other = -smaller(-other, -LEAST_FACTOR);
        // exp(-(hi - B) / s) and exp(-(lo - B) / s), each without the factor of the base.
        let after = (1.0 - OUTLIERS) * (-high / scale).exp();
        let before = (1.0 - OUTLIERS) * (-low / scale).min(30.0).exp();
        for k in 0..BASES {
            products[k] *= smaller(before * shares[k], 1.0 - OUTLIERS) - after * shares[k] + other;
        }
        factors += 1;
        if factors == FACTORS {
            for k in 0..BASES {
                sums[k] += products[k].ln();
            }
            (products, factors) = ([1.0; BASES], 0);
        }
    }
    core::array::from_fn(|k| sums[k] + products[k].ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [bool; SCALES] = [true; SCALES];

    /// Messages that arrive `queue(i)` after a base of zero and are found at most `wait` later, by polls of
    /// this period and phase (ms). Returned as points below the smallest bound, with that bound.
    fn points(period: f64, count: u32, phase: impl Fn(f64) -> f64) -> (Vec<[f64; 2]>, f64) {
        let found = (0..count).map(|i| {
            let share = f64::from(i * 37 % 101) / 101.0 + 0.003;
            let arrival = -2e-3 * share.ln();
            let phase = phase(f64::from(i));
            let high = ((arrival - phase) / period).ceil() * period + phase;
            [high, high - period]
        });
        let mut points: Vec<_> = found.collect();
        let top = -largest(points.iter().map(|point| -point[0]));
        points.iter_mut().for_each(|point| *point = point.map(|value| value - top));
        (points, top)
    }

    fn error(points: &[[f64; 2]], top: f64, longest: f64) -> (f64, f64) {
        let base = Base::mean(Base::weigh(points, longest, &ALL).into_iter());
        ((base.value + top) * 1e3, base.variance.sqrt() * 1e3)
    }

    #[test]
    fn exact_arrivals_show_their_floor() {
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
    fn polls_at_one_phase_leave_it_in_doubt() {
        let period = 1.0 / 60.0;
        for phase in [0.002, 0.008, 0.014] {
            let (points, top) = points(period, 100, |_| phase);
            let (error, sigma) = error(&points, top, period);
            assert!(error.abs() < 3.0 * sigma && sigma > 0.3, "{error} +- {sigma} ms at {phase} s");
        }
    }

    #[test]
    fn messages_that_are_years_late_are_unlikely_and_not_impossible() {
        let late: Vec<[f64; 2]> = (0..100).map(|i| [f64::from(i) * 1e6, f64::from(i) * 1e6 - 1e-7]).collect();
        for base in Base::weigh(&late, 1e-7, &ALL) {
            assert!(base.likelihood.is_finite() && base.value.is_finite(), "{base:?}");
        }
    }

    #[test]
    fn a_hitch_says_nothing() {
        let period = 1.0 / 60.0;
        let (mut points, top) = points(period, 100, |i| i * 0.618 % 1.0 * period);
        let before = error(&points, top, period);
        points.extend([[0.4, -0.1], [0.3, -0.2]]);
        let after = error(&points, top, period);
        assert!((before.0 - after.0).abs() < 0.1 * before.1, "{before:?} {after:?}");
    }
}
