use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Direction, Span};

/// Which latency the local avatar's playback speed compensates for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hide {
    /// The time until a player sees the server's response to an action.
    #[default]
    RoundTrip,
    /// The latency in one direction. Towards the server, this is the time until the server sees an action.
    /// Towards the client, this is the time until the client shows other players' actions.
    OneWay(Direction),
}

/// The settings for a [`LatencyWatch`](super::LatencyWatch).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyConfig {
    /// The playback speed hides changes of this latency.
    pub hide: Hide,
    /// Smallest change to report. (1 ms to 1 s, default 10 ms)
    pub least_change: Span,
    /// Maximum deviation of the speed from 1. (fraction, 0.001 to 0.5, default 0.1)
    pub max_speed_change: f64,
    /// How long the speed takes to change from 1 to its maximum deviation. (10 ms to 10 s, default 250 ms)
    pub ramp: Span,
    /// Mean time between false reports on an unchanging path. Most reports on satellite and cellular paths
    /// concern short-lived changes, because such paths change within minutes. (hours, 0.1 to 10000, default
    /// 100)
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
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        span("least_change", self.least_change, Span::from_millis(1), Span::from_secs(1))?;
        number("max_speed_change", self.max_speed_change, 0.001, 0.5, "of the speed")?;
        span("ramp", self.ramp, Span::from_millis(10), Span::from_secs(10))?;
        number("hours_per_false_alarm", self.hours_per_false_alarm, 0.1, 10_000.0, "hours")
    }
}
