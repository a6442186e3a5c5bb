//! The machine's UTC and its monotonic clock at one instant.

use crate::clock::{LocalTime, Span, UtcTime};
use crate::os;

/// A thread may be preempted between two reads. So the best of some tries counts.
const TRIES: usize = 5;
/// No more tries after one that took less. Reading three clocks takes about 0.2 us.
const GOOD_ENOUGH: Span = Span::from_micros(1);
/// The step of the clocks as they are read.
const STEP: Span = Span::from_ticks(1);

/// Two clocks of a machine, read as one: at local time `local` its UTC was `utc`. See [`utc_now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcSample {
    /// The monotonic clock, between its two reads.
    pub local: LocalTime,
    /// The machine's UTC.
    pub utc: UtcTime,
    /// How far the two instants may be apart. Add it to the bound that a source of time states.
    pub uncertainty: Span,
}

impl UtcSample {
    /// Reads UTC between two reads of the monotonic clock, up to five times, and keeps the closest pair. None
    /// if there is no UTC.
    pub fn bracket(local: impl Fn() -> LocalTime, utc: impl Fn() -> Option<UtcTime>) -> Option<Self> {
        let mut best: Option<UtcSample> = None;
        for _ in 0..TRIES {
            let (before, utc, after) = (local(), utc()?, local());
            let half = Span::from_ticks((after - before).ticks() / 2);
            let sample = UtcSample { local: before + half, utc, uncertainty: half + STEP };
            if best.is_none_or(|best| sample.uncertainty < best.uncertainty) {
                best = Some(sample);
            }
            if after - before < GOOD_ENOUGH {
                break;
            }
        }
        best
    }
}

/// The machine's UTC and [`monotonic_now`](crate::monotonic_now) at one instant; None on a system without
/// UTC, or if one of the clocks cannot be read. For a server that states its UTC with a
/// [`UtcPublisher`](crate::utc::UtcPublisher).
///
/// UTC is read between two reads of the other clock, up to five times, and the closest pair counts. It is
/// `CLOCK_REALTIME` on Unix, and `GetSystemTimePreciseAsFileTime` on Windows. Both are what the system's time
/// service made of it: people and services set it, slew it, and may smear leap seconds.
///
/// ```
/// if let Some(sample) = netclock::utc_now() {
///     println!("{:?} within {:?} at {:?}", sample.utc, sample.uncertainty, sample.local);
/// }
/// ```
pub fn utc_now() -> Option<UtcSample> {
    UtcSample::bracket(os::monotonic_now, os::utc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// UTC is ahead of the monotonic clock by this.
    const AHEAD: i64 = 17_000_000_000_000_000;

    #[test]
    fn the_closest_pair_counts_and_the_true_one_is_within_its_uncertainty() {
        // Ticks that pass before each read: pauses before UTC, after it, in all tries but one, and in all.
        let cases = [
            vec![1, 1, 1],
            vec![1, 90_000, 1, 1, 4, 5],
            vec![1, 1, 90_000, 1, 300, 1, 1, 1, 300, 1, 40, 1, 1, 1, 300],
        ];
        for pauses in cases {
            let (true_time, pauses) = (Cell::new(0), RefCell::new(pauses.into_iter()));
            let now = || {
                true_time
                    .set(true_time.get() + pauses.borrow_mut().next().expect("no more reads than planned"));
                true_time.get()
            };
            let sample = UtcSample::bracket(
                || LocalTime::from_ticks(now()),
                || Some(UtcTime::from_ticks(now() + AHEAD)),
            );
            let sample = sample.expect("there is a UTC");
            let off = sample.utc.ticks() - AHEAD - sample.local.ticks();
            assert!(off.abs() <= sample.uncertainty.ticks(), "{sample:?} is off by {off}");
            assert!(sample.uncertainty.ticks() <= 22, "{sample:?} is not the closest");
            assert_eq!(pauses.borrow_mut().next(), None, "it stops at a good one, and after five");
        }
    }

    #[test]
    fn a_machine_without_utc_has_no_sample() {
        assert_eq!(UtcSample::bracket(|| LocalTime::from_ticks(0), || None), None);
    }

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
        // Far more than a test waits, and far less than a wrong unit or epoch.
        assert!((-3600..=3600).contains(&apart), "{apart} s apart");
    }
}
