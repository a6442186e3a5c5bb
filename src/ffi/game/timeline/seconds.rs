//! Ticks from and to the seconds of games, which are of type `double`.

use crate::clock::WorldTime;
use crate::ffi::base::entries::entry;
use crate::ffi::base::failure::Failure;
use crate::ffi::base::pointers::{copy_out, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::base::text::Decimal;
use crate::ffi::game::timeline::status::NETCLOCK_SECONDS_OUT_OF_RANGE;

/// `seconds` as ticks, rounded to the nearest one, into `*ticks`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_SECONDS_OUT_OF_RANGE` for a value that is no number, and from 2^28 seconds (8.5 years) on, where
/// a double cannot hold ticks. Callable from any thread.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_ticks_from_seconds(seconds: f64, ticks: *mut i64) -> NetclockStatus {
    entry!(netclock_ticks_from_seconds, {
        writable(ticks, "ticks")?;
        let time = WorldTime::from_secs_f64(seconds).ok_or_else(|| {
            Failure::because(NETCLOCK_SECONDS_OUT_OF_RANGE, move |f| {
                write!(f, "seconds is {}, which is outside +-2^28", Decimal(seconds))
            })
        })?;
        copy_out(ticks, "ticks", time.ticks())
    })
}

/// `ticks` as seconds into `*seconds`, a different number for each tick. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_SECONDS_OUT_OF_RANGE` from 2^28 seconds (8.5 years) on. Callable from any thread.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_seconds_from_ticks(ticks: i64, seconds: *mut f64) -> NetclockStatus {
    entry!(netclock_seconds_from_ticks, {
        writable(seconds, "seconds")?;
        let exact = WorldTime::from_ticks(ticks).exact_secs_f64().ok_or_else(|| {
            Failure::because(NETCLOCK_SECONDS_OUT_OF_RANGE, move |f| {
                write!(f, "ticks is {ticks}, which is outside +-2^28 s")
            })
        })?;
        copy_out(seconds, "seconds", exact)
    })
}
