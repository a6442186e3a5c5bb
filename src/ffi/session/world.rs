//! World time as a guest reads it.

use crate::ffi::base::prelude::*;
use crate::ffi::session::config::NetclockWorldTime;
use crate::ffi::session::status::NETCLOCK_RATE_OUT_OF_RANGE;
use crate::game::timeline::{Rate, SEGMENT_SIZE, WorldReading};

/// The time of a world in a single reading. All fields are consistent with each other. Times are in ticks.
/// Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockWorldReading {
    /// `sizeof(netclock_world_reading)` in the caller's program.
    pub struct_size: u32,
    /// The number of the epoch. The shown time never goes backwards within an epoch. Each new world, server
    /// epoch or step of the clock starts a new epoch. Readings from `netclock_guest_world_at` have epoch
    /// zero.
    pub epoch: u32,
    /// The time of the world's clock.
    pub world_time: NetclockWorldTime,
    /// The hard error bound. The world's clock is within `world_time` plus or minus this bound. The bound
    /// covers changes that the client does not know about yet, provided that the world's rate does not exceed
    /// the larger of `world_max_rate` and the latest segment's rate. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound: i64,
    /// The hard error bound if the latest segment still applies. `NETCLOCK_UNBOUNDED` if nothing can be
    /// guaranteed.
    pub error_bound_if_unchanged: i64,
    /// How far the shown time is ahead of the segments while it slews to a change that arrived late, or a
    /// negative value if it is behind.
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
/// Frame flag: a new world, such as a different map, begins with this frame. The new world replaces the
/// previous world with this number, and its clock may start at any value.
pub const NETCLOCK_WORLD_NEW: u32 = 2;

/// The size of an encoded segment, in bytes.
pub const NETCLOCK_SEGMENT_SIZE: usize = 72;

const _: () = assert!(NETCLOCK_SEGMENT_SIZE == SEGMENT_SIZE);

growable! { NetclockWorldReading: 72 }

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
