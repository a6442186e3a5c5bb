//! Authorities: the client's half of a handover.

use core::ffi::c_void;

use crate::clock::authority::{AdoptionRequest, Authority};
use crate::clock::{LocalTime, wire};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status::{self, NETCLOCK_NOT_SYNCED};
use crate::ffi::clock::exchange::wire::{delivered, room};

/// An authority: a run of a server's clock, and how far it may be off a timescale. The clock shows the
/// timescale within +-`dispersion`. A server about which nobody says anything is a timescale of its own. Set
/// `struct_size` before each call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockAuthority {
    /// `sizeof(netclock_authority)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The server epoch, with which the `netclock_server` was created.
    pub epoch: u64,
    /// Name of the timescale: the epoch of the first server that showed it, or a number given to a fleet.
    pub timescale: u64,
    /// Dispersion: the largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1)
    pub dispersion: i64,
}

growable! { NetclockAuthority: 32 }

to_c! { |known: Authority| NetclockAuthority { epoch, timescale, dispersion } }

from_c! { |given: NetclockAuthority| Authority { epoch, timescale, dispersion } }

/// # Safety
/// `authority` is null or points to as many bytes as its `struct_size` says.
pub(crate) unsafe fn authority_in(authority: *const NetclockAuthority) -> Outcome<Authority> {
    // SAFETY: the caller's promise.
    let given = unsafe { grow_in(authority, "authority")? };
    reserved(given.reserved, "authority")?;
    Ok(given.into())
}

/// Sets the authority that the client follows from its first reply on, or updates the dispersion of the one
/// it follows. The caller vouches for it, because it came over a trusted connection. A guest learns the
/// authority from its host and needs no such call. `now` is the local time in ticks.
///
/// If the authority is another one of the same timescale, this is a handover. What is known of the old clock
/// holds for the new one, widened by both dispersions. Shown time and the reading's epoch continue, the
/// difference is slewed, and the event is `NETCLOCK_EVENT_HANDED_OVER`. Call it before the first reply of the
/// new authority. Afterwards it works only while the old run is still shown, until the burst is answered
/// (about half a second). If the new replies contradict what was said, the clock starts again, as after a
/// restart.
///
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_OUT_OF_RANGE` (the dispersion),
/// `NETCLOCK_OTHER_TIMESCALE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_authority(
    client: *mut NetclockClient,
    authority: *const NetclockAuthority,
    now: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_set_authority, client, |client| {
        let (authority, now) = (authority_in(authority)?, LocalTime::from_ticks(now));
        client.set_authority(&authority, now).map_err(|error| status::authority(error, now))
    })
}

/// The authority whose clock the readings at local time `now` (ticks) are about, into `*authority`. A
/// reading's `error_bound` is about this clock, and the timescale is within `dispersion` of it. The
/// dispersion grows with possible drift if nobody has confirmed it for 20 s. `NETCLOCK_NOT_SYNCED`: no
/// accepted reply named an epoch. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_authority(
    client: *const NetclockClient,
    now: NetclockLocalTime,
    authority: *mut NetclockAuthority,
) -> NetclockStatus {
    on_client!(netclock_client_authority, client, |client| {
        check_size(authority, "authority")?;
        let known = client.authority(local_time(now)?).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))?;
        grow_out(authority, "authority", known)
    })
}

/// Answers the request of `length` bytes of a server that adopts the timescale: what time it is on the
/// timescale at local time `now` (ticks), and how far that may be off. The answer is a datagram of
/// `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send it at once: any delay
/// widens what the server can conclude. `NETCLOCK_UNCERTAIN`: nothing certain is known, send nothing. Errors:
/// one of `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OTHER_TIMESCALE`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_respond_to_adoption(
    client: *const NetclockClient,
    request: *const c_void,
    length: usize,
    now: NetclockLocalTime,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    on_client!(netclock_client_respond_to_adoption, client, |client| {
        let room = room(datagram, capacity)?;
        let question = AdoptionRequest::decode(delivered::<{ wire::SIZE }>(request, length, "request")?)?;
        let now = LocalTime::from_ticks(now);
        let answer = client
            .respond_to_adoption(&question, now)
            .map_err(|error| status::authority(error, now))?
            .encode()?;
        copy_out(room, "datagram", answer)
    })
}
