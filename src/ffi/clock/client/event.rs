use crate::clock::{Cause, Degradation, Event};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status::NETCLOCK_NO_EVENT;

/// The first reply was accepted, and the server time is known.
pub const NETCLOCK_EVENT_SYNCED: i32 = 1;
/// The clock jumped, or may be wrong until the next reply. `cause` is one of `NETCLOCK_CAUSE_...`.
pub const NETCLOCK_EVENT_DISCONTINUITY: i32 = 2;
/// The clock keeps running at reduced quality. `cause` is one of `NETCLOCK_DEGRADED_...`.
pub const NETCLOCK_EVENT_DEGRADED: i32 = 3;
/// All degradations have ended.
pub const NETCLOCK_EVENT_RECOVERED: i32 = 4;
/// Another authority took over the timescale. The clock continues without a step in the same epoch.
pub const NETCLOCK_EVENT_HANDED_OVER: i32 = 5;
/// The server answers requests over the link, for the first time or again.
pub const NETCLOCK_EVENT_LINKED: i32 = 6;
/// The client has received no reply over the link for two seconds. Possible causes are a firewall, a wrong
/// key, a missing server, or a network outage. The link retries automatically.
pub const NETCLOCK_EVENT_LINK_BLOCKED: i32 = 7;
/// The link cannot send because there is no network or the host name is unknown. The link keeps trying.
pub const NETCLOCK_EVENT_LINK_NOT_POSSIBLE: i32 = 8;

/// Discontinuity: the server's clock restarted with a new server epoch.
pub const NETCLOCK_CAUSE_SERVER_RESTART: i32 = 1;
/// Discontinuity: two exchanges proved that a clock stepped.
pub const NETCLOCK_CAUSE_PROVEN_STEP: i32 = 2;
/// Discontinuity: the client was not called for longer than `local_gap`, or
/// `netclock_client_may_have_missed_time` was called.
pub const NETCLOCK_CAUSE_LOCAL_GAP: i32 = 3;
/// Discontinuity: the local clock went back by a second or more.
pub const NETCLOCK_CAUSE_LOCAL_STEP: i32 = 4;
/// Discontinuity: a forward correction exceeded `step_threshold`, or a correction in the first second
/// exceeded 50 ms in either direction and would have taken longer than a second to slew.
pub const NETCLOCK_CAUSE_CORRECTION: i32 = 5;
/// Discontinuity: the application called `netclock_client_make_step`.
pub const NETCLOCK_CAUSE_REQUESTED: i32 = 6;

/// Degraded: there was no reply for `holdover_after`.
pub const NETCLOCK_DEGRADED_NO_REPLIES: i32 = 1;
/// Degraded: the error bound exceeds `target_bound`.
pub const NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET: i32 = 2;
/// Degraded: a reply contradicts the clock. A second reply will show which of them is right.
pub const NETCLOCK_DEGRADED_CONTRADICTION: i32 = 3;
/// Degraded: several servers with different clocks answer at one address, for example behind a load balancer.
/// The client follows one of these servers. Give each server its own address, or configure the balancer to
/// route each client to the same server.
pub const NETCLOCK_DEGRADED_SEVERAL_SERVERS: i32 = 4;
/// Degraded: the exchanges prove that a clock is slewed by more than `client_drift_ppm` and
/// `server_drift_ppm` allow. From the reply that proves this, the error bound allows for another 550, 5,500
/// or 100,000 ppm, whichever is the smallest limit that explains all replies. During a slew of up to 100,000
/// ppm, readings can therefore be outside their bound only until the replies contradict the highest limit
/// below the slew rate. No client could detect the slew earlier. The degradation ends with
/// `NETCLOCK_EVENT_RECOVERED` after 20 minutes without a slew. A fast slew may look like a step. In this
/// case, the bound covers the slew without an event, for at least 20 s and until replies show that the slew
/// has ended. To avoid this degradation, use `netclock_monotonic_now`, or configure the drift that the client
/// must cover.
pub const NETCLOCK_DEGRADED_SLEWED: i32 = 5;

/// A clock event. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockEvent {
    /// `sizeof(netclock_event)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_EVENT_...`.
    pub kind: i32,
    /// One of `NETCLOCK_CAUSE_...` or `NETCLOCK_DEGRADED_...`, or zero for other kinds of events.
    pub cause: i32,
    /// For a discontinuity, the epoch of the readings after the jump. Otherwise zero.
    pub epoch: u32,
    /// For a discontinuity, how far the shown time jumped in ticks (negative for a backward jump). Otherwise
    /// zero.
    pub jump: i64,
}

growable! { NetclockEvent: 24 }

impl From<Event> for NetclockEvent {
    fn from(event: Event) -> Self {
        let zero = Self::zero();
        match event {
            Event::Synced => NetclockEvent { kind: NETCLOCK_EVENT_SYNCED, ..zero },
            Event::Discontinuity { cause, jump, epoch } => NetclockEvent {
                kind: NETCLOCK_EVENT_DISCONTINUITY,
                cause: match cause {
                    Cause::ServerRestart => NETCLOCK_CAUSE_SERVER_RESTART,
                    Cause::ProvenStep => NETCLOCK_CAUSE_PROVEN_STEP,
                    Cause::LocalGap => NETCLOCK_CAUSE_LOCAL_GAP,
                    Cause::LocalStep => NETCLOCK_CAUSE_LOCAL_STEP,
                    Cause::Correction => NETCLOCK_CAUSE_CORRECTION,
                    Cause::Requested => NETCLOCK_CAUSE_REQUESTED,
                },
                epoch,
                jump: jump.ticks(),
                ..zero
            },
            Event::Degraded(degradation) => NetclockEvent {
                kind: NETCLOCK_EVENT_DEGRADED,
                cause: match degradation {
                    Degradation::NoReplies => NETCLOCK_DEGRADED_NO_REPLIES,
                    Degradation::BoundAboveTarget => NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
                    Degradation::Contradiction => NETCLOCK_DEGRADED_CONTRADICTION,
                    Degradation::SeveralServers => NETCLOCK_DEGRADED_SEVERAL_SERVERS,
                    Degradation::Slewed => NETCLOCK_DEGRADED_SLEWED,
                },
                ..zero
            },
            Event::Recovered => NetclockEvent { kind: NETCLOCK_EVENT_RECOVERED, ..zero },
            Event::HandedOver => NetclockEvent { kind: NETCLOCK_EVENT_HANDED_OVER, ..zero },
            Event::Linked => NetclockEvent { kind: NETCLOCK_EVENT_LINKED, ..zero },
            Event::LinkBlocked => NetclockEvent { kind: NETCLOCK_EVENT_LINK_BLOCKED, ..zero },
            Event::LinkNotPossible => NetclockEvent { kind: NETCLOCK_EVENT_LINK_NOT_POSSIBLE, ..zero },
        }
    }
}

/// Removes the oldest event from the queue and returns it in `*event`. The queue holds the latest 16 events.
/// Returns `NETCLOCK_NO_EVENT` if the queue is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_next_event(
    client: *mut NetclockClient,
    event: *mut NetclockEvent,
) -> NetclockStatus {
    on_client!(netclock_client_next_event, client, |client| {
        check_size(event, "event")?;
        match client.next_event() {
            Some(next) => grow_out(event, "event", next),
            None => Err(Failure::of(NETCLOCK_NO_EVENT)),
        }
    })
}
