//! The answers of an organiser: to a proposal, about a start, and about one participant.

use crate::clock::{ServerTime, Span};

/// The answer to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The start is scheduled, and the organiser announces it.
    Scheduled {
        /// When, in server time.
        at: ServerTime,
        /// Number of this announcement. Each start and each cancellation has the next number.
        version: u32,
        /// The participant that needs the longest announcement.
        slowest: u64,
        /// Participants that the organiser stopped waiting for. It tells them of the start, but promises
        /// nothing of them.
        left_behind: u32,
    },
    /// Somebody is not ready. Propose again later: from `until` on one ready participant is enough.
    HeldUp {
        /// The first that is not ready. [`Organiser::participation`](super::Organiser::participation) has the
        /// others.
        participant: u64,
        /// Why it is not ready.
        reason: HoldUp,
        /// How many are not ready.
        count: u32,
        /// Until when the organiser waits for them.
        until: ServerTime,
    },
}

/// The result of the newest start, as its participants report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartResult {
    /// The instant of the start.
    pub at: ServerTime,
    /// Number of the newest announcement.
    pub version: u32,
    /// Whether that was a cancellation.
    pub cancelled: bool,
    /// Participants that were ready when the start was scheduled, and are still there. All counts and the
    /// spread are about these.
    pub counted: u32,
    /// How many of them acknowledged the newest announcement.
    pub acknowledged: u32,
    /// How many of them say that they started.
    pub fired: u32,
    /// Lateness of the first of them.
    pub earliest: Span,
    /// Lateness of the last of them. The difference from `earliest` is the spread.
    pub latest: Span,
    /// The largest error bound of their clocks when they started; [`Span::MAX`] if one had none.
    pub error_bound: Span,
}

/// Why a participant is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldUp {
    /// No readiness message for 1.5 s, or none ever.
    Silent,
    /// Not in sync, in doubt, or in sync with another run of the server's clock.
    Unsynced,
    /// Its expected error is above
    /// [`OrganiserConfig::max_expected_error`](super::OrganiserConfig::max_expected_error).
    Inaccurate,
    /// Announcing to it would take longer than half of
    /// [`OrganiserConfig::patience`](super::OrganiserConfig::patience).
    TooSlow,
}

/// The state of one participant, as the organiser knows it. The organiser does not verify its claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Participation {
    /// Why a start would have to wait for it; none if it is ready.
    pub hold_up: Option<HoldUp>,
    /// How long before a start the announcement must begin, at the confidence of the last proposal.
    pub lead: Span,
    /// Hard bound of its clock, as it claims; [`Span::MAX`] if it knows none.
    pub error_bound: Span,
    /// Expected error of its clock, as it claims; [`Span::MAX`] if it knows none.
    pub expected_error: Span,
    /// Its smallest round trip, as it claims; [`Span::MAX`] if it knows none.
    pub round_trip: Span,
    /// Cautious estimate of the share of its messages that are lost. (0 to 0.9)
    pub loss: f64,
    /// Whether it was ready when the present start was scheduled. Then it counts for the spread.
    pub counted: bool,
    /// Whether it knows of the present start, or of its cancellation.
    pub acknowledged: bool,
    /// How long after the start it fired, by its own clock; 0 or more.
    pub lateness: Option<Span>,
    /// How far its clock may have been off then; [`Span::MAX`] if unknown.
    pub lateness_bound: Span,
}
