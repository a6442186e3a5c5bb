use crate::clock::LocalTime;
use crate::clock::authority::Authority;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status::{self, NETCLOCK_NOT_SYNCED};

/// An authority states which timescale a server's clock shows, and how far the clock may be off. If a server
/// does not announce an authority, its clock defines its own timescale. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockAuthority {
    /// `sizeof(netclock_authority)` in the caller's program.
    pub struct_size: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// The `epoch` with which the `netclock_server` was created.
    pub epoch: u64,
    /// Identifies the timescale. This is the epoch of the first server that showed the timescale, or a number
    /// that you assign to a fleet of servers.
    pub timescale: u64,
    /// The largest difference between the clock and the timescale. (ticks, 0 to 2^32 - 1)
    pub dispersion: i64,
}

growable! { NetclockAuthority: 32 }

to_c! { |known: Authority| NetclockAuthority { epoch, timescale, dispersion } }

from_c! { |given: NetclockAuthority| Authority { epoch, timescale, dispersion } }

/// `authority` must be null or point to `struct_size` readable bytes.
pub(crate) unsafe fn authority_in(authority: *const NetclockAuthority) -> Outcome<Authority> {
    // SAFETY: guaranteed by the caller.
    let given = unsafe { grow_in(authority, "authority")? };
    reserved(given.reserved, "authority")?;
    Ok(given.into())
}

/// Sets the authority that the client will follow from its first reply, or updates the dispersion of the
/// current authority. The client trusts the authority, so it must have arrived over a trusted connection. A
/// guest learns the authority from its host and does not need this call. `now` is the local time in ticks.
///
/// Setting a different authority for the same timescale is a handover. The client then applies its estimates
/// of the old clock to the new one, widened by both dispersions. The shown time and the reading's epoch
/// continue. The client slews the difference and reports `NETCLOCK_EVENT_HANDED_OVER`. Call this function
/// before the first reply from the new authority. After that reply, the call works only for about half a
/// second, because the client shows the old server's clock until the burst is answered. If the new server's
/// replies contradict the authority, the clock restarts as it does after a server restart.
///
/// Errors: `NETCLOCK_OUT_OF_RANGE` if the dispersion is out of range, `NETCLOCK_OTHER_TIMESCALE`,
/// `NETCLOCK_TIME_WENT_BACKWARDS`.
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

/// Determines the authority that readings follow at local time `now` (ticks), and returns it in `*authority`.
/// The `error_bound` of a reading refers to the authority's clock, and the timescale is within `dispersion`
/// of that clock. After 20 s without confirmation, the dispersion grows at the rate of the possible drift.
/// Returns `NETCLOCK_NOT_SYNCED` if no accepted reply contained an epoch.
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
