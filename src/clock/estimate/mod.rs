//! Estimates the offset and rate of the server's clock, and their standard deviations, from exchanges.

mod arrivals;
mod base;
mod draining;
mod evidence;
mod frequency;
mod history;
mod interval;
mod asymmetry;
mod prior;
mod rhythm;
mod scatter;
mod segments;
mod standing;

pub(crate) use interval::{Interval, Limits};

use crate::clock::exchange::Exchange;
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span, TICKS_PER_SECOND};
use arrivals::Arrivals;
pub(crate) use asymmetry::Asymmetry;
use frequency::{Posterior, Residual};
use history::{Block, History, Point};
use prior::CRYSTALS;
pub(crate) use prior::Prior;
use standing::{Queue, Standing};

/// Bounds are loosened at this rate as they age (0.2 ppm), because a crystal's frequency wanders.
const WANDER: f64 = 0.2e-6;

/// Lower limit on the rate's standard deviation. Crystals wander, so even a long session cannot do better.
const RATE_FLOOR: f64 = 0.3e-6;

/// A difference is significant if it exceeds the standard deviation or the expected difference by this
/// factor.
const EVIDENT: f64 = 3.0;

/// Difference in log-likelihood at which one hypothesis is clearly better than another. If a gap is this many
/// queueing scales long, the route has probably changed.
const CLEARLY: f64 = 4.0;

/// The prior probability of a queue in one direction, or of a new minimum delay on a known path.
const RARE: f64 = 0.05;

/// Probabilities and fractions below this are treated as zero.
const TINY: f64 = 0.02;

/// A relative difference that counts as small. It is also the standard deviation of the ratio of two similar
/// values.
const SLIGHT: f64 = 0.1;

/// Up to this many late blocks or exchanges may be due to chance.
const FEW: usize = 3;

/// Detecting queues and rate changes requires this many blocks or exchanges. With fewer, one in 64 players on
/// Wi-Fi would seem to have a queue because of random jitter.
const ENOUGH: usize = 16;

/// The number of points of a numerical integral, all of which are computed in parallel.
const POINTS: usize = 16;

/// Default limit on the rate difference between two clocks, and the scale of the prior for wrong rates.
const USUAL_LIMIT: f64 = 100e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) offset: i64,
    /// Rate of the server's clock relative to the local clock, minus one.
    pub(crate) rate: f64,
    /// Standard deviations of the offset (ticks) and the rate.
    pub(crate) sigma: f64,
    pub(crate) sigma_rate: f64,
}

/// The origin of all times and offsets, which keeps the `f64` seconds small and exact.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Anchor {
    local: LocalTime,
    offset: i64,
}

impl Anchor {
    fn point(&self, at: LocalTime, offset: i64) -> Point {
        Point {
            at: self.seconds(at),
            value: offset.saturating_sub(self.offset) as f64 / TICKS_PER_SECOND as f64,
        }
    }

    fn seconds(&self, at: LocalTime) -> f64 {
        (at - self.local).as_secs_f64()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Estimator {
    anchor: Option<Anchor>,
    /// The blocks that are fitted as long as all messages are timestamped on arrival.
    history: History,
    /// The intervals that are fitted once a message has waited for a frame loop.
    arrivals: Arrivals,
    /// Whether a message has ever waited for a frame loop. If so, all arrivals are treated as intervals.
    is_by_loop: bool,
    /// The longest times (s) for which requests and replies may have waited unreported.
    longest: [f32; 2],
    /// Clock resolutions of the server and the client (s), or `None` if no search for loops is needed.
    steps: Option<[f32; 2]>,
    /// Limit on the rate while messages wait for a frame loop.
    limit: f64,
    prior: Prior,
    posterior: Option<Posterior>,
    /// The time of the last update of the envelopes, in seconds after the anchor.
    updated: f64,
    /// The asymmetry learned from a route change in this or an earlier session. It remains valid after a
    /// clock step.
    asymmetry: Option<Asymmetry>,
    /// Round-trip time of the empty path (s), measured in an earlier session or before a clock step.
    shortest: Option<f64>,
    standing: Standing,
    queue: Queue,
    /// The queue that formed before the session and is still draining.
    draining: Queue,
}

impl Estimator {
    /// `frames` contains the longest waits (s) at the server and the client, for exchanges that do not report
    /// them. Pass `None` for the link, where messages never wait.
    pub(crate) fn new(
        frames: Option<(f64, f64)>,
        prior: Prior,
        asymmetry: Option<Asymmetry>,
    ) -> Result<Self, OutOfMemory> {
        Ok(Estimator {
            arrivals: Arrivals::new()?,
            is_by_loop: false,
            longest: frames.map_or([0.0; 2], |(server, client)| [server as f32, client as f32]),
            steps: frames.filter(|frames| *frames == (0.0, 0.0)).map(|_| [0.0; 2]),
            limit: USUAL_LIMIT,
            anchor: None,
            history: History::new(frames.is_none())?,
            prior,
            posterior: None,
            updated: 0.0,
            shortest: asymmetry.map(|asymmetry| asymmetry.shortest()),
            asymmetry,
            standing: Standing::new(),
            queue: Queue::default(),
            draining: Queue::default(),
        })
    }

    /// Discards the offset after a clock step. A step affects neither the rate of the crystals nor the route.
    pub(crate) fn forget_offset(&mut self) {
        if let Some(posterior) = &self.posterior {
            self.prior = Prior::learned(posterior.rate.mean, posterior.rate.sigma.hypot(2.0 * RATE_FLOOR));
        }
        self.shortest = self.shortest_now();
        self.anchor = None;
        self.history.clear();
        self.arrivals.clear();
        self.posterior = None;
        self.standing = Standing::new();
        (self.queue, self.draining) = (Queue::default(), Queue::default());
    }

    /// Discards the offset and widens the prior for the rate, because the next server may be a different
    /// machine.
    pub(crate) fn forget_server(&mut self) {
        self.forget_offset();
        self.prior.sigma = self.prior.sigma.max(CRYSTALS / 2.0);
    }

    /// Limits the rate while messages wait for a frame loop, because any larger apparent rate is due to
    /// drifting frame phases. The limit does not apply to timestamps taken on arrival.
    pub(crate) fn allow(&mut self, limit: f64) {
        self.limit = limit;
    }

    /// Sets the clock resolutions (s), because the steps of a coarse clock would otherwise look like frames.
    pub(crate) fn read_in_steps(&mut self, steps: [f64; 2]) {
        self.steps = self.steps.map(|_| steps.map(|step| step as f32));
    }

    pub(crate) fn expect(&mut self, prior: Prior) {
        self.prior = prior;
    }

    /// Adopts the rate that another path between the same clocks has measured well, if this path has no
    /// measurement yet.
    pub(crate) fn expect_rate_of(&mut self, other: &Estimator) {
        let sigma = other.sigma_rate();
        if self.posterior.is_none() && other.posterior.is_some() && is_well_known(sigma) {
            self.prior = Prior::learned(other.rate(), sigma.hypot(RATE_FLOOR));
        }
    }

    pub(crate) fn rate(&self) -> f64 {
        self.posterior.as_ref().map_or(self.prior.mean, |posterior| posterior.rate.mean)
    }

    pub(crate) fn sigma_rate(&self) -> f64 {
        let sigma = self.posterior.as_ref().map_or(self.prior.sigma, |posterior| posterior.rate.sigma);
        (sigma.powi(2) + RATE_FLOOR.powi(2)).sqrt()
    }

    /// Returns the smallest likely rate difference, or zero until the rate is well known. Bounds that aged
    /// more slowly would become invalid.
    pub(crate) fn evident_drift(&self) -> f64 {
        let sigma = self.sigma_rate();
        if is_well_known(sigma) { (self.rate().abs() - EVIDENT * sigma).max(0.0) } else { 0.0 }
    }

    pub(crate) fn learn(&mut self, exchange: &Exchange) {
        let anchor =
            *self.anchor.get_or_insert(Anchor { local: exchange.client_sent, offset: exchange.upper() });
        let upper = anchor.point(exchange.client_sent, exchange.upper());
        let lower = anchor.point(exchange.client_received, exchange.lower());
        let block = Block::new(upper, lower);
        let untold = [exchange.server_wait, exchange.client_wait].map(|wait| wait.is_none());
        if let Some(steps) = self.steps.filter(|_| untold != [false; 2]) {
            self.longest = self.arrivals.find_loops(self.longest, untold, steps);
        }
        let waits = self.waits(exchange);
        // If only one end reports its waits, the other end's waits are assumed to be equally long.
        let is_known = self.longest != [0.0; 2] || exchange.server_wait.and(exchange.client_wait).is_some();
        self.is_by_loop |= is_known && Arrivals::is_by_loop(waits);
        self.arrivals.add(&block, waits, self.rate());
        let opened = self.history.add(block, self.rate());
        let now = lower.at.max(self.updated);
        if opened {
            self.look_for_a_draining_queue(now);
        }
        let is_due = if self.is_by_loop { self.arrivals.is_due() } else { opened };
        let is_of_bases = |last: &Posterior| matches!(last.residual, Residual::Bases { .. });
        if self.posterior.as_ref().is_some_and(|last| is_of_bases(last) != self.is_by_loop) {
            self.posterior = None;
        }
        match &mut self.posterior {
            Some(last) if !is_due => last.tighten(&block, WANDER * (now - self.updated)),
            last if self.is_by_loop => {
                *last = Some(self.arrivals.fit(now, self.prior, WANDER, self.limit, last.as_ref()));
            }
            last => *last = Some(Posterior::fit(&self.history, now, self.prior, WANDER, last.as_ref())),
        }
        let rate_changed =
            self.posterior.as_ref().is_some_and(|posterior| posterior.unexplained.rate_changed);
        if opened && rate_changed {
            self.history.forget_oldest();
        }
        self.updated = now;
        let frames = if self.is_by_loop { self.arrivals.mean_waits() } else { [0.0; 2] };
        // Messages that waited for an exceptionally long frame reveal nothing about the queue.
        let hitched = self.is_by_loop && (0..2).any(|end| waits[end] > 2.0 * frames[end]);
        if !hitched {
            self.standing.add(&block);
        }
        if let Some(posterior) = &self.posterior {
            let round_trip = posterior.support.round_trip();
            self.queue =
                self.standing.judge(self.queue, posterior.rate.mean, round_trip, frames, self.shortest);
        }
        if opened {
            self.note_route();
        }
    }

    /// Not inlined, because a fit already uses most of the stack.
    #[inline(never)]
    fn look_for_a_draining_queue(&mut self, now: f64) {
        let (blocks, waits) = (self.history.blocks(), self.arrivals.longest());
        let (draining, ended) = draining::judge(blocks, now, self.rate(), self.shortest, waits);
        self.draining = draining;
        self.history.join_oldest(ended, self.rate());
    }

    fn waits(&self, exchange: &Exchange) -> [f64; 2] {
        let wait = |told: Option<Span>, longest: f32| told.map_or(f64::from(longest), Span::as_secs_f64);
        let [server, client] = self.longest;
        [wait(exchange.server_wait, server), wait(exchange.client_wait, client)]
    }

    #[cfg(feature = "link")]
    pub(crate) fn known_asymmetry(&self) -> Option<Asymmetry> {
        self.asymmetry.or(self.shortest.map(Asymmetry::even))
    }

    /// Returns the asymmetry of the current route, or only its shortest round-trip time if the asymmetry is
    /// unknown.
    pub(crate) fn asymmetry(&self) -> Option<Asymmetry> {
        let posterior = self.posterior.as_ref()?;
        let round_trip = posterior.route.map_or(posterior.support.round_trip(), |route| route.round_trip());
        let unequal = self.asymmetry.filter(|_| self.known_of(round_trip).is_some());
        unequal.or(self.shortest_now().map(Asymmetry::even))
    }

    /// Returns the round-trip time of the empty path (s). If the current queue may never empty, returns the
    /// value from before that queue formed.
    fn shortest_now(&self) -> Option<f64> {
        let seen = self.posterior.as_ref().filter(|_| self.queue().is_empty);
        seen.map(|posterior| posterior.support.round_trip()).or(self.shortest)
    }

    fn queue(&self) -> &Queue {
        if self.draining.variance > self.queue.variance { &self.draining } else { &self.queue }
    }

    /// Returns the asymmetry of a route with this round-trip time, and its standard deviation (s). Returns
    /// `None` while there is a standing queue, because its filling and draining looks like route changes.
    fn known_of(&self, round_trip: f64) -> Option<(f64, f64)> {
        let asymmetry = self.asymmetry.filter(|_| !self.queue().stands())?;
        asymmetry.of_round_trip(round_trip)
    }

    /// Learns the asymmetry of a new route if the offset was known before the route changed.
    #[inline(never)]
    fn note_route(&mut self) {
        let Some(posterior) = &self.posterior else { return };
        let Some(route) = posterior.route else { return };
        if self.queue().stands() {
            return;
        }
        // An estimate that uses a route's known asymmetry reveals nothing new about the asymmetry.
        let tells = |round_trip| self.known_of(round_trip).is_some();
        if tells(posterior.support.round_trip()) && tells(route.round_trip()) {
            return;
        }
        if let Some((offset, variance)) = self.solve(self.updated) {
            let middle = offset - self.rate() * self.updated;
            let (sigma, known) = (variance.sqrt(), self.asymmetry);
            // An uncertain estimate can neither reveal an asymmetry nor disprove a known one.
            let stays = |asymmetry: &Asymmetry| asymmetry.is_in_doubt(&route, sigma);
            self.asymmetry = Asymmetry::of(&route, middle, sigma).or(known.filter(stays));
        }
    }

    /// Returns the estimate at `now`, or `None` before the first exchange.
    // This has one call site per path, so inlining would duplicate the code.
    #[inline(never)]
    pub(crate) fn at(&self, now: LocalTime) -> Option<Estimate> {
        let anchor = self.anchor?;
        let (offset, variance) = self.solve(anchor.seconds(now))?;
        Some(Estimate {
            offset: anchor.offset.saturating_add((offset * TICKS_PER_SECOND as f64).round() as i64),
            rate: self.rate(),
            sigma: variance.sqrt() * TICKS_PER_SECOND as f64,
            sigma_rate: self.sigma_rate(),
        })
    }

    /// Returns the offset (s) and its variance (s^2) at `seconds` after the anchor.
    fn solve(&self, seconds: f64) -> Option<(f64, f64)> {
        let posterior = self.posterior.as_ref()?;
        let middle = |node: &frequency::Node| (node.upper + node.lower) / 2.0 + node.rate * seconds;
        let support = &posterior.support;
        let offset = (support.upper + support.lower) / 2.0 + posterior.rate.mean * seconds;
        let of_rate: f64 =
            posterior.nodes.iter().map(|node| node.weight * (middle(node) - offset).powi(2)).sum();
        let of_queueing = posterior.residual.variance(support.round_trip());
        let age = seconds - (support.upper_at + support.lower_at) / 2.0;
        let variance = of_rate + of_queueing + (RATE_FLOOR * age).powi(2) + posterior.unexplained.variance;
        debug_assert!(variance >= 0.0, "a variance is a sum of squares: {variance}");
        let lag = posterior.unexplained.lag;
        Some(match self.known_of(support.round_trip()) {
            Some((apart, sigma)) => (offset + lag - apart, variance + sigma.powi(2)),
            None => (offset + lag - self.queue().beyond, variance + self.queue().variance),
        })
    }
}

fn is_well_known(sigma: f64) -> bool {
    sigma < CRYSTALS / 4.0
}

#[cfg(test)]
mod tests;
