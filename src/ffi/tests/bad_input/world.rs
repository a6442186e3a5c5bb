//! A world's clock: publisher, timeline, segments, and seconds.

use core::ffi::c_void;
use core::ptr;
use std::panic::resume_unwind;

use super::super::super::publisher::*;
use super::super::super::reading::NetclockReading;
use super::super::super::seconds::*;
use super::super::super::segment::*;
use super::super::super::status::*;
use super::super::super::timeline::*;
use super::super::{MILLISECOND, SECOND};
use super::bench::Bench;
use super::client::NO_INSTANTS;
use super::{Effect, Table};
use crate::ffi::boundary::{self, Growable, Handle};

/// Sizes of no structure of at least 32 bytes.
const SIZES: [(&str, u32); 4] = [("0", 0), ("31", 31), ("5000", 5000), ("UINT32_MAX", u32::MAX)];
/// Rates of no world that runs.
const NO_RATES: [(&str, f64); 6] = [
    ("0", 0.0),
    ("-1", -1.0),
    ("0.00009", 9e-5),
    ("1e9", 1e9),
    ("NaN", f64::NAN),
    ("infinity", f64::INFINITY),
];

/// What a call is made on, and what it has to leave as it was.
struct World {
    publisher: *mut NetclockPublisher,
    timeline: *mut NetclockTimeline,
}

/// The world's newest segment, at 10 s.
fn segment() -> NetclockSegment {
    NetclockSegment {
        instance: 2,
        version: 5,
        server_epoch: 7,
        since: 10 * SECOND,
        real: 10 * SECOND,
        world: SECOND,
        rate: 1.0,
        tolerance: MILLISECOND,
        through: 11 * SECOND,
        ..NetclockSegment::zero()
    }
}

fn now() -> NetclockReading {
    NetclockReading {
        server_time: 12 * SECOND,
        server_epoch: 7,
        epoch: 1,
        is_synced: 1,
        ..NetclockReading::zero()
    }
}

impl World {
    fn new() -> Self {
        let (mut publisher, mut timeline) = (ptr::null_mut(), ptr::null_mut());
        let mut published = NetclockSegment::zero();
        // SAFETY: null for defaults, and room for what is made; handles that were just made.
        unsafe {
            assert_eq!(netclock_publisher_create(ptr::null(), 7, 2, &raw mut publisher).0, NETCLOCK_OK);
            let seen = netclock_publisher_observe(publisher, 10 * SECOND, SECOND, 1.0, 0, &raw mut published);
            assert_eq!(seen.0, NETCLOCK_OK);
            assert_eq!(netclock_timeline_create(ptr::null(), &raw mut timeline).0, NETCLOCK_OK);
            assert_eq!(netclock_timeline_insert(timeline, &segment()).0, NETCLOCK_OK);
            let mut shown = NetclockWorldReading::zero();
            assert_eq!(netclock_timeline_show(timeline, &now(), &raw mut shown).0, NETCLOCK_OK);
        }
        World { publisher, timeline }
    }

    /// What both say.
    fn says(&self) -> (NetclockSegment, [NetclockWorldReading; 2]) {
        let (mut newest, mut shown) = (NetclockSegment::zero(), [NetclockWorldReading::zero(); 2]);
        // SAFETY: live handles, and room for structures of the sizes they state.
        unsafe {
            assert_eq!(netclock_publisher_newest(self.publisher, &raw mut newest).0, NETCLOCK_OK);
            assert_eq!(netclock_timeline_show(self.timeline, &now(), &raw mut shown[0]).0, NETCLOCK_OK);
            let then = netclock_timeline_world_at(self.timeline, 7, 5 * SECOND, &raw mut shown[1]);
            assert_eq!(then.0, NETCLOCK_OK);
        }
        (newest, shown)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: created by `new`; what a test destroyed before is not looked at.
        unsafe {
            netclock_publisher_destroy(self.publisher);
            netclock_timeline_destroy(self.timeline);
        }
    }
}

/// A row with a world, which the call has to leave as it was.
fn refuses(
    table: &mut Table,
    row: [&'static str; 3],
    expected: i32,
    call: impl FnOnce(&mut Bench, &World) -> NetclockStatus,
) {
    let effect = if expected > 0 { Effect::Answered("outputs are as they were") } else { Effect::None };
    table.call(row, expected, effect, |bench| {
        let world = World::new();
        let before = world.says();
        let status = call(bench, &world);
        assert_eq!(world.says(), before, "{row:?} changed something");
        assert!(bench.outputs_are_untouched(), "{row:?} wrote an output");
        status
    });
}

/// A poisoned handle of either kind.
fn poisoned<H: Handle>(handle: *mut H) -> *mut H {
    // SAFETY: the rows pass live handles.
    unsafe { boundary::on_handle("a_test", handle, |_| resume_unwind(Box::new("poisoned"))) };
    handle
}

/// A handle that is none, and one that is of no use.
fn handle_rows<H: Handle>(
    table: &mut Table,
    function: &'static str,
    of: fn(&World) -> *mut H,
    call: impl Fn(&mut Bench, *mut H) -> NetclockStatus,
) {
    refuses(table, [function, H::ARGUMENT, "null"], NETCLOCK_NULL_ARGUMENT, |b, _| call(b, ptr::null_mut()));
    table.refuses([function, H::ARGUMENT, "a poisoned one"], NETCLOCK_POISONED, |b| {
        call(b, poisoned(of(&World::new_for_good())))
    });
}

impl World {
    /// Never destroyed: what was poisoned is looked at after the world has gone.
    fn new_for_good() -> core::mem::ManuallyDrop<Self> {
        core::mem::ManuallyDrop::new(Self::new())
    }
}

/// Creation and destruction.
fn life_rows<H: Handle>(
    table: &mut Table,
    [create, destroy]: [&'static str; 2],
    of: fn(&World) -> *mut H,
    make: unsafe fn(*const c_void, *mut *mut H) -> NetclockStatus,
    end: unsafe extern "C" fn(*mut H) -> NetclockStatus,
) {
    // SAFETY: pointers are null, or lead to live handles and room for outputs; what is no live handle is not looked at.
    unsafe {
        for (text, size) in SIZES {
            let config = [u64::from(size), 0, 0, 0];
            refuses(table, [create, "config->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, _| {
                make(config.as_ptr().cast(), b.out())
            });
        }
        refuses(table, [create, H::ARGUMENT, "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            make(ptr::null(), ptr::null_mut())
        });
        table.call([destroy, H::ARGUMENT, "null"], NETCLOCK_OK, Effect::Answered("does nothing"), |_| {
            end(ptr::null_mut())
        });
        table.refuses([destroy, H::ARGUMENT, "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let world = World::new();
            assert_eq!(end(of(&world)).0, NETCLOCK_OK);
            end(of(&world))
        });
        table.refuses([destroy, H::ARGUMENT, "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| end(b.client.cast()));
        let gone = Effect::Answered("destroyed as any other");
        table.call([destroy, H::ARGUMENT, "a poisoned one"], NETCLOCK_OK, gone, |_| {
            end(poisoned(of(&World::new())))
        });
    }
}

pub(super) fn rows(table: &mut Table) {
    publisher_rows(table);
    timeline_rows(table);
    read_rows(table);
    datagram_rows(table);
    seconds_rows(table);
}

fn publisher_rows(table: &mut Table) {
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
            let mut segment = NetclockSegment::zero();
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

/// A change that makes a good segment bad, or leaves it behind.
type Change = fn(&mut NetclockSegment);

/// What is no segment, for whoever takes one.
const NO_SEGMENTS: [(&str, &str, i32, Change); 12] = [
    ("segment->rate, not paused", "0", NETCLOCK_RATE_OUT_OF_RANGE, |s| s.rate = 0.0),
    ("segment->rate, not paused", "-1", NETCLOCK_RATE_OUT_OF_RANGE, |s| s.rate = -1.0),
    ("segment->rate, not paused", "1e9", NETCLOCK_RATE_OUT_OF_RANGE, |s| s.rate = 1e9),
    ("segment->rate, not paused", "NaN", NETCLOCK_RATE_OUT_OF_RANGE, |s| s.rate = f64::NAN),
    ("segment->real", "INT64_MAX", NETCLOCK_STAMP_OUT_OF_RANGE, |s| {
        (s.real, s.through) = (i64::MAX, i64::MAX)
    }),
    ("segment->since", "INT64_MIN", NETCLOCK_STAMP_OUT_OF_RANGE, |s| s.since = i64::MIN),
    ("segment->since", "a tick after `real`", NETCLOCK_STAMP_OUT_OF_RANGE, |s| s.since = s.real + 1),
    ("segment->world", "2^62", NETCLOCK_STAMP_OUT_OF_RANGE, |s| s.world = 1 << 62),
    ("segment->through", "a tick before `real`", NETCLOCK_STAMP_OUT_OF_RANGE, |s| s.through = s.real - 1),
    ("segment->through", "INT64_MAX", NETCLOCK_STAMP_OUT_OF_RANGE, |s| s.through = i64::MAX),
    ("segment->tolerance", "-1", NETCLOCK_TOLERANCE_OUT_OF_RANGE, |s| s.tolerance = -1),
    ("segment->tolerance", "INT64_MAX", NETCLOCK_TOLERANCE_OUT_OF_RANGE, |s| s.tolerance = i64::MAX),
];

/// Sizes of no segment.
const SEGMENT_SIZES: [(&str, u32); 4] = [("0", 0), ("71", 71), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

fn segment_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, &World, *const NetclockSegment) -> NetclockStatus,
) {
    refuses(table, [function, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |b, w| call(b, w, ptr::null()));
    for (text, size) in SEGMENT_SIZES {
        let bad = NetclockSegment { struct_size: size, ..segment() };
        refuses(table, [function, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, w| {
            call(b, w, &bad)
        });
    }
    for (argument, value, status, change) in NO_SEGMENTS {
        let mut bad = NetclockSegment { version: 6, ..segment() };
        change(&mut bad);
        refuses(table, [function, argument, value], status, |b, w| call(b, w, &bad));
    }
}

fn timeline_rows(table: &mut Table) {
    const CREATE: &str = "netclock_timeline_create";
    const INSERT: &str = "netclock_timeline_insert";
    const CONFIRM: &str = "netclock_timeline_confirm";
    let of = |world: &World| world.timeline;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        let zero = NetclockTimelineConfig::zero();
        let knobs: [(&str, &str, i32, NetclockTimelineConfig); 7] = [
            (
                "config->reserved",
                "1",
                NETCLOCK_UNKNOWN_STRUCT,
                NetclockTimelineConfig { reserved: 1, ..zero },
            ),
            (
                "config->max_slew",
                "NaN",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_slew: f64::NAN, ..zero },
            ),
            (
                "config->max_slew",
                "1.1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_slew: 1.1, ..zero },
            ),
            (
                "config->step_threshold",
                "1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { step_threshold: 1, ..zero },
            ),
            (
                "config->step_threshold",
                "INT64_MAX",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { step_threshold: i64::MAX, ..zero },
            ),
            (
                "config->max_rate",
                "-1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_rate: -1.0, ..zero },
            ),
            (
                "config->max_rate",
                "infinity",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_rate: f64::INFINITY, ..zero },
            ),
        ];
        for (argument, value, status, config) in knobs {
            refuses(table, [CREATE, argument, value], status, |b, _| {
                netclock_timeline_create(&config, b.out())
            });
        }
        life_rows(
            table,
            [CREATE, "netclock_timeline_destroy"],
            of,
            |config, out| netclock_timeline_create(config.cast(), out),
            netclock_timeline_destroy,
        );
        handle_rows(table, INSERT, of, |_, timeline| netclock_timeline_insert(timeline, &segment()));
        segment_rows(table, INSERT, |_, w, segment| netclock_timeline_insert(w.timeline, segment));
        let outdated: [(&str, i32, Change); 5] = [
            ("of an older world", NETCLOCK_SEGMENT_OUTDATED, |s| s.instance = 1),
            ("2^31 versions from the newest", NETCLOCK_SEGMENT_OUTDATED, |s| s.version = 5 + (1 << 31)),
            ("an older version that begins later", NETCLOCK_SEGMENT_OUTDATED, |s| s.version = 4),
            ("the same version with another rate", NETCLOCK_SEGMENT_CONFLICT, |s| s.rate = 0.5),
            ("once more", NETCLOCK_ALREADY_KNOWN, |_| {}),
        ];
        for (text, status, change) in outdated {
            let mut late = segment();
            change(&mut late);
            refuses(table, [INSERT, "segment", text], status, |_, w| {
                netclock_timeline_insert(w.timeline, &late)
            });
        }

        handle_rows(table, CONFIRM, of, |_, timeline| netclock_timeline_confirm(timeline, 7, 2, 5, 0));
        refuses(table, [CONFIRM, "server_epoch", "of another run"], NETCLOCK_NO_WORLD, |_, w| {
            netclock_timeline_confirm(w.timeline, 8, 2, 5, 11 * SECOND)
        });
        refuses(table, [CONFIRM, "instance", "of an older world"], NETCLOCK_SEGMENT_OUTDATED, |_, w| {
            netclock_timeline_confirm(w.timeline, 7, 1, 5, 11 * SECOND)
        });
        for (text, instant) in NO_INSTANTS {
            refuses(table, [CONFIRM, "through", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_, w| {
                netclock_timeline_confirm(w.timeline, 7, 2, 5, instant)
            });
        }
    }
}

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
        ("now->is_synced", "0", NETCLOCK_NOT_SYNCED, |now| now.is_synced = 0),
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

fn read_rows(table: &mut Table) {
    const SHOW: &str = "netclock_timeline_show";
    const WORLD_AT: &str = "netclock_timeline_world_at";
    const REAL_AT: &str = "netclock_timeline_real_at";
    type Age = unsafe extern "C" fn(
        *const NetclockTimeline,
        *const NetclockReading,
        i64,
        *mut NetclockAge,
    ) -> NetclockStatus;
    let of = |world: &World| world.timeline;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        handle_rows(table, SHOW, of, |b, timeline| netclock_timeline_show(timeline, &now(), b.out()));
        clock_rows(table, SHOW, |b, w, now| netclock_timeline_show(w.timeline, now, b.sized(72)));
        let before = NetclockReading { server_time: 12 * SECOND - 1, ..now() };
        let backwards = NETCLOCK_REAL_WENT_BACKWARDS;
        refuses(
            table,
            [SHOW, "now->server_time", "a tick before that of an earlier call"],
            backwards,
            |b, w| netclock_timeline_show(w.timeline, &before, b.sized(72)),
        );
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

fn datagram_rows(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_segment";
    const DECODE: &str = "netclock_decode_segment";
    // SAFETY: pointers are null or lead to whole values; lengths are true, or refused before anything is read.
    unsafe {
        segment_rows(table, ENCODE, |b, _, segment| netclock_encode_segment(segment, b.out(), 72));
        refuses(table, [ENCODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_encode_segment(&segment(), ptr::null_mut(), 72)
        });
        for (text, capacity) in [("0", 0), ("71", 71)] {
            refuses(table, [ENCODE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b, _| {
                netclock_encode_segment(&segment(), b.out(), capacity)
            });
        }

        let mut good = [0_u8; NETCLOCK_SEGMENT_SIZE];
        assert_eq!(netclock_encode_segment(&segment(), good.as_mut_ptr().cast(), 72).0, NETCLOCK_OK);
        refuses(table, [DECODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_decode_segment(ptr::null(), 72, b.sized(72))
        });
        let garbage: [(&str, usize, i32); 7] = [
            ("another magic", 1, NETCLOCK_WIRE_MAGIC),
            ("version 127", 2, NETCLOCK_WIRE_VERSION),
            ("another kind", 3, NETCLOCK_WIRE_KIND),
            ("a byte of 12 to 15 set", 15, NETCLOCK_WIRE_RESERVED),
            ("a rate of more than 100", 24, NETCLOCK_WIRE_STAMP),
            ("a tolerance of more than an hour", 32, NETCLOCK_WIRE_STAMP),
            ("an instant of more than 2^62", 56, NETCLOCK_WIRE_STAMP),
        ];
        for (text, at, status) in garbage {
            let mut bytes = good;
            bytes[at] = 127;
            refuses(table, [DECODE, "datagram", text], status, |b, _| {
                netclock_decode_segment(bytes.as_ptr().cast(), 72, b.sized(72))
            });
        }
        for (text, length) in [("0", 0), ("32", 32), ("71", 71), ("73", 73), ("SIZE_MAX", usize::MAX)] {
            refuses(table, [DECODE, "length", text], NETCLOCK_WIRE_LENGTH, |b, _| {
                netclock_decode_segment(good.as_ptr().cast(), length, b.sized(72))
            });
        }
        refuses(table, [DECODE, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_decode_segment(good.as_ptr().cast(), 72, ptr::null_mut())
        });
        for (text, size) in SEGMENT_SIZES {
            refuses(table, [DECODE, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, _| {
                netclock_decode_segment(good.as_ptr().cast(), 72, b.sized(size))
            });
        }
    }
}

fn seconds_rows(table: &mut Table) {
    const TICKS: &str = "netclock_ticks_from_seconds";
    const SECONDS: &str = "netclock_seconds_from_ticks";
    const FAR: i64 = (1 << 28) * SECOND;
    // SAFETY: null, or room for the output.
    unsafe {
        let none =
            [("NaN", f64::NAN), ("infinity", f64::INFINITY), ("2^28", 268_435_456.0), ("-1e300", -1e300)];
        for (text, seconds) in none {
            table.refuses([TICKS, "seconds", text], NETCLOCK_SECONDS_OUT_OF_RANGE, |b| {
                netclock_ticks_from_seconds(seconds, b.out())
            });
        }
        table.refuses([TICKS, "ticks", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_ticks_from_seconds(1.0, ptr::null_mut())
        });
        for (text, ticks) in [("those of 2^28 s", FAR), ("INT64_MIN", i64::MIN), ("INT64_MAX", i64::MAX)] {
            table.refuses([SECONDS, "ticks", text], NETCLOCK_SECONDS_OUT_OF_RANGE, |b| {
                netclock_seconds_from_ticks(ticks, b.out())
            });
        }
        table.refuses([SECONDS, "seconds", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_seconds_from_ticks(1, ptr::null_mut())
        });
    }
}
