//! The answers of a timeline.

use super::rate::Rate;
use crate::clock::{ServerTime, Span, WorldTime};

/// Everything a timeline says of one instant. All fields belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldReading {
    /// The world's time.
    pub world: WorldTime,
    /// How fast it runs, without slewing; [`Rate::PAUSED`] if not at all.
    pub rate: Rate,
    /// Hard bound: the world's clock is within `world ± error_bound`. This also covers changes that the
    /// client cannot have heard of yet. It assumes rates up to [`TimelineConfig::max_rate`], or that of the
    /// newest segment if it is larger.
    /// [`Span::MAX`] if nothing can be promised: the server never confirmed a segment, the clock has no
    /// bound, or the instant is before the oldest segment.
    ///
    /// [`TimelineConfig::max_rate`]: crate::timeline::TimelineConfig::max_rate
    pub error_bound: Span,
    /// The same, if the newest segment is still in force. It consists of the bound of real time at the
    /// world's rate, the segment's tolerance, the present slew, and what a missing segment hides. It equals
    /// `error_bound` if the client knows that the segment is not in force any more.
    pub error_bound_if_unchanged: Span,
    /// How much more is shown than the segments say, while the timeline slews to late news; negative: less.
    pub ahead: Span,
    /// How far the world jumped with this reading. Mostly zero; backwards only when a clock was stepped.
    pub jump: Span,
    /// Counts the stretches in which the shown time never goes backwards. It increases with every world,
    /// every run of the server's clock and every step of the clock. Zero in reads that are pure.
    pub epoch: u32,
    /// Number of the world.
    pub instance: u32,
    /// Number of the segment that was read.
    pub version: u32,
    /// Whether the server mentioned a newer segment or world that has not arrived.
    pub is_missing_news: bool,
}

/// The server instants at which a world's clock says the same time: one instant, or a whole pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealRange {
    /// The first of them.
    pub first: ServerTime,
    /// The last of them. For a pause without a known end: the last valid instant.
    pub last: ServerTime,
}
