//! What the system knows of the rate of the clock that [`time`](super::time) reads. The core never asks.
//!
//! A time service that disciplines the system's clock has learned how fast its crystal runs, often to 1 ppm,
//! and the kernel keeps the correction. The disciplined clock then runs at the true rate; the unslewed one
//! differs from it by the correction.

use crate::clock::RateHint;

/// What the system knows of the rate of [`monotonic_now`](crate::monotonic_now), if a time service
/// disciplines its clock. Nothing otherwise, and if it would be more than the 50 ppm of the default
/// [`Config::client_drift_ppm`](crate::Config::client_drift_ppm). Pass it as [`Config::client_rate`](crate::Config::client_rate).
/// A server can tell its clients its own, for their [`Config::server_rate`](crate::Config::server_rate).
///
/// Asks Linux by `adjtimex`, macOS and iOS by `ntp_adjtime`, Windows 10 and later by
/// `GetSystemTimeAdjustmentPrecise`. Nothing is changed.
///
/// ```
/// use netclock::{Config, rate_hint};
///
/// let config = Config { client_rate: rate_hint(), ..Config::default() };
/// println!("{:?}", config.client_rate); // none without a time service
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate_hint() -> RateHint {
    system::correction_ppm().map_or(RateHint::default(), hint)
}

/// Beyond this (ppm), a correction works off an offset, or is outside the drift that clients state unless
/// they are told.
const MOST: f64 = 50.0;

/// The hint of a clock that the system corrects by `ppm`, known to `doubt_ppm`.
fn hint((ppm, doubt_ppm): (f64, f64)) -> RateHint {
    // The corrected clock runs at (1 + correction) times the crystal's rate, and that is the true one.
    if ppm.abs() <= MOST { RateHint { ppm: -ppm, doubt_ppm } } else { RateHint::default() }
}

/// How a kernel's loop states a frequency: in ppm, with 16 bits behind the point.
#[cfg(any(target_os = "linux", target_vendor = "apple", test))]
fn of_loop(frequency: i64) -> f64 {
    frequency as f64 / 65_536.0
}

#[cfg(target_os = "linux")]
mod system {
    /// Nominal length of a tick (us), and what a microsecond more is in ppm.
    const TICK: i64 = 10_000;
    const PPM_A_MICROSECOND: f64 = 100.0;
    /// What is left when the kernel's loop holds the frequency, as for ntpd and timesyncd (ppm).
    const LOOP: f64 = 1.0;
    /// What is left when a daemon sets the frequency, as chrony does: it holds small corrections of the
    /// offset too (ppm).
    const DAEMON: f64 = 3.0;

    #[expect(clippy::useless_conversion, reason = "of other types elsewhere")]
    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // SAFETY: all its fields are numbers.
        let mut state: libc::timex = unsafe { core::mem::zeroed() };
        // SAFETY: it can be written, and no mode is set, so that nothing is changed.
        let result = unsafe { libc::adjtimex(&raw mut state) };
        if result < 0 || state.status & libc::STA_UNSYNC != 0 {
            return None;
        }
        let ticks = (i64::from(state.tick) - TICK) as f64 * PPM_A_MICROSECOND;
        let doubt = if state.status & libc::STA_PLL != 0 { LOOP } else { DAEMON };
        Some((super::of_loop(i64::from(state.freq)) + ticks, doubt))
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    /// What is left when the kernel's loop holds the frequency (ppm).
    const LOOP: f64 = 2.0;

    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // SAFETY: all its fields are numbers.
        let mut state: libc::timex = unsafe { core::mem::zeroed() };
        // SAFETY: it can be written, and no mode is set, so that nothing is changed.
        let result = unsafe { libc::ntp_adjtime(&raw mut state) };
        let is_synced = result >= 0 && state.status & libc::STA_UNSYNC == 0;
        is_synced.then(|| (super::of_loop(state.freq), LOOP))
    }
}

#[cfg(windows)]
mod system {
    use core::ffi::c_void;

    /// The service corrects offsets by the frequency too (ppm).
    const SERVICE: f64 = 5.0;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleA(name: *const u8) -> *mut c_void;
        fn GetProcAddress(module: *mut c_void, name: *const u8) -> *const c_void;
    }

    type Ask = unsafe extern "system" fn(*mut u64, *mut u64, *mut i32) -> i32;

    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // Looked up, since older systems have no such function, and nothing could load the library there.
        // SAFETY: names that end with zero; the module stays loaded.
        let found = unsafe {
            let module = GetModuleHandleA(c"kernelbase.dll".as_ptr().cast());
            if module.is_null() {
                return None;
            }
            GetProcAddress(module, c"GetSystemTimeAdjustmentPrecise".as_ptr().cast())
        };
        if found.is_null() {
            return None;
        }
        // SAFETY: this is the type of that function.
        let ask: Ask = unsafe { core::mem::transmute(found) };
        let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
        // SAFETY: three numbers that can be written.
        let result = unsafe { ask(&raw mut adjustment, &raw mut increment, &raw mut disabled) };
        // With equal numbers nothing is corrected, or the system does it in another way.
        let is_told = result != 0 && disabled == 0 && increment > 0 && adjustment != increment;
        is_told.then(|| ((adjustment as f64 / increment as f64 - 1.0) * 1e6, SERVICE))
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
mod system {
    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_sped_up_has_a_slow_crystal() {
        assert_eq!(hint((12.5, 1.0)), RateHint { ppm: -12.5, doubt_ppm: 1.0 });
        assert_eq!(hint((-500.0, 1.0)), RateHint::default(), "an offset is worked off");
        assert_eq!(of_loop(-1_638_400), -25.0);
    }

    #[test]
    fn what_the_system_says_fits_a_configuration() {
        let hint = rate_hint();
        println!("the system says {hint:?}");
        let config = crate::Config { client_rate: hint, ..Default::default() };
        assert_eq!(config.validate(), Ok(()));
    }
}
