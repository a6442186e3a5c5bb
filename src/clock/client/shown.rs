//! Steers the shown clock towards the estimate and publishes it to readers.

use super::authorities::{Left, Stated};
use super::config::Config;
use super::events::{Cause, Event};
use super::known::View;
use super::reader::Reader;
use super::reset::{Reset, Wait};
use crate::clock::discipline::{Discipline, Line, Snapshot, State};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Reads that are further ahead of the latest call are only forecasts, so a read delays a correction by at
/// most this much. A program that makes no call for this long has noticeably hung.
const FORECAST: Span = Span::from_secs(2);

/// If readers keep reading ahead, we give up after this many attempts and try again at the next call.
const TRIES: usize = 3;

/// We ignore requests for smaller steps, because slewing is more precise.
const LEAST_STEP: Span = Span::from_micros(1);

/// The first replies of a new clock may be delayed by a name lookup or by a radio that wakes up. For this
/// long after two exchanges first agree, a correction above [`JITTER`] is a step if slewing it would take
/// longer. Before that, half the round trip must also be below [`JITTER`], to avoid a second step.
const EARLY: Span = Span::from_secs(1);
const JITTER: Span = Span::from_millis(50);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outlook {
    pub(super) now: LocalTime,
    /// True if `now` is the current time, and false if it is the timestamp of a reply that was handled late.
    pub(super) is_present: bool,
    pub(super) known: View,
    pub(super) server_epoch: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Shown {
    discipline: Discipline,
    reset: Option<Reset>,
    epoch: u32,
    server_epoch: u64,
    pub(super) reader: Reader,
    pub(super) is_unpublished: bool,
    /// True if the line was replaced after the last publication, so no reader has seen the new line.
    is_new: bool,
    is_behind: bool,
    step_threshold: Span,
    /// Start of the first second, in which large corrections are steps, or `None` until an estimate is
    /// confirmed.
    began: Option<LocalTime>,
    early_threshold: Span,
    burst_count: u32,
    burst_interval: Span,
}

impl Shown {
    pub(super) fn new(config: &Config) -> Result<Self, OutOfMemory> {
        Ok(Shown {
            discipline: Discipline::new(config.max_slew, config.step_threshold),
            reset: None,
            epoch: 0,
            server_epoch: 0,
            reader: Reader::new()?,
            is_unpublished: false,
            is_new: false,
            is_behind: false,
            step_threshold: config.step_threshold,
            began: None,
            early_threshold: JITTER.max(Span::from_secs_f64(EARLY.as_secs_f64() * config.max_slew)),
            burst_count: config.burst_count,
            burst_interval: config.burst_interval,
        })
    }

    pub(super) fn is_synced(&self) -> bool {
        self.epoch > 0
    }

    pub(super) fn show(&mut self, outlook: &Outlook) -> Option<Event> {
        let estimate = outlook.known.estimate?;
        let (now, rate) = (outlook.now, estimate.rate);
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        if let Some(reset) = &mut self.reset {
            reset.count_reply();
            if reset.waits(now) {
                self.publish(outlook);
                return None;
            }
        }
        if outlook.known.is_confirmed {
            self.began.get_or_insert(now);
        }
        // Until a second exchange agrees, the estimate may be off by half a round trip.
        let is_near = outlook.known.round_trip < self.early_threshold + self.early_threshold;
        let is_early = self.began.map_or(is_near, |began| (now - began).abs() < EARLY) && !self.is_new;
        let event = match self.reset.take() {
            Some(Reset::AtOnce(cause)) => self.reset_by(cause, outlook, server, rate),
            Some(Reset::Restart { .. }) => self.reset_by(Cause::ServerRestart, outlook, server, rate),
            None if self.epoch == 0 => {
                self.epoch = 1;
                self.restart(now, server, rate);
                Some(Event::Synced)
            }
            Some(Reset::HandedOver(_)) | None => {
                let step = is_early.then(|| self.step(outlook, self.early_threshold, Cause::Correction));
                step.flatten().or_else(|| self.steer(outlook, server, rate))
            }
        };
        if self.is_new || self.is_behind {
            self.publish(outlook);
        }
        event
    }

    fn restart(&mut self, now: LocalTime, server: ServerTime, rate: f64) {
        self.discipline.restart(now, server, rate);
        (self.is_new, self.is_behind) = (true, false);
    }

    /// Corrects the published line after the last instant that was read, or later if readers keep reading
    /// ahead.
    fn steer(&mut self, outlook: &Outlook, server: ServerTime, rate: f64) -> Option<Event> {
        let now = outlook.now;
        if self.is_new {
            self.restart(now, server, rate);
            return None;
        }
        self.server_epoch = outlook.server_epoch.unwrap_or(0);
        for _ in 0..TRIES {
            let (read, latest) = (self.reader.horizon(), now + FORECAST);
            if read > latest && !outlook.is_present {
                break;
            }
            let mut discipline = self.discipline.clone();
            let (jump, until) = discipline.steer(now, read.min(latest), server, rate);
            let line = Line::Bent { read: read.ticks(), until: until.ticks() };
            if self.write(&discipline, line, outlook) {
                self.discipline = discipline;
                (self.is_behind, self.is_unpublished) = (false, false);
                return jump.map(|jump| self.discontinuity(Cause::Correction, jump));
            }
        }
        self.is_behind = true;
        None
    }

    /// Allows early steps for another second, because a new path may also delay its first packets.
    pub(super) fn begin_anew(&mut self) {
        self.began = None;
    }

    /// Steps to the estimate at once, and begins a new epoch unless the step is forward for every reader.
    /// Returns `None` before the first reply and while the client waits for a restarted server's replies.
    /// Also returns `None` if the remaining correction is less than `least`.
    pub(super) fn step(&mut self, outlook: &Outlook, least: Span, cause: Cause) -> Option<Event> {
        let estimate = outlook.known.estimate.filter(|_| self.is_synced() && !self.is_restarting())?;
        let (now, rate) = (outlook.now, estimate.rate);
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        let step = server - self.discipline.mapping?.server_at(now);
        if step.abs() < least.max(LEAST_STEP) {
            return None;
        }
        self.reset = None;
        if step < Span::ZERO || !self.jump(outlook, server, rate) {
            self.restart(now, server, rate);
            self.epoch = self.epoch.saturating_add(1);
            self.publish(outlook);
        }
        Some(self.discontinuity(cause, step))
    }

    /// Returns false if a reader could see a backward step, or if readers keep reading ahead.
    fn jump(&mut self, outlook: &Outlook, server: ServerTime, rate: f64) -> bool {
        (0..TRIES).any(|_| {
            let read = self.reader.horizon().min(outlook.now + FORECAST);
            let mut discipline = self.discipline.clone();
            let until = discipline.jump(outlook.now, read, server, rate);
            until.is_some_and(|until| {
                let line = Line::Bent { read: read.ticks(), until: until.ticks() };
                let is_written = self.write(&discipline, line, outlook);
                if is_written {
                    self.discipline = discipline;
                    (self.is_new, self.is_behind, self.is_unpublished) = (false, false, false);
                }
                is_written
            })
        })
    }

    /// Steps to `server`, or slews if the server did not restart and the step is within the threshold.
    fn reset_by(&mut self, cause: Cause, outlook: &Outlook, server: ServerTime, rate: f64) -> Option<Event> {
        let now = outlook.now;
        let jump = self.discipline.mapping.map_or(Span::ZERO, |shown| server - shown.server_at(now));
        if cause == Cause::ServerRestart || jump.abs() > self.step_threshold {
            self.restart(now, server, rate);
            self.epoch = self.epoch.saturating_add(1);
            self.began = None;
            return Some(self.discontinuity(cause, jump));
        }
        self.steer(outlook, server, rate);
        (cause == Cause::ProvenStep).then(|| self.discontinuity(cause, Span::ZERO))
    }

    pub(super) fn discontinuity(&self, cause: Cause, jump: Span) -> Event {
        Event::Discontinuity { cause, jump, epoch: self.epoch }
    }

    pub(super) fn plan_step(&mut self) {
        if !self.is_restarting() {
            self.reset = Some(Reset::AtOnce(Cause::ProvenStep));
        }
    }

    pub(super) fn wait_for_burst(&self, now: LocalTime, round_trip: Span) -> Wait {
        let burst = self.burst_interval.ticks() * i64::from(self.burst_count);
        Wait { replies: self.burst_count, until: now + Span::from_ticks(burst + burst / 3) + round_trip }
    }

    /// Keeps showing the old clock for `wait`. `outlook` and `left` describe the server before its restart.
    pub(super) fn plan_restart(&mut self, left: Option<Left>, wait: Wait, outlook: &Outlook) {
        if self.is_restarting() {
            return; // The shown clock stays until the newest run is known.
        }
        let restart = Reset::Restart { left, wait };
        self.reset = Some(restart);
        if restart.waits(outlook.now) {
            self.write_line(outlook);
        }
    }

    /// Handles a backward step of the local clock from `last` to `now`. The shown clock continues from its
    /// last time until the next reply reveals the size of the step. Returns `None` before the first sync.
    pub(super) fn set_back(&mut self, last: LocalTime, now: LocalTime, rate: f64) -> Option<Event> {
        let server = self.discipline.mapping?.server_at(last);
        self.restart(now, server, rate);
        self.reset = Some(Reset::AtOnce(Cause::LocalStep));
        self.epoch = self.epoch.saturating_add(1);
        Some(self.discontinuity(Cause::LocalStep, Span::ZERO))
    }

    /// Publishes a doubtful state and forgets the server's old run, because the local clock may have missed
    /// time.
    pub(super) fn doubt(&mut self, outlook: &Outlook) {
        if let Some(reset) = &mut self.reset {
            reset.forget_left();
        }
        self.write_line(outlook);
    }

    pub(super) fn left(&self) -> Option<Left> {
        match self.reset {
            Some(Reset::Restart { left, .. }) => left,
            _ => None,
        }
    }

    pub(super) fn replaced(&self) -> Option<Stated> {
        match self.reset {
            Some(Reset::Restart { left: Some(left), .. }) => Some(left.stated),
            Some(Reset::Restart { left: None, .. }) => Some(Stated::alone(self.server_epoch)),
            _ => None,
        }
    }

    pub(super) fn hand_over(&mut self) -> Event {
        if let Some(reset) = &mut self.reset {
            reset.hand_over();
        }
        Event::HandedOver
    }

    fn is_restarting(&self) -> bool {
        self.reset.is_some_and(|reset| reset.is_restart())
    }

    pub(super) fn is_due(&self, now: LocalTime) -> bool {
        match &self.reset {
            Some(reset) => reset.is_overdue(now),
            None => self.is_behind,
        }
    }

    /// Publishes the state unless the clock from before a restart is still shown.
    pub(super) fn publish(&mut self, outlook: &Outlook) {
        if self.reset.is_some_and(|reset| reset.is_restart() && reset.waits(outlook.now)) {
            return;
        }
        self.server_epoch = outlook.server_epoch.unwrap_or(0);
        self.write_line(outlook);
    }

    fn write_line(&mut self, outlook: &Outlook) {
        let line = if self.is_new { Line::New } else { Line::Kept };
        self.is_unpublished = self.is_synced() && !self.write(&self.discipline, line, outlook);
        self.is_new &= self.is_unpublished;
    }

    fn write(&self, discipline: &Discipline, line: Line, outlook: &Outlook) -> bool {
        let Some(mapping) = discipline.mapping else { return false };
        debug_assert!(self.is_synced(), "the clock is synced");
        let snapshot = Snapshot {
            state: self.state(&outlook.known),
            epoch: self.epoch,
            server_epoch: self.server_epoch,
            mapping,
            position: outlook.known.position,
            round_trip: outlook.known.round_trip,
        };
        self.reader.publish(&snapshot, line)
    }

    fn state(&self, known: &View) -> State {
        if self.epoch == 0 {
            State::Unsynced
        } else if known.is_doubtful || self.reset.is_some_and(|reset| !reset.is_good()) {
            State::Doubtful
        } else if known.is_holdover {
            State::Holdover
        } else {
            State::Synced
        }
    }
}

#[cfg(test)]
mod tests;
