//! The state of a guest's connection, its latency changes, and the playback speed that hides them.

use crate::clock::Direction;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::keys::keyed::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};
use crate::game::latency::LatencyChange;

/// A lasting change in the delays of one direction. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencyChange {
    /// `sizeof(netclock_latency_change)` in the caller's program.
    pub struct_size: u32,
    /// `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT`.
    pub direction: i32,
    /// The median delay before the change. (ticks)
    pub before: i64,
    /// The median delay after the change. (ticks)
    pub after: i64,
    /// The local arrival time of the first exchange that shows the change. (ticks)
    pub since: NetclockLocalTime,
    /// The local arrival time of the last exchange that shows the change. (ticks)
    pub found: NetclockLocalTime,
    /// One minus the expected number of false reports per hour that have evidence this strong. (0 to 1)
    pub confidence: f64,
}

to_c! { |change: LatencyChange| NetclockLatencyChange {
    before, after, since, found, confidence;
    direction: match change.direction {
        Direction::ToServer => NETCLOCK_TO_SERVER,
        Direction::ToClient => NETCLOCK_TO_CLIENT,
    },
} }

/// The state of a guest's connection in one frame. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockConnectionReport {
    /// `sizeof(netclock_connection_report)` in the caller's program.
    pub struct_size: u32,
    /// 1 while the playback speed hides a latency change. Otherwise 0, with a `speed_scale` of 1 and a
    /// `speed_remaining` of zero.
    pub is_hiding: i32,
    /// The server epoch of this connection's host, or zero before the host's first reply.
    pub host_epoch: u64,
    /// The server time for which to predict the game's state. With the configured probability, the server
    /// handles a message sent now before this time. `NETCLOCK_UNKNOWN_TIME` if unknown.
    pub handled_by: NetclockServerTime,
    /// The server time at which to show other players. With the configured probability, both states needed to
    /// interpolate at this time have arrived. `NETCLOCK_UNKNOWN_TIME` if unknown.
    pub showable: NetclockServerTime,
    /// The speed at which to play the local avatar to hide latency changes. The speed is usually 1, lower
    /// after the latency rises, and higher after it falls. When the latency rises by `d`, the server's copy
    /// of the avatar becomes `d` older. The avatar then plays at a speed below 1 until it has played `d`
    /// less, and is again as far from its copy as before. A clock that runs ahead by the latency must instead
    /// run at the opposite speed, `2 - speed_scale`.
    pub speed_scale: f64,
    /// The time that the avatar should have played minus the time since the guest connected. At any frame
    /// rate, its change between two frames is exactly the additional time to play. (ticks)
    pub speed_done: i64,
    /// How much additional time the avatar still has to play, or a negative value if it has to play less.
    /// (ticks)
    pub speed_remaining: i64,
}

growable! { NetclockLatencyChange: 48, NetclockConnectionReport: 56 }
