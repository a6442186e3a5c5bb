//! The 32-byte authority message, which starts with the common header of [`wire`](crate::wire).
//!
//! | offset | size | field |
//! |---|---|---|
//! | 3 | 1 | kind 9 |
//! | 4 | 4 | dispersion, unsigned ticks of 100 ns, up to 429 s |
//! | 8 | 8 | zero |
//! | 16 | 8 | timescale |
//! | 24 | 8 | server epoch |

use super::claim::Authority;
use crate::clock::exchange::wire::{self, Datagram, Fields, WireError};
use crate::clock::ground::time::Span;

const AUTHORITY: u8 = 9;

impl Authority {
    /// Encodes the authority for transmission outside a [session](crate::session).
    ///
    /// # Errors
    /// Returns [`WireError::Stamp`] if the dispersion is negative or above 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        let number = u32::try_from(self.dispersion.ticks()).map_err(|_| WireError::Stamp)?;
        let stamp = self.timescale as i64;
        Ok(wire::assemble(&Fields { kind: AUTHORITY, number, id: 0, stamp, last: self.epoch }))
    }

    /// Decodes an authority.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, AUTHORITY..=AUTHORITY)?;
        if fields.id != 0 {
            return Err(WireError::Reserved);
        }
        let dispersion = Span::from_ticks(i64::from(fields.number));
        Ok(Authority { epoch: fields.last, timescale: fields.stamp as u64, dispersion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTHORITY: Authority =
        Authority { epoch: 5, timescale: u64::MAX - 1, dispersion: Span::from_ticks(0x0102_0304) };

    #[test]
    fn the_bytes_follow_the_table() -> Result<(), WireError> {
        let bytes = AUTHORITY.encode()?;
        let expected: [[u8; 8]; 4] = [
            [0x4E, 0x4B, 1, 9, 1, 2, 3, 4],
            [0; 8],
            [255, 255, 255, 255, 255, 255, 255, 254],
            [0, 0, 0, 0, 0, 0, 0, 5],
        ];
        assert_eq!(bytes.as_slice(), expected.as_flattened());
        assert_eq!(Authority::decode(&bytes), Ok(AUTHORITY));
        assert_eq!(Authority::decode(&bytes[..31]), Err(WireError::Length(31)), "a truncated message");
        for (at, value, error) in [(3, 11, WireError::Kind(11)), (15, 1, WireError::Reserved)] {
            let mut changed = bytes;
            changed[at] = value;
            assert_eq!(Authority::decode(&changed), Err(error), "byte {at}");
        }
        for ticks in [-1, 1 << 32] {
            let unstated = Authority { dispersion: Span::from_ticks(ticks), ..AUTHORITY };
            assert_eq!(unstated.encode(), Err(WireError::Stamp));
        }
        Ok(())
    }
}
