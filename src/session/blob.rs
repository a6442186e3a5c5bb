//! The newest segments of all worlds in one piece: for a property that an engine replicates, and for replays.
//!
//! | offset | size | |
//! |---|---|---|
//! | 0 | 4 | magic `N` `K`, version 1, kind 24 |
//! | 4 | 2 | length of the whole |
//! | 6 | | for each segment the number of its world (1) and its 72 bytes |
//! | last | 8 | checksum of what is before it |
//!
//! Engines replicate an array by its changed elements, so a receiver may see a mixture of two blobs. The
//! checksum refuses it. It protects from nothing else.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::WORLDS;
use super::error::SessionError;
use crate::clock::for_parts::u64_at;
use crate::clock::{WireError, wire};
use crate::game::timeline::{SEGMENT_SIZE, Segment};

/// Longest blob, in bytes.
pub const MOST: usize = HEAD + WORLDS * ENTRY + CHECKSUM;

const KIND: u8 = 24;
const HEAD: usize = 6;
const ENTRY: usize = 1 + SEGMENT_SIZE;
const CHECKSUM: usize = 8;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = SipHasher24::new();
    hasher.write(bytes);
    hasher.finish().to_be_bytes()
}

/// Writes the segments of the worlds from number 0 on, as they were published. Returns how many bytes there
/// are.
pub(super) fn write(segments: impl Iterator<Item = Option<Segment>>, out: &mut [u8; MOST]) -> usize {
    let mut end = HEAD;
    for (number, segment) in segments.enumerate().take(WORLDS) {
        // How long a segment is known to hold changes in every frame. A publisher's segment is valid, so
        // encoding it cannot fail.
        let segment = segment.map(|segment| Segment { through: None, ..segment });
        let Some(bytes) = segment.and_then(|segment| segment.encode().ok()) else { continue };
        out[end] = number as u8;
        out[end + 1..end + ENTRY].copy_from_slice(&bytes);
        end += ENTRY;
    }
    let length = end + CHECKSUM;
    out[..4].copy_from_slice(&wire::head(KIND));
    out[4..HEAD].copy_from_slice(&(length as u16).to_be_bytes());
    let sum = checksum(&out[..end]);
    out[end..length].copy_from_slice(&sum);
    length
}

/// The numbers of the worlds, and their segments.
///
/// # Errors
/// The bytes are not a blob, or a mixture of several.
pub(super) fn read(bytes: &[u8]) -> Result<impl Iterator<Item = (usize, Segment)>, SessionError> {
    let (body, sum) = bytes.split_at_checked(bytes.len().saturating_sub(CHECKSUM)).unwrap_or_default();
    if body.len() < HEAD || bytes.len() > MOST || (body.len() - HEAD) % ENTRY != 0 {
        return Err(WireError::Length(bytes.len()).into());
    }
    wire::check_head(body, KIND..=KIND)?;
    let length = u16::from_be_bytes([body[4], body[5]]);
    if usize::from(length) != bytes.len() || u64_at(sum, 0) != u64_at(&checksum(body), 0) {
        return Err(SessionError::Torn);
    }
    Ok(body[HEAD..].chunks_exact(ENTRY).filter_map(|entry| {
        let (&number, segment) = entry.split_first()?;
        let number = usize::from(number);
        (number < WORLDS).then_some((number, Segment::decode(segment).ok()?))
    }))
}
