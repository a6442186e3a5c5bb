use super::boundary;
use crate::clock::TICKS_PER_SECOND;
use crate::os;

/// Ticks per second. A tick is 100 ns.
pub const NETCLOCK_TICKS_PER_SECOND: i64 = 10_000_000;

/// An instant on a client's monotonic clock, in ticks.
pub type NetclockLocalTime = i64;

/// An instant on the server's clock, in ticks.
pub type NetclockServerTime = i64;

const _: () = assert!(NETCLOCK_TICKS_PER_SECOND == TICKS_PER_SECOND);

/// Returns the current time of a monotonic clock in ticks. Use it as local time on clients and as server time
/// on servers. No time service slews this clock, and it keeps running while the machine is suspended. Its
/// rate is off only by the crystal's error, which `client_drift_ppm` and `server_drift_ppm` cover. The usual
/// system clocks do not guarantee this, because chrony, ntpd and timesyncd slew them by 500 ppm or more.
///
/// On Linux and Android, this clock is `CLOCK_MONOTONIC_RAW` plus the suspended time (`CLOCK_BOOTTIME` minus
/// `CLOCK_MONOTONIC`). On macOS and iOS, it is `CLOCK_MONOTONIC_RAW`, which equals `mach_continuous_time`. On
/// Windows, it is the performance counter, which also runs during sleep. On all of these systems, the times
/// of different processes on one machine are comparable, unless a container or a time namespace has its own
/// clocks. Other Unix systems use `CLOCK_MONOTONIC`, which may be slewed and may stop while the machine is
/// suspended.
///
/// The call cannot fail on the systems above. On systems not listed above, it returns 0.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_monotonic_now() -> NetclockLocalTime {
    boundary::or_else(|| os::monotonic_now().ticks(), 0)
}
