//! Handing a timescale over.

use core::ptr;
use std::panic::resume_unwind;

use super::super::SECOND;
use super::bench::{AHEAD, Bench};
use super::client::{NO_INSTANTS, client_rows};
use super::table::{Effect, Table};
use crate::clock::authority::{AdoptionReply, AdoptionRequest, Authority, AuthorityReply, AuthorityRequest};
use crate::clock::wire::Datagram;
use crate::clock::{ServerTime, Span};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::clock::client::handle::netclock_client_begin_burst;
use crate::ffi::game::adoption::authority::*;
use crate::ffi::game::adoption::handle::*;
use crate::ffi::tests::statuses::*;

pub(super) mod adoption;

/// The timescale of the bench's client: the epoch of its server.
const TIMESCALE: u64 = 7;
/// Somebody who was asked.
const ASKED: u64 = 1;

/// An authority that the bench's client would go on with.
fn authority() -> NetclockAuthority {
    NetclockAuthority { epoch: 8, timescale: TIMESCALE, dispersion: 100, ..NetclockAuthority::zero() }
}

/// Authorities that are none.
fn bad_authorities() -> Vec<(&'static str, &'static str, i32, NetclockAuthority)> {
    let good = authority();
    vec![
        ("struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, NetclockAuthority { struct_size: 0, ..good }),
        ("struct_size", "31", NETCLOCK_UNKNOWN_STRUCT, NetclockAuthority { struct_size: 31, ..good }),
        (
            "struct_size",
            "UINT32_MAX",
            NETCLOCK_UNKNOWN_STRUCT,
            NetclockAuthority { struct_size: u32::MAX, ..good },
        ),
        ("reserved", "1", NETCLOCK_UNKNOWN_STRUCT, NetclockAuthority { reserved: 1, ..good }),
        ("dispersion", "-1", NETCLOCK_OUT_OF_RANGE, NetclockAuthority { dispersion: -1, ..good }),
        ("dispersion", "2^32", NETCLOCK_OUT_OF_RANGE, NetclockAuthority { dispersion: 1 << 32, ..good }),
        (
            "dispersion",
            "INT64_MAX",
            NETCLOCK_OUT_OF_RANGE,
            NetclockAuthority { dispersion: i64::MAX, ..good },
        ),
    ]
}

/// What is wrong with a datagram, what is said to it, and how to make it so.
type Spoilt = (&'static str, i32, fn(&mut Datagram));

/// Ways to spoil a datagram of 32 bytes with nothing reserved.
const SPOILT: [Spoilt; 3] = [
    ("other magic bytes", NETCLOCK_WIRE_MAGIC, |bytes| bytes[0] = b'X'),
    ("another version", NETCLOCK_WIRE_NEWER, |bytes| bytes[2] = 2),
    ("a request", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 1),
];
const LENGTHS: [(&str, usize); 3] = [("0", 0), ("31", 31), ("33", 33)];

pub(super) fn rows(table: &mut Table) {
    go_on_rows(table);
    authority_rows(table);
    inquiry_rows(table);
    statement_rows(table);
    answering_rows(table);
    stating_rows(table);
}

fn go_on_rows(table: &mut Table) {
    const GO_ON: &str = "netclock_client_set_authority";
    let good = authority();
    // SAFETY: pointers are null, or lead to live handles and to structures of the size they state, or one
    // that is refused.
    unsafe {
        client_rows(table, GO_ON, |b, client| {
            let good = authority();
            netclock_client_set_authority(client, &raw const good, b.now)
        });
        table.refuses([GO_ON, "authority", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_set_authority(b.client, ptr::null(), b.now)
        });
        for (field, text, status, bad) in bad_authorities() {
            let argument = match field {
                "struct_size" => "authority->struct_size",
                "reserved" => "authority->reserved",
                _ => "authority->dispersion",
            };
            table.refuses([GO_ON, argument, text], status, |b| {
                netclock_client_set_authority(b.client, &raw const bad, b.now)
            });
        }
        let other = NetclockAuthority { timescale: 6, ..good };
        let row = [GO_ON, "authority->timescale", "another than is followed"];
        table.refuses(row, NETCLOCK_OTHER_TIMESCALE, |b| {
            netclock_client_set_authority(b.client, &raw const other, b.now)
        });
        for (text, now) in NO_INSTANTS {
            table.refuses([GO_ON, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_set_authority(b.client, &raw const good, now)
            });
        }
        let row = [GO_ON, "now", "a tick before the newest"];
        table.refuses(row, NETCLOCK_TIME_WENT_BACKWARDS, |b| {
            netclock_client_set_authority(b.client, &raw const good, b.now - 1)
        });
    }
}

fn authority_rows(table: &mut Table) {
    const OF: &str = "netclock_client_authority";
    // SAFETY: pointers are null, or lead to live handles and to room of the size it states, or one that is
    // refused.
    unsafe {
        client_rows(table, OF, |b, client| netclock_client_authority(client, b.now, b.sized(32)));
        for (text, now) in NO_INSTANTS {
            table.refuses([OF, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_authority(b.client, now, b.sized(32))
            });
        }
        table.refuses([OF, "authority", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_authority(b.client, b.now, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("31", 31), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            table.refuses([OF, "authority->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_client_authority(b.client, b.now, b.sized(size))
            });
        }
    }
}

fn inquiry_rows(table: &mut Table) {
    // SAFETY: null, or a live client.
    client_rows(table, "netclock_client_begin_burst", |_, client| unsafe {
        netclock_client_begin_burst(client)
    });
    const INQUIRE: &str = "netclock_client_request_authority";
    // SAFETY: pointers are null, or lead to live handles and to room for a datagram.
    unsafe {
        client_rows(table, INQUIRE, |b, client| {
            netclock_client_request_authority(client, b.now, b.out(), 32)
        });
        for (text, now) in NO_INSTANTS {
            table.refuses([INQUIRE, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_request_authority(b.client, now, b.out(), 32)
            });
        }
        let row = [INQUIRE, "now", "a tick before the newest"];
        table.refuses(row, NETCLOCK_TIME_WENT_BACKWARDS, |b| {
            netclock_client_request_authority(b.client, b.now - 1, b.out(), 32)
        });
        table.refuses([INQUIRE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_request_authority(b.client, b.now, ptr::null_mut(), 32)
        });
        table.refuses([INQUIRE, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_client_request_authority(b.client, b.now, b.out(), 31)
        });
    }
}

/// A statement that answers an inquiry of the bench's client.
fn statement(bench: &Bench) -> Datagram {
    let mut inquiry = [0; 32];
    // SAFETY: a live client, and room for a datagram.
    let asked = unsafe {
        netclock_client_request_authority(bench.client, bench.now, inquiry.as_mut_ptr().cast(), 32)
    };
    assert_eq!(asked.0, NETCLOCK_OK);
    let id = AuthorityRequest::decode(&inquiry).expect("it was just written").id;
    let authority = Authority { epoch: 8, timescale: TIMESCALE, dispersion: Span::from_ticks(100) };
    AuthorityReply { id, authority }.encode().expect("it fits")
}

fn statement_rows(table: &mut Table) {
    const HANDLE: &str = "netclock_client_handle_authority_reply";
    // SAFETY: pointers are null, or lead to live handles and to datagrams; lengths are true, or too short.
    unsafe {
        client_rows(table, HANDLE, |b, client| {
            let bytes = statement(b);
            netclock_client_handle_authority_reply(client, bytes.as_ptr().cast(), 32, b.now)
        });
        table.refuses([HANDLE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_handle_authority_reply(b.client, ptr::null(), 32, b.now)
        });
        let others: [Spoilt; 2] = [
            ("an id that was not asked", NETCLOCK_UNKNOWN_REQUEST, |bytes| bytes[15] ^= 1),
            ("another timescale", NETCLOCK_OTHER_TIMESCALE, |bytes| bytes[23] ^= 1),
        ];
        for (text, status, spoil) in SPOILT.into_iter().chain(others) {
            table.refuses([HANDLE, "datagram", text], status, |b| {
                let mut bytes = statement(b);
                spoil(&mut bytes);
                netclock_client_handle_authority_reply(b.client, bytes.as_ptr().cast(), 32, b.now)
            });
        }
        table.refuses([HANDLE, "datagram", "one handled before"], NETCLOCK_UNKNOWN_REQUEST, |b| {
            let bytes = statement(b);
            let handle =
                || netclock_client_handle_authority_reply(b.client, bytes.as_ptr().cast(), 32, b.now);
            assert_eq!(handle().0, NETCLOCK_OK);
            handle()
        });
        for (text, length) in LENGTHS {
            table.refuses([HANDLE, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_client_handle_authority_reply(b.client, [0_u8; 33].as_ptr().cast(), length, b.now)
            });
        }
        for (text, arrived) in NO_INSTANTS.into_iter().filter(|&(_, ticks)| ticks > 0) {
            table.refuses([HANDLE, "arrived", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                let bytes = statement(b);
                netclock_client_handle_authority_reply(b.client, bytes.as_ptr().cast(), 32, arrived)
            });
        }
    }
}

fn answering_rows(table: &mut Table) {
    const ANSWER: &str = "netclock_client_respond_to_adoption";
    let good = AdoptionRequest { id: 5, timescale: TIMESCALE }.encode();
    // SAFETY: pointers are null, or lead to live handles, to datagrams and to room; lengths are true, or too
    // short.
    unsafe {
        client_rows(table, ANSWER, |b, client| {
            let question = AdoptionRequest { id: 5, timescale: TIMESCALE }.encode();
            netclock_client_respond_to_adoption(client, question.as_ptr().cast(), 32, b.now, b.out(), 32)
        });
        table.refuses([ANSWER, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_respond_to_adoption(b.client, ptr::null(), 32, b.now, b.out(), 32)
        });
        let others: [Spoilt; 2] = [
            ("a reserved byte set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[16] = 1),
            ("about another timescale", NETCLOCK_OTHER_TIMESCALE, |bytes| bytes[31] ^= 1),
        ];
        for (text, status, spoil) in SPOILT.into_iter().chain(others) {
            table.refuses([ANSWER, "request", text], status, |b| {
                let mut bytes = good;
                spoil(&mut bytes);
                netclock_client_respond_to_adoption(b.client, bytes.as_ptr().cast(), 32, b.now, b.out(), 32)
            });
        }
        for (text, length) in LENGTHS {
            table.refuses([ANSWER, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_client_respond_to_adoption(
                    b.client,
                    [0_u8; 33].as_ptr().cast(),
                    length,
                    b.now,
                    b.out(),
                    32,
                )
            });
        }
        for (text, now) in NO_INSTANTS {
            table.refuses([ANSWER, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_client_respond_to_adoption(b.client, good.as_ptr().cast(), 32, now, b.out(), 32)
            });
        }
        table.refuses([ANSWER, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_respond_to_adoption(
                b.client,
                good.as_ptr().cast(),
                32,
                b.now,
                ptr::null_mut(),
                32,
            )
        });
        table.refuses([ANSWER, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_client_respond_to_adoption(b.client, good.as_ptr().cast(), 32, b.now, b.out(), 31)
        });
    }
}

fn stating_rows(table: &mut Table) {
    const STATE: &str = "netclock_authority_respond";
    let (good, inquiry) = (authority(), AuthorityRequest { id: 5 }.encode());
    // SAFETY: pointers are null, or lead to structures, to datagrams and to room; lengths are true, or too
    // short.
    unsafe {
        let state = |b: &mut Bench, authority: *const NetclockAuthority| {
            netclock_authority_respond(authority, inquiry.as_ptr().cast(), 32, b.out(), 32)
        };
        table.refuses([STATE, "authority", "null"], NETCLOCK_NULL_ARGUMENT, |b| state(b, ptr::null()));
        for (field, text, status, bad) in bad_authorities() {
            let (argument, status) = match field {
                "struct_size" => ("authority->struct_size", status),
                "reserved" => ("authority->reserved", status),
                _ => ("authority->dispersion", NETCLOCK_WIRE_STAMP),
            };
            table.refuses([STATE, argument, text], status, |b| state(b, &raw const bad));
        }
        table.refuses([STATE, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_authority_respond(&raw const good, ptr::null(), 32, b.out(), 32)
        });
        let reserved: [Spoilt; 1] = [("a reserved byte set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[31] = 1)];
        for (text, status, spoil) in SPOILT.into_iter().chain(reserved) {
            table.refuses([STATE, "request", text], status, |b| {
                let mut bytes = inquiry;
                spoil(&mut bytes);
                netclock_authority_respond(&raw const good, bytes.as_ptr().cast(), 32, b.out(), 32)
            });
        }
        for (text, length) in LENGTHS {
            table.refuses([STATE, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_authority_respond(&raw const good, [0_u8; 33].as_ptr().cast(), length, b.out(), 32)
            });
        }
        table.refuses([STATE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_authority_respond(&raw const good, inquiry.as_ptr().cast(), 32, ptr::null_mut(), 32)
        });
        table.refuses([STATE, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_authority_respond(&raw const good, inquiry.as_ptr().cast(), 32, b.out(), 31)
        });
    }
}
