use crate::clock::Span;

/// Why a latency watch rejected an exchange and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LatencyError {
    /// A timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a timestamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The delay in one direction is outside ±60 s.
    #[error("the delay in one direction is {0}, which is outside +-60 s")]
    Implausible(Span),
    /// The exchange arrived before one that the watch has already processed.
    #[error("the exchange arrived {0} before a known one; pass exchanges in order of arrival")]
    WentBackwards(Span),
}
