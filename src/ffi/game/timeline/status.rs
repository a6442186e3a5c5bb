//! Statuses of publishers and timelines.

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::game::timeline::{ObserveError, SegmentError, WorldError};

/// There is no world time, because no segment of this run of the server's clock arrived.
pub const NETCLOCK_NO_WORLD: i32 = 401;
/// The world's clock never reads this, as far as is known.
pub const NETCLOCK_NEVER: i32 = 402;
/// The segment was known.
pub const NETCLOCK_ALREADY_KNOWN: i32 = 403;
/// The instant is before the oldest segment of the world that is kept: see `segments` of the settings.
pub const NETCLOCK_NOT_KEPT: i32 = 404;
/// The rate of a world that runs is not within 1e-4 and 100.
pub const NETCLOCK_RATE_OUT_OF_RANGE: i32 = -401;
/// A segment's tolerance is not within 0 and an hour.
pub const NETCLOCK_TOLERANCE_OUT_OF_RANGE: i32 = -402;
/// The segment is outdated. Newer ones replaced it, or it is of an older world, or of a run of the server
/// that is over.
pub const NETCLOCK_SEGMENT_OUTDATED: i32 = -403;
/// Another segment with the same version is known.
pub const NETCLOCK_SEGMENT_CONFLICT: i32 = -404;
/// The server's real time is before that of an earlier call.
pub const NETCLOCK_REAL_WENT_BACKWARDS: i32 = -405;
/// The world's time is before that of an earlier call: begin another world.
pub const NETCLOCK_WORLD_WENT_BACKWARDS: i32 = -406;

failures! {
    SegmentError {
        Key(error) => return error.into(),
        Wire(error) => return error.into(),
        Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
        Tolerance => NETCLOCK_TOLERANCE_OUT_OF_RANGE,
        OldEpoch => NETCLOCK_SEGMENT_OUTDATED,
        OldWorld => NETCLOCK_SEGMENT_OUTDATED,
        Superseded => NETCLOCK_SEGMENT_OUTDATED,
        Conflict => NETCLOCK_SEGMENT_CONFLICT,
        OtherEpoch => NETCLOCK_NO_WORLD,
    }
    ObserveError {
        OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
        RealWentBackwards(_) => NETCLOCK_REAL_WENT_BACKWARDS,
        WorldWentBackwards(_) => NETCLOCK_WORLD_WENT_BACKWARDS,
    }
    WorldError {
        NotSynced => NETCLOCK_NOT_SYNCED,
        NoWorld => NETCLOCK_NO_WORLD,
        NotKept => NETCLOCK_NOT_KEPT,
        Never => NETCLOCK_NEVER,
        OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
    }
}
