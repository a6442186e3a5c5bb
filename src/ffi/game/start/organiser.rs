//! Scheduled starts: the server's half.

use core::ffi::c_void;

use crate::clock::ServerTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::game::start::proposal::{
    NetclockOrganiserConfig, NetclockStartParticipation, NetclockStartProposal, NetclockStartResult,
};
use crate::ffi::game::start::status::NETCLOCK_HELD_UP;
use crate::game::start::{Organiser, Proposal};

/// An organiser: plans a start, announces it until all know it, and collects when they started. Opaque. Calls
/// on it wait for each other.
pub struct NetclockOrganiser(Owned<Organiser>);

owned! { NetclockOrganiser(Organiser): "netclock_organiser", "organiser" }

/// Creates an organiser of starts and stores it in `*organiser`. Give it back to
/// `netclock_organiser_destroy`. `config` may be null for all defaults. `server_epoch` is the epoch of
/// the server that answers requests for the time. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_create(
    config: *const NetclockOrganiserConfig,
    server_epoch: u64,
    organiser: *mut *mut NetclockOrganiser,
) -> NetclockStatus {
    create!(netclock_organiser_create, organiser, {
        Ok(Organiser::new(optional(config, "config")?.to_config(), server_epoch)?)
    })
}

/// Destroys an organiser, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_destroy(organiser: *mut NetclockOrganiser) -> NetclockStatus {
    destroy!(netclock_organiser_destroy, organiser)
}

/// Admits `participant` to starts from now on: any number that names a connection of yours. If it is admitted
/// after a start, it is told of that start. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`,
/// `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_admit(
    organiser: *mut NetclockOrganiser,
    participant: u64,
) -> NetclockStatus {
    change!(netclock_organiser_admit, organiser, |it| Ok(it.admit(participant)?))
}

/// Removes `participant`: nobody waits for it, and it is told nothing more. If a client reconnects with a new
/// key, remove it and admit it again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_remove(
    organiser: *mut NetclockOrganiser,
    participant: u64,
) -> NetclockStatus {
    change!(netclock_organiser_remove, organiser, |it| Ok(it.remove(participant)?))
}

/// Schedules a start, or says who is not ready. The start is as early as all ready participants learn of it
/// in time with probability `confidence` (above 0.5, at most 0.99999), judged by the losses and outages of
/// their readiness messages so far. So it does not hold for the first outages of a participant, and for
/// outages that are longer than those before. At most a quarter of `patience` is added for outages: with long
/// ones, raise `patience` rather than `confidence`. Before the start, `acknowledged` in
/// `netclock_organiser_result` counts those who know of it, and a game may cancel it and propose another.
///
/// `now` is server time in ticks. `NETCLOCK_OK`: `*proposal` has the start. `NETCLOCK_HELD_UP`: `*proposal`
/// says who holds it up and why; call again later. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_propose(
    organiser: *mut NetclockOrganiser,
    now: NetclockServerTime,
    confidence: f64,
    proposal: *mut NetclockStartProposal,
) -> NetclockStatus {
    change!(netclock_organiser_propose, organiser, |it| {
        check_size(proposal, "proposal")?;
        let proposed = it.propose(ServerTime::from_ticks(now), confidence)?;
        grow_out(proposal, "proposal", proposed)?;
        if matches!(proposed, Proposal::HeldUp { .. }) { Err(Failure::of(NETCLOCK_HELD_UP)) } else { Ok(()) }
    })
}

/// Cancels the start that is under way; `now` is server time in ticks. A participant that acknowledges the
/// cancellation will not start. One that does not hear of it in time starts, and reports that.
/// `NETCLOCK_NO_START`: none is under way, or its time has come. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_cancel(
    organiser: *mut NetclockOrganiser,
    now: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_organiser_cancel, organiser, |it| { Ok(it.cancel(ServerTime::from_ticks(now))?) })
}

/// Handles a datagram of `length` bytes from `participant` that arrived at server time `now` (ticks). Errors,
/// of which the first two are normal events on a network: `NETCLOCK_DUPLICATE`, `NETCLOCK_STALE`,
/// `NETCLOCK_WRONG_KEY`, `NETCLOCK_IMPLAUSIBLE`, `NETCLOCK_UNKNOWN_PARTICIPANT`, one of `NETCLOCK_WIRE_...`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_receive(
    organiser: *mut NetclockOrganiser,
    participant: u64,
    datagram: *const c_void,
    length: usize,
    now: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_organiser_receive, organiser, |it| {
        Ok(it.receive(
            participant,
            delivered::<{ crate::clock::wire::SIZE }>(datagram, length, "datagram")?,
            ServerTime::from_ticks(now),
        )?)
    })
}

/// The next datagram to send at server time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, into a buffer
/// of `capacity` bytes. Its receiver goes into `*participant`. Call it in every frame until it returns
/// `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too
/// small, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_next_message(
    organiser: *mut NetclockOrganiser,
    now: NetclockServerTime,
    participant: *mut u64,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_organiser_next_message, organiser, |it| {
        writable(participant, "participant")?;
        let room = room(datagram, capacity)?;
        let (to, message) =
            it.next_message(other_time(now)?).ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        copy_out(participant, "participant", to)?;
        copy_out(room, "datagram", message)
    })
}

/// What the organiser knows about `participant` at server time `now` (ticks), into `*participation`. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_participation(
    organiser: *const NetclockOrganiser,
    participant: u64,
    now: NetclockServerTime,
    participation: *mut NetclockStartParticipation,
) -> NetclockStatus {
    change!(netclock_organiser_participation, organiser, |it| {
        grow_out(participation, "participation", it.participation(participant, other_time(now)?)?)
    })
}

/// The result of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_result(
    organiser: *const NetclockOrganiser,
    outcome: *mut NetclockStartResult,
) -> NetclockStatus {
    change!(netclock_organiser_result, organiser, |it| {
        check_size(outcome, "outcome")?;
        grow_out(outcome, "outcome", it.result()?)
    })
}
