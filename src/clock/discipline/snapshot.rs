//! The snapshot from which readers compute the time and its error bounds.

use super::mapping::Mapping;
use crate::clock::ground::time::{LocalTime, ServerTime, Span, most_apart, whole_above};

/// The reliability of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum State {
    /// No reply has been accepted yet, so there is no server time to show.
    #[default]
    Unsynced = 0,
    /// Replies are arriving and agree with each other.
    Synced = 1,
    /// No reply arrived for [`Config::holdover_after`](crate::Config::holdover_after), so the clock runs at
    /// its estimated rate.
    Holdover = 2,
    /// A reply contradicted the clock, or the local clock had a gap or a step. The client sends requests to
    /// find out whether a clock stepped. In the meantime, the error bound allows for a step, or is
    /// [`Span::MAX`].
    Doubtful = 3,
}

impl State {
    pub(super) fn from_word(word: u64) -> Self {
        match word {
            1 => State::Synced,
            2 => State::Holdover,
            3 => State::Doubtful,
            _ => State::Unsynced,
        }
    }
}

/// The state of the shown clock at one local instant. All fields are consistent with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The server time that the clock shows. This time is smooth and monotonic, and zero while
    /// [`State::Unsynced`].
    pub server_time: ServerTime,
    /// Hard error bound. The true server time is within `server_time ± error_bound`, provided that neither
    /// clock steps. Rate errors must not exceed [`Config::client_drift_ppm`](crate::Config::client_drift_ppm)
    /// and [`Config::server_drift_ppm`](crate::Config::server_drift_ppm). The bound is at least half the sum
    /// of the smallest delays in both directions, or [`Span::MAX`] if there is no guarantee.
    pub error_bound: Span,
    /// Expected error (one standard deviation), or [`Span::MAX`] if unknown. A constant difference between
    /// the base delays of the two directions is not included, although half of it adds to the error. The
    /// expected error never exceeds [`error_bound`](Self::error_bound).
    pub expected_error: Span,
    /// Smallest recent round trip of the path.
    pub round_trip: Span,
    /// Estimated rate of the server's clock relative to the local clock, in parts per million, positive if
    /// the server's clock runs faster.
    pub frequency_ppm: f64,
    /// The reliability of the clock.
    pub state: State,
    /// Number of the current epoch, within which the time never runs backwards; see
    /// [`Reader`](crate::Reader). The number is 0 before the first sync and then 1. Each reported
    /// discontinuity that resets the clock increases it.
    pub epoch: u32,
    /// The server epoch of this reading, or zero if the transport does not provide one.
    pub server_epoch: u64,
}

/// The estimated offset at `reference` and its bounds (ticks). The shown offset may still differ from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) reference: LocalTime,
    /// Hard bounds on the offset, or `None` if nothing is guaranteed.
    pub(crate) hard: Option<(i64, i64)>,
    /// The rate at which the hard bounds widen with age, per tick.
    pub(crate) hard_rate: f64,
    pub(crate) offset: i64,
    /// The standard deviations of the estimate (ticks) and of its rate (per tick).
    pub(crate) sigma: f64,
    pub(crate) sigma_rate: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) state: State,
    pub(crate) epoch: u32,
    pub(crate) server_epoch: u64,
    pub(crate) mapping: Mapping,
    pub(crate) position: Position,
    pub(crate) round_trip: Span,
}

impl Snapshot {
    pub(crate) fn read(&self, now: LocalTime) -> Reading {
        let server_time = self.mapping.server_at(now);
        // The two instants may be far apart, so we saturate the difference.
        let shown = server_time.ticks().saturating_sub(now.ticks());
        let position = &self.position;
        let age = (now - position.reference).abs().ticks() as f64;
        let error_bound = match position.hard {
            None => Span::MAX,
            Some((upper, lower)) => {
                debug_assert!(lower <= upper, "the offset is between its bounds: {lower}..{upper}");
                let reach = upper.saturating_sub(shown).max(shown.saturating_sub(lower)).max(0);
                Span::from_ticks(reach) + Span::from_ticks(most_apart(age, position.hard_rate))
            }
        };
        // The estimate advances at the shown clock's rate, and a pending correction counts as an error.
        let signed_age = (now - position.reference).ticks() as f64;
        let estimate = position.offset.saturating_add((signed_age * self.mapping.rate()) as i64);
        let unslewed = shown.saturating_sub(estimate) as f64;
        let drift = age * position.sigma_rate;
        let variance = position.sigma * position.sigma + drift * drift + unslewed * unslewed;
        // The expected error cannot exceed the proven bound.
        let expected_error = Span::from_ticks(whole_above(variance.sqrt())).min(error_bound);
        debug_assert!(expected_error >= Span::ZERO, "the expected error is not negative: {expected_error}");
        Reading {
            server_time,
            error_bound,
            expected_error,
            round_trip: self.round_trip,
            frequency_ppm: self.mapping.rate() * 1e6,
            state: self.state,
            epoch: self.epoch,
            server_epoch: self.server_epoch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_error_never_exceeds_the_bound() {
        let position = Position {
            reference: LocalTime::from_ticks(0),
            hard: Some((300, -200)),
            hard_rate: 1e-4,
            offset: 50,
            sigma: 90_000.0,
            sigma_rate: 1e-3,
        };
        let mapping = Mapping::straight(LocalTime::from_ticks(0), ServerTime::from_ticks(50), 0.0);
        let snapshot = Snapshot {
            state: State::Synced,
            epoch: 1,
            server_epoch: 0,
            mapping,
            position,
            round_trip: Span::ZERO,
        };
        for (age, sigma) in [(0, 90_000.0), (70, 2.0), (10_000_000, 5.0), (36_000_000_000, 0.0)] {
            let read = Snapshot { position: Position { sigma, ..position }, ..snapshot }
                .read(LocalTime::from_ticks(age));
            assert!(read.expected_error <= read.error_bound, "after {age} ticks: {read:?}");
        }
        // The bound was 250 ticks, and a drift of 100 ppm adds 1000 ticks in one second.
        for age in [10_000_000, -10_000_000] {
            let bound = snapshot.read(LocalTime::from_ticks(age)).error_bound.ticks();
            assert!((1_250..=1_252).contains(&bound), "{bound} ticks, {age} from when it was known");
        }
    }
}
