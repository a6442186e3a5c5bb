//! The server's end of all conversations.

use core::ffi::c_void;

use crate::clock::{Span, UtcTime, WireError, WorldTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::no_room;
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::game::adoption::authority::{NetclockAuthority, authority_in};
use crate::ffi::session::config::{NetclockHostConfig, NetclockUtcTime, NetclockWorldTime};
use crate::ffi::session::start::{NetclockStartParticipation, NetclockStartProposal, NetclockStartResult};
use crate::ffi::session::status::{NETCLOCK_HELD_UP, NETCLOCK_NO_MESSAGES};
use crate::ffi::session::watch::NetclockRateVerdict;
use crate::ffi::session::world::rate;
use crate::game::start::Proposal;
use crate::session::{BLOB_MOST, DATAGRAM_MOST, Host, LinkOffer};

/// Longest datagram of a session, in bytes.
pub const NETCLOCK_SESSION_DATAGRAM_MOST: usize = 256;
/// Longest blob of `netclock_host_blob`, in bytes.
pub const NETCLOCK_SESSION_BLOB_MOST: usize = 306;

const _: () = assert!(NETCLOCK_SESSION_DATAGRAM_MOST == DATAGRAM_MOST);
const _: () = assert!(NETCLOCK_SESSION_BLOB_MOST == BLOB_MOST);

/// The server's end: answers requests, and tells all players the worlds' time, UTC, the authority and starts.
/// Opaque. Calls on it wait for each other.
pub struct NetclockHost(Owned<Host>);

owned! { NetclockHost(Host): "netclock_host", "host" }

/// Creates a host without players and stores it in `*host`. Give it back to `netclock_host_destroy`. `config`
/// may be null for all defaults. `server_epoch` names the run of the server's clock: a random number, drawn
/// at each start. `seed_high` and `seed_low` make tokens unguessable: draw 128 bits from the operating
/// system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_create(
    config: *const NetclockHostConfig,
    server_epoch: u64,
    seed_high: u64,
    seed_low: u64,
    host: *mut *mut NetclockHost,
) -> NetclockStatus {
    create!(netclock_host_create, host, {
        let config = optional(config, "config")?.to_config()?;
        Ok(Host::new(config, server_epoch, seed(seed_high, seed_low))?)
    })
}

/// Destroys a host, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_destroy(host: *mut NetclockHost) -> NetclockStatus {
    destroy!(netclock_host_destroy, host)
}

/// Admits a player whose datagrams come over the game's own connection, which vouches for the sender.
/// `player` is any number that names the connection. If `key` is not null, all datagrams are sealed with it:
/// draw another one for each connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_DUPLICATE`,
/// `NETCLOCK_FULL`, `NETCLOCK_BAD_CONFIG` for the key, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_admit(
    host: *mut NetclockHost,
    player: u64,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_host_admit, host, |host| {
        let key = if key.is_null() { None } else { Some(key_in(key)?) };
        Ok(host.admit(player, key.as_ref())?)
    })
}

/// Admits a player whose address may be forged, over plain UDP for example. The host sends it no more bytes
/// than it received, until the player returns a token. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_DUPLICATE`, `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_admit_unproven(
    host: *mut NetclockHost,
    player: u64,
) -> NetclockStatus {
    change!(netclock_host_admit_unproven, host, |host| Ok(host.admit_unproven(player)?))
}

/// Forgets a player who has left. Starts do not wait for it. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_dismiss(host: *mut NetclockHost, player: u64) -> NetclockStatus {
    change!(netclock_host_dismiss, host, |host| Ok(host.dismiss(player)?))
}

/// A player from whom nothing has arrived for `longest` (ticks, at least 0) at server time `now` (ticks),
/// into `*player`: dismiss it if the transport reports no lost connections, and ask again. A guest at rest
/// sends a datagram every `steady_interval` of its clock's settings. `NETCLOCK_NOTHING_DUE`: there is none.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_silent(
    host: *mut NetclockHost,
    now: NetclockServerTime,
    longest: i64,
    player: *mut u64,
) -> NetclockStatus {
    change!(netclock_host_silent, host, |host| {
        writable(player, "player")?;
        if longest < 0 {
            return Err(Failure::of(NETCLOCK_OUT_OF_RANGE));
        }
        let silent = host.silent(other_time(now)?, Span::from_ticks(longest));
        copy_out(player, "player", silent.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// Writes 1 to `*is_up_to_date` if the player has confirmed the newest state of every subject, else 0.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_is_up_to_date(
    host: *const NetclockHost,
    player: u64,
    is_up_to_date: *mut i32,
) -> NetclockStatus {
    change!(netclock_host_is_up_to_date, host, |host| {
        writable(is_up_to_date, "is_up_to_date")?;
        copy_out(is_up_to_date, "is_up_to_date", i32::from(host.is_up_to_date(player)?))
    })
}

/// Observes a frame of world 0 to 3; call it in every frame. At the server's real time `real` the world's
/// clock reads `time` (ticks). From there it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands
/// still if `paused` is not 0. The rate is a hint: if the world of the last frames ran at another one,
/// players are told the measured rate. Read `real` as soon as possible after the world's clock was set.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_RATE_OUT_OF_RANGE`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_observe(
    host: *mut NetclockHost,
    world: u32,
    real: NetclockServerTime,
    time: NetclockWorldTime,
    rate: f64,
    paused: i32,
) -> NetclockStatus {
    change!(netclock_host_observe, host, |host| {
        let rate = self::rate(rate, paused)?;
        host.observe(world as usize, other_time(real)?, WorldTime::from_ticks(time), rate)?;
        Ok(())
    })
}

/// Begins another world under the number `world`, 0 to 3, with the next observed frame: another map, whose
/// clock may begin at any time. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_WORLD`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_begin_world(host: *mut NetclockHost, world: u32) -> NetclockStatus {
    change!(netclock_host_begin_world, host, |host| Ok(host.begin_world(world as usize)?))
}

/// Observes that at server time `at` (ticks) the machine's UTC was `utc` (ticks since 1970), within
/// `error_bound` (ticks) of true UTC. `NETCLOCK_UNBOUNDED`: nobody states a bound. Call it about once a
/// second; `netclock_utc_now` reads both clocks. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative bound,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_observe_utc(
    host: *mut NetclockHost,
    at: NetclockServerTime,
    utc: NetclockUtcTime,
    error_bound: i64,
) -> NetclockStatus {
    change!(netclock_host_observe_utc, host, |host| {
        let bound: Option<Span> = Field::from_c(error_bound);
        host.observe_utc(other_time(at)?, UtcTime::from_ticks(utc), bound)?;
        Ok(())
    })
}

/// States whose clock this server shows, and how far it may be off. Players learn it with their first reply.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_STAMP` for the dispersion,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_state_authority(
    host: *mut NetclockHost,
    authority: *const NetclockAuthority,
) -> NetclockStatus {
    change!(netclock_host_state_authority, host, |host| Ok(host.state_authority(authority_in(authority)?)?))
}

/// Has the players report how good their clocks are, so that a start that is proposed later need not wait for
/// it. `netclock_host_propose_start` does it too. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_prepare_start(host: *mut NetclockHost) -> NetclockStatus {
    change!(netclock_host_prepare_start, host, |host| {
        host.prepare_start();
        Ok(())
    })
}

/// Schedules a start of all players, or says who is not ready; call it until a start is scheduled. The start
/// is as early as all ready players learn of it in time with probability `confidence` (above 0.5, at most
/// 0.99999), and not before `earliest`. `now` and `earliest` are server time in ticks. If `earliest` is in
/// the future and nobody was admitted, the start is then. `NETCLOCK_OK`: `*proposal` has the start.
/// `NETCLOCK_HELD_UP`: `*proposal` says who holds it up and why. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` for the confidence, `NETCLOCK_START_PENDING`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT` if nobody was admitted, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_propose_start(
    host: *mut NetclockHost,
    now: NetclockServerTime,
    earliest: NetclockServerTime,
    confidence: f64,
    proposal: *mut NetclockStartProposal,
) -> NetclockStatus {
    change!(netclock_host_propose_start, host, |host| {
        check_size(proposal, "proposal")?;
        let proposed = host.propose_start(other_time(now)?, other_time(earliest)?, confidence)?;
        grow_out(proposal, "proposal", proposed)?;
        if matches!(proposed, Proposal::HeldUp { .. }) { Err(Failure::of(NETCLOCK_HELD_UP)) } else { Ok(()) }
    })
}

/// Cancels the start that is under way; `now` is server time in ticks. A player who does not learn of it in
/// time starts. `NETCLOCK_NO_START`: none is under way, or its time has come. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_cancel_start(
    host: *mut NetclockHost,
    now: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_cancel_start, host, |host| Ok(host.cancel_start(other_time(now)?)?))
}

/// Ends the newest start: players who join later do not learn of it. Call it when the game needs no further
/// start, or when its next start is for another world. The next start waits until the players have reported
/// anew how good their clocks are. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_end_starts(host: *mut NetclockHost) -> NetclockStatus {
    change!(netclock_host_end_starts, host, |host| {
        host.end_starts();
        Ok(())
    })
}

/// The result of the newest start, into `*outcome`. `NETCLOCK_NO_START`: there was none yet. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_start_result(
    host: *const NetclockHost,
    outcome: *mut NetclockStartResult,
) -> NetclockStatus {
    change!(netclock_host_start_result, host, |host| {
        check_size(outcome, "outcome")?;
        grow_out(outcome, "outcome", host.start_result()?)
    })
}

/// What the host knows about the player's part in starts at server time `now` (ticks), into `*participation`.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_participation(
    host: *const NetclockHost,
    player: u64,
    now: NetclockServerTime,
    participation: *mut NetclockStartParticipation,
) -> NetclockStatus {
    change!(netclock_host_participation, host, |host| {
        check_size(participation, "participation")?;
        grow_out(participation, "participation", host.participation(player, other_time(now)?)?)
    })
}

/// What the watch over the rate of the player's clock has found, into `*verdict`. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_verdict(
    host: *const NetclockHost,
    player: u64,
    verdict: *mut NetclockRateVerdict,
) -> NetclockStatus {
    change!(netclock_host_verdict, host, |host| {
        check_size(verdict, "verdict")?;
        grow_out(verdict, "verdict", host.verdict(player)?)
    })
}

/// Ignores what the player's clock did from `from` to `to`, in ticks of server time, because it stood still
/// or was set for a good reason. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS` if `to` is before `from`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_excuse(
    host: *mut NetclockHost,
    player: u64,
    from: NetclockServerTime,
    to: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_excuse, host, |host| Ok(host.excuse(player, other_time(from)?, other_time(to)?)?))
}

/// The shortest round trip to the player in the last seconds at server time `now` (ticks), the frames of both
/// ends included, into `*round_trip` (ticks). The host measures it for ten seconds after each call, so call
/// it about once a second as long as you need it. A player can make it longer, but not shorter.
/// `NETCLOCK_NO_MESSAGES`: it is not yet known. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_round_trip(
    host: *mut NetclockHost,
    player: u64,
    now: NetclockServerTime,
    round_trip: *mut i64,
) -> NetclockStatus {
    change!(netclock_host_round_trip, host, |host| {
        writable(round_trip, "round_trip")?;
        let known = host.round_trip(player, other_time(now)?)?;
        let known = known.ok_or_else(|| Failure::of(NETCLOCK_NO_MESSAGES))?;
        copy_out(round_trip, "round_trip", known.ticks())
    })
}

/// Writes the newest segments of all worlds into a buffer of `capacity` bytes (`NETCLOCK_SESSION_BLOB_MOST`),
/// and the number of bytes to `*length`. Replicate them for replays, which `netclock_guest_read_blob` reads.
/// They change only when a world's clock does. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if
/// the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_blob(
    host: *const NetclockHost,
    blob: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_host_blob, host, |host| {
        writable(blob, "blob")?;
        writable(length, "length")?;
        if capacity < BLOB_MOST {
            return Err(no_room(capacity, BLOB_MOST));
        }
        let mut bytes = [0; BLOB_MOST];
        let size = host.blob(&mut bytes);
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), blob.cast::<u8>(), size);
        copy_out(length, "length", size)
    })
}

/// Offers the player a link beside the game's connection: the UDP port of a `netclock_link_server` at the
/// same address, and the key that it admitted for this player. The offer is repeated until the guest confirms
/// it. Seals do not hide what they seal, so offer a link only if the game's own connection is private.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_BAD_CONFIG` for the key,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_offer_link(
    host: *mut NetclockHost,
    player: u64,
    port: u16,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_host_offer_link, host, |host| {
        Ok(host.offer_link(player, LinkOffer { port, key: key_in(key)? })?)
    })
}

/// Notes that the caller polled its transport at server time `at` (ticks), and has handled all datagrams that
/// were there. So the datagrams that `netclock_host_receive` gets afterwards arrived after `at`. Call it once
/// a poll, after the last datagram. Before a datagram that was stamped on arrival, pass its stamp. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_polled(
    host: *mut NetclockHost,
    at: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_polled, host, |host| {
        // Its only error is a time out of range.
        let _ = host.polled(other_time(at)?);
        Ok(())
    })
}

/// Handles a datagram of `length` bytes from `player` that arrived at server time `arrived` (ticks). Errors,
/// which change nothing: `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`,
/// one of `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
/// `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_receive(
    host: *mut NetclockHost,
    player: u64,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_receive, host, |host| {
        let bytes = bytes_in(datagram, length, "datagram", DATAGRAM_MOST, WireError::Length)?;
        Ok(host.receive(player, bytes, other_time(arrived)?)?)
    })
}

/// The next datagram to send at server time `now` (ticks): the player to `*player`, its bytes into a buffer
/// of `capacity` bytes (`NETCLOCK_SESSION_DATAGRAM_MOST`), and their number to `*length`. Call it in every
/// frame until it returns `NETCLOCK_NOTHING_DUE`, right before datagrams leave. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_next(
    host: *mut NetclockHost,
    now: NetclockServerTime,
    player: *mut u64,
    datagram: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_host_next, host, |host| {
        writable(player, "player")?;
        writable(length, "length")?;
        let room = session_room(datagram, capacity)?;
        let (to, bytes, _) = host.next(other_time(now)?).ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
        copy_out(player, "player", to)?;
        copy_out(length, "length", bytes.len())
    })
}

/// Where a datagram of a session goes.
pub(super) fn session_room(datagram: *mut c_void, capacity: usize) -> Outcome<*mut u8> {
    writable(datagram, "datagram")?;
    if capacity < DATAGRAM_MOST { Err(no_room(capacity, DATAGRAM_MOST)) } else { Ok(datagram.cast()) }
}
