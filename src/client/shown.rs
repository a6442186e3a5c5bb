//! What is shown: how the clock gets from what was shown to what is known, and what readers see of it.

use super::authorities::{Left, Stated};
use super::config::Config;
use super::events::{Cause, Event};
use super::known::View;
use super::reader::Reader;
use super::reset::{Reset, Wait};
use crate::clock::{Discipline, Snapshot, State, Steering};
use crate::memory::OutOfMemory;
use crate::time::{LocalTime, ServerTime, Span};

/// What there is to show at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outlook {
    pub(super) now: LocalTime,
    pub(super) known: View,
    /// The server epoch that this is known of.
    pub(super) server_epoch: Option<u64>,
    /// A statement about its authority may still arrive.
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
    reader: Reader,
    /// A snapshot could not be published yet.
    unpublished: bool,
    step_threshold: Span,
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
            unpublished: false,
            step_threshold: config.step_threshold,
            burst_count: config.burst_count,
            burst_interval: config.burst_interval,
        })
    }

    pub(super) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Whether there is a server time to show.
    pub(super) fn is_synced(&self) -> bool {
        self.epoch > 0
    }

    /// Brings the shown clock towards the estimate and publishes it. Returns an event if there is one.
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
        let event = match self.reset.take() {
            Some(Reset::AtOnce(cause)) => self.reset_by(cause, now, server, rate),
            Some(Reset::Restart { .. }) => self.reset_by(Cause::ServerRestart, now, server, rate),
            None if self.epoch == 0 => Some(self.begin(now, server, rate)),
            Some(Reset::HandedOver(_)) | None => self.steer(now, server, rate),
        };
        self.publish(outlook);
        event
    }

    fn begin(&mut self, now: LocalTime, server: ServerTime, rate: f64) -> Event {
        self.epoch = 1;
        self.discipline.restart(now, server, rate);
        Event::Synced
    }

    fn steer(&mut self, now: LocalTime, server: ServerTime, rate: f64) -> Option<Event> {
        match self.discipline.steer(now, server, rate) {
            Steering::Slewed => None,
            Steering::Jumped(jump) => Some(self.discontinuity(Cause::Correction, jump)),
        }
    }

    /// Resets the clock and declares it. A small step is slewed.
    fn reset_by(&mut self, cause: Cause, now: LocalTime, server: ServerTime, rate: f64) -> Option<Event> {
        let jump = self.reader.current_server_time(now).map_or(Span::ZERO, |shown| server - shown);
        if cause == Cause::ServerRestart || jump.abs() > self.step_threshold {
            self.discipline.restart(now, server, rate);
            self.epoch = self.epoch.saturating_add(1);
            return Some(self.discontinuity(cause, jump));
        }
        self.discipline.steer(now, server, rate);
        (cause == Cause::ProvenStep).then(|| self.discontinuity(cause, Span::ZERO))
    }

    /// The event that declares a discontinuity.
    pub(super) fn discontinuity(&self, cause: Cause, jump: Span) -> Event {
        Event::Discontinuity { cause, jump, epoch: self.epoch }
    }

    /// A clock stepped: resets the shown one with the next estimate.
    pub(super) fn plan_step(&mut self) {
        if !self.is_restarting() {
            self.reset = Some(Reset::AtOnce(Cause::ProvenStep));
        }
    }

    /// The server's clock was restarted. What is shown stays until the burst has been answered, which takes another
    /// `round_trip`. `outlook` is the last of the old run, of which `left` is known.
    pub(super) fn plan_restart(&mut self, left: Option<Left>, round_trip: Span, outlook: &Outlook) {
        if self.is_restarting() {
            return; // What is shown stays until the newest run is known.
        }
        let burst = self.burst_interval.ticks() * i64::from(self.burst_count);
        let until = outlook.now + Span::from_ticks(burst + burst / 3) + round_trip;
        let restart = Reset::Restart { left, wait: Wait { replies: self.burst_count, until } };
        self.reset = Some(restart);
        if restart.waits(outlook.now, outlook.awaits_authority) {
            self.write(outlook);
        }
    }

    /// The local clock was set back from `last` to `now`. Nobody knows how much time was lost, so the shown clock continues
    /// from what it showed until a reply decides. None if nothing was shown yet.
    pub(super) fn set_back(&mut self, last: LocalTime, now: LocalTime, rate: f64) -> Option<Event> {
        let server = self.reader.current_server_time(last)?;
        self.discipline.restart(now, server, rate);
        self.reset = Some(Reset::AtOnce(Cause::LocalStep));
        self.epoch = self.epoch.saturating_add(1);
        Some(self.discontinuity(Cause::LocalStep, Span::ZERO))
    }

    /// What was known of an old run is worthless, because the local clock may have missed time.
    pub(super) fn forget_left(&mut self) {
        if let Some(reset) = &mut self.reset {
            reset.forget_left();
        }
    }

    /// What was known of the old run, while it is shown and replies come from another one.
    pub(super) fn left(&self) -> Option<Left> {
        match self.reset {
            Some(Reset::Restart { left, .. }) => left,
            _ => None,
        }
    }

    /// What was said of the old run, while it is shown and replies come from another one.
    pub(super) fn replaced(&self) -> Option<Stated> {
        match self.reset {
            Some(Reset::Restart { left: Some(left), .. }) => Some(left.stated),
            Some(Reset::Restart { left: None, .. }) => Some(Stated::alone(self.server_epoch)),
            _ => None,
        }
    }

    /// The old run and the new one show the same timescale: what is shown is good.
    pub(super) fn hand_over(&mut self) -> Event {
        if let Some(reset) = &mut self.reset {
            reset.hand_over();
        }
        Event::HandedOver
    }

    fn is_restarting(&self) -> bool {
        self.reset.is_some_and(|reset| reset.is_restart())
    }

    /// Whether something is to be shown at `now` that had to wait when it came up.
    pub(super) fn is_due(&self, now: LocalTime, awaits_authority: bool) -> bool {
        match &self.reset {
            Some(reset) => reset.is_overdue(now, awaits_authority),
            None => self.discipline.is_behind(now),
        }
    }

    /// Whether readers do not see the newest state yet.
    pub(super) fn is_unpublished(&self) -> bool {
        self.unpublished
    }

    /// Publishes the state, unless the old run of a restarted server is to stay for now.
    pub(super) fn publish(&mut self, outlook: &Outlook) {
        let Outlook { now, awaits_authority, .. } = *outlook;
        if self.reset.is_some_and(|reset| reset.is_restart() && reset.waits(now, awaits_authority)) {
            return;
        }
        self.server_epoch = outlook.server_epoch.unwrap_or(0);
        self.write(outlook);
    }

    fn write(&mut self, outlook: &Outlook) {
        let Some(mapping) = self.discipline.mapping() else { return };
        let snapshot = Snapshot {
            state: self.state(&outlook.known),
            epoch: self.epoch,
            server_epoch: self.server_epoch,
            mapping: *mapping,
            position: outlook.known.position,
            round_trip: outlook.known.round_trip,
        };
        self.unpublished = !self.reader.publish(&snapshot);
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
mod tests {
    use super::*;
    use crate::clock::Position;
    use crate::estimate::Estimate;

    fn at(ms: i64) -> LocalTime {
        LocalTime::from_ticks(ms * 10_000)
    }

    /// At `ms` the server is known to be ahead by `offset` ms.
    fn outlook(ms: i64, offset: i64, server_epoch: u64) -> Outlook {
        let (now, offset) = (at(ms), offset * 10_000);
        let estimate = Estimate { offset, rate: 0.0, sigma: 10.0, sigma_rate: 1e-6 };
        let hard = Some((offset + 50, offset - 50));
        let position =
            Position { reference: now, hard, hard_rate: 1e-4, offset, sigma: 10.0, sigma_rate: 1e-6 };
        let known = View {
            estimate: Some(estimate),
            position,
            round_trip: Span::from_millis(40),
            is_doubtful: false,
            is_holdover: false,
        };
        Outlook { now, known, server_epoch: Some(server_epoch), awaits_authority: false }
    }

    fn unsynced(config: &Config) -> Shown {
        Shown::new(config).expect("there is memory")
    }

    /// A clock that shows a server which is ahead by a second.
    fn shown() -> Shown {
        let mut shown = unsynced(&Config { burst_count: 2, ..Config::default() });
        assert_eq!(shown.show(&outlook(0, 1_000, 1)), Some(Event::Synced));
        shown
    }

    fn discontinuity(cause: Cause, jump: i64, epoch: u32) -> Option<Event> {
        Some(Event::Discontinuity { cause, jump: Span::from_millis(jump), epoch })
    }

    #[test]
    fn after_a_restart_the_old_run_stays_until_the_burst_is_answered() {
        let mut shown = shown();
        shown.plan_restart(None, Span::from_millis(40), &outlook(100, 1_000, 2));
        let read = |shown: &Shown, ms| {
            let reading = shown.reader().read(at(ms));
            (reading.state, reading.server_epoch, reading.server_time - ServerTime::from_ticks(0))
        };
        assert_eq!(shown.show(&outlook(110, 5_000, 2)), None);
        assert_eq!(read(&shown, 110), (State::Doubtful, 1, Span::from_millis(1_110)));
        assert_eq!(shown.replaced(), Some(Stated::alone(1)));
        assert_eq!(shown.show(&outlook(120, 5_000, 2)), discontinuity(Cause::ServerRestart, 4_000, 2));
        assert_eq!(read(&shown, 120), (State::Synced, 2, Span::from_millis(5_120)));
        assert_eq!(shown.replaced(), None);
    }

    #[test]
    fn unanswered_bursts_are_overdue() {
        let mut shown = shown();
        shown.plan_restart(None, Span::from_millis(40), &outlook(100, 1_000, 2));
        // Two requests of 20 ms, a third more, and the round trip.
        assert!(!shown.is_due(at(193), false) && shown.is_due(at(194), false));
    }

    #[test]
    fn a_small_step_is_slewed_and_a_large_one_resets() {
        let mut shown = shown();
        shown.plan_step();
        assert_eq!(shown.show(&outlook(100, 1_100, 1)), discontinuity(Cause::ProvenStep, 0, 1));
        shown.plan_step();
        let event = shown.show(&outlook(101, 9_000, 1));
        assert_eq!(event, discontinuity(Cause::ProvenStep, 8_000, 2));
    }

    #[test]
    fn a_local_clock_that_was_set_back_shows_what_it_showed() {
        let mut shown = shown();
        assert_eq!(shown.set_back(at(9_000), at(50), 0.0), discontinuity(Cause::LocalStep, 0, 2));
        shown.publish(&outlook(50, 1_000, 1));
        let reading = shown.reader().read(at(50));
        assert_eq!((reading.server_time.ticks(), reading.state), (10_000 * 10_000, State::Doubtful));
        assert_eq!(unsynced(&Config::default()).set_back(at(9_000), at(50), 0.0), None);
    }

    #[test]
    fn readers_see_how_far_the_clock_can_be_relied_on() {
        let mut shown = shown();
        let mut state = |change: fn(&mut View)| {
            let mut outlook = outlook(100, 1_000, 1);
            change(&mut outlook.known);
            shown.publish(&outlook);
            assert!(!shown.is_unpublished());
            shown.reader().read(at(100)).state
        };
        assert_eq!(state(|_| {}), State::Synced);
        assert_eq!(state(|known| known.is_holdover = true), State::Holdover);
        assert_eq!(state(|known| (known.is_holdover, known.is_doubtful) = (true, true)), State::Doubtful);
        assert_eq!(unsynced(&Config::default()).reader().read(at(100)).state, State::Unsynced);
    }
}
