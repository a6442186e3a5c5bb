//! The server's watch over the rate of a client's clock.

use crate::ffi::base::entries::{change, create, destroy};
use crate::ffi::base::failure::Outcome;
use crate::ffi::base::growable::{Growable, grow_out, growable, optional, or, reserved, span_or};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::tap::NETCLOCK_UNKNOWN_TIME;
use crate::ffi::server::status;
use crate::server::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig};
use crate::time::{LocalTime, ServerTime};

/// Level: too few reports so far.
pub const NETCLOCK_RATE_UNKNOWN: i32 = 0;
/// Level: delay and ordinary crystals explain everything.
pub const NETCLOCK_RATE_PLAUSIBLE: i32 = 1;
/// Level: only a path that behaved as paths hardly ever do would explain it. Look closer, do not punish.
pub const NETCLOCK_RATE_LIKELY: i32 = 2;
/// Level: no delays explain it. The clock ran at another rate, or was set.
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

/// A watch over the clock of one client, on the server. Opaque; 256 bytes, which never grow. Calls from several threads
/// are serialised.
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
    /// Largest rate difference between two honest clocks: crystals, and what operating systems steer them by. (ppm, 1
    /// to 10000, default 200)
    pub max_drift_ppm: f64,
    /// A delay that messages do not exceed for 16 s on end; what is gained or lost beyond it is no delay. (ticks, 100
    /// ms to 60 s, default 5 s)
    pub max_delay: i64,
}

growable! { NetclockRateWatchConfig: 24 }

impl NetclockRateWatchConfig {
    fn to_config(self) -> Outcome<RateWatchConfig> {
        reserved(self.reserved, "config")?;
        let mut config = RateWatchConfig::default();
        config.max_drift_ppm = or(self.max_drift_ppm, config.max_drift_ppm);
        config.max_delay = span_or(self.max_delay, config.max_delay);
        Ok(config)
    }
}

/// What a rate watch thinks of a client. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRateVerdict {
    /// `sizeof(netclock_rate_verdict)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`, about the last minute.
    pub level: i32,
    /// The highest level there ever was.
    pub worst: i32,
    /// What the newest finding was: one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`.
    pub finding: i32,
    /// Times that the level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`.
    pub findings: u32,
    /// 1 if the mean rate is known, else 0.
    pub is_mean_known: i32,
    /// Newest finding: what the client's clock gained on the server's, beyond drift; negative: lost. If proven, beyond
    /// delay too. (ticks)
    pub gained: i64,
    /// Newest finding: as much would pass for changes of delay; zero if proven. (ticks)
    pub explained: i64,
    /// Newest finding: how long it took, as far back as it was looked: 52 s before it was found, 510 s in all. (ticks)
    pub duration: i64,
    /// Rate of the client's clock against the server's since the watch began or was last excused; positive: the client's
    /// is fast. Zero if not known. (ppm)
    pub mean_ppm: f64,
    /// How far off that may be if delays changed by 60 ms. Zero if not known. (ppm)
    pub mean_error_ppm: f64,
}

growable! { NetclockRateVerdict: 64 }

impl From<RateVerdict> for NetclockRateVerdict {
    fn from(verdict: RateVerdict) -> Self {
        let level = |level| match level {
            RateLevel::Unknown => NETCLOCK_RATE_UNKNOWN,
            RateLevel::Plausible => NETCLOCK_RATE_PLAUSIBLE,
            RateLevel::Likely => NETCLOCK_RATE_LIKELY,
            RateLevel::Proven => NETCLOCK_RATE_PROVEN,
        };
        let known = verdict.mean_error_ppm.is_finite();
        NetclockRateVerdict {
            level: level(verdict.level),
            worst: level(verdict.worst),
            finding: match verdict.finding {
                None => NETCLOCK_RATE_NOTHING,
                Some(RateFinding::Fast) => NETCLOCK_RATE_FAST,
                Some(RateFinding::Slow) => NETCLOCK_RATE_SLOW,
                Some(RateFinding::Added) => NETCLOCK_RATE_ADDED,
                Some(RateFinding::Removed) => NETCLOCK_RATE_REMOVED,
            },
            findings: verdict.findings,
            is_mean_known: i32::from(known),
            gained: verdict.gained.ticks(),
            explained: verdict.explained.ticks(),
            duration: verdict.duration.ticks(),
            mean_ppm: verdict.mean_ppm,
            mean_error_ppm: if known { verdict.mean_error_ppm } else { 0.0 },
            ..Self::zero()
        }
    }
}

/// Creates a watch over the clock of one client and stores it in `*watch`, to be given back to
/// `netclock_rate_watch_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_create(
    config: *const NetclockRateWatchConfig,
    watch: *mut *mut NetclockRateWatch,
) -> NetclockStatus {
    create!(netclock_rate_watch_create, watch, {
        Ok(RateWatch::new(&optional(config, "config")?.to_config()?)?)
    })
}

/// Destroys a rate watch. Null is allowed and does nothing. No other call may be using it, and none may follow.
/// Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live rate watch, which is found out without looking at what is there;
/// `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_destroy(watch: *mut NetclockRateWatch) -> NetclockStatus {
    destroy!(netclock_rate_watch_destroy, watch)
}

/// A message that the client stamped `stamped` (ticks of the client's clock, up to 50 ms old when the message left)
/// arrived at `arrived` (ticks of the server's clock), taken off the network as early as possible. The requests of
/// NetClock's clients are such messages, and so is whatever else carries a stamp. Loss, duplicates and messages that
/// overtake each other do no harm.
///
/// `heard`: when the server sent the newest thing that the client had received when it stamped the message (ticks of
/// the server's clock), if acknowledgements or stamps that come back tell it; a server that takes it from a stamp of
/// its own which the client returns may believe it, for a false one only speaks against the client.
/// `NETCLOCK_UNKNOWN_TIME` if it is not known: then only gains can be told early, and only those beyond `max_delay` be
/// proved.
///
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (report in the order
/// of arrival), `NETCLOCK_ARRIVED_BEFORE_SENT` (heard after it arrived), `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_report(
    watch: *mut NetclockRateWatch,
    stamped: i64,
    arrived: i64,
    heard: i64,
) -> NetclockStatus {
    let stamps = [stamped, arrived, heard];
    let (stamped, arrived) = (LocalTime::from_ticks(stamped), ServerTime::from_ticks(arrived));
    let heard = (heard != NETCLOCK_UNKNOWN_TIME).then_some(ServerTime::from_ticks(heard));
    change!(netclock_rate_watch_report, watch, |watch| {
        watch
            .report(stamped, arrived, heard)
            .map_err(|error| status::report(error, &["stamped", "arrived", "heard"], stamps))
    })
}

/// What arrives from `from` to `to` (ticks of the server's clock) is no evidence, because the client's clock stood still
/// or was set for a good reason: a pause of the game, a change of level, a resumed machine. Call it before, or
/// afterwards, in which case the suspicion of the last minute is dropped; what was observed until then is forgotten in
/// either case. Two calls excuse what is between them too. Stalls of client, server or network need no excuse. Let `to`
/// be as late as the last message from before may arrive. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` (`to` is before `from`), `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_excuse(
    watch: *mut NetclockRateWatch,
    from: i64,
    to: i64,
) -> NetclockStatus {
    change!(netclock_rate_watch_excuse, watch, |watch| {
        let excused = watch.excuse(ServerTime::from_ticks(from), ServerTime::from_ticks(to));
        excused.map_err(|error| status::report(error, &["from", "to"], [from, to, 0]))
    })
}

/// What the watch thinks of the client, as of the newest report, into `*verdict`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rate_watch_read(
    watch: *const NetclockRateWatch,
    verdict: *mut NetclockRateVerdict,
) -> NetclockStatus {
    change!(netclock_rate_watch_read, watch, |watch| {
        grow_out(verdict, "verdict", &watch.verdict().into())
    })
}
