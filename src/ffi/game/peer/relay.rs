use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::game::peer::status::NETCLOCK_NO_GAME;
use crate::game::peer::{GameStatus, PEER_DATAGRAM_SIZE, PeerError, Relay, RelayConfig};

/// The size of a message between a relay and a peer, in bytes. On byte streams, messages follow one another
/// without separators.
pub const NETCLOCK_PEER_DATAGRAM_SIZE: usize = 64;

const _: () = assert!(NETCLOCK_PEER_DATAGRAM_SIZE == PEER_DATAGRAM_SIZE);

/// A relay assigns game slots to peers, forwards their messages, and records how long it held each message.
/// Opaque.
pub struct NetclockRelay(Owned<Relay>);

owned! { NetclockRelay(Relay): "netclock_relay", "relay" }

/// Relay settings. Set `struct_size` to `sizeof(netclock_relay_config)`. A zero field selects its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRelayConfig {
    /// `sizeof(netclock_relay_config)` in the caller's program.
    pub struct_size: u32,
    /// The maximum number of games. (1 to 256, default 16)
    pub games: u32,
    /// The maximum number of peers per game. (2 to 64, default 8)
    pub slots: u32,
    /// The number of peers needed to start a game. (1 to `slots`, default 2)
    pub players: u32,
}

settings! { |config: NetclockRelayConfig| RelayConfig {
    games, slots, players
} }

/// The state of a game at a relay. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockRelayGame {
    /// `sizeof(netclock_relay_game)` in the caller's program.
    pub struct_size: u32,
    /// The number of connected peers.
    pub players: u32,
    /// The number of primaries so far, including the current one.
    pub generation: u32,
    /// 1 if the game has started, else 0.
    pub began: i32,
    /// The primary's connection.
    pub primary: u64,
}

growable! { NetclockRelayConfig: 16, NetclockRelayGame: 24 }

to_c! { |game: GameStatus| NetclockRelayGame { players, generation, began, primary } }

/// Creates a relay without games and stores it in `*relay`. Pass a null `config` for the defaults.
/// `seed_high` and `seed_low` make the relay's tokens unpredictable. Draw all 128 bits from the operating
/// system's random number generator.
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

/// Destroys a relay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_destroy(relay: *mut NetclockRelay) -> NetclockStatus {
    destroy!(netclock_relay_destroy, relay)
}

/// Handles a datagram of `length` bytes that arrived on `connection` when the relay's clock read `received`
/// (ticks). `connection` is a number of your choice that identifies the sender's address. Take this timestamp
/// as close to the socket as possible, because the relay reports to peers how long it held each message.
/// After this call, send the messages that `netclock_relay_next_message` returns, preferably before you read
/// the next message. The relay queues at most 16 replies to connections without a slot. If there are more, it
/// keeps 16 of them at random. A peer receives its slot with its second login, which proves that the peer
/// receives the relay's messages. After an error, the relay forwards nothing. Errors: `NETCLOCK_WIRE_...`,
/// `NETCLOCK_NOT_LOGGED_IN`, `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_WRONG_KEY`,
/// `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary, `NETCLOCK_OVER_BUDGET`,
/// `NETCLOCK_UNSOLICITED`, `NETCLOCK_QUEUE_FULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_receive(
    relay: *mut NetclockRelay,
    connection: u64,
    datagram: *const c_void,
    length: usize,
    received: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_relay_receive, relay, |it| {
        let message = delivered::<PEER_DATAGRAM_SIZE>(datagram, length, "datagram")?;
        Ok(it.receive(connection, message, LocalTime::from_ticks(received))?)
    })
}

/// Reports that the connection was closed at `now` (ticks) and that its peer has left. Errors:
/// `NETCLOCK_NOT_LOGGED_IN`.
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

/// Returns `NETCLOCK_OK` if this connection has a slot, and `NETCLOCK_NOT_LOGGED_IN` otherwise. If messages
/// arrive as datagrams, store only the addresses of connections with a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_has_slot(
    relay: *const NetclockRelay,
    connection: u64,
) -> NetclockStatus {
    change!(netclock_relay_has_slot, relay, |it| {
        if it.has_slot(connection) { Ok(()) } else { Err(PeerError::NotLoggedIn.into()) }
    })
}

/// Performs the work that is due at `now` (ticks), and returns the next message to send and its connection in
/// `*connection`. The message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a buffer of
/// `capacity` bytes. Send it at once. Whenever messages have arrived, and at least every 50 ms, call this
/// function until it returns `NETCLOCK_NOTHING_DUE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_relay_next_message(
    relay: *mut NetclockRelay,
    now: NetclockLocalTime,
    connection: *mut u64,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_relay_next_message, relay, |it| {
        writable(connection, "connection")?;
        let room = room(datagram, capacity)?;
        let (to, next) =
            at(now, |now| it.next_message(now))?.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        copy_out(connection, "connection", to)?;
        copy_out(room, "datagram", next)
    })
}

/// Returns the state of `game` in `*state`. Returns `NETCLOCK_NO_GAME` if no peer is playing this game.
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
