//! Arbitration, rewinding and the lead.

use core::ptr;

use super::super::MILLISECOND;
use super::bench::Bench;
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::handle;
use crate::ffi::clock::client::reading::NETCLOCK_UNBOUNDED;
use crate::ffi::clock::keys::keyed::*;
use crate::ffi::game::order::arbitrate::*;
use crate::ffi::game::order::lead::*;
use crate::ffi::tests::statuses::*;

/// Sizes of no structure of at least 24 bytes.
const SIZES: [(&str, u32); 5] = [("0", 0), ("3", 3), ("23", 23), ("5000", 5000), ("UINT32_MAX", u32::MAX)];
/// Numbers that are no share and no probability from one half to nearly or exactly 1.
const NO_SHARES: [(&str, f64); 6] = [
    ("NaN", f64::NAN),
    ("INFINITY", f64::INFINITY),
    ("-INFINITY", f64::NEG_INFINITY),
    ("-0.5", -0.5),
    ("0.499", 0.499),
    ("1.001", 1.001),
];
const NEGATIVE: [(&str, i64); 2] = [("INT64_MIN", i64::MIN), ("-1", -1)];
const MINUTE: i64 = 60_000 * MILLISECOND;
const GOOD: NetclockOrderStamp = NetclockOrderStamp { time: 0, error_bound: 10, expected_error: 5 };

pub(super) fn rows(table: &mut Table) {
    arbitrate(table);
    rewind(table);
    lead(table);
    note(table);
}

fn arbitrate(table: &mut Table) {
    const ARBITRATE: &str = "netclock_arbitrate";
    type Place = (&'static str, fn(NetclockOrderStamp) -> (NetclockOrderStamp, NetclockOrderStamp));
    let places: [Place; 2] = [("first", |bad| (bad, GOOD)), ("second", |bad| (GOOD, bad))];
    // SAFETY: pointers are null, or lead to whole stamps and to room for a verdict of the size it states.
    let judge = |b: &mut Bench, first: &NetclockOrderStamp, second: &NetclockOrderStamp, confidence| unsafe {
        netclock_arbitrate(first, second, 0, confidence, b.sized(24))
    };
    // SAFETY: as above.
    unsafe {
        table.refuses([ARBITRATE, "first", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_arbitrate(ptr::null(), &GOOD, 0, 0.9, b.sized(24))
        });
        table.refuses([ARBITRATE, "second", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_arbitrate(&GOOD, ptr::null(), 0, 0.9, b.sized(24))
        });
        table.refuses([ARBITRATE, "verdict", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_arbitrate(&GOOD, &GOOD, 0, 0.9, ptr::null_mut())
        });
        for (text, size) in SIZES {
            let row = [ARBITRATE, "verdict->struct_size", text];
            table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_arbitrate(&GOOD, &GOOD, 0, 0.9, b.sized(size))
            });
        }
    }
    for (name, place) in places {
        let names: [&'static str; 3] = match name {
            "first" => ["first->time", "first->error_bound", "first->expected_error"],
            _ => ["second->time", "second->error_bound", "second->expected_error"],
        };
        for (text, time) in NO_INSTANTS {
            let (first, second) = place(NetclockOrderStamp { time, ..GOOD });
            let row = [ARBITRATE, names[0], text];
            table.refuses(row, NETCLOCK_STAMP_OUT_OF_RANGE, |b| judge(b, &first, &second, 0.9));
        }
        for (text, bad) in NEGATIVE {
            let (first, second) = place(NetclockOrderStamp { error_bound: bad, ..GOOD });
            let row = [ARBITRATE, names[1], text];
            table.refuses(row, NETCLOCK_OUT_OF_RANGE, |b| judge(b, &first, &second, 0.9));
        }
        for (text, bad) in NEGATIVE {
            let (first, second) = place(NetclockOrderStamp { expected_error: bad, ..GOOD });
            let row = [ARBITRATE, names[2], text];
            table.refuses(row, NETCLOCK_OUT_OF_RANGE, |b| judge(b, &first, &second, 0.9));
        }
    }
    for (text, confidence) in NO_SHARES {
        let row = [ARBITRATE, "confidence", text];
        table.refuses(row, NETCLOCK_OUT_OF_RANGE, |b| judge(b, &GOOD, &GOOD, confidence));
    }
}

fn rewind(table: &mut Table) {
    const REWIND: &str = "netclock_rewind";
    let good = NetclockRewindPath::zero();
    // SAFETY: pointers are null, or lead to a path of the size it states or one that is refused, and to room.
    let back = |b: &mut Bench, claimed, arrived, path: &NetclockRewindPath| unsafe {
        netclock_rewind(claimed, arrived, path, b.sized(40))
    };
    for (text, bad) in NO_INSTANTS {
        let row = [REWIND, "claimed", text];
        table.refuses(row, NETCLOCK_STAMP_OUT_OF_RANGE, |b| back(b, bad, 0, &good));
    }
    for (text, bad) in NO_INSTANTS {
        let row = [REWIND, "arrived", text];
        table.refuses(row, NETCLOCK_STAMP_OUT_OF_RANGE, |b| back(b, 0, bad, &good));
    }
    // SAFETY: as above.
    unsafe {
        table.refuses([REWIND, "path", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_rewind(0, 0, ptr::null(), b.sized(40))
        });
    }
    for (text, struct_size) in SIZES {
        let path = NetclockRewindPath { struct_size, ..good };
        let row = [REWIND, "path->struct_size", text];
        table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| back(b, 0, 0, &path));
    }
    let reserved = NetclockRewindPath { reserved: 1, ..good };
    let row = [REWIND, "path->reserved", "1"];
    table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| back(b, 0, 0, &reserved));
    type Field = (&'static str, fn(&mut NetclockRewindPath) -> &mut i64);
    let fields: [Field; 4] = [
        ("path->round_trip", |path| &mut path.round_trip),
        ("path->jitter", |path| &mut path.jitter),
        ("path->interpolation", |path| &mut path.interpolation),
        ("path->max_rewind", |path| &mut path.max_rewind),
    ];
    for (name, field) in fields {
        let bad = [("a tick beyond 60 s", MINUTE + 1), ("INT64_MAX", i64::MAX)];
        for (text, value) in NEGATIVE.into_iter().chain(bad) {
            let mut path = good;
            *field(&mut path) = value;
            table.refuses([REWIND, name, text], NETCLOCK_OUT_OF_RANGE, |b| back(b, 0, 0, &path));
        }
    }
    // SAFETY: as above.
    unsafe {
        table.refuses([REWIND, "rewound", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_rewind(0, 0, &raw const good, ptr::null_mut())
        });
        for (text, size) in SIZES {
            let row = [REWIND, "rewound->struct_size", text];
            table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_rewind(0, 0, &raw const good, b.sized(size))
            });
        }
    }
}

fn lead(table: &mut Table) {
    const CREATE: &str = "netclock_lead_create";
    const DESTROY: &str = "netclock_lead_destroy";
    let good = NetclockLeadConfig::zero();
    // SAFETY: a structure of the size it states or with a size that is refused, and room for a pointer.
    let create =
        |b: &mut Bench, config: &NetclockLeadConfig| unsafe { netclock_lead_create(config, b.out()) };
    for (text, struct_size) in SIZES {
        let config = NetclockLeadConfig { struct_size, ..good };
        let row = [CREATE, "config->struct_size", text];
        table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| create(b, &config));
    }
    let reserved = NetclockLeadConfig { reserved: 1, ..good };
    let row = [CREATE, "config->reserved", "1"];
    table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| create(b, &reserved));
    for (text, quantile) in NO_SHARES.into_iter().chain([("1", 1.0)]) {
        let config = NetclockLeadConfig { quantile, ..good };
        table.refuses([CREATE, "config->quantile", text], NETCLOCK_BAD_CONFIG, |b| create(b, &config));
    }
    type Field = (&'static str, fn(&mut NetclockLeadConfig) -> &mut i64, i64);
    let fields: [Field; 3] = [
        ("config->server_frame", |config| &mut config.server_frame, 1000 * MILLISECOND),
        ("config->client_frame", |config| &mut config.client_frame, 1000 * MILLISECOND),
        ("config->send_interval", |config| &mut config.send_interval, 10_000 * MILLISECOND),
    ];
    for (name, field, most) in fields {
        let bad = [("a tick too large", most + 1), ("INT64_MAX", i64::MAX)];
        for (text, value) in NEGATIVE.into_iter().chain(bad) {
            let mut config = good;
            *field(&mut config) = value;
            table.refuses([CREATE, name, text], NETCLOCK_BAD_CONFIG, |b| create(b, &config));
        }
    }
    // SAFETY: null is what is tested; what is no live lead is not looked at.
    unsafe {
        table.refuses([CREATE, "lead", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_lead_create(ptr::null(), ptr::null_mut())
        });
        let nothing = Effect::Answered("does nothing");
        table.call([DESTROY, "lead", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_lead_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "lead", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let lead = noted();
            assert_eq!(netclock_lead_destroy(lead).0, NETCLOCK_OK);
            netclock_lead_destroy(lead)
        });
        table.refuses([DESTROY, "lead", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_lead_destroy(b.client.cast())
        });
    }
}

/// A lead that was told of a message there, of 30 ms, in epoch 5.
fn noted() -> *mut NetclockLead {
    let mut lead = ptr::null_mut();
    // SAFETY: `lead` can be written, and is alive then.
    unsafe {
        assert_eq!(netclock_lead_create(ptr::null(), &raw mut lead).0, NETCLOCK_OK);
        let status = netclock_lead_learn(lead, NETCLOCK_TO_SERVER, 5, 0, 30 * MILLISECOND);
        assert_eq!(status.0, NETCLOCK_OK);
    }
    lead
}

/// Makes a call on a lead, which has to suggest afterwards what it did before.
fn on_lead(call: impl FnOnce(*mut NetclockLead) -> NetclockStatus) -> NetclockStatus {
    let lead = noted();
    let status = call(lead);
    let (mut ahead, mut behind) = (0, 0);
    // SAFETY: alive until here; both can be written.
    unsafe {
        let suggested = netclock_lead_suggest(lead, &raw mut ahead, &raw mut behind);
        assert_eq!(
            (suggested.0, ahead, behind),
            (NETCLOCK_NO_MESSAGES, 30 * MILLISECOND, NETCLOCK_UNBOUNDED)
        );
        // The call in question is what the last error speaks of: this succeeds.
        assert_eq!(netclock_lead_destroy(lead).0, NETCLOCK_OK);
    }
    status
}

/// A lead on which a call panicked.
fn poisoned() -> *mut NetclockLead {
    let lead = noted();
    // SAFETY: alive.
    unsafe { handle::read("a_test", lead, |_| std::panic::resume_unwind(Box::new("poisoned"))) };
    lead
}

fn note(table: &mut Table) {
    const NOTE: &str = "netclock_lead_learn";
    const SUGGEST: &str = "netclock_lead_suggest";
    // SAFETY: null, or leads that are alive.
    let tell =
        |lead, direction, sent, arrived| unsafe { netclock_lead_learn(lead, direction, 5, sent, arrived) };
    table.refuses([NOTE, "lead", "null"], NETCLOCK_NULL_ARGUMENT, |_| tell(ptr::null_mut(), 1, 0, 0));
    table.refuses([NOTE, "lead", "a poisoned one"], NETCLOCK_POISONED, |_| {
        let lead = poisoned();
        let status = tell(lead, 1, 0, 0);
        // SAFETY: alive.
        unsafe { assert_eq!(netclock_lead_destroy(lead).0, NETCLOCK_OK) };
        status
    });
    for (text, direction) in [("0", 0), ("3", 3), ("INT32_MIN", i32::MIN), ("INT32_MAX", i32::MAX)] {
        let row = [NOTE, "direction", text];
        table.refuses(row, NETCLOCK_OUT_OF_RANGE, |_| on_lead(|lead| tell(lead, direction, 0, 0)));
    }
    table.refuses([NOTE, "epoch", "an earlier one"], NETCLOCK_OUTDATED, |_| {
        // SAFETY: alive.
        on_lead(|lead| unsafe { netclock_lead_learn(lead, 1, 4, 0, 0) })
    });
    for (text, bad) in NO_INSTANTS {
        let row = [NOTE, "sent", text];
        table.refuses(row, NETCLOCK_STAMP_OUT_OF_RANGE, |_| on_lead(|lead| tell(lead, 1, bad, 0)));
    }
    for (text, bad) in NO_INSTANTS {
        let row = [NOTE, "arrived", text];
        table.refuses(row, NETCLOCK_STAMP_OUT_OF_RANGE, |_| on_lead(|lead| tell(lead, 2, 0, bad)));
    }
    for (text, bad) in
        [("a tick more than 60 s after `sent`", MINUTE + 1), ("as much before it", -MINUTE - 1)]
    {
        let row = [NOTE, "arrived", text];
        table.refuses(row, NETCLOCK_OUT_OF_RANGE, |_| on_lead(|lead| tell(lead, 2, 0, bad)));
    }
    // SAFETY: null, or leads that are alive, and room for outputs.
    unsafe {
        table.refuses([SUGGEST, "lead", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_lead_suggest(ptr::null(), b.out(), b.out())
        });
        table.refuses([SUGGEST, "lead", "a poisoned one"], NETCLOCK_POISONED, |b| {
            let lead = poisoned();
            let status = netclock_lead_suggest(lead, b.out(), b.out());
            assert_eq!(netclock_lead_destroy(lead).0, NETCLOCK_OK);
            status
        });
        let answered = Effect::Answered("the other is written");
        table.call([SUGGEST, "ahead, behind", "null"], NETCLOCK_OK, answered, |_| {
            on_lead(|lead| {
                let mut ahead = 0;
                let status = netclock_lead_suggest(lead, &raw mut ahead, ptr::null_mut());
                assert_eq!(ahead, 30 * MILLISECOND);
                assert_eq!(netclock_lead_suggest(lead, ptr::null_mut(), ptr::null_mut()).0, NETCLOCK_OK);
                status
            })
        });
    }
}
