use crate::clock::{Direction, LocalTime, Span};

/// A lasting change in the delay of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// The direction in which the delay changed.
    pub direction: Direction,
    /// Typical (median) delay before the change.
    pub before: Span,
    /// Typical (median) delay after the change.
    pub after: Span,
    /// Arrival time of the first exchange that shows the change.
    pub since: LocalTime,
    /// Arrival time of the exchange at which the change was detected.
    pub found: LocalTime,
    /// One minus the expected number of equally strong false reports per hour at the current rate of
    /// exchanges. (0 to 1)
    pub confidence: f64,
}
