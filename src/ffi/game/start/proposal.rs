//! The structures that an organiser takes and gives.

use crate::ffi::base::prelude::*;
use crate::game::start::{HoldUp, OrganiserConfig, Participation, Proposal, StartResult};

/// Hold-up: the participant is ready.
pub const NETCLOCK_HOLD_UP_NONE: i32 = 0;
/// Hold-up: nothing was heard from it for 1.5 s, or ever.
pub const NETCLOCK_HOLD_UP_SILENT: i32 = 1;
/// Hold-up: it is not in sync, in doubt, or in sync with another run of the server's clock.
pub const NETCLOCK_HOLD_UP_UNSYNCED: i32 = 2;
/// Hold-up: its expected error is above `max_expected_error`.
pub const NETCLOCK_HOLD_UP_INACCURATE: i32 = 3;
/// Hold-up: announcing a start to it would take longer than half of `patience`.
pub const NETCLOCK_HOLD_UP_TOO_SLOW: i32 = 4;

/// Settings of an organiser. Set `struct_size` to `sizeof(netclock_organiser_config)`, and everything else to
/// zero for the defaults. A field that is not zero replaces its default. Durations are in ticks of 100 ns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockOrganiserConfig {
    /// `sizeof(netclock_organiser_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Most participants at a time. Their memory is allocated at creation. (count, 1 to 1024, default 64)
    pub capacity: u32,
    /// The longest that participants can delay a start, counted from the first proposal. Half of it is for
    /// waiting until they are ready, half for announcing. (ticks, 100 ms to 10 min, default 10 s)
    pub patience: i64,
    /// A participant whose clock has a larger expected error is not ready. (ticks, 1 to 1 s, default 1 ms)
    pub max_expected_error: i64,
    /// Time between two copies of an announcement. (ticks, 5 ms to 1 s, default 50 ms)
    pub interval: i64,
    /// The longest frame of the loops of server and clients, as in `client_frame` of `netclock_config`:
    /// messages leave and are handled at frames. (ticks, 1 to 1 s, default 1/30 s)
    pub frame: i64,
    /// The least loss to expect, as a share of messages. (0.01 to 0.9, default 0.2)
    pub loss: f64,
}

growable! { NetclockOrganiserConfig: 48 }

settings! { |config: NetclockOrganiserConfig| OrganiserConfig {
    capacity, patience, max_expected_error, interval, frame, loss
} }

/// The outcome of a proposal. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartProposal {
    /// `sizeof(netclock_start_proposal)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_HOLD_UP_...`: why the start is held up; none if it is scheduled.
    pub hold_up: i32,
    /// Server time in ticks. Scheduled: the start. Held up: until when the organiser waits for participants.
    pub at: NetclockServerTime,
    /// Scheduled: the participant that needs the longest announcement. Held up: the first that is not ready.
    pub participant: u64,
    /// How many are not ready. Scheduled: the organiser waits for them no longer; it tells them, but promises
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

/// What an organiser knows about a participant, from the participant's own claims. Set `struct_size` before
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

/// The result of the newest start, as its participants report it. Set `struct_size` before the call. Counts
/// and times include only participants that were ready when it was scheduled and are still there.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockStartResult {
    /// `sizeof(netclock_start_result)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the newest announcement.
    pub version: u32,
    /// The scheduled start: server time in ticks.
    pub at: NetclockServerTime,
    /// Lateness of the first participant that started, in ticks.
    pub earliest: i64,
    /// Lateness of the last one, in ticks. The difference is the spread.
    pub latest: i64,
    /// The largest error bound of their clocks then, in ticks; `NETCLOCK_UNBOUNDED` if one had none.
    pub error_bound: i64,
    /// How many participants there are.
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
