//! UTC results.

use crate::clock::{Span, UtcTime};

/// The server's UTC at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReading {
    /// UTC according to the server's claim. It may jump when the claim changes.
    pub utc: UtcTime,
    /// True UTC is within `utc ± error_bound`, provided that the server's time source is right. It is the sum
    /// of the bounds of the clock and the claim, or [`Span::MAX`] if either has no bound.
    pub error_bound: Span,
    /// Version of the claim. If the version or the server epoch changes, UTC may have jumped.
    pub version: u32,
}

/// A change in the server's claim for a server epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcChange {
    /// The claim's server epoch.
    pub server_epoch: u64,
    /// The jump in UTC, positive if forwards. Zero for the first claim in this epoch.
    pub jump: Span,
    /// Whether this is the first claim for this epoch.
    pub is_first: bool,
}
