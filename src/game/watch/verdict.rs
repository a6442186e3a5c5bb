use crate::clock::Span;

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
    /// The level of certainty over about the last minute.
    pub level: RateLevel,
    /// The highest level since the watch was created.
    pub worst: RateLevel,
    /// How many times the level rose to [`RateLevel::Likely`] or [`RateLevel::Proven`].
    pub findings: u32,
    /// The most recent finding, which the next three fields describe.
    pub finding: Option<RateFinding>,
    /// How much the client's clock gained on the server's clock in excess of drift, or a negative value if it
    /// lost time. If the finding is proven, delays are also deducted, so this is the least that the clock
    /// gained.
    pub gained: Span,
    /// Part of `gained` that delay changes could explain, which is zero if the finding is proven.
    pub explained: Span,
    /// Duration of the gain, which starts at most 52 s before the finding.
    pub duration: Span,
    /// Mean rate of the client's clock relative to the server's clock since the watch was created or last
    /// excused. The rate is positive if the client's clock is fast, and zero until known. (ppm)
    pub mean_ppm: f64,
    /// Error of `mean_ppm` if delays have changed by 60 ms; infinite until `mean_ppm` is known. (ppm)
    pub mean_error_ppm: f64,
}

/// Why a rate watch rejected a report and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a timestamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The message arrived before one that was reported earlier, or an excuse ends before it begins.
    #[error("the server's time went backwards by {0}")]
    WentBackwards(Span),
    /// The client claims to have received a message that was sent after the client's own message arrived.
    #[error("the server's time in the client's message is {0} after the arrival of that message")]
    HeardTooEarly(Span),
}
