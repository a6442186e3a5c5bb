use core::ffi::c_void;

use crate::clock::{Span, UtcTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{bytes_in, room_for};
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::game::handover::authority::{NetclockAuthority, authority_in};
use crate::ffi::session::config::{NetclockHostConfig, NetclockUtcTime, NetclockWorldTime};
use crate::ffi::session::player::NetclockPlayerReport;
use crate::ffi::session::start::{NetclockStartProposal, NetclockStartResult};
use crate::ffi::session::status::{NETCLOCK_HELD_UP, NETCLOCK_NO_MESSAGES};
use crate::ffi::session::world::{NETCLOCK_WORLD_NEW, NETCLOCK_WORLD_PAUSED, rate};
use crate::game::start::Proposal;
use crate::session::{BLOB_MOST, DATAGRAM_MOST, Host, LinkOffer};

/// The maximum length of a session datagram, in bytes.
pub const NETCLOCK_SESSION_DATAGRAM_MOST: usize = 256;
/// The maximum length of the blob from `netclock_host_blob`, in bytes.
pub const NETCLOCK_SESSION_BLOB_MOST: usize = 306;

const _: () = assert!(NETCLOCK_SESSION_DATAGRAM_MOST == DATAGRAM_MOST);
const _: () = assert!(NETCLOCK_SESSION_BLOB_MOST == BLOB_MOST);

/// The server's end of all sessions. A host answers requests, and sends world time, UTC, the authority and
/// starts to all players. Opaque.
pub struct NetclockHost(Owned<Host>);

owned! { NetclockHost(Host): "netclock_host", "host" }

/// Creates a host without players and stores it in `*host`. Pass a null `config` for the defaults.
/// `server_epoch` identifies this run of the server's clock, so draw a random number whenever the clock
/// starts. `seed_high` and `seed_low` make tokens unpredictable. Draw all 128 bits from the operating
/// system's random number generator.
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

/// Destroys a host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_destroy(host: *mut NetclockHost) -> NetclockStatus {
    destroy!(netclock_host_destroy, host)
}

/// Admits a player. `player` can be any number that identifies the connection. If `key` is not null, all
/// datagrams are sealed with it. Draw a different key for each connection. Set `unproven` to a nonzero value
/// if there is no key and the player's address may be forged, as over plain UDP. Until such a player returns
/// a token, the host never sends the player more bytes than it has received. If `unproven` is 0 and there is
/// no key, the game's own connection must authenticate the sender. Errors: `NETCLOCK_DUPLICATE`,
/// `NETCLOCK_FULL`, `NETCLOCK_BAD_CONFIG` if the secret of the key is zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_admit(
    host: *mut NetclockHost,
    player: u64,
    key: *const NetclockSessionKey,
    unproven: i32,
) -> NetclockStatus {
    change!(netclock_host_admit, host, |host| {
        if !key.is_null() {
            host.admit(player, Some(&key_in(key)?))?;
        } else if unproven != 0 {
            host.admit_unproven(player)?;
        } else {
            host.admit(player, None)?;
        }
        Ok(())
    })
}

/// Removes a player who has left. Starts no longer wait for this player. Errors:
/// `NETCLOCK_UNKNOWN_PARTICIPANT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_dismiss(host: *mut NetclockHost, player: u64) -> NetclockStatus {
    change!(netclock_host_dismiss, host, |host| Ok(host.dismiss(player)?))
}

/// Finds a player who has sent nothing for `longest` (ticks, at least 0) at server time `now` (ticks), and
/// returns the player's number in `*player`. If the transport does not report lost connections, dismiss the
/// player and call this again. In steady state, a guest sends a datagram every `steady_interval` of its
/// clock's settings. Returns `NETCLOCK_NOTHING_DUE` if there is no such player. Errors:
/// `NETCLOCK_OUT_OF_RANGE` if `longest` is negative.
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

/// Records the clock of world 0 to 3. Call this every frame. The world's clock reads `time` at the server's
/// real time `real` (both in ticks), and then runs at `rate` world ticks per real tick (1e-4 to 100). `flags`
/// is zero, `NETCLOCK_WORLD_PAUSED`, `NETCLOCK_WORLD_NEW`, or both. This rate is only a hint. If the world
/// has been running at a different rate in recent frames, the host sends the measured rate. Read `real` as
/// soon as possible after setting the world's clock. Errors: `NETCLOCK_UNKNOWN_WORLD`,
/// `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
/// `NETCLOCK_OUT_OF_RANGE` for an unknown flag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_observe(
    host: *mut NetclockHost,
    world: u32,
    real: NetclockServerTime,
    time: NetclockWorldTime,
    rate: f64,
    flags: u32,
) -> NetclockStatus {
    change!(netclock_host_observe, host, |host| {
        if flags > NETCLOCK_WORLD_PAUSED | NETCLOCK_WORLD_NEW {
            return Err(Failure::of(NETCLOCK_OUT_OF_RANGE));
        }
        // Validate all arguments first, because a failed call must not begin a new world.
        let (real, time) = (other_time(real)?, other_time(time)?);
        let rate = self::rate(rate, flags & NETCLOCK_WORLD_PAUSED != 0)?;
        if flags & NETCLOCK_WORLD_NEW != 0 {
            host.begin_world(world as usize)?;
        }
        host.observe(world as usize, real, time, rate)?;
        Ok(())
    })
}

/// Records that the machine's UTC was `utc` (ticks since 1970) at server time `at` (ticks). `error_bound`
/// (ticks) is the largest difference from true UTC, or `NETCLOCK_UNBOUNDED` if unknown. Call this about once
/// a second. `netclock_utc_now` reads both clocks. Errors: `NETCLOCK_UTC_OUT_OF_RANGE`,
/// `NETCLOCK_OUT_OF_RANGE` if the bound is negative, `NETCLOCK_TIME_WENT_BACKWARDS`.
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

/// Sets the authority, which states which timescale this server's clock shows and how far the clock may be
/// off. Players receive the authority with their first reply. Errors: `NETCLOCK_WIRE_STAMP` if the dispersion
/// is out of range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_state_authority(
    host: *mut NetclockHost,
    authority: *const NetclockAuthority,
) -> NetclockStatus {
    change!(netclock_host_state_authority, host, |host| Ok(host.state_authority(authority_in(authority)?)?))
}

/// If `in_use` is not 0, asks players to report the quality of their clocks, so that a later start does not
/// have to wait for the reports. `netclock_host_propose_start` also requests these reports. If `in_use` is 0,
/// ends the latest start, so that players who join later do not receive it. Pass 0 when the game needs no
/// further start, or when its next start is for a different world. The next start then waits until the
/// players have reported again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_use_starts(host: *mut NetclockHost, in_use: i32) -> NetclockStatus {
    change!(netclock_host_use_starts, host, |host| {
        if in_use == 0 {
            host.end_starts();
        } else {
            host.prepare_start();
        }
        Ok(())
    })
}

/// Schedules a start for all players, or reports who is not ready. Call this until a start is scheduled. The
/// host chooses the earliest suitable time that is not before `earliest`. By that time, the announcement will
/// have reached all ready players with probability `confidence` (above 0.5, at most 0.99999). `now` and
/// `earliest` are server times in ticks. If no player was admitted and `earliest` is in the future, the start
/// is at `earliest`. Returns `NETCLOCK_OK` and the start in `*proposal`, or `NETCLOCK_HELD_UP` with the
/// player who delays the start and the reason. Errors: `NETCLOCK_BAD_CONFIG` if the confidence is out of
/// range, `NETCLOCK_START_PENDING`, `NETCLOCK_UNKNOWN_PARTICIPANT` if no player was admitted.
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

/// Cancels the pending start at server time `now` (ticks). A player who does not receive the cancellation in
/// time starts anyway. Returns `NETCLOCK_NO_START` if no start is pending or its time has come.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_cancel_start(
    host: *mut NetclockHost,
    now: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_cancel_start, host, |host| Ok(host.cancel_start(other_time(now)?)?))
}

/// Returns the result of the latest start in `*outcome`, or `NETCLOCK_NO_START` if there was no start.
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

/// Checks the player at server time `now` (ticks), and returns a report in `*report`. Errors:
/// `NETCLOCK_UNKNOWN_PARTICIPANT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_player(
    host: *const NetclockHost,
    player: u64,
    now: NetclockServerTime,
    report: *mut NetclockPlayerReport,
) -> NetclockStatus {
    change!(netclock_host_player, host, |host| {
        check_size(report, "report")?;
        let start = host.participation(player, other_time(now)?)?;
        let known = NetclockPlayerReport::of(&start, &host.verdict(player)?, host.is_up_to_date(player)?);
        grow_out(report, "report", known)
    })
}

/// Excludes the player's clock from the rate check between the server times `from` and `to` (ticks). Call
/// this if the clock stopped or was set for a legitimate reason. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_TIME_WENT_BACKWARDS` if `to` is before `from`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_excuse(
    host: *mut NetclockHost,
    player: u64,
    from: NetclockServerTime,
    to: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_excuse, host, |host| Ok(host.excuse(player, other_time(from)?, other_time(to)?)?))
}

/// Measures the shortest recent round-trip time to the player, including the frames at both ends, and returns
/// it in `*round_trip` (ticks). `now` is server time in ticks. Each call enables the measurement for ten
/// seconds, so call this about once a second while you need the value. A player can make the round trip
/// longer, but not shorter. Returns `NETCLOCK_NO_MESSAGES` if the round-trip time is not known yet. Errors:
/// `NETCLOCK_UNKNOWN_PARTICIPANT`.
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
        copy_out(round_trip, "round_trip", known.ok_or_else(|| Failure::of(NETCLOCK_NO_MESSAGES))?.ticks())
    })
}

/// Writes a blob with the latest segments of all worlds into a buffer of `capacity` bytes
/// (`NETCLOCK_SESSION_BLOB_MOST` suffice), and its size to `*length`. Replicate the blob, so that replays can
/// read it with `netclock_guest_read_blob`. The blob changes only when a world's clock changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_blob(
    host: *const NetclockHost,
    blob: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_host_blob, host, |host| {
        let room = room_for(blob, "blob", capacity, BLOB_MOST)?;
        writable(length, "length")?;
        let mut bytes = [0; BLOB_MOST];
        let size = host.blob(&mut bytes);
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), room, size);
        copy_out(length, "length", size)
    })
}

/// Offers the player a link in addition to the game's connection. `port` is the UDP port of a
/// `netclock_link_server` at the same address, and `key` is the key that this link admitted for the player.
/// The host repeats the offer until the guest confirms it. Sealed datagrams are not encrypted, so offer a
/// link only if the game's own connection is private. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
/// `NETCLOCK_BAD_CONFIG` if the secret of the key is zero.
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

/// Reports that you polled your transport at server time `at` (ticks) and have handled every datagram that
/// had arrived by then. The host assumes that datagrams you pass to `netclock_host_receive` afterwards
/// arrived after `at`. Call this once per poll, after the last datagram. Before you pass a datagram that was
/// timestamped on arrival, call this with that timestamp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_polled(
    host: *mut NetclockHost,
    at: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_polled, host, |host| {
        // `polled` fails only if the time is out of range, and `other_time` has already checked this.
        let _ = host.polled(other_time(at)?);
        Ok(())
    })
}

/// Handles a datagram of `length` bytes from `player`, received at server time `arrived` (ticks). Errors:
/// `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_WIRE_...`,
/// and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
/// `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`. After `NETCLOCK_WIRE_OLDER` and `NETCLOCK_WIRE_NEWER`,
/// the host notifies the player of its version.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_host_receive(
    host: *mut NetclockHost,
    player: u64,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_host_receive, host, |host| {
        let bytes = bytes_in(datagram, length, "datagram", DATAGRAM_MOST)?;
        Ok(host.receive(player, bytes, other_time(arrived)?)?)
    })
}

/// Writes the next datagram to send at server time `now` (ticks) into a buffer of `capacity` bytes
/// (`NETCLOCK_SESSION_DATAGRAM_MOST` suffice), its length to `*length`, and its player to `*player`. Every
/// frame, right before you send the datagrams, call this until it returns `NETCLOCK_NOTHING_DUE`.
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
        let room = room_for(datagram, "datagram", capacity, DATAGRAM_MOST)?;
        let (to, bytes, _) = host.next(other_time(now)?).ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
        copy_out(player, "player", to)?;
        copy_out(length, "length", bytes.len())
    })
}
