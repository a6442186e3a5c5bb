//! The server's UTC. What publisher and view are afterwards is compared here, to the last bit.

use core::ffi::c_void;
use core::fmt::Debug;
use core::ptr;
use std::panic::resume_unwind;

use super::super::{MILLISECOND, SECOND};
use super::bench::Bench;
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned::{self, Owner};
use crate::ffi::clock::client::reading::{NETCLOCK_STATE_SYNCED, NetclockReading};
use crate::ffi::game::utc::claim::*;
use crate::ffi::game::utc::publisher::*;
use crate::ffi::game::utc::view::*;
use crate::ffi::tests::statuses::*;

const EPOCH: u64 = 7;
/// Some day, in ticks since 1970.
const UTC: i64 = 17_000_000_000_000_000;
/// No UTC of a calendar.
const NO_DATES: [(&str, i64); 4] = [
    ("-1", -1),
    ("a tick after the year 9999", 2_534_023_008_000_000_000),
    ("INT64_MIN", i64::MIN),
    ("INT64_MAX", i64::MAX),
];

/// What a call is made on, and what it has to leave as it was.
struct Utc {
    publisher: *mut NetclockUtcPublisher,
    view: *mut NetclockServerUtc,
    /// Of a request that is open.
    request: [u8; NETCLOCK_UTC_DATAGRAM_SIZE],
    /// The answer to it.
    reply: [u8; NETCLOCK_UTC_DATAGRAM_SIZE],
}

/// The claim that the view knows, made at 10 s.
fn claim() -> NetclockUtcClaim {
    NetclockUtcClaim {
        version: 5,
        server_epoch: EPOCH,
        zero: UTC,
        read: 10 * SECOND,
        bound: MILLISECOND,
        drift_ppm: 50,
        ..NetclockUtcClaim::zero()
    }
}

fn now() -> NetclockReading {
    NetclockReading {
        server_time: 12 * SECOND,
        error_bound: MILLISECOND,
        server_epoch: EPOCH,
        epoch: 1,
        state: NETCLOCK_STATE_SYNCED,
        ..NetclockReading::zero()
    }
}

fn state<H: Owner>(handle: *mut H) -> String
where
    H::Value: Debug,
{
    let mut state = String::new();
    // SAFETY: a live handle.
    unsafe {
        owned::change("a_test", handle, |value| {
            state = format!("{value:?}");
            Ok(())
        })
    };
    state
}

fn poisoned<H: Owner>(handle: *mut H) -> *mut H {
    // SAFETY: the rows pass live handles.
    unsafe { owned::change("a_test", handle, |_| resume_unwind(Box::new("poisoned"))) };
    handle
}

impl Utc {
    fn new() -> Self {
        let (mut publisher, mut view, mut jump) = (ptr::null_mut(), ptr::null_mut(), 0);
        let mut made = NetclockUtcClaim::zero();
        let size = NETCLOCK_UTC_DATAGRAM_SIZE;
        let (mut request, mut reply) =
            ([0_u8; NETCLOCK_UTC_DATAGRAM_SIZE], [0_u8; NETCLOCK_UTC_DATAGRAM_SIZE]);
        let (asked, answer) = (request.as_mut_ptr().cast(), reply.as_mut_ptr().cast());
        // SAFETY: null for defaults, and room for what is made; handles that were just made.
        unsafe {
            assert_eq!(netclock_utc_publisher_create(ptr::null(), EPOCH, &raw mut publisher).0, NETCLOCK_OK);
            let at = 10 * SECOND;
            let seen = netclock_utc_publisher_observe(publisher, at, UTC + at, MILLISECOND, &raw mut made);
            assert_eq!(seen.0, NETCLOCK_OK);
            assert_eq!(netclock_server_utc_create(1, 2, &raw mut view).0, NETCLOCK_OK);
            assert_eq!(netclock_server_utc_insert(view, &claim(), &raw mut jump).0, NETCLOCK_OK);
            assert_eq!(netclock_server_utc_request(view, at, EPOCH, asked, size).0, NETCLOCK_OK);
            assert_eq!(netclock_utc_publisher_respond(publisher, asked, size, answer, size).0, NETCLOCK_OK);
        }
        Utc { publisher, view, request, reply }
    }
}

impl Drop for Utc {
    fn drop(&mut self) {
        // SAFETY: created by `new`; what a test destroyed before is not looked at.
        unsafe {
            netclock_utc_publisher_destroy(self.publisher);
            netclock_server_utc_destroy(self.view);
        }
    }
}

/// A row whose call has to leave publisher, view and outputs as they were.
fn refuses(
    table: &mut Table,
    row: [&'static str; 3],
    expected: i32,
    call: impl FnOnce(&mut Bench, &Utc) -> NetclockStatus,
) {
    let effect = if expected > 0 { Effect::Answered("outputs are as they were") } else { Effect::None };
    table.call(row, expected, effect, |bench| {
        let utc = Utc::new();
        let before = (state(utc.publisher), state(utc.view));
        let status = call(bench, &utc);
        assert_eq!((state(utc.publisher), state(utc.view)), before, "{row:?} changed something");
        assert!(bench.outputs_are_untouched(), "{row:?} wrote an output");
        status
    });
}

/// A handle that is none, and one that is of no use.
fn handle_rows<H: Owner>(
    table: &mut Table,
    function: &'static str,
    of: fn(&Utc) -> *mut H,
    call: impl Fn(&mut Bench, *mut H) -> NetclockStatus,
) {
    refuses(table, [function, H::ARGUMENT, "null"], NETCLOCK_NULL_ARGUMENT, |b, _| call(b, ptr::null_mut()));
    table.refuses([function, H::ARGUMENT, "a poisoned one"], NETCLOCK_POISONED, |b| {
        let utc = Utc::new();
        call(b, poisoned(of(&utc)))
    });
}

/// Sizes of no structure of at least `first` bytes.
fn sizes(first: u32) -> [(&'static str, u32); 4] {
    [("0", 0), ("one too small", first - 1), ("5000", 5000), ("UINT32_MAX", u32::MAX)]
}

/// An output that is null, or has no size of its structure.
fn output_rows<T>(
    table: &mut Table,
    function: &'static str,
    [argument, size_field]: [&'static str; 2],
    first: u32,
    call: impl Fn(&Utc, *mut T) -> NetclockStatus,
) {
    refuses(table, [function, argument, "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| call(utc, ptr::null_mut()));
    for (text, size) in sizes(first) {
        refuses(table, [function, size_field, text], NETCLOCK_UNKNOWN_STRUCT, |b, utc| {
            call(utc, b.sized(size))
        });
    }
}

pub(super) fn rows(table: &mut Table) {
    now_rows(table);
    life_rows(table);
    publisher_rows(table);
    respond_rows(table);
    insert_rows(table);
    request_rows(table);
    reply_rows(table);
    read_rows(table);
}

fn now_rows(table: &mut Table) {
    const NOW: &str = "netclock_utc_now";
    for (at, argument) in ["local", "utc", "uncertainty"].into_iter().enumerate() {
        table.refuses([NOW, argument, "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            let mut out = |place: usize| if place == at { ptr::null_mut() } else { b.out::<i64>() };
            let (local, utc, uncertainty) = (out(0), out(1), out(2));
            // SAFETY: null, or room.
            unsafe { netclock_utc_now(local, utc, uncertainty) }
        });
    }
}

fn life_rows(table: &mut Table) {
    const CREATE: [&str; 2] = ["netclock_utc_publisher_create", "netclock_server_utc_create"];
    const DESTROY: [&str; 2] = ["netclock_utc_publisher_destroy", "netclock_server_utc_destroy"];
    type Change = fn(&mut NetclockUtcPublisherConfig);
    let bad: [(&str, &str, Change); 8] = [
        ("config->tolerance", "a tick below 10 us", |c| c.tolerance = 99),
        ("config->tolerance", "a tick above 1 h", |c| c.tolerance = 3600 * SECOND + 1),
        ("config->tolerance", "INT64_MIN", |c| c.tolerance = i64::MIN),
        ("config->refresh", "a tick below 1 s", |c| c.refresh = SECOND - 1),
        ("config->refresh", "a tick above 1 h", |c| c.refresh = 3600 * SECOND + 1),
        ("config->refresh", "-1", |c| c.refresh = -1),
        ("config->drift_ppm", "100001", |c| c.drift_ppm = 100_001),
        ("config->drift_ppm", "UINT32_MAX", |c| c.drift_ppm = u32::MAX),
    ];
    // SAFETY: pointers are null, or lead to live handles, settings of the size they state or that is refused,
    // and room for outputs; what is no live handle is not looked at.
    unsafe {
        for (text, struct_size) in sizes(24) {
            let config = NetclockUtcPublisherConfig { struct_size, ..NetclockUtcPublisherConfig::zero() };
            table.refuses([CREATE[0], "config->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_utc_publisher_create(&raw const config, EPOCH, b.out())
            });
        }
        for (argument, value, change) in bad {
            let mut config = NetclockUtcPublisherConfig::zero();
            change(&mut config);
            table.refuses([CREATE[0], argument, value], NETCLOCK_BAD_CONFIG, |b| {
                netclock_utc_publisher_create(&raw const config, EPOCH, b.out())
            });
        }
        table.refuses([CREATE[0], "publisher", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_utc_publisher_create(ptr::null(), EPOCH, ptr::null_mut())
        });
        table.refuses([CREATE[1], "seed_high, seed_low", "0"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_server_utc_create(0, 0, b.out())
        });
        table.refuses([CREATE[1], "server_utc", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_server_utc_create(1, 2, ptr::null_mut())
        });
    }
    end_rows(table, DESTROY[0], |utc| utc.publisher, netclock_utc_publisher_destroy);
    end_rows(table, DESTROY[1], |utc| utc.view, netclock_server_utc_destroy);
}

fn end_rows<H: Owner>(
    table: &mut Table,
    function: &'static str,
    of: fn(&Utc) -> *mut H,
    end: unsafe extern "C" fn(*mut H) -> NetclockStatus,
) {
    let nothing = Effect::Answered("does nothing");
    // SAFETY: what is no live handle is not looked at.
    unsafe {
        table.call([function, H::ARGUMENT, "null"], NETCLOCK_OK, nothing, |_| end(ptr::null_mut()));
        table.refuses([function, H::ARGUMENT, "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let utc = Utc::new();
            assert_eq!(end(of(&utc)).0, NETCLOCK_OK);
            end(of(&utc))
        });
        table.refuses([function, H::ARGUMENT, "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| end(b.client.cast()));
        let gone = Effect::Answered("destroyed as any other");
        table.call([function, H::ARGUMENT, "a poisoned one"], NETCLOCK_OK, gone, |_| {
            let utc = Utc::new();
            end(poisoned(of(&utc)))
        });
    }
}

fn publisher_rows(table: &mut Table) {
    const OBSERVE: &str = "netclock_utc_publisher_observe";
    const NEWEST: &str = "netclock_utc_publisher_newest";
    let later = 12 * SECOND;
    // SAFETY: pointers are null, or lead to live handles and room.
    unsafe {
        let observe = |publisher, [at, utc, bound]: [i64; 3], out| {
            netclock_utc_publisher_observe(publisher, at, utc, bound, out)
        };
        let good = [later, UTC + later + SECOND, 0];
        handle_rows(table, OBSERVE, |utc| utc.publisher, |b, it| observe(it, good, b.sized(48)));
        for (text, at) in NO_INSTANTS {
            refuses(table, [OBSERVE, "at", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, utc| {
                observe(utc.publisher, [at, UTC, 0], b.sized(48))
            });
        }
        refuses(table, [OBSERVE, "at", "a tick before the last"], NETCLOCK_TIME_WENT_BACKWARDS, |b, utc| {
            observe(utc.publisher, [10 * SECOND - 1, UTC, 0], b.sized(48))
        });
        for (text, date) in NO_DATES {
            refuses(table, [OBSERVE, "utc", text], NETCLOCK_UTC_OUT_OF_RANGE, |b, utc| {
                observe(utc.publisher, [later, date, 0], b.sized(48))
            });
        }
        for (text, bound) in [("-1", -1), ("INT64_MIN", i64::MIN)] {
            refuses(table, [OBSERVE, "error_bound", text], NETCLOCK_OUT_OF_RANGE, |b, utc| {
                observe(utc.publisher, [later, UTC + later, bound], b.sized(48))
            });
        }
        let claim = ["claim", "claim->struct_size"];
        output_rows(table, OBSERVE, claim, 48, |utc, out| observe(utc.publisher, good, out));

        handle_rows(
            table,
            NEWEST,
            |utc| utc.publisher,
            |b, it| netclock_utc_publisher_newest(it, b.sized(48)),
        );
        table.call([NEWEST, "publisher", "one that observed nothing"], NETCLOCK_NO_UTC, Effect::None, |b| {
            let mut fresh = ptr::null_mut();
            assert_eq!(netclock_utc_publisher_create(ptr::null(), EPOCH, &raw mut fresh).0, NETCLOCK_OK);
            let status = netclock_utc_publisher_newest(fresh, b.sized(48));
            assert_eq!(netclock_utc_publisher_destroy(fresh).0, NETCLOCK_OK);
            status
        });
        output_rows(table, NEWEST, claim, 48, |utc, out| netclock_utc_publisher_newest(utc.publisher, out));
    }
}

/// Bytes that no datagram has there.
fn garbage_rows(
    table: &mut Table,
    function: &'static str,
    argument: &'static str,
    good: fn(&Utc) -> [u8; NETCLOCK_UTC_DATAGRAM_SIZE],
    call: impl Fn(&mut Bench, &Utc, *const c_void, usize) -> NetclockStatus,
) {
    type Change = fn(&mut [u8; NETCLOCK_UTC_DATAGRAM_SIZE]);
    let garbage: [(&str, i32, Change); 5] = [
        ("48 zeros", NETCLOCK_WIRE_MAGIC, |bytes| bytes.fill(0)),
        ("another magic", NETCLOCK_WIRE_MAGIC, |bytes| bytes[1] ^= 1),
        ("version 2", NETCLOCK_WIRE_NEWER, |bytes| bytes[2] = 2),
        ("version 0", NETCLOCK_WIRE_OLDER, |bytes| bytes[2] = 0),
        ("kind 8", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 8),
    ];
    refuses(table, [function, argument, "null"], NETCLOCK_NULL_ARGUMENT, |b, utc| {
        call(b, utc, ptr::null(), NETCLOCK_UTC_DATAGRAM_SIZE)
    });
    for (text, status, change) in garbage {
        refuses(table, [function, argument, text], status, |b, utc| {
            let mut bytes = good(utc);
            change(&mut bytes);
            call(b, utc, bytes.as_ptr().cast(), bytes.len())
        });
    }
    for (text, length) in [("0", 0), ("47", 47), ("49", 49), ("SIZE_MAX", usize::MAX)] {
        refuses(table, [function, "length", text], NETCLOCK_WIRE_LENGTH, |b, utc| {
            call(b, utc, good(utc).as_ptr().cast(), length)
        });
    }
}

fn respond_rows(table: &mut Table) {
    const RESPOND: &str = "netclock_utc_publisher_respond";
    const SIZE: usize = NETCLOCK_UTC_DATAGRAM_SIZE;
    let good = Utc::new().request;
    // SAFETY: pointers are null, or lead to live handles, whole datagrams and room.
    unsafe {
        handle_rows(
            table,
            RESPOND,
            |utc| utc.publisher,
            |b, it| netclock_utc_publisher_respond(it, good.as_ptr().cast(), SIZE, b.out(), SIZE),
        );
        garbage_rows(
            table,
            RESPOND,
            "request",
            |utc| utc.request,
            |b, utc, bytes, length| {
                netclock_utc_publisher_respond(utc.publisher, bytes, length, b.out(), SIZE)
            },
        );
        refuses(table, [RESPOND, "request", "a reserved byte set"], NETCLOCK_WIRE_RESERVED, |b, utc| {
            let mut bytes = utc.request;
            bytes[SIZE - 1] = 1;
            netclock_utc_publisher_respond(utc.publisher, bytes.as_ptr().cast(), SIZE, b.out(), SIZE)
        });
        refuses(table, [RESPOND, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| {
            let asked = utc.request.as_ptr().cast();
            netclock_utc_publisher_respond(utc.publisher, asked, SIZE, ptr::null_mut(), SIZE)
        });
        for (text, capacity) in [("0", 0), ("47", 47)] {
            refuses(table, [RESPOND, "capacity", text], NETCLOCK_WIRE_LENGTH, |b, utc| {
                let asked = utc.request.as_ptr().cast();
                netclock_utc_publisher_respond(utc.publisher, asked, SIZE, b.out(), capacity)
            });
        }
    }
}

fn insert_rows(table: &mut Table) {
    const INSERT: &str = "netclock_server_utc_insert";
    type Change = fn(&mut NetclockUtcClaim);
    let bad: [(&str, &str, i32, Change); 13] = [
        ("claim->zero", "INT64_MIN", NETCLOCK_STAMP_OUT_OF_RANGE, |c| c.zero = i64::MIN),
        ("claim->zero", "2^62", NETCLOCK_STAMP_OUT_OF_RANGE, |c| c.zero = 1 << 62),
        ("claim->zero", "before 1970 at `read`", NETCLOCK_UTC_OUT_OF_RANGE, |c| c.zero = -c.read - 1),
        ("claim->zero", "after the year 9999 at `read`", NETCLOCK_UTC_OUT_OF_RANGE, |c| {
            c.zero = 2_534_023_008_000_000_000 - c.read;
        }),
        ("claim->read", "INT64_MAX", NETCLOCK_STAMP_OUT_OF_RANGE, |c| c.read = i64::MAX),
        ("claim->bound", "-1", NETCLOCK_OUT_OF_RANGE, |c| c.bound = -1),
        ("claim->bound", "2^32 - 1", NETCLOCK_OUT_OF_RANGE, |c| c.bound = (1 << 32) - 1),
        ("claim->drift_ppm", "100001", NETCLOCK_OUT_OF_RANGE, |c| c.drift_ppm = 100_001),
        ("claim->drift_ppm", "UINT64_MAX", NETCLOCK_OUT_OF_RANGE, |c| c.drift_ppm = u64::MAX),
        ("claim->version", "that of another claim", NETCLOCK_UTC_CONFLICT, |c| c.version = 5),
        ("claim->version", "an older one", NETCLOCK_UTC_OUTDATED, |c| c.version = 4),
        ("claim->version", "2^31 ahead", NETCLOCK_UTC_OUTDATED, |c| c.version = 5 + (1 << 31)),
        ("claim->version", "66 ahead after a second", NETCLOCK_UTC_LEAP, |c| c.version = 5 + 66),
    ];
    let later = NetclockUtcClaim { version: 6, zero: UTC + SECOND, read: 11 * SECOND, ..claim() };
    // SAFETY: pointers are null, or lead to live handles, whole claims and room.
    unsafe {
        handle_rows(table, INSERT, |utc| utc.view, |b, it| netclock_server_utc_insert(it, &later, b.out()));
        refuses(table, [INSERT, "claim", "null"], NETCLOCK_NULL_ARGUMENT, |b, utc| {
            netclock_server_utc_insert(utc.view, ptr::null(), b.out())
        });
        for (text, struct_size) in sizes(48) {
            refuses(table, [INSERT, "claim->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, utc| {
                netclock_server_utc_insert(utc.view, &NetclockUtcClaim { struct_size, ..later }, b.out())
            });
        }
        for (argument, value, status, change) in bad {
            refuses(table, [INSERT, argument, value], status, |b, utc| {
                let mut claim = later;
                change(&mut claim);
                netclock_server_utc_insert(utc.view, &raw const claim, b.out())
            });
        }
        refuses(table, [INSERT, "claim", "the known one"], NETCLOCK_SAME_UTC, |b, utc| {
            netclock_server_utc_insert(utc.view, &claim(), b.out())
        });
        refuses(table, [INSERT, "jump", "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| {
            netclock_server_utc_insert(utc.view, &later, ptr::null_mut())
        });
    }
}

fn request_rows(table: &mut Table) {
    const REQUEST: &str = "netclock_server_utc_request";
    const SIZE: usize = NETCLOCK_UTC_DATAGRAM_SIZE;
    let later = 100 * SECOND;
    // SAFETY: pointers are null, or lead to live handles and room.
    unsafe {
        handle_rows(
            table,
            REQUEST,
            |utc| utc.view,
            |b, it| netclock_server_utc_request(it, later, EPOCH, b.out(), SIZE),
        );
        for (text, now) in NO_INSTANTS {
            refuses(table, [REQUEST, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b, utc| {
                netclock_server_utc_request(utc.view, now, EPOCH, b.out(), SIZE)
            });
        }
        refuses(table, [REQUEST, "now", "too soon after the last"], NETCLOCK_NOTHING_DUE, |b, utc| {
            netclock_server_utc_request(utc.view, 10 * SECOND, EPOCH, b.out(), SIZE)
        });
        refuses(table, [REQUEST, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| {
            netclock_server_utc_request(utc.view, later, EPOCH, ptr::null_mut(), SIZE)
        });
        for (text, capacity) in [("0", 0), ("47", 47)] {
            refuses(table, [REQUEST, "capacity", text], NETCLOCK_WIRE_LENGTH, |b, utc| {
                netclock_server_utc_request(utc.view, later, EPOCH, b.out(), capacity)
            });
        }
    }
}

fn reply_rows(table: &mut Table) {
    const HANDLE: &str = "netclock_server_utc_handle_reply";
    const SIZE: usize = NETCLOCK_UTC_DATAGRAM_SIZE;
    let arrived = 11 * SECOND;
    // SAFETY: pointers are null, or lead to live handles, whole datagrams and room.
    unsafe {
        let good = Utc::new().reply;
        handle_rows(
            table,
            HANDLE,
            |utc| utc.view,
            |b, it| netclock_server_utc_handle_reply(it, good.as_ptr().cast(), SIZE, arrived, b.out()),
        );
        garbage_rows(
            table,
            HANDLE,
            "datagram",
            |utc| utc.reply,
            |b, utc, bytes, length| {
                netclock_server_utc_handle_reply(utc.view, bytes, length, arrived, b.out())
            },
        );
        for (value, status, at) in
            [("UTC outside its range", NETCLOCK_WIRE_STAMP, 24), ("another id", NETCLOCK_UNKNOWN_REQUEST, 8)]
        {
            refuses(table, [HANDLE, "datagram", value], status, |b, utc| {
                let mut bytes = utc.reply;
                bytes[at] ^= 0x70;
                netclock_server_utc_handle_reply(utc.view, bytes.as_ptr().cast(), SIZE, arrived, b.out())
            });
        }
        for (text, arrived) in NO_INSTANTS {
            refuses(table, [HANDLE, "arrived", text], NETCLOCK_TIME_OUT_OF_RANGE, |b, utc| {
                netclock_server_utc_handle_reply(utc.view, utc.reply.as_ptr().cast(), SIZE, arrived, b.out())
            });
        }
        refuses(table, [HANDLE, "jump", "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| {
            let bytes = utc.reply.as_ptr().cast();
            netclock_server_utc_handle_reply(utc.view, bytes, SIZE, arrived, ptr::null_mut())
        });
    }
}

fn read_rows(table: &mut Table) {
    const READ: &str = "netclock_server_utc_read";
    const AT: &str = "netclock_server_utc_server_time_at";
    type Change = fn(&mut NetclockReading);
    let bad: [(&str, &str, i32, Change); 6] = [
        ("now->server_time", "2^62", NETCLOCK_STAMP_OUT_OF_RANGE, |r| r.server_time = 1 << 62),
        ("now->server_time", "INT64_MIN", NETCLOCK_STAMP_OUT_OF_RANGE, |r| r.server_time = i64::MIN),
        ("now->server_time", "before 1970", NETCLOCK_UTC_OUT_OF_RANGE, |r| r.server_time = -UTC - 1),
        ("now->error_bound", "-1", NETCLOCK_STAMP_OUT_OF_RANGE, |r| r.error_bound = -1),
        ("now->state", "0", NETCLOCK_NOT_SYNCED, |r| r.state = 0),
        ("now->server_epoch", "one without a claim", NETCLOCK_NO_UTC, |r| r.server_epoch = 8),
    ];
    // SAFETY: pointers are null, or lead to live handles, whole readings and room.
    unsafe {
        handle_rows(table, READ, |utc| utc.view, |b, it| netclock_server_utc_read(it, &now(), b.sized(24)));
        refuses(table, [READ, "now", "null"], NETCLOCK_NULL_ARGUMENT, |b, utc| {
            netclock_server_utc_read(utc.view, ptr::null(), b.sized(24))
        });
        for (text, struct_size) in sizes(64) {
            refuses(table, [READ, "now->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, utc| {
                netclock_server_utc_read(utc.view, &NetclockReading { struct_size, ..now() }, b.sized(24))
            });
        }
        for (argument, value, status, change) in bad {
            refuses(table, [READ, argument, value], status, |b, utc| {
                let mut now = now();
                change(&mut now);
                netclock_server_utc_read(utc.view, &raw const now, b.sized(24))
            });
        }
        output_rows(table, READ, ["reading", "reading->struct_size"], 24, |utc, out| {
            netclock_server_utc_read(utc.view, &now(), out)
        });

        let at = |view, epoch, date, out| netclock_server_utc_server_time_at(view, epoch, date, out);
        handle_rows(table, AT, |utc| utc.view, |b, it| at(it, EPOCH, UTC, b.out()));
        refuses(table, [AT, "server_epoch", "one without a claim"], NETCLOCK_NO_UTC, |b, utc| {
            at(utc.view, 8, UTC, b.out())
        });
        for (text, date) in NO_DATES {
            refuses(table, [AT, "utc", text], NETCLOCK_UTC_OUT_OF_RANGE, |b, utc| {
                at(utc.view, EPOCH, date, b.out())
            });
        }
        refuses(table, [AT, "server_time", "null"], NETCLOCK_NULL_ARGUMENT, |_, utc| {
            at(utc.view, EPOCH, UTC, ptr::null_mut())
        });
    }
}
