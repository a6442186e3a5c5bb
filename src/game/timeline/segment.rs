//! What the server publishes of its world's clock: a straight line from an instant of real time on.

use super::rate::Rate;
use crate::exchange::WireError;
use crate::time::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};

/// Length of a segment as a datagram, in bytes.
pub const SEGMENT_SIZE: usize = 72;

/// Largest tolerance that a segment may state. Beyond it, the bound is of no use to anybody.
pub(crate) const MAX_TOLERANCE: Span = Span::from_secs(3600);

const MAGIC: [u8; 2] = *b"NK";
const VERSION: u8 = 1;
/// After those of [`wire`](crate::wire) and of starts.
const KIND_SEGMENT: u8 = 8;

/// Stands for "no instant" in a datagram, where an instant is expected.
const NO_INSTANT: i64 = i64::MIN;

/// From `real` on, the world's clock says `world + (now - real) rate`, until a newer segment begins.
///
/// Frames of a server are instants; between two of them its world has no time of its own, and whatever lies between
/// the times of both is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The run of the server's real clock that `real` belongs to, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// Number of the world: another map, another clock. Serial (RFC 1982): it may wrap.
    pub instance: u32,
    /// Number of the segment within its world, one more for each. Serial (RFC 1982): it may wrap.
    pub version: u32,
    /// Up to this instant, the segment before was right. From here to `real` the world went from that one's time to
    /// `world` in a way that nobody saw. At most `real`, and equal to it for an announced change.
    pub since: ServerTime,
    /// Where the line begins.
    pub real: ServerTime,
    /// What the world's clock says at `real`.
    pub world: WorldTime,
    /// How fast it runs from there on; [`Rate::PAUSED`] if not at all.
    pub rate: Rate,
    /// How far the world's clock may be from the line, as promised by the server, in world time. (0..=1 h)
    pub tolerance: Span,
    /// Through this server instant the segment was seen to be in force when this copy was made, at least `real`; None
    /// if it does not say. Copies of one segment may differ in it.
    pub through: Option<ServerTime>,
}

/// Why a segment, or what is said of one, was not used. The timeline is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// An instant is outside the valid range, `since` is after `real`, or `through` before it.
    #[error("an instant of the segment is outside +-2^62 ticks or out of order")]
    Instant,
    /// The tolerance is negative or above an hour.
    #[error("the segment's tolerance is not within 0 and an hour")]
    Tolerance,
    /// It belongs to a run of the server's clock that is over.
    #[error("the segment is from a run of the server's clock that is over")]
    OldEpoch,
    /// It belongs to an older world.
    #[error("the segment is of an older world")]
    OldWorld,
    /// A newer version begins earlier, or more newer versions are kept than there is room for.
    #[error("newer segments have taken its place")]
    Superseded,
    /// The same version was here before, with other content.
    #[error("another segment with the same version is known")]
    Conflict,
    /// What is confirmed is of another run of the server's clock.
    #[error("no segment of this run of the server's clock is known")]
    OtherEpoch,
}

/// Whether the serial number `a` comes after `b` (RFC 1982). Of two that are 2^31 apart neither does.
pub(crate) fn comes_after(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

impl Segment {
    /// Checks what does not depend on other segments.
    #[inline(never)]
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

    /// Whether both say the same, no matter how long they are known to have been in force.
    pub(crate) fn is_copy_of(&self, other: &Segment) -> bool {
        Segment { through: other.through, ..*self } == *other
    }

    /// Through this instant it is known to have been in force.
    pub(crate) fn known_through(&self) -> ServerTime {
        self.through.unwrap_or(self.real)
    }

    /// What the line says, on either side of its beginning; kept within the range of valid instants.
    #[inline(never)]
    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let passed = self.rate.passed((real - self.real).ticks());
        let world = self.world.ticks().saturating_add(passed);
        WorldTime::from_ticks(world.clamp(-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS))
    }

    /// The segment as a datagram, network byte order, as requests and replies of [`wire`](crate::wire):
    ///
    /// | offset | size | |
    /// |---|---|---|
    /// | 0 | 2 | magic `N` `K` (4E 4B) |
    /// | 2 | 1 | version of the format, 1 |
    /// | 3 | 1 | kind, 8 |
    /// | 4 | 4 | instance |
    /// | 8 | 4 | version |
    /// | 12 | 4 | zero |
    /// | 16 | 8 | server epoch |
    /// | 24 | 8 | rate in units of 2^-46, 0 while paused |
    /// | 32 | 8 | tolerance, ticks |
    /// | 40 | 8 | `real`, signed ticks |
    /// | 48 | 8 | `real - since`, ticks |
    /// | 56 | 8 | `world`, signed ticks |
    /// | 64 | 8 | `through`, signed ticks; -2^63 for none |
    ///
    /// # Errors
    /// What makes it no segment.
    pub fn encode(&self) -> Result<[u8; SEGMENT_SIZE], SegmentError> {
        self.validate()?;
        let mut bytes = [0; SEGMENT_SIZE];
        bytes[0..2].copy_from_slice(&MAGIC);
        bytes[2] = VERSION;
        bytes[3] = KIND_SEGMENT;
        bytes[4..8].copy_from_slice(&self.instance.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.version.to_be_bytes());
        let fields = [
            self.server_epoch,
            self.rate.bits(),
            self.tolerance.ticks() as u64,
            self.real.ticks() as u64,
            (self.real - self.since).ticks() as u64,
            self.world.ticks() as u64,
            self.through.map_or(NO_INSTANT, ServerTime::ticks) as u64,
        ];
        for (place, field) in bytes[16..].chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_be_bytes());
        }
        Ok(bytes)
    }

    /// Reads a segment from a datagram.
    ///
    /// # Errors
    /// Says what is wrong with the datagram; nothing of it may be used. [`WireError::Stamp`] for fields that make no
    /// segment.
    pub fn decode(bytes: &[u8]) -> Result<Segment, WireError> {
        let bytes: &[u8; SEGMENT_SIZE] = bytes.try_into().map_err(|_| WireError::Length(bytes.len()))?;
        if bytes[0..2] != MAGIC {
            return Err(WireError::Magic);
        }
        if bytes[2] != VERSION {
            return Err(WireError::Version(bytes[2]));
        }
        if bytes[3] != KIND_SEGMENT {
            return Err(WireError::Kind(bytes[3]));
        }
        let long = |at: usize| u64::from(four(bytes, at)) << 32 | u64::from(four(bytes, at + 4));
        let signed = |at| long(at) as i64;
        if four(bytes, 12) != 0 {
            return Err(WireError::Reserved);
        }
        let real = ServerTime::from_ticks(signed(40));
        let segment = Segment {
            server_epoch: long(16),
            instance: four(bytes, 4),
            version: four(bytes, 8),
            since: real - Span::from_ticks(signed(48)),
            real,
            world: WorldTime::from_ticks(signed(56)),
            rate: Rate::from_bits(long(24)).ok_or(WireError::Stamp)?,
            tolerance: Span::from_ticks(signed(32)),
            through: Some(signed(64)).filter(|&ticks| ticks != NO_INSTANT).map(ServerTime::from_ticks),
        };
        // A `since` that saturated is not valid.
        segment.validate().map(|()| segment).map_err(|_| WireError::Stamp)
    }
}

fn four(bytes: &[u8; SEGMENT_SIZE], at: usize) -> u32 {
    let mut field = [0; 4];
    field.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment() -> Segment {
        Segment {
            server_epoch: 0xFEED_0000_0000_BEEF,
            instance: 3,
            version: 0x0102_0304,
            since: ServerTime::from_ticks(0x0607),
            real: ServerTime::from_ticks(0x0708),
            world: WorldTime::from_ticks(-2),
            rate: Rate::ONE,
            tolerance: Span::from_micros(500),
            through: Some(ServerTime::from_ticks(0x0809)),
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        let bytes = segment().encode().expect("a segment");
        let expected: [[u8; 8]; 9] = [
            [0x4E, 0x4B, 1, 8, 0, 0, 0, 3],
            [1, 2, 3, 4, 0, 0, 0, 0],
            [0xFE, 0xED, 0, 0, 0, 0, 0xBE, 0xEF],
            [0, 0, 0x40, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0x13, 0x88],
            [0, 0, 0, 0, 0, 0, 7, 8],
            [0, 0, 0, 0, 0, 0, 1, 1],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            [0, 0, 0, 0, 0, 0, 8, 9],
        ];
        assert_eq!(bytes.as_slice(), expected.as_flattened());
    }

    #[test]
    fn what_was_written_is_read_back() {
        let paused = Segment { rate: Rate::PAUSED, through: None, ..segment() };
        for segment in [segment(), paused] {
            assert_eq!(segment.encode().map(|bytes| Segment::decode(&bytes)), Ok(Ok(segment)));
        }
    }

    #[test]
    fn datagrams_that_are_none_are_refused() {
        let good = segment().encode().expect("a segment");
        for length in (0..2 * SEGMENT_SIZE).filter(|&length| length != SEGMENT_SIZE) {
            assert_eq!(Segment::decode(&[0x4E; 2 * SEGMENT_SIZE][..length]), Err(WireError::Length(length)));
        }
        let with = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Segment::decode(&bytes)
        };
        assert_eq!(with(1, 0), Err(WireError::Magic));
        assert_eq!(with(2, 2), Err(WireError::Version(2)));
        assert_eq!(with(3, 2), Err(WireError::Kind(2)));
        assert_eq!(with(15, 1), Err(WireError::Reserved));
        // Rate, tolerance, real, since, world and through, each with its highest bit or so.
        for at in [24, 32, 40, 48, 56, 64] {
            assert_eq!(with(at, 0x7F), Err(WireError::Stamp), "{at}");
            assert_eq!(with(at, 0x80), Err(WireError::Stamp), "{at}");
        }
    }

    #[test]
    fn what_is_no_segment_is_not_written() {
        let instant = |change: fn(&mut Segment)| {
            let mut bad = segment();
            change(&mut bad);
            bad.encode().err()
        };
        assert_eq!(instant(|s| s.since = s.real + Span::from_ticks(1)), Some(SegmentError::Instant));
        assert_eq!(instant(|s| s.through = Some(s.since)), Some(SegmentError::Instant));
        assert_eq!(instant(|s| s.world = WorldTime::from_ticks(i64::MIN)), Some(SegmentError::Instant));
        assert_eq!(instant(|s| s.since = ServerTime::from_ticks(i64::MIN)), Some(SegmentError::Instant));
        assert_eq!(
            instant(|s| s.through = Some(ServerTime::from_ticks(i64::MAX))),
            Some(SegmentError::Instant)
        );
        assert_eq!(instant(|s| s.tolerance = Span::from_ticks(-1)), Some(SegmentError::Tolerance));
        assert_eq!(instant(|s| s.tolerance = Span::MAX), Some(SegmentError::Tolerance));
    }

    #[test]
    fn serial_numbers_wrap() {
        assert!(comes_after(1, 0) && comes_after(0, u32::MAX) && comes_after(5, 0x8000_0006));
        assert!(!comes_after(0, 0) && !comes_after(0, 1) && !comes_after(u32::MAX, 0));
        assert!(!comes_after(0x8000_0000, 0) && !comes_after(0, 0x8000_0000));
    }
}
