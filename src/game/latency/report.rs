//! The results of a latency watch: changes, levels, and the effect of an exchange.

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
    /// Arrival of the exchange that revealed the change.
    pub found: LocalTime,
    /// Confidence: one minus the false reports per hour expected at this strength of evidence and the current
    /// rate of exchanges. (0 to 1)
    pub confidence: f64,
}

/// The current level of the delays in one direction, by the shown clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyLevel {
    /// The typical delay: the median since the last change, of up to 64 exchanges.
    pub typical: Span,
    /// The smallest of these delays.
    pub least: Span,
}

/// How an exchange changed a latency watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyUpdate {
    /// The exchange was used.
    Used,
    /// The exchange was used as the first of a new epoch of the clock. The watch has dropped all earlier
    /// delays.
    Restarted,
    /// The exchange arrived less than 125 ms after a used one. Exchanges that arrive in a burst are a single
    /// observation.
    Skipped,
    /// The exchange is already known, or there is none.
    Known,
    /// The exchange belongs to an epoch that has ended.
    Outdated,
}
