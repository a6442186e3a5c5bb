//! Following one server: time that passes, exchanges that agree, exchanges that do not.

use super::Client;
use super::events::{Cause, Degradation, Event};
use super::path::RecentMinimum;
use super::schedule::Pace;
use super::show::Anew;
use super::watch::{self, Suspicion, Verdict};
use crate::estimate::Interval;
use crate::exchange::Refusal;
use crate::exchange::{Exchange, Request, RequestId};
use crate::time::TimeError;
use crate::time::{LocalTime, Span};

/// A local time earlier than the last by less than this is a caller's mistake and refused; by more, the local
/// clock was set back, and the session starts over.
const LOCAL_STEP: Span = Span::from_secs(1);

impl Client {
    /// Notices time that is missing or runs backwards.
    pub(super) fn advance(&mut self, now: LocalTime) -> Result<(), TimeError> {
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
            self.anew = Some(Anew::at_once(Cause::LocalStep));
            self.epoch = self.epoch.saturating_add(1);
            self.declare(Cause::LocalStep, Span::ZERO);
            self.publish(now);
        }
    }

    fn local_clock_paused(&mut self, now: LocalTime) {
        self.schedule.burst();
        if self.is_time_synced() {
            self.doubted = true;
            self.succession.forget_left();
            self.declare(Cause::LocalGap, Span::ZERO);
            self.publish(now);
        }
    }

    pub(super) fn watch_quality(&mut self, now: LocalTime) {
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

    pub(super) fn request(&mut self, now: LocalTime) -> Request {
        let id = RequestId(self.random.next());
        self.probes.insert(id, now);
        let pace = Pace {
            answered: self.is_time_synced() && !self.holdover,
            sigma_rate: self.estimator.sigma_rate(),
        };
        self.schedule.sent(now, pace, &mut self.random);
        Request { id, client_time: now, reliable: !self.is_time_synced() }
    }

    /// Learns from a checked exchange.
    pub(super) fn use_exchange(
        &mut self,
        exchange: &Exchange,
        server_epoch: Option<u64>,
    ) -> Result<(), Refusal> {
        let arrived = exchange.client_received;
        // An arrival before the last call was stamped earlier and handled late: no news about the local clock.
        if self.last_call.is_none_or(|last| arrived >= last) {
            self.advance(arrived).map_err(|_| Refusal::StampOutOfRange)?;
        }
        let now = self.last_call.map_or(arrived, |last| last.max(arrived));
        let proven = Interval::of(exchange, &self.limits);
        let other_server = match (self.server_epoch, server_epoch) {
            (Some(known), Some(named)) if known != named => Some(named),
            _ => None,
        };
        if let Some(other) = other_server {
            self.leave_for(other);
        }
        if let (None, Some(first)) = (self.server_epoch, server_epoch) {
            self.begin_with(first);
        }
        self.server_epoch = server_epoch.or(self.server_epoch);
        if other_server.is_some() {
            self.start_over(Cause::ServerRestart, exchange, proven, now);
            return Ok(());
        }
        let (known, suspicion) = (self.interval.as_ref(), self.suspicion.as_ref());
        match watch::judge(known, suspicion, &proven, self.doubted, now, &self.limits) {
            Verdict::Agrees => self.accept(exchange, proven, now),
            Verdict::Stepped => self.start_over(Cause::ProvenStep, exchange, proven, now),
            Verdict::Undecided => return Err(Refusal::Contradiction),
            Verdict::Suspicious => {
                self.suspect(proven, now);
                return Err(Refusal::Contradiction);
            }
        }
        Ok(())
    }

    fn accept(&mut self, exchange: &Exchange, proven: Interval, now: LocalTime) {
        match &mut self.interval {
            Some(interval) => interval.tighten(&proven, now, &self.limits),
            none => *none = Some(proven),
        }
        self.learn(exchange, now);
        self.go_on(now);
        self.show(now);
    }

    /// Another clock, or the same one set anew: begins again with this exchange, keeping the rate.
    fn start_over(&mut self, cause: Cause, exchange: &Exchange, proven: Interval, now: LocalTime) {
        self.prepare_anew(cause, exchange, now);
        self.probes.clear();
        self.schedule.burst();
        self.round_trip = RecentMinimum::new();
        match cause {
            Cause::ServerRestart => self.estimator.forget_server(),
            _ => self.estimator.forget_offset(),
        }
        self.interval = Some(proven);
        self.learn(exchange, now);
        self.go_on(now);
        self.show(now);
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
        let evident = self.estimator.evident_drift(self.config.max_drift_ppm * 1e-6);
        self.limits.drift = self.limits.drift.max(evident);
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

    pub(super) fn declare(&mut self, cause: Cause, jump: Span) {
        self.events.push(Event::Discontinuity { cause, jump, epoch: self.epoch });
    }
}
