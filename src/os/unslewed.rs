//! Computes the local time from three clocks on systems that slew all clocks but one.
//!
//! Linux has no unslewed clock that keeps counting during suspend. `CLOCK_MONOTONIC_RAW` is unslewed but
//! stops during suspend. `CLOCK_MONOTONIC` and `CLOCK_BOOTTIME` are slewed equally, but only the latter keeps
//! counting during suspend. Their difference is the time spent in suspend, because the slew cancels out:
//!
//! ```text
//!   time = raw + suspended        suspended = boot - monotonic
//! ```
//!
//! The clocks are read in the order `boot`, `monotonic`, `raw`, so preemption between two reads is harmless.
//! A pause before `monotonic` can only make the difference too small, and comes before `raw` is read. Each
//! result is therefore the time at some instant during the call. The largest difference seen by any thread is
//! kept to remove the jitter. A call therefore never returns an earlier time than a call that ended before it
//! began.

use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Keeps running during suspend, but may be slewed.
    Boot,
    /// Stops during suspend and may be slewed.
    Monotonic,
    /// Runs at the crystal's rate, but stops during suspend.
    Raw,
}

#[derive(Debug)]
pub(crate) struct Unslewed {
    /// The longest time spent in suspend that any call has observed (ns).
    suspended: AtomicI64,
}

impl Unslewed {
    pub(crate) const fn new() -> Self {
        Unslewed { suspended: AtomicI64::new(i64::MIN) }
    }

    /// Returns the time in nanoseconds. `read` reads a system clock (ns), or returns `None` if there is no
    /// such clock. If one of the three clocks is missing, returns the time of the best available clock, if
    /// any.
    pub(crate) fn now(&self, read: impl Fn(Source) -> Option<i64>) -> Option<i64> {
        let boot = read(Source::Boot);
        let monotonic = read(Source::Monotonic);
        let (Some(boot), Some(monotonic)) = (boot, monotonic) else {
            return boot.or(monotonic);
        };
        let Some(raw) = read(Source::Raw) else { return Some(boot) };
        let seen = boot - monotonic;
        // Relaxed ordering is sufficient for a single atomic. A later call sees at least the value that the
        // earlier call stored.
        let suspended = self.suspended.fetch_max(seen, Ordering::Relaxed).max(seen);
        Some(raw + suspended)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "many threads read one clock")]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::collections::VecDeque;

    const MS: i64 = 1_000_000;
    const SECOND: i64 = 1_000 * MS;

    /// A simulated machine that can be suspended and whose disciplined clocks are slewed.
    #[derive(Default)]
    struct Machine {
        /// Time spent awake, according to a perfect crystal.
        awake: Cell<i64>,
        suspended: Cell<i64>,
        /// How far the two disciplined clocks have been slewed.
        slewed: Cell<i64>,
        /// How long the thread is preempted before each read.
        pauses: RefCell<VecDeque<i64>>,
        lacks: Option<Source>,
    }

    impl Machine {
        fn pass(&self, nanoseconds: i64, slew_ppm: i64) {
            self.awake.set(self.awake.get() + nanoseconds);
            self.slewed.set(self.slewed.get() + nanoseconds * slew_ppm / 1_000_000);
        }

        fn suspend(&self, nanoseconds: i64) {
            self.suspended.set(self.suspended.get() + nanoseconds);
        }

        fn truth(&self) -> i64 {
            self.awake.get() + self.suspended.get()
        }

        fn read(&self, source: Source) -> Option<i64> {
            let pause = self.pauses.borrow_mut().pop_front().unwrap_or(20);
            self.pass(pause, 0);
            let monotonic = self.awake.get() + self.slewed.get();
            (self.lacks != Some(source)).then_some(match source {
                Source::Boot => monotonic + self.suspended.get(),
                Source::Monotonic => monotonic,
                Source::Raw => self.awake.get(),
            })
        }

        fn now(&self, clock: &Unslewed) -> i64 {
            clock.now(|source| self.read(source)).expect("there is a clock")
        }
    }

    #[test]
    fn suspend_counts_and_slew_does_not() {
        let (machine, clock) = (Machine::default(), Unslewed::new());
        for second in 1..=1_000 {
            machine.pass(SECOND, if second % 120 < 40 { 500 } else { -80 });
            if second % 100 == 0 {
                machine.suspend(3_600 * SECOND);
            }
            let now = machine.now(&clock);
            let behind = machine.truth() - now;
            assert!((0..100).contains(&behind), "{behind} ns behind after {second} s");
        }
        assert!(machine.slewed.get() > 50 * MS, "the machine's other clocks are far off");
    }

    #[test]
    fn results_are_within_the_call_for_any_preemption() {
        for pauses in [[10 * MS, 0, 0], [0, 10 * MS, 0], [0, 0, 10 * MS], [7 * MS, 8 * MS, 9 * MS]] {
            for suspended in [0, MS, SECOND] {
                let (machine, clock) = (Machine::default(), Unslewed::new());
                machine.pass(SECOND, 500);
                for is_first in [true, false] {
                    if !is_first {
                        machine.now(&clock);
                        machine.suspend(suspended);
                    }
                    machine.pauses.borrow_mut().extend(pauses);
                    let begin = machine.truth();
                    let now = machine.now(&clock);
                    assert!((begin..=machine.truth()).contains(&now), "{pauses:?} {suspended} {is_first}");
                }
                let begin = machine.truth();
                assert!(machine.now(&clock) >= begin, "a preempted call does not affect later calls");
            }
        }
    }

    #[test]
    fn results_are_within_the_call_during_suspend() {
        for before in [Source::Boot, Source::Monotonic, Source::Raw] {
            let (machine, clock) = (Machine::default(), Unslewed::new());
            machine.pass(SECOND, 500);
            let begin = machine.now(&clock);
            let read = |source| {
                if source == before {
                    machine.suspend(SECOND);
                }
                machine.read(source)
            };
            let now = clock.now(read).expect("there is a clock");
            assert!((begin..=machine.truth()).contains(&now), "{before:?}");
            let now = machine.now(&clock);
            assert!((0..100).contains(&(machine.truth() - now)), "{before:?}");
        }
    }

    #[test]
    fn missing_clocks_are_replaced_by_the_best_available() {
        let now = |lacks| {
            let machine = Machine { lacks: Some(lacks), ..Machine::default() };
            machine.pass(SECOND, 0);
            machine.suspend(SECOND);
            machine.now(&Unslewed::new()) / SECOND
        };
        assert_eq!([Source::Boot, Source::Monotonic, Source::Raw].map(now), [1, 2, 2]);
        assert_eq!(Unslewed::new().now(|_| None), None);
    }

    #[test]
    fn time_advances_on_all_threads_through_suspends() {
        // All threads share one machine. Each read takes a nanosecond, and every thousandth read suspends the
        // machine for a millisecond.
        static LOOKS: AtomicI64 = AtomicI64::new(0);
        static CLOCK: Unslewed = Unslewed::new();
        static NEWEST: AtomicI64 = AtomicI64::new(0);
        let read = |source| {
            let awake = LOOKS.fetch_add(1, Ordering::SeqCst);
            let suspended = awake / 1_000 * 1_000_000;
            let slewed = awake / 7;
            Some(match source {
                Source::Boot => awake + slewed + suspended,
                Source::Monotonic => awake + slewed,
                Source::Raw => awake,
            })
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..5_000 {
                        let before = NEWEST.load(Ordering::SeqCst);
                        let now = CLOCK.now(read).expect("there is a clock");
                        assert!(now >= before, "{now} after {before}");
                        NEWEST.fetch_max(now, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
