//! A piece of world time: a linear mapping from an instant of real time.

use super::error::SegmentError;
use super::rate::Rate;
use crate::clock::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};

/// The largest tolerance that a segment may state. Beyond it, the bound is useless.
pub(crate) const MAX_TOLERANCE: Span = Span::from_secs(3600);

/// Starting at `real`, the world's clock shows `world + (now - real) rate`, until a newer segment begins.
///
/// A server's frames are instants. Between two of them, the world time is undefined, and any time between
/// theirs is correct. See [`Timeline`](super::Timeline).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The server epoch that `real` belongs to, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// Number of the world; each map has another clock. A serial number (RFC 1982), which may wrap.
    pub instance: u32,
    /// Number of the segment within its world. A serial number (RFC 1982), which may wrap.
    pub version: u32,
    /// The previous segment was right up to this instant. From here to `real`, the world went from that
    /// segment's time to `world` in an unknown way. At most `real`, and equal to it for an announced change.
    pub since: ServerTime,
    /// The start of the line.
    pub real: ServerTime,
    /// The world's time at `real`.
    pub world: WorldTime,
    /// The world's rate after `real`; [`Rate::PAUSED`] if it stands still.
    pub rate: Rate,
    /// The guaranteed maximum distance between the world's clock and the line, in world time. (0..=1 h)
    pub tolerance: Span,
    /// The last server instant at which the segment was in force, as far as the server knew when it made this
    /// copy. At least `real`; `None` if the copy does not state it. Copies of one segment may have different
    /// values.
    pub through: Option<ServerTime>,
}

impl Segment {
    /// Checks the fields against their ranges and each other.
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

    /// Whether both are copies of one segment: equal except for `through`.
    pub(crate) fn is_copy_of(&self, other: &Segment) -> bool {
        Segment { through: other.through, ..*self } == *other
    }

    /// The last instant at which it is known to have been in force.
    pub(crate) fn known_through(&self) -> ServerTime {
        self.through.unwrap_or(self.real)
    }

    /// The world's time on this line, on either side of its start. The result stays within the range of valid
    /// instants.
    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let passed = self.rate.passed((real - self.real).ticks());
        let world = self.world.ticks().saturating_add(passed);
        WorldTime::from_ticks(world.clamp(-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS))
    }
}
