use crate::clock::{LocalTime, Span, UtcTime};

/// Reads a clock that never runs backwards, is never slewed, and keeps counting during suspend.
///
/// The rest of the library does not read clocks. If you do not have your own clock, use this one as local
/// time on the client and as server time on the server. [`std::time::Instant`] is not a substitute on Linux,
/// because it stops during suspend, and because chrony, ntpd and timesyncd slew it by 500 ppm or more.
///
/// This function reads `CLOCK_MONOTONIC_RAW` on Linux, Android, macOS and iOS. On Linux and Android, it adds
/// the time spent in suspend. On Windows it reads the performance counter, and on other Unix systems
/// `CLOCK_MONOTONIC`, which may be slewed. See [`Reader`](crate::Reader).
pub fn monotonic_now() -> LocalTime {
    LocalTime::from_ticks(system::now())
}

/// Maximum number of attempts. A thread may be preempted between two reads, so the best attempt counts.
const TRIES: usize = 5;
/// An attempt that takes less time than this is good enough. Three clock reads take about 0.2 us.
const GOOD_ENOUGH: Span = Span::from_micros(1);
const STEP: Span = Span::from_ticks(1);

/// A machine's UTC and monotonic time at the same instant, as read by [`utc_now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcSample {
    /// The monotonic time halfway between the reads before and after that of `utc`.
    pub local: LocalTime,
    /// The machine's UTC.
    pub utc: UtcTime,
    /// Bound on the time between `local` and the read of `utc`. Add it to the error bound of the time source.
    pub uncertainty: Span,
}

/// Reads the machine's UTC and [`monotonic_now`](crate::monotonic_now) at the same instant. Servers use this
/// to publish UTC with [`Host::observe_utc`](crate::session::Host::observe_utc). Returns `None` if the system
/// does not provide UTC, or if a clock cannot be read.
///
/// UTC is read between two reads of the monotonic clock, up to five times. The attempt whose two monotonic
/// reads are closest together is returned. UTC is `CLOCK_REALTIME` on Unix and
/// `GetSystemTimePreciseAsFileTime` on Windows. Users and time services may step or slew this clock, and may
/// smear leap seconds.
///
/// ```
/// if let Some(sample) = netclock::utc_now() {
///     println!("{:?} within {:?} at {:?}", sample.utc, sample.uncertainty, sample.local);
/// }
/// ```
#[cfg_attr(
    not(any(feature = "game", all(feature = "link", unix))),
    expect(dead_code, reason = "used by two features only")
)]
pub fn utc_now() -> Option<UtcSample> {
    closest(monotonic_now, utc)
}

/// Supports only Unix and Windows, because reading the wall clock panics on systems without one.
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the only place that reads UTC")]
fn utc() -> Option<UtcTime> {
    const NANOSECONDS_PER_TICK: u128 = 100;
    if !cfg!(any(unix, windows)) {
        return None;
    }
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since_1970.as_nanos() / NANOSECONDS_PER_TICK).ok().map(UtcTime::from_ticks)
}

fn closest(local: impl Fn() -> LocalTime, utc: impl Fn() -> Option<UtcTime>) -> Option<UtcSample> {
    let mut best: Option<UtcSample> = None;
    for _ in 0..TRIES {
        let (before, utc, after) = (local(), utc()?, local());
        let half = Span::from_ticks((after - before).ticks() / 2);
        let uncertainty = half + STEP;
        if best.is_none_or(|best| uncertainty < best.uncertainty) {
            best = Some(UtcSample { local: before + half, utc, uncertainty });
        }
        if after - before < GOOD_ENOUGH {
            break;
        }
    }
    best
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

    fn ticks(nanoseconds: Option<i64>) -> i64 {
        nanoseconds.map_or(0, |nanoseconds| nanoseconds.div_euclid(NANOSECONDS_PER_TICK))
    }

    #[expect(clippy::disallowed_methods, reason = "the only place that reads a clock, on request")]
    fn nanoseconds(clock: libc::clockid_t) -> Option<i64> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is writable, and the call does not keep the pointer.
        let result = unsafe { libc::clock_gettime(clock, &raw mut time) };
        // Some 32-bit systems have narrower fields.
        #[expect(clippy::useless_conversion, reason = "the types differ between systems")]
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
    }

    /// The counter's frequency in Hz, or zero before it has been queried. It never changes while the system
    /// runs.
    static FREQUENCY: AtomicI64 = AtomicI64::new(0);

    pub(super) fn now() -> i64 {
        let mut frequency = FREQUENCY.load(Ordering::Relaxed);
        if frequency == 0 {
            // SAFETY: the number is writable, and the call does not keep the pointer.
            unsafe { QueryPerformanceFrequency(&raw mut frequency) };
            FREQUENCY.store(frequency, Ordering::Relaxed);
        }
        let mut count = 0;
        // SAFETY: the number is writable, and the call does not keep the pointer.
        unsafe { QueryPerformanceCounter(&raw mut count) };
        let frequency = frequency.max(1);
        // Divide the remainder separately to avoid overflow.
        let (seconds, rest) = (count / frequency, count % frequency);
        seconds * TICKS_PER_SECOND + rest * TICKS_PER_SECOND / frequency
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    pub(super) fn now() -> i64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TICKS_PER_SECOND;
    use std::cell::{Cell, RefCell};

    const AHEAD: i64 = 17_000_000_000_000_000;

    #[test]
    fn the_closest_pair_is_used_and_its_uncertainty_is_correct() {
        // Each case lists the ticks that pass before each read. Long pauses come before or after the UTC
        // read, or in most or all attempts.
        let cases = [
            vec![1, 1, 1],
            vec![1, 90_000, 1, 1, 4, 5],
            vec![1, 1, 90_000, 1, 300, 1, 1, 1, 300, 1, 40, 1, 1, 1, 300],
        ];
        for pauses in cases {
            let (true_time, pauses) = (Cell::new(0), RefCell::new(pauses.into_iter()));
            let now = || {
                true_time.set(true_time.get() + pauses.borrow_mut().next().expect("too many reads"));
                true_time.get()
            };
            let pair = closest(|| LocalTime::from_ticks(now()), || Some(UtcTime::from_ticks(now() + AHEAD)));
            let UtcSample { local, utc, uncertainty } = pair.expect("there is a UTC");
            let off = utc.ticks() - AHEAD - local.ticks();
            assert!(off.abs() <= uncertainty.ticks(), "{local:?} is off by {off}, not {uncertainty}");
            assert!(uncertainty.ticks() <= 22, "{uncertainty} is not that of the closest pair");
            assert_eq!(pauses.borrow_mut().next(), None, "it stops at a good try, and after five");
        }
        assert_eq!(closest(|| LocalTime::from_ticks(0), || None), None);
    }

    #[test]
    fn the_clock_advances_and_never_goes_back() {
        let first = monotonic_now().ticks();
        let mut last = first;
        assert!(first > 0 && utc_now().is_some_and(|sample| sample.local.ticks() >= first));
        // This loop never ends if the clock does not advance.
        while last < first + 10 {
            let now = monotonic_now().ticks();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn utc_matches_the_system() {
        let sample = utc_now().expect("this system has UTC");
        #[expect(
            clippy::disallowed_methods,
            clippy::disallowed_types,
            reason = "the system's clock, for comparison"
        )]
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let apart = since_1970.expect("after 1970").as_secs() as i64 - sample.utc.ticks() / TICKS_PER_SECOND;
        // An hour is far longer than the test takes, and a wrong unit or epoch would cause a far larger
        // error.
        assert!((-3600..=3600).contains(&apart), "{apart} s apart");
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the system's clock, for comparison")]
    fn the_clock_is_the_time_since_boot_without_slew() {
        let mut boot = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `boot` is writable, and the call does not keep the pointer.
        assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut boot) }, 0);
        let apart = monotonic_now().ticks() / TICKS_PER_SECOND - boot.tv_sec;
        // No system slews by more than a tenth of its uptime.
        assert!(apart.abs() <= 60 + boot.tv_sec / 10, "{apart} s apart");
        assert!(monotonic_now().ticks() > 0);
    }
}
