//! Starts: what a host knows of them, and a guest.

use crate::ffi::base::prelude::*;
use crate::game::start::{HoldUp, Participation, Progress, Proposal, Stage, StartResult};

/// Hold-up: the player is ready.
pub const NETCLOCK_HOLD_UP_NONE: i32 = 0;
/// Hold-up: nothing was heard from it for 1.5 s, or ever.
pub const NETCLOCK_HOLD_UP_SILENT: i32 = 1;
/// Hold-up: it is not in sync, in doubt, or in sync with another run of the server's clock.
pub const NETCLOCK_HOLD_UP_UNSYNCED: i32 = 2;
/// Hold-up: its expected error is above `max_expected_error`.
pub const NETCLOCK_HOLD_UP_INACCURATE: i32 = 3;
/// Hold-up: announcing a start to it would take longer than half of `patience`.
pub const NETCLOCK_HOLD_UP_TOO_SLOW: i32 = 4;

/// The outcome of a proposal. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProposal {
    /// `sizeof(netclock_start_proposal)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_HOLD_UP_...`: why the start is held up; none if it is scheduled.
    pub hold_up: i32,
    /// Server time in ticks. Scheduled: the start. Held up: until when the host waits for players.
    pub at: NetclockServerTime,
    /// Scheduled: the player that needs the longest announcement. Held up: the first that is not ready.
    pub participant: u64,
    /// How many are not ready. Scheduled: the host waits for them no longer; it tells them, but promises
    /// nothing about them.
    pub not_ready: u32,
    /// Scheduled: the number of this announcement. Each start and each cancellation has the next number. Held
    /// up: zero.
    pub version: u32,
}

growable! { NetclockStartProposal: 32 }

fn hold_up(reason: Option<HoldUp>) -> i32 {
    match reason {
        None => NETCLOCK_HOLD_UP_NONE,
        Some(HoldUp::Silent) => NETCLOCK_HOLD_UP_SILENT,
        Some(HoldUp::Unsynced) => NETCLOCK_HOLD_UP_UNSYNCED,
        Some(HoldUp::Inaccurate) => NETCLOCK_HOLD_UP_INACCURATE,
        Some(HoldUp::TooSlow) => NETCLOCK_HOLD_UP_TOO_SLOW,
    }
}

impl From<Proposal> for NetclockStartProposal {
    fn from(proposal: Proposal) -> Self {
        let zero = Self::zero();
        match proposal {
            Proposal::Scheduled { at, version, slowest, left_behind } => NetclockStartProposal {
                at: at.ticks(),
                participant: slowest,
                not_ready: left_behind,
                version,
                ..zero
            },
            Proposal::HeldUp { participant, reason, count, until } => NetclockStartProposal {
                hold_up: hold_up(Some(reason)),
                at: until.ticks(),
                participant,
                not_ready: count,
                ..zero
            },
        }
    }
}

/// What a host knows about a player in starts, from the player's own claims. Set `struct_size` before
/// the call. Durations are in ticks; `NETCLOCK_UNBOUNDED` if nothing is known.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartParticipation {
    /// `sizeof(netclock_start_participation)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_HOLD_UP_...`: why a start would wait for it; none if it is ready.
    pub hold_up: i32,
    /// How long before a start it must be announced, at the confidence of the last proposal.
    /// `NETCLOCK_UNBOUNDED` if nothing is known.
    pub lead: i64,
    /// Error bound of its clock; `NETCLOCK_UNBOUNDED` if it has none.
    pub error_bound: i64,
    /// Expected error of its clock; `NETCLOCK_UNBOUNDED` if nothing is known.
    pub expected_error: i64,
    /// Its smallest recent round trip; `NETCLOCK_UNBOUNDED` if unknown.
    pub round_trip: i64,
    /// Share of its messages that are lost, estimated cautiously. (0 to 0.9)
    pub loss: f64,
    /// How long after the present start its frame was, by its own clock. `NETCLOCK_UNBOUNDED`: it has not
    /// said that it started.
    pub lateness: i64,
    /// Error bound of its clock then; `NETCLOCK_UNBOUNDED` if it had none.
    pub lateness_bound: i64,
    /// 1 if it was ready when the present start was scheduled, so that it counts for the spread; else 0.
    pub counted: i32,
    /// 1 if it knows of the present start, or of its cancellation; else 0.
    pub acknowledged: i32,
}

growable! { NetclockStartParticipation: 72 }

to_c! { |known: Participation| NetclockStartParticipation {
    lead, error_bound, expected_error, round_trip, loss, lateness, lateness_bound, counted, acknowledged;
    hold_up: hold_up(known.hold_up),
} }

/// The result of the newest start, as its players report it. Set `struct_size` before the call. Counts
/// and times include only players that were ready when it was scheduled and are still there.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartResult {
    /// `sizeof(netclock_start_result)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the newest announcement.
    pub version: u32,
    /// The scheduled start: server time in ticks.
    pub at: NetclockServerTime,
    /// Lateness of the first player that started, in ticks.
    pub earliest: i64,
    /// Lateness of the last one, in ticks. The difference is the spread.
    pub latest: i64,
    /// The largest error bound of their clocks then, in ticks; `NETCLOCK_UNBOUNDED` if one had none.
    pub error_bound: i64,
    /// How many players there are.
    pub counted: u32,
    /// How many of them acknowledged the newest announcement.
    pub acknowledged: u32,
    /// How many of them report that they started.
    pub fired: u32,
    /// 1 if the newest announcement is a cancellation, else 0.
    pub cancelled: i32,
}

growable! { NetclockStartResult: 56 }

to_c! { |result: StartResult| NetclockStartResult {
    version, at, earliest, latest, error_bound, counted, acknowledged, fired, cancelled
} }

/// Stage: no start was announced, or it was cancelled.
pub const NETCLOCK_STAGE_WAITING: i32 = 0;
/// Stage: a start was announced and is to come.
pub const NETCLOCK_STAGE_ANNOUNCED: i32 = 1;
/// Stage: it started.
pub const NETCLOCK_STAGE_STARTED: i32 = 2;
/// Stage: it heard of a start after its time, as late joiners do, and continues from there.
pub const NETCLOCK_STAGE_JOINED: i32 = 3;

/// What a guest knows of starts in a frame. Set `struct_size` before the call. Fields without a value are
/// zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProgress {
    /// `sizeof(netclock_start_progress)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_STAGE_...`. Started and joined stay until the next announcement.
    pub stage: i32,
    /// 1 in the frame to start in, once for each start; else 0.
    pub fires: i32,
    /// Number of the start's announcement.
    pub version: u32,
    /// When the start is or was: server time in ticks.
    pub at: NetclockServerTime,
    /// After the start: how long after `at` that frame was, by its own clock, in ticks.
    pub lateness: i64,
    /// After the start: error bound of its clock then, in ticks. `NETCLOCK_UNBOUNDED` if nothing could be
    /// promised.
    pub error_bound: i64,
    /// After the start: expected error of its clock then, in ticks; `NETCLOCK_UNBOUNDED` if not known.
    pub expected_error: i64,
}

growable! { NetclockStartProgress: 48 }

to_c! { |progress: Progress| NetclockStartProgress {
    fires, version, at, lateness, error_bound, expected_error;
    stage: match progress.stage {
        Stage::Waiting => NETCLOCK_STAGE_WAITING,
        Stage::Announced => NETCLOCK_STAGE_ANNOUNCED,
        Stage::Started if progress.joins_late => NETCLOCK_STAGE_JOINED,
        Stage::Started => NETCLOCK_STAGE_STARTED,
    },
} }
