//! The watch over a client's clock.

use core::ptr;

use super::super::{MILLISECOND, SECOND};
use super::bench::{Bench, poisoned_rate_watch};
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::clock::client::tap::NETCLOCK_UNKNOWN_TIME;
use crate::ffi::game::watch::handle::*;
use crate::ffi::tests::statuses::*;

/// The newest report that the bench's watch has.
const NEWEST: i64 = 59 * SECOND;

pub(super) fn rows(table: &mut Table) {
    create_rows(table);
    destroy_rows(table);
    report_rows(table);
    excuse_rows(table);
    read_rows(table);
}

fn create_rows(table: &mut Table) {
    const CREATE: &str = "netclock_rate_watch_create";
    type Change = fn(&mut NetclockRateWatchConfig);
    let changes: [(&str, &str, i32, Change); 12] = [
        ("config->struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 0),
        ("config->struct_size", "23", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 23),
        ("config->struct_size", "UINT32_MAX", NETCLOCK_UNKNOWN_STRUCT, |config| {
            config.struct_size = u32::MAX
        }),
        ("config->reserved", "1", NETCLOCK_UNKNOWN_STRUCT, |config| config.reserved = 1),
        ("config->max_drift_ppm", "0.9", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = 0.9),
        ("config->max_drift_ppm", "10001", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = 10_001.0),
        ("config->max_drift_ppm", "-INFINITY", NETCLOCK_BAD_CONFIG, |config| {
            config.max_drift_ppm = f64::NEG_INFINITY;
        }),
        ("config->max_drift_ppm", "NAN", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = f64::NAN),
        ("config->max_delay", "99 ms", NETCLOCK_BAD_CONFIG, |config| config.max_delay = 99 * MILLISECOND),
        ("config->max_delay", "61 s", NETCLOCK_BAD_CONFIG, |config| config.max_delay = 61 * SECOND),
        ("config->max_delay", "INT64_MIN", NETCLOCK_BAD_CONFIG, |config| config.max_delay = i64::MIN),
        ("config->max_delay", "INT64_MAX", NETCLOCK_BAD_CONFIG, |config| config.max_delay = i64::MAX),
    ];
    // SAFETY: pointers are null, or lead to settings of the size they state, or one that is refused, and to
    // room.
    unsafe {
        for (argument, value, status, change) in changes {
            let mut config = NetclockRateWatchConfig::zero();
            change(&mut config);
            table.refuses([CREATE, argument, value], status, |b| {
                netclock_rate_watch_create(&raw const config, b.out())
            });
        }
        table.refuses([CREATE, "watch", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_rate_watch_create(ptr::null(), ptr::null_mut())
        });
    }
}

fn destroy_rows(table: &mut Table) {
    const DESTROY: &str = "netclock_rate_watch_destroy";
    let nothing = Effect::Answered("does nothing");
    // SAFETY: what is no live watch is not looked at.
    unsafe {
        table.call([DESTROY, "watch", "null"], NETCLOCK_OK, nothing, |_| {
            netclock_rate_watch_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "watch", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            let other = super::bench::rate_watch();
            assert_eq!(netclock_rate_watch_destroy(other).0, NETCLOCK_OK);
            let _ = b;
            netclock_rate_watch_destroy(other)
        });
        table.refuses([DESTROY, "watch", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_rate_watch_destroy(b.client.cast())
        });
        let gone = Effect::Answered("destroyed as any other");
        table.call([DESTROY, "watch", "a poisoned one"], NETCLOCK_OK, gone, |_| {
            netclock_rate_watch_destroy(poisoned_rate_watch(super::bench::rate_watch()))
        });
    }
}

/// A watch that is none, and one that is of no use.
fn watch_rows(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockRateWatch) -> NetclockStatus,
) {
    let row = [function, "watch", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "watch", "a poisoned one"], NETCLOCK_POISONED, |b| {
        let watch = poisoned_rate_watch(super::bench::rate_watch());
        let status = call(b, watch);
        // SAFETY: created above.
        assert_eq!(unsafe { netclock_rate_watch_destroy(watch) }.0, NETCLOCK_OK);
        status
    });
}

fn report_rows(table: &mut Table) {
    const REPORT: &str = "netclock_rate_watch_report";
    type Place = fn(i64) -> (i64, i64, i64);
    let places: [(&str, Place); 3] = [
        ("stamped", |bad| (bad, NEWEST, NEWEST)),
        ("arrived", |bad| (0, bad, 0)),
        ("heard", |bad| (0, NEWEST, bad)),
    ];
    // SAFETY: null, or live watches.
    unsafe {
        watch_rows(table, REPORT, |_, watch| netclock_rate_watch_report(watch, 0, NEWEST, 0));
        for (name, place) in places {
            // The smallest number stands for what is not known.
            let unknown = |value: i64| name == "heard" && value == NETCLOCK_UNKNOWN_TIME;
            for (text, bad) in NO_INSTANTS.into_iter().filter(|&(_, value)| !unknown(value)) {
                let (stamped, arrived, heard) = place(bad);
                table.refuses([REPORT, name, text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                    netclock_rate_watch_report(b.rate_watch, stamped, arrived, heard)
                });
            }
        }
        let row = [REPORT, "arrived", "a tick before the newest"];
        table.refuses(row, NETCLOCK_TIME_WENT_BACKWARDS, |b| {
            netclock_rate_watch_report(b.rate_watch, 0, NEWEST - 1, NETCLOCK_UNKNOWN_TIME)
        });
        let row = [REPORT, "heard", "a tick after `arrived`"];
        table.refuses(row, NETCLOCK_ARRIVED_BEFORE_SENT, |b| {
            netclock_rate_watch_report(b.rate_watch, 0, NEWEST, NEWEST + 1)
        });
    }
}

fn excuse_rows(table: &mut Table) {
    const EXCUSE: &str = "netclock_rate_watch_excuse";
    // SAFETY: null, or live watches.
    unsafe {
        watch_rows(table, EXCUSE, |_, watch| netclock_rate_watch_excuse(watch, 0, 1));
        for (text, bad) in NO_INSTANTS {
            table.refuses([EXCUSE, "from", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_rate_watch_excuse(b.rate_watch, bad, 0)
            });
        }
        for (text, bad) in NO_INSTANTS {
            table.refuses([EXCUSE, "to", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_rate_watch_excuse(b.rate_watch, 0, bad)
            });
        }
        table.refuses([EXCUSE, "to", "a tick before `from`"], NETCLOCK_TIME_WENT_BACKWARDS, |b| {
            netclock_rate_watch_excuse(b.rate_watch, 1, 0)
        });
    }
}

fn read_rows(table: &mut Table) {
    const READ: &str = "netclock_rate_watch_read";
    // SAFETY: null, live watches, and room for as much as is stated, or a size that is refused.
    unsafe {
        watch_rows(table, READ, |b, watch| netclock_rate_watch_read(watch, b.out()));
        table.refuses([READ, "verdict", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_rate_watch_read(b.rate_watch, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("63", 63), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            table.refuses([READ, "verdict->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_rate_watch_read(b.rate_watch, b.sized(size))
            });
        }
    }
}
