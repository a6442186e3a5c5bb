//! Reading the clock: any thread, never waiting.

use crate::clock::for_parts::{Published, WORDS};
use crate::clock::{LocalTime, Reading, ServerTime, Span, State};
use crate::ffi::base::boundary;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;

/// The server's time at local time `now`, in ticks, into `*server_time`. `NETCLOCK_NOT_SYNCED`: it is 0. It
/// never goes backwards within an epoch: see "Monotone" in the contract. Callable from any thread, wait-free.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_current_server_time(
    client: *const NetclockClient,
    now: NetclockLocalTime,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    // The path of nearly every call has no panic boundary: nothing here can panic.
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    if let Some(shown) = unsafe { published(client, server_time) }
        .and_then(|published| published.newest_server_time(LocalTime::from_ticks(now)))
    {
        // SAFETY: not null, and the caller's promise.
        unsafe { server_time.write(shown.ticks()) };
        return NetclockStatus::OK;
    }
    // SAFETY: the caller's promise.
    unsafe { look(client, now, server_time) }
}

/// What a read looks at, if it needs no status.
///
/// # Safety
/// `client` is null or points to a live client.
#[inline]
unsafe fn published<'a>(
    client: *const NetclockClient,
    server_time: *const i64,
) -> Option<&'a Published<WORDS>> {
    // SAFETY: the caller's promise; null gives none.
    let handle = unsafe { client.as_ref() }?;
    if server_time.is_null() { None } else { handle.front.published() }
}

/// [`netclock_client_current_server_time`] where corrections are slewed. Separate, so that the path of nearly
/// every call needs no stack. Nothing here can panic either.
///
/// # Safety
/// `client` is null or points to a live client, `server_time` is null or can be written.
#[inline(never)]
unsafe extern "C" fn look(client: *const NetclockClient, now: i64, server_time: *mut i64) -> NetclockStatus {
    // SAFETY: the caller's promise.
    if let Some(shown) = unsafe { published(client, server_time) }
        .and_then(|published| published.near_server_time(LocalTime::from_ticks(now)))
    {
        // SAFETY: not null, and the caller's promise.
        unsafe { server_time.write(shown.ticks()) };
        return NetclockStatus::OK;
    }
    // SAFETY: the caller's promise.
    unsafe { inspect(client, now, server_time) }
}

/// All other cases of [`netclock_client_current_server_time`].
///
/// # Safety
/// `client` is null or points to a live client, `server_time` is null or can be written.
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

/// 1 if a reply was ever accepted, so that there is a server time; else 0. It is 0 for a null or poisoned
/// client, too, which is no error here. Callable from any thread, wait-free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_is_time_synced(client: *const NetclockClient) -> i32 {
    let is_synced = || {
        // SAFETY: null or a live client, as the header asks of the caller.
        let handle = unsafe { handle::usable(client) };
        handle.is_ok_and(|handle| handle.front.reader.is_synced())
    };
    boundary::or_else(|| i32::from(is_synced()), 0)
}

/// State: no reply was ever accepted.
pub const NETCLOCK_STATE_UNSYNCED: i32 = 0;
/// State: replies arrive and agree.
pub const NETCLOCK_STATE_SYNCED: i32 = 1;
/// State: no reply for `holdover_after`; running on the estimated rate.
pub const NETCLOCK_STATE_HOLDOVER: i32 = 2;
/// State: a clock may have stepped; asking again.
pub const NETCLOCK_STATE_DOUBTFUL: i32 = 3;

/// A bound or expected error that is not known.
pub const NETCLOCK_UNBOUNDED: i64 = i64::MAX;

/// A local time that is not known.
pub const NETCLOCK_UNKNOWN_TIME: i64 = i64::MIN;

/// What the clock says at one local instant; all fields belong together. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockReading {
    /// `sizeof(netclock_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_STATE_...`.
    pub state: i32,
    /// The server's time as shown, in ticks: smooth and monotone. Zero until synced.
    pub server_time: NetclockServerTime,
    /// Hard bound, in ticks: the true server time is within `server_time` plus or minus this. That holds if
    /// the clocks' rates err by no more than `client_drift_ppm` and `server_drift_ppm` and neither clock
    /// steps. If one rate errs by up to 550 ppm more, it holds from the first reply on that contradicts the
    /// limits. `NETCLOCK_UNBOUNDED` if nothing can be promised.
    pub error_bound: i64,
    /// Expected error, one standard deviation, in ticks: queues, routes that change, crystals and frames are
    /// in it. A constant difference between the base delays of the two directions is not: no clock can see
    /// it, it adds half of itself to the error, and only `error_bound` covers it. Never above `error_bound`.
    /// `NETCLOCK_UNBOUNDED` if nothing is known.
    pub expected_error: i64,
    /// Smallest recent round trip, in ticks. `NETCLOCK_UNBOUNDED` until synced.
    pub round_trip: i64,
    /// Estimated skew in parts per million: the rate of the server's clock against the local one. Positive:
    /// the server's clock runs faster.
    pub frequency_ppm: f64,
    /// The server epoch: it names the run of the server's clock that this reading is about.
    pub server_epoch: u64,
    /// Counts stretches in which shown time never goes back. Every declared jump begins another epoch.
    pub epoch: u32,
    /// Zero.
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
    // Of a clock that callers made themselves, only whether it is one counts as its state.
    state: if reading.state == NETCLOCK_STATE_UNSYNCED { State::Unsynced } else { State::Synced },
} }

/// Everything the clock says at local time `now`, into `*reading`. `NETCLOCK_NOT_SYNCED`: the reading says
/// so, with a server time of 0. The server's time never goes backwards within an epoch: see "Monotone" in the
/// contract. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
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

/// The local time at which the shown clock reads `server_time`, as far as is known now, into `*local_time`.
/// `NETCLOCK_NOT_SYNCED`: it is 0. Callable from any thread, wait-free. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
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
