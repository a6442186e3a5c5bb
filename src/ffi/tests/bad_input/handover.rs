//! Handing a timescale over.

use core::ptr;
use std::panic::resume_unwind;

use super::super::SECOND;
use super::bench::{AHEAD, Bench};
use super::client::{NO_INSTANTS, client_rows};
use super::table::{Effect, Table};
use crate::exchange::authority::{
    AdoptionReply, AdoptionRequest, Authority, AuthorityReply, AuthorityRequest,
};
use crate::exchange::wire::Datagram;
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::client::authority::*;
use crate::ffi::server::adoption::*;
use crate::ffi::tests::statuses::*;
use crate::time::{ServerTime, Span};

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
    creation_rows(table);
    trust_rows(table);
    question_rows(table);
    answer_rows(table);
    settle_rows(table);
}

fn go_on_rows(table: &mut Table) {
    const GO_ON: &str = "netclock_client_set_authority";
    let good = authority();
    // SAFETY: pointers are null, or lead to live handles and to structures of the size they state, or one that is refused.
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
    // SAFETY: pointers are null, or lead to live handles and to room of the size it states, or one that is refused.
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
    const ANSWER: &str = "netclock_client_answer_adoption";
    let good = AdoptionRequest { id: 5, timescale: TIMESCALE }.encode();
    // SAFETY: pointers are null, or lead to live handles, to datagrams and to room; lengths are true, or too short.
    unsafe {
        client_rows(table, ANSWER, |b, client| {
            let question = AdoptionRequest { id: 5, timescale: TIMESCALE }.encode();
            netclock_client_answer_adoption(client, question.as_ptr().cast(), 32, b.now, b.out(), 32)
        });
        table.refuses([ANSWER, "request", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_answer_adoption(b.client, ptr::null(), 32, b.now, b.out(), 32)
        });
        let others: [Spoilt; 2] = [
            ("a reserved byte set", NETCLOCK_WIRE_RESERVED, |bytes| bytes[16] = 1),
            ("about another timescale", NETCLOCK_OTHER_TIMESCALE, |bytes| bytes[31] ^= 1),
        ];
        for (text, status, spoil) in SPOILT.into_iter().chain(others) {
            table.refuses([ANSWER, "request", text], status, |b| {
                let mut bytes = good;
                spoil(&mut bytes);
                netclock_client_answer_adoption(b.client, bytes.as_ptr().cast(), 32, b.now, b.out(), 32)
            });
        }
        for (text, length) in LENGTHS {
            table.refuses([ANSWER, "length", text], NETCLOCK_WIRE_LENGTH, |b| {
                netclock_client_answer_adoption(
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
                netclock_client_answer_adoption(b.client, good.as_ptr().cast(), 32, now, b.out(), 32)
            });
        }
        table.refuses([ANSWER, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_answer_adoption(b.client, good.as_ptr().cast(), 32, b.now, ptr::null_mut(), 32)
        });
        table.refuses([ANSWER, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_client_answer_adoption(b.client, good.as_ptr().cast(), 32, b.now, b.out(), 31)
        });
    }
}

fn stating_rows(table: &mut Table) {
    const STATE: &str = "netclock_authority_respond";
    let (good, inquiry) = (authority(), AuthorityRequest { id: 5 }.encode());
    // SAFETY: pointers are null, or lead to structures, to datagrams and to room; lengths are true, or too short.
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

/// An adoption that asked one participant.
struct Stage {
    adoption: *mut NetclockAdoption,
    question: Datagram,
}

impl Stage {
    fn new() -> Self {
        let config = NetclockAdoptionConfig { timescale: TIMESCALE, ..NetclockAdoptionConfig::zero() };
        let (mut adoption, mut question) = (ptr::null_mut(), [0; 32]);
        // SAFETY: a whole configuration, and room for what is made.
        unsafe {
            let made = netclock_adoption_create(&raw const config, 1, 2, &raw mut adoption);
            let asked = netclock_adoption_request(adoption, ASKED, 0, question.as_mut_ptr().cast(), 32);
            assert_eq!((made.0, asked.0), (NETCLOCK_OK, NETCLOCK_OK));
        }
        Stage { adoption, question }
    }

    fn poisoned() -> Self {
        let stage = Stage::new();
        // SAFETY: a live adoption.
        unsafe { owned::change("a_test", stage.adoption, &mut |_| resume_unwind(Box::new("poisoned"))) };
        stage
    }

    /// A good answer.
    fn answer(&self) -> AdoptionReply {
        let question = AdoptionRequest::decode(&self.question).expect("it was just written");
        let (time, error_bound) = (ServerTime::from_ticks(AHEAD), Span::from_ticks(1000));
        AdoptionReply { id: question.id, timescale: TIMESCALE, time, error_bound }
    }

    fn hand_in(&self, bytes: &Datagram, arrived: i64) -> NetclockStatus {
        // SAFETY: a live adoption, and a whole datagram.
        unsafe { netclock_adoption_handle_reply(self.adoption, ASKED, bytes.as_ptr().cast(), 32, arrived) }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: created by `new`.
        unsafe { netclock_adoption_destroy(self.adoption) };
    }
}

/// An adoption that is none, and one that is of no use.
fn adoption_rows(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockAdoption) -> NetclockStatus,
) {
    let row = [function, "adoption", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "adoption", "a poisoned one"], NETCLOCK_POISONED, |b| {
        call(b, Stage::poisoned().adoption)
    });
}

fn creation_rows(table: &mut Table) {
    const CREATE: &str = "netclock_adoption_create";
    const DESTROY: &str = "netclock_adoption_destroy";
    type Change = fn(&mut NetclockAdoptionConfig);
    let changes: [(&str, &str, i32, Change); 9] = [
        ("config->struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 0),
        ("config->struct_size", "31", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 31),
        ("config->struct_size", "UINT32_MAX", NETCLOCK_UNKNOWN_STRUCT, |config| {
            config.struct_size = u32::MAX;
        }),
        ("config->liars", "32", NETCLOCK_BAD_CONFIG, |config| config.liars = 32),
        ("config->liars", "UINT32_MAX - 1", NETCLOCK_BAD_CONFIG, |config| config.liars = u32::MAX - 1),
        ("config->max_drift_ppm", "0.9", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = 0.9),
        ("config->max_drift_ppm", "NAN", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = f64::NAN),
        ("config->resolution", "-1", NETCLOCK_BAD_CONFIG, |config| config.resolution = -1),
        ("config->resolution", "INT64_MAX", NETCLOCK_BAD_CONFIG, |config| config.resolution = i64::MAX),
    ];
    // SAFETY: pointers are null, or lead to settings of the size they state, or one that is refused, and to room; what is
    // no live adoption is not looked at.
    unsafe {
        table.refuses([CREATE, "config", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_adoption_create(ptr::null(), 1, 2, b.out())
        });
        for (argument, value, status, change) in changes {
            let mut config = NetclockAdoptionConfig::zero();
            change(&mut config);
            table.refuses([CREATE, argument, value], status, |b| {
                netclock_adoption_create(&raw const config, 1, 2, b.out())
            });
        }
        let config = NetclockAdoptionConfig::zero();
        table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_adoption_create(&raw const config, 0, 0, b.out())
        });
        table.refuses([CREATE, "adoption", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_create(&raw const config, 1, 2, ptr::null_mut())
        });
        table.call([DESTROY, "adoption", "null"], NETCLOCK_OK, Effect::Answered("does nothing"), |_| {
            netclock_adoption_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "adoption", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let gone = Stage::new().adoption;
            netclock_adoption_destroy(gone)
        });
        table.refuses([DESTROY, "adoption", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_adoption_destroy(b.client.cast())
        });
    }
}

fn trust_rows(table: &mut Table) {
    const TRUST: &str = "netclock_adoption_add_own_reading";
    // SAFETY: null, or live adoptions.
    unsafe {
        adoption_rows(table, TRUST, |_, adoption| netclock_adoption_add_own_reading(adoption, 0, 1, 0));
        for (text, bad) in NO_INSTANTS {
            table.refuses([TRUST, "server_time", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, bad, 1, 0)
            });
        }
        for (text, bad) in [("-1", -1), ("2^32", 1 << 32), ("INT64_MAX", i64::MAX)] {
            table.refuses([TRUST, "error_bound", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, 0, bad, 0)
            });
        }
        for (text, bad) in NO_INSTANTS {
            table.refuses([TRUST, "raw", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, 0, 1, bad)
            });
        }
        let row = [TRUST, "server_time", "out of the bounds of an earlier one"];
        table.refuses(row, NETCLOCK_NO_AGREEMENT, |_| {
            let stage = Stage::new();
            assert_eq!(netclock_adoption_add_own_reading(stage.adoption, AHEAD, 10, 0).0, NETCLOCK_OK);
            netclock_adoption_add_own_reading(stage.adoption, AHEAD + 1000, 10, 0)
        });
    }
}

fn question_rows(table: &mut Table) {
    const QUESTION: &str = "netclock_adoption_request";
    // SAFETY: null, or live adoptions, and room for a datagram.
    unsafe {
        adoption_rows(table, QUESTION, |b, adoption| netclock_adoption_request(adoption, 2, 0, b.out(), 32));
        table.refuses([QUESTION, "participant", "a 65th"], NETCLOCK_FULL, |b| {
            let stage = Stage::new();
            for other in 2..=64 {
                let mut room = [0_u8; 32];
                let asked = netclock_adoption_request(stage.adoption, other, 0, room.as_mut_ptr().cast(), 32);
                assert_eq!(asked.0, NETCLOCK_OK);
            }
            netclock_adoption_request(stage.adoption, 65, 0, b.out(), 32)
        });
        for (text, bad) in NO_INSTANTS {
            table.refuses([QUESTION, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_adoption_request(Stage::new().adoption, 2, bad, b.out(), 32)
            });
        }
        table.refuses([QUESTION, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_request(Stage::new().adoption, 2, 0, ptr::null_mut(), 32)
        });
        table.refuses([QUESTION, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_adoption_request(Stage::new().adoption, 2, 0, b.out(), 31)
        });
    }
}

fn answer_rows(table: &mut Table) {
    const ANSWER: &str = "netclock_adoption_handle_reply";
    // SAFETY: pointers are null, or lead to live adoptions and to datagrams; lengths are true, or too short.
    unsafe {
        adoption_rows(table, ANSWER, |_, adoption| {
            let bytes = Stage::new().answer().encode().expect("it fits");
            netclock_adoption_handle_reply(adoption, ASKED, bytes.as_ptr().cast(), 32, 0)
        });
        table.refuses([ANSWER, "participant", "one who was not asked"], NETCLOCK_UNKNOWN_PARTICIPANT, |_| {
            let stage = Stage::new();
            let bytes = stage.answer().encode().expect("it fits");
            netclock_adoption_handle_reply(stage.adoption, 2, bytes.as_ptr().cast(), 32, 0)
        });
        table.refuses([ANSWER, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_handle_reply(Stage::new().adoption, ASKED, ptr::null(), 32, 0)
        });
        let others: [Spoilt; 4] = [
            ("a time of 2^62", NETCLOCK_WIRE_STAMP, |bytes| bytes[16] = 0x40),
            ("a time that leaves no room for its bound", NETCLOCK_STAMP_OUT_OF_RANGE, |bytes| {
                bytes[16] = 0x3F;
                bytes[17..24].fill(0xFF);
            }),
            ("an id that was not asked", NETCLOCK_UNKNOWN_REQUEST, |bytes| bytes[15] ^= 1),
            ("about another timescale", NETCLOCK_OTHER_TIMESCALE, |bytes| bytes[31] ^= 1),
        ];
        for (text, status, spoil) in SPOILT.into_iter().chain(others) {
            table.refuses([ANSWER, "datagram", text], status, |_| {
                let stage = Stage::new();
                let mut bytes = stage.answer().encode().expect("it fits");
                spoil(&mut bytes);
                stage.hand_in(&bytes, 0)
            });
        }
        table.refuses([ANSWER, "datagram", "one handled before"], NETCLOCK_UNKNOWN_REQUEST, |_| {
            let stage = Stage::new();
            let bytes = stage.answer().encode().expect("it fits");
            assert_eq!(stage.hand_in(&bytes, 0).0, NETCLOCK_OK);
            stage.hand_in(&bytes, 0)
        });
        let told = Effect::Changed("none of his answers counts any more");
        table.call([ANSWER, "datagram", "one that contradicts an earlier one"], NETCLOCK_LIAR, told, |_| {
            let mut stage = Stage::new();
            let first = stage.answer().encode().expect("it fits");
            assert_eq!(stage.hand_in(&first, 0).0, NETCLOCK_OK);
            let room = stage.question.as_mut_ptr().cast();
            assert_eq!(netclock_adoption_request(stage.adoption, ASKED, SECOND, room, 32).0, NETCLOCK_OK);
            let moved = AdoptionReply { time: ServerTime::from_ticks(AHEAD + 5 * SECOND), ..stage.answer() };
            stage.hand_in(&moved.encode().expect("it fits"), SECOND)
        });
        for (text, length) in LENGTHS {
            table.refuses([ANSWER, "length", text], NETCLOCK_WIRE_LENGTH, |_| {
                let bytes = [0_u8; 33];
                netclock_adoption_handle_reply(Stage::new().adoption, ASKED, bytes.as_ptr().cast(), length, 0)
            });
        }
        let late = [
            ("a tick before it was asked", NETCLOCK_ARRIVED_BEFORE_SENT, -1),
            ("5 s and a tick after", NETCLOCK_TOO_SLOW, 5 * SECOND + 1),
        ];
        let no_instants = NO_INSTANTS.map(|(text, ticks)| (text, NETCLOCK_STAMP_OUT_OF_RANGE, ticks));
        for (text, status, arrived) in no_instants.into_iter().chain(late) {
            table.refuses([ANSWER, "arrived", text], status, |_| {
                let stage = Stage::new();
                stage.hand_in(&stage.answer().encode().expect("it fits"), arrived)
            });
        }
    }
}

fn settle_rows(table: &mut Table) {
    const SETTLE: &str = "netclock_adoption_settle";
    // SAFETY: null, or live adoptions, and room of the size it states, or one that is refused.
    unsafe {
        adoption_rows(table, SETTLE, |b, adoption| netclock_adoption_settle(adoption, 0, b.sized(40)));
        table.refuses([SETTLE, "adoption", "one that nobody answered"], NETCLOCK_TOO_FEW, |b| {
            netclock_adoption_settle(Stage::new().adoption, 0, b.sized(40))
        });
        for (text, bad) in NO_INSTANTS {
            table.refuses([SETTLE, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_adoption_settle(Stage::new().adoption, bad, b.sized(40))
            });
        }
        table.refuses([SETTLE, "adopted", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_settle(Stage::new().adoption, 0, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("39", 39), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            table.refuses([SETTLE, "adopted->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_adoption_settle(Stage::new().adoption, 0, b.sized(size))
            });
        }
    }
}
