//! Statuses of a latency watch's calls.

use crate::ffi::base::prelude::*;
use crate::game::latency::LatencyError;

/// No change of the latency is waiting.
pub const NETCLOCK_NO_CHANGE: i32 = 701;
/// There was nothing to learn: the exchange is known or came too soon after another, or there is none.
pub const NETCLOCK_NOTHING_NEW: i32 = 702;

failures! {
    LatencyError {
        StampOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
        Implausible(_) => NETCLOCK_OUT_OF_RANGE,
        WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
    }
}
