//! UTC: what a guest shows, and the machine's own for a host.

use crate::ffi::base::prelude::*;
use crate::ffi::session::config::NetclockUtcTime;
use crate::ffi::session::status::NETCLOCK_NO_UTC;
use crate::game::utc::{UtcReading, utc_now};

/// The server's UTC at one instant. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockUtcReading {
    /// `sizeof(netclock_utc_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the claim. Another number, or another server epoch, means that UTC may have jumped.
    pub version: u32,
    /// UTC as the server claims it, in ticks since 1970-01-01 00:00, without leap seconds.
    pub utc: NetclockUtcTime,
    /// True UTC is within `utc` plus or minus this (ticks), if the server's source of time is right.
    /// `NETCLOCK_UNBOUNDED` if nobody states how good the server's UTC is, or the clock has no bound.
    pub error_bound: i64,
}

growable! { NetclockUtcReading: 24 }

to_c! { |reading: UtcReading| NetclockUtcReading { version, utc, error_bound } }

/// Reads the machine's UTC and `netclock_monotonic_now` as one, for `netclock_host_observe_utc`. At
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
