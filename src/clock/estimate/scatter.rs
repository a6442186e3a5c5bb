//! Checks whether a session fits the model.
//!
//! The model assumes that each direction has a constant minimum delay and that the crystals have constant
//! rates. The tightest bounds of each stretch of the session should then be about as close to the envelopes
//! as the queueing scale predicts. Larger deviations mean that the path's delay keeps changing (satellite,
//! radio) or that its queue rarely empties. If a crystal wanders, the midpoints between the bounds deviate
//! from a straight line. Both effects increase the variance of the estimate. If the midpoints clearly follow
//! a curve, we know how far the estimate lags behind. The oldest blocks then had a different rate.

use core::ops::Range;

use super::evidence::Evidence;
use super::history::smaller;
use super::segments::YOUNG;
use super::{CLEARLY, ENOUGH, EVIDENT};

const STRETCHES: usize = 5;

/// We assume a rate change if the squared deviation from a straight line exceeds this many variances. With a
/// threshold of 9 instead of 11, errors on a path with stalls are 4 % larger for steady crystals.
const CHANGED: f64 = 11.0;

/// Largest deviation of a crystal from a line, divided by `t^2` (1/s). It corresponds to a rate change of 3
/// ppm per minute.
const FASTEST: f64 = 4.2e-9;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Unexplained {
    /// Variance of the offset (s^2).
    pub(crate) variance: f64,
    /// How far the true offset exceeds the estimate because the rate keeps changing (s).
    pub(crate) lag: f64,
    pub(crate) rate_changed: bool,
}

/// Compares the bounds with the model. If the current `route` has too few blocks, uses all blocks, because
/// frequent route changes leave no constant minimum delay. `changes` is true if the rate has already changed
/// in this session.
// Not inlined, because its arrays would otherwise occupy the stack during the whole fit.
#[inline(never)]
pub(crate) fn unexplained(
    upper: &Evidence<'_>,
    lower: &Evidence<'_>,
    route: Range<usize>,
    rate: f64,
    changes: bool,
    wander: f64,
) -> Unexplained {
    let of_one_route = route.len() >= ENOUGH;
    let (first, count) = if of_one_route { (route.start, route.len()) } else { (0, route.end) };
    let seconds = upper.seconds(first..first + count);
    if count < ENOUGH || seconds < YOUNG {
        return Unexplained::default();
    }
    let [mut up, mut down, mut middles, mut trips, mut noise] = [[0.0; STRETCHES]; 5];
    for stretch in 0..STRETCHES {
        let range = first + stretch * count / STRETCHES..first + (stretch + 1) * count / STRETCHES;
        up[stretch] = upper.envelope(range.clone(), rate);
        down[stretch] = lower.envelope(range.clone(), -rate);
        middles[stretch] = (up[stretch] - down[stretch]) / 2.0;
        trips[stretch] = (up[stretch] + down[stretch]) / 2.0;
        noise[stretch] = (upper.scale.powi(2) + lower.scale.powi(2)) / (2.0 * upper.exchanges(range)).powi(2);
    }
    let each = upper.exchanges(first..first + count) / STRETCHES as f64;
    let (scale_up, scale_down) = (upper.scale / each, lower.scale / each);
    let floors = beyond_queueing(&mut up, scale_up).hypot(beyond_queueing(&mut down, scale_down));
    let [parabola, cubic] = bends(&middles, &noise);
    let seen = parabola.seen + cubic.seen;
    let bend = |lag: f64| (parabola.at_the_end - lag).powi(2) + cubic.at_the_end.powi(2);
    // Most crystals wander by less than the queueing noise, so small deviations from a line count for little.
    let evidence = (1.0 - 1.0 / (1.0 + EVIDENT.powi(2))) / 2.0 * seen;
    let probability = 1.0 / (1.0 + 3.0 * (-evidence).exp());
    // After an earlier rate change, deviations within the noise count as well.
    let (lag, bent) = if changes {
        let lag = probability * parabola.lag(seconds, wander);
        (lag, bend(lag) + parabola.hidden + cubic.hidden)
    } else {
        // New bounds count more than old ones, so only a quarter of the deviation matters here.
        (0.0, probability * bend(0.0) / 4.0)
    };
    Unexplained {
        variance: (floors / 2.0).powi(2) + bent,
        lag,
        rate_changed: of_one_route
            && seen > CHANGED
            && bend(0.0).sqrt() < FASTEST * seconds.powi(2)
            // A queue or a route change would also affect the round trips, or would be less smooth than a
            // rate change.
            && CLEARLY * unrest(&trips, &noise) < seen
            && CLEARLY * quartic(&middles, &noise) < seen,
    }
}

/// Returns how far the median bound exceeds the tightest one, minus [`EVIDENT`] times the excess explained by
/// queueing with this `scale`.
fn beyond_queueing(tightest: &mut [f64; STRETCHES], scale: f64) -> f64 {
    tightest.sort_unstable_by(f64::total_cmp);
    let middle = tightest.len() / 2;
    // The expected distance between two order statistics of an exponential distribution.
    let expected: f64 = (1..=middle).map(|i| scale / (tightest.len() - i) as f64).sum();
    (tightest[middle] - tightest[0] - EVIDENT * expected).max(0.0)
}

/// Returns the squared quartic component of a series (in variances). It is zero for polynomials of a lower
/// degree.
fn quartic(series: &[f64; STRETCHES], noise: &[f64; STRETCHES]) -> f64 {
    const QUARTIC: [f64; STRETCHES] = [1.0, -4.0, 6.0, -4.0, 1.0];
    let sum: f64 = QUARTIC.iter().zip(series).map(|(shape, value)| shape * value).sum();
    sum.powi(2) / QUARTIC.iter().zip(noise).map(|(shape, noise)| shape * shape * noise).sum::<f64>()
}

/// Returns the normalised sum of squares of a series, minus its expected value for this `noise` (variances).
fn unrest(series: &[f64; STRETCHES], noise: &[f64; STRETCHES]) -> f64 {
    let mean = series.iter().sum::<f64>() / STRETCHES as f64;
    let squares = series.iter().zip(noise).map(|(value, noise)| (value - mean).powi(2) / noise).sum::<f64>();
    squares - (STRETCHES - 1) as f64
}

/// One component of a series' deviation from a straight line.
#[derive(Clone, Copy, Debug, Default)]
struct Bend {
    values: [f64; STRETCHES],
    /// The value at the end of the last stretch (s), and the variance of that value due to noise (s^2).
    at_the_end: f64,
    hidden: f64,
    /// The square of this component, in variances.
    seen: f64,
}

impl Bend {
    /// Returns how far the last value of a series of this many `seconds` is above the midpoint of the
    /// envelopes. Bounds are loosened by `wander` times their age.
    fn lag(&self, seconds: f64, wander: f64) -> f64 {
        let (mut upper, mut lower) = (self.at_the_end, self.at_the_end);
        for (stretch, value) in self.values.iter().enumerate() {
            let age = seconds * (1.0 - (stretch as f64 + 0.5) / STRETCHES as f64);
            upper = smaller(upper, value + wander * age);
            lower = -smaller(-lower, wander * age - value);
        }
        self.at_the_end - (upper + lower) / 2.0
    }
}

/// Returns the quadratic and the cubic component of a series with this `noise` (variances).
fn bends(series: &[f64; STRETCHES], noise: &[f64; STRETCHES]) -> [Bend; 2] {
    // The orthogonal polynomials for five values. Each entry contains the polynomial, the sum of its squares,
    // and its value at the end of the last stretch.
    const BENDS: [([f64; STRETCHES], f64, f64); 2] =
        [([2.0, -1.0, -2.0, -1.0, 2.0], 14.0, 4.25), ([-1.0, 2.0, 0.0, -2.0, 1.0], 10.0, 5.9375)];
    BENDS.map(|(shape, squares, end)| {
        let amplitude = shape.iter().zip(series).map(|(shape, value)| shape * value).sum::<f64>() / squares;
        let variance = shape.iter().zip(noise).map(|(shape, noise)| shape * shape * noise).sum::<f64>()
            / squares.powi(2);
        Bend {
            values: shape.map(|shape| amplitude * shape),
            at_the_end: amplitude * end,
            hidden: variance * end.powi(2),
            seen: amplitude.powi(2) / variance,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::WANDER;
    use super::super::history::{Block, Point};
    use super::super::segments::Segments;
    use super::*;

    fn deviation_ms(delay: impl Fn(usize) -> [f64; 2]) -> f64 {
        judged(delay).variance.sqrt() * 1e3
    }

    /// Simulates 48 blocks, 10 s apart, with the delays `delay(i)` in each direction (ms).
    fn judged(delay: impl Fn(usize) -> [f64; 2]) -> Unexplained {
        let point = |i: usize, ms: f64| Point { at: 10.0 * i as f64, value: ms / 1e3 };
        let blocks: Vec<Block> = (0..48)
            .map(|i| {
                let [up, down] = delay(i);
                Block::new(point(i, up), point(i, -down))
            })
            .collect();
        let segments = Segments::divide(&blocks, 0.0);
        let (mut upper, mut lower) = (Evidence::none(&segments), Evidence::none(&segments));
        upper.take_upper(&blocks);
        lower.take_lower(&blocks);
        upper.measure_scale(0.0);
        lower.measure_scale(0.0);
        unexplained(&upper, &lower, segments.newest(), 0.0, false, WANDER)
    }

    /// Returns one of 49 quantiles of exponential queueing with a mean of 1 ms, in a shuffled order.
    fn queue(i: usize, factor: usize) -> f64 {
        -(((i * factor) % 49) as f64 / 49.0 + 0.01).ln()
    }

    #[test]
    fn queueing_over_a_floor_is_explained() {
        let found = deviation_ms(|i| [25.0 + queue(i, 17), 25.0 + queue(i, 30)]);
        assert!(found < 0.05, "{found} ms");
    }

    #[test]
    fn changing_levels_are_not_explained() {
        let level = |i: usize, factor: usize| ((i / 6 * factor) % 8) as f64;
        let found = deviation_ms(|i| [25.0 + queue(i, 17) + level(i, 3), 25.0 + queue(i, 30) + level(i, 5)]);
        assert!((0.5..4.0).contains(&found), "{found} ms");
    }

    #[test]
    fn a_bend_shows_a_changed_rate_unless_round_trips_change() {
        let bend = |i: usize| 3e-6 * (10.0 * i as f64 - 240.0).powi(2);
        let changed = |delay: &dyn Fn(usize) -> [f64; 2]| judged(delay).rate_changed;
        let queues = |i: usize| [25.0 + 0.2 * queue(i, 17), 25.0 + 0.2 * queue(i, 30)];
        assert!(!changed(&|i| queues(i)));
        assert!(changed(&|i| [queues(i)[0] + bend(i), queues(i)[1] - bend(i)]));
        assert!(!changed(&|i| [queues(i)[0] + 2.0 * bend(i), queues(i)[1]]), "a queue up");
    }

    #[test]
    fn a_wandering_crystal_is_not_explained() {
        let wander = |i: usize| 0.5 * (i as f64 / 48.0 * core::f64::consts::TAU).sin();
        let found =
            deviation_ms(|i| [25.0 + 0.2 * queue(i, 17) + wander(i), 25.0 + 0.2 * queue(i, 30) - wander(i)]);
        assert!((0.3..2.0).contains(&found), "{found} ms");
    }
}
