//! The client side of synchronised starts.

use super::message::{Announcement, Claim, Fired, REPORT_INTERVAL, Report};
use crate::clock::{LocalTime, Reading, ServerTime, Span, State};

/// A participant's progress towards a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// No start was announced, or it was cancelled.
    #[default]
    Waiting,
    /// A start was announced and has not happened yet.
    Announced,
    /// The start has happened.
    Started,
}

/// A participant's state in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The participant's progress towards the start.
    pub stage: Stage,
    /// Whether to start in this frame, which is true in only one frame per start.
    pub fires: bool,
    /// Whether the announcement arrived after the start. The game has then been running since
    /// [`at`](Self::at).
    pub joins_late: bool,
    /// The announcement's version, or zero while waiting.
    pub version: u32,
    /// The server time at which to start, or zero while waiting.
    pub at: ServerTime,
    /// How long after `at` the participant started, according to its clock.
    pub lateness: Span,
    /// The error bound of the participant's clock when it started, or [`Span::MAX`] if it had none.
    pub error_bound: Span,
    /// The expected error of the participant's clock when it started.
    pub expected_error: Span,
}

impl Default for Progress {
    fn default() -> Self {
        Progress {
            stage: Stage::Waiting,
            fires: false,
            joins_late: false,
            version: 0,
            at: ServerTime::from_ticks(0),
            lateness: Span::ZERO,
            error_bound: Span::ZERO,
            expected_error: Span::ZERO,
        }
    }
}

/// Takes part in the starts of one host. No call allocates memory.
#[derive(Debug, Default)]
pub(crate) struct Participant {
    number: u32,
    reported: Option<LocalTime>,
    /// The latest report that was not sent yet.
    pub(crate) report: Option<Report>,
    /// The latest announcement and its server epoch. The announcement takes effect once the clock has reached
    /// that epoch.
    pub(crate) announced: Option<(u64, Announcement)>,
    server_epoch: Option<u64>,
    progress: Progress,
    shown: Option<ServerTime>,
}

impl Participant {
    /// Drops an announced start after `now`, or any announced start if `now` is `None`. The host is preparing
    /// another start. Also drops the unsent report, because it may have been created in another world. The
    /// next tick then creates a new report.
    pub(crate) fn call_off(&mut self, now: Option<ServerTime>) {
        (self.reported, self.report, self.announced) = (None, None, None);
        if self.progress.stage == Stage::Announced && now.is_none_or(|now| self.progress.at > now) {
            self.progress = Progress::default();
        }
    }

    /// Advances to the frame at `now`, in which the client's clock shows `reading`. The start fires in the
    /// first frame at or after its server time. `now` must be valid.
    pub(crate) fn tick(&mut self, now: LocalTime, reading: &Reading) -> Progress {
        let epoch = (reading.state != State::Unsynced).then_some(reading.server_epoch);
        if epoch != self.server_epoch {
            // A new server epoch invalidates earlier versions and times.
            (self.server_epoch, self.progress) = (epoch, Progress::default());
            self.announced = self.announced.filter(|(of, _)| epoch.is_none_or(|epoch| epoch == *of));
        }
        self.follow(reading.server_time);
        let progress = &mut self.progress;
        progress.fires = progress.stage == Stage::Announced && reading.server_time >= progress.at;
        if progress.fires {
            progress.stage = Stage::Started;
            progress.lateness = reading.server_time - progress.at;
            (progress.error_bound, progress.expected_error) = (reading.error_bound, reading.expected_error);
        }
        let is_due = self.reported.is_none_or(|reported| (now - reported).abs() >= REPORT_INTERVAL);
        if is_due || self.progress.fires {
            self.reported = Some(now);
            self.number = self.number.saturating_add(1);
            self.report = Some(self.report(reading));
        }
        self.shown = Some(reading.server_time);
        self.progress
    }

    fn follow(&mut self, now: ServerTime) {
        let of_epoch = |(epoch, _): &(u64, Announcement)| self.server_epoch == Some(*epoch);
        let Some((_, Announcement { version, at })) = self.announced.filter(of_epoch) else { return };
        match at {
            Some(at) if version != self.progress.version => {
                let (stage, joins_late) = (Stage::Announced, self.shown.unwrap_or(now) >= at);
                self.progress = Progress { stage, joins_late, version, at, ..Progress::default() };
            }
            // A cancellation after the start has no effect, because the report tells the host that the start
            // has happened.
            None if self.progress.stage == Stage::Announced => self.progress = Progress::default(),
            _ => {}
        }
    }

    fn report(&self, reading: &Reading) -> Report {
        let is_certain = !matches!(reading.state, State::Unsynced | State::Doubtful);
        let Progress { stage, version, at, lateness, error_bound, .. } = self.progress;
        let fired = Fired { version, at: at + lateness, error_bound };
        Report {
            number: self.number,
            claim: Claim {
                error_bound: if is_certain { reading.error_bound } else { Span::MAX },
                expected_error: reading.expected_error,
                round_trip: reading.round_trip,
                run: reading.server_epoch as u32,
            },
            fired: (stage == Stage::Started).then_some(fired),
        }
    }
}
