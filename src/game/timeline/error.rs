use crate::clock::Span;

/// Why a timeline rejected a segment or a confirmation and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// An instant is outside the valid range, `since` is after `real`, or `through` is before `real`.
    #[error("an instant of the segment is outside +-2^62 ticks or out of order")]
    Instant,
    /// The tolerance is negative or above an hour.
    #[error("the segment's tolerance is not between 0 and 1 h")]
    Tolerance,
    /// The segment belongs to an older world.
    #[error("the segment belongs to an older world")]
    OldWorld,
    /// A newer version of the segment's world is known.
    #[error("later segments have replaced the segment")]
    Superseded,
    /// A segment with the same version has different content.
    #[error("a different segment with the same version is known")]
    Conflict,
    /// The confirmation belongs to a different server epoch.
    #[error("no segment of this run of the server's clock is known")]
    OtherEpoch,
}

/// Why a publisher rejected a frame and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObserveError {
    /// An instant is outside the valid range.
    #[error("an instant is outside +-2^62 ticks")]
    OutOfRange,
    /// Real time is earlier than in a previous frame.
    #[error("real time went backwards by {0}; pass a monotonic clock")]
    RealWentBackwards(Span),
    /// World time is earlier than in a previous frame; see
    /// [`Publisher::begin_world`](super::Publisher::begin_world).
    #[error("the world's time went backwards by {0}; begin a new world")]
    WorldWentBackwards(Span),
}

/// Why there is no world time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The clock is not in sync, so real time is unknown.
    #[error("real time is unknown because the clock is not synced")]
    NotSynced,
    /// No segment from this server epoch has arrived.
    #[error("no segment of this run of the server's clock has arrived")]
    NoWorld,
    /// The instant is before the oldest stored segment of the world; see
    /// [`TimelineConfig::segments`](super::TimelineConfig::segments).
    #[error("the instant is before the world's oldest stored segment")]
    NotKept,
    /// According to the known segments, the world's clock never reaches this time.
    #[error("according to the known segments, the world's clock never shows this time")]
    Never,
    /// An instant is outside the valid range, or a bound is negative.
    #[error("an instant is outside +-2^62 ticks, or a bound is negative")]
    OutOfRange,
}
