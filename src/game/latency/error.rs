//! Reasons to refuse an exchange.

use crate::clock::Span;

/// Why a latency watch refused an exchange. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LatencyError {
    /// A stamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The delay of a direction, which is given, is outside ±60 s.
    #[error("a direction took {0}, which is outside +-60 s")]
    Implausible(Span),
    /// The exchange arrived earlier than one that the watch knows.
    #[error("it arrived {0} before a known one: pass exchanges in the order of arrival")]
    WentBackwards(Span),
}
