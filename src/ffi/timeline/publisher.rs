//! The server's side of a world's clock.

use crate::ffi::base::entries::{change, create, destroy};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::growable::{check_size, grow_out, growable, optional, span_or};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::status::{NETCLOCK_NOTHING_DUE, NetclockStatus};
use crate::ffi::timeline::segment::{self, NetclockSegment};
use crate::ffi::timeline::status::NETCLOCK_NO_WORLD;
use crate::time::{ServerTime, WorldTime};
use crate::timeline::{Publisher, PublisherConfig};

/// Publishes one clock of the server's world. Opaque. Calls on it are serialised by a lock.
pub struct NetclockPublisher(Owned<Publisher>);

owned! { NetclockPublisher(Publisher): "netclock_publisher", "publisher" }

/// Settings of a publisher. Set `struct_size` to `sizeof(netclock_publisher_config)` and all else to zero for the
/// defaults; each field that is not zero replaces one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockPublisherConfig {
    /// `sizeof(netclock_publisher_config)` as compiled into the caller.
    pub struct_size: u32,
    /// The most segments in any one second; a quarter of them at once. While they are scarce, the tolerance of new ones
    /// is widened. (count, 2 to 1000, default 20)
    pub max_per_second: u32,
    /// How far the line may be from the world's clock before another one is published. (world ticks, 10 us to 1 s,
    /// default 0.5 ms)
    pub tolerance: i64,
    /// The most by which real time is read later than the world's clock was set. What is more than this and the
    /// tolerance is taken for lost time at once. (real ticks, 1 to 1 s, default 0.5 ms)
    pub read_lag: i64,
    /// Step of the world's clock as it is read. (world ticks, 1 to 1 s, default 1)
    pub resolution: i64,
}

growable! { NetclockPublisherConfig: 32 }

impl NetclockPublisherConfig {
    fn to_config(self) -> PublisherConfig {
        let standard = PublisherConfig::default();
        let count = self.max_per_second;
        PublisherConfig {
            tolerance: span_or(self.tolerance, standard.tolerance),
            read_lag: span_or(self.read_lag, standard.read_lag),
            resolution: span_or(self.resolution, standard.resolution),
            max_per_second: if count == 0 { standard.max_per_second } else { count },
        }
    }
}

/// Creates a publisher and stores it in `*publisher`, to be given back to `netclock_publisher_destroy`. `config` may be
/// null for all defaults. `server_epoch` names the run of the server's clock as its replies do, `instance` the world.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
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

/// Destroys a publisher. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_destroy(publisher: *mut NetclockPublisher) -> NetclockStatus {
    destroy!(netclock_publisher_destroy, publisher)
}

/// Another world begins: with the next frame, under the next instance. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_begin_world(publisher: *mut NetclockPublisher) -> NetclockStatus {
    change!(netclock_publisher_begin_world, publisher, |publisher| {
        publisher.begin_world();
        Ok(())
    })
}

/// A frame of the server, to be told of each: at the real time `real` the world's clock says `world` (ticks), and from
/// here on it runs at `rate` world ticks per real tick, 1e-4 to 100, or stands still if `paused` is not 0. Read `real` as
/// soon after the world's clock was set as possible. `NETCLOCK_OK`: `*segment` is to be sent to every client.
/// `NETCLOCK_NOTHING_DUE`: it is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_REAL_WENT_BACKWARDS`,
/// `NETCLOCK_WORLD_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_observe(
    publisher: *mut NetclockPublisher,
    real: i64,
    world: i64,
    rate: f64,
    paused: i32,
    segment: *mut NetclockSegment,
) -> NetclockStatus {
    change!(netclock_publisher_observe, publisher, |publisher| {
        check_size(segment, "segment")?;
        let rate = segment::rate(rate, paused)?;
        let (real, world) = (ServerTime::from_ticks(real), WorldTime::from_ticks(world));
        let due = publisher.observe(real, world, rate)?;
        grow_out(segment, "segment", &due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?.into())
    })
}

/// The newest segment, and through which frame it is known to have been in force, into `*segment`: for clients that
/// join, and again from time to time where segments may get lost. `NETCLOCK_NO_WORLD`: the world has had no frame.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_newest(
    publisher: *const NetclockPublisher,
    segment: *mut NetclockSegment,
) -> NetclockStatus {
    change!(netclock_publisher_newest, publisher, |publisher| {
        check_size(segment, "segment")?;
        let newest = publisher.newest();
        let newest = newest.ok_or_else(|| Failure::of(NETCLOCK_NO_WORLD))?;
        grow_out(segment, "segment", &newest.into())
    })
}
