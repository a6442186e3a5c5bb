//! Measures how well a candidate rate explains the bounds of all blocks.
//!
//! Lower bounds and their rates are negated, so that smaller values are tighter in both directions. At each
//! rate, the smallest intercept of all points is the envelope. Every other intercept exceeds the envelope by
//! the queueing delay of its message.

use core::ops::Range;

use super::history::{Block, CAPACITY, TIMER_NOISE, median, smaller};
use super::segments::Segments;
use super::{CLEARLY, EVIDENT, FEW, POINTS, RARE, TINY};

/// We derive the scale of small queueing delays from the tightest point and this many other points.
pub(crate) const NEIGHBOURS: usize = 7;

/// Rates are processed in batches of this size, so that each point is loaded only once per batch.
pub(crate) type Lanes = [f64; POINTS / 2];

pub(crate) struct Evidence<'a> {
    at: [f64; CAPACITY],
    value: [f64; CAPACITY],
    blocks: &'a [Block],
    count: usize,
    sums: Sums,
    segments: &'a Segments,
    /// The queueing scale (s), which is also the unit of costs.
    pub(crate) scale: f64,
    /// A queue that exists for only part of the session leaves quiet stretches. With the queue's scale, these
    /// stretches would not constrain the rate. The quiet blocks (a bit mask) therefore have their own
    /// queueing scale (s).
    quiet: u64,
    quiet_scale: f64,
    pub(crate) share: f64,
}

/// The sums over all points, weighted by their number of exchanges and divided by the queueing scale.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    value: f64,
    at: f64,
    weights: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tightest {
    /// The intercept (s), loosened because the crystal has wandered since the measurement.
    pub(crate) intercept: f64,
    pub(crate) at: f64,
}

impl<'a> Evidence<'a> {
    pub(crate) fn none(segments: &'a Segments) -> Self {
        Evidence {
            at: [0.0; CAPACITY],
            value: [0.0; CAPACITY],
            blocks: &[],
            count: 0,
            sums: Sums::default(),
            segments,
            scale: TIMER_NOISE,
            quiet: 0,
            quiet_scale: TIMER_NOISE,
            share: 1.0,
        }
    }

    // We fill this in place, because returning a kilobyte would take twice as much stack.

    pub(crate) fn take_upper(&mut self, blocks: &'a [Block]) {
        self.take(blocks, |block| (block.upper.at, block.upper.value));
    }

    /// Stores the lower bounds negated, so all rates must be negated as well.
    pub(crate) fn take_lower(&mut self, blocks: &'a [Block]) {
        self.take(blocks, |block| (block.lower.at, -block.lower.value));
    }

    fn take(&mut self, blocks: &'a [Block], point: impl Fn(&Block) -> (f64, f64)) {
        (self.blocks, self.count) = (blocks, blocks.len());
        for (i, block) in blocks.iter().enumerate() {
            (self.at[i], self.value[i]) = point(block);
        }
    }

    fn sums(&self, range: Range<usize>) -> Sums {
        let mut sums = Sums::default();
        let (busy, quiet) = (1.0 / self.scale, 1.0 / self.quiet_scale);
        for i in range {
            let weight = f64::from(self.blocks[i].count) * if self.is_quiet(i) { quiet } else { busy };
            sums.value += weight * self.value[i];
            sums.at += weight * self.at[i];
            sums.weights += weight;
        }
        sums
    }

    pub(crate) fn envelope(&self, range: Range<usize>, rate: f64) -> f64 {
        let points = self.at[range.clone()].iter().zip(&self.value[range]);
        points.map(|(at, value)| value - rate * at).fold(f64::INFINITY, smaller)
    }

    pub(crate) fn seconds(&self, range: Range<usize>) -> f64 {
        let points = &self.at[range];
        points.last().zip(points.first()).map_or(0.0, |(last, first)| last - first)
    }

    /// Returns each point's distance from its segment's envelope, times its number of exchanges `n`. On
    /// average, the smallest of `n` exponential delays is their mean divided by `n`.
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

    pub(crate) fn exchanges(&self, blocks: Range<usize>) -> f64 {
        self.blocks[blocks].iter().map(|block| f64::from(block.count)).sum()
    }

    pub(crate) fn all_exchanges(&self) -> f64 {
        self.exchanges(0..self.count)
    }

    // This and the next two functions are not inlined, so that the fit needs less stack.
    #[inline(never)]
    pub(crate) fn measure_scale(&mut self, rate: f64) {
        let mut room = [0.0; CAPACITY];
        self.scale = scale(self.gaps(rate, &mut room));
        self.quiet = 0;
        self.sums = self.sums(0..self.count);
    }

    /// Finds the quiet stretches and their queueing scale. Call `measure_scale` first. A block is quiet if
    /// most of the 13 blocks around it are within [`RARE`] median gaps of their envelope. A TCP queue exceeds
    /// the jitter of an empty path by about this factor.
    #[inline(never)]
    pub(crate) fn find_quiet(&mut self, rate: f64) {
        // No stretch can be quieter than the noise of timers.
        if RARE * self.scale <= TIMER_NOISE {
            return;
        }
        let mut room = [0.0; CAPACITY];
        let gaps = self.gaps(rate, &mut room);
        let near = RARE * self.scale * core::f64::consts::LN_2;
        let near = gaps.iter().enumerate().fold(0, |bits, (i, gap)| bits | u64::from(*gap < near) << i);
        // A block that is alone in its segment defines the envelope, so it reveals nothing about queues.
        let alone = self.segments.ranges().filter(|range| range.len() == 1);
        let alone = alone.fold(0, |bits, range| bits | 1 << range.start);
        self.quiet = quiet(near & !alone, gaps.len());
        if self.quiet == 0 {
            return;
        }
        let mut count = 0;
        for i in (0..self.count).filter(|&i| self.is_quiet(i)) {
            gaps[count] = gaps[i];
            count += 1;
        }
        self.quiet_scale = scale(&mut gaps[..count]);
        if self.quiet_scale < RARE * self.scale {
            self.sums = self.sums(0..self.count);
        } else {
            self.quiet = 0;
        }
    }

    /// Measures which fraction of the gaps counts as independent. Neighbouring gaps are correlated, because
    /// queues, radio conditions and frame phases last longer than the time between two exchanges. If all gaps
    /// counted as independent, a slowly changing queue would look like clock drift.
    #[inline(never)]
    pub(crate) fn measure_share(&mut self, rate: f64) {
        let mut room = [0.0; CAPACITY];
        self.share = independent_share(self.gaps(rate, &mut room));
    }

    /// Returns the negative log-likelihood, which is proportional to `n ln scale` for `n` exponential gaps.
    pub(crate) fn misfit(&self) -> f64 {
        let quiet = (0..self.count).filter(|&i| self.is_quiet(i)).map(|i| self.blocks[i].count);
        let quiet = f64::from(quiet.sum::<u32>());
        let busy = self.all_exchanges() - quiet;
        self.share * (quiet * self.quiet_scale.ln() + busy * self.scale.ln())
    }

    fn is_quiet(&self, block: usize) -> bool {
        self.quiet >> block & 1 != 0
    }

    /// Returns the negative log-likelihood of each rate. Each segment is measured from either its own
    /// envelope or the session's, whichever costs less.
    pub(crate) fn costs(&self, rates: &Lanes) -> Lanes {
        let whole = self.envelopes(0..self.count, rates);
        if self.segments.count == 1 {
            return self.distances(&self.sums, rates, &whole).map(|cost| self.share * cost);
        }
        let mut costs = Lanes::default();
        for range in self.segments.ranges() {
            let sums = self.sums(range.clone());
            let to_own = self.distances(&sums, rates, &self.envelopes(range, rates));
            let to_whole = self.distances(&sums, rates, &whole);
            for k in 0..costs.len() {
                costs[k] += smaller(to_whole[k], to_own[k] + CLEARLY);
            }
        }
        costs.map(|cost| self.share * cost)
    }

    #[inline]
    fn envelopes(&self, range: Range<usize>, rates: &Lanes) -> Lanes {
        let mut smallest = rates.map(|_| f64::INFINITY);
        for (at, value) in self.at[range.clone()].iter().zip(&self.value[range]) {
            for k in 0..rates.len() {
                smallest[k] = smaller(value - rates[k] * at, smallest[k]);
            }
        }
        smallest
    }

    /// Returns the weighted sum of the points' distances from their envelope at each rate, in queueing
    /// scales. For points `p`, weights `w` and an envelope `E`, this is `sum w p - E sum w`.
    #[inline]
    fn distances(&self, sums: &Sums, rates: &Lanes, envelopes: &Lanes) -> Lanes {
        core::array::from_fn(|k| sums.value - rates[k] * sums.at - sums.weights * envelopes[k])
    }

    pub(crate) fn tightest_intercepts(&self, rates: &Lanes, now: f64, wander: f64) -> Lanes {
        // value - rate at + wander (now - at) = value - (rate + wander) at + wander now
        let envelopes = self.envelopes(0..self.count, &rates.map(|rate| rate + wander));
        envelopes.map(|envelope| envelope + wander * now)
    }

    /// Limits the scale by the distances between the tightest points, because a queue may have delayed most
    /// other points. On average, the smallest of `n` exponential delays are spaced by their mean divided by
    /// `n`. In only 1 of 100 cases, the mean of seven such spacings is less than a third of its expected
    /// value.
    pub(crate) fn scale_at_floor(&self, spacing: f64) -> f64 {
        smaller(EVIDENT * self.all_exchanges() * spacing, self.scale).max(TIMER_NOISE)
    }

    /// Returns the mean spacing of the [`NEIGHBOURS`] + 1 tightest points, or infinity if there are fewer.
    #[inline(never)]
    pub(crate) fn spacing_at_floor(&self, rate: f64, now: f64, wander: f64) -> f64 {
        if self.count <= NEIGHBOURS {
            return f64::INFINITY;
        }
        // The array is sorted, so a single comparison rules out most points.
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
        (tightest[NEIGHBOURS] - tightest[0]) / NEIGHBOURS as f64
    }

    pub(crate) fn tightest(&self, rate: f64, now: f64, wander: f64) -> Tightest {
        let mut tightest = Tightest { intercept: f64::INFINITY, at: now };
        for (at, intercept) in self.loosened(rate, now, wander) {
            if intercept <= tightest.intercept {
                tightest = Tightest { intercept, at };
            }
        }
        tightest
    }

    fn loosened(&self, rate: f64, now: f64, wander: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let points = self.at.iter().zip(&self.value).take(self.count);
        points.map(move |(&at, &value)| (at, value - rate * at + wander * (now - at)))
    }
}

fn scale(gaps: &mut [f64]) -> f64 {
    // The median of an exponential distribution is its scale times ln 2.
    (median(gaps) / core::f64::consts::LN_2).max(TIMER_NOISE)
}

/// Returns the blocks in quiet stretches as a bit mask. `near` contains the blocks near their envelope.
fn quiet(near: u64, count: usize) -> u64 {
    // The stretch is centred on the block, except near either end of the session.
    let stretch = 2 * NEIGHBOURS - 1;
    let is_quiet = |i: &usize| {
        let first = i.saturating_sub(stretch / 2).min(count - stretch);
        let around = near >> first & ((1 << stretch) - 1);
        2 * around.count_ones() as usize > stretch
    };
    let all = if count < stretch { 0 } else { count };
    (0..all).filter(is_quiet).fold(0, |bits, i| bits | 1 << i)
}

/// Returns the independent fraction of a series, or 1 if there are very few values. If `r` is the correlation
/// between neighbours, `n` values are worth `n (1 - r) / (1 + r)` independent ones.
fn independent_share(series: &[f64]) -> f64 {
    let count = series.len() as f64;
    let mean = series.iter().sum::<f64>() / count;
    let squares: f64 = series.iter().map(|x| (x - mean).powi(2)).sum();
    if series.len() <= FEW || squares <= 0.0 {
        return 1.0;
    }
    let by_neighbours: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let correlation = (by_neighbours / squares).max(0.0);
    debug_assert!(correlation < 1.0 + 1e-9, "a correlation cannot exceed one: {correlation}");
    // Even strongly correlated data must count a little.
    ((1.0 - correlation) / (1.0 + correlation)).max(TINY)
}

#[cfg(test)]
mod tests;
