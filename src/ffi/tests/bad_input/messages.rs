//! The server, and datagrams.

use core::ptr;

use super::super::SECOND;
use super::bench::{Bench, poisoned_server};
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::exchange::wire::*;
use crate::ffi::server::responder::*;
use crate::ffi::tests::statuses::*;

/// Changes a good datagram.
type Change = fn(&mut [u8; NETCLOCK_DATAGRAM_SIZE]);

/// Bytes that no datagram has there; the offsets are those of the wire format.
const GARBAGE: [(&str, i32, Change); 6] = [
    ("32 zeros", NETCLOCK_WIRE_MAGIC, |bytes| bytes.fill(0)),
    ("32 random bytes", NETCLOCK_WIRE_MAGIC, |bytes| {
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = (index as u8).wrapping_mul(151).wrapping_add(7);
        }
    }),
    ("another magic", NETCLOCK_WIRE_MAGIC, |bytes| bytes[1] ^= 1),
    ("version 2", NETCLOCK_WIRE_VERSION, |bytes| bytes[2] = 2),
    ("kind 0", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 0),
    ("a stamp of 2^62", NETCLOCK_WIRE_STAMP, |bytes| {
        bytes[16..24].copy_from_slice(&(1_i64 << 62).to_be_bytes());
    }),
];

fn request() -> NetclockRequest {
    NetclockRequest { id: 77, client_time: SECOND, reliable: 0, reserved: 0 }
}

fn reply() -> NetclockReply {
    NetclockReply { id: 77, epoch: 7, received: SECOND, sent: SECOND + 5 }
}

pub(super) fn server_rows(table: &mut Table) {
    const CREATE: &str = "netclock_server_create";
    const DESTROY: &str = "netclock_server_destroy";
    const RESPOND: &str = "netclock_server_respond";
    type Stamps = fn(i64) -> (i64, i64);
    // SAFETY: pointers are null, or lead to live servers, whole requests and room for outputs; what is no live
    // server is not looked at.
    unsafe {
        table.refuses([CREATE, "server", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_server_create(7, ptr::null_mut())
        });
        let nothing = Effect::Answered("does nothing");
        table.call([DESTROY, "server", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_server_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "server", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            assert_eq!(netclock_server_destroy(b.server).0, NETCLOCK_OK);
            netclock_server_destroy(b.server)
        });
        table.refuses([DESTROY, "server", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_server_destroy(b.client.cast())
        });
        table.refuses([DESTROY, "server", "the address of something else"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_server_destroy(b.out())
        });
        let gone = Effect::Answered("destroyed as any other");
        table.call([DESTROY, "server", "a poisoned one"], NETCLOCK_OK, gone, |b| {
            netclock_server_destroy(poisoned_server(b.server))
        });

        let respond = |b: &mut Bench, server, received, sent| {
            netclock_server_respond(server, &request(), received, sent, b.out())
        };
        let row = [RESPOND, "server", "null"];
        table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| respond(b, ptr::null_mut(), 0, 0));
        table.refuses([RESPOND, "server", "a poisoned one"], NETCLOCK_POISONED, |b| {
            let server = poisoned_server(b.server);
            respond(b, server, 0, 0)
        });
        table.refuses([RESPOND, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_server_respond(b.server, ptr::null(), 0, 0, b.out())
        });
        let stamps: [(&str, Stamps); 2] = [("received", |bad| (bad, 0)), ("sent", |bad| (0, bad))];
        for (name, place) in stamps {
            for (text, stamp) in NO_INSTANTS {
                let (received, sent) = place(stamp);
                table.refuses([RESPOND, name, text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                    respond(b, b.server, received, sent)
                });
            }
        }
        let row = [RESPOND, "sent", "a tick before `received`"];
        table.refuses(row, NETCLOCK_SENT_BEFORE_RECEIVED, |b| respond(b, b.server, 5, 4));
        table.refuses([RESPOND, "reply", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_server_respond(b.server, &request(), 0, 0, ptr::null_mut())
        });
    }
}

pub(super) fn rows(table: &mut Table) {
    requests(table);
    replies(table);
}

fn requests(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_request";
    const DECODE: &str = "netclock_decode_request";
    // SAFETY: pointers are null or lead to whole values; lengths are true, or refused before anything is read.
    unsafe {
        table.refuses([ENCODE, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_encode_request(ptr::null(), b.out(), 32)
        });
        for (text, client_time) in NO_INSTANTS {
            table.refuses([ENCODE, "request->client_time", text], NETCLOCK_WIRE_STAMP, |b| {
                netclock_encode_request(&NetclockRequest { client_time, ..request() }, b.out(), 32)
            });
        }
        table.refuses([ENCODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_encode_request(&request(), ptr::null_mut(), 32)
        });
        for (text, capacity) in [("0", 0), ("31", 31)] {
            table.refuses([ENCODE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_encode_request(&request(), b.out(), capacity)
            });
        }

        let mut good = [0; NETCLOCK_DATAGRAM_SIZE];
        assert_eq!(netclock_encode_request(&request(), good.as_mut_ptr().cast(), 32).0, NETCLOCK_OK);
        table.refuses([DECODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_decode_request(ptr::null(), 32, b.out())
        });
        let reserved: [(&str, i32, Change); 3] = [
            ("a reply", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 2),
            ("a byte of 4 to 7 set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[4] = 1),
            ("a byte of 24 to 31 set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[31] = 1),
        ];
        for (text, status, change) in GARBAGE.into_iter().chain(reserved) {
            let mut bytes = good;
            change(&mut bytes);
            table.refuses([DECODE, "datagram", text], status, |b| {
                netclock_decode_request(bytes.as_ptr().cast(), 32, b.out())
            });
        }
        for (text, length) in LENGTHS {
            table.refuses([DECODE, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_decode_request(good.as_ptr().cast(), length, b.out())
            });
        }
        table.refuses([DECODE, "request", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_decode_request(good.as_ptr().cast(), 32, ptr::null_mut())
        });
    }
}

/// Every length but the right one is refused; these stand for them.
const LENGTHS: [(&str, usize); 5] = [("0", 0), ("1", 1), ("31", 31), ("33", 33), ("SIZE_MAX", usize::MAX)];

fn replies(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_reply";
    const DECODE: &str = "netclock_decode_reply";
    // SAFETY: as above.
    unsafe {
        table.refuses([ENCODE, "reply", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_encode_reply(ptr::null(), b.out(), 32)
        });
        for (text, received) in NO_INSTANTS {
            table.refuses([ENCODE, "reply->received", text], NETCLOCK_WIRE_STAMP, |b| {
                netclock_encode_reply(&NetclockReply { received, ..reply() }, b.out(), 32)
            });
        }
        let sents = [("a tick before `received`", SECOND - 1), ("430 s after `received`", 431 * SECOND)];
        for (text, sent) in NO_INSTANTS.into_iter().chain(sents) {
            table.refuses([ENCODE, "reply->sent", text], NETCLOCK_WIRE_STAMP, |b| {
                netclock_encode_reply(&NetclockReply { sent, ..reply() }, b.out(), 32)
            });
        }
        table.refuses([ENCODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_encode_reply(&reply(), ptr::null_mut(), 32)
        });
        for (text, capacity) in [("0", 0), ("31", 31)] {
            table.refuses([ENCODE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_encode_reply(&reply(), b.out(), capacity)
            });
        }

        let mut good = [0; NETCLOCK_DATAGRAM_SIZE];
        assert_eq!(netclock_encode_reply(&reply(), good.as_mut_ptr().cast(), 32).0, NETCLOCK_OK);
        table.refuses([DECODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_decode_reply(ptr::null(), 32, b.out())
        });
        let request: [(&str, i32, Change); 1] = [("a request", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 1)];
        for (text, status, change) in GARBAGE.into_iter().chain(request) {
            let mut bytes = good;
            change(&mut bytes);
            table.refuses([DECODE, "datagram", text], status, |b| {
                netclock_decode_reply(bytes.as_ptr().cast(), 32, b.out())
            });
        }
        for (text, length) in LENGTHS {
            table.refuses([DECODE, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_decode_reply(good.as_ptr().cast(), length, b.out())
            });
        }
        table.refuses([DECODE, "reply", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_decode_reply(good.as_ptr().cast(), 32, ptr::null_mut())
        });
    }
}
