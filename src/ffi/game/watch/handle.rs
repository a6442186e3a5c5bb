//! The watch of a server over the rate of a client's clock.

use crate::clock::{LocalTime, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::reading::NETCLOCK_UNKNOWN_TIME;
use crate::ffi::clock::exchange::status::NETCLOCK_ARRIVED_BEFORE_SENT;
use crate::game::watch::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig, ReportError};

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

/// A watch over the clock of one client, on the server. Opaque. It has 248 bytes and never grows. Calls from
/// several threads wait for each other.
pub struct NetclockRateWatch(Owned<RateWatch>);

owned! { NetclockRateWatch(RateWatch): "netclock_rate_watch", "watch" }

/// Settings of a rate watch. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRateWatchConfig {
    /// `sizeof(netclock_rate_watch_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// Largest skew between two honest clocks: crystals, and how operating systems steer them. (ppm, 1 to
    /// 10000, default 200)
    pub max_drift_ppm: f64,
    /// A delay that messages do not exceed for 16 s without a break. A gain or loss beyond it cannot be a
    /// delay. (ticks, 100 ms to 60 s, default 5 s)
    pub max_delay: i64,
}

growable! { NetclockRateWatchConfig: 24 }

settings! { |config: NetclockRateWatchConfig| RateWatchConfig { max_drift_ppm, max_delay } }

/// The verdict of a rate watch on its client. Set `struct_size` before the call.
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
    /// Mean skew of the client's clock against the server's since the watch began or was last excused.
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

/// Creates a watch over the clock of one client and stores it in `*watch`. Give it back to
/// `netclock_rate_watch_destroy`. `config` may be null for all defaults. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_create(
    config: *const NetclockRateWatchConfig,
    watch: *mut *mut NetclockRateWatch,
) -> NetclockStatus {
    create!(netclock_rate_watch_create, watch, {
        let config = optional(config, "config")?;
        reserved(config.reserved, "config")?;
        Ok(RateWatch::new(&config.to_config())?)
    })
}

/// Destroys a rate watch, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_destroy(watch: *mut NetclockRateWatch) -> NetclockStatus {
    destroy!(netclock_rate_watch_destroy, watch)
}

/// Reports a message that the client stamped `stamped` (ticks) and that arrived at `arrived` (ticks). The
/// stamp may be up to 50 ms old when the message leaves. Take `arrived` as early as possible. Requests of
/// NetClock's clients are such messages, and so is any other with a stamp. Loss, duplicates and reordering do
/// no harm.
///
/// `heard` is the server's send time of the newest reply that the client had received when it stamped the
/// message (ticks). Take it from acknowledgements or from stamps that come back. A stamp of the server that
/// the client returns can be believed, because a false one only speaks against the client. Pass
/// `NETCLOCK_UNKNOWN_TIME` if it is not known: then only gains are found early, and only gains beyond
/// `max_delay` are proved.
///
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (report in
/// the order of arrival), `NETCLOCK_ARRIVED_BEFORE_SENT` (heard after it arrived), `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_report(
    watch: *mut NetclockRateWatch,
    stamped: NetclockLocalTime,
    arrived: NetclockServerTime,
    heard: NetclockServerTime,
) -> NetclockStatus {
    let stamps = [stamped, arrived, heard];
    let (stamped, arrived) = (LocalTime::from_ticks(stamped), ServerTime::from_ticks(arrived));
    let heard = (heard != NETCLOCK_UNKNOWN_TIME).then_some(ServerTime::from_ticks(heard));
    change!(netclock_rate_watch_report, watch, |watch| {
        watch
            .report(stamped, arrived, heard)
            .map_err(|error| report(error, &["stamped", "arrived", "heard"], stamps))
    })
}

/// Excuses the messages that arrive from `from` to `to` (ticks): they are no evidence. Use it when the
/// client's clock stood still or was set for a good reason: the game paused or changed its level, or the
/// machine resumed. If you call it afterwards, the suspicion of the last minute is dropped. In either case
/// the watch forgets what it observed until then. Two calls excuse the time between them, too. Stalls of
/// client, server or network need no excuse. Choose `to` as late as the last message from before may arrive.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (`to` is
/// before `from`), `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_excuse(
    watch: *mut NetclockRateWatch,
    from: NetclockServerTime,
    to: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_rate_watch_excuse, watch, |watch| {
        let excused = watch.excuse(ServerTime::from_ticks(from), ServerTime::from_ticks(to));
        excused.map_err(|error| report(error, &["from", "to"], [from, to, 0]))
    })
}

/// The verdict as of the newest report, into `*verdict`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_read(
    watch: *const NetclockRateWatch,
    verdict: *mut NetclockRateVerdict,
) -> NetclockStatus {
    change!(netclock_rate_watch_read, watch, |watch| { grow_out(verdict, "verdict", watch.verdict()) })
}

/// A rate watch refused stamps with these names.
fn report(error: ReportError, names: &'static [&'static str], stamps: [i64; 3]) -> Failure {
    let status = match error {
        ReportError::StampOutOfRange => {
            let [first, second, third] = stamps;
            return failure::stamps(NETCLOCK_STAMP_OUT_OF_RANGE, names, [first, second, third, 0]);
        }
        ReportError::WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
        ReportError::HeardTooEarly(_) => NETCLOCK_ARRIVED_BEFORE_SENT,
    };
    Failure::from_error(status, error)
}
