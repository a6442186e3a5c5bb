//! A world's time: what a guest shows, and the segments that a recording keeps.

use core::ffi::c_void;

use crate::clock::{ServerTime, Span, WorldTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, post};
use crate::ffi::session::config::NetclockWorldTime;
use crate::ffi::session::status::NETCLOCK_RATE_OUT_OF_RANGE;
use crate::game::timeline::{Rate, SEGMENT_SIZE, Segment, WorldReading};

/// Everything that is known of a world at one instant; all fields belong together. Times are in ticks. Set
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

/// Length of an encoded segment, in bytes.
pub const NETCLOCK_SEGMENT_SIZE: usize = 72;

const _: () = assert!(NETCLOCK_SEGMENT_SIZE == SEGMENT_SIZE);

/// A segment: from the server's real time `real` on, a world's clock reads `world + (now - real) * rate`,
/// until a newer segment begins. Times are in ticks. Set `struct_size` before a call that fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldSegment {
    /// `sizeof(netclock_world_segment)` as compiled into the caller.
    pub struct_size: u32,
    /// Number of the world: another map, another clock. May wrap.
    pub instance: u32,
    /// Number of the segment within its world. May wrap.
    pub version: u32,
    /// 1 while the world stands still, and `rate` is ignored; else 0.
    pub paused: i32,
    /// The server epoch that `real` belongs to, as in `netclock_reply.epoch`.
    pub server_epoch: u64,
    /// Until this instant of real time the segment before was right; at most `real`.
    pub since: NetclockServerTime,
    /// Where the line begins: the server's real time.
    pub real: NetclockServerTime,
    /// What the world's clock reads there.
    pub world: NetclockWorldTime,
    /// World ticks per real tick, 1e-4 to 100; 0 while paused. The value that the library gives is sent
    /// without loss.
    pub rate: f64,
    /// How far the world's clock may be from the line, in world time. (0 to 1 h)
    pub tolerance: i64,
    /// The segment is known to be in force until this instant of real time, at least `real`.
    /// `NETCLOCK_UNKNOWN_TIME` if that is not known.
    pub through: NetclockServerTime,
}

growable! { NetclockWorldSegment: 72 }

to_c! { |segment: Segment| NetclockWorldSegment {
    instance, version, server_epoch, since, real, world, tolerance, through;
    paused: i32::from(segment.rate.is_paused()),
    rate: segment.rate.as_f64(),
} }

impl NetclockWorldSegment {
    pub(crate) fn to_segment(self) -> Outcome<Segment> {
        Ok(Segment {
            server_epoch: self.server_epoch,
            instance: self.instance,
            version: self.version,
            since: ServerTime::from_ticks(self.since),
            real: ServerTime::from_ticks(self.real),
            world: WorldTime::from_ticks(self.world),
            rate: rate(self.rate, self.paused)?,
            tolerance: Span::from_ticks(self.tolerance),
            through: Field::from_c(self.through),
        })
    }
}

/// Writes a segment as a datagram of `NETCLOCK_SEGMENT_SIZE` bytes into a buffer of `capacity` bytes. Errors:
/// `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE` or `NETCLOCK_OUT_OF_RANGE` (its tolerance) for
/// an invalid segment, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_WIRE_LENGTH` if the
/// buffer is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_segment(
    segment: *const NetclockWorldSegment,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_segment, {
        let segment = grow_in(segment, "segment")?.to_segment()?;
        post(datagram, capacity, || segment.encode())
    })
}

/// Reads a segment from a datagram of `length` bytes. Errors: one of `NETCLOCK_WIRE_...` for a datagram to be
/// ignored, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_decode_segment(
    datagram: *const c_void,
    length: usize,
    segment: *mut NetclockWorldSegment,
) -> NetclockStatus {
    entry!(netclock_decode_segment, {
        check_size(segment, "segment")?;
        let decoded = Segment::decode(delivered::<SEGMENT_SIZE>(datagram, length, "datagram")?)?;
        grow_out(segment, "segment", decoded)
    })
}

/// The rate of a world that runs, or stands still whatever its rate would be.
pub(crate) fn rate(rate: f64, paused: i32) -> Outcome<Rate> {
    if paused != 0 {
        return Ok(Rate::PAUSED);
    }
    Rate::new(rate).ok_or_else(|| {
        Failure::because(NETCLOCK_RATE_OUT_OF_RANGE, move |f| {
            write!(f, "rate is {rate}, which is outside 0.0001..=100")
        })
    })
}
