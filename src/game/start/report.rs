use crate::clock::{ServerTime, Span};

/// The result of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The start is scheduled, and the host announces it.
    Scheduled {
        /// The server time at which to start.
        at: ServerTime,
        /// Version of this announcement. Each start and each cancellation increments the version.
        version: u32,
        /// The participant that needs the earliest announcement.
        slowest: u64,
        /// Number of unready participants for which the host no longer waits. These participants also receive
        /// the announcement, but perhaps too late.
        left_behind: u32,
    },
    /// A participant is not ready, so propose again later. After `until`, one ready participant is enough.
    HeldUp {
        /// The first participant that is not ready. Use
        /// [`Host::participation`](crate::session::Host::participation) to find the others.
        participant: u64,
        /// Why this participant is not ready.
        reason: HoldUp,
        /// Number of participants that are not ready.
        count: u32,
        /// The host waits until this server time for participants that are not ready.
        until: ServerTime,
    },
}

/// The result of the latest start, according to the participants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartResult {
    /// The server time at which to start.
    pub at: ServerTime,
    /// The version of the most recent announcement.
    pub version: u32,
    /// Whether the most recent announcement was a cancellation.
    pub cancelled: bool,
    /// Number of still admitted participants that were ready when the start was scheduled. The fields below
    /// refer only to these participants.
    pub counted: u32,
    /// Number of participants that acknowledged the most recent announcement.
    pub acknowledged: u32,
    /// Number of participants that have reported their start.
    pub fired: u32,
    /// How late the first participant started.
    pub earliest: Span,
    /// How late the last participant started. The difference from `earliest` is the spread.
    pub latest: Span,
    /// Largest error bound of a participant's clock at its start, or [`Span::MAX`] if a clock had no bound.
    pub error_bound: Span,
}

/// Why a participant is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldUp {
    /// No report has arrived in the last 1.5 s.
    Silent,
    /// The participant's clock is not in sync, is in doubt, or is in sync with a different server epoch.
    Unsynced,
    /// The expected error of the participant's clock is above
    /// [`StartConfig::max_expected_error`](super::StartConfig::max_expected_error).
    Inaccurate,
    /// Announcing a start to the participant would take longer than half of
    /// [`StartConfig::patience`](super::StartConfig::patience).
    TooSlow,
}

/// A participant's state. The participant reports most of the values, which the host cannot verify.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Participation {
    /// Why this participant is not ready, or `None` if it is ready.
    pub hold_up: Option<HoldUp>,
    /// How early a start must be announced to this participant, given the confidence of the last proposal.
    pub lead: Span,
    /// The error bound that the participant reports for its clock, or [`Span::MAX`] if unknown.
    pub error_bound: Span,
    /// The expected error that the participant reports for its clock, or [`Span::MAX`] if unknown.
    pub expected_error: Span,
    /// The smallest round-trip time that the participant reports, or [`Span::MAX`] if unknown.
    pub round_trip: Span,
    /// Conservative estimate of the fraction of the participant's messages that are lost. (0 to 0.9)
    pub loss: f64,
    /// Whether [`StartResult`] includes the participant, because it was ready when the start was scheduled.
    pub counted: bool,
    /// Whether the participant acknowledged the current start or its cancellation.
    pub acknowledged: bool,
    /// How late the participant started by its own clock (never negative).
    pub lateness: Option<Span>,
    /// Error bound of the participant's clock when it started, or [`Span::MAX`] if unknown.
    pub lateness_bound: Span,
}
