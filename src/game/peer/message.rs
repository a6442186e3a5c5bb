//! The messages between peers and their relay, by name. `fields.rs` defines their bytes.

use super::error::{PeerError, Rejection};
use super::fields::{
    AFTER_PROOF, BEGIN_GAME, CHALLENGE, ERROR, EXCHANGE, GAME_END, LOGIN, LOGIN_OK, PLAIN, PRIMARY_CLIENT,
    PROOF, READY, SECONDARY_CLIENT, SYNCH_DONE, SYNCH_REPLY, SYNCH_REQUEST, SYNCH_WAIT, head, u16_at,
};
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{ServerTime, Span};

/// The longest message, in bytes, which fits into a datagram on any path.
pub const MESSAGE_MOST: usize = 1024;

// A session key can seal each of them.
const _: () = assert!(MESSAGE_MOST <= crate::clock::keyed::MESSAGE_MOST);

/// The first id of the game's own messages.
pub const FIRST_GAME_ID: u16 = 0x100;
/// Bytes of a game message before the game's data.
pub const GAME_HEAD: usize = AFTER_PROOF;

/// Version of the protocol, which LOGIN contains.
pub(crate) const VERSION: u16 = 1;

/// Flags of READY: the peer knows that it leads, and it knows when the game began.
const KNOWS_PRIMARY: u16 = 1;
const KNOWS_BEGIN: u16 = 2;

/// First, second, number and timestamp of a message, as in `docs/relay-protocol.md`.
type Fields = (u16, u16, u64, i64);

/// The role of a peer in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its clock is the shared clock.
    Primary,
    /// It follows the primary.
    Secondary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// Number of primaries so far, as known to the sender.
    pub(super) generation: u32,
    /// Authenticates the sender's slot: the receiver's key (from the relay), or the sender's token (from a
    /// peer).
    pub(super) proof: u64,
    pub(super) body: Body,
}

/// The content of a message. `docs/relay-protocol.md` specifies when each is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// A peer requests a slot in a game. The proof is the key that it drew. `cookie` is the relay's, or zero.
    Login {
        version: u16,
        game: u64,
        cookie: u64,
    },
    /// The relay requests a LOGIN with this cookie, so only a peer that receives its messages gets a slot.
    Challenge {
        cookie: u64,
    },
    /// The relay refuses the message with the id `about`, whose proof it repeats. `None` is a reason unknown
    /// to this version.
    Error {
        rejection: Option<Rejection>,
        about: u16,
    },
    /// LOGIN_OK: the relay knows the peer. SYNCH_WAIT: there is also no other peer to ask for the time.
    /// `synced` means that it has the peer's SYNCH_DONE.
    State {
        waits: bool,
        synced: bool,
        players: u16,
    },
    /// A peer reports its presence, and whether it knows that it leads and when the game began.
    Ready {
        leads: bool,
        knows_begin: bool,
    },
    /// When the game began. Without that, the relay asks the primary to begin it.
    BeginGame {
        began: Option<Began>,
    },
    GameEnd,
    /// A secondary requests the time, with an unguessable `id`. The relay sets its slot and the hold of the
    /// request (ticks).
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
    /// A peer has the shared clock, with this smallest round trip and hard bound.
    SynchDone {
        round_trip: Span,
        error_bound: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Began {
    /// Identifies the run of the shared clock.
    pub(super) run: u64,
    /// The instant on that clock.
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

/// A primary's own part of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// When it received the request: t1.
    pub(super) received: ServerTime,
    /// The hold of the request: t2 - t1 (ticks).
    pub(super) hold: u32,
    /// Identifies its clock.
    pub(super) authority: u64,
    /// The authority that it followed before; zero if none.
    pub(super) base: u64,
    /// Identifies the timescale, which outlives primaries.
    pub(super) run: u64,
    /// The largest distance between authority and base.
    pub(super) loss: Span,
    /// The largest distance between authority and the first authority of the run.
    pub(super) total: Span,
}

/// A decoded message of the protocol or the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decoded<'a> {
    Protocol(Message),
    Game { id: u16, stamp: u32, slot: u16, proof: u64, data: &'a [u8] },
}

impl Decoded<'_> {
    /// The proof of the sender's slot.
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

/// Encodes a game message of the peer with this token. The relay will set the slot.
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

    /// `None` if bytes are missing, the timestamp is outside the valid range, or the body is invalid.
    fn read(id: u16, bytes: &[u8]) -> Option<Self> {
        let stamp = u64_at(bytes, 28)? as i64;
        // LOGIN has a cookie in this place, which may be any number.
        if id != LOGIN && !ServerTime::from_ticks(stamp).is_valid() {
            return None;
        }
        let fields = (u16_at(bytes, 4)?, u16_at(bytes, 6)?, u64_at(bytes, 20)?, stamp);
        let (generation, proof) = (u32_at(bytes, 8)?, u64_at(bytes, PROOF)?);
        Some(Message { generation, proof, body: Body::read(id, fields, bytes)? })
    }
}

impl Body {
    /// Whether a peer with a slot sends it, and learns from an ERROR that it no longer has one.
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

    /// `None` if it is part of an exchange with an invalid end.
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
    /// `None` if bytes are missing, the reserved field is not zero, or the losses contradict each other.
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

    /// Writes everything after the relay's holds.
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
