//! What is shown: how the clock gets from the time it showed to the time it estimates, and what readers see
//! of it.

use super::authorities::{Left, Stated};
use super::config::Config;
use super::events::{Cause, Event};
use super::known::View;
use super::reader::Reader;
use super::reset::{Reset, Wait};
use crate::clock::discipline::{Discipline, Line, Snapshot, State, Steering};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Reads further ahead of the present than this were forecasts. If a program calls with a `now` older than
/// this, it hung for so long that its players noticed. Forecasts delay corrections by no more than this.
const FORECAST: Span = Span::from_secs(2);

/// How often a correction is tried before it is left to the next call: readers may be faster.
const TRIES: usize = 3;

/// A requested step smaller than this does nothing: the current slew is finer.
const LEAST_STEP: Span = Span::from_micros(1);

/// The first replies of a new clock may have been delayed by a name lookup or a radio that wakes up. So for
/// this time after the first two that agree, a correction larger than jitter is a step if slewing it would
/// take longer than this.
const EARLY: Span = Span::from_secs(1);
const JITTER: Span = Span::from_millis(50);

/// What is to be shown at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outlook {
    pub(super) now: LocalTime,
    /// Whether the caller says that it is `now`; a reply may have been stamped long ago.
    pub(super) is_present: bool,
    pub(super) known: View,
    /// The server epoch to which this applies.
    pub(super) server_epoch: Option<u64>,
    /// A statement about the server's authority may still arrive.
    pub(super) awaits_authority: bool,
}

/// The clock that readers see.
#[derive(Debug)]
pub(super) struct Shown {
    discipline: Discipline,
    reset: Option<Reset>,
    /// Counts the resets. Zero: nothing was shown yet.
    epoch: u32,
    /// The server epoch that is shown.
    server_epoch: u64,
    pub(super) reader: Reader,
    /// A snapshot is still to be published.
    pub(super) is_unpublished: bool,
    /// The line differs from the published one, and nobody has read it yet.
    is_new: bool,
    /// A correction was postponed.
    is_behind: bool,
    step_threshold: Span,
    /// Start of the first second, in which corrections above the threshold are steps. `None`: it starts with
    /// the next confirmed estimate.
    began: Option<LocalTime>,
    early_threshold: Span,
    burst_count: u32,
    burst_interval: Span,
}

impl Shown {
    /// Nothing is shown.
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

    /// Whether there is a server time to show.
    pub(super) fn is_synced(&self) -> bool {
        self.epoch > 0
    }

    /// Moves the shown clock towards the estimate and publishes it. Returns an event if something is to be
    /// reported.
    pub(super) fn show(&mut self, outlook: &Outlook) -> Option<Event> {
        let estimate = outlook.known.estimate?;
        let (now, rate) = (outlook.now, estimate.rate);
        let server = ServerTime::from_ticks(now.ticks().saturating_add(estimate.offset));
        if let Some(reset) = &mut self.reset {
            reset.count_reply();
            if reset.waits(now, outlook.awaits_authority) {
                self.publish(outlook);
                return None;
            }
        }
        if outlook.known.is_confirmed {
            self.began.get_or_insert(now);
        }
        let is_early = self.began.is_some_and(|began| (now - began).abs() < EARLY) && !self.is_new;
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

    /// Corrects the line from where nobody has read it, and publishes it. If readers are faster, the
    /// correction is postponed.
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
            let (steering, until) = discipline.steer(now, read.min(latest), server, rate);
            let line = Line::Bent { read: read.ticks(), until: until.ticks() };
            if self.write(&discipline, line, outlook) {
                self.discipline = discipline;
                (self.is_behind, self.is_unpublished) = (false, false);
                return match steering {
                    Steering::Slewed => None,
                    Steering::Jumped(jump) => Some(self.discontinuity(Cause::Correction, jump)),
                };
            }
        }
        self.is_behind = true;
        None
    }

    /// The next estimate may be the first of a path that delays its first packets.
    pub(super) fn begin_anew(&mut self) {
        self.began = None;
    }

    /// Steps to the estimate at once: within the epoch if every reader sees a step forwards, otherwise in a
    /// new epoch. `None` if there is nothing to step to: before the first reply, while the client waits for
    /// replies of a restarted server, or if the remaining correction is below `least`.
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

    /// Jumps forwards and publishes it. False if a reader could see a step back, or was faster.
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

    /// Resets the clock and reports it. A small step is slewed.
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

    /// The event that reports a discontinuity.
    pub(super) fn discontinuity(&self, cause: Cause, jump: Span) -> Event {
        Event::Discontinuity { cause, jump, epoch: self.epoch }
    }

    /// A clock stepped: the next estimate resets the shown one.
    pub(super) fn plan_step(&mut self) {
        if !self.is_restarting() {
            self.reset = Some(Reset::AtOnce(Cause::ProvenStep));
        }
    }

    /// The wait until a burst that begins at `now` is answered, which takes another `round_trip`.
    pub(super) fn wait_for_burst(&self, now: LocalTime, round_trip: Span) -> Wait {
        let burst = self.burst_interval.ticks() * i64::from(self.burst_count);
        Wait { replies: self.burst_count, until: now + Span::from_ticks(burst + burst / 3) + round_trip }
    }

    /// The server's clock was restarted. The shown time stays for `wait`. `outlook` is the last one of the
    /// old run, about which `left` is known.
    pub(super) fn plan_restart(&mut self, left: Option<Left>, wait: Wait, outlook: &Outlook) {
        if self.is_restarting() {
            return; // What is shown stays until the newest run is known.
        }
        let restart = Reset::Restart { left, wait };
        self.reset = Some(restart);
        if restart.waits(outlook.now, outlook.awaits_authority) {
            self.write_line(outlook);
        }
    }

    /// The local clock was set back from `last` to `now`. How much time was lost is unknown, so the shown
    /// clock continues from what it showed until a reply decides. `None` if nothing was shown yet.
    pub(super) fn set_back(&mut self, last: LocalTime, now: LocalTime, rate: f64) -> Option<Event> {
        let server = self.discipline.mapping?.server_at(last);
        self.restart(now, server, rate);
        self.reset = Some(Reset::AtOnce(Cause::LocalStep));
        self.epoch = self.epoch.saturating_add(1);
        Some(self.discontinuity(Cause::LocalStep, Span::ZERO))
    }

    /// The local clock may have missed time, so what was known about an old run is worthless even while it is
    /// shown.
    pub(super) fn doubt(&mut self, outlook: &Outlook) {
        if let Some(reset) = &mut self.reset {
            reset.forget_left();
        }
        self.write_line(outlook);
    }

    /// What was known about the old run, while it is shown and replies come from another one.
    pub(super) fn left(&self) -> Option<Left> {
        match self.reset {
            Some(Reset::Restart { left, .. }) => left,
            _ => None,
        }
    }

    /// The statement about the old run, while it is shown and replies come from another one.
    pub(super) fn replaced(&self) -> Option<Stated> {
        match self.reset {
            Some(Reset::Restart { left: Some(left), .. }) => Some(left.stated),
            Some(Reset::Restart { left: None, .. }) => Some(Stated::alone(self.server_epoch)),
            _ => None,
        }
    }

    /// The old run and the new one share a timescale, so the shown time is right.
    pub(super) fn hand_over(&mut self) -> Event {
        if let Some(reset) = &mut self.reset {
            reset.hand_over();
        }
        Event::HandedOver
    }

    fn is_restarting(&self) -> bool {
        self.reset.is_some_and(|reset| reset.is_restart())
    }

    /// Whether something that had to wait is to be shown at `now`.
    pub(super) fn is_due(&self, now: LocalTime, awaits_authority: bool) -> bool {
        match &self.reset {
            Some(reset) => reset.is_overdue(now, awaits_authority),
            None => self.is_behind,
        }
    }

    /// Publishes the state, unless the old run of a restarted server is still shown.
    pub(super) fn publish(&mut self, outlook: &Outlook) {
        let Outlook { now, awaits_authority, .. } = *outlook;
        if self.reset.is_some_and(|reset| reset.is_restart() && reset.waits(now, awaits_authority)) {
            return;
        }
        self.server_epoch = outlook.server_epoch.unwrap_or(0);
        self.write_line(outlook);
    }

    /// Publishes the line as it is.
    fn write_line(&mut self, outlook: &Outlook) {
        let line = if self.is_new { Line::New } else { Line::Kept };
        self.is_unpublished = self.is_synced() && !self.write(&self.discipline, line, outlook);
        self.is_new &= self.is_unpublished;
    }

    /// Publishes what `discipline` shows. False if a reader is in the way.
    fn write(&self, discipline: &Discipline, line: Line, outlook: &Outlook) -> bool {
        let Some(mapping) = discipline.mapping else { return false };
        debug_assert!(self.is_synced(), "nothing is shown before there is a time to show");
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
