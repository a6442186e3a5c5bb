//! Wait-free reads of the clock, from any thread.

use crate::clock::for_parts::{Published, WORDS};
use crate::clock::{LocalTime, Reading, ServerTime, Span, State};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;

/// Reads the clock at local time `now` (ticks), and returns the server time in `*server_time`. The server
/// time never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply,
/// returns `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_current_server_time(
    client: *const NetclockClient,
    now: NetclockLocalTime,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header requires of every caller. The common path has no
    // panic boundary, because nothing on it can panic.
    if let Some(shown) = unsafe { published(client, server_time) }
        .and_then(|published| published.newest_server_time(LocalTime::from_ticks(now)))
    {
        // SAFETY: not null, and the caller guarantees the rest.
        unsafe { server_time.write(shown.ticks()) };
        return NetclockStatus::OK;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { look(client, now, server_time) }
}

/// # Safety
/// `client` must be null or point to a live client.
#[inline]
unsafe fn published<'a>(
    client: *const NetclockClient,
    server_time: *const i64,
) -> Option<&'a Published<WORDS>> {
    // SAFETY: guaranteed by the caller; null returns `None`.
    let handle = unsafe { client.as_ref() }?;
    if server_time.is_null() { None } else { handle.front.published() }
}

/// The slow path of [`netclock_client_current_server_time`] while a correction is slewed. Being a separate
/// function, it keeps its stack frame out of the common path. Like the common path, it cannot panic. `client`
/// must be null or a live client, and `server_time` null or writable.
#[inline(never)]
unsafe extern "C" fn look(client: *const NetclockClient, now: i64, server_time: *mut i64) -> NetclockStatus {
    // SAFETY: guaranteed by the caller.
    if let Some(shown) = unsafe { published(client, server_time) }
        .and_then(|published| published.near_server_time(LocalTime::from_ticks(now)))
    {
        // SAFETY: not null, and the caller guarantees the rest.
        unsafe { server_time.write(shown.ticks()) };
        return NetclockStatus::OK;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { inspect(client, now, server_time) }
}

/// Handles errors and all remaining cases of [`netclock_client_current_server_time`]. `client` must be null
/// or a live client, and `server_time` null or writable.
#[cold]
#[inline(never)]
unsafe extern "C" fn inspect(
    client: *const NetclockClient,
    now: NetclockLocalTime,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    read!(netclock_client_current_server_time, client, |handle| {
        let shown = handle.front.reader.inspect(local_time(now)?);
        copy_out(server_time, "server_time", shown.map_or(0, ServerTime::ticks))?;
        shown.map(drop).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))
    })
}

/// State: no reply has been accepted.
pub const NETCLOCK_STATE_UNSYNCED: i32 = 0;
/// State: replies arrive and agree.
pub const NETCLOCK_STATE_SYNCED: i32 = 1;
/// State: no reply has arrived for `holdover_after`. The clock keeps running at the estimated rate.
pub const NETCLOCK_STATE_HOLDOVER: i32 = 2;
/// State: a clock may have stepped. The client is sending requests to find out.
pub const NETCLOCK_STATE_DOUBTFUL: i32 = 3;

/// The value of an unknown error bound or expected error.
pub const NETCLOCK_UNBOUNDED: i64 = i64::MAX;

/// The value of an unknown time.
pub const NETCLOCK_UNKNOWN_TIME: i64 = i64::MIN;

/// A client's clock at a single local time. All fields are consistent. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockReading {
    /// `sizeof(netclock_reading)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_STATE_...`.
    pub state: i32,
    /// The shown server time in ticks, which is smooth and monotone. Zero until synced.
    pub server_time: NetclockServerTime,
    /// The hard error bound in ticks. The true server time is within `server_time` plus or minus this bound,
    /// provided that the clocks' rate errors do not exceed `client_drift_ppm` and `server_drift_ppm` and
    /// neither clock steps. If one clock's rate error exceeds its limit by up to 550 ppm, the bound holds
    /// again from the first reply that contradicts the limits. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound: i64,
    /// The expected error (one standard deviation) in ticks. The expected error accounts for queues, route
    /// changes, crystals and frames, but not for a constant asymmetry of the base delays, which no clock can
    /// observe. Half of the asymmetry adds to the actual error, and only `error_bound` covers it. The
    /// expected error never exceeds `error_bound`. `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
    /// The smallest recent round-trip time in ticks. `NETCLOCK_UNBOUNDED` until synced.
    pub round_trip: i64,
    /// The estimated skew in ppm, that is, the rate of the server's clock relative to the local clock.
    /// Positive if the server's clock runs faster.
    pub frequency_ppm: f64,
    /// The server epoch of this reading. A server draws a new epoch whenever its clock restarts.
    pub server_epoch: u64,
    /// The number of the epoch. The shown time never goes backwards within an epoch. Any reported jump may
    /// start a new epoch, and a backward jump always does.
    pub epoch: u32,
    /// Reserved, always zero.
    pub reserved: i32,
}

const _: () = assert!(NETCLOCK_UNBOUNDED == Span::MAX.ticks());

growable! { NetclockReading: 64 }

to_c! { |reading: Reading| NetclockReading {
    server_time, error_bound, expected_error, round_trip, frequency_ppm, server_epoch, epoch;
    state: match reading.state {
        State::Unsynced => NETCLOCK_STATE_UNSYNCED,
        State::Synced => NETCLOCK_STATE_SYNCED,
        State::Holdover => NETCLOCK_STATE_HOLDOVER,
        State::Doubtful => NETCLOCK_STATE_DOUBTFUL,
    },
} }

from_c! { |reading: NetclockReading| Reading {
    server_time, error_bound, expected_error, round_trip, frequency_ppm, server_epoch, epoch;
    // Callers may fill in the reading themselves, so only distinguish synced from unsynced.
    state: if reading.state == NETCLOCK_STATE_UNSYNCED { State::Unsynced } else { State::Synced },
} }

/// Reads the clock at local time `now` (ticks), and returns its complete state in `*reading`. The server time
/// never goes backwards within an epoch (see "Monotone" in the contract). Before the first reply, returns
/// `NETCLOCK_NOT_SYNCED` and writes an unsynced reading with a server time of 0. Wait-free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_read(
    client: *const NetclockClient,
    now: NetclockLocalTime,
    reading: *mut NetclockReading,
) -> NetclockStatus {
    read!(netclock_client_read, client, |handle| {
        let read = handle.front.reader.read(local_time(now)?);
        grow_out(reading, "reading", read)?;
        if read.state == State::Unsynced { Err(Failure::of(NETCLOCK_NOT_SYNCED)) } else { Ok(()) }
    })
}

/// Converts `server_time` (ticks) to the local time at which the shown clock reads it, and returns this time
/// in `*local_time`. The conversion uses the current estimate. Before the first reply, returns
/// `NETCLOCK_NOT_SYNCED` and writes 0. Wait-free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_local_time_at(
    client: *const NetclockClient,
    server_time: NetclockServerTime,
    local_time: *mut NetclockLocalTime,
) -> NetclockStatus {
    read!(netclock_client_local_time_at, client, |handle| {
        let local = handle.front.reader.local_time_at(other_time(server_time)?);
        copy_out(local_time, "local_time", local.map_or(0, LocalTime::ticks))?;
        local.map(drop).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))
    })
}
