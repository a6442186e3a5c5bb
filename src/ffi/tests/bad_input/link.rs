//! Both ends of a link.

use core::ffi::{CStr, c_char};
use core::ptr;
use std::panic::resume_unwind;

use super::bench::poisoned_client;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::handle::{self, Handle};
use crate::ffi::base::owned::{self, Owner};
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

fn key(id: u32) -> NetclockSessionKey {
    NetclockSessionKey { secret_high: 1, secret_low: 2, id, restarts: 0 }
}

/// Settings for tests: no thread.
fn of_server() -> NetclockLinkServerConfig {
    NetclockLinkServerConfig { flags: NETCLOCK_LINK_POLLED, ..NetclockLinkServerConfig::zero() }
}

fn of_client() -> NetclockLinkClientConfig {
    NetclockLinkClientConfig { flags: NETCLOCK_LINK_POLLED, ..NetclockLinkClientConfig::zero() }
}

/// A server's end that knows key 5, with room for it.
fn serving() -> *mut NetclockLinkServer {
    let mut link = ptr::null_mut();
    let config = NetclockLinkServerConfig { capacity: 1, ..of_server() };
    // SAFETY: settings, an address, a key, and room for a handle.
    unsafe {
        assert_eq!(netclock_link_server_create(&config, HERE.as_ptr(), 0, 7, &raw mut link).0, NETCLOCK_OK);
        assert_eq!(netclock_link_server_admit(link, &key(5)).0, NETCLOCK_OK);
    }
    link
}

/// A client's end, which has not asked anything.
fn connected(client: *mut NetclockClient) -> *mut NetclockLinkClient {
    let mut link = ptr::null_mut();
    // SAFETY: settings, a live client, an address, a key, and room for a handle.
    let status = unsafe {
        netclock_link_client_create(&of_client(), client, HERE.as_ptr(), 9, &key(5), &raw mut link)
    };
    assert_eq!(status.0, NETCLOCK_OK);
    link
}

/// Makes a call on a link, and destroys it.
fn on<H: Handle>(link: *mut H, call: impl FnOnce(*mut H) -> NetclockStatus) -> NetclockStatus {
    let status = call(link);
    // SAFETY: the tests pass live links, which nobody else uses.
    assert_eq!(unsafe { handle::destroy("a_test", link) }.0, NETCLOCK_OK);
    status
}

fn poisoned<H: Owner>(link: *mut H) -> *mut H {
    // SAFETY: a live link.
    unsafe { owned::change("a_test", link, |_| resume_unwind(Box::new("poisoned"))) };
    link
}

pub(super) fn rows(table: &mut Table) {
    serve(table);
    connect(table);
    admission(table);
    polls(table);
    ports(table);
    reports(table);
    ends(table);
}

fn serve(table: &mut Table) {
    const SERVE: &str = "netclock_link_server_create";
    // SAFETY: settings and addresses are null or whole, and handles can be written or are null.
    let serve = |config: &NetclockLinkServerConfig, address: *const c_char, port, out| unsafe {
        netclock_link_server_create(config, address, port, 7, out)
    };
    type Config = NetclockLinkServerConfig;
    let good = of_server();
    let configs = [
        ("config->flags", "16", Config { flags: 16, ..good }),
        ("config->flags", "`NETCLOCK_LINK_AUTHORITY`", Config { flags: NETCLOCK_LINK_AUTHORITY, ..good }),
        ("config->clock_offset", "INT64_MIN", Config { clock_offset: i64::MIN, ..good }),
        ("config->capacity", "65537", Config { capacity: 65_537, ..good }),
        ("config->answers", "1000001", Config { answers: 1_000_001, ..good }),
    ];
    for (argument, value, config) in configs {
        let row = [SERVE, argument, value];
        table.refuses(row, NETCLOCK_BAD_CONFIG, |b| serve(&config, HERE.as_ptr(), 0, b.out()));
    }
    for (value, struct_size) in [("0", 0), ("23", 23), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
        let (row, config) = ([SERVE, "config->struct_size", value], Config { struct_size, ..good });
        table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| serve(&config, HERE.as_ptr(), 0, b.out()));
    }
    let addresses = [
        ("\"\"", c""),
        ("\"localhost\", which is no address", c"localhost"),
        ("no UTF-8", c"\xFF"),
        ("\"192.0.2.1\", of another machine", c"192.0.2.1"),
    ];
    for (value, address) in addresses {
        let row = [SERVE, "address", value];
        table.refuses(row, NETCLOCK_BAD_ADDRESS, |b| serve(&of_server(), address.as_ptr(), 0, b.out()));
    }
    table.refuses([SERVE, "port", "of another socket"], NETCLOCK_PORT_IN_USE, |b| {
        let taken = serving();
        on(taken, |taken| {
            let mut port = 0;
            // SAFETY: a live link, and room for a port.
            assert_eq!(unsafe { netclock_link_server_port(taken, &raw mut port) }.0, NETCLOCK_OK);
            serve(&of_server(), HERE.as_ptr(), port, b.out())
        })
    });
    let row = [SERVE, "link", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |_| serve(&of_server(), HERE.as_ptr(), 0, ptr::null_mut()));
}

fn connect(table: &mut Table) {
    const CONNECT: &str = "netclock_link_client_create";
    type Config = NetclockLinkClientConfig;
    let good = key(5);
    // SAFETY: pointers are null or lead to what they should; the client is live.
    let connect = |config: &Config, client, host: *const c_char, port, key, out| unsafe {
        netclock_link_client_create(config, client, host, port, key, out)
    };
    let mut configs = vec![
        ("config->flags", "16", NETCLOCK_BAD_CONFIG, Config { flags: 16, ..of_client() }),
        (
            "config->clock_offset",
            "INT64_MIN",
            NETCLOCK_BAD_CONFIG,
            Config { clock_offset: i64::MIN, ..of_client() },
        ),
    ];
    for (value, struct_size) in [("0", 0), ("31", 31), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
        let config = Config { struct_size, ..of_client() };
        configs.push(("config->struct_size", value, NETCLOCK_UNKNOWN_STRUCT, config));
    }
    for (argument, value, expected, config) in configs {
        table.refuses([CONNECT, argument, value], expected, |b| {
            connect(&config, b.client, HERE.as_ptr(), 9, &good, b.out())
        });
    }
    for (value, interval) in [("499999", 499_999), ("INT64_MIN", i64::MIN), ("6000000001", 6_000_000_001)] {
        let configs = [
            ("config->steady_interval", Config { steady_interval: interval, ..of_client() }),
            ("config->message_interval", Config { message_interval: interval, ..of_client() }),
        ];
        for (argument, config) in configs {
            table.refuses([CONNECT, argument, value], NETCLOCK_BAD_CONFIG, |b| {
                connect(&config, b.client, HERE.as_ptr(), 9, &good, b.out())
            });
        }
    }
    table.refuses([CONNECT, "client", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        connect(&of_client(), ptr::null_mut(), HERE.as_ptr(), 9, &good, b.out())
    });
    table.refuses([CONNECT, "client", "poisoned"], NETCLOCK_POISONED, |b| {
        let client = poisoned_client();
        let status = connect(&of_client(), client, HERE.as_ptr(), 9, &good, b.out());
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
            connect(&of_client(), b.client, host, 9, &good, b.out())
        });
    }
    table.refuses([CONNECT, "port", "0"], NETCLOCK_BAD_CONFIG, |b| {
        connect(&of_client(), b.client, HERE.as_ptr(), 0, &good, b.out())
    });
    let keys = [
        ("key", "null", NETCLOCK_NULL_ARGUMENT, None),
        (
            "key->secret_high",
            "0, with `secret_low` 0",
            NETCLOCK_BAD_CONFIG,
            Some(NetclockSessionKey { secret_high: 0, secret_low: 0, ..good }),
        ),
    ];
    for (argument, value, expected, bad) in keys {
        table.refuses([CONNECT, argument, value], expected, |b| {
            let bad = bad.as_ref().map_or(ptr::null(), ptr::from_ref);
            connect(&of_client(), b.client, HERE.as_ptr(), 9, bad, b.out())
        });
    }
    table.refuses([CONNECT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        connect(&of_client(), b.client, HERE.as_ptr(), 9, &good, ptr::null_mut())
    });
}

fn admission(table: &mut Table) {
    const ADMIT: &str = "netclock_link_server_admit";
    const REVOKE: &str = "netclock_link_server_revoke";
    // SAFETY: links are live or null, and keys are null or whole.
    let admit = |link, key: *const NetclockSessionKey| unsafe { netclock_link_server_admit(link, key) };
    // SAFETY: links are live or null.
    let revoke = |link, id| unsafe { netclock_link_server_revoke(link, id) };
    let zero = NetclockSessionKey { secret_high: 0, secret_low: 0, ..key(6) };
    let rows = [
        ("key->secret_high", "0, with `secret_low` 0", NETCLOCK_BAD_CONFIG, zero),
        ("key->id", "in use", NETCLOCK_DUPLICATE, key(5)),
        ("key", "one more than there is room for", NETCLOCK_FULL, key(6)),
    ];
    table.refuses([ADMIT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| admit(ptr::null_mut(), &key(6)));
    table.refuses([ADMIT, "link", "poisoned"], NETCLOCK_POISONED, |_| {
        on(poisoned(serving()), |link| admit(link, &key(6)))
    });
    table.refuses([ADMIT, "key", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(serving(), |link| admit(link, ptr::null()))
    });
    for (argument, value, expected, bad) in rows {
        table.refuses([ADMIT, argument, value], expected, |_| on(serving(), |link| admit(link, &bad)));
    }
    table.refuses([REVOKE, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| revoke(ptr::null_mut(), 5));
    table.refuses([REVOKE, "link", "poisoned"], NETCLOCK_POISONED, |_| {
        on(poisoned(serving()), |link| revoke(link, 5))
    });
    table.refuses([REVOKE, "id", "unknown"], NETCLOCK_UNKNOWN_KEY, |_| on(serving(), |link| revoke(link, 6)));
}

fn polls(table: &mut Table) {
    const SERVER: &str = "netclock_link_server_poll";
    const CLIENT: &str = "netclock_link_client_poll";
    // SAFETY: links are live or null.
    let server = |link| unsafe { netclock_link_server_poll(link) };
    // SAFETY: the same.
    let client = |link| unsafe { netclock_link_client_poll(link) };
    table.refuses([SERVER, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| server(ptr::null_mut()));
    table.refuses([SERVER, "link", "poisoned"], NETCLOCK_POISONED, |_| on(poisoned(serving()), server));
    table.refuses([SERVER, "link", "with a thread"], NETCLOCK_NOT_POLLED, |_| {
        let mut link = ptr::null_mut();
        // SAFETY: null for the defaults, an address, and room for a handle.
        let served = unsafe { netclock_link_server_create(ptr::null(), HERE.as_ptr(), 0, 7, &raw mut link) };
        assert_eq!(served.0, NETCLOCK_OK);
        on(link, server)
    });
    table.refuses([CLIENT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| client(ptr::null_mut()));
    table.refuses([CLIENT, "link", "poisoned"], NETCLOCK_POISONED, |b| {
        on(poisoned(connected(b.client)), client)
    });
    table.refuses([CLIENT, "link", "with a thread"], NETCLOCK_NOT_POLLED, |b| {
        let mut link = ptr::null_mut();
        // SAFETY: null for the defaults, a live client, an address, a key, and room for a handle.
        let linked = unsafe {
            netclock_link_client_create(ptr::null(), b.client, HERE.as_ptr(), 9, &key(5), &raw mut link)
        };
        assert_eq!(linked.0, NETCLOCK_OK);
        on(link, client)
    });
}

fn ports(table: &mut Table) {
    const PORT: &str = "netclock_link_server_port";
    // SAFETY: links are live or null, and outputs are null or there is room.
    let port = |link, out| unsafe { netclock_link_server_port(link, out) };
    table.refuses([PORT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| port(ptr::null(), b.out()));
    table.refuses([PORT, "link", "poisoned"], NETCLOCK_POISONED, |b| {
        on(poisoned(serving()), |link| port(link, b.out()))
    });
    table.refuses([PORT, "port", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(serving(), |link| port(link, ptr::null_mut()))
    });
}

fn reports(table: &mut Table) {
    const SERVER: &str = "netclock_link_server_report";
    const CLIENT: &str = "netclock_link_client_report";
    // SAFETY: links are live or null, and outputs are null or there is room.
    let server = |link, out| unsafe { netclock_link_server_report(link, out) };
    // SAFETY: the same.
    let client = |link, out| unsafe { netclock_link_client_report(link, out) };
    table.refuses([SERVER, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| server(ptr::null(), b.sized(56)));
    table.refuses([SERVER, "link", "poisoned"], NETCLOCK_POISONED, |b| {
        on(poisoned(serving()), |link| server(link, b.sized(56)))
    });
    table.refuses([SERVER, "report", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(serving(), |link| server(link, ptr::null_mut()))
    });
    table.refuses([CLIENT, "link", "null"], NETCLOCK_NULL_ARGUMENT, |b| client(ptr::null(), b.sized(56)));
    table.refuses([CLIENT, "link", "poisoned"], NETCLOCK_POISONED, |b| {
        on(poisoned(connected(b.client)), |link| client(link, b.sized(56)))
    });
    table.refuses([CLIENT, "report", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        on(connected(b.client), |link| client(link, ptr::null_mut()))
    });
    for (value, size) in [("0", 0), ("55", 55), ("5000", 5000)] {
        table.refuses([SERVER, "report->struct_size", value], NETCLOCK_UNKNOWN_STRUCT, |b| {
            on(serving(), |link| server(link, b.sized(size)))
        });
        table.refuses([CLIENT, "report->struct_size", value], NETCLOCK_UNKNOWN_STRUCT, |b| {
            on(connected(b.client), |link| client(link, b.sized(size)))
        });
    }
    for (value, code) in [("0", 0), ("INT32_MIN", i32::MIN), ("INT32_MAX", i32::MAX)] {
        // SAFETY: a text of the library's.
        let words = unsafe { text(netclock_link_text(code)) };
        table.returns(["netclock_link_text", "code", value], "unknown", &words);
    }
}

fn ends(table: &mut Table) {
    const SERVER: &str = "netclock_link_server_destroy";
    const CLIENT: &str = "netclock_link_client_destroy";
    // SAFETY: null, or a link that is live once.
    let server = |link| unsafe { netclock_link_server_destroy(link) };
    // SAFETY: the same.
    let client = |link| unsafe { netclock_link_client_destroy(link) };
    table.call([SERVER, "link", "null"], NETCLOCK_OK, Effect::None, |_| server(ptr::null_mut()));
    table.refuses([SERVER, "link", "destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
        let link = serving();
        on(link, |_| NetclockStatus::OK);
        server(link)
    });
    table.call([CLIENT, "link", "null"], NETCLOCK_OK, Effect::None, |_| client(ptr::null_mut()));
    table.refuses([CLIENT, "link", "a server's"], NETCLOCK_UNKNOWN_HANDLE, |_| {
        on(serving(), |link| client(link.cast()))
    });
    table.refuses(["netclock_client_destroy", "client", "with a link"], NETCLOCK_BUSY, |b| {
        // SAFETY: a live client, which its link keeps.
        on(connected(b.client), |_| unsafe { netclock_client_destroy(b.client) })
    });
}
