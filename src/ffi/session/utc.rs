//! The server's UTC as a guest reads it, and the machine's own UTC for a host.

use crate::ffi::base::prelude::*;
use crate::ffi::session::config::NetclockUtcTime;
use crate::ffi::session::status::NETCLOCK_NO_UTC;
use crate::game::utc::{UtcReading, utc_now};

/// The server's UTC in a frame. UTC runs at the rate of the server's clock, so UTC at server time `t` is
/// `utc` plus `t` minus the frame's server time. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockUtcReading {
    /// `sizeof(netclock_utc_reading)` in the caller's program.
    pub struct_size: u32,
    /// Reserved, always zero.
    pub reserved: u32,
    /// UTC according to the server, in ticks since 1970-01-01 00:00, without leap seconds. UTC may jump.
    pub utc: NetclockUtcTime,
    /// True UTC is within `utc` plus or minus this bound (ticks), provided that the server's time source is
    /// correct. `NETCLOCK_UNBOUNDED` if the server did not announce a bound, or if the clock's bound is
    /// unknown.
    pub error_bound: i64,
}

growable! { NetclockUtcReading: 24 }

to_c! { |reading: UtcReading| NetclockUtcReading { utc, error_bound } }

/// Reads the machine's UTC and `netclock_monotonic_now` at the same instant, for `netclock_host_observe_utc`.
/// At local time `*local`, UTC was `*utc` (ticks since 1970), plus or minus `*uncertainty`. Add the
/// uncertainty to the error bound of the machine's time source.
///
/// The function reads UTC between two reads of the monotonic clock, up to five times, and returns the pair
/// with the smallest uncertainty. A call takes about a microsecond. UTC is `CLOCK_REALTIME` on Unix and
/// `GetSystemTimePreciseAsFileTime` on Windows. Users and time services may set or slew UTC, and may smear
/// leap seconds. Returns `NETCLOCK_NO_UTC` if the system has no UTC.
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
