//! Encodes segments as datagrams of 72 bytes with the header of [`wire`](crate::wire).

use super::error::SegmentError;
use super::rate::Rate;
use super::segment::Segment;
use crate::clock::for_parts::{NO_INSTANT, u32_at, u64_at};
use crate::clock::{ServerTime, Span, WireError, WorldTime, wire};

/// Length of an encoded segment, in bytes.
pub const SEGMENT_SIZE: usize = 72;

const KIND_SEGMENT: u8 = 8;

impl Segment {
    /// Encodes the segment as a datagram in network byte order:
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
    /// | 64 | 8 | `through`, signed ticks; -2^63 if unknown |
    ///
    /// # Errors
    /// Fails if the tolerance is out of range, or an instant is out of range or out of order.
    pub fn encode(&self) -> Result<[u8; SEGMENT_SIZE], SegmentError> {
        self.validate()?;
        let mut bytes = [0; SEGMENT_SIZE];
        bytes[0..4].copy_from_slice(&wire::head(KIND_SEGMENT));
        bytes[4..8].copy_from_slice(&self.instance.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.version.to_be_bytes());
        let fields = [
            self.server_epoch,
            self.rate.0,
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

    /// Decodes a segment.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is malformed, or [`WireError::Stamp`] if it is not a valid
    /// segment.
    pub fn decode(bytes: &[u8]) -> Result<Segment, WireError> {
        if bytes.len() != SEGMENT_SIZE {
            return Err(WireError::Length(bytes.len()));
        }
        wire::check_head(bytes, KIND_SEGMENT..=KIND_SEGMENT)?;
        if u32_at(bytes, 12) != Some(0) {
            return Err(WireError::Reserved);
        }
        let segment = Self::read(bytes).ok_or(WireError::Stamp)?;
        segment.validate().map(|()| segment).map_err(|_| WireError::Stamp)
    }

    fn read(bytes: &[u8]) -> Option<Segment> {
        let signed = |at| Some(u64_at(bytes, at)? as i64);
        let real = ServerTime::from_ticks(signed(40)?);
        Some(Segment {
            server_epoch: u64_at(bytes, 16)?,
            instance: u32_at(bytes, 4)?,
            version: u32_at(bytes, 8)?,
            since: real - Span::from_ticks(signed(48)?),
            real,
            world: WorldTime::from_ticks(signed(56)?),
            rate: Rate::from_bits(u64_at(bytes, 24)?)?,
            tolerance: Span::from_ticks(signed(32)?),
            through: Some(signed(64)?).filter(|&ticks| ticks != NO_INSTANT).map(ServerTime::from_ticks),
        })
    }
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
    fn encoded_segments_match_the_table() {
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
        assert_eq!(Segment::decode(&bytes), Ok(segment()));
    }
}
