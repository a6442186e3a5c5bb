//! A peer's readings, and the timestamps in game messages.

use super::error::Rejection;
use super::login::Login;
use super::message::Role;
use super::shared_clock::SharedReading;
use crate::clock::{ServerTime, Span, State};

const TICKS_PER_MS: i64 = 10_000;

/// How far a peer has come in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// The peer has no slot, or has lost it, and is logging in.
    Joining,
    /// The peer has a slot, but no shared clock yet.
    Waiting,
    /// The peer has the shared clock, but the game has not begun.
    Synced,
    /// The game is running.
    Playing,
    /// The peer has left, or the relay uses a different version of the protocol.
    Ended,
}

/// A peer's state and the shared clock at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerReading {
    /// The peer's stage.
    pub stage: PeerStage,
    /// The peer's role, or `None` if it has no slot.
    pub role: Option<Role>,
    /// Number of the peer's slot.
    pub slot: u16,
    /// Number of peers in the game, as last reported by the relay.
    pub players: u16,
    /// Shared time since the game began, or zero before that. It never runs backwards within an
    /// [`epoch`](Self::epoch).
    pub time: ServerTime,
    /// Hard bound on the distance between `time` and the authority's clock, provided that the relay's holds
    /// are correct. [`Span::MAX`] if there is no guarantee.
    pub error_bound: Span,
    /// Expected error (one standard deviation), or [`Span::MAX`] if unknown.
    pub expected_error: Span,
    /// Maximum distance between the authority's clock and the clock of the game's first primary. It is the
    /// sum of the losses whenever the primary changed.
    pub inherited: Span,
    /// Identifies the primary that provides this clock, or zero before there is one. Peers with the same
    /// authority read the same clock.
    pub authority: u64,
    /// The clock's state.
    pub state: State,
    /// Number of reported discontinuities. See [`Reading::epoch`](crate::Reading::epoch).
    pub epoch: u32,
    /// Smallest recent round trip to the primary, excluding the relay's holds.
    pub round_trip: Span,
    /// Why the relay rejected the last login, if it did.
    pub rejection: Option<Rejection>,
}

impl PeerReading {
    pub(super) fn new(login: &Login, shared: &SharedReading) -> Self {
        let (reading, time, member) = (&shared.reading, shared.game_time(), login.membership);
        let stage = match (login.ended, member, time) {
            (true, ..) => PeerStage::Ended,
            (_, None, _) => PeerStage::Joining,
            (.., Some(_)) => PeerStage::Playing,
            _ if reading.state == State::Unsynced => PeerStage::Waiting,
            _ => PeerStage::Synced,
        };
        PeerReading {
            stage,
            role: member.map(|member| member.role),
            slot: member.map_or(0, |member| member.slot),
            players: login.players,
            time: time.unwrap_or(ServerTime::from_ticks(0)),
            error_bound: reading.error_bound,
            expected_error: reading.expected_error,
            inherited: shared.inherited,
            authority: reading.server_epoch,
            state: reading.state,
            epoch: reading.epoch,
            round_trip: reading.round_trip,
            rejection: login.rejection,
        }
    }
}

/// A message defined by the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMessage<'a> {
    /// The message's id, which is [`FIRST_GAME_ID`](super::FIRST_GAME_ID) or above.
    pub id: u16,
    /// Slot of the sender, according to the relay.
    pub slot: u16,
    /// Shared time at which the message was timestamped by its sender, in ms modulo 2^32.
    pub stamp: u32,
    /// Full timestamp: the instant with this `stamp` that is nearest to this peer's shared time. Zero if this
    /// peer has no shared time.
    pub time: ServerTime,
    /// Payload.
    pub data: &'a [u8],
}

/// Returns the timestamp of a game message, in ms modulo 2^32.
pub(super) fn stamp_of(time: ServerTime) -> u32 {
    (time.ticks() / TICKS_PER_MS) as u32
}

/// Returns the instant nearest to `present` that has this timestamp.
pub(super) fn instant_of(stamp: u32, present: ServerTime) -> ServerTime {
    let present = present.ticks() / TICKS_PER_MS;
    let ahead = i64::from(stamp.wrapping_sub(present as u32) as i32);
    ServerTime::from_ticks((present + ahead).saturating_mul(TICKS_PER_MS))
}
