//! A peer that shares a clock with other peers through a relay.

use core::ffi::c_void;

use crate::clock::LocalTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::game::peer::{PEER_DATAGRAM_SIZE, Peer, PeerReading, PeerStage, Rejection};

/// Peer stage: the peer is logging in, because it has no slot yet or has lost its slot.
pub const NETCLOCK_PEER_JOINING: i32 = 0;
/// Peer stage: the peer has a slot but no shared clock yet.
pub const NETCLOCK_PEER_WAITING: i32 = 1;
/// Peer stage: the peer has the shared clock, but the game has not started.
pub const NETCLOCK_PEER_SYNCED: i32 = 2;
/// Peer stage: the game is running.
pub const NETCLOCK_PEER_PLAYING: i32 = 3;
/// Peer stage: the peer left.
pub const NETCLOCK_PEER_ENDED: i32 = 4;

/// Rejection: none.
pub const NETCLOCK_REJECTED_NONE: i32 = 0;
/// Rejection: this game has no free slot, or the relay has no room for another game.
pub const NETCLOCK_REJECTED_FULL: i32 = 1;
/// Rejection: the peer is already logged in, over this or another connection.
pub const NETCLOCK_REJECTED_DUPLICATE: i32 = 2;
/// Rejection: the relay does not know the login.
pub const NETCLOCK_REJECTED_LOGIN: i32 = 3;

const _: () = assert!(
    Rejection::Full as i32 == NETCLOCK_REJECTED_FULL
        && Rejection::Duplicate as i32 == NETCLOCK_REJECTED_DUPLICATE
        && Rejection::NotLoggedIn as i32 == NETCLOCK_REJECTED_LOGIN
);

/// A peer takes part in one game and shares a clock with the other peers in that game. Opaque.
pub struct NetclockPeer(Owned<Peer>);

owned! { NetclockPeer(Peer): "netclock_peer", "peer" }

/// The state of a peer and its clock at a single local time. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPeerReading {
    /// `sizeof(netclock_peer_reading)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_PEER_...`.
    pub stage: i32,
    /// 1 if this peer is the primary and its clock is the shared clock, else 0.
    pub leads: i32,
    /// The state of the clock, one of `NETCLOCK_STATE_...`.
    pub state: i32,
    /// The number of the peer's slot, according to the relay's latest message.
    pub slot: u32,
    /// The number of peers in the game, according to the relay's latest message.
    pub players: u32,
    /// The number of the epoch, as in `netclock_reading`.
    pub epoch: u32,
    /// Why the relay rejected the last login, one of `NETCLOCK_REJECTED_...`.
    pub rejection: i32,
    /// The shared time in ticks. The time is zero until the game starts, and never goes backwards within an
    /// epoch.
    pub time: NetclockServerTime,
    /// The hard error bound in ticks. The primary's clock is within `time` plus or minus this bound, provided
    /// that the relay reports truthfully how long it holds messages. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound: i64,
    /// The expected error (one standard deviation) in ticks. `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
    /// The largest possible deviation of the primary's clock from the clock of the game's first primary, in
    /// ticks. It may grow when the primary changes.
    pub inherited: i64,
    /// The smallest recent round-trip time to the primary in ticks, not counting the time for which the relay
    /// held the messages. `NETCLOCK_UNBOUNDED` if unknown.
    pub round_trip: i64,
    /// Identifies the primary whose clock is shown. Zero until there is a primary. Two peers with the same
    /// `authority` read the same clock.
    pub authority: u64,
}

growable! { NetclockPeerReading: 80 }

to_c! { |reading: PeerReading| NetclockPeerReading {
    leads, time, inherited;
    slot: reading.slot.into(),
    players: reading.players.into(),
    state: reading.clock.state as i32,
    epoch: reading.clock.epoch,
    error_bound: reading.clock.error_bound.ticks(),
    expected_error: reading.clock.expected_error.ticks(),
    round_trip: reading.clock.round_trip.ticks(),
    authority: reading.clock.server_epoch,
    stage: match reading.stage {
        PeerStage::Joining => NETCLOCK_PEER_JOINING,
        PeerStage::Waiting => NETCLOCK_PEER_WAITING,
        PeerStage::Synced => NETCLOCK_PEER_SYNCED,
        PeerStage::Playing => NETCLOCK_PEER_PLAYING,
        PeerStage::Ended => NETCLOCK_PEER_ENDED,
    },
    rejection: reading.rejection.map_or(NETCLOCK_REJECTED_NONE, |rejection| rejection as i32),
} }

/// Creates a peer for the game with the id `game` and stores it in `*peer`. `config` contains the settings of
/// the peer's clock. Pass a null `config` for the defaults. `seed_high` and `seed_low` make the peer's
/// messages unpredictable. Draw all 128 bits from the operating system's random number generator.
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

/// Handles a datagram of `length` bytes received from the relay at local time `arrived` (ticks). Take this
/// timestamp as close to the network as possible. Errors: `NETCLOCK_WIRE_...`, `NETCLOCK_WRONG_KEY`,
/// `NETCLOCK_WRONG_ROLE`, `NETCLOCK_STALE` for a message about an earlier primary or login,
/// `NETCLOCK_LOGIN_REJECTED`, after which the reading contains the relay's reason, and for a rejected
/// exchange the codes starting with `NETCLOCK_UNKNOWN_REQUEST`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_receive(
    peer: *mut NetclockPeer,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_peer_receive, peer, |it| {
        let message = delivered::<PEER_DATAGRAM_SIZE>(datagram, length, "datagram")?;
        Ok(it.receive(message, LocalTime::from_ticks(arrived))?)
    })
}

/// Performs the work that is due at local time `now` (ticks), and returns the next message for the relay. The
/// message is a datagram of `NETCLOCK_PEER_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes.
/// Send it at once. Every frame, call this function until it returns `NETCLOCK_NOTHING_DUE`. Errors:
/// `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_next_message(
    peer: *mut NetclockPeer,
    now: NetclockLocalTime,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_peer_next_message, peer, |it| {
        let room = room(datagram, capacity)?;
        let next = at(now, |now| it.next_message(now))?;
        copy_out(room, "datagram", next.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// Reads the peer at local time `now` (ticks), and returns its state in `*reading`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_read(
    peer: *const NetclockPeer,
    now: NetclockLocalTime,
    reading: *mut NetclockPeerReading,
) -> NetclockStatus {
    change!(netclock_peer_read, peer, |it| { grow_out(reading, "reading", it.read(local_time(now)?)) })
}

/// Leaves the game. The next message announces that the peer has left, and the peer's clock keeps running.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_peer_leave(peer: *mut NetclockPeer) -> NetclockStatus {
    change!(netclock_peer_leave, peer, |it| {
        it.leave();
        Ok(())
    })
}
