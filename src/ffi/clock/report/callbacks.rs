//! Setting the callbacks of a client.

use core::ffi::c_void;

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::report::log::{Log, NetclockLogCallback};
use crate::ffi::clock::report::tap::{NetclockTapCallback, Tap};

/// Sets the callback for this client's messages of `max_level` and more important ones (smaller numbers).
/// Null sets none, as at first. `user_data` is passed to the callback and may be null. A client has one
/// callback: a new one replaces the old one from the next message on, even if the old one sets it. Calls on
/// other threads that have begun may still call the old one. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_log(
    client: *mut NetclockClient,
    max_level: i32,
    callback: NetclockLogCallback,
    user_data: *mut c_void,
) -> NetclockStatus {
    read!(netclock_client_set_log, client, |handle| {
        handle.poison().not_inherited()?;
        handle.hooks.set_log(callback.map(|callback| Log { callback, user_data, max_level }));
        Ok(())
    })
}

/// Sets the callback for the exchanges that this client is given, for recordings and statistics. Null sets
/// none, as at first. Otherwise as `netclock_client_set_log`, with the same errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_tap(
    client: *mut NetclockClient,
    callback: NetclockTapCallback,
    user_data: *mut c_void,
) -> NetclockStatus {
    read!(netclock_client_set_tap, client, |handle| {
        handle.poison().not_inherited()?;
        handle.hooks.set_tap(callback.map(|callback| Tap { callback, user_data }));
        Ok(())
    })
}
