//! A client's view of the server's UTC.

use core::ffi::c_void;

use crate::clock::UtcTime;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::reading::NetclockReading;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::game::utc::claim::{NetclockUtcClaim, NetclockUtcTime};
use crate::ffi::game::utc::status::NETCLOCK_SAME_UTC;
use crate::game::utc::{ServerUtc, UTC_DATAGRAM_SIZE, UtcChange, UtcReading, UtcReply};

/// What a client knows of its server's UTC. Opaque. Calls on it wait for each other. They take less than a
/// microsecond, so any thread may read.
pub struct NetclockServerUtc(Owned<ServerUtc>);

owned! { NetclockServerUtc(ServerUtc): "netclock_server_utc", "server_utc" }

/// The server's UTC at one instant. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockUtcReading {
    /// `sizeof(netclock_utc_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the claim. Another number, or another server epoch, means that UTC may have jumped.
    pub version: u32,
    /// UTC as the server claims it, in ticks since 1970-01-01 00:00, without leap seconds.
    pub utc: NetclockUtcTime,
    /// True UTC is within `utc` plus or minus this (ticks), if the server's source of time is right.
    /// `NETCLOCK_UNBOUNDED` if nobody states how good the server's UTC is, or the clock has no bound.
    pub error_bound: i64,
}

growable! { NetclockUtcReading: 24 }

to_c! { |reading: UtcReading| NetclockUtcReading { version, utc, error_bound } }

/// Creates a view that knows nothing and stores it in `*server_utc`. Give it back to
/// `netclock_server_utc_destroy`. `seed_high` and `seed_low` make request ids unguessable: draw 128 bits from
/// the operating system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG`,
/// `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_create(
    seed_high: u64,
    seed_low: u64,
    server_utc: *mut *mut NetclockServerUtc,
) -> NetclockStatus {
    create!(netclock_server_utc_create, server_utc, { Ok(ServerUtc::new(seed(seed_high, seed_low))?) })
}

/// Destroys a view, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_destroy(server_utc: *mut NetclockServerUtc) -> NetclockStatus {
    destroy!(netclock_server_utc_destroy, server_utc)
}

/// Adopts a claim that came over a transport that nobody else can write to, such as an engine's replication.
/// Claims may come in any order: the newest version of a server epoch counts. `*jump` says how far UTC jumps
/// (ticks, positive: forwards; 0 for the first claim of a server epoch). `NETCLOCK_SAME_UTC`: it was known.
/// Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` (bound or
/// drift), `NETCLOCK_UTC_OUTDATED`, `NETCLOCK_UTC_CONFLICT`, `NETCLOCK_UTC_LEAP`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_insert(
    server_utc: *mut NetclockServerUtc,
    claim: *const NetclockUtcClaim,
    jump: *mut i64,
) -> NetclockStatus {
    change!(netclock_server_utc_insert, server_utc, |server_utc| {
        let claim = grow_in(claim, "claim")?.into();
        let jump = writable(jump, "jump")?;
        changed(server_utc.insert(&claim)?, jump)
    })
}

/// Makes a request for the server's claim at local time `now` (ticks), as a datagram of
/// `NETCLOCK_UTC_DATAGRAM_SIZE` bytes, into a buffer of `capacity` bytes. Call it every frame after
/// `netclock_client_tick`, once the clock is synced and if your servers answer such requests. `server_epoch`
/// is that of the client's reading. A request about a server epoch is due at once, then ever less often until
/// there is an answer, then every 16 s. `NETCLOCK_NOTHING_DUE`: there is none. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_request(
    server_utc: *mut NetclockServerUtc,
    now: NetclockLocalTime,
    server_epoch: u64,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_server_utc_request, server_utc, |server_utc| {
        let (room, now) = (room(datagram, capacity)?, local_time(now)?);
        let due = server_utc.request(now, server_epoch).map_err(|error| Failure::time(error, now))?;
        copy_out(room, "datagram", due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?.encode())
    })
}

/// Handles the server's reply of `length` bytes that arrived at local time `arrived` (ticks). If it answers a
/// request of this view, it adopts the claim, as `netclock_server_utc_insert`, but whatever its version: the
/// reply is what the server says now. Each request is answered once. Errors: one of `NETCLOCK_WIRE_...`,
/// `NETCLOCK_UNKNOWN_REQUEST`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_handle_reply(
    server_utc: *mut NetclockServerUtc,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
    jump: *mut i64,
) -> NetclockStatus {
    change!(netclock_server_utc_handle_reply, server_utc, |server_utc| {
        let reply = UtcReply::decode(delivered::<UTC_DATAGRAM_SIZE>(datagram, length, "datagram")?)?;
        let (jump, arrived) = (writable(jump, "jump")?, local_time(arrived)?);
        changed(server_utc.handle_reply(&reply, arrived)?, jump)
    })
}

/// # Safety
/// `jump` can be written.
unsafe fn changed(change: Option<UtcChange>, jump: *mut i64) -> Outcome {
    let change = change.ok_or_else(|| Failure::of(NETCLOCK_SAME_UTC))?;
    // SAFETY: the caller's promise.
    unsafe { copy_out(jump, "jump", change.jump.ticks()) }
}

/// UTC at `now`, into `*reading`. `now` is what `netclock_client_read` gave, or a reading that you make from
/// another clock of the server's real time: only `server_time`, `error_bound`, `server_epoch` and whether its
/// `state` is `NETCLOCK_STATE_UNSYNCED` are used. UTC may jump, either way, when the claim changes.
/// `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none. Callable from any thread. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_read(
    server_utc: *const NetclockServerUtc,
    now: *const NetclockReading,
    reading: *mut NetclockUtcReading,
) -> NetclockStatus {
    change!(netclock_server_utc_read, server_utc, |server_utc| {
        let now = grow_in(now, "now")?.into();
        check_size(reading, "reading")?;
        grow_out(reading, "reading", server_utc.read(&now)?)
    })
}

/// The server time (ticks) at which UTC is `utc` (ticks since 1970), by the newest claim about this run of
/// the server's clock, into `*server_time`. Wait for that server time, and ask again when the claim changes.
/// `NETCLOCK_NO_UTC`: there is none. Callable from any thread. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_utc_server_time_at(
    server_utc: *const NetclockServerUtc,
    server_epoch: u64,
    utc: NetclockUtcTime,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_server_utc_server_time_at, server_utc, |server_utc| {
        let room = writable(server_time, "server_time")?;
        let at = server_utc.server_time_at(server_epoch, UtcTime::from_ticks(utc))?;
        copy_out(room, "server_time", at.ticks())
    })
}
