//! Who is told what happens to a client.

use core::ffi::c_void;

use crate::ffi::base::entries::read;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::handle::NetclockClient;
use crate::ffi::client::log::{Log, NetclockLogCallback};
use crate::ffi::client::tap::{NetclockTapCallback, Tap};

/// Sets who receives this client's messages of `max_level` and more important ones (smaller numbers); null for
/// nobody, as at first. `user_data` is handed on and may be null. One callback for each client; a new one takes the
/// place of the old one, from the next message on, also when it is set by the old one. On other threads, calls on
/// this client that have begun may still call the old one. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_log(
    client: *mut NetclockClient,
    max_level: i32,
    callback: NetclockLogCallback,
    user_data: *mut c_void,
) -> NetclockStatus {
    read!(netclock_client_set_log, client, |handle| {
        handle.hooks.set_log(callback.map(|callback| Log { callback, user_data, max_level }));
        Ok(())
    })
}

/// Sets who receives the exchanges that this client is told of, for recordings and statistics; null for nobody, as
/// at first. Otherwise as `netclock_client_set_log`, with the same errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_tap(
    client: *mut NetclockClient,
    callback: NetclockTapCallback,
    user_data: *mut c_void,
) -> NetclockStatus {
    read!(netclock_client_set_tap, client, |handle| {
        handle.hooks.set_tap(callback.map(|callback| Tap { callback, user_data }));
        Ok(())
    })
}
