//! The messages about authorities and adoptions: datagrams of 32 bytes with the header of
//! [`wire`](crate::wire).
//!
//! | offset | size | authority reply | authority request | adoption request | adoption reply |
//! |---|---|---|---|---|---|
//! | 3 | 1 | kind 9 | kind 10 | kind 11 | kind 12 |
//! | 4 | 4 | dispersion | zero | zero | error bound |
//! | 8 | 8 | the request's id | id | id | the request's id |
//! | 16 | 8 | timescale | zero | zero | time, signed ticks |
//! | 24 | 8 | server epoch | zero | timescale | timescale |
//!
//! Dispersion and bound are in unsigned ticks of 100 ns, up to 429 s. Clients request the authority from the
//! server, and a new server requests the time from its clients. Replies and requests have the same length,
//! and a reply repeats the request's unguessable id.

use super::claim::Authority;
use crate::clock::exchange::wire::{self, Datagram, Fields, WireError};
use crate::clock::ground::time::{ServerTime, Span};

const AUTHORITY_REPLY: u8 = 9;
const AUTHORITY_REQUEST: u8 = 10;
const ADOPTION_REQUEST: u8 = 11;
const ADOPTION_REPLY: u8 = 12;

/// A client's request for the server's authority. See [`AuthorityReply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthorityRequest {
    /// The id that the reply repeats.
    pub id: u64,
}

/// A server's reply with its authority.
///
/// ```
/// # use netclock::authority::{Authority, AuthorityReply, AuthorityRequest};
/// # let bytes = AuthorityRequest { id: 7 }.encode();
/// let request = AuthorityRequest::decode(&bytes)?; // from a client's `request_authority`
/// let reply = AuthorityReply { id: request.id, authority: Authority::alone(42) };
/// let datagram = reply.encode()?; // for the client's `handle_authority_reply`
/// # Ok::<(), netclock::WireError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthorityReply {
    /// The request's id.
    pub id: u64,
    /// The server's authority.
    pub authority: Authority,
}

/// A request for the time from a server that adopts a timescale. See [`Adoption`](crate::adoption::Adoption).
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

impl AuthorityRequest {
    /// Encodes a request for the authority.
    pub fn encode(&self) -> Datagram {
        wire::assemble(&Fields { kind: AUTHORITY_REQUEST, number: 0, id: self.id, stamp: 0, last: 0 })
    }

    /// Decodes a request for the authority.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, AUTHORITY_REQUEST..=AUTHORITY_REQUEST)?;
        if (fields.number, fields.stamp, fields.last) != (0, 0, 0) {
            return Err(WireError::Reserved);
        }
        Ok(AuthorityRequest { id: fields.id })
    }
}

impl AuthorityReply {
    /// Encodes a reply with the authority.
    ///
    /// # Errors
    /// Returns [`WireError::Stamp`] if the dispersion is negative or above 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        let Authority { epoch, timescale, dispersion } = self.authority;
        let number = four_bytes(dispersion)?;
        Ok(wire::assemble(&Fields {
            kind: AUTHORITY_REPLY,
            number,
            id: self.id,
            stamp: timescale as i64,
            last: epoch,
        }))
    }

    /// Decodes a reply with the authority.
    ///
    /// # Errors
    /// Returns a [`WireError`] if the datagram is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, AUTHORITY_REPLY..=AUTHORITY_REPLY)?;
        let dispersion = Span::from_ticks(i64::from(fields.number));
        let authority = Authority { epoch: fields.last, timescale: fields.stamp as u64, dispersion };
        Ok(AuthorityReply { id: fields.id, authority })
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

    fn authority_reply() -> AuthorityReply {
        let authority =
            Authority { epoch: 5, timescale: u64::MAX - 1, dispersion: Span::from_ticks(0x0102_0304) };
        AuthorityReply { id: ID, authority }
    }

    fn adoption_reply() -> AdoptionReply {
        AdoptionReply { id: ID, timescale: 7, time: ServerTime::from_ticks(-2), error_bound: MAX_DISPERSION }
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        assert_eq!(
            authority_reply().encode(),
            Ok([
                0x4E, 0x4B, 1, 9, 1, 2, 3, 4, // magic, version, kind, dispersion
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
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
    fn what_was_written_is_read_back_as_that_kind_alone() -> Result<(), WireError> {
        let (authority_request, adoption_request) =
            (AuthorityRequest { id: ID }, AdoptionRequest { id: ID, timescale: 9 });
        let all = [
            authority_reply().encode()?,
            authority_request.encode(),
            adoption_request.encode(),
            adoption_reply().encode()?,
        ];
        for (at, bytes) in all.iter().enumerate() {
            let kind = Err(WireError::Kind(bytes[3]));
            let read = AuthorityReply::decode(bytes);
            assert_eq!(read, if at == 0 { Ok(authority_reply()) } else { kind.map(|()| authority_reply()) });
            let read = AuthorityRequest::decode(bytes);
            assert_eq!(read, if at == 1 { Ok(authority_request) } else { kind.map(|()| authority_request) });
            let read = AdoptionRequest::decode(bytes);
            assert_eq!(read, if at == 2 { Ok(adoption_request) } else { kind.map(|()| adoption_request) });
            let read = AdoptionReply::decode(bytes);
            assert_eq!(read, if at == 3 { Ok(adoption_reply()) } else { kind.map(|()| adoption_reply()) });
            assert_eq!(AuthorityReply::decode(&bytes[..31]), Err(WireError::Length(31)), "half a message");
        }
        Ok(())
    }
}
