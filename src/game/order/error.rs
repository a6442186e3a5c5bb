//! Reasons to refuse a stamp or a number.

use crate::clock::{ConfigError, ServerTime};

/// Why arbitration, rewinding or a lead refused a stamp or a number; nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The stamp of this name is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("{0} is {ticks} ticks, which is outside +-2^62", ticks = .1.ticks())]
    StampOutOfRange(&'static str, ServerTime),
    /// A number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] ConfigError),
}
