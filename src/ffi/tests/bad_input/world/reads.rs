//! Reading it.

use super::super::client::NO_INSTANTS;
use super::bench::*;

/// A change that makes a good reading of a clock bad.
type Clock = fn(&mut NetclockReading);

fn clock_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, &World, *const NetclockReading) -> NetclockStatus,
) {
    refuses(table, [function, "now", "null"], NETCLOCK_NULL_ARGUMENT, |b, w| call(b, w, ptr::null()));
    let bad: [(&str, &str, i32, Clock); 7] = [
        ("now->struct_size", "63", NETCLOCK_UNKNOWN_STRUCT, |now| now.struct_size = 63),
        ("now->struct_size", "5000", NETCLOCK_UNKNOWN_STRUCT, |now| now.struct_size = 5000),
        ("now->state", "0", NETCLOCK_NOT_SYNCED, |now| now.state = 0),
        ("now->server_epoch", "of another run", NETCLOCK_NO_WORLD, |now| now.server_epoch = 8),
        ("now->server_time", "INT64_MIN", NETCLOCK_STAMP_OUT_OF_RANGE, |now| now.server_time = i64::MIN),
        ("now->server_time", "INT64_MAX", NETCLOCK_STAMP_OUT_OF_RANGE, |now| now.server_time = i64::MAX),
        ("now->error_bound", "-1", NETCLOCK_STAMP_OUT_OF_RANGE, |now| now.error_bound = -1),
    ];
    for (argument, value, status, change) in bad {
        let mut now = now();
        change(&mut now);
        refuses(table, [function, argument, value], status, |b, w| call(b, w, &now));
    }
}

pub(super) fn rows(table: &mut Table) {
    const SHOW: &str = "netclock_timeline_show";
    const WORLD_AT: &str = "netclock_timeline_world_at";
    const REAL_AT: &str = "netclock_timeline_real_at";
    type Age = unsafe extern "C" fn(
        *const NetclockTimeline,
        *const NetclockReading,
        i64,
        *mut NetclockWorldAge,
    ) -> NetclockStatus;
    let of = |world: &World| world.timeline;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        handle_rows(table, SHOW, of, |b, timeline| netclock_timeline_show(timeline, &now(), b.out()));
        clock_rows(table, SHOW, |b, w, now| netclock_timeline_show(w.timeline, now, b.sized(72)));
        refuses(table, [SHOW, "reading", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            netclock_timeline_show(w.timeline, &now(), ptr::null_mut())
        });
        for (text, size) in SEGMENT_SIZES {
            refuses(table, [SHOW, "reading->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, w| {
                netclock_timeline_show(w.timeline, &now(), b.sized(size))
            });
        }

        handle_rows(table, WORLD_AT, of, |b, timeline| netclock_timeline_world_at(timeline, 7, 0, b.out()));
        refuses(table, [WORLD_AT, "server_epoch", "of another run"], NETCLOCK_NO_WORLD, |b, w| {
            netclock_timeline_world_at(w.timeline, 8, 0, b.sized(72))
        });
        for (text, instant) in NO_INSTANTS {
            refuses(table, [WORLD_AT, "real", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, w| {
                netclock_timeline_world_at(w.timeline, 7, instant, b.sized(72))
            });
        }
        refuses(table, [WORLD_AT, "reading", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            netclock_timeline_world_at(w.timeline, 7, 0, ptr::null_mut())
        });

        handle_rows(table, REAL_AT, of, |b, timeline| {
            netclock_timeline_real_at(timeline, 7, 0, b.out(), b.out())
        });
        refuses(table, [REAL_AT, "server_epoch", "of another run"], NETCLOCK_NO_WORLD, |b, w| {
            netclock_timeline_real_at(w.timeline, 8, 0, b.out(), b.out())
        });
        for (text, instant) in NO_INSTANTS {
            refuses(table, [REAL_AT, "world", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, w| {
                netclock_timeline_real_at(w.timeline, 7, instant, b.out(), b.out())
            });
        }
        refuses(table, [REAL_AT, "first", "null"], NETCLOCK_NULL_ARGUMENT, |b, w| {
            netclock_timeline_real_at(w.timeline, 7, 0, ptr::null_mut(), b.out())
        });
        refuses(table, [REAL_AT, "last", "null"], NETCLOCK_NULL_ARGUMENT, |b, w| {
            netclock_timeline_real_at(w.timeline, 7, 0, b.out(), ptr::null_mut())
        });

        let ages: [(&str, Age); 2] = [
            ("netclock_timeline_age_of_real", netclock_timeline_age_of_real),
            ("netclock_timeline_age_of_world", netclock_timeline_age_of_world),
        ];
        for (function, call) in ages {
            handle_rows(table, function, of, |b, timeline| call(timeline, &now(), 0, b.out()));
            clock_rows(table, function, |b, w, now| call(w.timeline, now, 0, b.out()));
            for (text, instant) in NO_INSTANTS {
                refuses(table, [function, "stamp", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b, w| {
                    call(w.timeline, &now(), instant, b.out())
                });
            }
            refuses(table, [function, "age", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
                call(w.timeline, &now(), 0, ptr::null_mut())
            });
        }
    }
}
