//! What a latency watch says.

use crate::direction::Direction;
use crate::time::{LocalTime, Span};

/// The delays of one direction became others, and stayed so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// Which way.
    pub direction: Direction,
    /// The typical delay (median) until then, ...
    pub before: Span,
    /// ... and since.
    pub after: Span,
    /// When the first of the exchanges arrived that told it.
    pub since: LocalTime,
    /// When the last of them arrived.
    pub found: LocalTime,
    /// One less what would be expected of false reports with as much evidence in an hour, at the present pace. (0 to 1)
    pub confidence: f64,
}

/// What is usual in one direction at present, by the clock as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyLevel {
    /// The typical delay: the median of what came since the last change, of up to 64 exchanges.
    pub typical: Span,
    /// The least of them.
    pub least: Span,
}

/// What became of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyUpdate {
    /// It counts.
    Used,
    /// It counts, as the first of a new epoch of the clock: the delays known before are forgotten.
    Restarted,
    /// It came less than 125 ms after one that counts: what comes in a heap says the same thing once.
    Skipped,
    /// It was learnt before, or none has arrived.
    Known,
    /// It belongs to an epoch that has ended.
    Outdated,
}
