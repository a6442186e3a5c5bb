//! Whether a player's clock runs at the server's rate.

use crate::ffi::base::prelude::*;
use crate::game::watch::{RateFinding, RateLevel, RateVerdict};

/// Level: too few reports so far.
pub const NETCLOCK_RATE_UNKNOWN: i32 = 0;
/// Level: delay and ordinary crystals explain everything.
pub const NETCLOCK_RATE_PLAUSIBLE: i32 = 1;
/// Level: only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish.
pub const NETCLOCK_RATE_LIKELY: i32 = 2;
/// Level: no delays explain it. The client's clock ran at another rate or was set, or the server's was set.
pub const NETCLOCK_RATE_PROVEN: i32 = 3;

/// Finding: none so far.
pub const NETCLOCK_RATE_NOTHING: i32 = 0;
/// Finding: the client's clock ran fast.
pub const NETCLOCK_RATE_FAST: i32 = 1;
/// Finding: the client's clock ran slow.
pub const NETCLOCK_RATE_SLOW: i32 = 2;
/// Finding: the client's clock jumped ahead.
pub const NETCLOCK_RATE_ADDED: i32 = 3;
/// Finding: the client's clock fell back.
pub const NETCLOCK_RATE_REMOVED: i32 = 4;

/// The verdict of a host on the rate of a player's clock. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRateVerdict {
    /// `sizeof(netclock_rate_verdict)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`, about the last minute.
    pub level: i32,
    /// The highest level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`.
    pub worst: i32,
    /// The newest finding: one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`.
    pub finding: i32,
    /// How often the level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`.
    pub findings: u32,
    /// 1 if the mean rate is known, else 0.
    pub is_mean_known: i32,
    /// Newest finding: what the client's clock gained on the server's beyond drift, and if proven, beyond
    /// delay. Negative: lost. (ticks)
    pub gained: i64,
    /// Newest finding: how much of it changes of delay could explain. Zero if proven. (ticks)
    pub explained: i64,
    /// Newest finding: how long it took. The watch looks back 510 s in all, and 52 s before the finding.
    /// (ticks)
    pub duration: i64,
    /// Mean skew of the client's clock against the server's since the player was admitted or last excused.
    /// Positive: the client's clock is fast. Zero if not known. (ppm)
    pub mean_ppm: f64,
    /// How far off `mean_ppm` may be if delays changed by 60 ms. Zero if not known. (ppm)
    pub mean_error_ppm: f64,
}

growable! { NetclockRateVerdict: 64 }

to_c! { |verdict: RateVerdict| NetclockRateVerdict {
    findings, gained, explained, duration, mean_ppm;
    level: level(verdict.level),
    worst: level(verdict.worst),
    finding: match verdict.finding {
        None => NETCLOCK_RATE_NOTHING,
        Some(RateFinding::Fast) => NETCLOCK_RATE_FAST,
        Some(RateFinding::Slow) => NETCLOCK_RATE_SLOW,
        Some(RateFinding::Added) => NETCLOCK_RATE_ADDED,
        Some(RateFinding::Removed) => NETCLOCK_RATE_REMOVED,
    },
    is_mean_known: i32::from(verdict.mean_error_ppm.is_finite()),
    mean_error_ppm: if verdict.mean_error_ppm.is_finite() { verdict.mean_error_ppm } else { 0.0 },
} }

fn level(level: RateLevel) -> i32 {
    match level {
        RateLevel::Unknown => NETCLOCK_RATE_UNKNOWN,
        RateLevel::Plausible => NETCLOCK_RATE_PLAUSIBLE,
        RateLevel::Likely => NETCLOCK_RATE_LIKELY,
        RateLevel::Proven => NETCLOCK_RATE_PROVEN,
    }
}
