//! Encodes the datagrams of a session, which contain messages about several subjects after a common header.
//!
//! | offset | size | |
//! |---|---|---|
//! | 0 | 4 | magic `N` `K`, version 1, kind 20 to the host, 21 to the guest |
//! | 4 | 8 | session, a random number that the guest draws when it connects |
//! | 12 | | sections, each consisting of a tag (1 byte), the length of its body (1 byte), and the body |
//!
//! | tag | body to the host | body to the guest |
//! |---|---|---|
//! | 1 | a request, 32 bytes | its reply, 32 bytes |
//! | 2 | revision (4), epoch (8) | base, revision, acknowledged, round (4 each), epoch, through (8 each) |
//! | 3 | token (8) | token (8) |
//! | 4 | | number of the world (1), a segment of 72 bytes |
//! | 5 | | a UTC claim, 40 bytes |
//! | 6 | | an authority, 32 bytes |
//! | 7 | a report about a start, 20 or 36 bytes | the announcement of a start, 12 bytes |
//! | 8 | the offered key's id (4) | the port of a link (2), the id of its key (4), its secret (16) |
//!
//! Numbers are in network byte order. A request or reply without other sections is sent as the 32-byte
//! datagram described in [`wire`](crate::wire), without header and tag. With a session key, the whole
//! datagram is sealed. Receivers ignore unknown tags.
//!
//! A reply of kind 23 replaces a reply of kind 2 and an update without changes. Such a reply confirms that
//! the guest had the latest revision when its request arrived, or up to [`CONFIRMED_BEFORE`] earlier. A reply
//! of kind 16 also confirms that the server's UTC agreed with the claim at most two seconds earlier.
//!
//! When a guest has nothing to confirm, its requests include a digest of its state. If the host's digest for
//! the same revision differs, the host replies with kind 10. The guest then discards its state and introduces
//! itself again.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;
use zeroize::Zeroizing;

use super::WORLDS;
use super::error::SessionError;
use crate::clock::authority::Authority;
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::keyed::{self, SealedChannel, SessionKey};
use crate::clock::{ServerTime, Span, WireError, wire};
use crate::game::start::Announcement;
use crate::game::timeline::Segment;
use crate::game::utc::UtcClaim;

/// Maximum size of a session's datagram in bytes, including the seal. Every transport can send such a
/// datagram in one packet.
pub const DATAGRAM_MOST: usize = 256;
pub(super) const PLAIN_MOST: usize = DATAGRAM_MOST - keyed::OVERHEAD;

pub(super) const TO_HOST: u8 = wire::KIND_TO_HOST;
pub(super) const TO_GUEST: u8 = 21;

const HEAD: usize = 12;
const SECTION_HEAD: usize = 2;

/// A reply confirms a revision that was the latest at most this long before the request arrived. Most server
/// frames are shorter than this.
pub(super) const CONFIRMED_BEFORE: Span = Span::from_millis(50);

pub(super) const EXCHANGE: u8 = 1;
pub(super) const STATE: u8 = 2;
pub(super) const TOKEN: u8 = 3;
pub(super) const SEGMENT: u8 = 4;
pub(super) const UTC: u8 = 5;
pub(super) const AUTHORITY: u8 = 6;
pub(super) const START: u8 = 7;
pub(super) const LINK: u8 = 8;

/// The port of a link server, and the player's key for it.
#[derive(Clone, Debug)]
pub struct LinkOffer {
    /// The UDP port of the link server. Its address is the game server's.
    pub port: u16,
    /// The player's key, which the link server must already have admitted.
    pub key: SessionKey,
}

impl LinkOffer {
    const SIZE: usize = 22;

    pub(super) fn encode(&self) -> Zeroizing<[u8; Self::SIZE]> {
        let mut bytes = Zeroizing::new([0; Self::SIZE]);
        bytes[..2].copy_from_slice(&self.port.to_be_bytes());
        bytes[2..6].copy_from_slice(&self.key.id().to_be_bytes());
        bytes[6..].copy_from_slice(self.key.secret());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::SIZE] = bytes.try_into().ok()?;
        let (&port, rest) = bytes.split_first_chunk()?;
        let key = SessionKey::new(u32_at(rest, 0)?, *rest[4..].first_chunk()?).ok()?;
        Some(LinkOffer { port: u16::from_be_bytes(port), key })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) revision: u32,
    pub(super) epoch: u64,
}

impl Known {
    const SIZE: usize = 12;

    pub(super) fn encode(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..4].copy_from_slice(&self.revision.to_be_bytes());
        bytes[4..].copy_from_slice(&self.epoch.to_be_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let known = Known { revision: u32_at(bytes, 0)?, epoch: u64_at(bytes, 4)? };
        (bytes.len() == Self::SIZE).then_some(known)
    }
}

/// A hash of each subject's content. The host compares digests of these hashes to detect whether a guest has
/// applied a forged update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contents([u64; WORLDS + 3]);

impl Contents {
    pub(super) fn set_world(&mut self, place: usize, segment: &Segment) {
        // `through` changes every frame, so omit it. Published and received segments are valid, so `encode`
        // succeeds.
        if let Ok(bytes) = (Segment { through: None, ..*segment }).encode() {
            self.0[place] = hash(&bytes);
        }
    }

    pub(super) fn set_utc(&mut self, claim: &UtcClaim) {
        // `read` changes with every observation that agrees with the claim, so omit it.
        self.0[WORLDS] = hash(&UtcClaim { read: ServerTime::from_ticks(0), ..*claim }.encode());
    }

    pub(super) fn set_authority(&mut self, authority: &Authority) {
        self.0[WORLDS + 1] = authority.encode().map_or(0, |bytes| hash(&bytes));
    }

    pub(super) fn set_start(&mut self, start: Option<&Announcement>) {
        self.0[WORLDS + 2] = start.map_or(0, |start| hash(&start.encode()));
    }

    /// The result is never zero, because zero stands for a missing digest.
    pub(super) fn digest(&self, revision: u32) -> u64 {
        let mut hasher = SipHasher24::new();
        hasher.write(&revision.to_be_bytes());
        self.0.iter().for_each(|content| hasher.write(&content.to_be_bytes()));
        hasher.finish().max(1)
    }
}

/// The hash has no key, so it detects changes but does not authenticate the bytes.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = SipHasher24::new();
    hasher.write(bytes);
    hasher.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) base: u32,
    pub(super) revision: u32,
    pub(super) acknowledged: u32,
    /// The current round of starts, or zero if there is none.
    pub(super) round: u32,
    pub(super) epoch: u64,
    /// The server time (ticks) until which `revision` was the latest.
    pub(super) through: i64,
}

impl State {
    const SIZE: usize = 32;

    pub(super) fn encode(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let short = [self.base, self.revision, self.acknowledged, self.round];
        for (place, number) in bytes[..16].chunks_exact_mut(4).zip(short) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes[16..24].copy_from_slice(&self.epoch.to_be_bytes());
        bytes[24..].copy_from_slice(&self.through.to_be_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let state = State {
            base: u32_at(bytes, 0)?,
            revision: u32_at(bytes, 4)?,
            acknowledged: u32_at(bytes, 8)?,
            round: u32_at(bytes, 12)?,
            epoch: u64_at(bytes, 16)?,
            through: u64_at(bytes, 24)? as i64,
        };
        (bytes.len() == Self::SIZE && state.base <= state.revision).then_some(state)
    }
}

#[derive(Debug)]
pub(super) struct Writer {
    bytes: [u8; PLAIN_MOST],
    length: usize,
    is_bare: bool,
    most: usize,
}

impl Writer {
    pub(super) fn new(kind: u8, session: u64, most: usize) -> Self {
        let mut bytes = [0; PLAIN_MOST];
        bytes[..4].copy_from_slice(&wire::head(kind));
        bytes[4..HEAD].copy_from_slice(&session.to_be_bytes());
        Writer { bytes, length: HEAD, is_bare: false, most: most.min(PLAIN_MOST) }
    }

    /// Returns false and changes nothing if the section does not fit.
    #[must_use]
    pub(super) fn add(&mut self, tag: u8, first: &[u8], rest: &[u8]) -> bool {
        let body = first.len() + rest.len();
        let end = self.length + SECTION_HEAD + body;
        let is_bare = self.is_empty() && tag == EXCHANGE;
        let needed = if is_bare { body } else { end };
        let Ok(length) = u8::try_from(body) else { return false };
        if needed > self.most || end > PLAIN_MOST {
            return false;
        }
        let (head, place) = self.bytes[self.length..end].split_at_mut(SECTION_HEAD);
        head.copy_from_slice(&[tag, length]);
        let (one, other) = place.split_at_mut(first.len());
        one.copy_from_slice(first);
        other.copy_from_slice(rest);
        (self.length, self.is_bare) = (end, is_bare);
        true
    }

    pub(super) fn append(&mut self, other: &Writer) {
        let sections = &other.bytes[HEAD..other.length];
        let end = self.length + sections.len();
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(sections);
            (self.length, self.is_bare) = (end, false);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == HEAD
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[if self.is_bare { HEAD + SECTION_HEAD } else { 0 }..self.length]
    }
}

pub(super) fn finish(
    seal: &mut Option<SealedChannel>,
    plain: &[u8],
    out: &mut [u8; DATAGRAM_MOST],
) -> Option<usize> {
    match seal {
        None => {
            out[..plain.len()].copy_from_slice(plain);
            Some(plain.len())
        }
        Some(seal) => seal.seal(plain, out).ok().map(<[u8]>::len),
    }
}

/// Reads the sections of a datagram. `session` is `None` for a request or reply without a header.
pub(super) struct Read<'a> {
    pub(super) session: Option<u64>,
    rest: &'a [u8],
}

impl<'a> Read<'a> {
    /// Returns whether the datagram is a request or a reply without a header.
    pub(super) fn is_bare(bytes: &[u8], kind: u8) -> bool {
        bytes.len() == wire::SIZE && bytes[3] != kind
    }

    pub(super) fn new(bytes: &'a [u8], kind: u8) -> Result<Self, SessionError> {
        if Self::is_bare(bytes, kind) {
            return Ok(Read { session: None, rest: bytes });
        }
        if bytes.len() < HEAD || bytes.len() > PLAIN_MOST {
            return Err(WireError::Length(bytes.len()).into());
        }
        wire::check_head(bytes, kind..=kind)?;
        let mut sections = Read { session: u64_at(bytes, 4), rest: &bytes[HEAD..] };
        let read = Read { ..sections };
        while sections.next().is_some() {}
        if sections.rest.is_empty() { Ok(read) } else { Err(SessionError::Truncated) }
    }
}

impl<'a> Iterator for Read<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.session.is_none() {
            let bare = core::mem::take(&mut self.rest);
            return (!bare.is_empty()).then_some((EXCHANGE, bare));
        }
        let (&[tag, length], rest) = self.rest.split_first_chunk()?;
        let (body, rest) = rest.split_at_checked(length.into())?;
        self.rest = rest;
        Some((tag, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATED: State =
        State { base: 1, revision: 2, acknowledged: 3, round: 4, epoch: 0x0506_0708, through: -9 };

    #[test]
    fn sections_are_read_in_order() {
        let mut writer = Writer::new(TO_GUEST, 0x0102, PLAIN_MOST);
        assert!(writer.add(STATE, &STATED.encode(), &[]) && writer.add(SEGMENT, &[3], &[7; 72]));
        let read = Read::new(writer.bytes(), TO_GUEST).expect("a datagram");
        assert_eq!(read.session, Some(0x0102));
        let sections: Vec<_> = read.collect();
        assert_eq!(
            sections.iter().map(|(tag, body)| (*tag, body.len())).collect::<Vec<_>>(),
            [(2, 32), (4, 73)]
        );
        assert_eq!(State::decode(sections[0].1), Some(STATED));
        assert_eq!(
            State::decode(&State { base: 3, ..STATED }.encode()),
            None,
            "the range ends before it begins"
        );
        let known = Known { revision: 5, epoch: 6 };
        assert_eq!(Known::decode(&known.encode()), Some(known));
    }

    #[test]
    fn single_requests_have_no_header_and_full_datagrams_reject_sections() {
        let mut writer = Writer::new(TO_HOST, 1, 32);
        assert!(writer.add(EXCHANGE, &[7; 32], &[]));
        assert_eq!(writer.bytes(), [7; 32]);
        assert!(!writer.add(TOKEN, &[0; 8], &[]), "no room");
        assert_eq!(writer.bytes(), [7; 32]);
        assert_eq!(
            Read::new(writer.bytes(), TO_HOST).expect("bare").collect::<Vec<_>>(),
            [(1, &[7; 32][..])]
        );
        let mut writer = Writer::new(TO_GUEST, 1, PLAIN_MOST);
        let fits = (0..5).filter(|_| writer.add(SEGMENT, &[0], &[0; 72])).count();
        assert_eq!((fits, writer.bytes().len()), (2, 162));
    }
}
