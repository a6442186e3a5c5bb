//! The statement of an authority and the adoption messages. Each has 32 bytes and the header of
//! [`wire`](crate::wire).
//!
//! | offset | size | authority | adoption request | adoption reply |
//! |---|---|---|---|---|
//! | 3 | 1 | kind 9 | kind 11 | kind 12 |
//! | 4 | 4 | dispersion | zero | error bound |
//! | 8 | 8 | zero | id | the request's id |
//! | 16 | 8 | timescale | zero | time, signed ticks |
//! | 24 | 8 | server epoch | timescale | timescale |
//!
//! Dispersion and bound are in unsigned ticks of 100 ns, up to 429 s. A server states its authority, and a
//! new server requests the time from its clients. Their replies have the length of the request and repeat its
//! unguessable id.

use super::claim::Authority;
use crate::clock::exchange::wire::{self, Datagram, Fields, WireError};
use crate::clock::ground::time::{ServerTime, Span};

const AUTHORITY: u8 = 9;
const ADOPTION_REQUEST: u8 = 11;
const ADOPTION_REPLY: u8 = 12;

/// A request for the time, sent by a server that adopts a timescale. See
/// [`Adoption`](crate::adoption::Adoption).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdoptionRequest {
    /// The id that the reply repeats.
    pub id: u64,
    /// The timescale to be adopted.
    pub timescale: u64,
}

/// A client's reply with the time. See [`Adoption`](crate::adoption::Adoption).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdoptionReply {
    /// The request's id.
    pub id: u64,
    /// The timescale of `time`.
    pub timescale: u64,
    /// The time on that timescale.
    pub time: ServerTime,
    /// The error bound of `time`, 0 to 429 s.
    pub error_bound: Span,
}

impl Authority {
    /// Encodes the authority, for a transport other than a [session](crate::session).
    ///
    /// # Errors
    /// Returns [`WireError::Stamp`] if the dispersion is negative or above 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        let number = four_bytes(self.dispersion)?;
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

impl AdoptionRequest {
    /// Encodes an adoption request.
    pub fn encode(&self) -> Datagram {
        wire::assemble(&Fields {
            kind: ADOPTION_REQUEST,
            number: 0,
            id: self.id,
            stamp: 0,
            last: self.timescale,
        })
    }

    /// Decodes an adoption request.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, ADOPTION_REQUEST..=ADOPTION_REQUEST)?;
        if (fields.number, fields.stamp) != (0, 0) {
            return Err(WireError::Reserved);
        }
        Ok(AdoptionRequest { id: fields.id, timescale: fields.last })
    }
}

impl AdoptionReply {
    /// Encodes an adoption reply.
    ///
    /// # Errors
    /// Returns [`WireError::Stamp`] if the time is outside the valid range, or the bound is negative or above
    /// 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        if !self.time.is_valid() {
            return Err(WireError::Stamp);
        }
        let (number, stamp) = (four_bytes(self.error_bound)?, self.time.ticks());
        Ok(wire::assemble(&Fields { kind: ADOPTION_REPLY, number, id: self.id, stamp, last: self.timescale }))
    }

    /// Decodes an adoption reply.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, ADOPTION_REPLY..=ADOPTION_REPLY)?;
        let time = ServerTime::from_ticks(fields.stamp);
        if !time.is_valid() {
            return Err(WireError::Stamp);
        }
        let error_bound = Span::from_ticks(i64::from(fields.number));
        Ok(AdoptionReply { id: fields.id, timescale: fields.last, time, error_bound })
    }
}

fn four_bytes(span: Span) -> Result<u32, WireError> {
    u32::try_from(span.ticks()).map_err(|_| WireError::Stamp)
}

#[cfg(test)]
mod tests {
    use super::super::claim::MAX_DISPERSION;
    use super::*;

    const ID: u64 = 0x0123_4567_89AB_CDEF;

    const AUTHORITY: Authority =
        Authority { epoch: 5, timescale: u64::MAX - 1, dispersion: Span::from_ticks(0x0102_0304) };

    fn adoption_reply() -> AdoptionReply {
        AdoptionReply { id: ID, timescale: 7, time: ServerTime::from_ticks(-2), error_bound: MAX_DISPERSION }
    }

    #[test]
    fn the_bytes_follow_the_table() {
        assert_eq!(
            AUTHORITY.encode(),
            Ok([
                0x4E, 0x4B, 1, 9, 1, 2, 3, 4, // magic, version, kind, dispersion
                0, 0, 0, 0, 0, 0, 0, 0, // reserved
                255, 255, 255, 255, 255, 255, 255, 254, // timescale
                0, 0, 0, 0, 0, 0, 0, 5, // epoch
            ])
        );
        assert_eq!(
            adoption_reply().encode(),
            Ok([
                0x4E, 0x4B, 1, 12, 255, 255, 255, 255, // magic, version, kind, bound
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
                255, 255, 255, 255, 255, 255, 255, 254, // time
                0, 0, 0, 0, 0, 0, 0, 7, // timescale
            ])
        );
    }

    #[test]
    fn each_message_is_decoded_as_its_own_kind_only() -> Result<(), WireError> {
        let request = AdoptionRequest { id: ID, timescale: 9 };
        let all = [AUTHORITY.encode()?, request.encode(), adoption_reply().encode()?];
        for (at, bytes) in all.iter().enumerate() {
            let kind = WireError::Kind(bytes[3]);
            assert_eq!(Authority::decode(bytes), if at == 0 { Ok(AUTHORITY) } else { Err(kind) });
            assert_eq!(AdoptionRequest::decode(bytes), if at == 1 { Ok(request) } else { Err(kind) });
            assert_eq!(AdoptionReply::decode(bytes), if at == 2 { Ok(adoption_reply()) } else { Err(kind) });
            assert_eq!(Authority::decode(&bytes[..31]), Err(WireError::Length(31)), "a truncated message");
        }
        Ok(())
    }
}
