//! The messages between peers and their relay. `fields.rs` defines their layout.

use super::error::{PeerError, Rejection};
use super::fields::{
    AFTER_PROOF, BEGIN_GAME, CHALLENGE, ERROR, EXCHANGE, GAME_END, LOGIN, LOGIN_OK, PLAIN, PRIMARY_CLIENT,
    PROOF, READY, SECONDARY_CLIENT, SYNCH_DONE, SYNCH_REPLY, SYNCH_REQUEST, SYNCH_WAIT, head, u16_at,
};
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{ServerTime, Span};

/// Maximum length of a message in bytes, which fits into a datagram on any path.
pub const MESSAGE_MOST: usize = 1024;

// Any message can be sealed with a session key.
const _: () = assert!(MESSAGE_MOST <= crate::clock::keyed::MESSAGE_MOST);

/// The first id of game messages.
pub const FIRST_GAME_ID: u16 = 0x100;
/// Length of a game message's header, in bytes.
pub const GAME_HEAD: usize = AFTER_PROOF;

/// Protocol version, which is sent in LOGIN.
pub(crate) const VERSION: u16 = 1;

/// The flags in a READY: the peer knows that it is the primary, and it knows when the game began.
const KNOWS_PRIMARY: u16 = 1;
const KNOWS_BEGIN: u16 = 2;

/// A message's fields called first, second, number and timestamp in `docs/relay-protocol.md`.
type Fields = (u16, u16, u64, i64);

/// A peer's role in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// This peer's clock is the shared clock.
    Primary,
    /// This peer follows the primary.
    Secondary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// Number of primaries so far, according to the sender.
    pub(super) generation: u32,
    /// Authenticates the message: the receiver's key if the relay sends it, or the sender's token if a peer
    /// does.
    pub(super) proof: u64,
    pub(super) body: Body,
}

/// The content of a message. `docs/relay-protocol.md` specifies when each is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// A peer requests a slot in a game. The proof is the key drawn by the peer. `cookie` is the cookie from
    /// the relay, or zero.
    Login {
        version: u16,
        game: u64,
        cookie: u64,
    },
    /// The relay requests a LOGIN with this cookie, so that only a peer that receives the relay's messages
    /// gets a slot.
    Challenge {
        cookie: u64,
    },
    /// The relay rejects the message with the id `about` and repeats its proof. `rejection` is `None` if this
    /// version does not know the reason.
    Error {
        rejection: Option<Rejection>,
        about: u16,
    },
    /// LOGIN_OK if the relay knows the peer. SYNCH_WAIT if there is also no other peer to ask for the time.
    /// `synced` means that the relay has received the peer's SYNCH_DONE.
    State {
        waits: bool,
        synced: bool,
        players: u16,
    },
    /// A peer reports that it is present, whether it knows that it is the primary, and whether it knows when
    /// the game began.
    Ready {
        leads: bool,
        knows_begin: bool,
    },
    /// Reports when the game began. If this is `None`, the relay asks the primary to begin the game.
    BeginGame {
        began: Option<Began>,
    },
    GameEnd,
    /// A secondary requests the time with an unguessable `id`. The relay fills in the secondary's slot and
    /// the hold of the request (ticks).
    SynchRequest {
        slot: u16,
        id: u64,
        held: u32,
    },
    SynchReply(SynchReply),
    /// The relay assigns a peer a slot, a role and a token.
    Role {
        role: Role,
        slot: u16,
        players: u16,
        token: u64,
    },
    /// A peer reports that it has the shared clock, with this smallest round trip and hard bound.
    SynchDone {
        round_trip: Span,
        error_bound: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Began {
    /// Identifies the shared clock's run.
    pub(super) run: u64,
    /// When the game began, on that clock.
    pub(super) at: ServerTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SynchReply {
    /// Slot of the secondary that sent the request.
    pub(super) slot: u16,
    pub(super) id: u64,
    /// The relay's holds of the request and the reply (ticks).
    pub(super) held_there: u32,
    pub(super) held_back: u32,
    pub(super) answer: Answer,
}

/// The part of a reply that the primary fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// When the primary received the request (t1).
    pub(super) received: ServerTime,
    /// How long the primary held the request, t2 - t1 (ticks).
    pub(super) hold: u32,
    /// Identifies the primary's clock.
    pub(super) authority: u64,
    /// The authority that the primary followed previously, or zero.
    pub(super) base: u64,
    /// Identifies the timescale, which persists when the primary changes.
    pub(super) run: u64,
    /// Maximum distance between `authority` and `base`.
    pub(super) loss: Span,
    /// Maximum distance between `authority` and the first authority of the run.
    pub(super) total: Span,
}

/// A decoded message of the protocol or the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decoded<'a> {
    Protocol(Message),
    Game { id: u16, stamp: u32, slot: u16, proof: u64, data: &'a [u8] },
}

impl Decoded<'_> {
    /// Returns the proof that authenticates the message.
    pub(super) fn proof(&self) -> u64 {
        match self {
            Decoded::Protocol(message) => message.proof,
            Decoded::Game { proof, .. } => *proof,
        }
    }
}

pub(super) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, PeerError> {
    let (id, size) = head(bytes).ok_or(PeerError::Size(bytes.len()))?;
    if size != bytes.len() || size > MESSAGE_MOST {
        return Err(PeerError::Size(bytes.len()));
    }
    if id >= FIRST_GAME_ID {
        return decode_game(bytes, id).ok_or(PeerError::Malformed(id));
    }
    let whole = match id {
        SYNCH_REQUEST | SYNCH_REPLY => EXCHANGE,
        LOGIN..=CHALLENGE | READY | BEGIN_GAME | GAME_END | PRIMARY_CLIENT..=SYNCH_WAIT => PLAIN,
        _ => return Err(PeerError::UnknownId(id)),
    };
    let message = Message::read(id, bytes).filter(|_| size == whole);
    Ok(Decoded::Protocol(message.ok_or(PeerError::Malformed(id))?))
}

fn decode_game(bytes: &[u8], id: u16) -> Option<Decoded<'_>> {
    let (stamp, slot, proof) = (u32_at(bytes, 4)?, u16_at(bytes, 8)?, u64_at(bytes, PROOF)?);
    (u16_at(bytes, 10)? == 0).then_some(Decoded::Game { id, stamp, slot, proof, data: &bytes[GAME_HEAD..] })
}

pub(super) fn game_size(data: &[u8]) -> Result<usize, PeerError> {
    let size = GAME_HEAD.saturating_add(data.len());
    if size > MESSAGE_MOST { Err(PeerError::Size(size)) } else { Ok(size) }
}

/// Encodes a game message from the peer with this token. The relay fills in the slot.
pub(super) fn encode_game(
    id: u16,
    stamp: u32,
    token: u64,
    data: &[u8],
    to: &mut [u8; MESSAGE_MOST],
) -> Result<usize, PeerError> {
    let size = game_size(data)?;
    to[..GAME_HEAD].fill(0);
    to[0..2].copy_from_slice(&id.to_be_bytes());
    to[2..4].copy_from_slice(&(size as u16).to_be_bytes());
    to[4..8].copy_from_slice(&stamp.to_be_bytes());
    to[PROOF..AFTER_PROOF].copy_from_slice(&token.to_be_bytes());
    to[GAME_HEAD..size].copy_from_slice(data);
    Ok(size)
}

impl Message {
    pub(super) fn encode<'a>(&self, to: &'a mut [u8; EXCHANGE]) -> &'a [u8] {
        let (held, size) = match &self.body {
            Body::SynchRequest { held, .. } => ([*held, 0], EXCHANGE),
            Body::SynchReply(reply) => ([reply.held_there, reply.held_back], EXCHANGE),
            _ => ([0, 0], PLAIN),
        };
        let (first, second, number, stamp) = self.body.fields();
        to.fill(0);
        for (place, short) in to.chunks_exact_mut(2).zip([self.body.id(), size as u16, first, second]) {
            place.copy_from_slice(&short.to_be_bytes());
        }
        to[8..12].copy_from_slice(&self.generation.to_be_bytes());
        for (place, long) in to[12..].chunks_exact_mut(8).zip([self.proof, number, stamp as u64]) {
            place.copy_from_slice(&long.to_be_bytes());
        }
        for (place, held) in to[PLAIN..].chunks_exact_mut(4).zip(held) {
            place.copy_from_slice(&held.to_be_bytes());
        }
        if let Body::SynchReply(reply) = &self.body {
            reply.answer.write(to);
        }
        &to[..size]
    }

    /// Returns `None` if bytes are missing, the timestamp is outside the valid range, or the body is invalid.
    fn read(id: u16, bytes: &[u8]) -> Option<Self> {
        let stamp = u64_at(bytes, 28)? as i64;
        // LOGIN has a cookie in place of the timestamp, which may be any number.
        if id != LOGIN && !ServerTime::from_ticks(stamp).is_valid() {
            return None;
        }
        let fields = (u16_at(bytes, 4)?, u16_at(bytes, 6)?, u64_at(bytes, 20)?, stamp);
        let (generation, proof) = (u32_at(bytes, 8)?, u64_at(bytes, PROOF)?);
        Some(Message { generation, proof, body: Body::read(id, fields, bytes)? })
    }
}

impl Body {
    /// Returns whether only peers with a slot send this message. If the slot was lost, the relay answers it
    /// with an ERROR.
    pub(super) fn is_of_member(&self) -> bool {
        matches!(self, Body::Ready { .. } | Body::SynchDone { .. } | Body::BeginGame { .. } | Body::GameEnd)
    }

    pub(super) fn id(&self) -> u16 {
        match self {
            Body::Login { .. } => LOGIN,
            Body::Error { .. } => ERROR,
            Body::State { waits: false, .. } => LOGIN_OK,
            Body::State { waits: true, .. } => SYNCH_WAIT,
            Body::Challenge { .. } => CHALLENGE,
            Body::Ready { .. } => READY,
            Body::BeginGame { .. } => BEGIN_GAME,
            Body::GameEnd => GAME_END,
            Body::SynchRequest { .. } => SYNCH_REQUEST,
            Body::SynchReply(_) => SYNCH_REPLY,
            Body::Role { role: Role::Primary, .. } => PRIMARY_CLIENT,
            Body::Role { role: Role::Secondary, .. } => SECONDARY_CLIENT,
            Body::SynchDone { .. } => SYNCH_DONE,
        }
    }

    /// Returns `None` if this is a request or reply whose additional fields are invalid.
    fn read(id: u16, (first, second, number, stamp): Fields, bytes: &[u8]) -> Option<Self> {
        let role = |role| Body::Role { role, slot: first, players: second, token: number };
        Some(match id {
            LOGIN => Body::Login { version: first, game: number, cookie: stamp as u64 },
            CHALLENGE => Body::Challenge { cookie: number },
            ERROR => Body::Error { rejection: Rejection::from_code(first), about: second },
            READY => Body::Ready { leads: first & KNOWS_PRIMARY != 0, knows_begin: first & KNOWS_BEGIN != 0 },
            BEGIN_GAME => {
                let began = Began { run: number, at: ServerTime::from_ticks(stamp) };
                Body::BeginGame { began: (first == 1).then_some(began) }
            }
            GAME_END => Body::GameEnd,
            SYNCH_REQUEST => {
                let rest = bytes.get(PLAIN + 4..)?;
                let is_empty = stamp == 0 && rest.iter().all(|&byte| byte == 0);
                let held = u32_at(bytes, PLAIN)?;
                return is_empty.then_some(Body::SynchRequest { slot: first, id: number, held });
            }
            SYNCH_REPLY => {
                let answer = Answer::read(ServerTime::from_ticks(stamp), bytes)?;
                let (held_there, held_back) = (u32_at(bytes, PLAIN)?, u32_at(bytes, PLAIN + 4)?);
                Body::SynchReply(SynchReply { slot: first, id: number, held_there, held_back, answer })
            }
            PRIMARY_CLIENT => role(Role::Primary),
            SECONDARY_CLIENT => role(Role::Secondary),
            SYNCH_DONE => {
                let [round_trip, error_bound] = [number as i64, stamp].map(Span::from_ticks);
                Body::SynchDone { round_trip, error_bound }
            }
            _ => Body::State { waits: id == SYNCH_WAIT, synced: first == 1, players: second },
        })
    }

    fn fields(&self) -> Fields {
        match *self {
            Body::Login { version, game, cookie } => (version, 0, game, cookie as i64),
            Body::Challenge { cookie } => (0, 0, cookie, 0),
            Body::Error { rejection, about } => (rejection.map_or(0, |why| why as u16), about, 0, 0),
            Body::State { synced, players, .. } => (u16::from(synced), players, 0, 0),
            Body::Ready { leads, knows_begin } => {
                ((u16::from(leads) * KNOWS_PRIMARY) | (u16::from(knows_begin) * KNOWS_BEGIN), 0, 0, 0)
            }
            Body::BeginGame { began: None } | Body::GameEnd => (0, 0, 0, 0),
            Body::BeginGame { began: Some(Began { run, at }) } => (1, 0, run, at.ticks()),
            Body::SynchRequest { slot, id, .. } => (slot, 0, id, 0),
            Body::SynchReply(SynchReply { slot, id, answer, .. }) => (slot, 0, id, answer.received.ticks()),
            Body::Role { slot, players, token, .. } => (slot, players, token, 0),
            Body::SynchDone { round_trip, error_bound } => {
                (0, 0, round_trip.ticks() as u64, error_bound.ticks())
            }
        }
    }
}

impl Answer {
    /// Returns `None` if bytes are missing, the reserved field is not zero, or the losses are inconsistent.
    fn read(received: ServerTime, bytes: &[u8]) -> Option<Self> {
        let span = |at| Some(Span::from_ticks(u64_at(bytes, at)? as i64));
        let answer = Answer {
            received,
            hold: u32_at(bytes, 44)?,
            authority: u64_at(bytes, 52)?,
            base: u64_at(bytes, 60)?,
            run: u64_at(bytes, 68)?,
            loss: span(76)?,
            total: span(84)?,
        };
        let zero = u32_at(bytes, 48)?;
        (zero == 0 && answer.loss >= Span::ZERO && answer.total >= answer.loss).then_some(answer)
    }

    /// Writes all fields after the relay's holds.
    fn write(&self, to: &mut [u8; EXCHANGE]) {
        to[44..48].copy_from_slice(&self.hold.to_be_bytes());
        let [loss, total] = [self.loss, self.total].map(|span| span.ticks() as u64);
        let longs = [self.authority, self.base, self.run, loss, total];
        for (place, value) in to[52..].chunks_exact_mut(8).zip(longs) {
            place.copy_from_slice(&value.to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
