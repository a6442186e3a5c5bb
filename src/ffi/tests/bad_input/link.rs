//! Both ends of a link.

use core::ffi::{CStr, c_char};
use core::ptr;
use std::panic::resume_unwind;

use super::bench::poisoned_client;
use super::table::Table;
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::handle::*;
use crate::ffi::clock::keys::keyed::*;
use crate::ffi::link::client::*;
use crate::ffi::link::common::*;
use crate::ffi::link::report::*;
use crate::ffi::link::server::*;
use crate::ffi::tests::statuses::*;
use crate::ffi::tests::text;

pub(super) mod carried;

const HERE: &CStr = c"127.0.0.1";
/// Sizes of no settings.
const SIZES: [(&str, u32); 4] = [("0", 0), ("39", 39), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

fn key(id: u32) -> NetclockSessionKey {
    NetclockSessionKey { secret_high: 1, secret_low: 2, id, reserved: 0 }
}

/// Settings for tests: no thread.
fn polled() -> NetclockLinkConfig {
    NetclockLinkConfig { flags: NETCLOCK_LINK_POLLED, ..NetclockLinkConfig::zero() }
}

fn bad_configs() -> Vec<(&'static str, &'static str, i32, NetclockLinkConfig)> {
    let good = polled();
    let mut bad = vec![
        ("config->flags", "16", NETCLOCK_BAD_CONFIG, NetclockLinkConfig { flags: 16, ..good }),
        (
            "config->clock_offset",
            "INT64_MIN",
            NETCLOCK_BAD_CONFIG,
            NetclockLinkConfig { clock_offset: i64::MIN, ..good },
        ),
    ];
    for (value, struct_size) in SIZES {
        let config = NetclockLinkConfig { struct_size, ..good };
        bad.push(("config->struct_size", value, NETCLOCK_UNKNOWN_STRUCT, config));
    }
    bad
}

/// A server's end that knows key 5, with room for it.
fn serving() -> *mut NetclockLink {
    let mut link = ptr::null_mut();
    let config = NetclockLinkConfig { capacity: 1, ..polled() };
    // SAFETY: settings, an address, a key, and room for a handle.
    unsafe {
        assert_eq!(netclock_link_serve(&config, HERE.as_ptr(), 0, 7, &raw mut link).0, NETCLOCK_OK);
        assert_eq!(netclock_link_admit(link, &key(5)).0, NETCLOCK_OK);
    }
    link
}

/// A client's end, which has not asked anything.
fn connected(client: *mut NetclockClient) -> *mut NetclockLink {
    let mut link = ptr::null_mut();
    // SAFETY: settings, a live client, an address, a key, and room for a handle.
    let status =
        unsafe { netclock_link_connect(&polled(), client, HERE.as_ptr(), 9, &key(5), &raw mut link) };
    assert_eq!(status.0, NETCLOCK_OK);
    link
}

/// Makes a call on a link, and stops it.
fn on(link: *mut NetclockLink, call: impl FnOnce(*mut NetclockLink) -> NetclockStatus) -> NetclockStatus {
    let status = call(link);
    // SAFETY: the tests pass live links, which nobody else uses.
    assert_eq!(unsafe { netclock_link_stop(link) }.0, NETCLOCK_OK);
    status
}

fn poisoned() -> *mut NetclockLink {
    let link = serving();
    // SAFETY: a live link.
    unsafe { owned::change("a_test", link, |_| resume_unwind(Box::new("poisoned"))) };
    link
}

pub(super) fn rows(table: &mut Table) {
    serve(table);
    connect(table);
    admission(table);
    others(table);
    stop(table);
}

fn serve(table: &mut Table) {
    const SERVE: &str = "netclock_link_serve";
    // SAFETY: settings and addresses are null or whole, and handles can be written or are null.
    let serve = |config: &NetclockLinkConfig, address: *const c_char, port, out| unsafe {
        netclock_link_serve(config, address, port, 7, out)
    };
    for (argument, value, expected, config) in bad_configs() {
        table.refuses([SERVE, argument, value], expected, |b| serve(&config, HERE.as_ptr(), 0, b.out()));
    }
    let ranges = [
        ("config->capacity", "65537", NetclockLinkConfig { capacity: 65_537, ..polled() }),
        ("config->answers", "1000001", NetclockLinkConfig { answers: 1_000_001, ..polled() }),
    ];
    for (argument, value, config) in ranges {
        let row = [SERVE, argument, value];
        table.refuses(row, NETCLOCK_BAD_CONFIG, |b| serve(&config, HERE.as_ptr(), 0, b.out()));
    }
    let addresses = [
        ("\"\"", c""),
        ("\"localhost\", which is no address", c"localhost"),
        ("no UTF-8", c"\xFF"),
        ("\"192.0.2.1\", of another machine", c"192.0.2.1"),
    ];
    for (value, address) in addresses {
        let row = [SERVE, "address", value];
        table.refuses(row, NETCLOCK_BAD_ADDRESS, |b| serve(&polled(), address.as_ptr(), 0, b.out()));
    }
    table.refuses([SERVE, "port", "of another socket"], NETCLOCK_PORT_IN_USE, |b| {
        let taken = serving();
        on(taken, |taken| {
            let mut port = 0;
            // SAFETY: a live link, and room for a port.
            assert_eq!(unsafe { netclock_link_port(taken, &raw mut port) }.0, NETCLOCK_OK);
            serve(&polled(), HERE.as_ptr(), port, b.out())
        })
    });
    let row = [SERVE, "link", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |_| serve(&polled(), HERE.as_ptr(), 0, ptr::null_mut()));
}

fn connect(table: &mut Table) {
    const CONNECT: &str = "netclock_link_connect";
    let good = key(5);
    // SAFETY: pointers are null or lead to what they should; the client is live.
    let connect = |config: &NetclockLinkConfig, client, host: *const c_char, port, key, out| unsafe {
        netclock_link_connect(config, client, host, port, key, out)
    };
    for (argument, value, expected, config) in bad_configs() {
        table.refuses([CONNECT, argument, value], expected, |b| {
            connect(&config, b.client, HERE.as_ptr(), 9, &good, b.out())
        });
    }
    for (value, interval) in [("499999", 499_999), ("INT64_MIN", i64::MIN), ("6000000001", 6_000_000_001)] {
        let configs = [
            ("config->steady_interval", NetclockLinkConfig { steady_interval: interval, ..polled() }),
            ("config->message_interval", NetclockLinkConfig { message_interval: interval, ..polled() }),
        ];
        for (argument, config) in configs {
            table.refuses([CONNECT, argument, value], NETCLOCK_BAD_CONFIG, |b| {
                connect(&config, b.client, HERE.as_ptr(), 9, &good, b.out())
            });
        }
    }
    table.refuses([CONNECT, "client", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        connect(&polled(), ptr::null_mut(), HERE.as_ptr(), 9, &good, b.out())
    });
    table.refuses([CONNECT, "client", "poisoned"], NETCLOCK_POISONED, |b| {
        let client = poisoned_client();
        let status = connect(&polled(), client, HERE.as_ptr(), 9, &good, b.out());
        super::super::destroy(client);
        status
    });
    let long = [b'x'; 254];
    let long = std::ffi::CString::new(long).expect("no zero in it");
    let hosts = [
        ("null", NETCLOCK_NULL_ARGUMENT, ptr::null()),
        ("\"\"", NETCLOCK_BAD_CONFIG, c"".as_ptr()),
        ("254 bytes", NETCLOCK_BAD_CONFIG, long.as_ptr()),
        ("no UTF-8", NETCLOCK_BAD_ADDRESS, c"\xFF".as_ptr()),
    ];
    for (value, expected, host) in hosts {
        table.refuses([CONNECT, "host", value], expected, |b| {
            connect(&polled(), b.client, host, 9, &good, b.out())
        });
    }
    table.refuses([CONNECT, "port", "0"], NETCLOCK_BAD_CONFIG, |b| {
        connect(&polled(), b.client, HERE.as_ptr(), 0, &good, b.out())
    });
    let keys = [
        ("key", "null", NETCLOCK_NULL_ARGUMENT, None),
        (
            "key->secret_high",
            "0, with `secret_low` 0",
            NETCLOCK_BAD_CONFIG,
            Some(NetclockSessionKey { secret_high: 0, secret_low: 0, ..good }),
        ),
        ("key->reserved", "1", NETCLOCK_UNKNOWN_STRUCT, Some(NetclockSessionKey { reserved: 1, ..good })),
    ];
    for (argument, value, expected, bad) in keys {
        table.refuses([CONNECT, argument, value], expected, |b| {
            let bad = bad.as_ref().map_or(ptr::null(), ptr::from_ref);
            connect(&polled(), b.client, HERE.as_ptr(), 9, bad, b.out())
        });
    }
    table.refuses([CONNECT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        connect(&polled(), b.client, HERE.as_ptr(), 9, &good, ptr::null_mut())
    });
}

fn admission(table: &mut Table) {
    const ADMIT: &str = "netclock_link_admit";
    const REVOKE: &str = "netclock_link_revoke";
    // SAFETY: links are live or null, and keys are null or whole.
    let admit = |link, key: *const NetclockSessionKey| unsafe { netclock_link_admit(link, key) };
    // SAFETY: links are live or null.
    let revoke = |link, id| unsafe { netclock_link_revoke(link, id) };
    let zero = NetclockSessionKey { secret_high: 0, secret_low: 0, ..key(6) };
    let reserved = NetclockSessionKey { reserved: 1, ..key(6) };
    let rows = [
        ("key->secret_high", "0, with `secret_low` 0", NETCLOCK_BAD_CONFIG, zero),
        ("key->reserved", "1", NETCLOCK_UNKNOWN_STRUCT, reserved),
        ("key->id", "in use", NETCLOCK_DUPLICATE, key(5)),
        ("key", "one more than there is room for", NETCLOCK_FULL, key(6)),
    ];
    table.refuses([ADMIT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| admit(ptr::null_mut(), &key(6)));
    table.refuses([ADMIT, "link", "poisoned"], NETCLOCK_POISONED, |_| {
        on(poisoned(), |link| admit(link, &key(6)))
    });
    table.refuses([ADMIT, "link", "a client's"], NETCLOCK_OTHER_END, |b| {
        on(connected(b.client), |link| admit(link, &key(6)))
    });
    table.refuses([ADMIT, "key", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(serving(), |link| admit(link, ptr::null()))
    });
    for (argument, value, expected, bad) in rows {
        table.refuses([ADMIT, argument, value], expected, |_| on(serving(), |link| admit(link, &bad)));
    }
    table.refuses([REVOKE, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| revoke(ptr::null_mut(), 5));
    table
        .refuses([REVOKE, "link", "poisoned"], NETCLOCK_POISONED, |_| on(poisoned(), |link| revoke(link, 5)));
    table.refuses([REVOKE, "link", "a client's"], NETCLOCK_OTHER_END, |b| {
        on(connected(b.client), |link| revoke(link, 5))
    });
    table.refuses([REVOKE, "id", "unknown"], NETCLOCK_UNKNOWN_KEY, |_| on(serving(), |link| revoke(link, 6)));
}

fn others(table: &mut Table) {
    const POLL: &str = "netclock_link_poll";
    const PORT: &str = "netclock_link_port";
    const STATUS: &str = "netclock_link_status";
    // SAFETY: links are live or null, and outputs are null or there is room.
    unsafe {
        table.refuses(
            [POLL, "link", "null"],
            NETCLOCK_NULL_ARGUMENT,
            |_| netclock_link_poll(ptr::null_mut()),
        );
        table.refuses([POLL, "link", "poisoned"], NETCLOCK_POISONED, |_| {
            on(poisoned(), |link| netclock_link_poll(link))
        });
        table.refuses([POLL, "link", "with a thread"], NETCLOCK_NOT_POLLED, |_| {
            let mut link = ptr::null_mut();
            let served = netclock_link_serve(ptr::null(), HERE.as_ptr(), 0, 7, &raw mut link);
            assert_eq!(served.0, NETCLOCK_OK);
            on(link, |link| netclock_link_poll(link))
        });
        table.refuses([PORT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_link_port(ptr::null(), b.out())
        });
        table.refuses([PORT, "link", "a client's"], NETCLOCK_OTHER_END, |b| {
            on(connected(b.client), |link| netclock_link_port(link, b.out()))
        });
        table.refuses([PORT, "link", "poisoned"], NETCLOCK_POISONED, |b| {
            on(poisoned(), |link| netclock_link_port(link, b.out()))
        });
        table.refuses([PORT, "port", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            on(serving(), |link| netclock_link_port(link, ptr::null_mut()))
        });
        table.refuses([STATUS, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_link_status(ptr::null(), b.sized(56))
        });
        table.refuses([STATUS, "link", "poisoned"], NETCLOCK_POISONED, |b| {
            on(poisoned(), |link| netclock_link_status(link, b.sized(56)))
        });
        table.refuses([STATUS, "status", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            on(serving(), |link| netclock_link_status(link, ptr::null_mut()))
        });
        for (value, size) in [("0", 0), ("55", 55), ("5000", 5000)] {
            table.refuses([STATUS, "status->struct_size", value], NETCLOCK_UNKNOWN_STRUCT, |b| {
                on(serving(), |link| netclock_link_status(link, b.sized(size)))
            });
        }
    }
    for (value, code) in [("0", 0), ("INT32_MIN", i32::MIN), ("INT32_MAX", i32::MAX)] {
        // SAFETY: a text of the library's.
        let words = unsafe { text(netclock_link_text(code)) };
        table.returns(["netclock_link_text", "code", value], "unknown", &words);
    }
}

fn stop(table: &mut Table) {
    const STOP: &str = "netclock_link_stop";
    // SAFETY: null, or a link that is live once.
    unsafe {
        table.call([STOP, "link", "null"], NETCLOCK_OK, super::table::Effect::None, |_| {
            netclock_link_stop(ptr::null_mut())
        });
        table.refuses([STOP, "link", "stopped before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let link = serving();
            on(link, |_| NetclockStatus::OK);
            netclock_link_stop(link)
        });
        table.refuses(["netclock_client_destroy", "client", "with a link"], NETCLOCK_BUSY, |b| {
            on(connected(b.client), |_| netclock_client_destroy(b.client))
        });
    }
}
