//! Scheduled starts: the server's half.

use core::ffi::c_void;

use parking_lot::Mutex;

use super::boundary::{self, Handle, Outcome, Poison};
use super::failure::Failure;
use super::owned::{self, Owner};
use super::proposal::{NetclockOrganiserConfig, NetclockOutcome, NetclockParticipation, NetclockProposal};
use super::status::NetclockStatus;
use super::wire::{delivered, room};
use crate::start::{Organiser, OrganiserConfig, Proposal};
use crate::time::ServerTime;

/// An organiser: plans a start, announces it until everybody knows, and collects when they started. Opaque; its calls are
/// serialised by a lock.
pub struct NetclockOrganiser {
    poison: Poison,
    organiser: Mutex<Organiser>,
}

impl Handle for NetclockOrganiser {
    const KIND: &'static str = "netclock_organiser";
    const ARGUMENT: &'static str = "organiser";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.organiser)
    }
}

impl Owner for NetclockOrganiser {
    type Value = Organiser;

    fn value(&self) -> &Mutex<Organiser> {
        &self.organiser
    }
}

/// Creates an organiser of starts and stores it in `*organiser`, to be given back to `netclock_organiser_destroy`.
/// `config` may be null for all defaults. `server_epoch` is what the server that answers requests for the time was created with.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_create(
    config: *const NetclockOrganiserConfig,
    server_epoch: u64,
    organiser: *mut *mut NetclockOrganiser,
) -> NetclockStatus {
    boundary::entry("netclock_organiser_create", || {
        boundary::writable(organiser, "organiser")?;
        let config = if config.is_null() {
            OrganiserConfig::default()
        } else {
            // SAFETY: a structure of the size it states, as the header asks of the caller.
            unsafe { boundary::grow_in(config, "config") }?.to_config()
        };
        let new = Mutex::new(Organiser::new(config, server_epoch)?);
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe {
            boundary::hand_out(NetclockOrganiser { poison: Poison::default(), organiser: new }, organiser)
        }
    })
}

/// Destroys an organiser. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live organiser, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_destroy(organiser: *mut NetclockOrganiser) -> NetclockStatus {
    // SAFETY: if it is a live organiser, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_organiser_destroy", organiser) }
}

/// Lets `participant` take part from now on: any number that names a connection of the caller's. Who comes after a start is
/// told of it. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_admit(
    organiser: *mut NetclockOrganiser,
    participant: u64,
) -> NetclockStatus {
    // SAFETY: null or a live organiser, as the header asks of the caller.
    unsafe { owned::change("netclock_organiser_admit", organiser, &mut |it| Ok(it.admit(participant)?)) }
}

/// Forgets `participant`: nobody waits for it, and it is told nothing more. A client that connects anew, with a new key, is
/// left out and admitted again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_leave_out(
    organiser: *mut NetclockOrganiser,
    participant: u64,
) -> NetclockStatus {
    // SAFETY: null or a live organiser, as the header asks of the caller.
    unsafe { owned::change("netclock_organiser_leave_out", organiser, &mut |it| Ok(it.remove(participant)?)) }
}

/// Schedules a start as early as all who are ready know of it in time with probability `confidence` (above 0.5, at most
/// 0.99999), or says who is not ready; `now` is server time in ticks. `NETCLOCK_OK`: `*proposal` has the start.
/// `NETCLOCK_HELD_UP`: `*proposal` says who holds it up and why; call again later. Errors, which leave `*proposal` as it was:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_propose(
    organiser: *mut NetclockOrganiser,
    now: i64,
    confidence: f64,
    proposal: *mut NetclockProposal,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_propose", organiser, &mut |it| {
            boundary::check_size(proposal, "proposal")?;
            let proposed = it.propose(ServerTime::from_ticks(now), confidence)?;
            boundary::grow_out(proposal, "proposal", &proposed.into())?;
            if matches!(proposed, Proposal::HeldUp { .. }) { Err(Failure::HeldUp) } else { Ok(()) }
        })
    }
}

/// Cancels the start that is under way; `now` is server time in ticks. Whoever acknowledges that will not start; who does not
/// hear of it in time starts, and says so. `NETCLOCK_NO_START`: none is under way, or its time has come. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_cancel(
    organiser: *mut NetclockOrganiser,
    now: i64,
) -> NetclockStatus {
    // SAFETY: null or a live organiser, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_cancel", organiser, &mut |it| {
            Ok(it.cancel(ServerTime::from_ticks(now))?)
        })
    }
}

/// Handles a datagram of `length` bytes that came from `participant` at server time `now` (ticks). Errors, of which the first
/// two are normal events on a network: `NETCLOCK_DUPLICATE`, `NETCLOCK_STALE`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_IMPLAUSIBLE`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT`, one of `NETCLOCK_WIRE_...`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_receive(
    organiser: *mut NetclockOrganiser,
    participant: u64,
    datagram: *const c_void,
    length: usize,
    now: i64,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_receive", organiser, &mut |it| {
            Ok(it.receive(
                participant,
                delivered::<{ crate::exchange::wire::SIZE }>(datagram, length)?,
                ServerTime::from_ticks(now),
            )?)
        })
    }
}

/// The next datagram to be sent at server time `now` (ticks), of `NETCLOCK_DATAGRAM_SIZE` bytes, to where there is room for
/// `capacity` bytes, and to whom, into `*participant`. Call it in every frame until it answers `NETCLOCK_NOTHING_DUE`, which
/// leaves both as they were. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_next_message(
    organiser: *mut NetclockOrganiser,
    now: i64,
    participant: *mut u64,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_next_message", organiser, &mut |it| {
            boundary::writable(participant, "participant")?;
            let room = room(datagram, capacity)?;
            let (to, message) = it.next_message(ServerTime::from_ticks(now)).ok_or(Failure::NothingDue)?;
            boundary::copy_out(participant, "participant", to)?;
            boundary::copy_out(room, "datagram", message)
        })
    }
}

/// What is known of `participant` at server time `now` (ticks), into `*participation`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_participation(
    organiser: *mut NetclockOrganiser,
    participant: u64,
    now: i64,
    participation: *mut NetclockParticipation,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_participation", organiser, &mut |it| {
            let known = it.participation(participant, ServerTime::from_ticks(now))?;
            boundary::grow_out(participation, "participation", &known.into())
        })
    }
}

/// What became of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet, and `*outcome` is as it was.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_organiser_outcome(
    organiser: *mut NetclockOrganiser,
    outcome: *mut NetclockOutcome,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_organiser_outcome", organiser, &mut |it| {
            boundary::check_size(outcome, "outcome")?;
            boundary::grow_out(outcome, "outcome", &it.result()?.into())
        })
    }
}
