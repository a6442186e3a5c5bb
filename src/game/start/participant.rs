//! The client side of starts.

use super::error::StartError;
use super::message::{Claim, READINESS_INTERVAL, ToOrganiser, ToParticipant};
use crate::clock::wire::Datagram;
use crate::clock::{LocalTime, Reading, ServerTime, Span, State, TimeError};

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

/// The result of [`Participant::tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The participant's progress towards the start.
    pub stage: Stage,
    /// Whether to start in this frame, which is true once per start.
    pub fires: bool,
    /// Whether the announcement arrived after the start, so that the game has been running since
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

/// Takes part in a server's starts. Use a participant from one thread at a time. No call allocates memory.
///
/// In every frame, pass received datagrams to [`receive`](Self::receive), call [`tick`](Self::tick), and send
/// the messages from [`next_message`](Self::next_message) until it returns `None`. Lost messages are
/// repeated.
///
/// See [`Organiser`](super::Organiser) for an example.
#[derive(Debug, Default)]
pub struct Participant {
    number: u32,
    claimed: Option<LocalTime>,
    claim: Option<Claim>,
    /// Zero if there was no announcement in this server epoch.
    version: u32,
    server_epoch: Option<u64>,
    progress: Progress,
    shown: Option<ServerTime>,
    answer: bool,
}

impl Participant {
    /// Handles a datagram from the organiser. Repeated announcements are answered again, because the first
    /// answer may have been lost.
    ///
    /// # Errors
    /// Returns the reason if the datagram was rejected. The state is then unchanged. Until the clock is in
    /// sync, every datagram is rejected with [`StartError::OtherRun`].
    pub fn receive(&mut self, datagram: &[u8]) -> Result<(), StartError> {
        let message = ToParticipant::decode(datagram)?;
        if self.server_epoch != Some(message.server_epoch) {
            return Err(StartError::OtherRun);
        }
        if message.version < self.version {
            return Err(StartError::Stale);
        }
        self.answer = true;
        if message.version == self.version {
            return Ok(());
        }
        self.version = message.version;
        match message.at {
            Some(at) => {
                let (stage, joins_late, version) =
                    (Stage::Announced, self.shown >= Some(at), message.version);
                self.progress = Progress { stage, joins_late, version, at, ..Progress::default() };
            }
            // A start that has already happened cannot be cancelled, so the answer reports its result.
            None if self.progress.stage == Stage::Started => {}
            None => self.progress = Progress::default(),
        }
        Ok(())
    }

    /// Drops an announced start after `now`, because the organiser is preparing a different one. Also drops
    /// an unsent readiness message, because the player may have been in another world at the time. The next
    /// tick creates a new message.
    #[cfg(feature = "session")]
    pub(crate) fn call_off(&mut self, now: ServerTime) {
        (self.claimed, self.claim) = (None, None);
        if self.progress.stage == Stage::Announced && self.progress.at > now {
            self.progress = Progress::default();
        }
    }

    /// Advances to the frame at `now`, in which the client's clock shows `reading`. The start fires in the
    /// first frame at or after its server time.
    ///
    /// # Errors
    /// Fails and changes nothing if `now` is out of range.
    pub fn tick(&mut self, now: LocalTime, reading: &Reading) -> Result<Progress, TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        let synced = reading.state != State::Unsynced;
        let epoch = synced.then_some(reading.server_epoch);
        if epoch != self.server_epoch {
            (self.server_epoch, self.version, self.progress, self.answer) =
                (epoch, 0, Progress::default(), false);
        }
        if self.claimed.is_none_or(|claimed| (now - claimed).abs() >= READINESS_INTERVAL) {
            self.claimed = Some(now);
            self.number = self.number.saturating_add(1);
            let certain = synced && reading.state != State::Doubtful;
            let error_bound = if certain { reading.error_bound } else { Span::MAX };
            let (expected_error, round_trip) = (reading.expected_error, reading.round_trip);
            self.claim =
                Some(Claim { error_bound, expected_error, round_trip, run: reading.server_epoch as u32 });
        }
        let progress = &mut self.progress;
        progress.fires = progress.stage == Stage::Announced && reading.server_time >= progress.at;
        if progress.fires {
            progress.stage = Stage::Started;
            progress.lateness = reading.server_time - progress.at;
            (progress.error_bound, progress.expected_error) = (reading.error_bound, reading.expected_error);
            self.answer = true;
        }
        self.shown = Some(reading.server_time);
        Ok(*progress)
    }

    /// Returns the next message to send to the organiser, if there is one.
    pub fn next_message(&mut self) -> Option<Datagram> {
        if self.answer {
            self.answer = false;
            let Progress { stage, version, at, lateness, error_bound, expected_error, .. } = self.progress;
            let answer = if stage == Stage::Started {
                ToOrganiser::Result { version, fired: at + lateness, error_bound, expected_error }
            } else {
                ToOrganiser::Acknowledgement { version: self.version }
            };
            return Some(answer.encode());
        }
        let claim = self.claim.take()?;
        Some(ToOrganiser::Readiness { number: self.number, claim }.encode())
    }
}
