//! A linear piece of the mapping from real time to world time.

use super::error::SegmentError;
use super::rate::Rate;
use crate::clock::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};

pub(crate) const MAX_TOLERANCE: Span = Span::from_secs(3600);

/// From `real` until a newer segment starts, the world's clock shows `world + (now - real) rate`.
///
/// World time is defined only at the server's frames. Between two frames, any time between their world times
/// is correct. See [`Timeline`](super::Timeline).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The server epoch of `real`, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// Instance number of the world, because each map is a new instance with its own clock. Instance numbers
    /// are serial numbers (RFC 1982) and may wrap.
    pub instance: u32,
    /// The segment's version within its world. Versions are serial numbers (RFC 1982) and may wrap.
    pub version: u32,
    /// The previous segment was accurate until this instant. Between `since` and `real`, the world advanced
    /// in an unknown way from the previous segment's time to `world`. `since` is never after `real`, and
    /// equals `real` if the change was announced.
    pub since: ServerTime,
    /// The server time at the start of the line.
    pub real: ServerTime,
    /// World time at `real`.
    pub world: WorldTime,
    /// The world's rate after `real`, or [`Rate::PAUSED`].
    pub rate: Rate,
    /// Hard bound on the distance between the world's clock and the line, in world time. (0..=1 h)
    pub tolerance: Span,
    /// The latest instant at which the segment was known to be accurate when the server created this copy, or
    /// `None` if unknown. `through` is never before `real`. Copies of a segment may have different values of
    /// `through`.
    pub through: Option<ServerTime>,
}

impl Segment {
    pub(crate) fn validate(&self) -> Result<(), SegmentError> {
        let through = self.through.unwrap_or(self.real);
        let valid = self.since.is_valid() && self.world.is_valid() && through.is_valid();
        if !valid || self.since > self.real || self.real > through {
            return Err(SegmentError::Instant);
        }
        if self.tolerance < Span::ZERO || self.tolerance > MAX_TOLERANCE {
            return Err(SegmentError::Tolerance);
        }
        Ok(())
    }

    pub(crate) fn is_copy_of(&self, other: &Segment) -> bool {
        Segment { through: other.through, ..*self } == *other
    }

    pub(crate) fn known_through(&self) -> ServerTime {
        self.through.unwrap_or(self.real)
    }

    /// Evaluates the line, even before its start, and clamps the result to the range of valid instants.
    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let passed = self.rate.passed((real - self.real).ticks());
        let world = self.world.ticks().saturating_add(passed);
        WorldTime::from_ticks(world.clamp(-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS))
    }
}
