use super::rate::Rate;
use crate::clock::{ServerTime, Span, WorldTime};

/// A world's state at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldReading {
    /// The world time at this instant, or the shown time if [`show`](super::Timeline::show) returned this
    /// reading.
    pub world: WorldTime,
    /// Rate of the world, excluding slewing, or [`Rate::PAUSED`] if the world is paused.
    pub rate: Rate,
    /// Hard bound on the error, so the world's clock is within `world ± error_bound`. The bound allows for
    /// changes that have not reached the client yet. It assumes rates up to [`TimelineConfig::max_rate`] or
    /// the rate of the newest segment, whichever is higher. The bound is [`Span::MAX`] if the server never
    /// confirmed a segment, the clock has no bound, or the instant is before the oldest segment.
    ///
    /// [`TimelineConfig::max_rate`]: crate::timeline::TimelineConfig::max_rate
    pub error_bound: Span,
    /// Bound on the error if the world has not changed since the newest segment. The bound is the sum of the
    /// segment's tolerance, the remaining slew, the effect of missing segments, and the world's rate times
    /// the bound on real time. Between two known segments, the two error bounds are equal.
    pub error_bound_if_unchanged: Span,
    /// How far the shown time is ahead of the segments' world time while the timeline slews.
    pub ahead: Span,
    /// How far the shown world time jumped, usually zero. The jump is negative only after a clock step or a
    /// disproved segment.
    pub jump: Span,
    /// Number of the current epoch, within which the shown time never runs backwards. Every new world, server
    /// epoch and clock step increments the number. Reads other than [`show`](super::Timeline::show) return
    /// zero.
    pub epoch: u32,
    /// The world's instance number.
    pub instance: u32,
    /// The version of the segment that was used.
    pub version: u32,
}

/// The range of server times at which a world's clock shows a given time. The ends of the range differ only
/// during a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealRange {
    /// First instant of the range.
    pub first: ServerTime,
    /// Last instant of the range, or the last valid instant if the end of a pause is not known.
    pub last: ServerTime,
}
