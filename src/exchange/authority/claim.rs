//! Whose clock is followed, and how far it may be off the timescale.

use crate::time::{Span, TimeError};

/// Largest dispersion that can be stated: what fits in the four bytes of a statement, 429 s.
pub const MAX_DISPERSION: Span = Span::from_ticks(u32::MAX as i64);

/// A run of a server's clock, and what it says of the timescale: the clock shows `timescale` within `±dispersion`.
///
/// A server that nobody says anything of *is* its timescale: named by its own epoch, with no dispersion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The run of the clock; the epoch of its [`Responder`](crate::Responder).
    pub epoch: u64,
    /// Name of the timescale.
    pub timescale: u64,
    /// Largest difference between the clock and the timescale, 0 to [`MAX_DISPERSION`].
    pub dispersion: Span,
}

impl Authority {
    /// The run of a clock that is its own timescale.
    pub const fn alone(epoch: u64) -> Self {
        Authority { epoch, timescale: epoch, dispersion: Span::ZERO }
    }

    /// Whether the clock is its own timescale, which it cannot drift off.
    pub(crate) fn is_alone(&self) -> bool {
        *self == Authority::alone(self.epoch)
    }

    /// Refuses a dispersion that no statement can carry.
    pub(crate) fn check(&self) -> Result<(), AuthorityError> {
        if self.dispersion < Span::ZERO || self.dispersion > MAX_DISPERSION {
            return Err(AuthorityError::Dispersion(self.dispersion));
        }
        Ok(())
    }
}

/// Why a client did not take what was said about an authority, or did not say what time it is. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// No outstanding inquiry has this id: forged, a duplicate, or too old to be kept.
    #[error("no outstanding inquiry has this id (forged, duplicate or expired)")]
    UnknownInquiry,
    /// The dispersion is negative or above [`MAX_DISPERSION`](crate::authority::MAX_DISPERSION).
    #[error("a dispersion of {0} is outside 0 to 429 s")]
    Dispersion(Span),
    /// It is about another timescale than the one that is followed, which is given.
    #[error("it is about another timescale than {0:016x}, which is followed")]
    OtherTimescale(u64),
    /// Nothing certain is known about the time: not synced, or in doubt.
    #[error("nothing certain is known about the time")]
    NothingCertain,
    /// The local time cannot be used.
    #[error(transparent)]
    Time(#[from] TimeError),
}
