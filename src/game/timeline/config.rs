use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

const TICK: Span = Span::from_ticks(1);

/// The settings for a [`Timeline`](crate::timeline::Timeline), validated when the timeline is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineConfig {
    /// Maximum rate to assume for the world since the server's last update, which only affects the error
    /// bound. (world ticks per real tick, 1e-4..=100, default 1)
    pub max_rate: f64,
    /// Number of segments to keep, at 88 bytes each. When there is no room, a new segment replaces the oldest
    /// one. A world whose rate changes in every frame publishes up to 20 segments per second
    /// ([`PublisherConfig::max_per_second`]). Other worlds publish one per rate change. A delayed view needs
    /// all segments published during its delay. (count, 16..=4096, default 64)
    pub segments: u32,
}

impl Default for TimelineConfig {
    fn default() -> Self {
        TimelineConfig { max_rate: 1.0, segments: 64 }
    }
}

impl TimelineConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        number("max_rate", self.max_rate, 1e-4, 100.0, "world ticks per real tick")?;
        number("segments", f64::from(self.segments), 16.0, 4096.0, "segments")
    }
}

/// The settings for a [`Publisher`](crate::timeline::Publisher), validated when the publisher is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublisherConfig {
    /// Maximum time between setting the world's clock and reading real time in a frame. If a frame deviates
    /// by more than this plus the tolerance, the publisher immediately assumes that the world has lost time.
    /// The tolerance of segments includes this time. (real time, 1 tick..=1 s, default 0.5 ms)
    pub read_lag: Span,
    /// Resolution of the world's clock. It is added to the tolerance of segments. (world time, 1 tick..=1 s,
    /// default 1 tick)
    pub resolution: Span,
    /// Maximum number of segments published in any second. A quarter of this number may be published in a
    /// burst. When this budget is nearly exhausted, new segments have a larger tolerance. (count, 2..=1000,
    /// default 20)
    pub max_per_second: u32,
}

impl Default for PublisherConfig {
    fn default() -> Self {
        PublisherConfig { read_lag: Span::from_micros(500), resolution: TICK, max_per_second: 20 }
    }
}

impl PublisherConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        const SECOND: Span = Span::from_secs(1);
        span("read_lag", self.read_lag, TICK, SECOND)?;
        span("resolution", self.resolution, TICK, SECOND)?;
        number("max_per_second", f64::from(self.max_per_second), 2.0, 1000.0, "segments")
    }
}
