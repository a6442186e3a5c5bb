//! The client's half: asks, learns from the answers, shows the server's time.

mod events;
mod path;
mod probes;
mod reader;
mod schedule;
mod watch;

pub use events::{Cause, Degradation, Event};
pub use reader::Reader;

use events::Events;
use path::RecentMinimum;
use probes::{Probes, Unguessable};
use schedule::{Pace, Schedule};
use watch::{Suspicion, Verdict};

use crate::clock::{Discipline, Position, Reading, Snapshot, State, Steering};
use crate::config::Config;
use crate::error::{ConfigError, Refusal, TimeError};
use crate::estimate::{Estimate, Estimator, Interval, Limits};
use crate::exchange::{Exchange, Reply, Request, RequestId};
use crate::time::{LocalTime, ServerTime, Span};

/// A local time earlier than the last by less than this is a caller's mistake and refused; by more, the local
/// clock was set back, and the session starts over.
const LOCAL_STEP: Span = Span::from_secs(1);

/// Follows a server's clock. One owner calls the `&mut` methods; any number of [`Reader`]s on any threads read.
///
/// Allocates once, when it is created. See the [crate's documentation](crate) for the run loop.
#[derive(Debug)]
pub struct Client {
    config: Config,
    limits: Limits,
    random: Unguessable,
    probes: Probes,
    schedule: Schedule,
    estimator: Estimator,
    /// Where the offset certainly is; none until the first reply and after the local clock was set back.
    interval: Option<Interval>,
    /// A reply that contradicts `interval`, until another one decides.
    suspicion: Option<Suspicion>,
    /// The local clock may have missed time: the next reply is believed, whatever it says.
    doubted: bool,
    holdover: bool,
    above_target: bool,
    discipline: Discipline,
    events: Events,
    reader: Reader,
    /// A snapshot could not be published yet.
    unpublished: bool,
    round_trip: RecentMinimum,
    last_call: Option<LocalTime>,
    last_reply: Option<LocalTime>,
    epoch: u32,
    server_epoch: Option<u64>,
}

impl Client {
    /// A client that knows nothing yet.
    ///
    /// `seed` makes the request ids unguessable and the request times random: draw 128 bits from the operating
    /// system. The same seed and the same calls give the same behaviour, bit for bit.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: Config, seed: u128) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Client {
            config,
            limits: Limits {
                drift: config.max_drift_ppm * 1e-6,
                client_step: config.client_resolution.ticks(),
                server_step: config.server_resolution.ticks(),
            },
            random: Unguessable::new(seed),
            probes: Probes::new(),
            schedule: Schedule::new(&config),
            estimator: Estimator::new(),
            interval: None,
            suspicion: None,
            doubted: false,
            holdover: false,
            above_target: false,
            discipline: Discipline::new(config.max_slew, config.step_threshold),
            events: Events::new(),
            reader: Reader::new(),
            unpublished: false,
            round_trip: RecentMinimum::new(),
            last_call: None,
            last_reply: None,
            epoch: 0,
            server_epoch: None,
        })
    }

    /// The settings given at creation.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Does what is due at `now`; call it every frame. Returns the request to send at once, if one is due: at
    /// most one per call, at moments that the [schedule](Config::burst_count) chooses.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        self.advance(now)?;
        self.watch_quality(now);
        self.publish_pending(now);
        Ok(self.schedule.is_due(now).then(|| self.request(now)))
    }

    /// Makes a request to be sent at once, whatever the schedule says. For callers with a timer of their own.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn make_request(&mut self, now: LocalTime) -> Result<Request, TimeError> {
        self.advance(now)?;
        self.publish_pending(now);
        Ok(self.request(now))
    }

    /// Learns from a reply that arrived at `arrived` (t3): stamp it as close to the network as possible. It may
    /// be a little before the `now` of calls made since.
    ///
    /// # Errors
    /// Says why the reply was not used; apart from the suspicion that [`Refusal::Contradiction`] speaks of,
    /// nothing changed.
    pub fn handle_reply(&mut self, reply: &Reply, arrived: LocalTime) -> Result<(), Refusal> {
        let client_sent = self.probes.sent(reply.id).ok_or(Refusal::UnknownRequest)?;
        let exchange = Exchange {
            client_sent,
            server_received: reply.received,
            server_sent: reply.sent,
            client_received: arrived,
        };
        exchange.check(&self.config)?;
        self.probes.remove(reply.id);
        self.use_exchange(&exchange, Some(reply.epoch))
    }

    /// Learns from the stamps of an exchange that the caller conducted himself, in a transport that matches
    /// replies to requests. `server_epoch` names the run of the server's clock, where the transport knows it.
    ///
    /// # Errors
    /// As [`handle_reply`](Self::handle_reply).
    pub fn handle_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        exchange.check(&self.config)?;
        self.use_exchange(exchange, server_epoch)
    }

    /// The two-stamp form: at `current_time` a reply came that says `server_time` and took `round_trip` there
    /// and back. True if it was accepted.
    pub fn update_server_time(
        &mut self,
        server_time: ServerTime,
        current_time: LocalTime,
        round_trip: Span,
    ) -> bool {
        let exchange = Exchange::from_two_stamps(server_time, current_time, round_trip);
        self.handle_exchange(&exchange, None).is_ok()
    }

    /// The server's time at `now`; none until synced. Never goes backwards within an [epoch](Reading::epoch).
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.reader.current_server_time(now)
    }

    /// Whether a reply was ever accepted, so that there is a server time to show.
    pub fn is_time_synced(&self) -> bool {
        self.epoch > 0
    }

    /// Everything the clock says at `now`.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.reader.read(now)
    }

    /// The local time at which the shown clock reads `server`, as far as is known now; none until synced.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.reader.local_time_at(server)
    }

    /// A handle for reading the clock from any thread, without waiting. Creating it allocates nothing.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The oldest event not yet fetched. The 16 newest are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// Notices time that is missing or runs backwards.
    fn advance(&mut self, now: LocalTime) -> Result<(), TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        let Some(last) = self.last_call else {
            self.last_call = Some(now);
            return Ok(());
        };
        let elapsed = now - last;
        if elapsed <= -LOCAL_STEP {
            self.last_call = Some(now);
            self.local_clock_set_back(last, now);
        } else if elapsed < Span::ZERO {
            return Err(TimeError::WentBackwards(-elapsed));
        } else {
            self.last_call = Some(now);
            if elapsed > self.config.local_gap {
                self.local_clock_paused(now);
            }
        }
        Ok(())
    }

    fn local_clock_set_back(&mut self, last: LocalTime, now: LocalTime) {
        self.probes.clear();
        self.schedule.burst();
        self.estimator.forget_offset();
        self.suspicion = None;
        self.interval = None;
        self.last_reply = None;
        if let Some(server) = self.current_server_time(last) {
            // Nobody knows how much time was lost; go on from what was shown until a reply says.
            self.discipline.restart(now, server, self.estimator.rate());
            self.doubted = true;
            self.epoch = self.epoch.saturating_add(1);
            self.declare(Cause::LocalStep, Span::ZERO);
            self.publish(now);
        }
    }

    fn local_clock_paused(&mut self, now: LocalTime) {
        self.schedule.burst();
        if self.is_time_synced() {
            self.doubted = true;
            self.declare(Cause::LocalGap, Span::ZERO);
            self.publish(now);
        }
    }

    fn watch_quality(&mut self, now: LocalTime) {
        let Some(last_reply) = self.last_reply else { return };
        if !self.holdover && now - last_reply > self.config.holdover_after {
            self.holdover = true;
            self.events.push(Event::Degraded(Degradation::NoReplies));
            self.publish(now);
        }
        if !self.above_target && self.bound_exceeds_target(now) {
            self.above_target = true;
            self.events.push(Event::Degraded(Degradation::BoundAboveTarget));
            self.schedule.burst();
        }
    }

    fn bound_exceeds_target(&self, now: LocalTime) -> bool {
        self.interval.is_some_and(|interval| {
            interval.width(now, &self.limits) > self.config.target_bound + self.config.target_bound
        })
    }

    fn request(&mut self, now: LocalTime) -> Request {
        let id = RequestId(self.random.next());
        self.probes.insert(id, now);
        let pace = Pace {
            answered: self.is_time_synced() && !self.holdover,
            sigma_rate: self.estimator.sigma_rate(),
        };
        self.schedule.sent(now, pace, &mut self.random);
        Request { id, client_time: now, reliable: !self.is_time_synced() }
    }

    fn use_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        let arrived = exchange.client_received;
        // An arrival a little before the last call is no news about the local clock.
        if self.last_call.is_none_or(|last| arrived >= last || arrived <= last - LOCAL_STEP) {
            self.advance(arrived).map_err(|_| Refusal::StampOutOfRange)?;
        }
        let now = self.last_call.map_or(arrived, |last| last.max(arrived));
        let proven = Interval::of(exchange, &self.limits);
        let other_epoch = match (self.server_epoch, server_epoch) {
            (Some(known), Some(named)) => known != named,
            _ => false,
        };
        if let Some(named) = server_epoch {
            self.server_epoch = Some(named);
        }
        if other_epoch {
            self.start_over(Cause::ServerRestart, exchange, proven, now);
            return Ok(());
        }
        match watch::judge(
            self.interval.as_ref(),
            self.suspicion.as_ref(),
            &proven,
            self.doubted,
            now,
            &self.limits,
        ) {
            Verdict::Agrees => self.accept(exchange, proven, now),
            Verdict::Suspicious => {
                self.suspect(proven, now);
                return Err(Refusal::Contradiction);
            }
            Verdict::Undecided => return Err(Refusal::Contradiction),
            Verdict::Stepped => self.start_over(Cause::ProvenStep, exchange, proven, now),
        }
        Ok(())
    }

    /// Learns from an exchange that agrees with what is known.
    fn accept(&mut self, exchange: &Exchange, proven: Interval, now: LocalTime) {
        match &mut self.interval {
            Some(interval) => interval.tighten(&proven, now, &self.limits),
            none => *none = Some(proven),
        }
        self.learn(exchange, now);
        let Some(estimate) = self.estimate(now) else { return };
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        if self.epoch == 0 {
            self.epoch = 1;
            self.discipline.restart(now, server, estimate.rate);
            self.events.push(Event::Synced);
        } else if let Steering::Jumped(jump) = self.discipline.steer(now, server, estimate.rate) {
            self.declare(Cause::Correction, jump);
        }
        self.publish(now);
    }

    /// Another clock, or the same one set anew: begins again with this exchange, keeping the rate.
    fn start_over(&mut self, cause: Cause, exchange: &Exchange, proven: Interval, now: LocalTime) {
        self.probes.clear();
        self.schedule.burst();
        self.round_trip = RecentMinimum::new();
        match cause {
            Cause::ServerRestart => self.estimator.forget_server(),
            _ => self.estimator.forget_offset(),
        }
        self.interval = Some(proven);
        let before = self.current_server_time(now);
        self.learn(exchange, now);
        let Some(estimate) = self.estimate(now) else { return };
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        let jump = before.map_or(Span::ZERO, |before| server - before);
        let small = cause == Cause::ProvenStep && jump.abs() <= self.config.step_threshold;
        if small {
            self.discipline.steer(now, server, estimate.rate);
            self.declare(cause, Span::ZERO);
        } else {
            self.discipline.restart(now, server, estimate.rate);
            self.epoch = self.epoch.saturating_add(1);
            self.declare(cause, jump);
        }
        self.publish(now);
    }

    fn suspect(&mut self, proven: Interval, now: LocalTime) {
        let first = self.suspicion.is_none();
        let since = self.suspicion.as_ref().map_or(now, |suspicion| suspicion.since);
        self.suspicion = Some(Suspicion { proven, since });
        if first {
            self.events.push(Event::Degraded(Degradation::Contradiction));
            self.schedule.burst();
        }
        self.publish(now);
    }

    /// Everything that follows from an accepted exchange but the shown clock.
    fn learn(&mut self, exchange: &Exchange, now: LocalTime) {
        self.estimator.learn(exchange);
        self.limits.drift =
            self.limits.drift.max(self.estimator.evident_drift(self.config.max_drift_ppm * 1e-6));
        self.round_trip.add(exchange.round_trip().max(Span::ZERO));
        self.last_reply = Some(now);
        let was_degraded = self.suspicion.is_some() || self.doubted || self.holdover;
        (self.suspicion, self.doubted, self.holdover) = (None, false, false);
        let still_above = self.above_target && self.bound_exceeds_target(now);
        if (was_degraded || self.above_target) && !still_above && self.epoch > 0 {
            self.above_target = false;
            self.events.push(Event::Recovered);
        }
    }

    /// The estimate at `now`, moved into the hard interval if it is not there: the truth is.
    fn estimate(&self, now: LocalTime) -> Option<Estimate> {
        let mut estimate = self.estimator.at(now)?;
        // A clock that is read in steps is on average half a step ahead of what it says. The steps of the client's
        // stamps cancel against those of its readings.
        estimate.offset = estimate.offset.saturating_add(self.limits.server_step / 2);
        if let Some(interval) = &self.interval {
            let (upper, lower) = interval.at(now, &self.limits);
            estimate.offset = estimate.offset.min(upper).max(lower);
        }
        Some(estimate)
    }

    fn declare(&mut self, cause: Cause, jump: Span) {
        self.events.push(Event::Discontinuity { cause, jump, epoch: self.epoch });
    }

    fn state(&self) -> State {
        if self.epoch == 0 {
            State::Unsynced
        } else if self.doubted || self.suspicion.is_some() {
            State::Doubtful
        } else if self.holdover {
            State::Holdover
        } else {
            State::Synced
        }
    }

    fn publish_pending(&mut self, now: LocalTime) {
        if self.unpublished {
            self.publish(now);
        }
    }

    fn publish(&mut self, now: LocalTime) {
        let Some(mapping) = self.discipline.mapping() else { return };
        let snapshot = Snapshot {
            state: self.state(),
            epoch: self.epoch,
            server_epoch: self.server_epoch.unwrap_or(0),
            mapping: *mapping,
            position: self.position(now),
            round_trip: self.round_trip.get(),
        };
        self.unpublished = !self.reader.publish(&snapshot);
    }

    fn position(&self, now: LocalTime) -> Position {
        // After a local pause or step nothing is certain; under suspicion, only that one of two is right.
        let hard = match (&self.interval, &self.suspicion) {
            (Some(interval), _) if !self.doubted => {
                let (mut upper, mut lower) = interval.at(now, &self.limits);
                if let Some(suspicion) = &self.suspicion {
                    let (other_upper, other_lower) = suspicion.proven.at(now, &self.limits);
                    (upper, lower) = (upper.max(other_upper), lower.min(other_lower));
                }
                Some((upper, lower))
            }
            _ => None,
        };
        let unknown = Estimate { offset: 0, rate: 0.0, sigma: f64::INFINITY, sigma_rate: 0.0 };
        let estimate = self.estimate(now).unwrap_or(unknown);
        Position {
            reference: now,
            hard,
            hard_rate: self.limits.drift,
            offset: estimate.offset,
            sigma: estimate.sigma,
            sigma_rate: estimate.sigma_rate,
        }
    }
}
