//! Session keys, on either side.

use core::ptr;
use std::panic::resume_unwind;

use super::bench::Bench;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::keys::keyed::*;
use crate::ffi::clock::keys::session_keys::*;
use crate::ffi::tests::statuses::*;

const ID: u32 = 5;
/// A sealed datagram of 32 bytes.
const SEALED: usize = 32 + NETCLOCK_SEAL_OVERHEAD;
/// Lengths that no sealed message has.
const LENGTHS: [(&str, usize); 3] = [("32", 32), ("1057", 1057), ("SIZE_MAX", usize::MAX)];

/// Changes a good datagram.
type Change = fn(&mut [u8; SEALED]);

const GARBAGE: [(&str, i32, Change); 6] = [
    ("64 zeros", NETCLOCK_NOT_SEALED, |bytes| bytes.fill(0)),
    ("a message without a seal", NETCLOCK_NOT_SEALED, |bytes| bytes[3] = 1),
    ("version 2", NETCLOCK_WIRE_NEWER, |bytes| bytes[2] = 2),
    ("another key id", NETCLOCK_UNKNOWN_KEY, |bytes| bytes[7] ^= 1),
    ("a changed byte", NETCLOCK_FORGED, |bytes| bytes[20] ^= 1),
    ("a changed tag", NETCLOCK_FORGED, |bytes| bytes[63] ^= 0x80),
];

fn key() -> NetclockSessionKey {
    NetclockSessionKey { secret_high: 1, secret_low: 2, id: ID, restarts: 0 }
}

fn bad_keys() -> [(&'static str, &'static str, i32, NetclockSessionKey); 1] {
    let zero = NetclockSessionKey { secret_high: 0, secret_low: 0, ..key() };
    [("key->secret_high", "0, with `secret_low` 0", NETCLOCK_BAD_CONFIG, zero)]
}

/// Calls on a channel of its own.
pub(super) fn with_channel(
    direction: i32,
    call: impl FnOnce(*mut NetclockSealedChannel) -> NetclockStatus,
) -> NetclockStatus {
    let mut channel = ptr::null_mut();
    // SAFETY: a key, and room for a handle that lives until the end.
    unsafe {
        assert_eq!(netclock_sealed_channel_create(&key(), direction, &raw mut channel).0, NETCLOCK_OK);
        let status = call(channel);
        assert_eq!(netclock_sealed_channel_destroy(channel).0, NETCLOCK_OK);
        status
    }
}

fn poisoned_channel(channel: *mut NetclockSealedChannel) {
    // SAFETY: a live channel.
    unsafe { owned::change("a_test", channel, |_| resume_unwind(Box::new("poisoned"))) };
}

/// A datagram of the server.
pub(super) fn sealed_by_server(message: &[u8]) -> Vec<u8> {
    seal(NETCLOCK_TO_CLIENT, message)
}

fn seal(direction: i32, message: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; message.len() + NETCLOCK_SEAL_OVERHEAD];
    let (text, length, out, room) = (message.as_ptr(), message.len(), bytes.as_mut_ptr(), bytes.len());
    let status = with_channel(direction, |channel| {
        // SAFETY: a channel, a message, and room for the sealed datagram.
        unsafe { netclock_sealed_channel_seal(channel, text.cast(), length, out.cast(), room) }
    });
    assert_eq!(status.0, NETCLOCK_OK);
    bytes
}

fn sealed(direction: i32) -> [u8; SEALED] {
    seal(direction, &[7; 32]).try_into().expect("of this length")
}

/// Session keys that know `ID`, with room for two, and one answer a second.
fn keys() -> *mut NetclockSessionKeys {
    let mut keys = ptr::null_mut();
    let config = NetclockSessionKeysConfig { capacity: 2, answers: 1, ..NetclockSessionKeysConfig::zero() };
    // SAFETY: settings, room for a handle, and a key.
    unsafe {
        assert_eq!(netclock_session_keys_create(&config, &raw mut keys).0, NETCLOCK_OK);
        assert_eq!(netclock_session_keys_admit(keys, &key()).0, NETCLOCK_OK);
    }
    keys
}

fn poisoned() -> *mut NetclockSessionKeys {
    let keys = keys();
    // SAFETY: live session keys.
    unsafe { owned::change("a_test", keys, |_| resume_unwind(Box::new("poisoned"))) };
    keys
}

/// Calls on session keys of its own.
fn with_keys(
    keys: *mut NetclockSessionKeys,
    call: impl FnOnce(*mut NetclockSessionKeys) -> NetclockStatus,
) -> NetclockStatus {
    let status = call(keys);
    // SAFETY: the caller made them for this call.
    assert_eq!(unsafe { netclock_session_keys_destroy(keys) }.0, NETCLOCK_OK);
    status
}

/// Session keys that are none, and some that are of no use.
fn keys_rows(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockSessionKeys) -> NetclockStatus,
) {
    table.refuses([function, "keys", "null"], NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "keys", "poisoned ones"], NETCLOCK_POISONED, |b| {
        with_keys(poisoned(), |keys| call(b, keys))
    });
}

pub(super) fn message_rows(table: &mut Table) {
    const CREATE: &str = "netclock_sealed_channel_create";
    const DESTROY: &str = "netclock_sealed_channel_destroy";
    // SAFETY: pointers are null or lead to whole values; what is no live channel is not looked at.
    unsafe {
        table.refuses([CREATE, "key", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_sealed_channel_create(ptr::null(), NETCLOCK_TO_SERVER, b.out())
        });
        for (name, value, status, bad) in bad_keys() {
            table.refuses([CREATE, name, value], status, |b| {
                netclock_sealed_channel_create(&bad, NETCLOCK_TO_SERVER, b.out())
            });
        }
        for (value, direction) in [("0", 0), ("3", 3), ("INT32_MIN", i32::MIN)] {
            table.refuses([CREATE, "direction", value], NETCLOCK_OUT_OF_RANGE, |b| {
                netclock_sealed_channel_create(&key(), direction, b.out())
            });
        }
        table.refuses([CREATE, "channel", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_sealed_channel_create(&key(), NETCLOCK_TO_SERVER, ptr::null_mut())
        });
        let nothing = Effect::Answered("does nothing");
        table.call([DESTROY, "channel", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_sealed_channel_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "channel", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_sealed_channel_destroy(b.client.cast())
        });
    }
    seal_rows(table);
    open_rows(table);
}

fn seal_rows(table: &mut Table) {
    const SEAL: &str = "netclock_sealed_channel_seal";
    let text = [7_u8; 1025];
    let text = text.as_ptr().cast();
    let seal = |channel, message, length, out, capacity| {
        // SAFETY: pointers are null or lead to whole values; lengths are true, or refused before anything is
        // read.
        unsafe { netclock_sealed_channel_seal(channel, message, length, out, capacity) }
    };
    table.refuses([SEAL, "channel", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        seal(ptr::null_mut(), text, 32, b.out(), SEALED)
    });
    table.refuses([SEAL, "channel", "a poisoned one"], NETCLOCK_POISONED, |b| {
        with_channel(NETCLOCK_TO_SERVER, |channel| {
            poisoned_channel(channel);
            seal(channel, text, 32, b.out(), SEALED)
        })
    });
    table.refuses([SEAL, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        with_channel(NETCLOCK_TO_SERVER, |channel| seal(channel, ptr::null(), 32, b.out(), SEALED))
    });
    for (value, length) in [("0", 0), ("1025", 1025), ("SIZE_MAX", usize::MAX)] {
        table.refuses([SEAL, "length", value], NETCLOCK_WIRE_LENGTH, |b| {
            with_channel(NETCLOCK_TO_SERVER, |channel| seal(channel, text, length, b.out(), 2000))
        });
    }
    table.refuses([SEAL, "sealed", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        with_channel(NETCLOCK_TO_SERVER, |channel| seal(channel, text, 32, ptr::null_mut(), SEALED))
    });
    for (value, capacity) in [("0", 0), ("63", 63)] {
        table.refuses([SEAL, "capacity", value], NETCLOCK_WIRE_LENGTH, |b| {
            with_channel(NETCLOCK_TO_SERVER, |channel| seal(channel, text, 32, b.out(), capacity))
        });
    }
}

fn open_rows(table: &mut Table) {
    const OPEN: &str = "netclock_sealed_channel_open";
    let good = sealed(NETCLOCK_TO_CLIENT);
    let open_at = |channel, bytes: *const u8, length, out| {
        // SAFETY: as above.
        unsafe { netclock_sealed_channel_open(channel, bytes.cast(), length, out) }
    };
    let open = |b: &mut Bench, bytes: &[u8], length| {
        with_channel(NETCLOCK_TO_SERVER, |channel| open_at(channel, bytes.as_ptr(), length, b.out()))
    };
    table.refuses([OPEN, "channel", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        open_at(ptr::null_mut(), good.as_ptr(), SEALED, b.out())
    });
    table.refuses([OPEN, "channel", "a poisoned one"], NETCLOCK_POISONED, |b| {
        with_channel(NETCLOCK_TO_SERVER, |channel| {
            poisoned_channel(channel);
            open_at(channel, good.as_ptr(), SEALED, b.out())
        })
    });
    table.refuses([OPEN, "sealed", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        with_channel(NETCLOCK_TO_SERVER, |channel| open_at(channel, ptr::null(), SEALED, b.out()))
    });
    table.refuses([OPEN, "message", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        with_channel(NETCLOCK_TO_SERVER, |channel| open_at(channel, good.as_ptr(), SEALED, ptr::null_mut()))
    });
    let back = sealed(NETCLOCK_TO_SERVER);
    table.refuses([OPEN, "sealed", "its own"], NETCLOCK_OTHER_DIRECTION, |b| open(b, &back, SEALED));
    table.refuses([OPEN, "sealed", "one that came before"], NETCLOCK_REPLAYED, |b| {
        with_channel(NETCLOCK_TO_SERVER, |channel| {
            let mut message = ptr::null();
            assert_eq!(open_at(channel, good.as_ptr(), SEALED, &raw mut message).0, NETCLOCK_OK);
            open_at(channel, good.as_ptr(), SEALED, b.out())
        })
    });
    for (text, status, change) in GARBAGE {
        let mut bytes = good;
        change(&mut bytes);
        table.refuses([OPEN, "sealed", text], status, |b| open(b, &bytes, SEALED));
    }
    for (text, length) in LENGTHS {
        let long = [&good[..], &[0; 1000]].concat();
        table.refuses([OPEN, "length", text], NETCLOCK_WIRE_LENGTH, |b| open(b, &long, length));
    }
}

pub(super) fn server_rows(table: &mut Table) {
    life_rows(table);
    admit_rows(table);
    datagram_rows(table);
    answer_rows(table);
}

fn life_rows(table: &mut Table) {
    const CREATE: &str = "netclock_session_keys_create";
    const DESTROY: &str = "netclock_session_keys_destroy";
    const COUNTS: &str = "netclock_session_keys_counts";
    type Set = fn(&mut NetclockSessionKeysConfig);
    let settings: [(&str, &str, i32, Set); 6] = [
        ("config->struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 0),
        ("config->struct_size", "11", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 11),
        ("config->struct_size", "UINT32_MAX", NETCLOCK_UNKNOWN_STRUCT, |config| {
            config.struct_size = u32::MAX
        }),
        ("config->capacity", "65537", NETCLOCK_BAD_CONFIG, |config| config.capacity = 65_537),
        ("config->capacity", "UINT32_MAX", NETCLOCK_BAD_CONFIG, |config| config.capacity = u32::MAX),
        ("config->answers", "10001", NETCLOCK_BAD_CONFIG, |config| config.answers = 10_001),
    ];
    // SAFETY: null, or whole values; what are no live session keys is not looked at.
    unsafe {
        for (name, value, status, set) in settings {
            let mut config = NetclockSessionKeysConfig::zero();
            set(&mut config);
            table.refuses([CREATE, name, value], status, |b| netclock_session_keys_create(&config, b.out()));
        }
        table.refuses([CREATE, "keys", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_session_keys_create(ptr::null(), ptr::null_mut())
        });
        let nothing = Effect::Answered("does nothing");
        table.call([DESTROY, "keys", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_session_keys_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "keys", "some destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let gone = keys();
            assert_eq!(netclock_session_keys_destroy(gone).0, NETCLOCK_OK);
            netclock_session_keys_destroy(gone)
        });
        table.refuses([DESTROY, "keys", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_session_keys_destroy(b.client.cast())
        });
        let gone = Effect::Answered("destroyed as any other");
        table.call([DESTROY, "keys", "poisoned ones"], NETCLOCK_OK, gone, |_| {
            netclock_session_keys_destroy(poisoned())
        });
        keys_rows(table, COUNTS, |b, keys| netclock_session_keys_counts(keys, b.sized(56)));
        table.refuses([COUNTS, "counts", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            with_keys(keys(), |keys| netclock_session_keys_counts(keys, ptr::null_mut()))
        });
        for (text, size) in [("0", 0), ("55", 55), ("UINT32_MAX", u32::MAX)] {
            table.refuses([COUNTS, "counts->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                with_keys(keys(), |keys| netclock_session_keys_counts(keys, b.sized(size)))
            });
        }
    }
}

fn admit_rows(table: &mut Table) {
    const ADMIT: &str = "netclock_session_keys_admit";
    const REVOKE: &str = "netclock_session_keys_revoke";
    // SAFETY: live session keys, or those that are refused; whole keys.
    unsafe {
        keys_rows(table, ADMIT, |_, keys| netclock_session_keys_admit(keys, &key()));
        table.refuses([ADMIT, "key", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            with_keys(keys(), |keys| netclock_session_keys_admit(keys, ptr::null()))
        });
        for (name, value, status, bad) in bad_keys() {
            table.refuses([ADMIT, name, value], status, |_| {
                with_keys(keys(), |keys| netclock_session_keys_admit(keys, &bad))
            });
        }
        table.refuses([ADMIT, "key->id", "one that is in use"], NETCLOCK_DUPLICATE, |_| {
            with_keys(keys(), |keys| netclock_session_keys_admit(keys, &key()))
        });
        table.refuses([ADMIT, "keys", "full ones"], NETCLOCK_FULL, |_| {
            with_keys(keys(), |keys| {
                let other = |id| NetclockSessionKey { id, ..key() };
                assert_eq!(netclock_session_keys_admit(keys, &other(6)).0, NETCLOCK_OK);
                netclock_session_keys_admit(keys, &other(7))
            })
        });
        keys_rows(table, REVOKE, |_, keys| netclock_session_keys_revoke(keys, ID));
        table.refuses([REVOKE, "id", "one that was never admitted"], NETCLOCK_UNKNOWN_KEY, |_| {
            with_keys(keys(), |keys| netclock_session_keys_revoke(keys, 6))
        });
    }
}

fn datagram_rows(table: &mut Table) {
    const OPEN: &str = "netclock_session_keys_open";
    let good = sealed(NETCLOCK_TO_SERVER);
    let mut id = 0;
    let id: *mut u32 = &raw mut id;
    let open = |b: &mut Bench, bytes: &[u8], length| {
        // SAFETY: live session keys, and a datagram that is as long, or refused before anything is read.
        with_keys(keys(), |keys| unsafe {
            netclock_session_keys_open(keys, bytes.as_ptr().cast(), length, id, b.out())
        })
    };
    table.refuses([OPEN, "keys", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
        // SAFETY: null is refused.
        unsafe { netclock_session_keys_open(ptr::null_mut(), good.as_ptr().cast(), SEALED, id, b.out()) }
    });
    // SAFETY: as above.
    unsafe {
        table.refuses([OPEN, "keys", "poisoned ones"], NETCLOCK_POISONED, |b| {
            with_keys(poisoned(), |keys| {
                netclock_session_keys_open(keys, good.as_ptr().cast(), SEALED, id, b.out())
            })
        });
        table.refuses([OPEN, "sealed", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            with_keys(keys(), |keys| netclock_session_keys_open(keys, ptr::null(), SEALED, id, b.out()))
        });
        table.refuses([OPEN, "id", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            with_keys(keys(), |keys| {
                netclock_session_keys_open(keys, good.as_ptr().cast(), SEALED, ptr::null_mut(), b.out())
            })
        });
        table.refuses([OPEN, "message", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            with_keys(keys(), |keys| {
                netclock_session_keys_open(keys, good.as_ptr().cast(), SEALED, id, ptr::null_mut())
            })
        });
    }
    for (text, status, change) in GARBAGE {
        let mut bytes = good;
        change(&mut bytes);
        table.refuses([OPEN, "sealed", text], status, |b| open(b, &bytes, SEALED));
    }
    let other = sealed(NETCLOCK_TO_CLIENT);
    table.refuses([OPEN, "sealed", "one to a client"], NETCLOCK_OTHER_DIRECTION, |b| open(b, &other, SEALED));
    for (text, length) in LENGTHS {
        let long = [&good[..], &[0; 1000]].concat();
        table.refuses([OPEN, "length", text], NETCLOCK_WIRE_LENGTH, |b| open(b, &long, length));
    }
}

fn answer_rows(table: &mut Table) {
    const ALLOW: &str = "netclock_session_keys_allow";
    const SEAL: &str = "netclock_session_keys_seal";
    let text = [7_u8; 1025];
    let text = text.as_ptr().cast();
    // SAFETY: live session keys, or those that are refused; whole requests, and messages that are as long, or
    // refused before anything is read.
    unsafe {
        keys_rows(table, ALLOW, |_, keys| netclock_session_keys_allow(keys, ID, 0));
        table.refuses([ALLOW, "id", "one that was never admitted"], NETCLOCK_UNKNOWN_KEY, |_| {
            with_keys(keys(), |keys| netclock_session_keys_allow(keys, 6, 0))
        });
        table.refuses([ALLOW, "id", "one whose budget is used up"], NETCLOCK_ENOUGH_ANSWERS, |_| {
            with_keys(keys(), |keys| {
                assert_eq!(netclock_session_keys_allow(keys, ID, 0).0, NETCLOCK_OK);
                netclock_session_keys_allow(keys, ID, 0)
            })
        });
        keys_rows(table, SEAL, |b, keys| {
            netclock_session_keys_seal(keys, ID, [7_u8; 32].as_ptr().cast(), 32, b.out(), SEALED)
        });
        table.refuses([SEAL, "id", "one that was never admitted"], NETCLOCK_UNKNOWN_KEY, |b| {
            with_keys(keys(), |keys| netclock_session_keys_seal(keys, 6, text, 32, b.out(), SEALED))
        });
        table.refuses([SEAL, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            with_keys(keys(), |keys| netclock_session_keys_seal(keys, ID, ptr::null(), 32, b.out(), SEALED))
        });
        for (value, length) in [("0", 0), ("1025", 1025), ("SIZE_MAX", usize::MAX)] {
            table.refuses([SEAL, "length", value], NETCLOCK_WIRE_LENGTH, |b| {
                with_keys(keys(), |keys| netclock_session_keys_seal(keys, ID, text, length, b.out(), 2000))
            });
        }
        table.refuses([SEAL, "sealed", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            with_keys(keys(), |keys| netclock_session_keys_seal(keys, ID, text, 32, ptr::null_mut(), SEALED))
        });
        for (value, capacity) in [("0", 0), ("63", 63)] {
            table.refuses([SEAL, "capacity", value], NETCLOCK_WIRE_LENGTH, |b| {
                with_keys(keys(), |keys| netclock_session_keys_seal(keys, ID, text, 32, b.out(), capacity))
            });
        }
    }
}
