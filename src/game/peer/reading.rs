//! The state of a peer at one instant, and the timestamps of the game's messages.

use super::error::Rejection;
use super::login::Login;
use super::message::Role;
use super::shared_clock::SharedReading;
use crate::clock::{ServerTime, Span, State};

const TICKS_PER_MS: i64 = 10_000;

/// The stage of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// It has no slot, or has lost it, and logs in.
    Joining,
    /// It has a slot, but no shared clock yet.
    Waiting,
    /// It has the shared clock; the game has not begun.
    Synced,
    /// The game is running.
    Playing,
    /// It left, or the relay uses another version.
    Ended,
}

/// The reading of a peer at one local instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerReading {
    /// How far it has come.
    pub stage: PeerStage,
    /// Its role; `None` without a slot.
    pub role: Option<Role>,
    /// Number of its slot.
    pub slot: u16,
    /// Number of peers, as last reported by the relay.
    pub players: u16,
    /// The shared clock, zero until the game begins. Within an [`epoch`](Self::epoch) it never runs
    /// backwards.
    pub time: ServerTime,
    /// Hard bound: the authority's clock is within this of `time`, if the relay's holds are true.
    /// [`Span::MAX`] if there is no guarantee.
    pub error_bound: Span,
    /// Expected size of the error, one standard deviation. [`Span::MAX`] if unknown.
    pub expected_error: Span,
    /// The largest distance between the authority's clock and the clock of the game's first primary, the sum
    /// of the losses at each change of primaries.
    pub inherited: Span,
    /// Identifies the primary whose clock this is; zero before there is one. Two peers with the same
    /// authority read the same clock.
    pub authority: u64,
    /// The reliability of the clock.
    pub state: State,
    /// Counts reported discontinuities: see [`Reading::epoch`](crate::Reading::epoch).
    pub epoch: u32,
    /// Smallest recent round trip to the primary, without the relay's holds.
    pub round_trip: Span,
    /// Why the relay refused the last login, if it did.
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

/// A message of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMessage<'a> {
    /// Its id, [`FIRST_GAME_ID`](super::FIRST_GAME_ID) or above.
    pub id: u16,
    /// The sender's slot, according to the relay.
    pub slot: u16,
    /// The sender's shared time, in ms, modulo 2^32.
    pub stamp: u32,
    /// The full timestamp: the instant nearest to this peer's own shared time; zero if it has none.
    pub time: ServerTime,
    /// The game's data.
    pub data: &'a [u8],
}

/// The timestamp of a game message, in ms modulo 2^32.
pub(super) fn stamp_of(time: ServerTime) -> u32 {
    (time.ticks() / TICKS_PER_MS) as u32
}

/// The instant nearest to `present` that has this timestamp.
pub(super) fn instant_of(stamp: u32, present: ServerTime) -> ServerTime {
    let present = present.ticks() / TICKS_PER_MS;
    let ahead = i64::from(stamp.wrapping_sub(present as u32) as i32);
    ServerTime::from_ticks((present + ahead).saturating_mul(TICKS_PER_MS))
}
