use crate::clock::ground::time::{Span, TimeError};

/// The largest dispersion that the four-byte encoding can represent (429 s).
pub const MAX_DISPERSION: Span = Span::from_ticks(u32::MAX as i64);

/// States that a server's clock shows the time of `timescale` within `±dispersion` until the server restarts.
///
/// By default, each server's clock is its own timescale, is identified by the server epoch, and has no
/// dispersion.
///
/// ```
/// # use netclock::{Client, Config, LocalTime, authority::Authority};
/// # let mut client = Client::new(Config::default(), 7)?;
/// let authority = Authority { timescale: 5, ..Authority::alone(42) }; // what the server stated
/// client.set_authority(&authority, LocalTime::from_ticks(0))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The epoch of the server's [`Responder`](crate::Responder).
    pub epoch: u64,
    /// The identifier of the timescale.
    pub timescale: u64,
    /// The largest difference between the clock and the timescale, from 0 to [`MAX_DISPERSION`].
    pub dispersion: Span,
}

impl Authority {
    /// Creates the authority for a server whose clock is its own timescale.
    pub const fn alone(epoch: u64) -> Self {
        Authority { epoch, timescale: epoch, dispersion: Span::ZERO }
    }

    pub(crate) fn is_alone(&self) -> bool {
        *self == Authority::alone(self.epoch)
    }

    pub(crate) fn check(&self) -> Result<(), AuthorityError> {
        if self.dispersion < Span::ZERO || self.dispersion > MAX_DISPERSION {
            return Err(AuthorityError::Dispersion(self.dispersion));
        }
        Ok(())
    }
}

/// Why a client rejected an authority. A rejected authority does not change the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// The dispersion is negative or above [`MAX_DISPERSION`](crate::authority::MAX_DISPERSION).
    #[error("a dispersion of {0} is outside 0 to 429 s")]
    Dispersion(Span),
    /// The client follows the timescale with this identifier, but the authority belongs to another timescale.
    #[error("the message is not about the followed timescale {0:016x}")]
    OtherTimescale(u64),
    /// The local time is invalid.
    #[error(transparent)]
    Time(#[from] TimeError),
}
