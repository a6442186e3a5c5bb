use crate::clock::RateHint;
use crate::ffi::base::boundary;
use crate::os;

/// Asks the operating system how fast `netclock_monotonic_now` runs, and for an identifier of the current
/// boot. Any of the pointers may be null.
///
/// `*ppm` states how much faster than true time the clock runs, and `*doubt_ppm` is the standard deviation of
/// this value. If a time service disciplines the system clock, the rate is known to within a few ppm. Both
/// values are 0 if there is no time service, if the system does not report the rate, or if the rate exceeds
/// the default drift of 50 ppm. Copy both values to `client_rate_ppm` and `client_rate_doubt_ppm` in
/// `netclock_config`. A server can send them to its clients, for `server_rate_ppm` and
/// `server_rate_doubt_ppm`.
///
/// `*boot` identifies this machine's current boot, or is 0 if the system does not report it. Copy it to
/// `boot` in `netclock_config`. Rates may change at a reboot. A server can send `*boot` to its clients for
/// `netclock_client_set_server_boot`. The value reveals which servers run on the same machine, but nothing
/// else.
///
/// The rate comes from `adjtimex` on Linux, `ntp_adjtime` on macOS and iOS, and
/// `GetSystemTimeAdjustmentPrecise` on Windows 10 and later. These calls only read. The boot is identified by
/// the boot id on Linux and Android, the UUID of the boot session on macOS and iOS, and the boot time on
/// Windows. On other systems, both are unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_machine_hints(ppm: *mut f64, doubt_ppm: *mut f64, boot: *mut u64) {
    let hint = boundary::or_else(os::rate_hint, RateHint::default());
    // SAFETY: the pointers are null or valid, as the header requires of every caller.
    unsafe {
        if let Some(ppm) = ppm.as_mut() {
            *ppm = hint.ppm;
        }
        if let Some(doubt_ppm) = doubt_ppm.as_mut() {
            *doubt_ppm = hint.doubt_ppm;
        }
        if let Some(boot) = boot.as_mut() {
            *boot = boundary::or_else(os::boot_id, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr;

    #[test]
    fn hints_come_from_the_system_and_pointers_may_be_null() {
        let (mut ppm, mut doubt_ppm, mut boot) = (f64::NAN, f64::NAN, 1);
        // SAFETY: each pointer is null or points to a writable number.
        unsafe {
            netclock_machine_hints(&raw mut ppm, &raw mut doubt_ppm, &raw mut boot);
            netclock_machine_hints(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        }
        assert_eq!(RateHint { ppm, doubt_ppm }, os::rate_hint());
        assert_eq!(boot, os::boot_id());
    }
}
