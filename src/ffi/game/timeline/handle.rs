//! A client's side of a world's clock.

use core::ffi::c_void;

use crate::clock::for_parts::range::number;
use crate::clock::keyed::{KeyError, SEALED_MOST};
use crate::clock::{Reading, ServerTime, WorldTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::reading::NetclockReading;
use crate::ffi::clock::keys::keyed::NetclockSealedChannel;
use crate::ffi::game::timeline::segment::{NetclockWorldSegment, NetclockWorldTime};
use crate::ffi::game::timeline::status::NETCLOCK_ALREADY_KNOWN;
use crate::game::timeline::{Timeline, TimelineConfig, WorldReading};

/// A client's view of one clock of the server's world. Opaque. Calls on it wait for each other.
pub struct NetclockTimeline(Owned<Timeline>);

owned! { NetclockTimeline(Timeline): "netclock_timeline", "timeline" }

/// Settings of a timeline. Set `struct_size` to `sizeof(netclock_timeline_config)`, and everything else to
/// zero for the defaults. A field that is not zero replaces its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockTimelineConfig {
    /// `sizeof(netclock_timeline_config)` as compiled into the caller.
    pub struct_size: u32,
    /// 1: segments without a seal are refused, so give them to `netclock_timeline_insert_sealed`. Set it
    /// wherever the session has a key: a fellow player knows the server's epoch from its own replies, so
    /// without a seal it can forge the next segment of another player. (0 or 1, default 0)
    pub sealed: u32,
    /// How much faster or slower than its own rate a world is shown while it slews to late news. It is a
    /// fraction of real time, or of the world's rate if that is more. (fraction, 0.001 to 1, default 0.25)
    pub max_slew: f64,
    /// If the world is further ahead than this, the shown time steps forwards once. If it is shown further
    /// ahead than this, it stands still until it is not. (world ticks, 1 ms to 1 h, default 250 ms)
    pub step_threshold: i64,
    /// The fastest that the world may run before anybody has said so: for the error bound. (world ticks per
    /// real tick, 1e-4 to 100, default 1)
    pub max_rate: f64,
    /// How many segments are kept, 88 bytes each. The oldest is dropped for a new one, and with it what is
    /// known of its time (`NETCLOCK_NOT_KEPT`). A world that changes its rate in every frame publishes up to
    /// twenty a second, and others one for each change. Views of the past need more. (count, 16 to 4096,
    /// default 64)
    pub segments: u32,
    /// Zero.
    pub reserved: u32,
}

growable! { NetclockTimelineConfig: 40 }

settings! { |config: NetclockTimelineConfig| TimelineConfig {
    max_slew, step_threshold, max_rate, segments;
    sealed: config.sealed != 0,
} }

/// Everything a timeline says about one instant; all fields belong together. Times are in ticks. Set
/// `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldReading {
    /// `sizeof(netclock_world_reading)` as compiled into the caller.
    pub struct_size: u32,
    /// Counts the stretches in which shown time never goes backwards. Every world, every run of the server's
    /// clock, and every step of the clock begins another one. 0 in readings that are not shown.
    pub epoch: u32,
    /// What the world's clock reads.
    pub world_time: NetclockWorldTime,
    /// Hard bound: the world's clock is within `world_time` plus or minus this. It covers changes that the
    /// client cannot have heard of yet, if the world runs no faster than the larger of `max_rate` and the
    /// newest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be promised.
    pub error_bound: i64,
    /// The hard bound if the newest segment is still in force. `NETCLOCK_UNBOUNDED` if nothing can be
    /// promised.
    pub error_bound_if_unchanged: i64,
    /// How far the shown time is ahead of the segments while it slews to late news; negative: behind.
    pub ahead: i64,
    /// How far the world stepped with this reading; mostly zero.
    pub jump: i64,
    /// World ticks per real tick, without slewing; 0 while paused.
    pub rate: f64,
    /// Which world it is.
    pub instance: u32,
    /// Which of its segments was read.
    pub version: u32,
    /// 1 while the world stands still, else 0.
    pub paused: i32,
    /// 1 if the server announced a newer segment or world that has not arrived, else 0.
    pub is_missing_news: i32,
}

growable! { NetclockWorldReading: 72 }

to_c! { |reading: WorldReading| NetclockWorldReading {
    epoch, error_bound, error_bound_if_unchanged, ahead, jump, instance, version, is_missing_news;
    world_time: reading.world.ticks(),
    rate: reading.rate.as_f64(),
    paused: i32::from(reading.rate.is_paused()),
} }

/// Creates a timeline that knows no world yet and stores it in `*timeline`. Give it back to
/// `netclock_timeline_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_create(
    config: *const NetclockTimelineConfig,
    timeline: *mut *mut NetclockTimeline,
) -> NetclockStatus {
    create!(netclock_timeline_create, timeline, {
        let config = optional(config, "config")?;
        reserved(config.reserved, "config")?;
        number("sealed", f64::from(config.sealed), 0.0, 1.0, "")?;
        Ok(Timeline::new(config.to_config())?)
    })
}

/// Destroys a timeline, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_destroy(timeline: *mut NetclockTimeline) -> NetclockStatus {
    destroy!(netclock_timeline_destroy, timeline)
}

/// Inserts a segment that arrived, in any order. `NETCLOCK_ALREADY_KNOWN`: it had arrived before. A newer
/// world drops the segments of the older one. A segment of another run of the server's clock waits until a
/// shown reading is about that run. Errors: `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_TOLERANCE_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED`, `NETCLOCK_SEGMENT_CONFLICT`,
/// `NETCLOCK_NOT_SEALED` (the settings ask for a seal), `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_insert(
    timeline: *mut NetclockTimeline,
    segment: *const NetclockWorldSegment,
) -> NetclockStatus {
    change!(netclock_timeline_insert, timeline, |timeline| {
        let segment = grow_in(segment, "segment")?.to_segment()?;
        let is_new = timeline.insert(&segment)?;
        if is_new { Ok(()) } else { Err(Failure::of(NETCLOCK_ALREADY_KNOWN)) }
    })
}

/// As `netclock_timeline_insert`, with the `sealed` datagram of `length` bytes that came by `channel`: the
/// server sealed what `netclock_encode_segment` wrote. The seal is checked first. If a genuine message is no
/// segment at all (`NETCLOCK_WIRE_...`), the channel has not opened it, and `netclock_sealed_channel_open`
/// can. Errors: those of both calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_insert_sealed(
    timeline: *mut NetclockTimeline,
    channel: *mut NetclockSealedChannel,
    sealed: *const c_void,
    length: usize,
) -> NetclockStatus {
    change!(netclock_timeline_insert_sealed, timeline, |timeline| {
        let datagram = bytes_in(sealed, length, "sealed", SEALED_MOST, KeyError::Length)?;
        let is_new = owned::with(channel, |channel| Ok(timeline.insert_sealed(channel, datagram)?))?;
        if is_new { Ok(()) } else { Err(Failure::of(NETCLOCK_ALREADY_KNOWN)) }
    })
}

/// Confirms the newest segment: the server says, with a reply for example, that at its real time `through`
/// (ticks) its newest segment was `version` of the world `instance`. `through` must not be later than that of
/// `netclock_publisher_newest`, even if the reply is: a change counts from the last observed frame on.
/// `NETCLOCK_NO_WORLD`: no segment of that run of its clock is known. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SEGMENT_OUTDATED` for an older world, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_confirm(
    timeline: *mut NetclockTimeline,
    server_epoch: u64,
    instance: u32,
    version: u32,
    through: NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_timeline_confirm, timeline, |timeline| {
        let through = ServerTime::from_ticks(through);
        Ok(timeline.confirm(server_epoch, instance, version, through)?)
    })
}

/// The world's time to be shown now, into `*reading`. It never goes back within an epoch. Call it once a
/// frame. `now` is what `netclock_client_read` gave, or a reading that you make from another clock of the
/// server's real time: only `server_time`, `error_bound`, `server_epoch`, `epoch` and whether its `state` is
/// `NETCLOCK_STATE_UNSYNCED` are used. Readings may come in any order, from any thread. If `now` is before an
/// earlier one of its epoch, the world stands still. Then `ahead` says how far it is ahead of `now`.
/// `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `now` is surely before the
/// oldest segment. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_show(
    timeline: *mut NetclockTimeline,
    now: *const NetclockReading,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    change!(netclock_timeline_show, timeline, |timeline| {
        let now = clock(now)?;
        check_size(reading, "reading")?;
        grow_out(reading, "reading", timeline.show(&now)?)
    })
}

/// What the world's clock read or will read at the server's real time `real` (ticks), by the segments that
/// have arrived, into `*reading`. It is not slewed, so it may differ from the shown time. It is rounded down
/// to a tick, by which the truth may be beyond a bound of zero.
/// `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `real` is before the oldest segment that is kept.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_world_at(
    timeline: *const NetclockTimeline,
    server_epoch: u64,
    real: NetclockServerTime,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    change!(netclock_timeline_world_at, timeline, |timeline| {
        check_size(reading, "reading")?;
        grow_out(reading, "reading", timeline.world_at(server_epoch, ServerTime::from_ticks(real))?)
    })
}

/// The first and the last real time of the server at which the world's clock reads `world`, into `*first` and
/// `*last` (ticks). They are far apart if the world stands still there. `*last` is 2^62 - 1 if it does so for
/// good, as far as is known; `*first` is not before the oldest segment that is kept. `NETCLOCK_NEVER`,
/// `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: the world's clock read this before. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_timeline_real_at(
    timeline: *const NetclockTimeline,
    server_epoch: u64,
    world: NetclockWorldTime,
    first: *mut NetclockServerTime,
    last: *mut NetclockServerTime,
) -> NetclockStatus {
    change!(netclock_timeline_real_at, timeline, |timeline| {
        writable(first, "first")?;
        writable(last, "last")?;
        let range = timeline.real_at(server_epoch, WorldTime::from_ticks(world))?;
        copy_out(first, "first", range.first.ticks())?;
        copy_out(last, "last", range.last.ticks())
    })
}

/// # Safety
/// As [`grow_in`].
unsafe fn clock(now: *const NetclockReading) -> Outcome<Reading> {
    // SAFETY: the caller's promise.
    unsafe { grow_in(now, "now") }.map(Reading::from)
}
