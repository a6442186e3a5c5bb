//! The server's side of it.

use super::super::client::NO_INSTANTS;
use super::bench::*;

/// Rates of no world that runs.
const NO_RATES: [(&str, f64); 6] = [
    ("0", 0.0),
    ("-1", -1.0),
    ("0.00009", 9e-5),
    ("1e9", 1e9),
    ("NaN", f64::NAN),
    ("infinity", f64::INFINITY),
];

pub(super) fn rows(table: &mut Table) {
    const CREATE: &str = "netclock_publisher_create";
    const BEGIN: &str = "netclock_publisher_begin_world";
    const OBSERVE: &str = "netclock_publisher_observe";
    const NEWEST: &str = "netclock_publisher_newest";
    let of = |world: &World| world.publisher;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        let knobs: [(&str, &str, NetclockPublisherConfig); 7] = {
            let zero = NetclockPublisherConfig::zero();
            [
                ("config->max_per_second", "1", NetclockPublisherConfig { max_per_second: 1, ..zero }),
                ("config->max_per_second", "1001", NetclockPublisherConfig { max_per_second: 1001, ..zero }),
                ("config->tolerance", "99", NetclockPublisherConfig { tolerance: 99, ..zero }),
                ("config->tolerance", "INT64_MAX", NetclockPublisherConfig { tolerance: i64::MAX, ..zero }),
                ("config->read_lag", "-1", NetclockPublisherConfig { read_lag: -1, ..zero }),
                ("config->read_lag", "2 s", NetclockPublisherConfig { read_lag: 2 * SECOND, ..zero }),
                ("config->resolution", "INT64_MIN", NetclockPublisherConfig { resolution: i64::MIN, ..zero }),
            ]
        };
        for (argument, value, config) in knobs {
            refuses(table, [CREATE, argument, value], NETCLOCK_BAD_CONFIG, |b, _| {
                netclock_publisher_create(&config, 7, 1, b.out())
            });
        }
        life_rows(
            table,
            [CREATE, "netclock_publisher_destroy"],
            of,
            |config, out| netclock_publisher_create(config.cast(), 7, 1, out),
            netclock_publisher_destroy,
        );
        handle_rows(table, BEGIN, of, |_, publisher| netclock_publisher_begin_world(publisher));
        let observe = |b: &mut Bench, publisher, real, world, rate| {
            netclock_publisher_observe(publisher, real, world, rate, 0, b.sized(72))
        };
        handle_rows(table, OBSERVE, of, move |b, publisher| {
            // As observe() does, which reports on its output by itself.
            let _ = &b;
            let mut segment = NetclockWorldSegment::zero();
            netclock_publisher_observe(publisher, 11 * SECOND, 5 * SECOND, 1.0, 0, &raw mut segment)
        });
        let backwards = NETCLOCK_REAL_WENT_BACKWARDS;
        refuses(table, [OBSERVE, "real", "a tick before the last frame"], backwards, |b, w| {
            observe(b, w.publisher, 10 * SECOND - 1, SECOND, 1.0)
        });
        let backwards = NETCLOCK_WORLD_WENT_BACKWARDS;
        refuses(table, [OBSERVE, "world", "a tick before the last frame's"], backwards, |b, w| {
            observe(b, w.publisher, 11 * SECOND, SECOND - 1, 1.0)
        });
        for (text, instant) in NO_INSTANTS {
            refuses(table, [OBSERVE, "real", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, w| {
                observe(b, w.publisher, instant, 2 * SECOND, 1.0)
            });
        }
        for (text, instant) in NO_INSTANTS {
            refuses(table, [OBSERVE, "world", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, w| {
                observe(b, w.publisher, 11 * SECOND, instant, 1.0)
            });
        }
        for (text, rate) in NO_RATES {
            refuses(table, [OBSERVE, "rate, not paused", text], NETCLOCK_RATE_OUT_OF_RANGE, |b, w| {
                observe(b, w.publisher, 11 * SECOND, 2 * SECOND, rate)
            });
        }
        refuses(table, [OBSERVE, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            netclock_publisher_observe(w.publisher, 11 * SECOND, 5 * SECOND, 1.0, 0, ptr::null_mut())
        });
        for (text, size) in SIZES {
            refuses(table, [OBSERVE, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, w| {
                netclock_publisher_observe(w.publisher, 11 * SECOND, 5 * SECOND, 1.0, 0, b.sized(size))
            });
        }
        handle_rows(table, NEWEST, of, |b, publisher| netclock_publisher_newest(publisher, b.out()));
        refuses(table, [NEWEST, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            netclock_publisher_newest(w.publisher, ptr::null_mut())
        });
        for (text, size) in SIZES {
            refuses(table, [NEWEST, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, w| {
                netclock_publisher_newest(w.publisher, b.sized(size))
            });
        }
    }
}
