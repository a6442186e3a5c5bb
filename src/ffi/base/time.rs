//! A time base for callers that have none. The core never reads it.

use super::boundary;
use crate::time::TICKS_PER_SECOND;

/// Ticks in a second: all times and durations are in ticks of 100 ns.
pub const NETCLOCK_TICKS_PER_SECOND: i64 = 10_000_000;

const _: () = assert!(NETCLOCK_TICKS_PER_SECOND == TICKS_PER_SECOND);

/// Local time in ticks of 100 ns, by a clock that never goes back and is not the wall clock. It is for
/// callers without a clock of their own: pass it wherever a local time is asked for, and on the server as
/// server time.
///
/// Linux and Android: time since boot, suspension included. macOS and iOS: the system's monotonic clock,
/// which counts while asleep. Other Unix systems: the monotonic clock, which may stop in suspension. Windows:
/// the performance counter since the first call in this process, so times of two processes cannot be
/// compared. Callable from any thread. It never fails on these systems; elsewhere it would return 0.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_monotonic_now() -> i64 {
    boundary::or_else(now, 0)
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the one place that reads a clock, for C callers who ask")]
fn now() -> i64 {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;

    const NANOSECONDS_PER_TICK: i64 = 100;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` can be written, and the call keeps nothing.
    let result = unsafe { libc::clock_gettime(CLOCK, &raw mut time) };
    if result != 0 {
        return 0;
    }
    // The fields are narrower on some 32-bit systems.
    #[expect(clippy::useless_conversion, reason = "of other types elsewhere")]
    let (seconds, nanoseconds) = (i64::from(time.tv_sec), i64::from(time.tv_nsec));
    seconds * NETCLOCK_TICKS_PER_SECOND + nanoseconds / NANOSECONDS_PER_TICK
}

#[cfg(not(unix))]
#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place that reads a clock, for C callers who ask"
)]
fn now() -> i64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static FIRST: OnceLock<Instant> = OnceLock::new();
    let elapsed = FIRST.get_or_init(Instant::now).elapsed();
    // 1, so that no valid time is 0.
    1 + elapsed.as_secs() as i64 * NETCLOCK_TICKS_PER_SECOND + i64::from(elapsed.subsec_nanos() / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_and_never_goes_back() {
        let first = netclock_monotonic_now();
        let mut last = first;
        assert!(first > 0);
        // Terminates because the clock counts; a clock that stands still would hang here.
        while last < first + 10 {
            let now = netclock_monotonic_now();
            assert!(now >= last);
            last = now;
        }
    }
}
