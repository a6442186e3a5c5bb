//! Queries the system for the rate of the clock in [`time`](super::time). The core does not use this module.
//!
//! A time service that disciplines the system's clock measures the rate of the machine's crystal, often to
//! within 1 ppm. The kernel stores the correction. The disciplined clock then runs at the true rate, while
//! the unslewed clock is off by that correction.

use crate::clock::RateHint;

/// If a time service disciplines the system's clock, returns the rate of
/// [`monotonic_now`](crate::monotonic_now) that the service has measured. The hint is empty if there is no
/// time service, or if the rate would exceed 50 ppm (the default of
/// [`Config::client_drift_ppm`](crate::Config::client_drift_ppm)). Pass the hint as
/// [`Config::client_rate`](crate::Config::client_rate). A server can send its hint to its clients, which use
/// it as [`Config::server_rate`](crate::Config::server_rate).
///
/// Uses `adjtimex` on Linux, `ntp_adjtime` on macOS and iOS, and `GetSystemTimeAdjustmentPrecise` on Windows
/// 10 and later. This function does not change any system settings.
///
/// ```
/// use netclock::{Config, rate_hint};
///
/// let config = Config { client_rate: rate_hint(), ..Config::default() };
/// println!("{:?}", config.client_rate); // empty without a time service
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate_hint() -> RateHint {
    system::correction_ppm().map_or(RateHint::default(), hint)
}

/// Larger corrections (ppm) are ignored. They remove an offset or exceed the clients' default drift.
const MOST: f64 = 50.0;

fn hint((ppm, doubt_ppm): (f64, f64)) -> RateHint {
    // The correction compensates for the crystal's rate error, so the error is its negative.
    if ppm.abs() <= MOST { RateHint { ppm: -ppm, doubt_ppm } } else { RateHint::default() }
}

#[cfg(any(target_os = "linux", target_vendor = "apple", test))]
fn of_loop(frequency: i64) -> f64 {
    frequency as f64 / 65_536.0
}

#[cfg(target_os = "linux")]
mod system {
    /// Nominal length of a kernel tick (us), and how much an additional microsecond speeds up the clock
    /// (ppm).
    const TICK: i64 = 10_000;
    const PPM_A_MICROSECOND: f64 = 100.0;
    /// Uncertainty if the kernel's loop sets the frequency, as with ntpd and timesyncd (ppm).
    const LOOP: f64 = 1.0;
    /// Uncertainty if a daemon such as chrony sets the frequency and makes small corrections (ppm).
    const DAEMON: f64 = 3.0;

    #[expect(clippy::useless_conversion, reason = "the types differ between systems")]
    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // SAFETY: all fields of `timex` are numbers.
        let mut state: libc::timex = unsafe { core::mem::zeroed() };
        // SAFETY: `state` is writable, and no mode is set, so nothing is changed.
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
    /// Uncertainty if the kernel's loop sets the frequency (ppm).
    const LOOP: f64 = 2.0;

    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // SAFETY: all fields of `timex` are numbers.
        let mut state: libc::timex = unsafe { core::mem::zeroed() };
        // SAFETY: `state` is writable, and no mode is set, so nothing is changed.
        let result = unsafe { libc::ntp_adjtime(&raw mut state) };
        let is_synced = result >= 0 && state.status & libc::STA_UNSYNC == 0;
        is_synced.then(|| (super::of_loop(state.freq), LOOP))
    }
}

#[cfg(windows)]
mod system {
    use core::ffi::c_void;

    /// Uncertainty (ppm). It is larger here because the service also uses the frequency to correct offsets.
    const SERVICE: f64 = 5.0;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleA(name: *const u8) -> *mut c_void;
        fn GetProcAddress(module: *mut c_void, name: *const u8) -> *const c_void;
    }

    type Ask = unsafe extern "system" fn(*mut u64, *mut u64, *mut i32) -> i32;

    pub(super) fn correction_ppm() -> Option<(f64, f64)> {
        // Look the function up at run time, because older systems lack it and could not load a library that
        // imports it. SAFETY: the names are zero-terminated, and the module stays loaded.
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
        // SAFETY: `Ask` is the type of that function.
        let ask: Ask = unsafe { core::mem::transmute(found) };
        let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
        // SAFETY: all three numbers are writable.
        let result = unsafe { ask(&raw mut adjustment, &raw mut increment, &raw mut disabled) };
        // Equal numbers mean that the clock is not corrected, or is corrected in a different way.
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
    fn a_sped_up_clock_has_a_slow_crystal() {
        assert_eq!(hint((12.5, 1.0)), RateHint { ppm: -12.5, doubt_ppm: 1.0 });
        assert_eq!(hint((-500.0, 1.0)), RateHint::default(), "an offset is being corrected");
        assert_eq!(of_loop(-1_638_400), -25.0);
    }

    #[test]
    fn the_systems_rate_is_a_valid_setting() {
        let hint = rate_hint();
        println!("the system reports {hint:?}");
        let config = crate::Config { client_rate: hint, ..Default::default() };
        assert_eq!(config.validate(), Ok(()));
    }
}
