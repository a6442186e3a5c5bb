//! Saved states: what later sessions begin with.

use core::ffi::c_void;

use crate::clock::SAVED_SIZE;
use crate::ffi::base::failure::Failure;
use crate::ffi::base::pointers::{seed, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::handle::{self, NetclockClient, on_client};
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::status::no_room;

/// Length of a saved state, in bytes.
pub const NETCLOCK_SAVED_SIZE: usize = 44;

const _: () = assert!(NETCLOCK_SAVED_SIZE == SAVED_SIZE);

/// The machine's saved state was used.
pub const NETCLOCK_USED_MACHINE: i32 = 1;
/// The server's saved state was used.
pub const NETCLOCK_USED_SERVER: i32 = 2;

/// As `netclock_client_create`, with what earlier sessions saved, so that the rate of the clock is known from the start.
///
/// `machine` is the state that `netclock_client_save` gave for this machine, of `machine_length` bytes. `server` is the one
/// that it gave when it followed this server. A length of 0 means that there is none. A state that is damaged, of another
/// kind, or of another length is not used. Exchanges overrule a rate that is wrong. What the server's state says of an unequal
/// route counts while the round trip is the same; exchanges cannot refute it. No bound depends on a state. `seconds` is the
/// time now, by the calendar of `netclock_client_save`.
///
/// `*used` becomes the sum of `NETCLOCK_USED_MACHINE` and `NETCLOCK_USED_SERVER`, as far as they apply. `used` may be null.
/// Errors as `netclock_client_create`, and `NETCLOCK_NULL_ARGUMENT` for a state of `NETCLOCK_SAVED_SIZE` bytes at null.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_client_create_saved(
    config: *const NetclockConfig,
    seed_high: u64,
    seed_low: u64,
    machine: *const c_void,
    machine_length: usize,
    server: *const c_void,
    server_length: usize,
    seconds: i64,
    client: *mut *mut NetclockClient,
    used: *mut i32,
) -> NetclockStatus {
    let states = [(machine, machine_length), (server, server_length)];
    let (name, seed) = ("netclock_client_create_saved", seed(seed_high, seed_low));
    // SAFETY: pointers are null or valid, as the header asks of every caller.
    let (status, (machine, server)) = unsafe { handle::create(name, config, seed, states, seconds, client) };
    let found = i32::from(machine) * NETCLOCK_USED_MACHINE + i32::from(server) * NETCLOCK_USED_SERVER;
    if status == NetclockStatus::OK && !used.is_null() {
        // SAFETY: not null, so that it can be written, as the header asks of every caller.
        unsafe { used.write(found) };
    }
    status
}

/// What later sessions begin with: the state of this machine's crystal into `machine`, and that of the server into
/// `server`. Each buffer has room for `capacity` bytes, and gets `NETCLOCK_SAVED_SIZE`. Keep one `machine` for the machine,
/// and one `server` for each server, under its address or name. `seconds` is the time now by a calendar that outlives the
/// process, for example Unix time. Save when the session ends, or every few minutes.
///
/// `NETCLOCK_NOT_SYNCED`: the rate is not known better than crystals differ, which takes some seconds; the buffers are
/// unchanged. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if a buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
#[must_use]
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
