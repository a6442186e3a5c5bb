//! What the organiser knows of one participant.

use super::error::StartError;
use super::message::{Claim, READINESS_INTERVAL};
use crate::time::{ServerTime, Span};

/// Without a readiness message for so long a participant is silent: six in a row are missing.
const SILENT_AFTER: Span = Span::from_millis(6 * 250);
/// Messages that the loss is counted over; then both counts are halved, so that what was long ago fades.
const COUNTED: u32 = 64;

/// Why a participant is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldUp {
    /// No readiness message for 1.5 s, or none ever.
    Silent,
    /// Not in sync, in doubt, or in sync with another run of the server's clock.
    Unsynced,
    /// Its expected error is above [`OrganiserConfig::max_expected_error`](super::OrganiserConfig::max_expected_error).
    Inaccurate,
    /// Announcing to it would take longer than half of [`OrganiserConfig::patience`](super::OrganiserConfig::patience).
    TooSlow,
}

/// What the organiser knows of one participant, by its own claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Participation {
    /// Why a start would have to wait for it; none if it is ready.
    pub hold_up: Option<HoldUp>,
    /// How long before a start it has to be announced, at the confidence of the last proposal.
    pub lead: Span,
    /// Bound, expected error and smallest round trip as it says; [`Span::MAX`] if it knows none.
    pub error_bound: Span,
    /// See [`error_bound`](Self::error_bound).
    pub expected_error: Span,
    /// See [`error_bound`](Self::error_bound).
    pub round_trip: Span,
    /// Share of its messages that do not arrive, cautiously estimated (from 0 to 0.9).
    pub loss: f64,
    /// Whether it was ready when the present start was scheduled, and so counts for the spread.
    pub counted: bool,
    /// Whether it knows the present start, or that it was cancelled.
    pub acknowledged: bool,
    /// When it started by its own clock: 0 or more after the start.
    pub lateness: Option<Span>,
    /// How far its clock may have been off then; [`Span::MAX`] if unknown.
    pub lateness_bound: Span,
}

/// A participant who was heard of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) key: u64,
    pub(super) claim: Claim,
    number: u32,
    at: ServerTime,
    sent: u32,
    arrived: u32,
}

impl Heard {
    /// Share of messages that are lost: Laplace's rule of succession, so that few messages prove little.
    pub(super) fn loss(&self) -> f64 {
        let lost = f64::from(self.sent - self.arrived + 1) / f64::from(self.sent + 2);
        lost.min(0.9)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Fired {
    pub(super) at: ServerTime,
    pub(super) error_bound: Span,
}

/// One participant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) id: u64,
    heard: Option<Heard>,
    /// It was ready when the present start was scheduled.
    pub(super) counted: bool,
    /// Newest version that it acknowledged.
    pub(super) acknowledged: u32,
    pub(super) fired: Option<Fired>,
    /// When the newest announcement was sent last.
    pub(super) sent: Option<ServerTime>,
}

impl Seat {
    pub(super) fn new(id: u64) -> Self {
        Seat { id, heard: None, counted: false, acknowledged: 0, fired: None, sent: None }
    }

    pub(super) fn heard(&self) -> Option<&Heard> {
        self.heard.as_ref()
    }

    /// Whether this is the participant's key; the first message sets it.
    pub(super) fn check(&self, key: u64) -> Result<(), StartError> {
        match self.heard {
            Some(heard) if heard.key == key => Ok(()),
            _ => Err(StartError::WrongKey),
        }
    }

    pub(super) fn hear(
        &mut self,
        key: u64,
        number: u32,
        claim: Claim,
        now: ServerTime,
    ) -> Result<(), StartError> {
        let Some(heard) = &mut self.heard else {
            self.heard = Some(Heard { key, claim, number, at: now, sent: 1, arrived: 1 });
            return Ok(());
        };
        if heard.key != key {
            return Err(StartError::WrongKey);
        }
        if number <= heard.number {
            return Err(if number == heard.number { StartError::Duplicate } else { StartError::Stale });
        }
        heard.sent += (number - heard.number).min(COUNTED);
        heard.arrived += 1;
        if heard.sent >= COUNTED {
            (heard.sent, heard.arrived) = (heard.sent / 2, heard.arrived / 2);
        }
        (heard.number, heard.claim, heard.at) = (number, claim, now);
        Ok(())
    }

    pub(super) fn is_silent(&self, now: ServerTime) -> bool {
        self.heard.is_none_or(|heard| (now - heard.at).abs() > SILENT_AFTER)
    }

    /// Whether the announcement is to be sent (again). Until `urgent_until` it is repeated every `interval`, later as
    /// often as the participant is heard of, and only then: who is silent costs nothing.
    pub(super) fn is_due(&self, now: ServerTime, urgent_until: ServerTime, interval: Span) -> bool {
        let urgent = now < urgent_until;
        let pace = if urgent { interval } else { interval.max(READINESS_INTERVAL) };
        self.heard.is_some()
            && (urgent || !self.is_silent(now))
            && self.sent.is_none_or(|sent| (now - sent).abs() >= pace)
    }
}
