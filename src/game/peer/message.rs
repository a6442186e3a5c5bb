//! The messages between peers and their relay, as specified in `docs/relay-protocol.md`.
//!
//! All messages have the same length, so they cannot be used to amplify traffic.

use super::error::Rejection;
use crate::clock::authority::Authority;
use crate::clock::for_parts::u64_at;
use crate::clock::{ServerTime, Span, WireError, wire};

/// The size of every message in bytes. On byte streams, messages follow one another without separators.
pub const PEER_DATAGRAM_SIZE: usize = 64;

const HEAD: usize = 16;

// No other datagram of this crate uses these kinds.
const LOGIN: u8 = 24;
const CHALLENGE: u8 = 25;
const REJECT: u8 = 26;
const STATE: u8 = 27;
const READY: u8 = 28;
const REQUEST: u8 = 29;
const REPLY: u8 = 30;

const LEADS: u64 = 1;
const BEGINS: u64 = 2;
const HAS_CLOCK: u64 = 4;
const LEAVES: u64 = 8;
const BEGAN: u64 = 16;

type Words = [u64; 6];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// Number of primaries that the sender knows of, modulo 2^16.
    pub(super) generation: u16,
    /// The secondary's slot in requests and replies, and the receiver's slot in other messages from the
    /// relay.
    pub(super) slot: u16,
    /// Authenticates the message. Messages from the relay contain the receiver's key. Messages from a peer
    /// contain its token, or its key in the case of a LOGIN.
    pub(super) proof: u64,
    pub(super) body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// A peer requests a slot. `cookie` is zero in the first LOGIN.
    Login {
        game: u64,
        cookie: u64,
    },
    /// The relay asks for a LOGIN with this cookie, so that only peers that receive its messages get a slot.
    Challenge {
        cookie: u64,
    },
    /// The relay rejects a LOGIN or READY and returns its proof.
    Reject(Rejection),
    State(GameState),
    Ready(Ready),
    /// A secondary requests the time with an unguessable `id`. The relay fills in the slot, and sets `held`
    /// to the number of ticks for which it held the request.
    Request {
        id: u64,
        held: u32,
    },
    Reply(SynchReply),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameState {
    pub(super) token: u64,
    pub(super) players: u16,
    pub(super) leads: bool,
    pub(super) begins: bool,
    pub(super) began: Option<Began>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ready {
    pub(super) has_clock: bool,
    pub(super) leaves: bool,
    pub(super) began: Option<Began>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Began {
    pub(super) timescale: u64,
    pub(super) at: ServerTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SynchReply {
    pub(super) id: u64,
    pub(super) received: ServerTime,
    /// The time for which the primary held the request (t2 - t1), in ticks.
    pub(super) hold: u32,
    pub(super) held_there: u32,
    pub(super) held_back: u32,
    /// The dispersion of this authority must fit into four bytes.
    pub(super) authority: Authority,
}

impl Message {
    pub(super) fn encode(&self) -> [u8; PEER_DATAGRAM_SIZE] {
        let (kind, words) = self.body.words();
        let mut to = [0; PEER_DATAGRAM_SIZE];
        to[..4].copy_from_slice(&wire::head(kind));
        to[4..6].copy_from_slice(&self.generation.to_be_bytes());
        to[6..8].copy_from_slice(&self.slot.to_be_bytes());
        to[8..HEAD].copy_from_slice(&self.proof.to_be_bytes());
        for (place, word) in to[HEAD..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_be_bytes());
        }
        to
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() != PEER_DATAGRAM_SIZE {
            return Err(WireError::Length(bytes.len()));
        }
        wire::check_head(bytes, LOGIN..=REPLY)?;
        let word = |at| u64_at(bytes, at).unwrap_or(0);
        let (kind, words) = (bytes[3], core::array::from_fn(|place| word(HEAD + 8 * place)));
        let body = Body::read(kind, words).ok_or(WireError::Stamp)?;
        if body.words() != (kind, words) {
            return Err(WireError::Reserved);
        }
        let (generation, slot) = ((word(0) >> 16) as u16, word(0) as u16);
        Ok(Message { generation, slot, proof: word(8), body })
    }
}

impl Body {
    fn words(&self) -> (u8, Words) {
        match *self {
            Body::Login { game, cookie } => (LOGIN, [game, cookie, 0, 0, 0, 0]),
            Body::Challenge { cookie } => (CHALLENGE, [cookie, 0, 0, 0, 0, 0]),
            Body::Reject(why) => (REJECT, [why as u64, 0, 0, 0, 0, 0]),
            Body::State(GameState { token, players, leads, begins, began }) => {
                let flags = flag(leads, LEADS) | flag(begins, BEGINS) | flag(began.is_some(), BEGAN);
                let (timescale, at) = begun(began);
                (STATE, [token, timescale, at, flags, players.into(), 0])
            }
            Body::Ready(Ready { has_clock, leaves, began }) => {
                let flags = flag(has_clock, HAS_CLOCK) | flag(leaves, LEAVES) | flag(began.is_some(), BEGAN);
                let (timescale, at) = begun(began);
                (READY, [0, timescale, at, flags, 0, 0])
            }
            Body::Request { id, held } => (REQUEST, [id, 0, 0, 0, 0, pair(held, 0)]),
            Body::Reply(SynchReply { id, received, hold, held_there, held_back, authority }) => {
                let Authority { epoch, timescale, dispersion } = authority;
                let (received, dispersion) = (received.ticks() as u64, dispersion.ticks() as u32);
                let holds = [pair(hold, dispersion), pair(held_there, held_back)];
                (REPLY, [id, received, epoch, timescale, holds[0], holds[1]])
            }
        }
    }

    fn read(kind: u8, [first, second, third, fourth, fifth, sixth]: Words) -> Option<Self> {
        let has = |bit| fourth & bit != 0;
        let instant = |ticks| Some(ServerTime::from_ticks(ticks as i64)).filter(|at| at.is_valid());
        let began = || match has(BEGAN) {
            true => Some(Some(Began { timescale: second, at: instant(third)? })),
            false => Some(None),
        };
        Some(match kind {
            LOGIN => Body::Login { game: first, cookie: second },
            CHALLENGE => Body::Challenge { cookie: first },
            REJECT => Body::Reject(Rejection::from_code(first)?),
            STATE => {
                let (leads, begins, began) = (has(LEADS), has(BEGINS), began()?);
                Body::State(GameState { token: first, players: fifth as u16, leads, begins, began })
            }
            READY => Body::Ready(Ready { has_clock: has(HAS_CLOCK), leaves: has(LEAVES), began: began()? }),
            REQUEST => Body::Request { id: first, held: (sixth >> 32) as u32 },
            _ => {
                let dispersion = Span::from_ticks(i64::from(fifth as u32));
                Body::Reply(SynchReply {
                    id: first,
                    received: instant(second)?,
                    hold: (fifth >> 32) as u32,
                    held_there: (sixth >> 32) as u32,
                    held_back: sixth as u32,
                    authority: Authority { epoch: third, timescale: fourth, dispersion },
                })
            }
        })
    }
}

fn flag(is_set: bool, bit: u64) -> u64 {
    if is_set { bit } else { 0 }
}

fn begun(began: Option<Began>) -> (u64, u64) {
    began.map_or((0, 0), |began| (began.timescale, began.at.ticks() as u64))
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: Body) -> Message {
        Message { generation: 0x0506, slot: 0x0708, proof: 0x090A_0B0C_0D0E_0F10, body }
    }

    fn reply() -> Body {
        let authority = Authority { epoch: 8, timescale: 9, dispersion: Span::from_ticks(0x0A0B_0C0D) };
        let (received, hold) = (ServerTime::from_ticks(-2), 7);
        Body::Reply(SynchReply { id: 6, received, hold, held_there: 11, held_back: 12, authority })
    }

    fn all() -> Vec<(u8, Body, Words)> {
        let began = Some(Began { timescale: 9, at: ServerTime::from_ticks(-2) });
        let state = GameState { token: 5, players: 3, leads: true, begins: true, began: None };
        let ready = Ready { has_clock: true, leaves: true, began: None };
        vec![
            (24, Body::Login { game: 7, cookie: u64::MAX }, [7, u64::MAX, 0, 0, 0, 0]),
            (25, Body::Challenge { cookie: 4 }, [4, 0, 0, 0, 0, 0]),
            (26, Body::Reject(Rejection::Duplicate), [2, 0, 0, 0, 0, 0]),
            (27, Body::State(state), [5, 0, 0, 3, 3, 0]),
            (
                27,
                Body::State(GameState { leads: false, begins: false, began, ..state }),
                [5, 9, -2_i64 as u64, 16, 3, 0],
            ),
            (28, Body::Ready(ready), [0, 0, 0, 12, 0, 0]),
            (28, Body::Ready(Ready { began, ..ready }), [0, 9, -2_i64 as u64, 28, 0, 0]),
            (29, Body::Request { id: 6, held: 5 }, [6, 0, 0, 0, 0, 5 << 32]),
            (30, reply(), [6, -2_i64 as u64, 8, 9, 7 << 32 | 0x0A0B_0C0D, 11 << 32 | 12]),
        ]
    }

    #[test]
    fn messages_match_the_specification_and_round_trip() {
        for (kind, body, words) in all() {
            let bytes = message(body).encode();
            assert_eq!(bytes[..8], [0x4E, 0x4B, 1, kind, 5, 6, 7, 8], "{body:?}");
            assert_eq!(bytes[8..16], [9, 10, 11, 12, 13, 14, 15, 16], "{body:?}");
            assert_eq!(bytes[16..], *words.map(u64::to_be_bytes).as_flattened(), "{body:?}");
            assert_eq!(Message::decode(&bytes), Ok(message(body)));
            assert_eq!(Message::decode(&bytes[..63]), Err(WireError::Length(63)));
        }
    }

    #[test]
    fn reserved_fields_and_impossible_contents_are_rejected() {
        let with = |body, at: usize, value: u8| {
            let mut bytes = message(body).encode();
            bytes[at] = value;
            Message::decode(&bytes).err()
        };
        for (_, body, words) in all().into_iter().filter(|(kind, ..)| *kind != 30) {
            for (place, _) in words.iter().enumerate().skip(2).filter(|(_, word)| **word == 0) {
                assert_eq!(with(body, HEAD + 8 * place, 1), Some(WireError::Reserved), "{body:?} {place}");
            }
        }
        assert_eq!(with(reply(), 24, 0x7F), Some(WireError::Stamp));
        assert_eq!(with(Body::Reject(Rejection::Full), 23, 4), Some(WireError::Stamp));
        assert_eq!(with(reply(), 2, 2), Some(WireError::Version(2)));
        assert_eq!(with(reply(), 3, 31), Some(WireError::Kind(31)));
    }
}
