//! The machine's monotonic clock, and the clocks that are derived from it.
//!
//! All processes of one machine read the same monotonic clock: `CLOCK_MONOTONIC` on Unix, the performance
//! counter on Windows. So it can serve as the truth when server and clients are different processes, which
//! `std::time::Instant` cannot, since it tells no number that another process understands.

use netclock::{LocalTime, ServerTime, Span, Time};

/// Parts per billion in one part per million.
const PPB_PER_PPM: f64 = 1_000.0;
const BILLION: i128 = 1_000_000_000;

/// Marker of the machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {}

/// An instant of the machine's monotonic clock, in ticks of 100 ns.
pub(crate) type MachineTime = Time<Machine>;

/// Reads the machine's monotonic clock.
pub(crate) fn now() -> MachineTime {
    MachineTime::from_ticks(os::monotonic_ticks())
}

/// A client's own clock: another origin, and a crystal that runs fast or slow.
///
/// A fixed, monotone function of the machine's clock, so that the truth at every local instant is known
/// exactly: whoever judges a read takes one machine time and derives both from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkewedClock {
    zero: MachineTime,
    origin: LocalTime,
    /// How much faster than the machine's clock (parts per billion).
    ppb: i64,
}

impl SkewedClock {
    /// A clock that reads `origin` now and runs `ppm` parts per million fast.
    pub(crate) fn new(origin: LocalTime, ppm: f64) -> Self {
        SkewedClock { zero: now(), origin, ppb: (ppm * PPB_PER_PPM).round() as i64 }
    }

    /// What it reads when the machine's clock reads `machine`; exact to the tick, rounded down.
    pub(crate) fn at(&self, machine: MachineTime) -> LocalTime {
        let elapsed = (machine - self.zero).ticks();
        let gained = (i128::from(elapsed) * i128::from(self.ppb)).div_euclid(BILLION);
        self.origin + Span::from_ticks(elapsed) + Span::from_ticks(gained as i64)
    }
}

/// A server's clock: the time since it was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerClock {
    start: MachineTime,
}

impl ServerClock {
    /// A clock that reads zero at `start`.
    pub(crate) fn started_at(start: MachineTime) -> Self {
        ServerClock { start }
    }

    /// When it read zero.
    pub(crate) fn start(&self) -> MachineTime {
        self.start
    }

    /// What it reads when the machine's clock reads `machine`. Goes on when the server itself is gone.
    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks((machine - self.start).ticks())
    }
}

#[cfg(unix)]
mod os {
    use nix::sys::time::TimeSpec;
    use nix::time::{ClockId, clock_gettime};

    /// Does not count while the machine sleeps, on Linux; clients notice a step of the server then.
    pub(super) fn monotonic_ticks() -> i64 {
        // Fails only for a clock the system does not have, and POSIX systems all have this one.
        clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, ticks)
    }

    pub(super) fn ticks(time: TimeSpec) -> i64 {
        time.tv_sec() * netclock::TICKS_PER_SECOND + time.tv_nsec() / 100
    }
}

#[cfg(windows)]
mod os {
    use std::sync::OnceLock;

    use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

    pub(super) fn monotonic_ticks() -> i64 {
        static FREQUENCY: OnceLock<i64> = OnceLock::new();
        let frequency = *FREQUENCY.get_or_init(|| query(QueryPerformanceFrequency).max(1));
        let count = query(QueryPerformanceCounter);
        (i128::from(count) * i128::from(netclock::TICKS_PER_SECOND) / i128::from(frequency)) as i64
    }

    #[expect(unsafe_code, reason = "the counter has no safe wrapper that tells its number")]
    fn query(ask: unsafe extern "system" fn(*mut i64) -> i32) -> i64 {
        let mut answer = 0;
        // SAFETY: `ask` is one of the two queries above; each writes one i64 to the pointer it is given,
        // which is valid for that. They cannot fail on any Windows since XP.
        unsafe { ask(&raw mut answer) };
        answer
    }
}

/// The wall clock, in ticks since 1970-01-01 00:00 UTC without leap seconds.
#[cfg(unix)]
pub(crate) fn wall_ticks() -> i64 {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_REALTIME).map_or(0, os::ticks)
}

/// The wall clock, in ticks since 1970-01-01 00:00 UTC without leap seconds.
#[cfg(not(unix))]
pub(crate) fn wall_ticks() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    (since.as_nanos() / 100) as i64
}

/// Both clocks at one instant: the machine's minus the monotonic one, and the latter.
pub(crate) fn pairing() -> (Span, MachineTime) {
    let mut best = (Span::MAX, Span::ZERO, now());
    // Whoever is interrupted between the reads tries again.
    for _ in 0..5 {
        let (before, wall, after) = (now(), wall_ticks(), now());
        if after - before < best.0 {
            let middle = before + Span::from_ticks((after - before).ticks() / 2);
            best = (after - before, Span::from_ticks(wall - middle.ticks()), middle);
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_clock_does_not_go_backwards() {
        let mut last = now();
        for _ in 0..10_000 {
            let next = now();
            assert!(next >= last);
            last = next;
        }
    }

    #[test]
    fn a_skewed_clock_gains_what_its_crystal_says() {
        for ppm in [-95.0, 0.0, 80.0, 12.5] {
            let clock = SkewedClock::new(LocalTime::from_ticks(-7_000_000), ppm);
            let start = clock.at(clock.zero);
            assert_eq!(start, LocalTime::from_ticks(-7_000_000));
            let million_seconds = Span::from_secs(1_000_000);
            let gained = (clock.at(clock.zero + million_seconds) - start) - million_seconds;
            assert_eq!(gained, Span::from_secs_f64(ppm));
        }
    }

    #[test]
    fn a_slow_clock_is_monotone_tick_by_tick() {
        let clock = SkewedClock::new(LocalTime::from_ticks(0), -100.0);
        for tick in -30_000..30_000 {
            let machine = clock.zero + Span::from_ticks(tick);
            assert!(clock.at(machine + Span::from_ticks(1)) >= clock.at(machine));
        }
    }
}
