//! What a timeline says.

use super::rate::Rate;
use crate::time::{ServerTime, Span, WorldTime};

/// Everything a timeline says of one instant. All fields belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldReading {
    /// What the world's clock says.
    pub world: WorldTime,
    /// How fast it runs, but for slewing; [`Rate::PAUSED`] if not at all.
    pub rate: Rate,
    /// A promise: the world's clock is within `world ± error_bound`, also if something happened to it of which the
    /// client cannot have heard yet, as long as it runs at no more than [`TimelineConfig::max_rate`] (or the rate of the
    /// newest segment, if that is more) meanwhile. [`Span::MAX`] if nothing can be promised: nobody ever confirmed a
    /// segment, the clock has no bound, or it is a time before the oldest segment.
    ///
    /// [`TimelineConfig::max_rate`]: crate::timeline::TimelineConfig::max_rate
    pub error_bound: Span,
    /// The same if the newest segment is still in force: the bound of real time at the world's rate, the segment's
    /// tolerance, what is being slewed and what a missing segment hides. If it is known that the segment is not in force
    /// any more, it is as large as `error_bound`.
    pub error_bound_if_unchanged: Span,
    /// How much more is shown than the segments say, while late news is worked off; negative: less.
    pub ahead: Span,
    /// By how much the world leapt with this reading: forwards, or either way if a clock was set anew. Mostly zero.
    pub jump: Span,
    /// Counts the timelines that were shown: one more with every world, every run of the server's clock and every time
    /// that the clock was set anew. Within one the shown time never goes backwards. Zero in reads that are pure.
    pub epoch: u32,
    /// Which world it is.
    pub instance: u32,
    /// Which of the world's segments is read.
    pub version: u32,
    /// Whether the server spoke of a newer segment or world that has not arrived.
    pub is_missing_news: bool,
}

/// The server instants at which a world's clock says the same: one, or all of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealRange {
    /// The first of them.
    pub first: ServerTime,
    /// The last of them; the last valid instant for a pause without an end as far as is known.
    pub last: ServerTime,
}

/// How long ago something was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// In real time.
    pub real: Span,
    /// In world time: how far the world got since.
    pub world: Span,
}

/// Why there is no world time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The clock is not in sync, so real time is not known.
    #[error("real time is not known: the clock is not in sync")]
    NotSynced,
    /// No segment of this run of the server's clock arrived.
    #[error("no segment of this run of the server's clock arrived")]
    NoWorld,
    /// As far as is known the world's clock never says this.
    #[error("the world's clock never says this as far as is known")]
    Never,
    /// An instant is outside the valid range, or a bound is negative.
    #[error("an instant is outside +-2^62 ticks, or a bound is negative")]
    OutOfRange,
    /// Real time is before that of an earlier call, within one epoch of the clock.
    #[error("real time went backwards by {0} within one epoch of the clock")]
    RealWentBackwards(Span),
}
