//! World time as a guest reads it, and recorded segments.

use core::ffi::c_void;

use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::delivered;
use crate::ffi::session::config::NetclockWorldTime;
use crate::ffi::session::status::NETCLOCK_RATE_OUT_OF_RANGE;
use crate::game::timeline::{Rate, SEGMENT_SIZE, Segment, WorldReading};

/// A world's time in a single reading. All fields are consistent with each other. Times are in ticks. Set
/// `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldReading {
    /// `sizeof(netclock_world_reading)` in the caller's program.
    pub struct_size: u32,
    /// The number of the epoch. The shown time never goes backwards within an epoch. Each new world, server
    /// epoch or step of the clock starts a new epoch. Zero in readings from `netclock_guest_world_at`.
    pub epoch: u32,
    /// The time of the world's clock.
    pub world_time: NetclockWorldTime,
    /// The hard error bound. The world's clock is within `world_time` plus or minus this bound. The bound
    /// covers changes that the client does not know about yet, provided that the world's rate does not exceed
    /// the larger of `world_max_rate` and the latest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound: i64,
    /// The hard bound, assuming that the latest segment still applies. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound_if_unchanged: i64,
    /// How far the shown time is ahead of the segments while it slews to a late change, or a negative value
    /// if it is behind.
    pub ahead: i64,
    /// How far the shown time stepped in this reading, usually zero.
    pub jump: i64,
    /// World ticks per real tick without slewing, or 0 while paused.
    pub rate: f64,
    /// Identifies the world.
    pub instance: u32,
    /// The number of the segment on which this reading is based.
    pub version: u32,
    /// 1 while the world is paused, else 0.
    pub paused: i32,
    /// Reserved, always zero.
    pub reserved: u32,
}

to_c! { |reading: WorldReading| NetclockWorldReading {
    epoch, error_bound, error_bound_if_unchanged, ahead, jump, instance, version;
    world_time: reading.world.ticks(),
    rate: reading.rate.as_f64(),
    paused: i32::from(reading.rate.is_paused()),
} }

/// Frame flag: the world is paused, and its rate is ignored.
pub const NETCLOCK_WORLD_PAUSED: u32 = 1;
/// Frame flag: a new world, such as a different map, begins with this frame. It replaces the previous world
/// with this number, and its clock may start at any value.
pub const NETCLOCK_WORLD_NEW: u32 = 2;

/// The size of an encoded segment, in bytes.
pub const NETCLOCK_SEGMENT_SIZE: usize = 72;

const _: () = assert!(NETCLOCK_SEGMENT_SIZE == SEGMENT_SIZE);

/// A segment of a world's time. From real time `real` on the server until a later segment begins, the world's
/// clock reads `world + (now - real) * rate`. Times are in ticks. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldSegment {
    /// `sizeof(netclock_world_segment)` in the caller's program.
    pub struct_size: u32,
    /// The number of the world. A new map has a new clock and a new number. May wrap.
    pub instance: u32,
    /// The number of the segment within its world. May wrap.
    pub version: u32,
    /// 1 while the world is paused and `rate` is ignored, else 0.
    pub paused: i32,
    /// The server epoch of `real`, as in `netclock_reply.epoch`.
    pub server_epoch: u64,
    /// The real time until which the previous segment was correct. Never later than `real`.
    pub since: NetclockServerTime,
    /// The server's real time at the start of the segment.
    pub real: NetclockServerTime,
    /// The time of the world's clock at `real`.
    pub world: NetclockWorldTime,
    /// World ticks per real tick (1e-4 to 100), or 0 while paused.
    pub rate: f64,
    /// The largest difference between the world's clock and the segment, in world time. (0 to 1 h)
    pub tolerance: i64,
    /// The real time until which the segment is known to apply. Never earlier than `real`.
    /// `NETCLOCK_UNKNOWN_TIME` if unknown.
    pub through: NetclockServerTime,
}

growable! { NetclockWorldReading: 72, NetclockWorldSegment: 72 }

to_c! { |segment: Segment| NetclockWorldSegment {
    instance, version, server_epoch, since, real, world, tolerance, through;
    paused: i32::from(segment.rate.is_paused()),
    rate: segment.rate.as_f64(),
} }

/// Decodes a recorded segment of `length` bytes into `*segment`. Errors: `NETCLOCK_WIRE_...` if the segment
/// is invalid.
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

pub(crate) fn rate(rate: f64, is_paused: bool) -> Outcome<Rate> {
    if is_paused {
        return Ok(Rate::PAUSED);
    }
    Rate::new(rate).ok_or_else(|| {
        Failure::because(NETCLOCK_RATE_OUT_OF_RANGE, move |f| {
            write!(f, "rate is {rate}, which is outside 0.0001..=100")
        })
    })
}
