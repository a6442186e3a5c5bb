//! Reads the machine's UTC and its monotonic clock at the same instant.

use crate::clock::{LocalTime, Span, UtcTime};
use crate::os;

/// A simultaneous reading of a machine's UTC and monotonic clock. See [`utc_now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcSample {
    /// Monotonic time, the midpoint of the two reads around `utc`.
    pub local: LocalTime,
    /// The machine's UTC.
    pub utc: UtcTime,
    /// Bound on the time between `local` and the read of `utc`. Add this to the bound of the time source.
    pub uncertainty: Span,
}

/// Reads the machine's UTC and [`monotonic_now`](crate::monotonic_now) at the same instant, for a server that
/// publishes UTC with [`Host::observe_utc`](crate::session::Host::observe_utc). Returns `None` if the system
/// does not provide UTC, or if a clock cannot be read.
///
/// UTC is read between two reads of the monotonic clock. This is repeated up to five times, and the result
/// with the shortest time between these reads is used. UTC is `CLOCK_REALTIME` on Unix and
/// `GetSystemTimePreciseAsFileTime` on Windows. Users and time services may step or slew both, and leap
/// seconds may be smeared.
///
/// ```
/// if let Some(sample) = netclock::utc_now() {
///     println!("{:?} within {:?} at {:?}", sample.utc, sample.uncertainty, sample.local);
/// }
/// ```
pub fn utc_now() -> Option<UtcSample> {
    os::both().map(|(local, utc, uncertainty)| UtcSample { local, utc, uncertainty })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_is_that_of_the_system_read_with_the_local_time() {
        let before = os::monotonic_now();
        let sample = utc_now().expect("this system has a UTC");
        assert!(sample.local >= before && sample.local <= os::monotonic_now());
        assert!(sample.uncertainty > Span::ZERO);
        #[expect(
            clippy::disallowed_methods,
            clippy::disallowed_types,
            reason = "the system's clock to compare with"
        )]
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let apart =
            since_1970.expect("after 1970").as_secs() as i64 - sample.utc.ticks() / crate::TICKS_PER_SECOND;
        // Far longer than the test takes, and far less than the error caused by a wrong unit or epoch.
        assert!((-3600..=3600).contains(&apart), "{apart} s apart");
    }
}
