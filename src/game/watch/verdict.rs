use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// The settings for a [`RateWatch`](super::RateWatch).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateWatchConfig {
    /// Maximum rate difference between two honest clocks, including the errors of both crystals and the
    /// adjustments by operating systems. (ppm, 1 to 10000, default 200)
    pub max_drift_ppm: f64,
    /// Maximum delay of the fastest message in any 16 s. Delay cannot explain a larger gain or loss than
    /// this. (100 ms to 60 s, default 5 s)
    pub max_delay: Span,
}

impl Default for RateWatchConfig {
    fn default() -> Self {
        RateWatchConfig { max_drift_ppm: 200.0, max_delay: Span::from_secs(5) }
    }
}

impl RateWatchConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        number("max_drift_ppm", self.max_drift_ppm, 1.0, 10_000.0, "ppm")?;
        span("max_delay", self.max_delay, Span::from_millis(100), Span::from_secs(60))
    }
}

/// How certain it is that a client's clock is not honest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateLevel {
    /// There have been too few reports so far.
    Unknown,
    /// Delays and ordinary clock drift explain all reports.
    Plausible,
    /// Only an extremely unusual path would explain the reports. Keep watching the client, but impose no
    /// penalty.
    Likely,
    /// No delays can explain the reports, so the clock ran at a different rate or was set.
    Proven,
}

/// How a client's clock misbehaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateFinding {
    /// The clock ran fast.
    Fast,
    /// The clock ran slow.
    Slow,
    /// The clock jumped forwards.
    Added,
    /// The clock jumped backwards.
    Removed,
}

/// A rate watch's verdict on a client's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateVerdict {
    /// The level over about the last minute.
    pub level: RateLevel,
    /// Highest level since the watch was created.
    pub worst: RateLevel,
    /// How many times the level rose to [`RateLevel::Likely`] or [`RateLevel::Proven`].
    pub findings: u32,
    /// The most recent finding, which the next three fields describe.
    pub finding: Option<RateFinding>,
    /// How much the client's clock gained on the server's clock in excess of drift, or a negative value if it
    /// lost time. If the finding is proven, delays are also deducted, so the clock gained at least this much.
    pub gained: Span,
    /// Part of `gained` that delay changes could explain, which is zero if the finding is proven.
    pub explained: Span,
    /// Duration of the gain, which starts at most 52 s before the finding.
    pub duration: Span,
    /// Mean rate of the client's clock relative to the server's clock since the watch was created or last
    /// excused. The rate is positive if the client's clock is fast, and zero until known. (ppm)
    pub mean_ppm: f64,
    /// Error of `mean_ppm` if delays have changed by 60 ms, or infinity until known. (ppm)
    pub mean_error_ppm: f64,
}

/// Why a rate watch rejected a report and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a timestamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The message arrived before the message of an earlier report, or an excuse ends before it begins.
    #[error("the server's time went backwards by {0}")]
    WentBackwards(Span),
    /// The client claims to have received a message that was sent after the client's own message arrived.
    #[error("the server's time in the client's message is {0} after the arrival of that message")]
    HeardTooEarly(Span),
}
