use crate::ffi::base::prelude::*;
use crate::game::start::{HoldUp, Progress, Proposal, Stage, StartResult};

/// Hold-up: the player is ready.
pub const NETCLOCK_HOLD_UP_NONE: i32 = 0;
/// Hold-up: the player has sent nothing for 1.5 s, or has never sent anything.
pub const NETCLOCK_HOLD_UP_SILENT: i32 = 1;
/// Hold-up: the player's clock is not synced, is in doubt, or follows a different run of the server's clock.
pub const NETCLOCK_HOLD_UP_UNSYNCED: i32 = 2;
/// Hold-up: the player's expected error is above `start_max_expected_error`.
pub const NETCLOCK_HOLD_UP_INACCURATE: i32 = 3;
/// Hold-up: announcing a start to the player would take more than half of `start_patience`.
pub const NETCLOCK_HOLD_UP_TOO_SLOW: i32 = 4;

/// The result of proposing a start. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProposal {
    /// `sizeof(netclock_start_proposal)` in the caller's program.
    pub struct_size: u32,
    /// Why the start is delayed if it is not scheduled, one of `NETCLOCK_HOLD_UP_...`.
    pub hold_up: i32,
    /// If the start is scheduled, its server time in ticks. Otherwise, the server time in ticks until which
    /// the host waits for players.
    pub at: NetclockServerTime,
    /// The player who must be notified earliest or, if the start is delayed, the first player who is not
    /// ready.
    pub participant: u64,
    /// The number of players who are not ready. If the start is scheduled, the host no longer waits for them.
    /// It still notifies them, but they may start late.
    pub not_ready: u32,
    /// The number of this announcement, or zero if no start is scheduled. Each start or cancellation
    /// increases the number by one.
    pub version: u32,
}

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

/// The result of the latest start, as reported by its players. Set `struct_size` before the call. Counts and
/// times include only players who were ready when the start was scheduled and are still connected.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartResult {
    /// `sizeof(netclock_start_result)` in the caller's program.
    pub struct_size: u32,
    /// The number of the latest announcement.
    pub version: u32,
    /// The server time of the scheduled start, in ticks.
    pub at: NetclockServerTime,
    /// How late the first player started, in ticks.
    pub earliest: i64,
    /// How late the last player started, in ticks. Subtract `earliest` to compute the spread.
    pub latest: i64,
    /// The largest error bound of the players' clocks when they started, in ticks. `NETCLOCK_UNBOUNDED` if
    /// any clock had no bound.
    pub error_bound: i64,
    /// The number of players in this result.
    pub counted: u32,
    /// The number of players who acknowledged the latest announcement.
    pub acknowledged: u32,
    /// The number of players who reported their start.
    pub fired: u32,
    /// 1 if the latest announcement is a cancellation, else 0.
    pub cancelled: i32,
}

to_c! { |result: StartResult| NetclockStartResult {
    version, at, earliest, latest, error_bound, counted, acknowledged, fired, cancelled
} }

/// Start stage: no start has been announced, or it was cancelled.
pub const NETCLOCK_STAGE_WAITING: i32 = 0;
/// Start stage: a start has been announced and is still in the future.
pub const NETCLOCK_STAGE_ANNOUNCED: i32 = 1;
/// Start stage: the player has started.
pub const NETCLOCK_STAGE_STARTED: i32 = 2;
/// Start stage: the player received the start after its time and joined late.
pub const NETCLOCK_STAGE_JOINED: i32 = 3;

/// The state of the latest start in one frame of a guest. Set `struct_size` before the call. Fields without a
/// value are zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProgress {
    /// `sizeof(netclock_start_progress)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_STAGE_...`. After the start, the stage stays the same until the next announcement.
    pub stage: i32,
    /// 1 in the frame in which the player must start, else 0.
    pub fires: i32,
    /// The number of the start's announcement.
    pub version: u32,
    /// The server time of the start, in ticks.
    pub at: NetclockServerTime,
    /// After the start, how much later than `at` the starting frame was by the player's own clock, in ticks.
    pub lateness: i64,
    /// After the start, the error bound of the player's clock in the starting frame, in ticks.
    /// `NETCLOCK_UNBOUNDED` if nothing could be guaranteed.
    pub error_bound: i64,
    /// After the start, the expected error of the player's clock in the starting frame, in ticks.
    /// `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
}

growable! { NetclockStartProposal: 32, NetclockStartResult: 56, NetclockStartProgress: 48 }

to_c! { |progress: Progress| NetclockStartProgress {
    fires, version, at, lateness, error_bound, expected_error;
    stage: match progress.stage {
        Stage::Waiting => NETCLOCK_STAGE_WAITING,
        Stage::Announced => NETCLOCK_STAGE_ANNOUNCED,
        Stage::Started if progress.joins_late => NETCLOCK_STAGE_JOINED,
        Stage::Started => NETCLOCK_STAGE_STARTED,
    },
} }
