//! A world's clock: what the calls are made on.

pub(super) use core::ffi::c_void;
pub(super) use core::ptr;
pub(super) use std::panic::resume_unwind;

pub(super) use super::super::bench::Bench;
pub(super) use super::super::table::{Effect, Table};
pub(super) use crate::ffi::base::growable::Growable;
pub(super) use crate::ffi::base::handle::{self, Handle};
pub(super) use crate::ffi::clock::client::reading::{NETCLOCK_STATE_SYNCED, NetclockReading};
pub(super) use crate::ffi::game::timeline::handle::*;
pub(super) use crate::ffi::game::timeline::publisher::*;
pub(super) use crate::ffi::game::timeline::segment::*;
pub(super) use crate::ffi::tests::statuses::*;
pub(super) use crate::ffi::tests::{MILLISECOND, SECOND};

/// Sizes of no structure of at least 32 bytes.
pub(super) const SIZES: [(&str, u32); 4] = [("0", 0), ("31", 31), ("5000", 5000), ("UINT32_MAX", u32::MAX)];
/// What a call is made on, and what it has to leave as it was.
pub(super) struct World {
    pub(super) publisher: *mut NetclockPublisher,
    pub(super) timeline: *mut NetclockTimeline,
}

/// The world's newest segment, at 10 s.
pub(super) fn segment() -> NetclockWorldSegment {
    NetclockWorldSegment {
        instance: 2,
        version: 5,
        server_epoch: 7,
        since: 10 * SECOND,
        real: 10 * SECOND,
        world: SECOND,
        rate: 1.0,
        tolerance: MILLISECOND,
        through: 11 * SECOND,
        ..NetclockWorldSegment::zero()
    }
}

pub(super) fn now() -> NetclockReading {
    NetclockReading {
        server_time: 12 * SECOND,
        server_epoch: 7,
        epoch: 1,
        state: NETCLOCK_STATE_SYNCED,
        ..NetclockReading::zero()
    }
}

impl World {
    pub(super) fn new() -> Self {
        let (mut publisher, mut timeline) = (ptr::null_mut(), ptr::null_mut());
        let mut published = NetclockWorldSegment::zero();
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
    pub(super) fn says(&self) -> (NetclockWorldSegment, [NetclockWorldReading; 2]) {
        let (mut newest, mut shown) = (NetclockWorldSegment::zero(), [NetclockWorldReading::zero(); 2]);
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
pub(super) fn refuses(
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
pub(super) fn poisoned<H: Handle>(handle: *mut H) -> *mut H {
    // SAFETY: the rows pass live handles.
    unsafe { handle::read("a_test", handle, |_| resume_unwind(Box::new("poisoned"))) };
    handle
}

/// A handle that is none, and one that is of no use.
pub(super) fn handle_rows<H: Handle>(
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
    pub(super) fn new_for_good() -> core::mem::ManuallyDrop<Self> {
        core::mem::ManuallyDrop::new(Self::new())
    }
}

/// Creation and destruction.
pub(super) fn life_rows<H: Handle>(
    table: &mut Table,
    [create, destroy]: [&'static str; 2],
    of: fn(&World) -> *mut H,
    make: unsafe fn(*const c_void, *mut *mut H) -> NetclockStatus,
    end: unsafe extern "C" fn(*mut H) -> NetclockStatus,
) {
    // SAFETY: pointers are null, or lead to live handles and room for outputs; what is no live handle is not
    // looked at.
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

/// A change that makes a good segment bad, or leaves it behind.
pub(super) type Change = fn(&mut NetclockWorldSegment);

/// Changes that make a segment bad: argument, value, status.
pub(super) const NO_SEGMENTS: [(&str, &str, i32, Change); 12] = [
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
pub(super) const SEGMENT_SIZES: [(&str, u32); 4] =
    [("0", 0), ("71", 71), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

pub(super) fn segment_rows(
    table: &mut Table,
    function: &'static str,
    call: impl Fn(&mut Bench, &World, *const NetclockWorldSegment) -> NetclockStatus,
) {
    refuses(table, [function, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |b, w| call(b, w, ptr::null()));
    for (text, size) in SEGMENT_SIZES {
        let bad = NetclockWorldSegment { struct_size: size, ..segment() };
        refuses(table, [function, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, w| {
            call(b, w, &bad)
        });
    }
    for (argument, value, status, change) in NO_SEGMENTS {
        let mut bad = NetclockWorldSegment { version: 6, ..segment() };
        change(&mut bad);
        refuses(table, [function, argument, value], status, |b, w| call(b, w, &bad));
    }
}
