//! The watch over the latency. What it is afterwards is compared here, to the last bit.

use core::ptr;
use std::panic::resume_unwind;

use super::super::{MILLISECOND, SECOND};
use super::bench::{AHEAD, Bench, poisoned_client};
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::game::latency::handle::*;
use crate::ffi::tests::statuses::*;

/// When the newest exchange arrived that the watch has.
const NEWEST: i64 = 20 * SECOND;
/// The epoch of all of them.
const EPOCH: u32 = 5;

pub(super) fn rows(table: &mut Table) {
    create_rows(table);
    destroy_rows(table);
    follow_rows(table);
    learn_rows(table);
    reading_rows(table);
}

/// 10 ms each way, arrived at `arrived`.
fn learn(latency: *mut NetclockLatency, arrived: i64, epoch: u32) -> NetclockStatus {
    let middle = arrived - 10 * MILLISECOND + AHEAD;
    let sent = arrived - 20 * MILLISECOND;
    // SAFETY: null, or a live watch.
    unsafe { netclock_latency_learn(latency, sent, middle, middle, arrived, arrived + AHEAD, epoch) }
}

/// A watch that knows some exchanges.
fn taught() -> *mut NetclockLatency {
    let mut latency = ptr::null_mut();
    // SAFETY: null means all defaults, and `latency` can be written.
    assert_eq!(unsafe { netclock_latency_create(ptr::null(), &raw mut latency) }.0, NETCLOCK_OK);
    for second in 1..=20 {
        assert_eq!(learn(latency, second * SECOND, EPOCH).0, NETCLOCK_OK);
    }
    latency
}

/// A watch on which a call panicked.
fn poisoned() -> *mut NetclockLatency {
    let latency = taught();
    // SAFETY: a live watch.
    unsafe { owned::change("a_test", latency, |_| resume_unwind(Box::new("poisoned"))) };
    latency
}

fn state(latency: *mut NetclockLatency) -> String {
    let mut state = String::new();
    // SAFETY: a live watch.
    unsafe {
        owned::change("a_test", latency, |watch| {
            state = format!("{watch:?}");
            Ok(())
        })
    };
    state
}

/// Makes a call on a watch, which has to be afterwards what it was before.
fn on_watch(call: impl FnOnce(*mut NetclockLatency) -> NetclockStatus) -> NetclockStatus {
    let latency = taught();
    let before = state(latency);
    let status = call(latency);
    assert_eq!(state(latency), before);
    // SAFETY: a live watch.
    assert_eq!(unsafe { netclock_latency_destroy(latency) }.0, NETCLOCK_OK);
    status
}

fn create_rows(table: &mut Table) {
    const CREATE: &str = "netclock_latency_create";
    type Change = fn(&mut NetclockLatencyConfig);
    let unknown: [(&str, &str, Change); 3] = [
        ("config->struct_size", "0", |config| config.struct_size = 0),
        ("config->struct_size", "39", |config| config.struct_size = 39),
        ("config->struct_size", "UINT32_MAX", |config| config.struct_size = u32::MAX),
    ];
    let bad: [(&str, &str, Change); 17] = [
        ("config->hide", "3", |config| config.hide = 3),
        ("config->hide", "-1", |config| config.hide = -1),
        ("config->least_change", "a tick below 1 ms", |config| config.least_change = MILLISECOND - 1),
        ("config->least_change", "a tick above 1 s", |config| config.least_change = SECOND + 1),
        ("config->least_change", "INT64_MIN", |config| config.least_change = i64::MIN),
        ("config->least_change", "INT64_MAX", |config| config.least_change = i64::MAX),
        ("config->max_speed_change", "0.0009", |config| config.max_speed_change = 0.0009),
        ("config->max_speed_change", "0.51", |config| config.max_speed_change = 0.51),
        ("config->max_speed_change", "-0.1", |config| config.max_speed_change = -0.1),
        ("config->max_speed_change", "NAN", |config| config.max_speed_change = f64::NAN),
        ("config->ramp", "a tick below 10 ms", |config| config.ramp = 10 * MILLISECOND - 1),
        ("config->ramp", "a tick above 10 s", |config| config.ramp = 10 * SECOND + 1),
        ("config->ramp", "INT64_MIN", |config| config.ramp = i64::MIN),
        ("config->hours_per_false_alarm", "0.09", |config| config.hours_per_false_alarm = 0.09),
        ("config->hours_per_false_alarm", "10001", |config| config.hours_per_false_alarm = 10_001.0),
        ("config->hours_per_false_alarm", "INFINITY", |config| {
            config.hours_per_false_alarm = f64::INFINITY;
        }),
        ("config->hours_per_false_alarm", "NAN", |config| config.hours_per_false_alarm = f64::NAN),
    ];
    let unknown = unknown.map(|row| (NETCLOCK_UNKNOWN_STRUCT, row));
    for (status, (argument, value, change)) in
        unknown.into_iter().chain(bad.map(|row| (NETCLOCK_BAD_CONFIG, row)))
    {
        let mut config = NetclockLatencyConfig::zero();
        change(&mut config);
        // SAFETY: settings of the size they state, or that is refused, and room.
        table.refuses([CREATE, argument, value], status, |b| unsafe {
            netclock_latency_create(&raw const config, b.out())
        });
    }
    // SAFETY: null is what is tested.
    table.refuses([CREATE, "latency", "null"], NETCLOCK_NULL_ARGUMENT, |_| unsafe {
        netclock_latency_create(ptr::null(), ptr::null_mut())
    });
}

fn destroy_rows(table: &mut Table) {
    const DESTROY: &str = "netclock_latency_destroy";
    let nothing = Effect::Answered("does nothing");
    // SAFETY: what is no live watch is not looked at.
    unsafe {
        table.call([DESTROY, "latency", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_latency_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "latency", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let other = taught();
            assert_eq!(netclock_latency_destroy(other).0, NETCLOCK_OK);
            netclock_latency_destroy(other)
        });
        table.refuses([DESTROY, "latency", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_latency_destroy(b.client.cast())
        });
        let gone = Effect::Answered("destroyed as any other");
        table.call([DESTROY, "latency", "a poisoned one"], NETCLOCK_OK, gone, |_| {
            netclock_latency_destroy(poisoned())
        });
    }
}

/// A watch that is none, and one that is of no use.
fn watch_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, *mut NetclockLatency) -> NetclockStatus,
) {
    let row = [function, "latency", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "latency", "a poisoned one"], NETCLOCK_POISONED, |b| {
        let latency = poisoned();
        let status = call(b, latency);
        // SAFETY: created above.
        assert_eq!(unsafe { netclock_latency_destroy(latency) }.0, NETCLOCK_OK);
        status
    });
}

fn follow_rows(table: &mut Table) {
    const FOLLOW: &str = "netclock_latency_follow";
    // SAFETY: null, or live handles.
    unsafe {
        watch_rows(table, FOLLOW, |b, latency| netclock_latency_follow(latency, b.client));
        table.refuses([FOLLOW, "client", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            on_watch(|latency| netclock_latency_follow(latency, ptr::null()))
        });
        table.refuses([FOLLOW, "client", "a poisoned one"], NETCLOCK_POISONED, |_| {
            let client = poisoned_client();
            let status = on_watch(|latency| netclock_latency_follow(latency, client));
            super::super::destroy(client);
            status
        });
        table.refuses([FOLLOW, "client", "one that accepted nothing"], NETCLOCK_NOTHING_NEW, |_| {
            let client = super::super::client();
            let status = on_watch(|latency| netclock_latency_follow(latency, client));
            super::super::destroy(client);
            status
        });
    }
}

fn learn_rows(table: &mut Table) {
    const LEARN: &str = "netclock_latency_learn";
    let later = NEWEST + SECOND;
    watch_rows(table, LEARN, |_, latency| learn(latency, 30 * SECOND, EPOCH));
    // SAFETY: a live watch.
    let tell = |latency, [sent, received, answered, arrived, shown]: [i64; 5]| unsafe {
        netclock_latency_learn(latency, sent, received, answered, arrived, shown, EPOCH)
    };
    let good = [later - 20 * MILLISECOND, later + AHEAD, later + AHEAD, later, later + AHEAD];
    let names = ["client_sent", "server_received", "server_sent", "client_received", "shown"];
    for (index, name) in names.into_iter().enumerate() {
        for (text, bad) in NO_INSTANTS {
            let mut stamps = good;
            stamps[index] = bad;
            table.refuses([LEARN, name, text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                on_watch(|latency| tell(latency, stamps))
            });
        }
    }
    let far = 61 * SECOND;
    for (index, by, text) in [
        (0, -far, "61 s before the rest"),
        (1, far, "61 s after the rest"),
        (2, -far, "61 s before the rest"),
        (4, far, "61 s after the rest"),
    ] {
        let mut stamps = good;
        stamps[index] += by;
        table.refuses([LEARN, names[index], text], NETCLOCK_OUT_OF_RANGE, |_| {
            on_watch(|latency| tell(latency, stamps))
        });
    }
    let row = [LEARN, "client_received", "a tick before the newest"];
    table.refuses(row, NETCLOCK_TIME_WENT_BACKWARDS, |_| {
        on_watch(|latency| learn(latency, NEWEST - 1, EPOCH))
    });
    table.refuses([LEARN, "all", "those of the newest"], NETCLOCK_NOTHING_NEW, |_| {
        on_watch(|latency| learn(latency, NEWEST, EPOCH))
    });
    table.refuses([LEARN, "epoch", "an earlier one"], NETCLOCK_OUTDATED, |_| {
        on_watch(|latency| learn(latency, later, EPOCH - 1))
    });
}

/// Sizes of no structure of at least `first` bytes.
fn sizes(first: u32) -> [(&'static str, u32); 4] {
    [("0", 0), ("one too small", first - 1), ("5000", 5000), ("UINT32_MAX", u32::MAX)]
}

/// What a call refuses that fills a structure of `size` bytes.
fn output_rows<T>(
    table: &mut Table,
    function: &'static str,
    [argument, size_field]: [&'static str; 2],
    size: u32,
    call: impl Fn(*mut NetclockLatency, *mut T) -> NetclockStatus,
) {
    watch_rows(table, function, |b, latency| call(latency, b.sized(size)));
    table.refuses([function, argument, "null"], NETCLOCK_NULL_ARGUMENT, |_| {
        on_watch(|latency| call(latency, ptr::null_mut()))
    });
    for (text, size) in sizes(size) {
        table.refuses([function, size_field, text], NETCLOCK_UNKNOWN_STRUCT, |b| {
            on_watch(|latency| call(latency, b.sized(size)))
        });
    }
}

fn reading_rows(table: &mut Table) {
    const SPEED: &str = "netclock_latency_read_speed";
    let (change, levels) = (["change", "change->struct_size"], ["levels", "levels->struct_size"]);
    // SAFETY: null, live watches, and room for as much as is stated, or a size that is refused.
    unsafe {
        output_rows(table, "netclock_latency_next_change", change, 48, |latency, change| {
            netclock_latency_next_change(latency, change)
        });
        output_rows(table, "netclock_latency_read", levels, 40, |latency, levels| {
            netclock_latency_read(latency, levels)
        });
        output_rows(table, SPEED, ["speed", "speed->struct_size"], 32, |latency, speed| {
            netclock_latency_read_speed(latency, NEWEST, speed)
        });
        for (text, now) in NO_INSTANTS {
            table.refuses([SPEED, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                on_watch(|latency| netclock_latency_read_speed(latency, now, b.sized(32)))
            });
        }
    }
}
