use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;

use crate::clock::{LocalTime, Sample};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::client::reading::NETCLOCK_UNKNOWN_TIME;

/// Exchange path: the game's own connection.
pub const NETCLOCK_PATH_MESSAGES: i32 = 0;
/// Exchange path: a link.
pub const NETCLOCK_PATH_LINK: i32 = 1;

/// An exchange that was passed to a client, and its result. Each time is in ticks of the clock that measured
/// it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockSample {
    /// The size of this structure in the library. Do not read beyond this size.
    pub struct_size: u32,
    /// `NETCLOCK_OK` if the client accepted the exchange. Otherwise, the code for the rejection, from
    /// `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`, or `NETCLOCK_STAMP_OUT_OF_RANGE`.
    pub status: NetclockStatus,
    /// The id of the reply, or zero if the caller matched replies to requests.
    pub id: u64,
    /// Identifies the run of the server's clock, or zero if the transport does not provide it.
    pub epoch: u64,
    /// When the client sent the request, or `NETCLOCK_UNKNOWN_TIME` if the status is
    /// `NETCLOCK_UNKNOWN_REQUEST`.
    pub client_sent: NetclockLocalTime,
    /// When the server received the request.
    pub server_received: NetclockServerTime,
    /// When the server sent the reply.
    pub server_sent: NetclockServerTime,
    /// When the client received the reply.
    pub client_received: NetclockLocalTime,
    /// The path of the exchange: `NETCLOCK_PATH_MESSAGES` or `NETCLOCK_PATH_LINK`.
    pub path: i32,
    /// The longest time that the request may have waited before it was timestamped (ticks). 1 if it was
    /// timestamped on arrival, 0 if unknown.
    pub server_wait: u32,
    /// The longest time that the reply may have waited before it was timestamped (ticks). 1 if it was
    /// timestamped on arrival, 0 if unknown.
    pub client_wait: u32,
    /// Reserved, always zero.
    pub reserved: u32,
}

impl NetclockSample {
    pub(crate) fn of(sample: &Sample) -> Self {
        NetclockSample {
            struct_size: size_of::<Self>() as u32,
            status: sample.outcome.map_or_else(NetclockStatus::from, |()| NetclockStatus::OK),
            id: sample.id.map_or(0, |id| id.0),
            epoch: sample.server_epoch.unwrap_or(0),
            client_sent: sample.client_sent.map_or(NETCLOCK_UNKNOWN_TIME, LocalTime::ticks),
            server_received: sample.server_received.ticks(),
            server_sent: sample.server_sent.ticks(),
            client_received: sample.client_received.ticks(),
            path: if sample.by_link { NETCLOCK_PATH_LINK } else { NETCLOCK_PATH_MESSAGES },
            server_wait: sample.server_wait.to_c(),
            client_wait: sample.client_wait.to_c(),
            reserved: 0,
        }
    }
}

/// Receives every exchange that is passed to the client, whether it was accepted or rejected. The arguments
/// are the `user_data` from `netclock_client_set_tap` and the exchange, which is valid until the callback
/// returns.
///
/// The callback runs on the thread whose call handled the exchange, before that call returns. No lock is
/// held. The callback may call any function of this library, even for the same client, but it must not
/// destroy that client (`NETCLOCK_BUSY`). If such a call handles an exchange, the callback is called
/// recursively. The callback must return, so it must not call longjmp or end the thread. A C++ exception that
/// escapes the callback terminates the process. A Rust panic that escapes it (in a function declared
/// `extern "C-unwind"`) is discarded.
pub type NetclockTapCallback =
    Option<unsafe extern "C-unwind" fn(user_data: *mut c_void, sample: *const NetclockSample)>;

/// Sets the callback that receives every exchange, for recordings and statistics. A null `callback` removes
/// it. A new client has no callback. The callback receives `user_data`, which may be null. A new callback
/// takes effect with the next exchange, even if the old callback sets it. Calls in progress on other threads
/// may still call the old callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_tap(
    client: *mut NetclockClient,
    callback: NetclockTapCallback,
    user_data: *mut c_void,
) -> NetclockStatus {
    read!(netclock_client_set_tap, client, |handle| {
        handle.poison().not_inherited()?;
        let mut newest = handle.tap.newest.lock();
        handle.tap.is_set.store(callback.is_some(), Ordering::Relaxed);
        *newest = (callback, user_data);
        Ok(())
    })
}

/// A client's callback. Its own lock allows it to be set while a call holds the client's lock.
pub(crate) struct Tap {
    /// Every call checks this before it acquires the lock.
    is_set: AtomicBool,
    newest: Mutex<(NetclockTapCallback, *mut c_void)>,
    running: AtomicU32,
}

impl Tap {
    pub(crate) fn new() -> Self {
        let newest = Mutex::new((None, core::ptr::null_mut()));
        Tap { is_set: AtomicBool::new(false), newest, running: AtomicU32::new(0) }
    }

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.load(Ordering::Relaxed) > 0
    }

    /// The caller must not hold the client's lock, because the callback may use the client.
    #[cold]
    pub(crate) fn call(&self, sample: &Sample) {
        let (Some(callback), user_data) = *self.newest.lock() else { return };
        let sample = NetclockSample::of(sample);
        self.running.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller who set the callback guarantees that it can be called with this `user_data`
        // while it is set.
        let _panicked = catch_unwind(AssertUnwindSafe(|| unsafe { callback(user_data, &raw const sample) }));
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}
