//! Reasons for which a timeline or a publisher refuses a call.

use crate::clock::keyed::KeyError;
use crate::clock::{Span, WireError};

/// Why a timeline did not use a segment or a confirmation. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// An instant is outside the valid range, `since` is after `real`, or `through` before it.
    #[error("an instant of the segment is outside +-2^62 ticks or out of order")]
    Instant,
    /// The tolerance is negative or above an hour.
    #[error("the segment's tolerance is not within 0 and an hour")]
    Tolerance,
    /// The segment belongs to a run of the server's clock that is over.
    #[error("the segment is from a run of the server's clock that is over")]
    OldEpoch,
    /// The segment belongs to an older world.
    #[error("the segment is of an older world")]
    OldWorld,
    /// A newer version begins earlier, or the timeline is full of newer versions.
    #[error("newer segments have replaced it")]
    Superseded,
    /// A segment of the same version has other content.
    #[error("another segment with the same version is known")]
    Conflict,
    /// The confirmation is about another run of the server's clock.
    #[error("no segment of this run of the server's clock is known")]
    OtherEpoch,
    /// The seal is wrong. [`KeyError::NotKeyed`]: there is none, and
    /// [`TimelineConfig::sealed`](super::TimelineConfig::sealed) asks for one.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The sealed message is no segment. Its seal was not looked at.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// Why a publisher did not observe a frame. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObserveError {
    /// An instant is outside the valid range.
    #[error("an instant is outside +-2^62 ticks")]
    OutOfRange,
    /// Real time is before that of an earlier frame.
    #[error("real time went backwards by {0}; pass a monotonic clock")]
    RealWentBackwards(Span),
    /// The world's time is before that of an earlier frame: see
    /// [`Publisher::begin_world`](super::Publisher::begin_world).
    #[error("the world's time went backwards by {0}; begin a new world")]
    WorldWentBackwards(Span),
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
    /// The instant is before the oldest segment of the world that is kept: see
    /// [`TimelineConfig::segments`](super::TimelineConfig::segments).
    #[error("the instant is before the oldest segment of the world that is kept")]
    NotKept,
    /// The world's clock never says this time, as far as is known.
    #[error("the world's clock never says this as far as is known")]
    Never,
    /// An instant is outside the valid range, or a bound is negative.
    #[error("an instant is outside +-2^62 ticks, or a bound is negative")]
    OutOfRange,
}
