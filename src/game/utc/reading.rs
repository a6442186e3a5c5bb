//! Results for callers.

use crate::clock::{Span, UtcTime};

/// The server's UTC at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReading {
    /// UTC as the server claims it. It may jump when the claim changes.
    pub utc: UtcTime,
    /// True UTC is within `utc` plus or minus this, if the server's time source is right. It is the sum of
    /// the bounds of the clock and of the claim. [`Span::MAX`] if the source states no bound, or the clock
    /// has none.
    pub error_bound: Span,
    /// Version of the claim. If it or the server epoch changes, UTC may have jumped.
    pub version: u32,
}

/// A change of the server's claim about a server epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcChange {
    /// The server epoch.
    pub server_epoch: u64,
    /// The jump of UTC; positive if forwards. Zero for the first claim about this epoch.
    pub jump: Span,
    /// Nothing was known about this epoch before.
    pub is_first: bool,
}
