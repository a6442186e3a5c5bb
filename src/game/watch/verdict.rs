//! The settings of a rate watch, its verdict, and its errors.

use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// Settings of a [`RateWatch`](super::RateWatch).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateWatchConfig {
    /// The largest rate difference between two honest clocks: both crystals, and the adjustments by operating
    /// systems. (ppm, 1 to 10000, default 200)
    pub max_drift_ppm: f64,
    /// A delay that messages do not exceed for 16 s without a break. A larger gain or loss cannot be delay.
    /// (100 ms to 60 s, default 5 s)
    pub max_delay: Span,
}

impl Default for RateWatchConfig {
    fn default() -> Self {
        RateWatchConfig { max_drift_ppm: 200.0, max_delay: Span::from_secs(5) }
    }
}

impl RateWatchConfig {
    /// Checks that all fields are within their ranges.
    ///
    /// # Errors
    /// The first field that is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        number("max_drift_ppm", self.max_drift_ppm, 1.0, 10_000.0, "ppm")?;
        span("max_delay", self.max_delay, Span::from_millis(100), Span::from_secs(60))
    }
}

/// The certainty that a client's clock is not honest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateLevel {
    /// Too few reports so far.
    Unknown,
    /// Delay and ordinary crystals explain all reports.
    Plausible,
    /// Only an extremely unusual path would explain the reports. Watch, but do not punish.
    Likely,
    /// No delays explain the reports: the clock ran at another rate, or was set.
    Proven,
}

/// The behaviour of a client's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateFinding {
    /// It ran fast.
    Fast,
    /// It ran slow.
    Slow,
    /// It jumped ahead: time was added.
    Added,
    /// It fell back: time was removed.
    Removed,
}

/// The verdict of a rate watch about a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateVerdict {
    /// The level of the last minute.
    pub level: RateLevel,
    /// The highest level since the watch began.
    pub worst: RateLevel,
    /// How often the level rose to [`RateLevel::Likely`] or [`RateLevel::Proven`].
    pub findings: u32,
    /// The newest finding, which the next three fields describe.
    pub finding: Option<RateFinding>,
    /// The gain of the client's clock on the server's, beyond drift; negative if it lost. If proven, also
    /// beyond delay, so the clock gained at least this.
    pub gained: Span,
    /// The part of `gained` that changes of delay could explain; zero if proven.
    pub explained: Span,
    /// The duration of the gain, at most 52 s before the finding, and 510 s in all.
    pub duration: Span,
    /// Rate of the client's clock relative to the server's since the watch began or was last excused, in ppm;
    /// positive if the client's is fast. Zero until known.
    pub mean_ppm: f64,
    /// The error of `mean_ppm` if delays changed by 60 ms, in ppm. Infinite until known.
    pub mean_error_ppm: f64,
}

/// Why a rate watch refused a report. The watch is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The arrival is before an earlier report's, or an excuse ends before it begins.
    #[error("the server's time went backwards by {0}")]
    WentBackwards(Span),
    /// The client claims to have received a message that was sent after its own arrived.
    #[error("what the client heard was sent {0} after its message arrived")]
    HeardTooEarly(Span),
}
