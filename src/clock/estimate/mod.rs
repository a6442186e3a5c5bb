//! Exchanges in, an estimate out: where the server's clock is, how fast it runs, and how sure that is.

mod evidence;
mod frequency;
mod history;
mod interval;
mod level;
mod prior;
mod scatter;
mod segments;
mod standing;
mod waits;

pub(crate) use interval::{Interval, Limits};

use crate::clock::exchange::Exchange;
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, TICKS_PER_SECOND};
use frequency::Posterior;
use history::{Block, History, Point};
pub(crate) use level::Level;
pub(crate) use prior::Prior;
use standing::{Queue, Standing};
use waits::Waits;

/// How far a crystal's rate may wander from the fitted line, per second of age (0.2 ppm).
const WANDER: f64 = 0.2e-6;

/// Standard deviation of the rate after any length of session, since crystals wander.
const RATE_FLOOR: f64 = 0.3e-6;

/// Scale of the queueing before any is seen, as a share of the round trip; worth one exchange.
const FIRST_SCALE: f64 = 0.2;

/// Standard deviation of the rate after a server's restart: usually the same machine, perhaps another.
const OTHER_SERVER: f64 = 10e-6;

/// A rate with a smaller standard deviation is well known. A less certain one says hardly more than that
/// clocks are crystals, and may be an error of frame waits.
const WELL_KNOWN: f64 = 5e-6;

/// The offset and rate that fit the exchanges best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Offset at the asked instant, in ticks.
    pub(crate) offset: i64,
    /// Rate of the server's clock against the local one, minus one.
    pub(crate) rate: f64,
    /// One standard deviation of the offset (ticks) and of the rate.
    pub(crate) sigma: f64,
    pub(crate) sigma_rate: f64,
}

/// Origin of the estimator's own axes, in seconds of local time and of offset. Small numbers stay exact.
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

/// Follows one server clock.
#[derive(Clone, Debug)]
pub(crate) struct Estimator {
    anchor: Option<Anchor>,
    history: History,
    prior: Prior,
    posterior: Option<Posterior>,
    /// When the nodes' envelopes were last brought up to date, in seconds from the anchor.
    updated: f64,
    waits: Waits,
    /// What a change of route showed, now or in an earlier session. It outlives the offset.
    level: Option<Level>,
    /// The round trip of the empty path (s), as of an earlier session or from before a step.
    shortest: Option<f64>,
    standing: Standing,
    queue: Queue,
}

impl Estimator {
    /// `frames`: periods of the server's and the client's frames (s) that hold messages up to their ends;
    /// zero: not known of any. None: nothing holds them, as with a link. `prior` is what is known of the
    /// rate, `level` of the route.
    pub(crate) fn new(
        frames: Option<(f64, f64)>,
        prior: Prior,
        level: Option<Level>,
    ) -> Result<Self, OutOfMemory> {
        let (server_frame, client_frame) = frames.unwrap_or_default();
        Ok(Estimator {
            waits: Waits::new(server_frame, client_frame),
            anchor: None,
            history: History::new(frames.is_none())?,
            prior,
            posterior: None,
            updated: 0.0,
            shortest: level.map(|level| level.shortest()),
            level,
            standing: Standing::new(),
            queue: Queue::default(),
        })
    }

    /// Forgets all offsets, because a clock stepped. The rate is a property of two crystals and is kept; so
    /// is what is known of the route.
    pub(crate) fn forget_offset(&mut self) {
        if let Some(posterior) = &self.posterior {
            self.prior = Prior::learned(posterior.mean, posterior.sigma.hypot(2.0 * RATE_FLOOR));
        }
        self.shortest = self.shortest_now();
        self.anchor = None;
        self.history.clear();
        self.waits.forget();
        self.posterior = None;
        (self.standing, self.queue) = (Standing::new(), Queue::default());
    }

    /// As [`forget_offset`](Self::forget_offset), but the next server may run on another machine's crystal.
    pub(crate) fn forget_server(&mut self) {
        self.forget_offset();
        self.prior.sigma = self.prior.sigma.max(OTHER_SERVER);
    }

    /// More is known of the rate beforehand than was thought.
    pub(crate) fn expect(&mut self, prior: Prior) {
        self.prior = prior;
    }

    /// Before the first exchange: the two clocks were seen by another path. If their rate is well known by
    /// it, it counts here.
    pub(crate) fn expect_rate_of(&mut self, other: &Estimator) {
        let sigma = other.sigma_rate_despite_frames();
        if self.posterior.is_none() && other.posterior.is_some() && sigma < WELL_KNOWN {
            self.prior = Prior::learned(other.rate(), sigma.hypot(RATE_FLOOR));
        }
    }

    /// Best known rate.
    pub(crate) fn rate(&self) -> f64 {
        self.posterior.as_ref().map_or(self.prior.mean, |posterior| posterior.mean)
    }

    /// Standard deviation of the rate.
    pub(crate) fn sigma_rate(&self) -> f64 {
        let sigma = self.posterior.as_ref().map_or(self.prior.sigma, |posterior| posterior.sigma);
        (sigma.powi(2) + RATE_FLOOR.powi(2)).sqrt()
    }

    /// Standard deviation of the rate, for use on another path. Locked frames slide by the difference of
    /// their crystals, which hides it from the stamps.
    pub(crate) fn sigma_rate_despite_frames(&self) -> f64 {
        self.sigma_rate().hypot(self.waits.locked() * Prior::CRYSTALS.sigma)
    }

    /// The rate difference that the exchanges show, if it may exceed `limit`; else zero. A bound that ages
    /// more slowly than the clocks drift apart would be no bound.
    pub(crate) fn evident_drift(&self, limit: f64) -> f64 {
        let sigma = self.sigma_rate();
        if self.rate().abs() + sigma > limit { self.rate().abs() + 3.0 * sigma } else { 0.0 }
    }

    /// Learns from one checked exchange.
    pub(crate) fn learn(&mut self, exchange: &Exchange) {
        let anchor =
            *self.anchor.get_or_insert(Anchor { local: exchange.client_sent, offset: exchange.upper() });
        let upper = anchor.point(exchange.client_sent, exchange.upper());
        let lower = anchor.point(exchange.client_received, exchange.lower());
        let block = Block::new(upper, lower);
        let opened = self.history.add(block, self.rate());
        let now = lower.at.max(self.updated);
        let wander = self.wander();
        match &mut self.posterior {
            Some(posterior) if !opened => posterior.tighten(&block, wander * (now - self.updated)),
            last => {
                self.posterior = Some(Posterior::fit(&self.history, now, self.prior, wander, last.as_ref()));
            }
        }
        self.updated = now;
        self.standing.note(&block);
        if let Some(posterior) = &self.posterior {
            self.waits.note(&block, posterior);
            let round_trip = posterior.support.round_trip();
            let frames = self.waits.periods();
            self.queue = self.standing.judge(self.queue, posterior.mean, round_trip, frames, self.shortest);
        }
        if opened {
            self.note_route();
        }
    }

    /// What is known of the route beforehand, or by now.
    #[cfg(feature = "link")]
    pub(crate) fn known_level(&self) -> Option<Level> {
        self.level.or(self.shortest.map(Level::even))
    }

    /// What is known of the route that exchanges take now: that it is unequal, or else how short it is.
    pub(crate) fn level(&self) -> Option<Level> {
        let posterior = self.posterior.as_ref()?;
        let round_trip = posterior.newest.map_or(posterior.support.round_trip(), |route| route.round_trip());
        let unequal = self.level.filter(|level| level.of_round_trip(round_trip).is_some());
        unequal.or(self.shortest_now().map(Level::even))
    }

    /// The round trip of the empty path (s). Where a queue may stand it is what was known before.
    fn shortest_now(&self) -> Option<f64> {
        let seen = self.posterior.as_ref().filter(|_| self.queue.is_empty);
        seen.map(|posterior| posterior.support.round_trip()).or(self.shortest)
    }

    /// After a fit: a clock that is known across a change of route shows the new route's asymmetry.
    fn note_route(&mut self) {
        let Some(posterior) = &self.posterior else { return };
        let Some(route) = posterior.newest else { return };
        // A clock that is known by a route's own asymmetry shows nothing new of that route.
        let tells = |round_trip| self.level.is_some_and(|level| level.of_round_trip(round_trip).is_some());
        if tells(posterior.support.round_trip()) && tells(route.round_trip()) {
            return;
        }
        if let Some((offset, variance)) = self.solve(self.updated) {
            // Hidden waits and lags are taken off the middle of any bounds.
            let middle = offset + self.waits.expected().0 - self.rate() * self.updated;
            let (sigma, known) = (variance.sqrt(), self.level);
            // An estimate in doubt shows nothing of the route, and takes nothing from what is known of it.
            let stays = |level: &Level| level.is_in_doubt(&route, sigma);
            self.level = Level::of(&route, middle, sigma).or(known.filter(stays));
        }
    }

    /// How fast a bound loses its worth. Crystals time the frames, too: frames slide past each other as fast
    /// as their crystals differ.
    fn wander(&self) -> f64 {
        WANDER + self.waits.locked() * Prior::CRYSTALS.sigma
    }

    /// The estimate at local time `now`; none before the first exchange.
    // Not inlined, because each path has one.
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

    /// The offset `seconds` after the anchor (s), and its variance (s^2).
    fn solve(&self, seconds: f64) -> Option<(f64, f64)> {
        let posterior = self.posterior.as_ref()?;
        let middle = |node: &frequency::Node| (node.upper + node.lower) / 2.0 + node.rate * seconds;
        let support = &posterior.support;
        let offset = (support.upper + support.lower) / 2.0 + posterior.mean * seconds;
        let spread: f64 =
            posterior.nodes.iter().map(|node| node.weight * (middle(node) - offset).powi(2)).sum();
        // Residual queueing in the minimum of n delays, n reduced for correlation; then the wander since the
        // bounds were taken.
        let exchanges = posterior.exchanges;
        let guess = FIRST_SCALE * (support.upper - support.lower).max(0.0);
        let scale = (posterior.scale_forward.powi(2) + posterior.scale_reverse.powi(2)).sqrt();
        let left = (exchanges * scale + guess) / (exchanges + 1.0) / (2.0 * exchanges * posterior.share);
        let age = seconds - (support.upper_at + support.lower_at) / 2.0;
        let (bias, waits) = self.waits.expected();
        let offset = offset - bias - posterior.lag / 2.0;
        // Waits that slide look like a path without a floor, and are known of already.
        let beyond_model = waits.powi(2).max(posterior.unexplained);
        let variance = spread + left.powi(2) + (RATE_FLOOR * age).powi(2) + beyond_model;
        let known = self.level.and_then(|level| level.of_round_trip(support.round_trip()));
        Some(match known {
            Some((apart, sigma)) => (offset - apart, variance + sigma.powi(2)),
            None => (offset - self.queue.beyond, variance + self.queue.variance),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ground::time::ServerTime;

    /// Exchanges of `ppm` every second, of 20 ms each way and up to 4 ms of queueing.
    fn learn(estimator: &mut Estimator, ppm: f64, seconds: core::ops::Range<i64>) {
        for second in seconds {
            let at = second * TICKS_PER_SECOND;
            let server = |local: i64| ServerTime::from_ticks(local + (local as f64 * ppm * 1e-6) as i64);
            let (forward, reverse) = (200_000 + second * 37 % 97 * 400, 200_000 + second * 53 % 97 * 400);
            estimator.learn(&Exchange {
                client_sent: LocalTime::from_ticks(at),
                server_received: server(at + forward),
                server_sent: server(at + forward),
                client_received: LocalTime::from_ticks(at + forward + reverse),
            });
        }
    }

    fn estimator(prior: Prior) -> Estimator {
        Estimator::new(None, prior, None).expect("there is memory")
    }

    #[test]
    fn a_rate_that_was_learned_survives_a_step_however_odd_it_is() {
        let mut estimator = estimator(Prior::CRYSTALS);
        learn(&mut estimator, 200.0, 0..200);
        estimator.forget_offset();
        learn(&mut estimator, 200.0, 300..303);
        assert!((estimator.rate() - 200e-6).abs() < 5e-6, "{}", estimator.rate());
        // Another machine's crystal is another one, and three exchanges do not tell which.
        estimator.forget_server();
        learn(&mut estimator, -40.0, 400..500);
        assert!((estimator.rate() + 40e-6).abs() < 5e-6, "{}", estimator.rate());
    }

    #[test]
    fn bounds_lose_their_worth_and_faster_while_frames_are_locked() {
        let mut free = estimator(Prior::CRYSTALS);
        learn(&mut free, 20.0, 0..60);
        assert!((0.1e-6..1e-6).contains(&free.wander()), "{}", free.wander());
        let mut locked =
            Estimator::new(Some((1.0 / 30.0, 1.0 / 30.0)), Prior::CRYSTALS, None).expect("there is memory");
        learn(&mut locked, 20.0, 0..60);
        assert!(locked.wander() > 10e-6, "{}", locked.wander());
    }

    #[test]
    fn a_true_hint_is_followed_and_a_false_one_is_overruled() {
        let after = |hint_ppm: f64, seconds| {
            let mut estimator = estimator(Prior::said(hint_ppm * 1e-6, 1e-6));
            learn(&mut estimator, 20.0, 0..seconds);
            estimator.rate() * 1e6
        };
        assert!((after(20.5, 4) - 20.0).abs() < 4.0, "{}", after(20.5, 4));
        for wrong in [25.0, -30.0, 70.0, -480.0] {
            assert!((after(wrong, 200) - 20.0).abs() < 2.5, "{} after {wrong}", after(wrong, 200));
        }
    }

    /// The error of the offset (ms) after two minutes beside a CUBIC queue up, on a path of 30 ms there and
    /// back.
    fn error_beside_a_queue(estimator: &mut Estimator, from: f64) -> f64 {
        for i in 0..120 {
            let phase = f64::from(i * 7 % 23) / 22.0;
            let queue = 0.300 * (0.85 + 0.15 * (2.0 * phase - 1.0).powi(3)) - 0.030;
            estimator.learn(&exchange(from + f64::from(i), 0.015 + queue, 0.015));
        }
        let found = estimator.at(LocalTime::from_ticks(ticks(from + 120.0))).map_or(0, |found| found.offset);
        (found - ticks(25e-6 * (from + 120.0))) as f64 / 1e4
    }

    #[test]
    fn the_round_trip_of_an_empty_path_outlives_a_step_and_a_session() {
        let alone = error_beside_a_queue(&mut estimator(Prior::CRYSTALS), 0.0);
        assert!((8.0..25.0).contains(&alone.abs()), "{alone} ms");
        let mut known = estimator(Prior::CRYSTALS);
        for second in 0..60 {
            known.learn(&exchange(f64::from(second), 0.015, 0.015));
        }
        let later = known.level().expect("the path was empty").parts();
        known.forget_server();
        let after = error_beside_a_queue(&mut known, 100.0);
        assert!(after.abs() < 5.0, "{after} ms after a restart");
        // What a queue hides is not taken for an empty path.
        let again = known.level().expect("it was empty once").parts();
        assert!((again[0] - later[0]).abs() < 1e-6, "{again:?}");
        let earlier = Level::earlier(later, 2.0);
        let mut next = Estimator::new(None, Prior::CRYSTALS, earlier).expect("there is memory");
        let after = error_beside_a_queue(&mut next, 0.0);
        assert!(after.abs() < 5.0, "{after} ms in the next session");
    }

    /// Repeatable randomness.
    struct Random(u64);

    impl Random {
        /// Evenly spread from 0 to 1.
        fn share(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn exponential(&mut self, scale: f64) -> f64 {
            -scale * (1.0 - self.share()).ln()
        }
    }

    fn ticks(seconds: f64) -> i64 {
        (seconds * TICKS_PER_SECOND as f64) as i64
    }

    /// An exchange that is sent at local time `at` to a server whose clock is 25 ppm fast, with these delays
    /// (s).
    fn exchange(at: f64, forward: f64, reverse: f64) -> Exchange {
        exchange_at_rate(25e-6, at, forward, reverse)
    }

    fn exchange_at_rate(rate: f64, at: f64, forward: f64, reverse: f64) -> Exchange {
        let server = ServerTime::from_ticks(ticks((at + forward) * (1.0 + rate)));
        Exchange {
            client_sent: LocalTime::from_ticks(ticks(at)),
            server_received: server,
            server_sent: server,
            client_received: LocalTime::from_ticks(ticks(at + forward + reverse)),
        }
    }

    #[test]
    fn delays_of_another_level_each_15_s_are_no_odd_crystal() {
        // As over satellites: levels within 20 ms in each direction, and 3 ms of queueing.
        let odd = |seed: u64| {
            let (mut estimator, mut random) = (estimator(Prior::said(26e-6, 1e-6)), Random(seed * 7_919));
            let mut levels = [0.0; 2];
            (0..300).any(|second| {
                if second % 15 == 0 {
                    levels = [0.020 * random.share(), 0.020 * random.share()];
                }
                let [forward, reverse] = levels.map(|level| 0.015 + level + random.exponential(0.003));
                estimator.learn(&exchange(f64::from(second), forward, reverse));
                (estimator.rate() - 25e-6).abs() > 50e-6
            })
        };
        let sessions = (0..100).filter(|&seed| odd(seed)).count();
        println!("{sessions} sessions");
        // 27; 51 without looking again at odd rates, 72 if all evidence is independent.
        assert!(sessions <= 35, "{sessions} of 100 sessions followed the levels");
    }

    #[test]
    fn a_clock_that_really_is_odd_is_followed() {
        let missed = |seed: u64| {
            let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(seed * 7_919));
            for i in 0..60 {
                // Delays that rise and fall with each other are little evidence.
                let wave = 0.0015 * (1.0 + (f64::from(i) / 6.0).sin());
                let [forward, reverse] = [(); 2].map(|()| 0.025 + wave + random.exponential(0.001));
                estimator.learn(&exchange_at_rate(400e-6, f64::from(2 * i), forward, reverse));
            }
            (estimator.rate() - 400e-6).abs() > 20e-6
        };
        let sessions = (0..100).filter(|&seed| missed(seed)).count();
        // 92 if the rate that is looked for again were always taken.
        assert_eq!(sessions, 0, "of 100 sessions");
    }

    #[test]
    fn a_queue_that_came_later_leaves_the_doubt_small() {
        let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(7_919));
        let mut sigma_us_after = |seconds: core::ops::Range<i32>, queue: f64| {
            let end = f64::from(seconds.end);
            for second in seconds {
                let mut wait = || 0.025 + random.exponential(100e-6);
                let tooth = 0.7 + 0.01 * f64::from(second * 7 % 31);
                let (forward, reverse) = (wait() + queue * tooth, wait());
                estimator.learn(&exchange(f64::from(second), forward, reverse));
            }
            let estimate = estimator.at(LocalTime::from_ticks(ticks(end))).expect("there were exchanges");
            estimate.sigma / 10.0
        };
        let (before, after) = (sigma_us_after(0..30, 0.0), sigma_us_after(30..150, 0.300));
        println!("{before:.0} us, then {after:.0} us");
        // 368 us if the scale of all exchanges counts.
        assert!((5.0..30.0).contains(&before) && after < 100.0, "{before} us, then {after} us");
    }

    /// Errors of the offset (us) at the end of a session that asks ever less often, as a link does. It has
    /// exponential queueing of 4 ms each way, and 25 ppm.
    fn errors_after_ever_rarer_exchanges(seeds: u64) -> Vec<f64> {
        let error = |seed: u64| {
            let (mut estimator, mut random, mut at) = (estimator(Prior::CRYSTALS), Random(seed * 7_919), 0.1);
            while at < 120.0 {
                let mut delay = || 0.025 + random.exponential(0.004);
                let (forward, reverse) = (delay(), delay());
                estimator.learn(&exchange(at, forward, reverse));
                at += (at / 100.0 * (at / 30.0).max(1.0)).clamp(0.02, 4.0);
            }
            let found = estimator.at(LocalTime::from_ticks(ticks(at))).map_or(0, |found| found.offset);
            (found - ticks(25e-6 * at)) as f64 / 10.0
        };
        (0..seeds).map(error).collect()
    }

    #[test]
    fn blocks_of_few_exchanges_count_less_than_blocks_of_many() {
        let mut errors: Vec<f64> =
            errors_after_ever_rarer_exchanges(100).iter().map(|error| error.abs()).collect();
        errors.sort_by(f64::total_cmp);
        println!("median {:.0} us, 90th of 100 {:.0} us, worst {:.0} us", errors[50], errors[90], errors[99]);
        // With blocks that count alike: 41, 252, 703.
        assert!(errors[90] < 180.0 && errors[99] < 350.0, "{errors:?}");
    }
}
