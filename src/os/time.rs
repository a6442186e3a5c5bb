//! The machine's monotonic clock and its UTC.

use crate::clock::{LocalTime, UtcTime};

/// Local time by a clock that never goes back and that no time service slews. It counts suspension.
///
/// The rest of the library reads no clock. Use this one if you have none of your own, on the client as local
/// time and on the server as server time. [`std::time::Instant`] is no replacement on Linux: there chrony,
/// ntpd and timesyncd slew it by 500 ppm and more, and it stops in suspension.
///
/// It reads `CLOCK_MONOTONIC_RAW` on Linux, Android, macOS and iOS, and on the first two adds the time
/// spent in suspension. On Windows it reads the performance counter, on other Unix systems
/// `CLOCK_MONOTONIC`, which may be slewed. See [`Reader`](crate::Reader).
pub fn monotonic_now() -> LocalTime {
    LocalTime::from_ticks(system::now())
}

/// The machine's UTC; None on a system without one.
#[cfg_attr(not(feature = "game"), expect(dead_code, reason = "for the games' UTC"))]
pub(crate) fn utc() -> Option<UtcTime> {
    system::utc().map(UtcTime::from_ticks)
}

#[cfg(unix)]
mod system {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    use super::super::unslewed::{Source, Unslewed};

    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn now() -> i64 {
        static CLOCK: Unslewed = Unslewed::new();
        let read = |source| {
            nanoseconds(match source {
                Source::Boot => libc::CLOCK_BOOTTIME,
                Source::Monotonic => libc::CLOCK_MONOTONIC,
                Source::Raw => libc::CLOCK_MONOTONIC_RAW,
            })
        };
        ticks(CLOCK.now(read))
    }

    #[cfg(target_vendor = "apple")]
    pub(super) fn now() -> i64 {
        ticks(nanoseconds(libc::CLOCK_MONOTONIC_RAW))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(super) fn now() -> i64 {
        ticks(nanoseconds(libc::CLOCK_MONOTONIC))
    }

    const NANOSECONDS_PER_TICK: i64 = 100;

    /// Ticks since 1970.
    pub(super) fn utc() -> Option<i64> {
        nanoseconds(libc::CLOCK_REALTIME).map(|nanoseconds| nanoseconds.div_euclid(NANOSECONDS_PER_TICK))
    }

    fn ticks(nanoseconds: Option<i64>) -> i64 {
        nanoseconds.map_or(0, |nanoseconds| nanoseconds.div_euclid(NANOSECONDS_PER_TICK))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that reads a clock, for callers who ask")]
    fn nanoseconds(clock: libc::clockid_t) -> Option<i64> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` can be written, and the call keeps nothing.
        let result = unsafe { libc::clock_gettime(clock, &raw mut time) };
        // The fields are narrower on some 32-bit systems.
        #[expect(clippy::useless_conversion, reason = "of other types elsewhere")]
        let (seconds, nanoseconds) = (i64::from(time.tv_sec), i64::from(time.tv_nsec));
        (result == 0).then_some(seconds * 1_000_000_000 + nanoseconds)
    }
}

#[cfg(windows)]
mod system {
    use crate::clock::TICKS_PER_SECOND;
    use std::sync::atomic::{AtomicI64, Ordering};

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn QueryPerformanceCounter(count: *mut i64) -> i32;
        fn QueryPerformanceFrequency(frequency: *mut i64) -> i32;
        fn GetSystemTimePreciseAsFileTime(time: *mut FileTime);
    }

    /// Ticks since 1601, in two halves.
    #[repr(C)]
    struct FileTime {
        low: u32,
        high: u32,
    }

    /// Ticks from 1601 to 1970.
    const FROM_1601_TO_1970: i64 = 11_644_473_600 * TICKS_PER_SECOND;

    /// Ticks since 1970.
    pub(super) fn utc() -> Option<i64> {
        let mut time = FileTime { low: 0, high: 0 };
        // SAFETY: `time` can be written, and the call keeps nothing.
        unsafe { GetSystemTimePreciseAsFileTime(&raw mut time) };
        let since_1601 = u64::from(time.high) << 32 | u64::from(time.low);
        i64::try_from(since_1601).ok().map(|ticks| ticks - FROM_1601_TO_1970)
    }

    /// Counts in a second; zero until asked for. It never changes while the system runs.
    static FREQUENCY: AtomicI64 = AtomicI64::new(0);

    pub(super) fn now() -> i64 {
        let mut frequency = FREQUENCY.load(Ordering::Relaxed);
        if frequency == 0 {
            // SAFETY: the number can be written, and the call keeps nothing.
            unsafe { QueryPerformanceFrequency(&raw mut frequency) };
            FREQUENCY.store(frequency, Ordering::Relaxed);
        }
        let mut count = 0;
        // SAFETY: the number can be written, and the call keeps nothing.
        unsafe { QueryPerformanceCounter(&raw mut count) };
        let frequency = frequency.max(1);
        // The rest of the division apart, so that no product overflows.
        let (seconds, rest) = (count / frequency, count % frequency);
        seconds * TICKS_PER_SECOND + rest * TICKS_PER_SECOND / frequency
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    pub(super) fn now() -> i64 {
        0
    }

    pub(super) fn utc() -> Option<i64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TICKS_PER_SECOND;

    #[test]
    fn it_counts_and_never_goes_back() {
        let first = monotonic_now().ticks();
        let mut last = first;
        assert!(first > 0);
        // Terminates because the clock counts; a clock that stands still would hang here.
        while last < first + 10 {
            let now = monotonic_now().ticks();
            assert!(now >= last);
            last = now;
        }
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the system's clock to compare with")]
    fn it_is_the_time_since_boot_but_for_what_was_slewed() {
        let mut boot = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `boot` can be written, and the call keeps nothing.
        assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut boot) }, 0);
        let apart = monotonic_now().ticks() / TICKS_PER_SECOND - boot.tv_sec;
        // No system slews by more than a tenth for all its life.
        assert!(apart.abs() <= 60 + boot.tv_sec / 10, "{apart} s apart");
        assert!(monotonic_now().ticks() > 0);
    }
}
