//! A time base for callers that have none.

use super::boundary;
use crate::clock::TICKS_PER_SECOND;
use crate::os;

/// Ticks in a second: all times and durations are in ticks of 100 ns.
pub const NETCLOCK_TICKS_PER_SECOND: i64 = 10_000_000;

/// An instant of a client's clock, in ticks: any monotonic clock, never the wall clock.
pub type NetclockLocalTime = i64;

/// An instant of the server's clock, in ticks.
pub type NetclockServerTime = i64;

const _: () = assert!(NETCLOCK_TICKS_PER_SECOND == TICKS_PER_SECOND);

/// Local time in ticks of 100 ns, by a clock that never goes back and that no time service slews. It counts
/// suspension. Pass it wherever a local time is asked for, and on the server as server time. Its rate differs
/// from true time by its crystal only, which `client_drift_ppm` and `server_drift_ppm` cover. The usual
/// clocks of a system do not promise that: chrony, ntpd and timesyncd slew them by 500 ppm and more.
///
/// Linux and Android: `CLOCK_MONOTONIC_RAW` and the time spent in suspension, which is `CLOCK_BOOTTIME` less
/// `CLOCK_MONOTONIC`. macOS and iOS: `CLOCK_MONOTONIC_RAW`, which is `mach_continuous_time`. Windows: the
/// performance counter, which counts sleep. On these, two processes of one machine can compare their times,
/// unless a container or a namespace gives them clocks of their own. Other Unix systems: `CLOCK_MONOTONIC`,
/// which may be slewed and may stop in suspension.
///
/// Callable from any thread. It never fails on these systems; elsewhere it would return 0.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_monotonic_now() -> NetclockLocalTime {
    boundary::or_else(|| os::monotonic_now().ticks(), 0)
}
