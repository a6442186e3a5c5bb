//! What an organiser answers: to a proposal, and about a start.

use super::seat::HoldUp;
use crate::time::{ServerTime, Span};

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The start is scheduled and being announced.
    Scheduled {
        /// When, in server time.
        at: ServerTime,
        /// Of this announcement; each start and each cancellation has the next number.
        version: u32,
        /// Who needs the longest announcement.
        slowest: u64,
        /// Participants that were not waited for any longer. They are told, but nothing is promised of them.
        left_behind: u32,
    },
    /// Somebody is not ready. Propose again later: from `until` on nobody is waited for, except that somebody must be
    /// ready.
    HeldUp {
        /// The first of them; [`Organiser::participation`](super::Organiser::participation) tells of each.
        participant: u64,
        /// Why.
        reason: HoldUp,
        /// How many there are.
        count: u32,
        /// Until when they are waited for.
        until: ServerTime,
    },
}

/// What became of the newest start, as its participants say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When the start was to be.
    pub at: ServerTime,
    /// Of the newest announcement.
    pub version: u32,
    /// Whether that was a cancellation.
    pub cancelled: bool,
    /// Participants that were ready when it was scheduled and are still there. All counts and the spread are of these.
    pub counted: u32,
    /// How many of them acknowledged the newest announcement.
    pub acknowledged: u32,
    /// How many of them say that they started.
    pub fired: u32,
    /// Lateness of the first and the last of them.
    pub earliest: Span,
    /// See [`earliest`](Self::earliest). The difference of the two is the spread.
    pub latest: Span,
    /// The largest error bound of these clocks then; [`Span::MAX`] if one had none.
    pub error_bound: Span,
}
