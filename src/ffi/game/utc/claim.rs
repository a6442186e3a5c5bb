//! What a server says about UTC, and what it reads.

use crate::ffi::base::prelude::*;
use crate::ffi::game::utc::status::NETCLOCK_NO_UTC;
use crate::game::utc::utc_now;
use crate::game::utc::{UTC_DATAGRAM_SIZE, UtcClaim};

/// An instant of UTC: ticks since 1970-01-01 00:00, without leap seconds.
pub type NetclockUtcTime = i64;

/// Length of a request for a claim about UTC and of its reply as datagrams, in bytes.
pub const NETCLOCK_UTC_DATAGRAM_SIZE: usize = 48;

const _: () = assert!(NETCLOCK_UTC_DATAGRAM_SIZE == UTC_DATAGRAM_SIZE);

/// A server's claim: UTC is `zero` plus server time. UTC is in ticks since 1970-01-01 00:00 as POSIX counts
/// it: every day has 86,400 s, and leap seconds have no number of their own. Set `struct_size` before each
/// call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockUtcClaim {
    /// `sizeof(netclock_utc_claim)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the claim within its server epoch. May wrap.
    pub version: u32,
    /// The server epoch that `zero` and `read` belong to, as in `netclock_reply.epoch`.
    pub server_epoch: u64,
    /// UTC when the server's clock reads zero. It may be before 1970.
    pub zero: NetclockUtcTime,
    /// When the server read both clocks, in ticks of server time.
    pub read: NetclockServerTime,
    /// How far the claimed UTC may be off true UTC at `read`. `NETCLOCK_UNBOUNDED` if nobody states it.
    /// (ticks, 0 to 2^32 - 2)
    pub bound: i64,
    /// How fast the server's clock may run away from UTC. (ppm, 0 to 100000)
    pub drift_ppm: u64,
}

growable! { NetclockUtcClaim: 48 }

to_c! { |claim: UtcClaim| NetclockUtcClaim {
    version, server_epoch, zero, read, bound;
    drift_ppm: u64::from(claim.drift_ppm),
} }

from_c! { |claim: NetclockUtcClaim| UtcClaim {
    server_epoch, version, zero, read, bound;
    // What does not fit is out of range too.
    drift_ppm: u32::try_from(claim.drift_ppm).unwrap_or(u32::MAX),
} }

/// Reads the machine's UTC and `netclock_monotonic_now` as one, for `netclock_utc_publisher_observe`. At
/// local time `*local` UTC was `*utc`, in ticks since 1970, give or take `*uncertainty`. Add that to the
/// bound of the machine's source of time.
///
/// UTC is read between two reads of the other clock, up to five times, and the closest pair counts. That
/// takes about a microsecond. UTC is `CLOCK_REALTIME` on Unix and `GetSystemTimePreciseAsFileTime` on
/// Windows. People and time services set it, slew it, and may smear leap seconds. `NETCLOCK_NO_UTC`: this
/// system has no UTC. Errors: `NETCLOCK_NULL_ARGUMENT`. Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_now(
    local: *mut NetclockLocalTime,
    utc: *mut NetclockUtcTime,
    uncertainty: *mut i64,
) -> NetclockStatus {
    entry!(netclock_utc_now, {
        writable(local, "local")?;
        writable(utc, "utc")?;
        writable(uncertainty, "uncertainty")?;
        let now = utc_now().ok_or_else(|| Failure::of(NETCLOCK_NO_UTC))?;
        copy_out(local, "local", now.local.ticks())?;
        copy_out(utc, "utc", now.utc.ticks())?;
        copy_out(uncertainty, "uncertainty", now.uncertainty.ticks())
    })
}
