//! What the blocks say about a candidate rate.
//!
//! Both directions are turned so that smaller is tighter: lower bounds are negated, with the rate. Under a
//! candidate rate each point has an intercept. The smallest is the envelope, and the distance of the others
//! to it is the queueing that their messages met.

use core::ops::Range;

use super::history::{Block, CAPACITY, median, smaller};
use super::segments::Segments;

/// Cost of a segment with its own envelope. This many scales of gaps are more of a coincidence than a change
/// of route that ends where another began.
const OTHER_ROUTE: f64 = 4.0;

/// Points next to the tightest from which its distance to the floor is judged.
pub(crate) const NEIGHBOURS: usize = 7;

/// A lag is the mean of seven distances. In 1 of 100 cases it is less than a third of what is expected, so
/// doubt takes it three times.
const DOUBT_OF_LAG: f64 = 3.0;

/// Evidence that always counts, however alike all points are.
const LEAST_SHARE: f64 = 0.01;

/// Smallest scale of queueing (s). Anything finer is timer noise, and a zero scale would be infinitely sure.
const FINEST_SCALE: f64 = 20e-6;

/// Rates that are computed together. Each point is then loaded once for all of them, and their sums and
/// minima do not wait for one another.
pub(crate) const LANES: usize = 8;

/// One number per rate.
pub(crate) type Lanes = [f64; LANES];

/// The bounds of one direction, one per block, in order of time.
pub(crate) struct Evidence<'a> {
    at: [f64; CAPACITY],
    value: [f64; CAPACITY],
    blocks: &'a [Block],
    count: usize,
    /// Over all points.
    sums: Sums,
    segments: &'a Segments,
    /// Scale of the queueing (s), which costs are counted in.
    pub(crate) scale: f64,
    /// Share of the points that counts as independent.
    pub(crate) share: f64,
}

/// Sums over some points, each as often as it has exchanges.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    value: f64,
    at: f64,
    exchanges: f64,
}

/// The tightest point under a rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tightest {
    /// Its intercept, loosened by the wander that its age allows for (s).
    pub(crate) intercept: f64,
    /// When it was taken (s).
    pub(crate) at: f64,
}

impl<'a> Evidence<'a> {
    /// None yet, of blocks that are divided into these segments.
    pub(crate) fn none(segments: &'a Segments) -> Self {
        Evidence {
            at: [0.0; CAPACITY],
            value: [0.0; CAPACITY],
            blocks: &[],
            count: 0,
            sums: Sums::default(),
            segments,
            scale: FINEST_SCALE,
            share: 1.0,
        }
    }

    // Filled where they are: a kilobyte that is returned is on the stack twice.

    /// Takes the upper bounds of `blocks`.
    pub(crate) fn take_upper(&mut self, blocks: &'a [Block]) {
        self.take(blocks, |block| (block.upper.at, block.upper.value));
    }

    /// Takes the lower bounds of `blocks`, turned upside down: give rates negated.
    pub(crate) fn take_lower(&mut self, blocks: &'a [Block]) {
        self.take(blocks, |block| (block.lower.at, -block.lower.value));
    }

    fn take(&mut self, blocks: &'a [Block], point: impl Fn(&Block) -> (f64, f64)) {
        (self.blocks, self.count) = (blocks, blocks.len());
        for (i, block) in blocks.iter().enumerate() {
            (self.at[i], self.value[i]) = point(block);
        }
        self.sums = self.sums(0..self.count);
    }

    fn sums(&self, range: Range<usize>) -> Sums {
        let mut sums = Sums::default();
        let points = self.at[range.clone()].iter().zip(&self.value[range.clone()]);
        for ((at, value), block) in points.zip(&self.blocks[range]) {
            let count = f64::from(block.count);
            sums.value += count * value;
            sums.at += count * at;
            sums.exchanges += count;
        }
        sums
    }

    /// The smallest intercept of some points under `rate`.
    pub(crate) fn envelope(&self, range: Range<usize>, rate: f64) -> f64 {
        let points = self.at[range.clone()].iter().zip(&self.value[range]);
        points.map(|(at, value)| value - rate * at).fold(f64::INFINITY, smaller)
    }

    /// From the first of some points to the last (s).
    pub(crate) fn seconds(&self, range: Range<usize>) -> f64 {
        let points = &self.at[range];
        points.last().zip(points.first()).map_or(0.0, |(last, first)| last - first)
    }

    /// How far each point lies beyond the envelope of its segment under `rate`, as if each block were one
    /// exchange. The smallest of `n` exponential gaps is an `n`th of one.
    fn gaps<'g>(&self, rate: f64, room: &'g mut [f64; CAPACITY]) -> &'g mut [f64] {
        let gaps = &mut room[..self.count];
        for range in self.segments.ranges() {
            let mut own = f64::INFINITY;
            for i in range.clone() {
                gaps[i] = self.value[i] - rate * self.at[i];
                own = smaller(gaps[i], own);
            }
            for (gap, block) in gaps[range.clone()].iter_mut().zip(&self.blocks[range]) {
                *gap = (*gap - own) * f64::from(block.count);
            }
        }
        gaps
    }

    /// Exchanges in some blocks.
    pub(crate) fn exchanges(&self, blocks: Range<usize>) -> f64 {
        self.blocks[blocks].iter().map(|block| f64::from(block.count)).sum()
    }

    /// Exchanges in all blocks.
    pub(crate) fn all_exchanges(&self) -> f64 {
        self.sums.exchanges
    }

    /// Measures the scale of the gaps under `rate`.
    // Not inlined, as the two below: their room would take stack during the whole fit.
    #[inline(never)]
    pub(crate) fn measure_scale(&mut self, rate: f64) {
        let mut room = [0.0; CAPACITY];
        self.scale = scale(self.gaps(rate, &mut room));
    }

    /// Measures the scale, and how much of the evidence under `rate` is independent.
    ///
    /// Queues, radio conditions and frame phases last longer than the time between two exchanges. So
    /// neighbouring gaps resemble each other, and a model of independent gaps would take a drifting queue for
    /// a drifting clock.
    #[inline(never)]
    pub(crate) fn measure_scale_and_share(&mut self, rate: f64) {
        let mut room = [0.0; CAPACITY];
        let gaps = self.gaps(rate, &mut room);
        self.share = independent_share(gaps);
        self.scale = scale(gaps);
    }

    /// Costs of some rates: the negative logarithms of their likelihoods.
    ///
    /// Each segment uses the envelope of the whole session or its own, whichever is cheaper.
    pub(crate) fn costs(&self, rates: &Lanes) -> Lanes {
        let whole = self.envelopes(0..self.count, rates);
        if self.segments.count == 1 {
            return self.distances(&self.sums, rates, &whole).map(|cost| self.share * cost);
        }
        let mut costs = [0.0; LANES];
        for range in self.segments.ranges() {
            let sums = self.sums(range.clone());
            let to_own = self.distances(&sums, rates, &self.envelopes(range, rates));
            let to_whole = self.distances(&sums, rates, &whole);
            for k in 0..LANES {
                costs[k] += smaller(to_whole[k], to_own[k] + OTHER_ROUTE);
            }
        }
        costs.map(|cost| self.share * cost)
    }

    /// The smallest intercept of some points under each rate.
    #[inline]
    fn envelopes(&self, range: Range<usize>, rates: &Lanes) -> Lanes {
        let mut smallest = [f64::INFINITY; LANES];
        for (at, value) in self.at[range.clone()].iter().zip(&self.value[range]) {
            for k in 0..LANES {
                smallest[k] = smaller(value - rates[k] * at, smallest[k]);
            }
        }
        smallest
    }

    /// Distances of some points to their envelope under each rate: the sum, in scales, each as often as it
    /// has exchanges.
    ///
    /// With `p` for a point, `w` for its exchanges and `E` for its envelope, `sum w (p - E) = sum w p - E sum
    /// w`.
    #[inline]
    fn distances(&self, sums: &Sums, rates: &Lanes, envelopes: &Lanes) -> Lanes {
        let weight = 1.0 / self.scale;
        core::array::from_fn(|k| (sums.value - rates[k] * sums.at - sums.exchanges * envelopes[k]) * weight)
    }

    /// The intercept of the [`tightest`](Self::tightest) point under each rate.
    pub(crate) fn tightest_intercepts(&self, rates: &Lanes, now: f64, wander: f64) -> Lanes {
        // value - rate at + wander (now - at) = value - (rate + wander) at + wander now
        let envelopes = self.envelopes(0..self.count, &rates.map(|rate| rate + wander));
        envelopes.map(|envelope| envelope + wander * now)
    }

    /// Expected distance of the [`tightest`](Self::tightest) point from the floor of its direction: the
    /// smallest delay that is possible. None of too few points.
    ///
    /// Near their floor, delays of any continuous distribution are spread evenly. So the mean distance from
    /// the floor to the smallest of many equals the mean distance between its next neighbours.
    #[inline(never)]
    pub(crate) fn lag(&self, rate: f64, now: f64, wander: f64) -> Option<f64> {
        if self.count <= NEIGHBOURS {
            return None;
        }
        // The tightest intercepts, tightest first. Most points are out after one comparison.
        let mut tightest = [f64::INFINITY; NEIGHBOURS + 1];
        for (_, mut intercept) in self.loosened(rate, now, wander) {
            if intercept < tightest[NEIGHBOURS] {
                for place in &mut tightest {
                    if intercept < *place {
                        core::mem::swap(place, &mut intercept);
                    }
                }
            }
        }
        Some((tightest[NEIGHBOURS] - tightest[0]) / NEIGHBOURS as f64)
    }

    /// Scale of the queueing that the tightest points met, if the first of them has this `lag`.
    ///
    /// The smallest of `n` exponential delays lags by an `n`th of their scale. Where a queue came or went,
    /// most points met another scale than those that count.
    pub(crate) fn scale_of_support(&self, lag: Option<f64>) -> f64 {
        let of_support = |lag: f64| smaller(DOUBT_OF_LAG * self.all_exchanges() * lag, self.scale);
        lag.map_or(self.scale, of_support).max(FINEST_SCALE)
    }

    /// The tightest point under `rate` as of `now`, when each is loosened by `wander` times its age.
    pub(crate) fn tightest(&self, rate: f64, now: f64, wander: f64) -> Tightest {
        let mut tightest = Tightest { intercept: f64::INFINITY, at: now };
        for (at, intercept) in self.loosened(rate, now, wander) {
            if intercept <= tightest.intercept {
                tightest = Tightest { intercept, at };
            }
        }
        tightest
    }

    /// When each point was taken, and its intercept under `rate` as of `now`, loosened by `wander` times its
    /// age.
    fn loosened(&self, rate: f64, now: f64, wander: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let points = self.at.iter().zip(&self.value).take(self.count);
        points.map(move |(&at, &value)| (at, value - rate * at + wander * (now - at)))
    }
}

/// Scale of exponential gaps. Changes their order.
fn scale(gaps: &mut [f64]) -> f64 {
    // The median of an exponential distribution is its scale times ln 2.
    (median(gaps) / core::f64::consts::LN_2).max(FINEST_SCALE)
}

/// Share of a series that is worth as much as independent values; all of fewer than four.
///
/// If a value resembles only its neighbour, with correlation `r`, then `n` are worth `n (1 - r) / (1 + r)`
/// independent ones.
fn independent_share(series: &[f64]) -> f64 {
    let count = series.len() as f64;
    let mean = series.iter().sum::<f64>() / count;
    let squares: f64 = series.iter().map(|x| (x - mean).powi(2)).sum();
    if series.len() < 4 || squares <= 0.0 {
        return 1.0;
    }
    let by_neighbours: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let correlation = (by_neighbours / squares).max(0.0);
    debug_assert!(correlation < 1.0 + 1e-9, "no series resembles itself more than wholly: {correlation}");
    // Some evidence is always left.
    ((1.0 - correlation) / (1.0 + correlation)).max(LEAST_SHARE)
}

#[cfg(test)]
mod tests {
    use super::super::history::Point;
    use super::*;

    fn upper<'a>(blocks: &'a [Block], segments: &'a Segments) -> Evidence<'a> {
        let mut evidence = Evidence::none(segments);
        evidence.take_upper(blocks);
        evidence
    }

    fn lower<'a>(blocks: &'a [Block], segments: &'a Segments) -> Evidence<'a> {
        let mut evidence = Evidence::none(segments);
        evidence.take_lower(blocks);
        evidence
    }

    /// Blocks every second whose upper bounds lie `gaps` (ms) above a line of `ppm`.
    fn blocks(ppm: f64, gaps: &[f64]) -> Vec<Block> {
        let point = |i: usize, gap: f64| Point { at: i as f64, value: ppm * 1e-6 * i as f64 + gap / 1e3 };
        gaps.iter().enumerate().map(|(i, &gap)| Block::new(point(i, gap), point(i, -gap))).collect()
    }

    #[test]
    fn the_right_rate_costs_least_in_both_directions() {
        let blocks = blocks(50.0, &[0.1, 2.0, 0.7, 0.0, 1.5, 3.0, 0.2, 0.9, 0.05, 1.1, 0.4, 0.0]);
        let segments = Segments::divide(&blocks, 50e-6);
        let (mut upper, mut lower) = (upper(&blocks, &segments), lower(&blocks, &segments));
        upper.measure_scale(50e-6);
        lower.measure_scale(-50e-6);
        assert!((upper.scale - lower.scale).abs() < 1e-9);
        let cost = |rate: f64| upper.costs(&[rate; LANES])[0] + lower.costs(&[-rate; LANES])[LANES - 1];
        assert!(cost(50e-6) < cost(0.0) && cost(50e-6) < cost(300e-6));
        let tightest = upper.tightest(50e-6, 11.0, 0.0);
        assert!(tightest.intercept.abs() < 1e-9 && (tightest.at == 3.0 || tightest.at == 11.0));
    }

    #[test]
    fn the_smallest_of_evenly_spread_delays_lags_by_their_distance() {
        let mut gaps: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i * 17 % 40) + 0.1).collect();
        // The second time, the two smallest are close by chance.
        for allowed in [1e-9, 0.02e-3] {
            let blocks = blocks(50.0, &gaps);
            let segments = Segments::divide(&blocks, 50e-6);
            let evidence = upper(&blocks, &segments);
            let lag = evidence.lag(50e-6, 39.0, 0.0).expect("there are enough");
            assert!((lag - 0.1e-3).abs() < allowed, "{lag}");
            gaps[20] = 0.101;
        }
        let few = blocks(50.0, &gaps[..NEIGHBOURS]);
        assert_eq!(upper(&few, &Segments::divide(&few, 50e-6)).lag(50e-6, 39.0, 0.0), None);
    }

    fn share(gaps: &[f64]) -> f64 {
        let blocks = blocks(0.0, gaps);
        let segments = Segments::divide(&blocks, 0.0);
        let mut evidence = upper(&blocks, &segments);
        evidence.measure_scale_and_share(0.0);
        evidence.share
    }

    #[test]
    fn resembling_neighbours_are_less_evidence() {
        let slow: Vec<f64> = (0..40).map(|i| 2.0 + (f64::from(i) / 6.0).sin()).collect();
        let mixed: Vec<f64> = (0..40).map(|i| 2.0 + (f64::from(i * 17 % 40) / 6.0).sin()).collect();
        assert!(share(&slow) < 0.2, "{}", share(&slow));
        assert!(share(&mixed) > 0.6, "{}", share(&mixed));
    }
}
