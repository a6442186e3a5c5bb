use core::ffi::c_void;

use crate::clock::SAVED_SIZE;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::wire::room_for;

/// The machine's saved state was used.
pub const NETCLOCK_USED_MACHINE: i32 = 1;
/// The server's saved state was used.
pub const NETCLOCK_USED_SERVER: i32 = 2;

/// Checks which of the saved states in its settings the client used, and returns 0, `NETCLOCK_USED_MACHINE`,
/// `NETCLOCK_USED_SERVER`, or their sum in `*used`.
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

/// Sets the boot identifier of the server's machine. `boot` is the value that `netclock_machine_hints`
/// returned on the server and that the game sent to the client, or 0 if unknown. A saved rate has less weight
/// if the server's machine has rebooted since. Call this function as soon as the value is known, and again
/// after connecting to a different server. Without this call, the client assumes that a server's saved state
/// is from the same boot if the server epoch is unchanged.
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

/// Saves what the client has learned about this machine's crystal and about the server, for use in later
/// sessions. Writes `NETCLOCK_SAVED_SIZE` bytes to each of the buffers `machine` and `server`, which have
/// room for `capacity` bytes each. Store one `machine` state per machine, and one `server` state per server
/// under its address or name. `seconds` is the current time on a calendar that outlives the process, such as
/// Unix time. Save the states at the end of the session, or every few minutes.
///
/// Returns `NETCLOCK_NOT_SYNCED` until the rate is known more precisely than crystals usually differ. After
/// the first reply, this takes seconds if round trips take a few milliseconds, and minutes on a poor path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_save(
    client: *mut NetclockClient,
    seconds: i64,
    machine: *mut c_void,
    server: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    on_client!(netclock_client_save, client, |client| {
        let machine = room_for(machine, "machine", capacity, SAVED_SIZE)?.cast::<[u8; SAVED_SIZE]>();
        let server = room_for(server, "server", capacity, SAVED_SIZE)?.cast::<[u8; SAVED_SIZE]>();
        let saved = client.save(seconds).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))?;
        // A byte array needs no alignment.
        machine.write(saved.machine);
        server.write(saved.server);
        Ok(())
    })
}
