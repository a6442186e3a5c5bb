use crate::clock::{Direction, LocalTime, Span};

/// A lasting change in the delay of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// Direction whose delay changed.
    pub direction: Direction,
    /// Typical (median) delay before the change.
    pub before: Span,
    /// Typical (median) delay after the change.
    pub after: Span,
    /// Arrival time of the first exchange that shows the change.
    pub since: LocalTime,
    /// Arrival time of the exchange at which the change was detected.
    pub found: LocalTime,
    /// One minus the expected number of false reports per hour with evidence this strong, at the current rate
    /// of exchanges. (0 to 1)
    pub confidence: f64,
}

/// Current delay level of one direction, measured with the shown clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyLevel {
    /// Typical delay, which is the median of up to 64 exchanges since the last change.
    pub typical: Span,
    /// Smallest of these delays.
    pub least: Span,
}

/// How an exchange affected a latency watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyUpdate {
    /// The exchange was used.
    Used,
    /// The exchange was used and is the first of a new epoch of the clock. Earlier delays were discarded.
    Restarted,
    /// The exchange arrived less than 125 ms (500 ms on a restless path) after the last one that was used.
    /// Exchanges that arrive in a burst count as a single observation.
    Skipped,
    /// The exchange was already processed, or the client has not accepted one yet.
    Known,
    /// The exchange belongs to an earlier epoch of the clock.
    Outdated,
}
