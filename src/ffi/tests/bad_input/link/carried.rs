//! Links whose datagrams the caller carries.

use core::ffi::c_void;

use super::super::bench::Bench;
use super::*;

/// Where a datagram goes.
type Room = [u8; NETCLOCK_LINK_DATAGRAM_SIZE];

/// A server's end that knows key 5.
fn server() -> *mut NetclockLinkServer {
    let config = NetclockLinkServerConfig { flags: NETCLOCK_LINK_CARRIED, ..of_server() };
    let mut link = ptr::null_mut();
    // SAFETY: settings, a key, and room for a handle.
    unsafe {
        assert_eq!(netclock_link_server_create(&config, ptr::null(), 0, 7, &raw mut link).0, NETCLOCK_OK);
        assert_eq!(netclock_link_server_admit(link, &key(5)).0, NETCLOCK_OK);
    }
    link
}

fn client(client: *mut NetclockClient) -> *mut NetclockLinkClient {
    let config = NetclockLinkClientConfig { flags: NETCLOCK_LINK_CARRIED, ..of_client() };
    let mut link = ptr::null_mut();
    // SAFETY: settings, a live client, a key, and room for a handle.
    let status =
        unsafe { netclock_link_client_create(&config, client, ptr::null(), 0, &key(5), &raw mut link) };
    assert_eq!(status.0, NETCLOCK_OK);
    link
}

/// Links that are not carried, or not usable.
fn wrong<H: Owner>(
    table: &mut Table,
    call: &'static str,
    with_a_socket: fn(&mut Bench) -> *mut H,
    on_link: impl Fn(*mut H) -> NetclockStatus,
) {
    table.refuses([call, "link", "null"], NETCLOCK_NULL_ARGUMENT, |_| on_link(ptr::null_mut()));
    table
        .refuses([call, "link", "poisoned"], NETCLOCK_POISONED, |b| on(poisoned(with_a_socket(b)), &on_link));
    table.refuses([call, "link", "with a socket"], NETCLOCK_NOT_CARRIED, |b| on(with_a_socket(b), &on_link));
}

pub(crate) fn rows(table: &mut Table) {
    due(table);
    handle(table);
    answer(table);
    // SAFETY: live links, and room for a port.
    unsafe {
        table.refuses(["netclock_link_server_poll", "link", "carried"], NETCLOCK_CARRIED, |_| {
            on(server(), |link| netclock_link_server_poll(link))
        });
        table.refuses(["netclock_link_client_poll", "link", "carried"], NETCLOCK_CARRIED, |b| {
            on(client(b.client), |link| netclock_link_client_poll(link))
        });
        table.refuses(["netclock_link_server_port", "link", "carried"], NETCLOCK_CARRIED, |b| {
            on(server(), |link| netclock_link_server_port(link, b.out()))
        });
    }
}

fn due(table: &mut Table) {
    const DUE: &str = "netclock_link_client_due";
    let mut room: Room = [0; NETCLOCK_LINK_DATAGRAM_SIZE];
    let out: *mut c_void = room.as_mut_ptr().cast();
    // SAFETY: links are live or null; there is as much room as is said, or the buffer is null.
    let due = |link, now, out, capacity| unsafe {
        netclock_link_client_due(link, now, out, capacity, ptr::null_mut())
    };
    wrong(table, DUE, |b| connected(b.client), |link| due(link, 0, out, NETCLOCK_LINK_DATAGRAM_SIZE));
    table.refuses([DUE, "now", "INT64_MAX"], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
        on(client(b.client), |link| due(link, i64::MAX, out, NETCLOCK_LINK_DATAGRAM_SIZE))
    });
    table.refuses([DUE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        on(client(b.client), |link| due(link, 0, ptr::null_mut(), NETCLOCK_LINK_DATAGRAM_SIZE))
    });
    for (value, capacity) in [("0", 0), ("63", 63)] {
        table.refuses([DUE, "capacity", value], NETCLOCK_WIRE_LENGTH, |b| {
            on(client(b.client), |link| due(link, 0, out, capacity))
        });
    }
}

/// What is no datagram of a link, for both ends.
fn no_datagrams() -> Vec<(&'static str, i32, Vec<u8>)> {
    [("no bytes", 0), ("63 bytes", 63), ("65 bytes", 65)]
        .into_iter()
        .map(|(value, length)| (value, NETCLOCK_WIRE_LENGTH, vec![0; length]))
        .chain([("64 zeros", NETCLOCK_NOT_SEALED, vec![0; NETCLOCK_LINK_DATAGRAM_SIZE])])
        .collect()
}

fn handle(table: &mut Table) {
    const HANDLE: &str = "netclock_link_client_handle";
    // SAFETY: links are live or null, and as many bytes are there as is said, or none.
    let handle =
        |link, from: *const u8, length| unsafe { netclock_link_client_handle(link, from.cast(), length, 9) };
    let zeros: Room = [0; NETCLOCK_LINK_DATAGRAM_SIZE];
    wrong(table, HANDLE, |b| connected(b.client), |link| handle(link, zeros.as_ptr(), zeros.len()));
    table.refuses([HANDLE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        on(client(b.client), |link| handle(link, ptr::null(), zeros.len()))
    });
    for (value, expected, bytes) in no_datagrams() {
        table.refuses([HANDLE, "datagram", value], expected, |b| {
            on(client(b.client), |link| handle(link, bytes.as_ptr(), bytes.len()))
        });
    }
}

fn answer(table: &mut Table) {
    const ANSWER: &str = "netclock_link_server_answer";
    let mut room: Room = [0; NETCLOCK_LINK_DATAGRAM_SIZE];
    let out: *mut c_void = room.as_mut_ptr().cast();
    // SAFETY: links are live or null; there are as many bytes and as much room as is said, or the pointers
    // are null.
    let answer = |link, from: *const u8, length, out, capacity| unsafe {
        netclock_link_server_answer(link, from.cast(), length, 8, 9, out, capacity)
    };
    let zeros: Room = [0; NETCLOCK_LINK_DATAGRAM_SIZE];
    let size = zeros.len();
    wrong(table, ANSWER, |_| serving(), |link| answer(link, zeros.as_ptr(), size, out, size));
    table.refuses([ANSWER, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(server(), |link| answer(link, ptr::null(), size, out, size))
    });
    for (value, expected, bytes) in no_datagrams() {
        table.refuses([ANSWER, "datagram", value], expected, |_| {
            on(server(), |link| answer(link, bytes.as_ptr(), bytes.len(), out, size))
        });
    }
    table.refuses([ANSWER, "answer", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on(server(), |link| answer(link, zeros.as_ptr(), size, ptr::null_mut(), size))
    });
    table.refuses([ANSWER, "capacity", "63"], NETCLOCK_WIRE_LENGTH, |_| {
        on(server(), |link| answer(link, zeros.as_ptr(), size, out, 63))
    });
}
