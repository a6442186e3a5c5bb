//! Encodes the latest segments of all worlds as a blob for replicated properties and replays.
//!
//! | offset | size | |
//! |---|---|---|
//! | 0 | 4 | magic `N` `K`, version 1, kind 24 |
//! | 4 | 2 | total length |
//! | 6 | | for each segment, the number of its world (1) and its 72 bytes |
//! | last | 8 | checksum of all preceding bytes |
//!
//! Engines replicate only the changed elements of an array, so a receiver may see a mixture of two blobs. The
//! checksum detects mixtures, but does not authenticate the blob.

use super::WORLDS;
use super::error::SessionError;
use super::message::hash;
use crate::clock::for_parts::u64_at;
use crate::clock::{WireError, wire};
use crate::game::timeline::{SEGMENT_SIZE, Segment};

/// Maximum size of a blob in bytes.
pub const MOST: usize = HEAD + WORLDS * ENTRY + CHECKSUM;

const KIND: u8 = 24;
const HEAD: usize = 6;
const ENTRY: usize = 1 + SEGMENT_SIZE;
const CHECKSUM: usize = 8;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    hash(bytes).to_be_bytes()
}

pub(super) fn write(segments: impl Iterator<Item = Option<Segment>>, out: &mut [u8; MOST]) -> usize {
    let mut end = HEAD;
    for (number, segment) in segments.enumerate().take(WORLDS) {
        // `through` changes every frame, so omit it. Published segments are valid, so `encode` succeeds.
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

/// Fails if the bytes are not a blob, or are a mixture of several blobs.
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
