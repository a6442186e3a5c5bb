//! The server's side of a world's clock.

use crate::clock::{ServerTime, WorldTime};
use crate::ffi::base::prelude::*;
use crate::ffi::game::timeline::segment::{self, NetclockWorldSegment, NetclockWorldTime};
use crate::ffi::game::timeline::status::NETCLOCK_NO_WORLD;
use crate::game::timeline::{Publisher, PublisherConfig};

/// Publishes one clock of the server's world. Opaque. Calls on it wait for each other.
pub struct NetclockPublisher(Owned<Publisher>);

owned! { NetclockPublisher(Publisher): "netclock_publisher", "publisher" }

/// Settings of a publisher. Set `struct_size` to `sizeof(netclock_publisher_config)`, and everything else to
/// zero for the defaults. A field that is not zero replaces its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPublisherConfig {
    /// `sizeof(netclock_publisher_config)` as compiled into the caller.
    pub struct_size: u32,
    /// The most segments in any one second; a quarter of them may come at once. When they are scarce, new
    /// segments have a wider tolerance. (count, 2 to 1000, default 20)
    pub max_per_second: u32,
    /// How far the line may be from the world's clock before the next segment is published. (world ticks, 10
    /// us to 1 s, default 0.5 ms)
    pub tolerance: i64,
    /// How much later real time may be read than the world's clock was set. A lag above this plus the
    /// tolerance is treated as lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
    pub read_lag: i64,
    /// Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1)
    pub resolution: i64,
}

growable! { NetclockPublisherConfig: 32 }

settings! { |config: NetclockPublisherConfig| PublisherConfig {
    tolerance, read_lag, resolution, max_per_second
} }

/// Creates a publisher and stores it in `*publisher`. Give it back to `netclock_publisher_destroy`.
/// `config` may be null for all defaults. `server_epoch` names the run of the server's clock as its
/// replies do, and `instance` names the world. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_create(
    config: *const NetclockPublisherConfig,
    server_epoch: u64,
    instance: u32,
    publisher: *mut *mut NetclockPublisher,
) -> NetclockStatus {
    create!(netclock_publisher_create, publisher, {
        Ok(Publisher::new(optional(config, "config")?.to_config(), server_epoch, instance)?)
    })
}

/// Destroys a publisher, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_destroy(publisher: *mut NetclockPublisher) -> NetclockStatus {
    destroy!(netclock_publisher_destroy, publisher)
}

/// Begins another world with the next frame, under the next instance. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_begin_world(publisher: *mut NetclockPublisher) -> NetclockStatus {
    change!(netclock_publisher_begin_world, publisher, |publisher| {
        publisher.begin_world();
        Ok(())
    })
}

/// Observes a frame of the server; call it in every frame. At the real time `real` the world's clock reads
/// `world` (ticks). From there it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands still if
/// `paused` is not 0. The rate is a hint: if the world of the last frames ran at another one, for example
/// because the server cannot keep up, segments have the measured rate. Read `real` as soon as possible after
/// the world's clock was set. `NETCLOCK_OK`: send `*segment` to every client. `NETCLOCK_NOTHING_DUE`: there
/// is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_RATE_OUT_OF_RANGE`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`, `NETCLOCK_WORLD_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_observe(
    publisher: *mut NetclockPublisher,
    real: NetclockServerTime,
    world: NetclockWorldTime,
    rate: f64,
    paused: i32,
    segment: *mut NetclockWorldSegment,
) -> NetclockStatus {
    change!(netclock_publisher_observe, publisher, |publisher| {
        check_size(segment, "segment")?;
        let rate = segment::rate(rate, paused)?;
        let (real, world) = (ServerTime::from_ticks(real), WorldTime::from_ticks(world));
        let due = publisher.observe(real, world, rate)?;
        grow_out(segment, "segment", due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// The newest segment, and until which frame (`through`) the server may confirm it, into `*segment`. Send it
/// to clients that join, and from time to time to all, if segments may get lost. `NETCLOCK_NO_WORLD`: the
/// world has had no frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_newest(
    publisher: *const NetclockPublisher,
    segment: *mut NetclockWorldSegment,
) -> NetclockStatus {
    change!(netclock_publisher_newest, publisher, |publisher| {
        check_size(segment, "segment")?;
        grow_out(segment, "segment", publisher.newest().ok_or_else(|| Failure::of(NETCLOCK_NO_WORLD))?)
    })
}
