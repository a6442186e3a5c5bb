//! Errors from claims, observations and reads.

use crate::clock::Span;

/// The reason why a claim was not adopted. No state has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UtcClaimError {
    /// `zero` or `read` is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("an instant of the claim is outside +-2^62 ticks")]
    Instant,
    /// UTC at `read` is before 1970 or after the year 9999.
    #[error("UTC is not between the years 1970 and 9999")]
    Date,
    /// The bound is negative or above [`MAX_CLAIM_BOUND`](super::MAX_CLAIM_BOUND).
    #[error("the claim's bound is not between 0 and 429 s")]
    Bound,
    /// The drift is above 100,000 ppm.
    #[error("the claim's drift is above 100000 ppm")]
    Drift,
    /// A newer claim from the same server epoch is known.
    #[error("a later claim is known")]
    Outdated,
    /// A claim with the same version has different content.
    #[error("another claim with the same version is known")]
    Conflict,
    /// The version is further ahead than a server can advance in the time between the two claims, so the
    /// claim must be forged.
    #[error("the version is {0} ahead of the known one, which no server reaches")]
    Leap(u32),
}

/// The reason why a publisher rejected an observation. Its state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UtcObserveError {
    /// The server time, or UTC at server time zero, is outside the valid range of
    /// [`Time::is_valid`](crate::Time::is_valid).
    #[error("the server's time is outside +-2^62 ticks, or UTC is when that is zero")]
    Instant,
    /// UTC is before 1970 or after the year 9999.
    #[error("UTC is not between the years 1970 and 9999")]
    Date,
    /// The bound is negative.
    #[error("a bound of {0} is negative")]
    Bound(Span),
    /// The server time is before that of an earlier observation.
    #[error("the server's time went backwards by {0}; pass a monotonic clock")]
    WentBackwards(Span),
}

/// The reason why UTC is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UtcError {
    /// The clock is not in sync, so the server time is unknown.
    #[error("server time is unknown because the clock is not synced")]
    NotSynced,
    /// No claim for this server epoch has arrived.
    #[error("the server has not reported UTC")]
    NoClaim,
    /// The server time is outside the valid range, or its bound is negative.
    #[error("the server's time is outside +-2^62 ticks, or its bound is negative")]
    Instant,
    /// UTC is before 1970 or after the year 9999.
    #[error("UTC is not between the years 1970 and 9999")]
    Date,
}
