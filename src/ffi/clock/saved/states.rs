//! Saved states: what later sessions begin with.

use core::ffi::c_void;

use crate::clock::SAVED_SIZE;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::status::no_room;

/// The machine's saved state was used.
pub const NETCLOCK_USED_MACHINE: i32 = 1;
/// The server's saved state was used.
pub const NETCLOCK_USED_SERVER: i32 = 2;

/// Which of the saved states in its settings the client began with, into `*used`: the sum of
/// `NETCLOCK_USED_MACHINE` and `NETCLOCK_USED_SERVER`, as far as they apply. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_used_saved(
    client: *const NetclockClient,
    used: *mut i32,
) -> NetclockStatus {
    on_client!(netclock_client_used_saved, client, |client| {
        let (machine, server) = client.used_saved();
        let found = i32::from(machine) * NETCLOCK_USED_MACHINE + i32::from(server) * NETCLOCK_USED_SERVER;
        copy_out(used, "used", found)
    })
}

/// The boot of the server's machine is `boot`, as `netclock_boot_id` gave it there and the game states it. A
/// rate that was saved before the server booted counts less. Call it as soon as you know, and again when you
/// turn to another server. Without it, what was saved of this server counts as of the same boot if its epoch
/// is still the same. 0: unknown. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_set_server_boot(
    client: *mut NetclockClient,
    boot: u64,
) -> NetclockStatus {
    on_client!(netclock_client_set_server_boot, client, |client| {
        client.set_server_boot(boot);
        Ok(())
    })
}

/// What later sessions begin with: the state of this machine's crystal into `machine`, and that of the server
/// into `server`. Each buffer has room for `capacity` bytes, and gets `NETCLOCK_SAVED_SIZE`. Keep one
/// `machine` for the machine, and one `server` for each server, under its address or name. `seconds` is the
/// time now by a calendar that outlives the process, for example Unix time. Save when the session ends, or
/// every few minutes.
///
/// It waits for the rate to be known better than crystals differ. `NETCLOCK_NOT_SYNCED` says that it is not:
/// on a path of few milliseconds this takes some seconds after the first reply, on a poor one minutes.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if a buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_save(
    client: *mut NetclockClient,
    seconds: i64,
    machine: *mut c_void,
    server: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    on_client!(netclock_client_save, client, |client| {
        let machine = writable(machine, "machine")?.cast::<[u8; SAVED_SIZE]>();
        let server = writable(server, "server")?.cast::<[u8; SAVED_SIZE]>();
        if capacity < SAVED_SIZE {
            return Err(no_room(capacity, SAVED_SIZE));
        }
        let saved = client.save(seconds).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))?;
        // Bytes need no alignment.
        machine.write(saved.machine);
        server.write(saved.server);
        Ok(())
    })
}
