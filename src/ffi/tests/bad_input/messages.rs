//! The server, and datagrams.

use core::ffi::c_void;
use core::ptr;

use super::super::SECOND;
use super::bench::{Bench, poisoned_server};
use super::client::{NO_INSTANTS, SIZES};
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::clock::exchange::messages::*;
use crate::ffi::clock::exchange::wire::*;
use crate::ffi::clock::responder::handle::*;
use crate::ffi::tests::statuses::*;

/// Changes a good datagram.
type Change = fn(&mut [u8; NETCLOCK_DATAGRAM_SIZE]);

/// Bytes that no datagram has there; the offsets are those of the wire format.
const GARBAGE: [(&str, i32, Change); 7] = [
    ("32 zeros", NETCLOCK_WIRE_MAGIC, |bytes| bytes.fill(0)),
    ("32 random bytes", NETCLOCK_WIRE_MAGIC, |bytes| {
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = (index as u8).wrapping_mul(151).wrapping_add(7);
        }
    }),
    ("another magic", NETCLOCK_WIRE_MAGIC, |bytes| bytes[1] ^= 1),
    ("version 2", NETCLOCK_WIRE_NEWER, |bytes| bytes[2] = 2),
    ("version 0", NETCLOCK_WIRE_OLDER, |bytes| bytes[2] = 0),
    ("kind 0", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 0),
    ("a stamp of 2^62", NETCLOCK_WIRE_STAMP, |bytes| {
        bytes[16..24].copy_from_slice(&(1_i64 << 62).to_be_bytes());
    }),
];

fn request() -> NetclockRequest {
    NetclockRequest { id: 77, client_time: SECOND, ..NetclockRequest::zero() }
}

fn reply() -> NetclockReply {
    NetclockReply { id: 77, epoch: 7, received: SECOND, sent: SECOND + 5, ..NetclockReply::zero() }
}

/// Sizes of no reply.
pub(super) const REPLY_SIZES: [(&str, u32); 5] =
    [("0", 0), ("3", 3), ("39", 39), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

/// Requests of a size that none has, and one with a field that this library does not know.
fn request_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, *const NetclockRequest) -> NetclockStatus,
) {
    for (text, struct_size) in SIZES {
        table.refuses([function, "request->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
            call(b, &NetclockRequest { struct_size, ..request() })
        });
    }
    let longer = (NetclockRequest { struct_size: 32, ..request() }, 1_u64);
    table.refuses([function, "request", "an unknown field set"], NETCLOCK_UNKNOWN_STRUCT, |b| {
        call(b, ptr::from_ref(&longer).cast())
    });
}

/// The same of replies.
pub(super) fn reply_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, *const NetclockReply) -> NetclockStatus,
) {
    for (text, struct_size) in REPLY_SIZES {
        table.refuses([function, "reply->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
            call(b, &NetclockReply { struct_size, ..reply() })
        });
    }
    table.refuses([function, "reply->reserved", "1"], NETCLOCK_UNKNOWN_STRUCT, |b| {
        call(b, &NetclockReply { reserved: 1, ..reply() })
    });
    let longer = (NetclockReply { struct_size: 48, ..reply() }, 1_u64);
    table.refuses([function, "reply", "an unknown field set"], NETCLOCK_UNKNOWN_STRUCT, |b| {
        call(b, ptr::from_ref(&longer).cast())
    });
}

pub(super) fn server_rows(table: &mut Table) {
    const CREATE: &str = "netclock_server_create";
    const DESTROY: &str = "netclock_server_destroy";
    const RESPOND: &str = "netclock_server_respond";
    type Stamps = fn(i64) -> (i64, i64);
    // SAFETY: pointers are null, or lead to live servers, whole requests and room for outputs; what is no
    // live server is not looked at.
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
            netclock_server_respond(server, &request(), received, sent, b.sized(40))
        };
        let row = [RESPOND, "server", "null"];
        table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| respond(b, ptr::null_mut(), 0, 0));
        table.refuses([RESPOND, "server", "a poisoned one"], NETCLOCK_POISONED, |b| {
            let server = poisoned_server(b.server);
            respond(b, server, 0, 0)
        });
        table.refuses([RESPOND, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_server_respond(b.server, ptr::null(), 0, 0, b.sized(40))
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
        request_rows(table, RESPOND, |b, request| {
            netclock_server_respond(b.server, request, 0, 0, b.sized(40))
        });
        for (text, size) in REPLY_SIZES {
            table.refuses([RESPOND, "reply->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_server_respond(b.server, &request(), 0, 0, b.sized(size))
            });
        }
    }
}

pub(super) fn rows(table: &mut Table) {
    requests(table);
    notices(table);
    replies(table);
}

/// Every length but the right one is refused; these stand for them.
const LENGTHS: [(&str, usize); 5] = [("0", 0), ("1", 1), ("31", 31), ("33", 33), ("SIZE_MAX", usize::MAX)];

/// A kind of message, and how it becomes a datagram and is read from one.
struct Codec<M: 'static> {
    encode: (&'static str, unsafe extern "C" fn(*const M, *mut c_void, usize) -> NetclockStatus),
    decode: (&'static str, unsafe extern "C" fn(*const c_void, usize, *mut M) -> NetclockStatus),
    /// The message as an argument, and its first field.
    argument: [&'static str; 2],
    sizes: [(&'static str, u32); 5],
    good: M,
}

impl<M: Growable> Codec<M> {
    /// What the two calls of every kind refuse.
    fn rows(&self, table: &mut Table, garbage: &[(&'static str, i32, Change)]) {
        let [argument, size_field] = self.argument;
        let ((encoding, encode), (decoding, decode), size) =
            (self.encode, self.decode, size_of::<M>() as u32);
        let mut good = [0; NETCLOCK_DATAGRAM_SIZE];
        // SAFETY: pointers are null or lead to whole values; lengths are true, or refused before anything is
        // read.
        unsafe {
            assert_eq!(encode(&self.good, good.as_mut_ptr().cast(), 32).0, NETCLOCK_OK);
            table.refuses([encoding, argument, "null"], NETCLOCK_NULL_ARGUMENT, |b| {
                encode(ptr::null(), b.out(), 32)
            });
            table.refuses([encoding, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
                encode(&self.good, ptr::null_mut(), 32)
            });
            for (text, capacity) in [("0", 0), ("31", 31)] {
                table.refuses([encoding, "capacity", text], NETCLOCK_WIRE_LENGTH, |b| {
                    encode(&self.good, b.out(), capacity)
                });
            }

            table.refuses([decoding, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
                decode(ptr::null(), 32, b.sized(size))
            });
            for &(text, status, change) in GARBAGE.iter().chain(garbage) {
                let mut bytes = good;
                change(&mut bytes);
                table.refuses([decoding, "datagram", text], status, |b| {
                    decode(bytes.as_ptr().cast(), 32, b.sized(size))
                });
            }
            for (text, length) in LENGTHS {
                table.refuses([decoding, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                    decode(good.as_ptr().cast(), length, b.sized(size))
                });
            }
            table.refuses([decoding, argument, "null"], NETCLOCK_NULL_ARGUMENT, |_| {
                decode(good.as_ptr().cast(), 32, ptr::null_mut())
            });
            for (text, size) in self.sizes {
                table.refuses([decoding, size_field, text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                    decode(good.as_ptr().cast(), 32, b.sized(size))
                });
            }
        }
    }
}

fn requests(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_request";
    let codec = Codec {
        encode: (ENCODE, netclock_encode_request),
        decode: ("netclock_decode_request", netclock_decode_request),
        argument: ["request", "request->struct_size"],
        sizes: SIZES,
        good: request(),
    };
    // SAFETY: messages of the size that they state, or that is refused, and room.
    unsafe {
        request_rows(table, ENCODE, |b, request| netclock_encode_request(request, b.out(), 32));
        for (text, client_time) in NO_INSTANTS {
            table.refuses([ENCODE, "request->client_time", text], NETCLOCK_WIRE_STAMP, |b| {
                netclock_encode_request(&NetclockRequest { client_time, ..request() }, b.out(), 32)
            });
        }
    }
    let garbage: [(&str, i32, Change); 3] = [
        ("a reply", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 2),
        ("a byte of 4 to 7 set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[4] = 1),
        ("a byte of 24 to 31 set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[31] = 1),
    ];
    codec.rows(table, &garbage);
}

fn notices(table: &mut Table) {
    const NOTICE: &str = "netclock_version_notice";
    let mut asked = [0_u8; 32];
    asked[..4].copy_from_slice(b"NK\x02\x01");
    let asked = asked.as_ptr().cast();
    // SAFETY: a datagram of the length that is stated, and room.
    unsafe {
        table.refuses([NOTICE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_version_notice(ptr::null(), 32, b.out(), 32)
        });
        table.refuses([NOTICE, "datagram", "a reply"], NETCLOCK_NOTHING_DUE, |b| {
            let reply = *b"NK\x02\x02............................";
            netclock_version_notice(reply.as_ptr().cast(), 32, b.out(), 32)
        });
        table.refuses([NOTICE, "length", "31"], NETCLOCK_NOTHING_DUE, |b| {
            netclock_version_notice(asked, 31, b.out(), 32)
        });
        table.refuses([NOTICE, "notice", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_version_notice(asked, 32, ptr::null_mut(), 32)
        });
        table.refuses([NOTICE, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_version_notice(asked, 32, b.out(), 31)
        });
    }
}

fn replies(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_reply";
    let codec = Codec {
        encode: (ENCODE, netclock_encode_reply),
        decode: ("netclock_decode_reply", netclock_decode_reply),
        argument: ["reply", "reply->struct_size"],
        sizes: REPLY_SIZES,
        good: reply(),
    };
    // SAFETY: as above.
    unsafe {
        reply_rows(table, ENCODE, |b, reply| netclock_encode_reply(reply, b.out(), 32));
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
    }
    codec.rows(table, &[("a request", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 1)]);
}
