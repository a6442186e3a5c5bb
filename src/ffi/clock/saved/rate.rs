//! What the system knows of the rate of its clock, and of its boot, for C.

use crate::clock::RateHint;
use crate::ffi::base::boundary;
use crate::os;

/// What the system knows of the rate of `netclock_monotonic_now`: how much faster than true time it runs into
/// `*ppm`, and the standard deviation of that into `*doubt_ppm`. If a time service disciplines the system's
/// clock, that is known to a few ppm. If none does, if the system does not say, or if it is more than the 50
/// ppm of the default drift, both are 0. Store both in a configuration, as the rate of the client's clock. A
/// server can tell its clients its own, for their `server_rate_ppm`.
///
/// Linux: `adjtimex`, which changes nothing. macOS and iOS: `ntp_adjtime`, likewise. Windows 10 and later:
/// `GetSystemTimeAdjustmentPrecise`. Elsewhere nothing is known. Null is allowed for either pointer. Callable
/// from any thread. It never fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_hint(ppm: *mut f64, doubt_ppm: *mut f64) {
    let hint = boundary::or_else(os::rate_hint, RateHint::default());
    for (out, value) in [(ppm, hint.ppm), (doubt_ppm, hint.doubt_ppm)] {
        if !out.is_null() {
            // SAFETY: not null, so that it can be written, as the header asks of every caller.
            unsafe { out.write(value) };
        }
    }
}

/// The identity of this machine's boot, for `boot` of `netclock_config`; 0 if the system does not say. Rates
/// may be others after a boot. A server can tell its clients its own, for
/// `netclock_client_set_server_boot`: it says which servers run on one machine, and nothing else of it.
///
/// Asks Linux and Android for the boot's id, macOS and iOS for the boot session's UUID, Windows for the time
/// of the boot. Callable from any thread. It never fails.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_boot_id() -> u64 {
    boundary::or_else(os::boot_id, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr;

    #[test]
    fn it_is_what_the_system_says_and_null_is_allowed() {
        let (mut ppm, mut doubt_ppm) = (f64::NAN, f64::NAN);
        // SAFETY: null, or two numbers that can be written.
        unsafe {
            netclock_rate_hint(&raw mut ppm, &raw mut doubt_ppm);
            netclock_rate_hint(ptr::null_mut(), ptr::null_mut());
        }
        assert_eq!(RateHint { ppm, doubt_ppm }, os::rate_hint());
        assert_eq!(netclock_boot_id(), os::boot_id());
    }
}
