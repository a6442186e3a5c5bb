//! The server's side of a world's clock.

use parking_lot::Mutex;

use crate::ffi::base::boundary::{self, Growable, Handle, Outcome, Poison};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::owned::{self, Owner};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::timeline::segment::{NetclockSegment, rate};
use crate::time::{ServerTime, Span, WorldTime};
use crate::timeline::{Publisher, PublisherConfig};

/// Publishes one clock of the server's world. Opaque. Calls on it are serialised by a lock.
pub struct NetclockPublisher {
    poison: Poison,
    publisher: Mutex<Publisher>,
}

impl Handle for NetclockPublisher {
    const KIND: &'static str = "netclock_publisher";
    const ARGUMENT: &'static str = "publisher";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.publisher)
    }
}

impl Owner for NetclockPublisher {
    type Value = Publisher;

    fn value(&self) -> &Mutex<Publisher> {
        &self.publisher
    }
}

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

// SAFETY: repr(C), two four-byte numbers before eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockPublisherConfig {
    const FIRST_SIZE: usize = 32;
    fn zero() -> Self {
        let struct_size = size_of::<Self>() as u32;
        NetclockPublisherConfig { struct_size, max_per_second: 0, tolerance: 0, read_lag: 0, resolution: 0 }
    }
}

impl NetclockPublisherConfig {
    fn to_config(self) -> PublisherConfig {
        let standard = PublisherConfig::default();
        let span = |given: i64, default: Span| if given == 0 { default } else { Span::from_ticks(given) };
        let count = self.max_per_second;
        PublisherConfig {
            tolerance: span(self.tolerance, standard.tolerance),
            read_lag: span(self.read_lag, standard.read_lag),
            resolution: span(self.resolution, standard.resolution),
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    boundary::entry("netclock_publisher_create", || unsafe {
        boundary::writable(publisher, "publisher")?;
        let config = boundary::optional(config, "config")?.to_config();
        let made = Mutex::new(Publisher::new(config, server_epoch, instance)?);
        boundary::hand_out(NetclockPublisher { poison: Poison::default(), publisher: made }, publisher)
    })
}

/// Destroys a publisher. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE`, `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_destroy(publisher: *mut NetclockPublisher) -> NetclockStatus {
    // SAFETY: if it is a live publisher, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_publisher_destroy", publisher) }
}

/// Another world begins: with the next frame, under the next instance. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_begin_world(publisher: *mut NetclockPublisher) -> NetclockStatus {
    // SAFETY: null or a live publisher, as the header asks of the caller.
    unsafe {
        owned::change("netclock_publisher_begin_world", publisher, &mut |publisher| {
            publisher.begin_world();
            Ok(())
        })
    }
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_publisher_observe", publisher, &mut |publisher| {
            boundary::check_size(segment, "segment")?;
            let rate = self::rate(rate, paused)?;
            let (real, world) = (ServerTime::from_ticks(real), WorldTime::from_ticks(world));
            let due = publisher.observe(real, world, rate).map_err(Failure::Observe)?;
            boundary::grow_out(segment, "segment", &due.ok_or(Failure::NothingDue)?.into())
        })
    }
}

/// The newest segment, and through which frame it is known to have been in force, into `*segment`: for clients that
/// join, and again from time to time where segments may get lost. `NETCLOCK_NO_WORLD`: the world has had no frame.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_publisher_newest(
    publisher: *const NetclockPublisher,
    segment: *mut NetclockSegment,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_publisher_newest", publisher, &mut |publisher| {
            boundary::check_size(segment, "segment")?;
            let newest = publisher.newest();
            let newest = newest.ok_or(Failure::World(crate::timeline::WorldError::NoWorld))?;
            boundary::grow_out(segment, "segment", &newest.into())
        })
    }
}
