//! Encodes claims in 48 bytes with the header of [`wire`](crate::wire).
//!
//! | offset | size | field |
//! |---|---|---|
//! | 3 | 1 | kind 17 |
//! | 4 | 4 | version |
//! | 8 | 8 | zero |
//! | 16 | 8 | server epoch |
//! | 24 | 8 | `zero`, signed ticks since 1970 |
//! | 32 | 8 | `read`, signed ticks of server time |
//! | 40 | 4 | bound, unsigned ticks; 2^32 - 1 if unknown |
//! | 44 | 4 | drift, ppm |

use super::claim::UtcClaim;
use super::error::UtcClaimError;
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{ServerTime, Span, UtcTime, WireError, wire};

/// Length of an encoded claim, in bytes.
pub const UTC_CLAIM_SIZE: usize = 48;

/// Follows the kinds of [`wire`](crate::wire).
const KIND: u8 = 17;

/// Represents a missing bound.
const NO_BOUND: u32 = u32::MAX;

impl UtcClaim {
    /// Encodes the claim, for a transport other than a [session](crate::session).
    ///
    /// # Errors
    /// Returns an error that identifies the field that is out of range.
    pub fn encode(&self) -> Result<[u8; UTC_CLAIM_SIZE], UtcClaimError> {
        self.validate()?;
        // A valid bound fits in four bytes and differs from the value for a missing bound.
        let bound = self.bound.map_or(NO_BOUND, |bound| bound.ticks() as u32);
        let mut bytes = [0; UTC_CLAIM_SIZE];
        bytes[..4].copy_from_slice(&wire::head(KIND));
        bytes[4..8].copy_from_slice(&self.version.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.server_epoch.to_be_bytes());
        bytes[24..32].copy_from_slice(&self.zero.ticks().to_be_bytes());
        bytes[32..40].copy_from_slice(&self.read.ticks().to_be_bytes());
        bytes[40..44].copy_from_slice(&bound.to_be_bytes());
        bytes[44..48].copy_from_slice(&self.drift_ppm.to_be_bytes());
        Ok(bytes)
    }

    /// Decodes a claim.
    ///
    /// # Errors
    /// Fails if the bytes are malformed. Returns [`WireError::Stamp`] if a field is out of range.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() != UTC_CLAIM_SIZE {
            return Err(WireError::Length(bytes.len()));
        }
        wire::check_head(bytes, KIND..=KIND)?;
        if u64_at(bytes, 8) != Some(0) {
            return Err(WireError::Reserved);
        }
        read(bytes).filter(|claim| claim.validate().is_ok()).ok_or(WireError::Stamp)
    }
}

/// Returns the claim, or `None` if bytes are missing, which cannot happen.
fn read(bytes: &[u8]) -> Option<UtcClaim> {
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

    #[test]
    fn the_bytes_follow_the_table() {
        let claim = UtcClaim {
            server_epoch: 0xFEED_0000_0000_BEEF,
            version: 0x0102_0304,
            zero: UtcTime::from_ticks(-2),
            read: ServerTime::from_ticks(0x0708),
            bound: Some(Span::from_ticks(0x0506)),
            drift_ppm: 50,
        };
        let expected: [[u8; 8]; 6] = [
            [0x4E, 0x4B, 1, 17, 1, 2, 3, 4],
            [0; 8],
            [0xFE, 0xED, 0, 0, 0, 0, 0xBE, 0xEF],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            [0, 0, 0, 0, 0, 0, 7, 8],
            [0, 0, 5, 6, 0, 0, 0, 50],
        ];
        let mut bytes = claim.encode().expect("a valid claim");
        assert_eq!(bytes.as_slice(), expected.as_flattened());
        assert_eq!(UtcClaim::decode(&bytes), Ok(claim));
        assert_eq!(UtcClaim::decode(&bytes[..47]), Err(WireError::Length(47)));
        bytes[47] = 51;
        bytes[45] = 2;
        assert_eq!(UtcClaim::decode(&bytes), Err(WireError::Stamp), "a drift above 100,000 ppm");
        bytes[8] = 1;
        assert_eq!(UtcClaim::decode(&bytes), Err(WireError::Reserved));
    }
}
