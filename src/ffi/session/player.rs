use crate::ffi::base::prelude::*;
use crate::ffi::session::start::hold_up;
use crate::game::start::Participation;
use crate::game::watch::{RateFinding, RateLevel, RateVerdict};

/// Suspicion level: there have been too few reports so far.
pub const NETCLOCK_RATE_UNKNOWN: i32 = 0;
/// Suspicion level: ordinary delays and clock drift explain all reports.
pub const NETCLOCK_RATE_PLAUSIBLE: i32 = 1;
/// Suspicion level: only extremely unusual delays could explain the clock. Investigate, but do not punish the
/// player.
pub const NETCLOCK_RATE_LIKELY: i32 = 2;
/// Suspicion level: no delays can explain the clock. The client's clock ran at a different rate or was set,
/// or the server's clock was set.
pub const NETCLOCK_RATE_PROVEN: i32 = 3;

/// Finding: none so far.
pub const NETCLOCK_RATE_NOTHING: i32 = 0;
/// Finding: the client's clock ran fast.
pub const NETCLOCK_RATE_FAST: i32 = 1;
/// Finding: the client's clock ran slow.
pub const NETCLOCK_RATE_SLOW: i32 = 2;
/// Finding: the client's clock jumped ahead.
pub const NETCLOCK_RATE_ADDED: i32 = 3;
/// Finding: the client's clock jumped back.
pub const NETCLOCK_RATE_REMOVED: i32 = 4;

/// A host's report on a player. The fields about starts and the error bounds are the player's own claims. Set
/// `struct_size` before the call. Durations are in ticks, or `NETCLOCK_UNBOUNDED` if unknown.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPlayerReport {
    /// `sizeof(netclock_player_report)` in the caller's program.
    pub struct_size: u32,
    /// 1 if the player has confirmed the latest state of everything that the host sends, else 0.
    pub is_up_to_date: i32,
    /// The reason why a start would wait for the player, one of `NETCLOCK_HOLD_UP_...`.
    pub hold_up: i32,
    /// 1 if the player was ready when the current start was scheduled and counts for the spread, else 0.
    pub counted: i32,
    /// 1 if the player has received the current start or its cancellation, else 0.
    pub acknowledged: i32,
    /// The suspicion level of the player's clock in the last minute, one of `NETCLOCK_RATE_UNKNOWN` to
    /// `NETCLOCK_RATE_PROVEN`.
    pub rate_level: i32,
    /// The highest suspicion level so far, one of `NETCLOCK_RATE_UNKNOWN` to `NETCLOCK_RATE_PROVEN`.
    pub rate_worst: i32,
    /// The latest finding, one of `NETCLOCK_RATE_NOTHING` to `NETCLOCK_RATE_REMOVED`.
    pub rate_finding: i32,
    /// How many times the suspicion level rose to `NETCLOCK_RATE_LIKELY` or `NETCLOCK_RATE_PROVEN`.
    pub rate_findings: u32,
    /// 1 if the mean rate is known, else 0.
    pub is_mean_known: i32,
    /// How long before a start the host must notify the player, for the confidence of the latest proposal.
    /// `NETCLOCK_UNBOUNDED` if unknown.
    pub lead: i64,
    /// The error bound of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown.
    pub error_bound: i64,
    /// The expected error of the player's clock, or `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
    /// The player's smallest recent round-trip time, or `NETCLOCK_UNBOUNDED` if unknown.
    pub round_trip: i64,
    /// A conservative estimate of the player's message loss, as a fraction. (0 to 0.9)
    pub loss: f64,
    /// How long after the scheduled time the player started, by the player's own clock. `NETCLOCK_UNBOUNDED`
    /// if the player has not reported a start.
    pub lateness: i64,
    /// The error bound of the player's clock when the player started, or `NETCLOCK_UNBOUNDED` if unknown.
    pub lateness_bound: i64,
    /// How much the client's clock gained on the server's clock in the latest finding, not counting the drift
    /// and, if proven, the effect of delays. Negative if the client's clock lost time. (ticks)
    pub rate_gained: i64,
    /// The part of `rate_gained` that delay changes could explain. Zero if proven. (ticks)
    pub rate_explained: i64,
    /// How long this gain took. It began at most 52 s before the host made the finding. (ticks)
    pub rate_duration: i64,
    /// The mean skew of the client's clock relative to the server's clock since the player was admitted or
    /// last excused. Positive if the client's clock is fast, zero if unknown. (ppm)
    pub mean_ppm: f64,
    /// The largest error of `mean_ppm`, assuming that the delays changed by 60 ms, or zero if unknown. (ppm)
    pub mean_error_ppm: f64,
}

growable! { NetclockPlayerReport: 136 }

impl NetclockPlayerReport {
    pub(super) fn of(start: &Participation, rate: &RateVerdict, is_up_to_date: bool) -> Self {
        let is_mean_known = rate.mean_error_ppm.is_finite();
        NetclockPlayerReport {
            is_up_to_date: i32::from(is_up_to_date),
            hold_up: hold_up(start.hold_up),
            counted: start.counted.to_c(),
            acknowledged: start.acknowledged.to_c(),
            rate_level: level(rate.level),
            rate_worst: level(rate.worst),
            rate_finding: match rate.finding {
                None => NETCLOCK_RATE_NOTHING,
                Some(RateFinding::Fast) => NETCLOCK_RATE_FAST,
                Some(RateFinding::Slow) => NETCLOCK_RATE_SLOW,
                Some(RateFinding::Added) => NETCLOCK_RATE_ADDED,
                Some(RateFinding::Removed) => NETCLOCK_RATE_REMOVED,
            },
            rate_findings: rate.findings,
            is_mean_known: i32::from(is_mean_known),
            lead: start.lead.to_c(),
            error_bound: start.error_bound.to_c(),
            expected_error: start.expected_error.to_c(),
            round_trip: start.round_trip.to_c(),
            loss: start.loss,
            lateness: start.lateness.to_c(),
            lateness_bound: start.lateness_bound.to_c(),
            rate_gained: rate.gained.ticks(),
            rate_explained: rate.explained.ticks(),
            rate_duration: rate.duration.ticks(),
            mean_ppm: rate.mean_ppm,
            mean_error_ppm: if is_mean_known { rate.mean_error_ppm } else { 0.0 },
            ..Self::zero()
        }
    }
}

fn level(level: RateLevel) -> i32 {
    match level {
        RateLevel::Unknown => NETCLOCK_RATE_UNKNOWN,
        RateLevel::Plausible => NETCLOCK_RATE_PLAUSIBLE,
        RateLevel::Likely => NETCLOCK_RATE_LIKELY,
        RateLevel::Proven => NETCLOCK_RATE_PROVEN,
    }
}
