//! Saved states: what later sessions begin with.

use core::ffi::c_void;

use crate::client::{Client, Earlier, SAVED_SIZE};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::growable::optional;
use crate::ffi::base::handle;
use crate::ffi::base::pointers::{bytes_in, seed, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::config::NetclockConfig;
use crate::ffi::client::handle::{NetclockClient, on_client};
use crate::ffi::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::exchange::status::no_room;

/// Length of a saved state, in bytes.
pub const NETCLOCK_SAVED_SIZE: usize = 32;

const _: () = assert!(NETCLOCK_SAVED_SIZE == SAVED_SIZE);

/// The machine's saved state was used.
pub const NETCLOCK_USED_MACHINE: i32 = 1;
/// The server's saved state was used.
pub const NETCLOCK_USED_SERVER: i32 = 2;

/// A state that the caller kept; no bytes if it can be none.
///
/// # Safety
/// `bytes` is null or points to `length` readable bytes, for as long as the result is used.
unsafe fn state_in<'a>(bytes: *const c_void, length: usize, name: &'static str) -> Outcome<&'a [u8]> {
    if length == SAVED_SIZE {
        // SAFETY: the caller's promise.
        unsafe { bytes_in(bytes, length, name) }
    } else {
        Ok(&[])
    }
}

/// Creates a client for both functions, of which two copies would be large. Also which states it uses.
///
/// # Safety
/// As the header asks of callers of `netclock_client_create_saved`.
#[inline(never)]
pub(crate) unsafe fn create(
    name: &'static str,
    config: *const NetclockConfig,
    seed: u128,
    [machine, server]: [(*const c_void, usize); 2],
    seconds: i64,
    client: *mut *mut NetclockClient,
) -> (NetclockStatus, i32) {
    let mut found = 0;
    // SAFETY: the caller's promise.
    let status = unsafe {
        handle::create(name, client, || {
            let config = optional(config, "config")?.to_config();
            let machine = state_in(machine.0, machine.1, "machine")?;
            let server = state_in(server.0, server.1, "server")?;
            let made = Client::with_saved(config, seed, &Earlier { machine, server, seconds })?;
            let (machine, server) = made.used_saved();
            found = i32::from(machine) * NETCLOCK_USED_MACHINE + i32::from(server) * NETCLOCK_USED_SERVER;
            Ok(made)
        })
    };
    (status, found)
}

/// As `netclock_client_create`, with what earlier sessions saved, so that the rate of the clock is known from the start.
///
/// `machine` is the state that `netclock_client_save` gave for this machine, of `machine_length` bytes. `server` is the one
/// that it gave when it followed this server. A length of 0 means that there is none. A state that is damaged, of another
/// kind, or of another length is not used. One that is wrong costs no more than none, because the exchanges overrule it. No
/// bound depends on it. `seconds` is the time now, by the calendar of `netclock_client_save`.
///
/// `*used` becomes the sum of `NETCLOCK_USED_MACHINE` and `NETCLOCK_USED_SERVER`, as far as they apply. `used` may be null.
/// Errors as `netclock_client_create`, and `NETCLOCK_NULL_ARGUMENT` for a state of `NETCLOCK_SAVED_SIZE` bytes at null.
#[unsafe(no_mangle)]
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
    let (status, found) = unsafe { create(name, config, seed, states, seconds, client) };
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
pub unsafe extern "C" fn netclock_client_save(
    client: *mut NetclockClient,
    seconds: i64,
    machine: *mut c_void,
    server: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    on_client!(netclock_client_save, client, |client, _| {
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
