//! Determines the order of two events, and which instant a client saw when it acted.

use crate::clock::ServerTime;
use crate::ffi::base::prelude::*;
use crate::game::order::{
    self, Arbitration, Clocks, Order, OrderError, Rewind, RewindLimit, RewindPath, Stamp,
};

/// Order: the events are too close together for the requested confidence.
pub const NETCLOCK_ORDER_TOO_CLOSE: i32 = 0;
/// Order: the first event came first.
pub const NETCLOCK_ORDER_BEFORE: i32 = 1;
/// Order: the second event came first.
pub const NETCLOCK_ORDER_AFTER: i32 = 2;

/// Limit: none, because the claim was plausible.
pub const NETCLOCK_LIMIT_NONE: i32 = 0;
/// Limit: the claim was later than its arrival.
pub const NETCLOCK_LIMIT_ARRIVAL: i32 = 1;
/// Limit: the claim was earlier than the path can explain.
pub const NETCLOCK_LIMIT_PATH: i32 = 2;
/// Limit: the instant was further back than `max_rewind`.
pub const NETCLOCK_LIMIT_MAX_REWIND: i32 = 3;

/// The time of an event, as a client read it or as the server recorded it. If a client read the time, copy
/// the errors from its reading. If the server recorded it, set both errors to zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockOrderStamp {
    /// The server time of the event.
    pub time: NetclockServerTime,
    /// The hard error bound in ticks; `NETCLOCK_UNBOUNDED` if unknown.
    pub error_bound: i64,
    /// The expected error (one standard deviation) in ticks; `NETCLOCK_UNBOUNDED` if unknown.
    pub expected_error: i64,
}

/// The order of two events. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockOrderVerdict {
    /// `sizeof(netclock_order_verdict)` in the caller's program.
    pub struct_size: u32,
    /// One of `NETCLOCK_ORDER_...`.
    pub order: i32,
    /// The probability that the first event was before the second. The probability of a proven order is 0 or
    /// 1.
    pub probability: f64,
    /// 1 if the bounds prove the order, 0 if the order is only probable.
    pub proven: i32,
    /// Reserved, always zero.
    pub reserved: i32,
}

/// The measured path of a client, and the limit on rewinding. Set `struct_size` before the call. Durations
/// are in ticks, 0 to 60 s.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockRewindPath {
    /// `sizeof(netclock_rewind_path)` in the caller's program.
    pub struct_size: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// The smallest recent round-trip time, as measured by the server.
    pub round_trip: i64,
    /// How much longer than `round_trip` the messages and the clock's exchanges may take. If the server
    /// handles messages once per frame, add its frame period.
    pub jitter: i64,
    /// How far in the past, relative to its clock, the client shows other players.
    pub interpolation: i64,
    /// The longest permitted rewind, counted from the message's arrival and including `interpolation`.
    /// (default 250 ms)
    pub max_rewind: i64,
}

/// The instant that a client saw when it acted. All times are in ticks. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockRewindResult {
    /// `sizeof(netclock_rewind_result)` in the caller's program.
    pub struct_size: u32,
    /// Why the instant was moved, one of `NETCLOCK_LIMIT_...`.
    pub limit: i32,
    /// The server time to which to rewind.
    pub target: NetclockServerTime,
    /// How much later the target is than the client's claim implies, or a negative value if it is earlier.
    pub moved: i64,
    /// The time at which the client acted. This is the claim or, if it is implausible, the nearest plausible
    /// time. Pass this time to `netclock_arbitrate`.
    pub acted: NetclockServerTime,
    /// The largest error of `acted`, whatever the client claims, provided that messages take no longer than
    /// `round_trip + jitter`.
    pub error_bound: i64,
}

growable! { NetclockOrderVerdict: 24, NetclockRewindPath: 40, NetclockRewindResult: 40 }

from_c! { |stamp: NetclockOrderStamp| Stamp { time, error_bound, expected_error } }

to_c! { |verdict: Arbitration| NetclockOrderVerdict {
    probability, proven;
    order: match verdict.order {
        Order::TooClose => NETCLOCK_ORDER_TOO_CLOSE,
        Order::Before => NETCLOCK_ORDER_BEFORE,
        Order::After => NETCLOCK_ORDER_AFTER,
    },
} }

settings! { |path: NetclockRewindPath| RewindPath { round_trip, jitter, interpolation, max_rewind } }

to_c! { |rewind: Rewind| NetclockRewindResult {
    target, moved, acted, error_bound;
    limit: match rewind.limit {
        RewindLimit::None => NETCLOCK_LIMIT_NONE,
        RewindLimit::Arrival => NETCLOCK_LIMIT_ARRIVAL,
        RewindLimit::Path => NETCLOCK_LIMIT_PATH,
        RewindLimit::MaxRewind => NETCLOCK_LIMIT_MAX_REWIND,
    },
} }

/// Determines which of two events came first, and returns the verdict in `*verdict`. Set `same_clock` to 1 if
/// both times are the server's, or if the same client read both in the same epoch. Otherwise, set it to 0.
/// Times from the same clock share that clock's error, so the error does not affect their order.
/// `confidence`, from 0.5 to 1, is the minimum probability of an unproven order. At 0.5, the order is
/// undecided only if both orders are equally likely. At 1, the order is undecided unless it is proven.
/// Errors: `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` if an error is negative or the confidence
/// is out of range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_arbitrate(
    first: *const NetclockOrderStamp,
    second: *const NetclockOrderStamp,
    same_clock: i32,
    confidence: f64,
    verdict: *mut NetclockOrderVerdict,
) -> NetclockStatus {
    entry!(netclock_arbitrate, {
        let first = copy_in(first, "first")?.into();
        let second = copy_in(second, "second")?.into();
        let clocks = if same_clock == 0 { Clocks::Independent } else { Clocks::Same };
        grow_out(verdict, "verdict", order::arbitrate(&first, &second, clocks, confidence)?)
    })
}

/// Determines the instant that a client saw when it acted, and returns it in `*rewound`. `claimed` is the
/// server time at which the client claims to have acted, and `arrived` is the server time at which this claim
/// arrived. If `*path` cannot explain the claim, the function uses the nearest plausible time instead.
/// Errors: `NETCLOCK_OUT_OF_RANGE` if a field of the path is out of range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_rewind(
    claimed: NetclockServerTime,
    arrived: NetclockServerTime,
    path: *const NetclockRewindPath,
    rewound: *mut NetclockRewindResult,
) -> NetclockStatus {
    entry!(netclock_rewind, {
        let path = grow_in(path, "path")?;
        reserved(path.reserved, "path")?;
        let (claimed, arrived) = (ServerTime::from_ticks(claimed), ServerTime::from_ticks(arrived));
        grow_out(rewound, "rewound", order::rewind(claimed, arrived, &path.to_config())?)
    })
}

impl From<OrderError> for Failure {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::StampOutOfRange(name, ticks) => {
                Failure::because(NETCLOCK_STAMP_OUT_OF_RANGE, move |f| {
                    failure::write_stamp_out_of_range(f, &[name], &[ticks])
                })
            }
            OrderError::OutOfRange(error) => Failure::from_error(NETCLOCK_OUT_OF_RANGE, error),
        }
    }
}
