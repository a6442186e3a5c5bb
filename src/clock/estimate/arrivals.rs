//! Estimates the clock rate when messages wait until a frame loop polls the socket.
//!
//! A poll at `hi` finds the messages that arrived after the previous poll at `lo`, so we only know an
//! interval for each arrival. A direction's base is the bound that a message without queueing delay would
//! give. For each candidate rate, [`base`](super::base) computes its likelihood. Both directions share the
//! rate, so their likelihoods are multiplied with each other and with the prior for crystals.
//!
//! If the frame rates of the two ends are nearly equal, the phases of their frames drift apart slowly.
//! Messages then wait longer in one direction and shorter in the other, just as if the clocks drifted.
//! However, a rate of zero also explains the intervals. Clock drift no longer does once a wait drops by a
//! whole frame.

use super::base::{Arrival, Base, NEGLIGIBLE, Range, SCALES, exp, likeness};
use super::frequency::{Belief, Node, Posterior, SPREAD, Support};
use super::history::{Block, CAPACITY, LONGEST, TIMER_NOISE, smaller};
use super::prior::Prior;
use super::rhythm;
use super::{CLEARLY, EVIDENT, FEW};
use crate::clock::ground::memory::{self, OutOfMemory};

/// This must be odd, so that one of the candidate rates is in the middle of the grid.
const RATES: usize = 11;

/// A fit's first grid is this many times as wide as the previous fit's last grid.
const REOPENED: f64 = 1.5;

/// We fit again when the number of new exchanges exceeds 1/8 of the number of stored ones.
const REFITTED: u32 = 8;

/// In the reverse direction, bounds and rates are negated, so that a smaller bound is tighter in both
/// directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Found {
    /// `high` is the bound (s) if the message arrived as late as possible.
    at: f64,
    high: f64,
    /// How much earlier the message may have arrived (s).
    wait: f64,
    /// The tightest bound among this message and those merged into it.
    least_at: f64,
    least: f64,
}

impl Found {
    /// Keeps the other message's bound if it is tighter, because that bound is still valid.
    fn absorb(&mut self, other: &Found, rate: f64) {
        if other.least - rate * other.least_at < self.least - rate * self.least_at {
            (self.least_at, self.least) = (other.least_at, other.least);
        }
    }
}

#[derive(Clone, Debug)]
struct Way {
    found: Box<[Found]>,
    used: usize,
    tried: [bool; SCALES],
    ranges: [Range; SCALES],
}

impl Way {
    fn new() -> Result<Self, OutOfMemory> {
        Ok(Way {
            // Two exchanges per block cover the same time as the history.
            found: memory::filled(Found::default(), 2 * CAPACITY)?,
            used: 0,
            tried: [true; SCALES],
            ranges: [Range::default(); SCALES],
        })
    }

    fn found(&self) -> &[Found] {
        &self.found[..self.used]
    }

    fn is_full(&self) -> bool {
        self.used == self.found.len()
    }

    /// Stores `found`, or only its bound if `near` says that it closely follows the last message.
    fn add(&mut self, found: Found, near: bool, rate: f64) {
        if let Some(last) = self.found[..self.used].last_mut().filter(|_| near) {
            last.absorb(&found, rate);
            return;
        }
        if self.is_full() {
            self.found.copy_within(1.., 0);
            self.used -= 1;
        }
        self.found[self.used] = found;
        self.used += 1;
    }

    fn omit_after(&mut self, kept: usize, rate: f64) {
        let omitted = self.found[kept + 1];
        self.found[kept].absorb(&omitted, rate);
        self.found.copy_within(kept + 2..self.used, kept + 1);
        self.used -= 1;
    }

    fn longest(&self) -> f64 {
        -self.found().iter().map(|found| -found.wait).fold(0.0, smaller)
    }

    fn mean_wait(&self) -> f64 {
        let sum: f64 = self.found().iter().map(|found| found.wait).sum();
        sum / self.used as f64
    }

    /// Returns this direction's [`Base`] at local time `now` for each queueing scale. Older bounds prove less
    /// because crystals wander, so each interval is shifted up by `wander` times its age. Not inlined, so
    /// that the rest of a fit needs less stack.
    #[inline(never)]
    fn weigh(&mut self, rate: f64, now: f64, wander: f64, room: &mut [Arrival]) -> [Base; SCALES] {
        let (mut top, mut least) = (f64::INFINITY, f64::INFINITY);
        let arrivals = &mut room[..self.used];
        for (found, arrival) in self.found().iter().zip(&mut *arrivals) {
            let (loose, of_least) = (wander * (now - found.at), wander * (now - found.least_at));
            arrival.latest = found.high - rate * found.at + loose;
            top = smaller(top, arrival.latest);
            // The merged bound was the tightest one at an earlier rate, but `high` may be tighter now.
            least = smaller(least, found.least - rate * found.least_at + of_least);
        }
        top = smaller(top, least);
        for (found, arrival) in self.found().iter().zip(&mut *arrivals) {
            let latest = arrival.latest - top;
            // We shift both ends so that the intervals of neighbouring polls don't overlap. Otherwise, a tiny
            // queueing scale would explain the messages of both polls.
            *arrival = Arrival::new(latest, latest - found.wait - TIMER_NOISE);
        }
        let bases = Base::weigh(arrivals, self.longest(), &self.tried, &mut self.ranges);
        bases.map(|base| Base { value: top + base.value, ..base })
    }

    /// Tries the previous queueing scales and their neighbours, and drops those that are much less likely.
    fn choose_scales(&mut self, rate: f64, now: f64, wander: f64, room: &mut [Arrival]) {
        let was_tried = self.tried;
        let is_near =
            |number: usize| was_tried[number.saturating_sub(1)..SCALES.min(number + 2)].contains(&true);
        self.tried = core::array::from_fn(is_near);
        let likelihoods = self.weigh(rate, now, wander, room).map(|base| base.likelihood);
        let least = likelihoods.iter().map(|likelihood| -likelihood).fold(f64::INFINITY, smaller);
        self.tried = likelihoods.map(|likelihood| likelihood > -least - CLEARLY);
    }
}

/// Averages each direction's [`Base`] over all pairs of queueing scales and stores it in `node`. Returns the
/// log-likelihood and the variance of the midpoint between the two directions.
fn join(
    node: &mut Node,
    forward: &[Base; SCALES],
    reverse: &[Base; SCALES],
    likenesses: &[f64; SCALES],
) -> (f64, f64) {
    let tried = |base: &(usize, &Base)| base.1.likelihood > f64::NEG_INFINITY;
    let pairs = || {
        forward.iter().enumerate().filter(tried).flat_map(move |(i, up)| {
            let pair = move |(j, down)| (up, down, likenesses[i.abs_diff(j)]);
            reverse.iter().enumerate().filter(tried).map(pair)
        })
    };
    let logarithm = |(up, down, like): (&Base, &Base, f64)| up.likelihood + down.likelihood + like;
    let best = -pairs().map(|pair| -logarithm(pair)).fold(f64::INFINITY, smaller);
    let [mut total, mut upper, mut lower, mut middle, mut square] = [0.0; 5];
    for pair in pairs() {
        let (up, down, _) = pair;
        let [weight] = exp([logarithm(pair) - best]);
        let of_pair = (up.value - down.value) / 2.0;
        total += weight;
        upper += weight * up.value;
        lower -= weight * down.value;
        middle += weight * of_pair;
        square += weight * (of_pair.powi(2) + (up.variance + down.variance) / 4.0);
    }
    (node.upper, node.lower) = (upper / total, lower / total);
    (best + total.ln(), (square / total - (middle / total).powi(2)).max(0.0))
}

/// It would be pointless to search again after only a few new exchanges.
fn until_search(new: usize) -> u32 {
    new.max(FEW + 1) as u32
}

#[derive(Clone, Debug)]
pub(crate) struct Arrivals {
    forward: Way,
    reverse: Way,
    room: Box<[Arrival]>,
    /// The minimum spacing of stored exchanges (s). Closer exchanges only tighten the bound of the previous
    /// one.
    apart: f64,
    /// How many of the oldest exchanges have been thinned out to the spacing `apart`, or zero if all have
    /// been.
    spread: usize,
    since: u32,
    until_search: u32,
}

impl Arrivals {
    pub(crate) fn new() -> Result<Self, OutOfMemory> {
        Ok(Arrivals {
            forward: Way::new()?,
            reverse: Way::new()?,
            room: memory::filled(Arrival::default(), 2 * CAPACITY)?,
            apart: 0.0,
            spread: 0,
            since: 0,
            until_search: until_search(0),
        })
    }

    pub(crate) fn clear(&mut self) {
        for way in [&mut self.forward, &mut self.reverse] {
            (way.used, way.tried, way.ranges) = (0, [true; SCALES], [Range::default(); SCALES]);
        }
        (self.apart, self.spread, self.since, self.until_search) = (0.0, 0, 0, until_search(0));
    }

    pub(crate) fn is_by_loop(waits: [f64; 2]) -> bool {
        waits.iter().any(|&wait| wait > EVIDENT * TIMER_NOISE)
    }

    pub(crate) fn longest(&self) -> [f64; 2] {
        [self.forward.longest(), self.reverse.longest()]
    }

    /// Returns the mean time (s) between polls at each end. A few long frames hardly change the mean.
    pub(crate) fn mean_waits(&self) -> [f64; 2] {
        [self.forward.mean_wait(), self.reverse.mean_wait()]
    }

    /// `waits` are the longest times (s) that the request and the reply may have waited.
    pub(crate) fn add(&mut self, block: &Block, waits: [f64; 2], rate: f64) {
        let found = |at, high, wait| Found { at, high, wait, least_at: at, least: high };
        let up = found(block.upper.at, block.upper.value, waits[0]);
        let down = found(block.lower.at, -block.lower.value, waits[1]);
        let newest = self.forward.found().last();
        let near = newest.is_some_and(|newest| up.at - newest.at < self.apart);
        if self.forward.is_full() && !near {
            self.make_room(up.at, rate);
        }
        self.forward.add(up, near, rate);
        self.reverse.add(down, near, -rate);
        self.since += 1;
    }

    /// Thins out the store by dropping every second exchange, one per call, starting with the oldest. The
    /// choice does not depend on queueing delays, so the remaining exchanges are an unbiased sample.
    fn make_room(&mut self, now: f64, rate: f64) {
        let farthest = f64::from(LONGEST) / 2.0;
        if self.spread == 0 {
            if self.apart >= farthest {
                return;
            }
            let spacing = (now - self.forward.found[0].at) / self.forward.used as f64;
            self.apart = (2.0 * self.apart.max(spacing)).min(farthest);
        }
        self.forward.omit_after(self.spread, rate);
        self.reverse.omit_after(self.spread, -rate);
        self.spread = (self.spread + 1) % CAPACITY;
    }

    /// Searches for frame loops at both ends, but not on every call. Returns the frame periods it detects
    /// (s), or the `known` ones if it finds none. If an end doesn't report its waits (`untold`), we assume
    /// that all its messages waited for the detected loop.
    #[inline(never)]
    pub(crate) fn find_loops(&mut self, known: [f32; 2], untold: [bool; 2], steps: [f32; 2]) -> [f32; 2] {
        self.until_search -= 1;
        if self.until_search > 0 {
            return known;
        }
        let (forward, reverse) = (self.forward.found(), self.reverse.found());
        // Search less often once a loop is known or the store is full.
        let rarely = self.forward.is_full() || !known.contains(&0.0);
        self.until_search = until_search(if rarely { forward.len() } else { forward.len() / 4 });
        let pairs = forward.iter().zip(reverse).rev();
        let seen =
            rhythm::periods(pairs.map(|(up, down)| [up.at, up.at + up.high, down.at]), steps.map(f64::from));
        let seen = seen.map(|period| period as f32);
        let mut periods = known;
        for (side, way) in [&mut self.forward, &mut self.reverse].into_iter().enumerate() {
            if untold[side] && seen[side] > 0.0 && seen[side] != known[side] {
                periods[side] = seen[side];
                way.found[..way.used].iter_mut().for_each(|found| found.wait = f64::from(seen[side]));
                way.tried = [true; SCALES];
            }
        }
        periods
    }

    pub(crate) fn is_due(&self) -> bool {
        (REFITTED * self.since) as usize > self.forward.used
    }

    /// Fits a rate of at most `limit` to the stored messages, of which there must be at least one.
    // Not inlined, so that handling the rest of a reply needs less stack.
    #[inline(never)]
    pub(crate) fn fit(
        &mut self,
        now: f64,
        prior: Prior,
        wander: f64,
        limit: f64,
        last: Option<&Posterior>,
    ) -> Posterior {
        self.since = 0;
        let known = last.filter(|last| last.rate.mean.abs() < limit);
        let mut belief = known.map_or(Belief { mean: 0.0, sigma: limit / SPREAD }, |last| Belief {
            mean: last.rate.mean,
            sigma: (REOPENED * last.rate.sigma).min(limit / SPREAD),
        });
        if known.is_some() {
            self.forward.choose_scales(belief.mean, now, wander, &mut self.room);
            self.reverse.choose_scales(-belief.mean, now, wander, &mut self.room);
        }
        let mut nodes = [Node::default(); RATES];
        let mut variance = 0.0;
        for _ in 0..=FEW {
            let half = SPREAD * belief.sigma;
            let wide = belief;
            (belief, variance) = self.refine(&mut nodes, wide, now, prior, wander, limit);
            // If the mean rate is far from the grid's middle, the grid does not cover the posterior.
            let is_inside = (belief.mean - wide.mean).abs() < half / 2.0;
            let is_resolved = belief.sigma > half / RATES as f64 || half < wander / 2.0;
            if is_inside && is_resolved {
                break;
            }
        }
        self.posterior(&nodes, belief, variance, now)
    }

    /// Weighs a grid of rates around `belief`. Returns the rate's mean and standard deviation, and the
    /// variance that the midpoint between the two directions would have for a known rate.
    #[inline(never)]
    fn refine(
        &mut self,
        nodes: &mut [Node; RATES],
        belief: Belief,
        now: f64,
        prior: Prior,
        wander: f64,
        limit: f64,
    ) -> (Belief, f64) {
        let step = SPREAD * belief.sigma / (RATES / 2) as f64;
        let likenesses = core::array::from_fn(likeness);
        let (mut variances, mut least) = ([0.0; RATES], f64::INFINITY);
        // On a narrowed grid, the likelihood falls steadily on both sides of its maximum, so we can stop
        // early on each side.
        let is_narrowed = SPREAD * belief.sigma < limit;
        let mut ends = [false; 2];
        // Start with the middle rate and work outwards.
        for distance in 0..=2 * (RATES / 2) {
            let side = distance % 2;
            let i = if side == 0 { RATES / 2 - distance / 2 } else { RATES / 2 + distance.div_ceil(2) };
            let (rate, node) = (belief.mean + step * (i as f64 - (RATES / 2) as f64), &mut nodes[i]);
            // `weight` holds the negative log-likelihood until it is normalised below.
            *node = Node { rate, weight: f64::INFINITY, ..Node::default() };
            if ends[side] || rate.abs() > limit + step / 2.0 {
                continue;
            }
            let forward = self.forward.weigh(rate, now, wander, &mut self.room);
            let reverse = self.reverse.weigh(-rate, now, wander, &mut self.room);
            let likelihood;
            (likelihood, variances[i]) = join(node, &forward, &reverse, &likenesses);
            node.weight = -likelihood - prior.density(rate, step).ln();
            least = smaller(least, node.weight);
            ends[side] = is_narrowed && node.weight > least + NEGLIGIBLE;
        }
        let (mut total, mut mean, mut variance) = (0.0, 0.0, 0.0);
        for (node, of_middle) in nodes.iter_mut().zip(variances) {
            node.weight = (least - node.weight).exp();
            total += node.weight;
            mean += node.weight * node.rate;
            variance += node.weight * of_middle;
        }
        debug_assert!(total > 0.0, "some rate on the grid is possible: {total}");
        mean /= total;
        let mut square = 0.0;
        for node in nodes {
            node.weight /= total;
            square += node.weight * (node.rate - mean).powi(2);
        }
        // A grid cannot resolve differences that are smaller than a fraction of its step.
        (Belief { mean, sigma: square.sqrt().max(step / 4.0).max(1e-9) }, variance / total)
    }

    #[inline(never)]
    fn posterior(&self, nodes: &[Node; RATES], belief: Belief, variance: f64, now: f64) -> Posterior {
        let (mut upper, mut lower) = (0.0, 0.0);
        for node in nodes {
            upper += node.weight * (node.upper + node.rate * now);
            lower += node.weight * (node.lower + node.rate * now);
        }
        let mean = belief.mean;
        let support =
            Support { upper: upper - mean * now, lower: lower - mean * now, upper_at: now, lower_at: now };
        Posterior::of_bases(nodes, belief, support, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::WANDER;
    use super::super::history::Point;
    use super::*;

    #[test]
    fn a_full_store_stays_full_and_keeps_the_bounds_of_omitted_messages() {
        let mut arrivals = Arrivals::new().expect("there is memory");
        for i in 0..1000 {
            let (at, late) = (f64::from(i), if i == 3 { 0.01 } else { 0.02 });
            let block = Block::new(Point { at, value: late }, Point { at, value: -late });
            arrivals.add(&block, [16e-3; 2], 0.0);
            for way in [&arrivals.forward, &arrivals.reverse] {
                assert_eq!(way.used, (i as usize + 1).min(2 * CAPACITY), "after {i} s");
                let gaps = || way.found().windows(2).map(|pair| pair[1].at - pair[0].at);
                let longest = -gaps().map(|gap| -gap).fold(0.0, smaller);
                assert!(longest <= 2.0 * gaps().fold(1e3, smaller), "{longest} s after {i} s");
                let least = way.found().iter().map(|found| found.least).fold(1.0, smaller);
                assert_eq!(least, if i < 3 { 0.02 } else { 0.01 }, "after {i} s");
            }
        }
    }

    #[test]
    fn old_intervals_of_neighbouring_polls_stay_apart() {
        let (mut way, mut room) = (Way::new().expect("there is memory"), [Arrival::default(); 100]);
        // Half of the messages were found one poll later than the others.
        for i in 0..100 {
            let (at, high) = (f64::from(i), 16e-3 * f64::from(i % 2));
            way.add(Found { at, high, wait: 16e-3, least_at: at, least: high }, false, 0.0);
        }
        for age in [0.0, 1000.0] {
            let finest = way.weigh(0.0, 100.0 + age, WANDER, &mut room)[0].likelihood;
            assert!(finest < 0.9 * 100.0 * 0.5_f64.ln(), "{finest} at {age} s");
        }
    }
}
