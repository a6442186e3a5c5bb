use core::ffi::c_void;

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::report::log::{Log, NetclockLogCallback};
use crate::ffi::clock::report::tap::{NetclockTapCallback, Tap};

/// Sets the callback for log messages up to `max_level`. More important levels have smaller numbers. A null
/// `callback` removes it. Initially, there is none. The callback receives `user_data`, which may be null. A
/// client has only one log callback. A new callback takes effect with the next message, even if the old
/// callback sets it. Calls in progress on other threads may still call the old callback.
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

/// Sets the callback that receives every exchange, for recordings and statistics. A null `callback` removes
/// it. Initially, there is none. A new callback takes effect in the same way as in `netclock_client_set_log`.
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
