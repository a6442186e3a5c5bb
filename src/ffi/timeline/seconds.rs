//! Seconds of games, which are of type `double`, and ticks.

use crate::ffi::base::boundary;
use crate::ffi::base::failure::Failure;
use crate::ffi::base::status::NetclockStatus;
use crate::time::WorldTime;

/// `seconds` as ticks, to the nearest one, into `*ticks`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_SECONDS_OUT_OF_RANGE` for what is no number, and from 2^28 seconds (8.5 years) on, where a double does not hold
/// ticks. Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_ticks_from_seconds(seconds: f64, ticks: *mut i64) -> NetclockStatus {
    boundary::entry("netclock_ticks_from_seconds", || {
        boundary::writable(ticks, "ticks")?;
        let time = WorldTime::from_secs_f64(seconds).ok_or(Failure::Seconds(seconds))?;
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::copy_out(ticks, "ticks", time.ticks()) }
    })
}

/// `ticks` as seconds into `*seconds`, as long as that is another number for each tick. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_SECONDS_OUT_OF_RANGE` from 2^28 seconds (8.5 years) on. Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_seconds_from_ticks(ticks: i64, seconds: *mut f64) -> NetclockStatus {
    boundary::entry("netclock_seconds_from_ticks", || {
        boundary::writable(seconds, "seconds")?;
        let exact = WorldTime::from_ticks(ticks).exact_secs_f64().ok_or(Failure::NoSeconds(ticks))?;
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::copy_out(seconds, "seconds", exact) }
    })
}
