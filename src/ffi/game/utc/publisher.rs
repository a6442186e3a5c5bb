//! The server's side of claims about UTC.

use core::ffi::c_void;

use crate::clock::{ServerTime, UtcTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, post};
use crate::ffi::game::utc::claim::{NetclockUtcClaim, NetclockUtcTime};
use crate::ffi::game::utc::status::NETCLOCK_NO_UTC;
use crate::game::utc::{UTC_DATAGRAM_SIZE, UtcPublisher, UtcPublisherConfig, UtcReply, UtcRequest};

/// Says what UTC the zero of the server's clock is. Opaque. Calls on it wait for each other.
pub struct NetclockUtcPublisher(Owned<UtcPublisher>);

owned! { NetclockUtcPublisher(UtcPublisher): "netclock_utc_publisher", "publisher" }

/// Settings of a publisher of UTC. Set `struct_size` to `sizeof(netclock_utc_publisher_config)`, and
/// everything else to zero for the defaults. A field that is not zero replaces its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockUtcPublisherConfig {
    /// `sizeof(netclock_utc_publisher_config)` as compiled into the caller.
    pub struct_size: u32,
    /// How fast the server's clock may run away from UTC. (ppm, 1 to 100000, default 50)
    pub drift_ppm: u32,
    /// How far UTC may move against the claim before there is another claim. Stated bounds are wider by it.
    /// (ticks, 10 us to 1 h, default 1 ms)
    pub tolerance: i64,
    /// The longest time between two claims. In between, bounds grow with the drift. (ticks, 1 s to 1 h,
    /// default 60 s)
    pub refresh: i64,
}

growable! { NetclockUtcPublisherConfig: 24 }

settings! { |config: NetclockUtcPublisherConfig| UtcPublisherConfig { tolerance, refresh, drift_ppm } }

/// Creates a publisher of UTC that has observed nothing and stores it in `*publisher`. Give it back to
/// `netclock_utc_publisher_destroy`. `config` may be null for all defaults. `server_epoch` names the run of
/// the server's clock as its replies do. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_publisher_create(
    config: *const NetclockUtcPublisherConfig,
    server_epoch: u64,
    publisher: *mut *mut NetclockUtcPublisher,
) -> NetclockStatus {
    create!(netclock_utc_publisher_create, publisher, {
        Ok(UtcPublisher::new(optional(config, "config")?.to_config(), server_epoch)?)
    })
}

/// Destroys a publisher of UTC, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_publisher_destroy(
    publisher: *mut NetclockUtcPublisher,
) -> NetclockStatus {
    destroy!(netclock_utc_publisher_destroy, publisher)
}

/// Observes that at server time `at` (ticks) the machine's UTC was `utc` (ticks since 1970), within
/// `error_bound` (ticks) of true UTC. `NETCLOCK_UNBOUNDED`: nobody states a bound. Above 429 s counts as that
/// too. Call it about once a second; `netclock_utc_now` reads both clocks. `NETCLOCK_OK`: the last claim does
/// not hold any more, so send the new one to every client. There is at most one claim a second.
/// `NETCLOCK_NOTHING_DUE`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative bound,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_publisher_observe(
    publisher: *mut NetclockUtcPublisher,
    at: NetclockServerTime,
    utc: NetclockUtcTime,
    error_bound: i64,
    claim: *mut NetclockUtcClaim,
) -> NetclockStatus {
    change!(netclock_utc_publisher_observe, publisher, |publisher| {
        check_size(claim, "claim")?;
        let (at, utc) = (ServerTime::from_ticks(at), UtcTime::from_ticks(utc));
        let due = publisher.observe(at, utc, Field::from_c(error_bound))?;
        grow_out(claim, "claim", due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?)
    })
}

/// The newest claim, into `*claim`. Send it to clients that join. `NETCLOCK_NO_UTC`: nothing was observed.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_publisher_newest(
    publisher: *const NetclockUtcPublisher,
    claim: *mut NetclockUtcClaim,
) -> NetclockStatus {
    change!(netclock_utc_publisher_newest, publisher, |publisher| {
        check_size(claim, "claim")?;
        grow_out(claim, "claim", *publisher.newest().ok_or_else(|| Failure::of(NETCLOCK_NO_UTC))?)
    })
}

/// The server's reply to a client's request of `length` bytes (`netclock_server_utc_request`): a datagram of
/// `NETCLOCK_UTC_DATAGRAM_SIZE` bytes with the newest claim, written into a buffer of `capacity` bytes. It is
/// as long as the request. `NETCLOCK_NO_UTC`: nothing was observed, send nothing. Errors: one of
/// `NETCLOCK_WIRE_...`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_utc_publisher_respond(
    publisher: *const NetclockUtcPublisher,
    request: *const c_void,
    length: usize,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_utc_publisher_respond, publisher, |publisher| {
        let UtcRequest { id } =
            UtcRequest::decode(delivered::<UTC_DATAGRAM_SIZE>(request, length, "request")?)?;
        let claim = *publisher.newest().ok_or_else(|| Failure::of(NETCLOCK_NO_UTC))?;
        post(datagram, capacity, || UtcReply { id, claim }.encode())
    })
}
