//! The organiser's results: of a proposal, a start, and one participant.

use crate::clock::{ServerTime, Span};

/// The result of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The start is scheduled, and the organiser announces it.
    Scheduled {
        /// The server time of the start.
        at: ServerTime,
        /// Version of this announcement. Each start and each cancellation has the next number.
        version: u32,
        /// The participant that needs the longest announcement.
        slowest: u64,
        /// Participants that the organiser no longer waits for. It informs them of the start, but without a
        /// guarantee.
        left_behind: u32,
    },
    /// A participant is not ready. Propose again later; after `until` a single ready participant suffices.
    HeldUp {
        /// The first one that is not ready. [`Organiser::participation`](super::Organiser::participation)
        /// reports the others.
        participant: u64,
        /// Why it is not ready.
        reason: HoldUp,
        /// Number of participants that are not ready.
        count: u32,
        /// The time until which the organiser waits for them.
        until: ServerTime,
    },
}

/// The result of the newest start, as its participants report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartResult {
    /// The instant of the start.
    pub at: ServerTime,
    /// Version of the newest announcement.
    pub version: u32,
    /// Whether it was a cancellation.
    pub cancelled: bool,
    /// Participants that were ready when the start was scheduled and are still admitted. All counts and the
    /// spread refer to these.
    pub counted: u32,
    /// How many of them acknowledged the newest announcement.
    pub acknowledged: u32,
    /// How many of them reported that they started.
    pub fired: u32,
    /// The smallest lateness among them.
    pub earliest: Span,
    /// The largest lateness among them. The difference from `earliest` is the spread.
    pub latest: Span,
    /// The largest error bound of their clocks when they started; [`Span::MAX`] if one had none.
    pub error_bound: Span,
}

/// Why a participant is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldUp {
    /// No readiness message for 1.5 s, or never.
    Silent,
    /// Not in sync, in doubt, or in sync with another server epoch.
    Unsynced,
    /// Its expected error is above
    /// [`OrganiserConfig::max_expected_error`](super::OrganiserConfig::max_expected_error).
    Inaccurate,
    /// Its announcement would take longer than half of
    /// [`OrganiserConfig::patience`](super::OrganiserConfig::patience).
    TooSlow,
}

/// The organiser's knowledge of one participant, whose claims are not verified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Participation {
    /// Why a start would have to wait for it, or `None` if it is ready.
    pub hold_up: Option<HoldUp>,
    /// How long before a start the announcement must begin, at the confidence of the last proposal.
    pub lead: Span,
    /// Hard bound of its clock, as claimed; [`Span::MAX`] if it has none.
    pub error_bound: Span,
    /// Expected error of its clock, as claimed; [`Span::MAX`] if it has none.
    pub expected_error: Span,
    /// Its smallest round trip, as claimed; [`Span::MAX`] if it has none.
    pub round_trip: Span,
    /// Conservative estimate of the share of its messages that are lost. (0 to 0.9)
    pub loss: f64,
    /// Whether it was ready when the current start was scheduled, and so is included in the spread.
    pub counted: bool,
    /// Whether it acknowledged the current start or its cancellation.
    pub acknowledged: bool,
    /// How long after the start it fired, by its own clock; 0 or more.
    pub lateness: Option<Span>,
    /// The error bound of its clock at that time; [`Span::MAX`] if unknown.
    pub lateness_bound: Span,
}
