use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

const TICK: Span = Span::from_ticks(1);
const MS: Span = Span::from_millis(1);

/// The settings for a [`Timeline`](crate::timeline::Timeline), validated when the timeline is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineConfig {
    /// How much faster or slower the shown time may run while it slews after a late segment, as a fraction of
    /// the rate of real time or of the world, whichever is higher. (0.001..=1, default 0.25)
    pub max_slew: f64,
    /// If the shown world time is behind by more than this, it jumps forwards and the timeline reports the
    /// jump. If the shown time is ahead by more than this, it stops until it is within this distance. (world
    /// time, 1 ms..=1 h, default 250 ms)
    pub step_threshold: Span,
    /// Maximum rate to assume for the world since the server's last update, which only affects the error
    /// bound. (world ticks per real tick, 1e-4..=100, default 1)
    pub max_rate: f64,
    /// Number of segments to keep, at 88 bytes each. When there is no room, a new segment replaces the oldest
    /// one. A world whose rate changes in every frame publishes up to 20 segments per second
    /// ([`PublisherConfig::max_per_second`]), and other worlds publish one per rate change. A delayed view
    /// needs all segments published during its delay. (count, 16..=4096, default 64)
    pub segments: u32,
}

impl Default for TimelineConfig {
    fn default() -> Self {
        TimelineConfig { max_slew: 0.25, step_threshold: Span::from_millis(250), max_rate: 1.0, segments: 64 }
    }
}

impl TimelineConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        number("max_slew", self.max_slew, 0.001, 1.0, "of real time")?;
        span("step_threshold", self.step_threshold, MS, Span::from_secs(3600))?;
        number("max_rate", self.max_rate, 1e-4, 100.0, "world ticks per real tick")?;
        number("segments", f64::from(self.segments), 16.0, 4096.0, "segments")
    }
}

/// The settings for a [`Publisher`](crate::timeline::Publisher), validated when the publisher is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublisherConfig {
    /// How far the world's clock may deviate from the published line before a new segment is published.
    /// (world time, 10 us..=1 s, default 0.5 ms)
    pub tolerance: Span,
    /// Maximum time within a frame between setting the world's clock and reading real time. If a frame
    /// deviates by more than this plus the tolerance, the publisher immediately assumes that the world has
    /// lost time. The tolerance of segments includes this time. (real time, 1 tick..=1 s, default 0.5 ms)
    pub read_lag: Span,
    /// Resolution of the world's clock, which is added to the tolerance of segments. (world time, 1 tick..=1
    /// s, default 1 tick)
    pub resolution: Span,
    /// Maximum number of segments published in any second. A quarter of them may be published in a burst.
    /// When this budget is nearly exhausted, new segments have a larger tolerance. (count, 2..=1000, default
    /// 20)
    pub max_per_second: u32,
}

impl Default for PublisherConfig {
    fn default() -> Self {
        PublisherConfig {
            tolerance: Span::from_micros(500),
            read_lag: Span::from_micros(500),
            resolution: TICK,
            max_per_second: 20,
        }
    }
}

impl PublisherConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        const SECOND: Span = Span::from_secs(1);
        span("tolerance", self.tolerance, Span::from_micros(10), SECOND)?;
        span("read_lag", self.read_lag, TICK, SECOND)?;
        span("resolution", self.resolution, TICK, SECOND)?;
        number("max_per_second", f64::from(self.max_per_second), 2.0, 1000.0, "segments")
    }
}
