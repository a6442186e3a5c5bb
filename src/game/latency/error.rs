//! What a latency watch refuses, and why.

use crate::time::Span;

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
