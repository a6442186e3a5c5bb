//! The results of a timeline.

use super::rate::Rate;
use crate::clock::{ServerTime, Span, WorldTime};

/// A timeline's reading at one instant. All fields are consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldReading {
    /// The world's time.
    pub world: WorldTime,
    /// Its rate, without slewing; [`Rate::PAUSED`] if it stands still.
    pub rate: Rate,
    /// Hard bound: the world's clock is within `world ± error_bound`. It includes changes that may not have
    /// reached the client yet, with rates up to [`TimelineConfig::max_rate`], or the newest segment's if it
    /// is higher. [`Span::MAX`] if there is no guarantee: the server never confirmed a segment, the clock has
    /// no bound, or the instant is before the oldest segment.
    ///
    /// [`TimelineConfig::max_rate`]: crate::timeline::TimelineConfig::max_rate
    pub error_bound: Span,
    /// The bound if the newest segment is still in force. It consists of the bound of real time at the
    /// world's rate, the segment's tolerance, the current slew, and the effect of missing segments. It equals
    /// `error_bound` if the client knows that the segment is no longer in force.
    pub error_bound_if_unchanged: Span,
    /// Shown time minus the time of the segments while the timeline slews to late news.
    pub ahead: Span,
    /// The jump of the world with this reading, usually zero. It is backwards only when a clock was stepped.
    pub jump: Span,
    /// Counts the periods in which the shown time never runs backwards. It increases with every world, server
    /// epoch and clock step. Zero for reads that do not change the timeline.
    pub epoch: u32,
    /// Number of the world.
    pub instance: u32,
    /// Version of the segment that was used.
    pub version: u32,
    /// Whether the server mentioned a newer segment or world that has not arrived.
    pub is_missing_news: bool,
}

/// The server instants at which a world's clock shows the same time: one instant, or a whole pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealRange {
    /// The first instant.
    pub first: ServerTime,
    /// The last instant. For a pause without a known end, the last valid instant.
    pub last: ServerTime,
}
