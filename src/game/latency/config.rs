//! What a latency watch is set to, what it says, and what it refuses.

use crate::direction::Direction;
use crate::range::ConfigError;
use crate::range::{number, span};
use crate::time::{LocalTime, Span};

/// The latency whose changes the local avatar's speed hides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hide {
    /// That of both directions together: until a player sees what the server made of his action.
    #[default]
    RoundTrip,
    /// That of one direction: to the server, until it sees the action; to the client, what is shown of others.
    OneWay(Direction),
}

/// Settings of a [`LatencyWatch`](super::LatencyWatch).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyConfig {
    /// What the speed is to hide.
    pub hide: Hide,
    /// Smaller changes are not reported. (1 ms to 1 s, default 10 ms)
    pub least_change: Span,
    /// How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1)
    pub max_speed_change: f64,
    /// Time from speed 1 to the furthest. (10 ms to 10 s, default 250 ms)
    pub ramp: Span,
    /// On a path that does not change there is one false report in so many hours, in the mean. (hours, 0.1 to 10000,
    /// default 100)
    pub hours_per_false_alarm: f64,
}

impl Default for LatencyConfig {
    fn default() -> Self {
        LatencyConfig {
            hide: Hide::RoundTrip,
            least_change: Span::from_millis(10),
            max_speed_change: 0.1,
            ramp: Span::from_millis(250),
            hours_per_false_alarm: 100.0,
        }
    }
}

impl LatencyConfig {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is out of range; NaN is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        span("least_change", self.least_change, Span::from_millis(1), Span::from_secs(1))?;
        number("max_speed_change", self.max_speed_change, 0.001, 0.5, "of the speed")?;
        span("ramp", self.ramp, Span::from_millis(10), Span::from_secs(10))?;
        number("hours_per_false_alarm", self.hours_per_false_alarm, 0.1, 10_000.0, "hours")
    }
}

/// The delays of one direction became others, and stayed so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// Which way.
    pub direction: Direction,
    /// The typical delay (median) until then, ...
    pub before: Span,
    /// ... and since.
    pub after: Span,
    /// When the first of the exchanges arrived that told it.
    pub since: LocalTime,
    /// When the last of them arrived.
    pub found: LocalTime,
    /// One less what would be expected of false reports with as much evidence in an hour, at the present pace. (0 to 1)
    pub confidence: f64,
}

/// What is usual in one direction at present, by the clock as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The typical delay: the median of what came since the last change, of up to 64 exchanges.
    pub typical: Span,
    /// The least of them.
    pub least: Span,
}

/// What became of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learnt {
    /// It counts.
    Used,
    /// It counts, as the first of a new epoch of the clock: the delays known before are forgotten.
    Renewed,
    /// It came less than 125 ms after one that counts: what comes in a heap says the same thing once.
    Skipped,
    /// It was learnt before, or none has arrived.
    Known,
    /// It belongs to an epoch that has ended.
    Outdated,
}

/// Why a latency watch did not take an exchange. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LatencyError {
    /// A stamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// A direction would have taken longer than 60 s, or arrived as much earlier than it was sent.
    #[error("a direction took {0}, which is outside +-60 s")]
    Implausible(Span),
    /// The exchange arrived earlier than one learnt before.
    #[error("it arrived {0} before one that was learnt: pass exchanges in the order of arrival")]
    WentBackwards(Span),
}
