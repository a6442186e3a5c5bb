//! What callers get to see.

use crate::clock::{Span, UtcTime};

/// The server's UTC at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReading {
    /// UTC as the server claims it. It may jump when the claim changes.
    pub utc: UtcTime,
    /// True UTC is within `utc` plus or minus this, if the server's source of time tells the truth. It is the
    /// bound of the clock and that of the claim together. [`Span::MAX`] if the source states no bound, or the
    /// clock has none.
    pub error_bound: Span,
    /// Number of the claim. Another number, or another server epoch, means that UTC may have jumped.
    pub version: u32,
}

/// The server's claim about a run of its clock is another one than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcChange {
    /// The run of the server's clock.
    pub server_epoch: u64,
    /// How far UTC jumps; positive: forwards. Zero for the first claim about this run.
    pub jump: Span,
    /// Nothing was known about this run before.
    pub is_first: bool,
}
