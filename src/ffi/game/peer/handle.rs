//! A peer that shares a clock with others through a relay.

use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::game::peer::status::NETCLOCK_GAME_MESSAGE;
use crate::ffi::game::peer::stream::{NETCLOCK_MAX_MESSAGE_SIZE, message_room};
use crate::game::peer::{GameMessage, Peer, PeerError, PeerReading, PeerStage, Rejection, Role};

/// Stage of a peer: it has no slot (or lost it) and logs in.
pub const NETCLOCK_PEER_JOINING: i32 = 0;
/// Stage of a peer: it has a slot, but no shared clock yet.
pub const NETCLOCK_PEER_WAITING: i32 = 1;
/// Stage of a peer: it has the shared clock, but the game has not begun.
pub const NETCLOCK_PEER_SYNCED: i32 = 2;
/// Stage of a peer: the game runs.
pub const NETCLOCK_PEER_PLAYING: i32 = 3;
/// Stage of a peer: it left, or the relay speaks another version.
pub const NETCLOCK_PEER_ENDED: i32 = 4;

/// Role of a peer: none, without a slot.
pub const NETCLOCK_ROLE_NONE: i32 = 0;
/// Role of a peer: primary. Its clock is the shared one.
pub const NETCLOCK_ROLE_PRIMARY: i32 = 1;
/// Role of a peer: secondary. It follows the primary.
pub const NETCLOCK_ROLE_SECONDARY: i32 = 2;

/// Rejection: none.
pub const NETCLOCK_REJECTED_NONE: i32 = 0;
/// Rejection: the relay speaks another version.
pub const NETCLOCK_REJECTED_VERSION: i32 = 1;
/// Rejection: no free slot in this game, or no room for another game.
pub const NETCLOCK_REJECTED_FULL: i32 = 2;
/// Rejection: logged in already, by this connection or another one.
pub const NETCLOCK_REJECTED_DUPLICATE: i32 = 3;
/// Rejection: the relay does not know the login.
pub const NETCLOCK_REJECTED_LOGIN: i32 = 4;

const _: () = assert!(
    Rejection::Version as i32 == NETCLOCK_REJECTED_VERSION
        && Rejection::Full as i32 == NETCLOCK_REJECTED_FULL
        && Rejection::Duplicate as i32 == NETCLOCK_REJECTED_DUPLICATE
        && Rejection::NotLoggedIn as i32 == NETCLOCK_REJECTED_LOGIN
);

/// A peer: takes part in one game and shares its clock. Opaque. Calls on it wait for each other.
pub struct NetclockPeer(Owned<Peer>);

owned! { NetclockPeer(Peer): "netclock_peer", "peer" }

/// Everything a peer knows at one local instant. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPeerReading {
    /// `sizeof(netclock_peer_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_PEER_...`.
    pub stage: i32,
    /// One of `NETCLOCK_ROLE_...`.
    pub role: i32,
    /// One of `NETCLOCK_STATE_...`, of the clock.
    pub state: i32,
    /// Number of its slot, as the relay said last.
    pub slot: u32,
    /// How many peers are in the game, as the relay said last.
    pub players: u32,
    /// Counts declared discontinuities, as `epoch` of `netclock_reading`.
    pub epoch: u32,
    /// Why the relay refused the last login: one of `NETCLOCK_REJECTED_...`.
    pub rejection: i32,
    /// The shared clock, in ticks: zero when the game began and before. It never goes backwards within an
    /// `epoch`.
    pub time: NetclockServerTime,
    /// Hard bound, in ticks: the primary's clock is within `time` plus or minus this, if the relay states its
    /// holds truly. `NETCLOCK_UNBOUNDED` if nothing can be promised.
    pub error_bound: i64,
    /// Expected size of the error, one standard deviation, in ticks. `NETCLOCK_UNBOUNDED` if nothing is
    /// known.
    pub expected_error: i64,
    /// How far the primary's clock may be from that of the game's first primary, because of what changes of
    /// the primary lost, in ticks.
    pub inherited: i64,
    /// Smallest recent round trip to the primary, without the relay's holds, in ticks. `NETCLOCK_UNBOUNDED`
    /// if unknown.
    pub round_trip: i64,
    /// The authority: names the primary whose clock this is; zero before there is one. Two peers with the
    /// same authority read the same clock.
    pub authority: u64,
}

growable! { NetclockPeerReading: 80 }

to_c! { |reading: PeerReading| NetclockPeerReading {
    epoch, time, error_bound, expected_error, inherited, round_trip, authority;
    slot: reading.slot.into(),
    players: reading.players.into(),
    stage: match reading.stage {
        PeerStage::Joining => NETCLOCK_PEER_JOINING,
        PeerStage::Waiting => NETCLOCK_PEER_WAITING,
        PeerStage::Synced => NETCLOCK_PEER_SYNCED,
        PeerStage::Playing => NETCLOCK_PEER_PLAYING,
        PeerStage::Ended => NETCLOCK_PEER_ENDED,
    },
    role: match reading.role {
        None => NETCLOCK_ROLE_NONE,
        Some(Role::Primary) => NETCLOCK_ROLE_PRIMARY,
        Some(Role::Secondary) => NETCLOCK_ROLE_SECONDARY,
    },
    state: reading.state as i32,
    rejection: reading.rejection.map_or(NETCLOCK_REJECTED_NONE, |rejection| rejection as i32),
} }

/// A message of the game's own from another peer. Its data begins at byte `NETCLOCK_GAME_HEADER_SIZE` of the
/// message. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPeerGameMessage {
    /// `sizeof(netclock_peer_game_message)` as compiled into the caller.
    pub struct_size: u32,
    /// Its id, from `NETCLOCK_FIRST_GAME_ID` on.
    pub id: u32,
    /// The sender's slot, as the relay wrote it.
    pub slot: u32,
    /// The sender's shared time in milliseconds, modulo 2^32.
    pub stamp: u32,
    /// The same in full, in ticks: the instant closest to this peer's own shared time; zero if it has none.
    pub time: NetclockServerTime,
}

growable! { NetclockPeerGameMessage: 24 }

to_c! { |message: GameMessage<'_>| NetclockPeerGameMessage {
    stamp, time;
    id: message.id.into(),
    slot: message.slot.into(),
} }

/// Creates a peer that will play `game` and stores it in `*peer`. Give it back to `netclock_peer_destroy`.
/// Its clock has these settings. `config` may be null for all defaults. `seed_high` and `seed_low` make its
/// messages unguessable: draw 128 bits from the operating system. Both 0 is refused. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_create(
    config: *const NetclockConfig,
    game: u64,
    seed_high: u64,
    seed_low: u64,
    peer: *mut *mut NetclockPeer,
) -> NetclockStatus {
    create!(netclock_peer_create, peer, {
        let config = optional(config, "config")?.to_config();
        Ok(Peer::new(config, game, seed(seed_high, seed_low))?)
    })
}

/// Destroys a peer, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_destroy(peer: *mut NetclockPeer) -> NetclockStatus {
    destroy!(netclock_peer_destroy, peer)
}

/// Handles one message of `length` bytes from the relay that arrived at local time `arrived` (ticks, stamped
/// as close to the network as possible). `NETCLOCK_GAME_MESSAGE`: it is the game's own, and `*game` describes
/// it; otherwise `*game` is unchanged. Errors, after which nothing changed: `NETCLOCK_MESSAGE_SIZE`,
/// `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`,
/// `NETCLOCK_NOT_LOGGED_IN` (a game's message before the login), `NETCLOCK_STALE` (about an earlier primary
/// or login), `NETCLOCK_UNKNOWN_REQUEST` and the others of a refused exchange, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`. `NETCLOCK_LOGIN_REJECTED`: the
/// relay rejected the login, as the reading says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_receive(
    peer: *mut NetclockPeer,
    message: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
    game: *mut NetclockPeerGameMessage,
) -> NetclockStatus {
    change!(netclock_peer_receive, peer, |it| {
        check_size(game, "game")?;
        let message = bytes_in(message, length, "message", NETCLOCK_MAX_MESSAGE_SIZE, PeerError::Size)?;
        let Some(heard) = it.receive(message, LocalTime::from_ticks(arrived))? else { return Ok(()) };
        grow_out(game, "game", heard)?;
        Err(Failure::of(NETCLOCK_GAME_MESSAGE))
    })
}

/// Does what is due at local time `now` (ticks); call it every frame, before `netclock_peer_next_message`.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_tick(
    peer: *mut NetclockPeer,
    now: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_peer_tick, peer, |it| {
        let now = LocalTime::from_ticks(now);
        it.tick(now).map_err(|error| Failure::time(error, now))
    })
}

/// The next message to send to the relay at once, at local time `now` (ticks), and its length, into a buffer
/// of `capacity` bytes. Call it in every frame until it returns `NETCLOCK_NOTHING_DUE`. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_next_message(
    peer: *mut NetclockPeer,
    now: NetclockLocalTime,
    message: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_peer_next_message, peer, |it| {
        let room = message_room(message, capacity)?;
        writable(length, "length")?;
        let size = it.next_message(LocalTime::from_ticks(now), room);
        copy_out(length, "length", size.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// Everything the peer knows at local time `now` (ticks), into `*reading`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_read(
    peer: *const NetclockPeer,
    now: NetclockLocalTime,
    reading: *mut NetclockPeerReading,
) -> NetclockStatus {
    change!(netclock_peer_read, peer, |it| { grow_out(reading, "reading", it.read(local_time(now)?)) })
}

/// Makes a message of the game's own with this id and `length` bytes of data, into a buffer of `capacity`
/// bytes. Its length goes into `*written`. It is stamped with the shared time at local time `now` (ticks).
/// Send it to the relay, which forwards it to all other peers of the game. `data` may be null if `length` is
/// zero. `NETCLOCK_NOT_BEGUN`: there is no shared time yet. Errors: `NETCLOCK_MESSAGE_UNKNOWN` for an id
/// below `NETCLOCK_FIRST_GAME_ID`, `NETCLOCK_MESSAGE_SIZE` for too much data, `NETCLOCK_NOT_LOGGED_IN`,
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_stamp(
    peer: *const NetclockPeer,
    now: NetclockLocalTime,
    id: u16,
    data: *const c_void,
    length: usize,
    message: *mut c_void,
    capacity: usize,
    written: *mut usize,
) -> NetclockStatus {
    change!(netclock_peer_stamp, peer, |it| {
        message_room(message, capacity)?;
        writable(written, "written")?;
        let data = match length {
            0 => &[],
            _ => bytes_in(data, length, "data", NETCLOCK_MAX_MESSAGE_SIZE, PeerError::Size)?,
        };
        let mut stamped = [0; NETCLOCK_MAX_MESSAGE_SIZE];
        let size = it.stamp_message(LocalTime::from_ticks(now), id, data, &mut stamped)?;
        // Only now, since `data` may lie in the same buffer.
        message_room(message, capacity)?[..size].copy_from_slice(&stamped[..size]);
        copy_out(written, "written", size)
    })
}

/// Leaves the game with the next message; the clock continues. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_leave(peer: *mut NetclockPeer) -> NetclockStatus {
    change!(netclock_peer_leave, peer, |it| {
        it.leave();
        Ok(())
    })
}
