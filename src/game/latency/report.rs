//! The answers of a latency watch: changes, levels, and the effect of an exchange.

use crate::clock::{Direction, LocalTime, Span};

/// A lasting change of the delays in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// The direction.
    pub direction: Direction,
    /// The typical delay (median) before the change.
    pub before: Span,
    /// The typical delay (median) after the change.
    pub after: Span,
    /// Arrival of the first exchange that shows the change.
    pub since: LocalTime,
    /// Arrival of the exchange with which the change was found.
    pub found: LocalTime,
    /// Confidence: one minus the false reports per hour expected at this strength of evidence and the present
    /// rate of exchanges. (0 to 1)
    pub confidence: f64,
}

/// The present level of the delays in one direction, by the clock as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyLevel {
    /// The typical delay: the median since the last change, of up to 64 exchanges.
    pub typical: Span,
    /// The smallest of them.
    pub least: Span,
}

/// How an exchange changed a latency watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyUpdate {
    /// The exchange counts.
    Used,
    /// The exchange counts as the first of a new epoch of the clock. The watch has forgotten all earlier
    /// delays.
    Restarted,
    /// The exchange came less than 125 ms after one that counts. Exchanges that arrive bunched say the same
    /// thing once.
    Skipped,
    /// The watch knows the exchange already, or none has arrived.
    Known,
    /// The exchange belongs to an epoch that has ended.
    Outdated,
}
