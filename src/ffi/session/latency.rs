//! Changes of the latency, and the speed that hides them.

use crate::clock::Direction;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::keys::keyed::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};
use crate::game::latency::{LatencyChange, Speed};

/// The delays of one direction changed, and stayed so. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencyChange {
    /// `sizeof(netclock_latency_change)` as compiled into the caller.
    pub struct_size: u32,
    /// `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`.
    pub direction: i32,
    /// The typical delay (median) until then. (ticks)
    pub before: i64,
    /// The typical delay since. (ticks)
    pub after: i64,
    /// When the first exchange arrived that shows the change. (ticks of the local clock)
    pub since: NetclockLocalTime,
    /// When the last of them arrived. (ticks of the local clock)
    pub found: NetclockLocalTime,
    /// Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1)
    pub confidence: f64,
}

growable! { NetclockLatencyChange: 48 }

to_c! { |change: LatencyChange| NetclockLatencyChange {
    before, after, since, found, confidence;
    direction: match change.direction {
        Direction::ToServer => NETCLOCK_TO_SERVER,
        Direction::ToClient => NETCLOCK_TO_CLIENT,
    },
} }

/// The speed at which the local avatar should play. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencySpeed {
    /// `sizeof(netclock_latency_speed)` as compiled into the caller.
    pub struct_size: u32,
    /// 1 while a change is being hidden; else 0, with a `scale` of 1 and zero `remaining`.
    pub is_hiding: i32,
    /// How fast the local avatar should play: usually 1, less after a rise of the latency, more after a fall.
    pub scale: f64,
    /// How much more than the time that passed it should have played since the guest connected; negative:
    /// less. (ticks)
    pub done: i64,
    /// How much more it still has to play; negative: less. (ticks)
    pub remaining: i64,
}

growable! { NetclockLatencySpeed: 32 }

to_c! { |speed: Speed| NetclockLatencySpeed { is_hiding, scale, done, remaining } }
