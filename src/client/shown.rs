//! From the estimate to what is shown: the first time, later, and after a discontinuity.

use super::Client;
use super::events::{Cause, Event};
use crate::clock::{Position, Snapshot, State, Steering};
use crate::estimate::Estimate;
use crate::exchange::Exchange;
use crate::time::{LocalTime, ServerTime, Span};

/// A statement is waited for so much longer than a burst takes: four inquiries on a path of 240 ms.
const STATEMENT: Span = Span::from_secs(2);

/// The shown clock is to be set anew.
///
/// After a server's restart the clock of the old run goes on to be shown until the burst has been answered: the
/// first reply alone may be off by half the queueing it met, and a clock that is not yet good serves nobody better
/// than one that is still right about the past. A reading says which run it speaks of.
///
/// After a handover it goes on likewise, but it is good: the bound says how far it may be off the new authority's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anew {
    cause: Cause,
    /// The old run and the new one show the same timescale.
    goes_on: bool,
    /// Replies to wait for, and until when.
    replies: u32,
    until: Option<LocalTime>,
}

impl Anew {
    /// With the next estimate.
    pub(super) fn at_once(cause: Cause) -> Self {
        Anew { cause, goes_on: false, replies: 0, until: None }
    }

    /// Whether what is shown is another run of a clock than the one that replies come from, and stays for now.
    pub(super) fn is_restart(&self) -> bool {
        self.cause == Cause::ServerRestart && !self.goes_on
    }

    fn waits(&self, now: LocalTime) -> bool {
        self.replies > 0 && self.until.is_some_and(|until| now < until)
    }
}

impl Client {
    /// Before what was known is forgotten: how the shown clock shall get over it.
    pub(super) fn prepare_anew(&mut self, cause: Cause, exchange: &Exchange, now: LocalTime) {
        if self.anew.is_some_and(|anew| anew.is_restart()) {
            return; // On the way to a new run of the server already; what is shown stays until it is known.
        }
        self.anew = Some(match cause {
            Cause::ServerRestart => {
                let burst = self.config.burst_interval.ticks() * i64::from(self.config.burst_count);
                let until = now + Span::from_ticks(burst + burst / 3) + exchange.round_trip();
                Anew { cause, goes_on: false, replies: self.config.burst_count, until: Some(until) }
            }
            _ => Anew::at_once(cause),
        });
        if self.is_waiting(now) {
            self.publish_as_is(now);
        }
    }

    /// Brings the shown clock towards the estimate.
    pub(super) fn show(&mut self, now: LocalTime) {
        let Some(estimate) = self.estimate(now) else { return };
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        if let Some(anew) = &mut self.anew {
            anew.replies = anew.replies.saturating_sub(1);
            let Anew { cause, goes_on, .. } = *anew;
            if self.waits(now) {
                return self.publish(now);
            }
            self.anew = None;
            if goes_on {
                self.steer(now, server, estimate.rate);
            } else {
                self.show_anew(cause, now, server, estimate.rate);
            }
        } else if self.epoch == 0 {
            self.epoch = 1;
            self.discipline.restart(now, server, estimate.rate);
            self.events.push(Event::Synced);
        } else {
            self.steer(now, server, estimate.rate);
        }
        self.publish_estimate(now, Some(estimate));
    }

    fn steer(&mut self, now: LocalTime, server: ServerTime, rate: f64) {
        if let Steering::Jumped(jump) = self.discipline.steer(now, server, rate) {
            self.declare(Cause::Correction, jump);
        }
    }

    /// The old run and the new one show the same timescale: what is shown is good, and is corrected when the new one is
    /// known as well as the burst will tell.
    pub(super) fn turn_into_handover(&mut self) {
        if let Some(anew) = &mut self.anew {
            anew.goes_on = true;
        }
    }

    /// Sets the clock anew and says so; a step that is small enough is slewed after all.
    fn show_anew(&mut self, cause: Cause, now: LocalTime, server: ServerTime, rate: f64) {
        let jump = self.current_server_time(now).map_or(Span::ZERO, |shown| server - shown);
        if cause == Cause::ServerRestart || jump.abs() > self.config.step_threshold {
            self.discipline.restart(now, server, rate);
            self.epoch = self.epoch.saturating_add(1);
            self.declare(cause, jump);
        } else {
            self.discipline.steer(now, server, rate);
            if cause == Cause::ProvenStep {
                self.declare(cause, Span::ZERO);
            }
        }
    }

    /// What could not be shown or published when it came up.
    pub(super) fn catch_up(&mut self, now: LocalTime) {
        let overdue = self.anew.is_some_and(|anew| anew.until.is_some()) && !self.waits(now);
        let behind = self.anew.is_none() && self.discipline.is_behind(now);
        if overdue || behind {
            self.show(now);
        } else if self.unpublished {
            self.publish(now);
        }
    }

    /// The estimate at `now`, moved into the hard interval if it is not there: the truth is.
    fn estimate(&self, now: LocalTime) -> Option<Estimate> {
        let mut estimate = self.estimator.at(now)?;
        // A clock that is read in steps is on average half a step ahead of what it says. The steps of the client's
        // stamps cancel against those of its readings.
        estimate.offset = estimate.offset.saturating_add(self.limits.server_step / 2);
        let steps = (self.limits.client_step as f64).hypot(self.limits.server_step as f64);
        estimate.sigma = estimate.sigma.hypot(steps / 12_f64.sqrt());
        if let Some(interval) = &self.interval {
            let (upper, lower) = interval.at(now, &self.limits);
            estimate.offset = estimate.offset.min(upper).max(lower);
        }
        Some(estimate)
    }

    /// Whether the old run of the server is still shown while a new one is being learnt.
    fn is_waiting(&self, now: LocalTime) -> bool {
        self.anew.is_some_and(|anew| anew.is_restart()) && self.waits(now)
    }

    /// Whether what is shown is to stay for now. Whoever inquires also waits for a statement, which may be lost a few
    /// times: it decides whether the clock goes on or begins anew.
    fn waits(&self, now: LocalTime) -> bool {
        self.anew.is_some_and(|anew| {
            let until = if self.awaits_statement() { anew.until } else { None };
            anew.waits(now) || (anew.is_restart() && until.is_some_and(|until| now < until + STATEMENT))
        })
    }

    /// Publishes the state, unless what is shown is to stay for now.
    pub(super) fn publish(&mut self, now: LocalTime) {
        if !self.is_waiting(now) {
            self.publish_as_is(now);
        }
    }

    fn publish_as_is(&mut self, now: LocalTime) {
        self.publish_estimate(now, self.estimate(now));
    }

    /// Publishes the state with the estimate of `now`, which whoever has just steered by it knows already.
    fn publish_estimate(&mut self, now: LocalTime, estimate: Option<Estimate>) {
        if !self.is_waiting(now) {
            self.shown_epoch = self.server_epoch.unwrap_or(0);
        }
        let Some(mapping) = self.discipline.mapping() else { return };
        let snapshot = Snapshot {
            state: self.state(),
            epoch: self.epoch,
            server_epoch: self.shown_epoch,
            mapping: *mapping,
            position: self.position(now, estimate),
            round_trip: self.round_trip.get(),
        };
        self.unpublished = !self.reader.publish(&snapshot);
    }

    fn state(&self) -> State {
        if self.epoch == 0 {
            State::Unsynced
        } else if self.doubted || self.suspicion.is_some() || self.anew.is_some_and(|anew| !anew.goes_on) {
            State::Doubtful
        } else if self.holdover {
            State::Holdover
        } else {
            State::Synced
        }
    }

    fn position(&self, now: LocalTime, estimate: Option<Estimate>) -> Position {
        // After a local pause or step nothing is certain; under suspicion, only that one of two is right.
        let hard = self.interval.filter(|_| !self.doubted).map(|interval| {
            let (upper, lower) = interval.at(now, &self.limits);
            self.suspicion.as_ref().map_or((upper, lower), |suspicion| {
                let (other_upper, other_lower) = suspicion.proven.at(now, &self.limits);
                (upper.max(other_upper), lower.min(other_lower))
            })
        });
        let unknown = Estimate { offset: 0, rate: 0.0, sigma: f64::INFINITY, sigma_rate: 0.0 };
        let estimate = estimate.unwrap_or(unknown);
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
