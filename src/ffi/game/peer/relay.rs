//! The relay between peers that share a clock.

use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::game::peer::status::NETCLOCK_NO_GAME;
use crate::ffi::game::peer::stream::{NETCLOCK_MAX_MESSAGE_SIZE, message_room};
use crate::game::peer::{GameStatus, PeerError, Relay, RelayConfig};

/// A relay: gives peers slots in games, forwards between them, and stamps how long it held each message.
/// Opaque. Calls on it wait for each other.
pub struct NetclockRelay(Owned<Relay>);

owned! { NetclockRelay(Relay): "netclock_relay", "relay" }

/// Settings of a relay. Set `struct_size`, and everything else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRelayConfig {
    /// `sizeof(netclock_relay_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Most games at a time. (1 to 256, default 16)
    pub games: u32,
    /// Most peers of a game. (2 to 64, default 8)
    pub slots: u32,
    /// Peers that must be there before a game begins. (1 to `slots`, default 2)
    pub players: u32,
    /// A peer that is silent for this long is gone. A primary that answers no requests for this long is
    /// replaced. (ticks, 1 s to 60 s, default 3 s)
    pub silence: i64,
    /// How long a game waits for peers whose clocks are not in sync. (ticks, 1 tick to 10 min, default 10 s)
    pub patience: i64,
    /// What a connection may send: bytes a second, with 32 added for each message. (1000 to 10^7, default
    /// 32768)
    pub budget: u32,
    /// Bytes that may wait for one peer, allocated at creation for each slot of each game. (2064 to 65536,
    /// default 8192)
    pub queue: u32,
}

growable! { NetclockRelayConfig: 40 }

settings! { |config: NetclockRelayConfig| RelayConfig {
    games, slots, players, silence, patience, budget, queue
} }

/// The state of a game at a relay. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRelayGame {
    /// `sizeof(netclock_relay_game)` as compiled into the caller.
    pub struct_size: u32,
    /// Peers that are there.
    pub players: u32,
    /// How many primaries there were, including the present one.
    pub generation: u32,
    /// 1 if the game began, else 0.
    pub began: i32,
    /// 1 if there is a primary, else 0.
    pub has_primary: i32,
    /// Zero.
    pub reserved: i32,
    /// Connection of the primary, if there is one.
    pub primary: u64,
    /// Messages to peers that did not fit into their queues.
    pub dropped: u64,
}

growable! { NetclockRelayGame: 40 }

to_c! { |game: GameStatus| NetclockRelayGame {
    players, generation, began, dropped;
    has_primary: i32::from(game.primary.is_some()),
    primary: game.primary.unwrap_or(0),
} }

/// Creates a relay without games and stores it in `*relay`. Give it back to `netclock_relay_destroy`.
/// `config` may be null for all defaults. `seed_high` and `seed_low` make its tokens unguessable: draw
/// 128 bits from the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_create(
    config: *const NetclockRelayConfig,
    seed_high: u64,
    seed_low: u64,
    relay: *mut *mut NetclockRelay,
) -> NetclockStatus {
    create!(netclock_relay_create, relay, {
        Ok(Relay::new(optional(config, "config")?.to_config(), seed(seed_high, seed_low))?)
    })
}

/// Destroys a relay, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_destroy(relay: *mut NetclockRelay) -> NetclockStatus {
    destroy!(netclock_relay_destroy, relay)
}

/// Handles one message of `length` bytes that came on `connection` when the relay's clock read `received`.
/// `connection` is any number that you give to all messages from one address. Stamp the arrival as close to
/// the socket as possible: the relay tells peers how long the message waited from then on. Then send what
/// `netclock_relay_next_message` gives, best before the next message is read: only 16 answers to connections
/// without a slot can wait. If there are more, each of these has the same chance. A peer gets its slot with
/// the second of two logins, which shows that it hears the relay. Errors, after which nothing is forwarded:
/// `NETCLOCK_MESSAGE_SIZE`, `NETCLOCK_MESSAGE_UNKNOWN`, `NETCLOCK_MESSAGE_MALFORMED`, `NETCLOCK_WIRE_OLDER`,
/// `NETCLOCK_WIRE_NEWER`, `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`,
/// `NETCLOCK_WRONG_KEY`, `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` (about an earlier primary),
/// `NETCLOCK_OVER_BUDGET`, `NETCLOCK_UNSOLICITED`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`. Forwarded, but not to everybody: `NETCLOCK_QUEUE_FULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_receive(
    relay: *mut NetclockRelay,
    connection: u64,
    message: *const c_void,
    length: usize,
    received: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_relay_receive, relay, |it| {
        Ok(it.receive(
            connection,
            bytes_in(message, length, "message", NETCLOCK_MAX_MESSAGE_SIZE, PeerError::Size)?,
            LocalTime::from_ticks(received),
        )?)
    })
}

/// The connection was closed at `now` (ticks), so its peer has left. Errors: `NETCLOCK_NOT_LOGGED_IN`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_disconnect(
    relay: *mut NetclockRelay,
    connection: u64,
    now: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_relay_disconnect, relay, |it| {
        Ok(it.disconnect(connection, LocalTime::from_ticks(now))?)
    })
}

/// Whether this connection has a slot: `NETCLOCK_OK` if it has one, `NETCLOCK_NOT_LOGGED_IN` if not. If
/// messages come as datagrams, keep the addresses of connections with a slot and forget the others. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_has_slot(
    relay: *const NetclockRelay,
    connection: u64,
) -> NetclockStatus {
    change!(netclock_relay_has_slot, relay, |it| {
        if it.has_slot(connection) { Ok(()) } else { Err(PeerError::NotLoggedIn.into()) }
    })
}

/// Does what is due at `now` (ticks). Gives the next message to send at once, its connection and its length,
/// into a buffer of `capacity` bytes. Call it until it returns `NETCLOCK_NOTHING_DUE`: whenever messages
/// came, and at least every 50 ms. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is
/// too small, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_next_message(
    relay: *mut NetclockRelay,
    now: NetclockLocalTime,
    connection: *mut u64,
    message: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_relay_next_message, relay, |it| {
        writable(connection, "connection")?;
        let room = message_room(message, capacity)?;
        writable(length, "length")?;
        let found = it.next_message(LocalTime::from_ticks(now), room)?;
        let (to, size) = found.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        copy_out(connection, "connection", to)?;
        copy_out(length, "length", size)
    })
}

/// The state of the game with this id, into `*state`. `NETCLOCK_NO_GAME`: nobody plays it. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_read_game(
    relay: *const NetclockRelay,
    game: u64,
    state: *mut NetclockRelayGame,
) -> NetclockStatus {
    change!(netclock_relay_read_game, relay, |it| {
        check_size(state, "state")?;
        grow_out(state, "state", it.game_status(game).ok_or_else(|| Failure::of(NETCLOCK_NO_GAME))?)
    })
}
