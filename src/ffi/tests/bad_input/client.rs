//! The client's handle, its time, its events and callbacks, and reading it.

use core::ffi::{c_char, c_void};
use core::ptr;

use super::super::MILLISECOND;
use super::bench::{Bench, poisoned_client};
use super::table::{Effect, Table};
use crate::clock::MAX_INSTANT_TICKS;
use crate::ffi::clock::client::callbacks::{netclock_client_set_log, netclock_client_set_tap};
use crate::ffi::clock::client::event::netclock_client_next_event;
use crate::ffi::clock::client::handle::*;
use crate::ffi::clock::client::log::NETCLOCK_LOG_DEBUG;
use crate::ffi::clock::client::reading::*;
use crate::ffi::clock::client::tap::NetclockSample;
use crate::ffi::clock::exchange::messages::NetclockRequest;
use crate::ffi::tests::statuses::*;

/// Instants that are none.
pub(super) const NO_INSTANTS: [(&str, i64); 4] = [
    ("INT64_MIN", i64::MIN),
    ("-2^62", -MAX_INSTANT_TICKS - 1),
    ("2^62", MAX_INSTANT_TICKS + 1),
    ("INT64_MAX", i64::MAX),
];

/// Sizes of no structure of at least 24 bytes.
pub(super) const SIZES: [(&str, u32); 5] =
    [("0", 0), ("3", 3), ("23", 23), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

/// A client that is none, and one that is of no use.
pub(super) fn client_rows(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockClient) -> NetclockStatus,
) {
    let row = [function, "client", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "client", "a poisoned one"], NETCLOCK_POISONED, |b| {
        let client = poisoned_client();
        let status = call(b, client);
        super::super::destroy(client);
        status
    });
}

pub(super) fn rows(table: &mut Table) {
    destroy_rows(table);
    const TICK: &str = "netclock_client_tick";
    const MAKE: &str = "netclock_client_make_request";
    type Call = unsafe extern "C" fn(*mut NetclockClient, i64, *mut NetclockRequest) -> NetclockStatus;
    let calls: [(&str, Call); 2] = [(TICK, netclock_client_tick), (MAKE, netclock_client_make_request)];
    // SAFETY: pointers are null, or lead to live clients and to room for outputs.
    unsafe {
        client_rows(table, TICK, |b, client| netclock_client_tick(client, b.now, b.sized(24)));
        for (function, call) in calls {
            if function == MAKE {
                client_rows(table, MAKE, |b, client| {
                    netclock_client_make_request(client, b.now, b.sized(24))
                });
            }
            for (text, now) in NO_INSTANTS {
                let row = [function, "now", text];
                table.refuses(row, NETCLOCK_TIME_OUT_OF_RANGE, |b| call(b.client, now, b.sized(24)));
            }
            for (text, back) in [("a tick before the last call", 1), ("999 ms before", 999 * MILLISECOND)] {
                let row = [function, "now", text];
                table.refuses(row, NETCLOCK_TIME_WENT_BACKWARDS, |b| {
                    call(b.client, b.now - back, b.sized(24))
                });
            }
            let declared = Effect::Changed("declared: the local clock was set back");
            table.call([function, "now", "a second before"], NETCLOCK_OK, declared, |b| {
                call(b.client, b.now - 1000 * MILLISECOND, b.sized(24))
            });
            let row = [function, "request", "null"];
            table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b.client, b.now, ptr::null_mut()));
            for (text, size) in SIZES {
                let row = [function, "request->struct_size", text];
                table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| call(b.client, b.now, b.sized(size)));
            }
        }
        const EVENT: &str = "netclock_client_next_event";
        client_rows(table, EVENT, |b, client| netclock_client_next_event(client, b.sized(24)));
        table.refuses([EVENT, "event", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_next_event(b.client, ptr::null_mut())
        });
        for (text, size) in SIZES {
            table.refuses([EVENT, "event->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_client_next_event(b.client, b.sized(size))
            });
        }
        const LOG: &str = "netclock_client_set_log";
        client_rows(table, LOG, |_, client| netclock_client_set_log(client, 4, None, ptr::null_mut()));
        for (text, level, effect) in [
            ("INT32_MIN", i32::MIN, "no messages"),
            ("0", 0, "no messages"),
            ("INT32_MAX", i32::MAX, "all messages"),
        ] {
            table.call([LOG, "max_level", text], NETCLOCK_OK, Effect::Answered(effect), |b| {
                netclock_client_set_log(b.client, level, Some(ignore), ptr::null_mut())
            });
        }
        let row = [LOG, "callback", "null"];
        table.call(row, NETCLOCK_OK, Effect::Answered("no messages any more"), |b| {
            netclock_client_set_log(b.client, NETCLOCK_LOG_DEBUG, None, ptr::null_mut())
        });
        const TAP: &str = "netclock_client_set_tap";
        client_rows(table, TAP, |_, client| netclock_client_set_tap(client, None, ptr::null_mut()));
        let row = [TAP, "callback", "null"];
        table.call(row, NETCLOCK_OK, Effect::Answered("no samples any more"), |b| {
            netclock_client_set_tap(b.client, None, ptr::null_mut())
        });
    }
}

unsafe extern "C-unwind" fn ignore(_: *mut c_void, _: i32, _: *const c_char) {}

/// A client, and what came of destroying it inside its own callback.
struct Inside(*mut NetclockClient, NetclockStatus);

unsafe extern "C-unwind" fn destroy_inside(inside: *mut c_void, _: *const NetclockSample) {
    // SAFETY: set with an `Inside` whose client is alive.
    unsafe {
        let inside = &mut *inside.cast::<Inside>();
        inside.1 = netclock_client_destroy(inside.0);
    }
}

fn destroy_rows(table: &mut Table) {
    const DESTROY: &str = "netclock_client_destroy";
    // SAFETY: what is no live client is not looked at.
    unsafe {
        let nothing = Effect::Answered("does nothing");
        table.call([DESTROY, "client", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_client_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "client", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let client = super::super::client();
            super::super::destroy(client);
            netclock_client_destroy(client)
        });
        table.refuses([DESTROY, "client", "a server"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_client_destroy(b.server.cast())
        });
        table.refuses([DESTROY, "client", "the address of something else"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_client_destroy(b.out())
        });
        table.refuses([DESTROY, "client", "3"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            netclock_client_destroy(ptr::without_provenance_mut(3))
        });
        table.refuses([DESTROY, "client", "one whose callback is running"], NETCLOCK_BUSY, |_| {
            let mut inside = Inside(super::super::client(), NetclockStatus::OK);
            netclock_client_set_tap(inside.0, Some(destroy_inside), (&raw mut inside).cast());
            netclock_client_handle_exchange(inside.0, 0, 1, 1, 2, 0);
            super::super::destroy(inside.0);
            inside.1
        });
        let gone = Effect::Answered("destroyed as any other");
        table.call([DESTROY, "client", "a poisoned one"], NETCLOCK_OK, gone, |_| {
            netclock_client_destroy(poisoned_client())
        });
    }
}

pub(super) fn reading_rows(table: &mut Table) {
    const TIME: &str = "netclock_client_current_server_time";
    const SYNCED: &str = "netclock_client_is_time_synced";
    const READ: &str = "netclock_client_read";
    const INVERSE: &str = "netclock_client_local_time_at";
    // SAFETY: pointers are null, or lead to live clients and to room for outputs.
    unsafe {
        client_rows(table, TIME, |b, client| netclock_client_current_server_time(client, b.now, b.out()));
        for (text, now) in NO_INSTANTS {
            table.refuses([TIME, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_current_server_time(b.client, now, b.out())
            });
        }
        table.refuses([TIME, "server_time", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_current_server_time(b.client, b.now, ptr::null_mut())
        });

        let synced = |client: *mut NetclockClient| netclock_client_is_time_synced(client).to_string();
        table.returns([SYNCED, "client", "null"], "0", &synced(ptr::null_mut()));
        let poisoned = poisoned_client();
        table.returns([SYNCED, "client", "a poisoned one"], "0", &synced(poisoned));
        super::super::destroy(poisoned);

        client_rows(table, READ, |b, client| netclock_client_read(client, b.now, b.sized(64)));
        for (text, now) in NO_INSTANTS {
            table.refuses([READ, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_read(b.client, now, b.sized(64))
            });
        }
        table.refuses([READ, "reading", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_read(b.client, b.now, ptr::null_mut())
        });
        for (text, size) in SIZES {
            table.refuses([READ, "reading->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_client_read(b.client, b.now, b.sized(size))
            });
        }

        client_rows(table, INVERSE, |b, client| netclock_client_local_time_at(client, b.now, b.out()));
        for (text, time) in NO_INSTANTS {
            table.refuses([INVERSE, "server_time", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_client_local_time_at(b.client, time, b.out())
            });
        }
        table.refuses([INVERSE, "local_time", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_local_time_at(b.client, b.now, ptr::null_mut())
        });
    }
}
