//! Encodes claims as datagrams of 48 bytes with the header of [`wire`](crate::wire).
//!
//! | offset | size | request | reply |
//! |---|---|---|---|
//! | 3 | 1 | kind 16 | kind 17 |
//! | 4 | 4 | zero | version |
//! | 8 | 8 | id | the request's id |
//! | 16 | 8 | zero | server epoch |
//! | 24 | 8 | zero | `zero`, signed ticks since 1970 |
//! | 32 | 8 | zero | `read`, signed ticks of server time |
//! | 40 | 4 | zero | bound, unsigned ticks; 2^32 - 1 if unknown |
//! | 44 | 4 | zero | drift, ppm |
//!
//! A client sends a request, and the server replies with its newest claim. Requests and replies have the same
//! length, so a server cannot be used to amplify traffic. The reply repeats the unguessable id of the
//! request.

use super::claim::UtcClaim;
use super::error::UtcClaimError;
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{ServerTime, Span, UtcTime, WireError, wire};

/// Length of a request for a claim and of its reply, in bytes.
pub const UTC_DATAGRAM_SIZE: usize = 48;

/// Follow the kinds of [`wire`](crate::wire).
const KIND_REQUEST: u8 = 16;
const KIND_REPLY: u8 = 17;

/// Represents a missing bound.
const NO_BOUND: u32 = u32::MAX;

type Datagram = [u8; UTC_DATAGRAM_SIZE];

/// A client's request for the server's newest claim. See [`UtcReply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcRequest {
    /// An id that the reply repeats.
    pub id: u64,
}

/// A server's reply with its newest claim.
///
/// ```
/// # use netclock::{WireError, utc::{UtcClaim, UtcReply, UtcRequest}};
/// fn answer(bytes: &[u8], claim: UtcClaim) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///     let id = UtcRequest::decode(bytes)?.id; // of a client's `ServerUtc::request`
///     Ok(UtcReply { id, claim }.encode()?.to_vec()) // there: `ServerUtc::handle_reply`
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReply {
    /// The request's id.
    pub id: u64,
    /// The claim about UTC.
    pub claim: UtcClaim,
}

impl UtcRequest {
    /// Encodes a request.
    pub fn encode(&self) -> [u8; UTC_DATAGRAM_SIZE] {
        assemble(KIND_REQUEST, self.id)
    }

    /// Decodes a request.
    ///
    /// # Errors
    /// Fails if the datagram is malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let bytes = checked(bytes, KIND_REQUEST)?;
        let is_zero = bytes[4..8].iter().chain(&bytes[16..]).all(|&byte| byte == 0);
        if is_zero { Ok(UtcRequest { id: id(bytes) }) } else { Err(WireError::Reserved) }
    }
}

impl UtcReply {
    /// Encodes a reply.
    ///
    /// # Errors
    /// Returns an error that identifies the field of the claim that is out of range.
    pub fn encode(&self) -> Result<[u8; UTC_DATAGRAM_SIZE], UtcClaimError> {
        let claim = &self.claim;
        claim.validate()?;
        let mut bytes = assemble(KIND_REPLY, self.id);
        // A valid bound fits in four bytes and differs from the value for a missing bound.
        let bound = claim.bound.map_or(NO_BOUND, |bound| bound.ticks() as u32);
        bytes[4..8].copy_from_slice(&claim.version.to_be_bytes());
        bytes[16..24].copy_from_slice(&claim.server_epoch.to_be_bytes());
        bytes[24..32].copy_from_slice(&claim.zero.ticks().to_be_bytes());
        bytes[32..40].copy_from_slice(&claim.read.ticks().to_be_bytes());
        bytes[40..44].copy_from_slice(&bound.to_be_bytes());
        bytes[44..48].copy_from_slice(&claim.drift_ppm.to_be_bytes());
        Ok(bytes)
    }

    /// Decodes a reply.
    ///
    /// # Errors
    /// Fails if the datagram is malformed. Returns [`WireError::Stamp`] if its fields are not a valid claim.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let bytes = checked(bytes, KIND_REPLY)?;
        let claim = read(bytes).filter(|claim| claim.validate().is_ok()).ok_or(WireError::Stamp)?;
        Ok(UtcReply { id: id(bytes), claim })
    }
}

fn assemble(kind: u8, id: u64) -> Datagram {
    let mut bytes = [0; UTC_DATAGRAM_SIZE];
    bytes[..4].copy_from_slice(&wire::head(kind));
    bytes[8..16].copy_from_slice(&id.to_be_bytes());
    bytes
}

fn checked(bytes: &[u8], kind: u8) -> Result<&Datagram, WireError> {
    let datagram = bytes.try_into().map_err(|_| WireError::Length(bytes.len()))?;
    wire::check_head(bytes, kind..=kind).map(|()| datagram)
}

fn id(bytes: &Datagram) -> u64 {
    u64_at(bytes, 8).unwrap_or_default()
}

/// Returns the claim of a reply, or `None` if bytes are missing, which cannot happen.
fn read(bytes: &Datagram) -> Option<UtcClaim> {
    let bound = u32_at(bytes, 40)?;
    Some(UtcClaim {
        server_epoch: u64_at(bytes, 16)?,
        version: u32_at(bytes, 4)?,
        zero: UtcTime::from_ticks(u64_at(bytes, 24)? as i64),
        read: ServerTime::from_ticks(u64_at(bytes, 32)? as i64),
        bound: (bound != NO_BOUND).then(|| Span::from_ticks(i64::from(bound))),
        drift_ppm: u32_at(bytes, 44)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: u64 = 0x0123_4567_89AB_CDEF;

    fn reply() -> UtcReply {
        let claim = UtcClaim {
            server_epoch: 0xFEED_0000_0000_BEEF,
            version: 0x0102_0304,
            zero: UtcTime::from_ticks(-2),
            read: ServerTime::from_ticks(0x0708),
            bound: Some(Span::from_ticks(0x0506)),
            drift_ppm: 50,
        };
        UtcReply { id: ID, claim }
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        let expected: [[u8; 8]; 6] = [
            [0x4E, 0x4B, 1, 17, 1, 2, 3, 4],
            ID.to_be_bytes(),
            [0xFE, 0xED, 0, 0, 0, 0, 0xBE, 0xEF],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            [0, 0, 0, 0, 0, 0, 7, 8],
            [0, 0, 5, 6, 0, 0, 0, 50],
        ];
        let bytes = reply().encode().expect("a valid claim");
        assert_eq!(bytes.as_slice(), expected.as_flattened());
        assert_eq!(UtcReply::decode(&bytes), Ok(reply()));
        assert!(UtcRequest::decode(&bytes).is_err(), "taken for a request");
    }
}
