//! Saved states and the hint of the rate.

use core::ffi::c_void;
use core::ptr;

use super::bench::Bench;
use super::client::client_rows;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::rate::netclock_rate_hint;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::handle::{NetclockClient, netclock_client_destroy};
use crate::ffi::clock::client::saved::*;
use crate::ffi::tests::statuses::*;

/// Bytes that are no state.
const STRANGE: [u8; NETCLOCK_SAVED_SIZE] = [0x4E; NETCLOCK_SAVED_SIZE];

/// Creates a client with this state for both, and destroys it. Nothing of it may be used.
fn create(state: *const c_void, length: usize) -> NetclockStatus {
    let (mut client, mut used) = (ptr::null_mut(), -1);
    // SAFETY: null or `length` readable bytes, and room for outputs.
    unsafe {
        let status = netclock_client_create_saved(
            ptr::null(),
            1,
            2,
            state,
            length,
            state,
            length,
            i64::MIN,
            &raw mut client,
            &raw mut used,
        );
        assert_eq!(used, if status == NetclockStatus::OK { 0 } else { -1 });
        netclock_client_destroy(client);
        status
    }
}

pub(super) fn rows(table: &mut Table) {
    create_rows(table);
    const SAVE: &str = "netclock_client_save";
    // SAFETY: pointers are null, or lead to a live client and to room for outputs.
    unsafe {
        client_rows(table, SAVE, |b, client| {
            netclock_client_save(client, 0, b.out(), b.out(), NETCLOCK_SAVED_SIZE)
        });
        table.refuses([SAVE, "machine", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_save(b.client, 0, ptr::null_mut(), b.out(), NETCLOCK_SAVED_SIZE)
        });
        table.refuses([SAVE, "server", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_save(b.client, 0, b.out(), ptr::null_mut(), 32)
        });
        for (text, capacity) in [("0", 0), ("43", 43)] {
            table.refuses([SAVE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_client_save(b.client, 0, b.out(), b.out(), capacity)
            });
        }
        netclock_rate_hint(ptr::null_mut(), ptr::null_mut());
    }
    table.returns(["netclock_rate_hint", "ppm, doubt_ppm", "null"], "nothing", "nothing");
}

fn create_rows(table: &mut Table) {
    const CREATE: &str = "netclock_client_create_saved";
    let none = |b: &mut Bench, config: *const NetclockConfig, seed, client: *mut *mut NetclockClient| {
        // SAFETY: null, or what a test has prepared; no states.
        unsafe {
            let (machine, server) = (ptr::null(), ptr::null());
            netclock_client_create_saved(config, 0, seed, machine, 0, server, 0, 0, client, b.out())
        }
    };
    let config = NetclockConfig { struct_size: 3, ..NetclockConfig::zero() };
    table.refuses([CREATE, "config->struct_size", "3"], NETCLOCK_UNKNOWN_STRUCT, |b| {
        let out = b.out();
        none(b, &raw const config, 1, out)
    });
    table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| {
        let out = b.out();
        none(b, ptr::null(), 0, out)
    });
    table.refuses([CREATE, "client", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        none(b, ptr::null(), 1, ptr::null_mut())
    });
    table.refuses([CREATE, "machine, server", "null, of 44 bytes"], NETCLOCK_NULL_ARGUMENT, |_| {
        create(ptr::null(), NETCLOCK_SAVED_SIZE)
    });
    let bytes = STRANGE.as_ptr().cast();
    let cold = Effect::Answered("the state is not used");
    table.call([CREATE, "machine, server", "bytes that are no state"], NETCLOCK_OK, cold, |_| {
        create(bytes, NETCLOCK_SAVED_SIZE)
    });
    for (text, length) in [("43", 43), ("SIZE_MAX", usize::MAX)] {
        table.call([CREATE, "machine_length, server_length", text], NETCLOCK_OK, cold, |_| {
            create(bytes, length)
        });
    }
}
