//! The settings of a rate watch, its verdict, and its errors.

use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// Settings of a [`RateWatch`](super::RateWatch): see there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateWatchConfig {
    /// Largest rate difference between two honest clocks: both crystals, and the steering by operating
    /// systems. (ppm, 1 to 10000, default 200)
    pub max_drift_ppm: f64,
    /// A delay that messages do not exceed for 16 s without a break. A gain or loss beyond it cannot be
    /// delay. (100 ms to 60 s, default 5 s)
    pub max_delay: Span,
}

impl Default for RateWatchConfig {
    fn default() -> Self {
        RateWatchConfig { max_drift_ppm: 200.0, max_delay: Span::from_secs(5) }
    }
}

impl RateWatchConfig {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        number("max_drift_ppm", self.max_drift_ppm, 1.0, 10_000.0, "ppm")?;
        span("max_delay", self.max_delay, Span::from_millis(100), Span::from_secs(60))
    }
}

/// How sure a rate watch is that a client's clock is not honest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateLevel {
    /// Too few reports so far.
    Unknown,
    /// Delay and ordinary crystals explain everything.
    Plausible,
    /// Only a path that behaves as paths hardly ever do would explain it. Watch, do not punish.
    Likely,
    /// No delays explain it: the clock ran at another rate, or was set.
    Proven,
}

/// What a client's clock did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateFinding {
    /// Ran fast.
    Fast,
    /// Ran slow.
    Slow,
    /// Jumped ahead: time was added.
    Added,
    /// Fell back: time was removed.
    Removed,
}

/// What a rate watch says about a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateVerdict {
    /// The level of the last minute.
    pub level: RateLevel,
    /// The highest level since the watch began.
    pub worst: RateLevel,
    /// How often the level rose to [`RateLevel::Likely`] or [`RateLevel::Proven`].
    pub findings: u32,
    /// The newest finding. The next three fields belong to it.
    pub finding: Option<RateFinding>,
    /// How much the client's clock gained on the server's, beyond drift; negative: lost. If proven, also
    /// beyond delay: the clock gained at least this.
    pub gained: Span,
    /// The part of `gained` that changes of delay could explain. Zero if proven.
    pub explained: Span,
    /// How long it took. Counted are at most 52 s before the finding, and 510 s in all.
    pub duration: Span,
    /// Rate of the client's clock against the server's since the watch began or was last excused, in ppm;
    /// positive: the client's is fast. Zero until known.
    pub mean_ppm: f64,
    /// How far off `mean_ppm` may be if delays changed by 60 ms, in ppm. Infinite until known.
    pub mean_error_ppm: f64,
}

/// Why a rate watch refused a report. It is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A stamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The arrival is earlier than that of an earlier report, or an excuse ends before it begins.
    #[error("the server's time went backwards by {0}")]
    WentBackwards(Span),
    /// The client claims to have heard a message that was sent after its own arrived.
    #[error("what the client heard was sent {0} after its message arrived")]
    HeardTooEarly(Span),
}
