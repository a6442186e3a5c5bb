//! Starts, at a host and at a guest.

use crate::ffi::base::prelude::*;
use crate::game::start::{HoldUp, Progress, Proposal, Stage, StartResult};

/// Hold-up: the player is ready.
pub const NETCLOCK_HOLD_UP_NONE: i32 = 0;
/// Hold-up: nothing arrived from the player for 1.5 s, or ever.
pub const NETCLOCK_HOLD_UP_SILENT: i32 = 1;
/// Hold-up: the player's clock is not synced, is in doubt, or is synced with another run of the server's
/// clock.
pub const NETCLOCK_HOLD_UP_UNSYNCED: i32 = 2;
/// Hold-up: the player's expected error is above `start_max_expected_error`.
pub const NETCLOCK_HOLD_UP_INACCURATE: i32 = 3;
/// Hold-up: announcing a start to the player would take longer than half of `start_patience`.
pub const NETCLOCK_HOLD_UP_TOO_SLOW: i32 = 4;

/// The result of a proposal. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProposal {
    /// `sizeof(netclock_start_proposal)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_HOLD_UP_...`: why the start is delayed; none if it is scheduled.
    pub hold_up: i32,
    /// Server time in ticks. Scheduled: the start. Held up: the time until which the host waits for players.
    pub at: NetclockServerTime,
    /// Scheduled: the player that needs the longest notice. Held up: the first player that is not ready.
    pub participant: u64,
    /// Number of players that are not ready. Scheduled: the host no longer waits for them; it notifies them,
    /// but guarantees nothing for them.
    pub not_ready: u32,
    /// Scheduled: the number of this announcement. Each start and each cancellation has the next number. Held
    /// up: zero.
    pub version: u32,
}

growable! { NetclockStartProposal: 32 }

pub(super) fn hold_up(reason: Option<HoldUp>) -> i32 {
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

/// The result of the latest start, as its players report it. Set `struct_size` before the call. Counts and
/// times include only players that were ready when the start was scheduled and are still connected.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartResult {
    /// `sizeof(netclock_start_result)` in the caller's program.
    pub struct_size: u32,
    /// Number of the latest announcement.
    pub version: u32,
    /// The scheduled start: server time in ticks.
    pub at: NetclockServerTime,
    /// Lateness of the first player that started, in ticks.
    pub earliest: i64,
    /// Lateness of the last player that started, in ticks. The difference is the spread.
    pub latest: i64,
    /// The largest error bound of their clocks at that time, in ticks; `NETCLOCK_UNBOUNDED` if one had none.
    pub error_bound: i64,
    /// Number of players.
    pub counted: u32,
    /// Number of players that acknowledged the latest announcement.
    pub acknowledged: u32,
    /// Number of players that reported that they started.
    pub fired: u32,
    /// 1 if the latest announcement is a cancellation, else 0.
    pub cancelled: i32,
}

growable! { NetclockStartResult: 56 }

to_c! { |result: StartResult| NetclockStartResult {
    version, at, earliest, latest, error_bound, counted, acknowledged, fired, cancelled
} }

/// Stage: no start was announced, or it was cancelled.
pub const NETCLOCK_STAGE_WAITING: i32 = 0;
/// Stage: a start was announced and is in the future.
pub const NETCLOCK_STAGE_ANNOUNCED: i32 = 1;
/// Stage: the player started.
pub const NETCLOCK_STAGE_STARTED: i32 = 2;
/// Stage: the player received the start after its time, as late joiners do, and continues from there.
pub const NETCLOCK_STAGE_JOINED: i32 = 3;

/// What a guest knows about starts in a frame. Set `struct_size` before the call. Fields without a value are
/// zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProgress {
    /// `sizeof(netclock_start_progress)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_STAGE_...`. Started and joined remain until the next announcement.
    pub stage: i32,
    /// 1 in the frame in which to start, once for each start; else 0.
    pub fires: i32,
    /// Number of the announcement of the start.
    pub version: u32,
    /// The time of the start: server time in ticks.
    pub at: NetclockServerTime,
    /// After the start: how long after `at` that frame was, on the player's own clock, in ticks.
    pub lateness: i64,
    /// After the start: error bound of the player's clock at that time, in ticks. `NETCLOCK_UNBOUNDED` if
    /// nothing could be guaranteed.
    pub error_bound: i64,
    /// After the start: expected error of the player's clock at that time, in ticks; `NETCLOCK_UNBOUNDED` if
    /// unknown.
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
