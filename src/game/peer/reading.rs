//! The state of a peer at one instant, and the time stamps of the game's messages.

use super::error::Rejection;
use super::login::Login;
use super::message::Role;
use super::shared_clock::SharedReading;
use crate::clock::{ServerTime, Span, State};

const TICKS_PER_MS: i64 = 10_000;

/// How far a peer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// It has no slot, or no longer, and logs in.
    Joining,
    /// It has a slot, but no shared clock yet.
    Waiting,
    /// It has the shared clock; the game has not begun.
    Synced,
    /// The game runs.
    Playing,
    /// It left, or the relay speaks another version.
    Ended,
}

/// Everything a peer knows at one local instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerReading {
    /// How far it has come.
    pub stage: PeerStage,
    /// Its role; none without a slot.
    pub role: Option<Role>,
    /// Number of its slot.
    pub slot: u16,
    /// How many peers are there, as the relay said last.
    pub players: u16,
    /// The shared clock: zero when the game began and before. Within an [`epoch`](Self::epoch) it never goes
    /// backwards.
    pub time: ServerTime,
    /// Hard bound: the authority's clock reads `time` within this, if the relay's holds are true.
    /// [`Span::MAX`] if nothing can be promised.
    pub error_bound: Span,
    /// Expected size of the error, one standard deviation. [`Span::MAX`] if nothing is known.
    pub expected_error: Span,
    /// How far the authority's clock may be from that of the game's first primary: the sum of what each
    /// change of primaries lost.
    pub inherited: Span,
    /// Names the primary whose clock this is; zero before there is one. Two peers with the same authority
    /// read the same clock.
    pub authority: u64,
    /// How much the clock can be relied on.
    pub state: State,
    /// Counts declared discontinuities: see [`Reading::epoch`](crate::Reading::epoch).
    pub epoch: u32,
    /// Smallest recent round trip to the primary, without the relay's holds.
    pub round_trip: Span,
    /// Why the relay refused the last login; none if it did not.
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
    /// Its id, from [`FIRST_GAME_ID`](super::FIRST_GAME_ID) on.
    pub id: u16,
    /// The sender's slot, as the relay says.
    pub slot: u16,
    /// The sender's shared time, in ms, modulo 2^32.
    pub stamp: u32,
    /// The same in full: the instant nearest to this peer's own shared time; zero if it has none.
    pub time: ServerTime,
    /// The game's data.
    pub data: &'a [u8],
}

/// The stamp of a game's message, in ms modulo 2^32.
pub(super) fn stamp_of(time: ServerTime) -> u32 {
    (time.ticks() / TICKS_PER_MS) as u32
}

/// The instant nearest to `present` that has this stamp.
pub(super) fn instant_of(stamp: u32, present: ServerTime) -> ServerTime {
    let present = present.ticks() / TICKS_PER_MS;
    let ahead = i64::from(stamp.wrapping_sub(present as u32) as i32);
    ServerTime::from_ticks((present + ahead).saturating_mul(TICKS_PER_MS))
}
