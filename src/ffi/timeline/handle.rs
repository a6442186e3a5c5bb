//! A client's side of a world's clock.

use crate::clock::Reading;
use crate::ffi::base::entries::{change, create, destroy};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::growable::{
    Growable, check_size, grow_in, grow_out, growable, optional, or, reserved, span_or,
};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::pointers::{copy_out, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::reading::{NetclockReading, unbounded};
use crate::ffi::timeline::segment::NetclockSegment;
use crate::ffi::timeline::status::NETCLOCK_ALREADY_KNOWN;
use crate::time::{ServerTime, WorldTime};
use crate::timeline::{Age, Timeline, TimelineConfig, WorldError, WorldReading};

/// A client's view of one clock of the server's world. Opaque. Calls on it are serialised by a lock.
pub struct NetclockTimeline(Owned<Timeline>);

owned! { NetclockTimeline(Timeline): "netclock_timeline", "timeline" }

/// Settings of a timeline. Set `struct_size` to `sizeof(netclock_timeline_config)` and all else to zero for the
/// defaults; each field that is not zero replaces one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockTimelineConfig {
    /// `sizeof(netclock_timeline_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// How much faster or slower than its own rate a world is shown while late news is worked off. Of real time, or of
    /// the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
    pub max_slew: f64,
    /// A world that turns out to be further ahead than this leaps forwards once; one that is shown too far ahead stands
    /// still until it is no further than this. (world ticks, 1 ms to 1 h, default 250 ms)
    pub step_threshold: i64,
    /// The fastest that the world may run when nobody has said so yet: for the error bound. (world ticks per real
    /// tick, 1e-4 to 100, default 1)
    pub max_rate: f64,
}

growable! { NetclockTimelineConfig: 32 }

impl NetclockTimelineConfig {
    fn to_config(self) -> Outcome<TimelineConfig> {
        reserved(self.reserved, "config")?;
        let standard = TimelineConfig::default();
        Ok(TimelineConfig {
            max_slew: or(self.max_slew, standard.max_slew),
            step_threshold: span_or(self.step_threshold, standard.step_threshold),
            max_rate: or(self.max_rate, standard.max_rate),
        })
    }
}

/// Everything a timeline says of one instant; all fields belong together. Times are in ticks. Set `struct_size` before
/// the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldReading {
    /// `sizeof(netclock_world_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// Counts the timelines that were shown: one more with every world, every run of the server's clock, and every time
    /// that the clock was set anew. Within one the shown time never goes backwards. 0 in what is not shown.
    pub epoch: u32,
    /// What the world's clock says.
    pub world_time: i64,
    /// A promise: the world's clock is within `world_time` plus or minus this, also if something happened to it of which
    /// the client cannot have heard yet, as long as it runs at no more than `max_rate`, or the newest segment's rate if
    /// that is more. `NETCLOCK_UNBOUNDED` if nothing can be promised.
    pub error_bound: i64,
    /// The same if the newest segment is still in force. `NETCLOCK_UNBOUNDED` if nothing can be promised.
    pub error_bound_if_unchanged: i64,
    /// How much more is shown than the segments say, while late news is worked off; negative: less.
    pub ahead: i64,
    /// By how much the world leapt with this reading; mostly zero.
    pub jump: i64,
    /// World ticks per real tick, but for slewing; 0 while paused.
    pub rate: f64,
    /// Which world it is.
    pub instance: u32,
    /// Which of its segments is read.
    pub version: u32,
    /// 1 while the world stands still, else 0.
    pub paused: i32,
    /// 1 if the server spoke of a newer segment or world that has not arrived, else 0.
    pub is_missing_news: i32,
}

growable! { NetclockWorldReading: 72 }

impl From<WorldReading> for NetclockWorldReading {
    fn from(reading: WorldReading) -> Self {
        NetclockWorldReading {
            epoch: reading.epoch,
            world_time: reading.world.ticks(),
            error_bound: unbounded(reading.error_bound),
            error_bound_if_unchanged: unbounded(reading.error_bound_if_unchanged),
            ahead: reading.ahead.ticks(),
            jump: reading.jump.ticks(),
            rate: reading.rate.as_f64(),
            instance: reading.instance,
            version: reading.version,
            paused: i32::from(reading.rate.is_paused()),
            is_missing_news: i32::from(reading.is_missing_news),
            ..Self::zero()
        }
    }
}

/// How long ago something was, in ticks; negative for the future.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetclockAge {
    /// In real time.
    pub real: i64,
    /// In world time: how far the world got since.
    pub world: i64,
}

/// Creates a timeline that knows no world yet and stores it in `*timeline`, to be given back to
/// `netclock_timeline_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_create(
    config: *const NetclockTimelineConfig,
    timeline: *mut *mut NetclockTimeline,
) -> NetclockStatus {
    create!(netclock_timeline_create, timeline, {
        Ok(Timeline::new(optional(config, "config")?.to_config()?)?)
    })
}

/// Destroys a timeline. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_destroy(timeline: *mut NetclockTimeline) -> NetclockStatus {
    destroy!(netclock_timeline_destroy, timeline)
}

/// Takes a segment that arrived, in any order. `NETCLOCK_ALREADY_KNOWN`: it had arrived before. A newer world drops the
/// older one's; a segment of another run of the server's clock waits until a shown reading speaks of that run. Errors:
/// `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_TOLERANCE_OUT_OF_RANGE`,
/// `NETCLOCK_SEGMENT_OUTDATED`, `NETCLOCK_SEGMENT_CONFLICT`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_insert(
    timeline: *mut NetclockTimeline,
    segment: *const NetclockSegment,
) -> NetclockStatus {
    change!(netclock_timeline_insert, timeline, |timeline| {
        let segment = grow_in(segment, "segment")?.to_segment()?;
        let is_new = timeline.insert(&segment)?;
        if is_new { Ok(()) } else { Err(Failure::of(NETCLOCK_ALREADY_KNOWN)) }
    })
}

/// The server says, with a reply for example, that at its real time `through` (ticks) its newest segment was `version`
/// of the world `instance`. `NETCLOCK_NO_WORLD`: no segment of that run of its clock is known. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED` for an older world,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_confirm(
    timeline: *mut NetclockTimeline,
    server_epoch: u64,
    instance: u32,
    version: u32,
    through: i64,
) -> NetclockStatus {
    change!(netclock_timeline_confirm, timeline, |timeline| {
        let through = ServerTime::from_ticks(through);
        Ok(timeline.confirm(server_epoch, instance, version, through)?)
    })
}

/// What the world's clock says now, to be shown, into `*reading`: it never goes back within an epoch. Call it once a
/// frame. `now` is what `netclock_client_read` gave, or made by hand from another clock of the server's real time: of it,
/// `server_time`, `error_bound`, `server_epoch`, `epoch` and `is_synced` are looked at. `NETCLOCK_NOT_SYNCED`,
/// `NETCLOCK_NO_WORLD`: `*reading` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_show(
    timeline: *mut NetclockTimeline,
    now: *const NetclockReading,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    change!(netclock_timeline_show, timeline, |timeline| {
        let now = clock(now)?;
        check_size(reading, "reading")?;
        let shown = timeline.show(&now)?;
        grow_out(reading, "reading", &shown.into())
    })
}

/// What the world's clock said or will say at the server's real time `real` (ticks), by the segments that arrived so
/// far, into `*reading`. Without slewing, so that it may differ from what is shown. `NETCLOCK_NO_WORLD`: `*reading` is as
/// it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_world_at(
    timeline: *const NetclockTimeline,
    server_epoch: u64,
    real: i64,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    change!(netclock_timeline_world_at, timeline, |timeline| {
        check_size(reading, "reading")?;
        let then = timeline.world_at(server_epoch, ServerTime::from_ticks(real))?;
        grow_out(reading, "reading", &then.into())
    })
}

/// The first and the last real time of the server at which the world's clock says `world`, into `*first` and `*last`
/// (ticks). They are far apart if it stands still there; `*last` is 2^62 - 1 if it does for good as far as is known.
/// `NETCLOCK_NEVER`, `NETCLOCK_NO_WORLD`: both are as they were. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_real_at(
    timeline: *const NetclockTimeline,
    server_epoch: u64,
    world: i64,
    first: *mut i64,
    last: *mut i64,
) -> NetclockStatus {
    change!(netclock_timeline_real_at, timeline, |timeline| {
        writable(first, "first")?;
        writable(last, "last")?;
        let range = timeline.real_at(server_epoch, WorldTime::from_ticks(world))?;
        copy_out(first, "first", range.first.ticks())?;
        copy_out(last, "last", range.last.ticks())
    })
}

/// How long ago the server's real time `stamp` (ticks) was at `now`, in real time and in world time, into `*age`. `now`
/// and errors as for `netclock_timeline_show`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_age_of_real(
    timeline: *const NetclockTimeline,
    now: *const NetclockReading,
    stamp: i64,
    age: *mut NetclockAge,
) -> NetclockStatus {
    let of = |timeline: &Timeline, now: &Reading| timeline.age_of_real(now, ServerTime::from_ticks(stamp));
    change!(netclock_timeline_age_of_real, timeline, |timeline| write_age(timeline, now, age, &of))
}

/// How long ago the world's clock said `stamp` (ticks), in real time and in world time, into `*age`. If it stood still
/// there, that was the end of the pause. `NETCLOCK_NEVER`: it never says so as far as is known. `now` and errors as for
/// `netclock_timeline_show`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_age_of_world(
    timeline: *const NetclockTimeline,
    now: *const NetclockReading,
    stamp: i64,
    age: *mut NetclockAge,
) -> NetclockStatus {
    let of = |timeline: &Timeline, now: &Reading| timeline.age_of_world(now, WorldTime::from_ticks(stamp));
    change!(netclock_timeline_age_of_world, timeline, |timeline| write_age(timeline, now, age, &of))
}

/// # Safety
/// Pointers are null or valid.
unsafe fn write_age(
    timeline: &Timeline,
    now: *const NetclockReading,
    to: *mut NetclockAge,
    of: &dyn Fn(&Timeline, &Reading) -> Result<Age, WorldError>,
) -> Outcome {
    // SAFETY: the caller's promise.
    unsafe {
        let now = clock(now)?;
        writable(to, "age")?;
        let age = of(timeline, &now)?;
        copy_out(to, "age", NetclockAge { real: age.real.ticks(), world: age.world.ticks() })
    }
}

/// # Safety
/// As [`grow_in`].
unsafe fn clock(now: *const NetclockReading) -> Outcome<Reading> {
    // SAFETY: the caller's promise.
    unsafe { grow_in(now, "now") }.map(Reading::from)
}
