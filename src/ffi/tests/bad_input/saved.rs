//! Saved states and the hint of the rate.

use core::ptr;

use super::client::client_rows;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::rate::netclock_rate_hint;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::config::{NETCLOCK_SAVED_SIZE, NetclockConfig};
use crate::ffi::clock::client::handle::{netclock_client_create, netclock_client_destroy};
use crate::ffi::clock::client::saved::*;
use crate::ffi::tests::statuses::*;

/// Bytes that are no state.
const STRANGE: [u8; NETCLOCK_SAVED_SIZE] = [0x4E; NETCLOCK_SAVED_SIZE];

/// Creates a client with strange states, which are not used, and destroys it.
fn create() -> NetclockStatus {
    let (mut client, mut used) = (ptr::null_mut(), -1);
    let config = NetclockConfig {
        saved_seconds: i64::MIN,
        saved_machine: STRANGE,
        saved_server: STRANGE,
        ..NetclockConfig::zero()
    };
    // SAFETY: settings, and room for outputs.
    unsafe {
        let status = netclock_client_create(&raw const config, 1, 2, &raw mut client);
        assert_eq!(netclock_client_used_saved(client, &raw mut used), NetclockStatus::OK);
        assert_eq!(used, 0);
        netclock_client_destroy(client);
        status
    }
}

pub(super) fn rows(table: &mut Table) {
    let cold = Effect::Answered("the states are not used");
    let row = ["netclock_client_create", "config->saved_machine, saved_server", "bytes that are no state"];
    table.call(row, NETCLOCK_OK, cold, |_| create());
    const USED: &str = "netclock_client_used_saved";
    const BOOT: &str = "netclock_client_set_server_boot";
    const SAVE: &str = "netclock_client_save";
    // SAFETY: pointers are null, or lead to a live client and to room for outputs.
    unsafe {
        client_rows(table, USED, |b, client| netclock_client_used_saved(client, b.out()));
        table.refuses([USED, "used", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_used_saved(b.client, ptr::null_mut())
        });
        client_rows(table, BOOT, |_, client| netclock_client_set_server_boot(client, 1));
        client_rows(table, SAVE, |b, client| {
            netclock_client_save(client, 0, b.out(), b.out(), NETCLOCK_SAVED_SIZE)
        });
        table.refuses([SAVE, "machine", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_save(b.client, 0, ptr::null_mut(), b.out(), NETCLOCK_SAVED_SIZE)
        });
        table.refuses([SAVE, "server", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_save(b.client, 0, b.out(), ptr::null_mut(), 32)
        });
        for (text, capacity) in [("0", 0), ("59", 59)] {
            table.refuses([SAVE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_client_save(b.client, 0, b.out(), b.out(), capacity)
            });
        }
        netclock_rate_hint(ptr::null_mut(), ptr::null_mut());
    }
    table.returns(["netclock_rate_hint", "ppm, doubt_ppm", "null"], "nothing", "nothing");
}
