//! A peer, which shares a clock with others through a relay.

use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::game::peer::status::NETCLOCK_GAME_MESSAGE;
use crate::ffi::game::peer::stream::{NETCLOCK_MAX_MESSAGE_SIZE, message_room};
use crate::game::peer::{GameMessage, Peer, PeerError, PeerReading, PeerStage, Rejection, Role};

/// Peer stage: the peer has no slot, or lost it, and is logging in.
pub const NETCLOCK_PEER_JOINING: i32 = 0;
/// Peer stage: the peer has a slot, but no shared clock yet.
pub const NETCLOCK_PEER_WAITING: i32 = 1;
/// Peer stage: the peer has the shared clock, but the game has not started.
pub const NETCLOCK_PEER_SYNCED: i32 = 2;
/// Peer stage: the game is running.
pub const NETCLOCK_PEER_PLAYING: i32 = 3;
/// Peer stage: the peer left, or the relay uses a different version.
pub const NETCLOCK_PEER_ENDED: i32 = 4;

/// Peer role: none, because the peer has no slot.
pub const NETCLOCK_ROLE_NONE: i32 = 0;
/// Peer role: primary. The peer's clock is the shared clock.
pub const NETCLOCK_ROLE_PRIMARY: i32 = 1;
/// Peer role: secondary. The peer follows the primary.
pub const NETCLOCK_ROLE_SECONDARY: i32 = 2;

/// Rejection: none.
pub const NETCLOCK_REJECTED_NONE: i32 = 0;
/// Rejection: the relay uses a different version.
pub const NETCLOCK_REJECTED_VERSION: i32 = 1;
/// Rejection: this game has no free slot, or the relay has no room for another game.
pub const NETCLOCK_REJECTED_FULL: i32 = 2;
/// Rejection: the peer is already logged in, over this connection or another one.
pub const NETCLOCK_REJECTED_DUPLICATE: i32 = 3;
/// Rejection: the relay does not know the login.
pub const NETCLOCK_REJECTED_LOGIN: i32 = 4;

const _: () = assert!(
    Rejection::Version as i32 == NETCLOCK_REJECTED_VERSION
        && Rejection::Full as i32 == NETCLOCK_REJECTED_FULL
        && Rejection::Duplicate as i32 == NETCLOCK_REJECTED_DUPLICATE
        && Rejection::NotLoggedIn as i32 == NETCLOCK_REJECTED_LOGIN
);

/// A peer, which takes part in one game and shares a clock with its other peers. Opaque.
pub struct NetclockPeer(Owned<Peer>);

owned! { NetclockPeer(Peer): "netclock_peer", "peer" }

/// A peer's state at one local instant. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPeerReading {
    /// `sizeof(netclock_peer_reading)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_PEER_...`.
    pub stage: i32,
    /// One of `NETCLOCK_ROLE_...`.
    pub role: i32,
    /// The state of the clock: one of `NETCLOCK_STATE_...`.
    pub state: i32,
    /// Number of the peer's slot, according to the relay's latest message.
    pub slot: u32,
    /// Number of peers in the game, according to the relay's latest message.
    pub players: u32,
    /// Counts reported discontinuities, like `epoch` in `netclock_reading`.
    pub epoch: u32,
    /// Why the relay rejected the last login: one of `NETCLOCK_REJECTED_...`.
    pub rejection: i32,
    /// The shared time in ticks. It is zero until the game starts, and never goes backwards within an
    /// `epoch`.
    pub time: NetclockServerTime,
    /// Hard bound in ticks: the primary's clock is within `time` plus or minus this, if the relay reports its
    /// hold times truthfully. `NETCLOCK_UNBOUNDED` if nothing can be guaranteed.
    pub error_bound: i64,
    /// Expected error, one standard deviation, in ticks. `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
    /// How far the primary's clock may deviate from that of the game's first primary, in ticks. Each change
    /// of the primary may add to it.
    pub inherited: i64,
    /// The smallest recent round-trip time to the primary in ticks, without the relay's hold times.
    /// `NETCLOCK_UNBOUNDED` if unknown.
    pub round_trip: i64,
    /// The authority: identifies the primary whose clock is shown; zero before there is one. Two peers with
    /// the same authority read the same clock.
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

/// A game message from another peer. Its data starts at byte `NETCLOCK_GAME_HEADER_SIZE` of the message. Set
/// `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPeerGameMessage {
    /// `sizeof(netclock_peer_game_message)` in the caller's program.
    pub struct_size: u32,
    /// The id of the message, at least `NETCLOCK_FIRST_GAME_ID`.
    pub id: u32,
    /// The sender's slot, as written by the relay.
    pub slot: u32,
    /// The sender's shared time in milliseconds, modulo 2^32.
    pub stamp: u32,
    /// The full timestamp in ticks: of the possible instants, the one closest to this peer's own shared time.
    /// Zero if this peer has no shared time.
    pub time: NetclockServerTime,
}

growable! { NetclockPeerGameMessage: 24 }

to_c! { |message: GameMessage<'_>| NetclockPeerGameMessage {
    stamp, time;
    id: message.id.into(),
    slot: message.slot.into(),
} }

/// Creates a peer for the game with the id `game` and stores it in `*peer`. `config` may be null for all
/// defaults. It contains the settings of the peer's clock. `seed_high` and `seed_low` make its messages
/// unpredictable: draw 128 bits from the operating system.
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

/// Destroys a peer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_destroy(peer: *mut NetclockPeer) -> NetclockStatus {
    destroy!(netclock_peer_destroy, peer)
}

/// Handles one message of `length` bytes from the relay. It arrived at local time `arrived` (ticks), taken as
/// close to the network as possible. If it is a game message, returns `NETCLOCK_GAME_MESSAGE` and a
/// description in `*game`; otherwise `*game` is unchanged. Errors: `NETCLOCK_MESSAGE_SIZE`,
/// `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`,
/// `NETCLOCK_NOT_LOGGED_IN` for a game message before the login, `NETCLOCK_STALE` for a message about an
/// earlier primary or login, and the errors of a rejected exchange from `NETCLOCK_UNKNOWN_REQUEST`. After
/// `NETCLOCK_LOGIN_REJECTED`, the reading contains the relay's reason.
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
        let Some(received) = it.receive(message, LocalTime::from_ticks(arrived))? else { return Ok(()) };
        grow_out(game, "game", received)?;
        Err(Failure::of(NETCLOCK_GAME_MESSAGE))
    })
}

/// Does what is due at local time `now` (ticks), and returns the next message for the relay in a buffer of
/// `capacity` bytes, and its size in `*length`. Send the message at once. Call this function in every frame
/// until it returns `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
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
        let now = LocalTime::from_ticks(now);
        it.tick(now).map_err(|error| Failure::time(error, now))?;
        let size = it.next_message(now, room);
        copy_out(length, "length", size.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// Returns the peer's state at local time `now` (ticks) in `*reading`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_read(
    peer: *const NetclockPeer,
    now: NetclockLocalTime,
    reading: *mut NetclockPeerReading,
) -> NetclockStatus {
    change!(netclock_peer_read, peer, |it| { grow_out(reading, "reading", it.read(local_time(now)?)) })
}

/// Creates a game message with this id and `length` bytes of data in a buffer of `capacity` bytes, and
/// returns its size in `*written`. The message carries the shared time at local time `now` (ticks). Send it
/// to the relay, which forwards it to all other peers in the game. `data` may be null if `length` is zero.
/// Returns `NETCLOCK_NOT_BEGUN` if there is no shared time yet. Errors: `NETCLOCK_MESSAGE_UNKNOWN` if the id
/// is below `NETCLOCK_FIRST_GAME_ID`, `NETCLOCK_MESSAGE_SIZE` if there is too much data,
/// `NETCLOCK_NOT_LOGGED_IN`.
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
        // The data is copied last, because `data` may be in the same buffer.
        message_room(message, capacity)?[..size].copy_from_slice(&stamped[..size]);
        copy_out(written, "written", size)
    })
}

/// Leaves the game with the next message. The clock continues.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_leave(peer: *mut NetclockPeer) -> NetclockStatus {
    change!(netclock_peer_leave, peer, |it| {
        it.leave();
        Ok(())
    })
}
