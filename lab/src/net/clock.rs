//! The machine's clocks, and simulated clocks derived from them.
//!
//! All processes on a machine read the same monotonic clock, [`netclock::monotonic_now`], so a server and its
//! clients use it as the truth. A `std::time::Instant` cannot be sent to another process.

use netclock::{LocalTime, ServerTime, Span, Time};

const PPB_PER_PPM: f64 = 1_000.0;
const BILLION: i128 = 1_000_000_000;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Machine {}

pub(crate) type MachineTime = Time<Machine>;

pub(crate) fn now() -> MachineTime {
    MachineTime::from_ticks(netclock::monotonic_now().ticks())
}

pub(crate) fn machine(stamp: LocalTime) -> MachineTime {
    MachineTime::from_ticks(stamp.ticks())
}

/// Paces a program that polls for messages once per frame, like a game loop.
pub(crate) struct Frames {
    period: Span,
    next: MachineTime,
}

impl Frames {
    pub(crate) fn new(per_second: u32) -> Self {
        Frames { period: Span::from_secs_f64(1.0 / f64::from(per_second)), next: now() }
    }

    pub(crate) fn wait(&mut self) -> MachineTime {
        let left = (self.next - now()).max(Span::ZERO);
        std::thread::sleep(std::time::Duration::from_nanos(left.ticks().unsigned_abs() * 100));
        let frame = now();
        self.next = frame.max(self.next + self.period);
        frame
    }
}

/// A client's clock with its own origin and rate error, computed from the machine's clock. To check a read,
/// compute the local time and the true time from the same machine time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkewedClock {
    zero: MachineTime,
    origin: LocalTime,
    ppb: i64,
}

impl SkewedClock {
    /// Creates a clock that reads `origin` now and runs fast by `ppm`.
    pub(crate) fn new(origin: LocalTime, ppm: f64) -> Self {
        Self::since(now(), origin, ppm)
    }

    /// Like [`new`](Self::new), but the clock reads `origin` at `zero`, so several processes can share it.
    pub(crate) fn since(zero: MachineTime, origin: LocalTime, ppm: f64) -> Self {
        SkewedClock { zero, origin, ppb: (ppm * PPB_PER_PPM).round() as i64 }
    }

    pub(crate) fn at(&self, machine: MachineTime) -> LocalTime {
        let elapsed = (machine - self.zero).ticks();
        let gained = (i128::from(elapsed) * i128::from(self.ppb)).div_euclid(BILLION);
        self.origin + Span::from_ticks(elapsed) + Span::from_ticks(gained as i64)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerClock {
    pub(crate) start: MachineTime,
}

impl ServerClock {
    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks((machine - self.start).ticks())
    }
}

fn wall_ticks() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    (since.as_nanos() / 100) as i64
}

/// Returns the wall clock minus the monotonic clock, and the monotonic time at which they were compared.
pub(crate) fn pairing() -> (Span, MachineTime) {
    let mut best = (Span::MAX, Span::ZERO, now());
    // The process may be interrupted between the reads, so we use the fastest of several attempts.
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
    fn a_skewed_clock_gains_its_rate_error() {
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
    fn a_slow_clock_is_monotonic() {
        let clock = SkewedClock::new(LocalTime::from_ticks(0), -100.0);
        for tick in -30_000..30_000 {
            let machine = clock.zero + Span::from_ticks(tick);
            assert!(clock.at(machine + Span::from_ticks(1)) >= clock.at(machine));
        }
    }
}
