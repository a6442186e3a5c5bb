//! Whether the latency changed, and the speed that hides it.

use crate::clock::for_parts::range::number;
use crate::clock::{Direction, Exchange, LocalTime, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::{NetclockClient, on_client};
use crate::ffi::clock::keys::keyed::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};
use crate::ffi::game::latency::status::{NETCLOCK_NO_CHANGE, NETCLOCK_NOTHING_NEW};
use crate::ffi::game::order::status::NETCLOCK_OUTDATED;
use crate::game::latency::{Hide, LatencyChange, LatencyConfig, LatencyUpdate, LatencyWatch, Speed};

/// A watch over the latency of one client's path. Opaque. Its memory never grows. Calls from several threads
/// wait for each other.
pub struct NetclockLatency(Owned<LatencyWatch>);

owned! { NetclockLatency(LatencyWatch): "netclock_latency", "latency" }

/// Settings of a latency watch. Set `struct_size`, and everything else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencyConfig {
    /// `sizeof(netclock_latency_config)` as compiled into the caller.
    pub struct_size: u32,
    /// The latency whose changes the speed hides: zero for both directions together, `NETCLOCK_TO_SERVER` or
    /// `NETCLOCK_TO_CLIENT` for one. Changes of both directions are reported.
    pub hide: i32,
    /// Smaller changes are not reported. (ticks, 1 ms to 1 s, default 10 ms)
    pub least_change: i64,
    /// How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1)
    pub max_speed_change: f64,
    /// Time from speed 1 to the furthest. (ticks, 10 ms to 10 s, default 250 ms)
    pub ramp: i64,
    /// Mean time between false reports on a path that does not change. Satellites and cellular paths change
    /// within minutes: there most reports are of changes that do not last. (hours, 0.1 to 10000, default 100)
    pub hours_per_false_alarm: f64,
}

growable! { NetclockLatencyConfig: 40 }

settings! { |config: NetclockLatencyConfig| LatencyConfig {
    least_change, max_speed_change, ramp, hours_per_false_alarm;
    hide: match config.hide {
        NETCLOCK_TO_SERVER => Hide::OneWay(Direction::ToServer),
        NETCLOCK_TO_CLIENT => Hide::OneWay(Direction::ToClient),
        _ => Hide::RoundTrip,
    },
} }

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
    /// How much more than the time that passed it should have played since the watch was created; negative:
    /// less. (ticks)
    pub done: i64,
    /// How much more it still has to play; negative: less. (ticks)
    pub remaining: i64,
}

growable! { NetclockLatencySpeed: 32 }

to_c! { |speed: Speed| NetclockLatencySpeed { is_hiding, scale, done, remaining } }

/// Creates a latency watch that knows no exchange yet and stores it in `*latency`. Give it back to
/// `netclock_latency_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_create(
    config: *const NetclockLatencyConfig,
    latency: *mut *mut NetclockLatency,
) -> NetclockStatus {
    create!(netclock_latency_create, latency, {
        let config = optional(config, "config")?;
        number("hide", f64::from(config.hide), 0.0, 2.0, "")?;
        Ok(LatencyWatch::new(&config.to_config())?)
    })
}

/// Destroys a latency watch, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_destroy(latency: *mut NetclockLatency) -> NetclockStatus {
    destroy!(netclock_latency_destroy, latency)
}

/// Learns from the newest exchange that `client` accepted. Call it after each reply that you handed to the
/// client. `NETCLOCK_NOTHING_NEW`: the exchange is known, or came less than 125 ms after another, or there is
/// none. You may call it every frame, but then it misses exchanges if several come in one frame. When the
/// clock restarts, the watch starts to learn again. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_RANGE`
/// for a delay of more than 60 s, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_follow(
    latency: *mut NetclockLatency,
    client: *const NetclockClient,
) -> NetclockStatus {
    let mut newest = None;
    let status = on_client!(netclock_latency_follow, client, |client| {
        newest = LatencyWatch::newest(client);
        Ok(())
    });
    if status != NetclockStatus::OK {
        return status;
    }
    change!(netclock_latency_follow, latency, |watch| match newest {
        Some((exchange, shown, epoch)) => learn(watch, &exchange, shown, epoch),
        None => Err(Failure::of(NETCLOCK_NOTHING_NEW)),
    })
}

/// Learns from the four stamps of an exchange, if you have them elsewhere: sent by the client, received and
/// answered by the server, received by the client; each by its own clock (ticks). `shown` is the shown server
/// time at `client_received`, and `epoch` that of the reading. Pass exchanges in the order of arrival.
/// `NETCLOCK_OUTDATED`: of an epoch that has ended, not used. Otherwise as `netclock_latency_follow`; also
/// `NETCLOCK_STAMP_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_learn(
    latency: *mut NetclockLatency,
    client_sent: NetclockLocalTime,
    server_received: NetclockServerTime,
    server_sent: NetclockServerTime,
    client_received: NetclockLocalTime,
    shown: NetclockServerTime,
    epoch: u32,
) -> NetclockStatus {
    let exchange = Exchange::from_stamps(
        LocalTime::from_ticks(client_sent),
        ServerTime::from_ticks(server_received),
        ServerTime::from_ticks(server_sent),
        LocalTime::from_ticks(client_received),
    );
    change!(netclock_latency_learn, latency, |watch| {
        learn(watch, &exchange, ServerTime::from_ticks(shown), epoch)
    })
}

fn learn(watch: &mut LatencyWatch, exchange: &Exchange, shown: ServerTime, epoch: u32) -> Outcome {
    match watch.learn(exchange, shown, epoch) {
        Ok(LatencyUpdate::Used | LatencyUpdate::Restarted) => Ok(()),
        Ok(LatencyUpdate::Skipped | LatencyUpdate::Known) => Err(Failure::of(NETCLOCK_NOTHING_NEW)),
        Ok(LatencyUpdate::Outdated) => Err(Failure::of(NETCLOCK_OUTDATED)),
        Err(error) => Err(error.into()),
    }
}

/// Takes the next change that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is waiting. A change that
/// is not taken is merged with the next one of its direction. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_next_change(
    latency: *mut NetclockLatency,
    change: *mut NetclockLatencyChange,
) -> NetclockStatus {
    change!(netclock_latency_next_change, latency, |watch| {
        // A change that cannot be handed out is not taken.
        check_size(change, "change")?;
        match watch.next_change() {
            Some(next) => grow_out(change, "change", next),
            None => Err(Failure::of(NETCLOCK_NO_CHANGE)),
        }
    })
}

/// The speed at which the local avatar should play at local time `now` (ticks), into `*speed`. Call it in
/// every frame. When the latency rises by `d`, the server's copy of the avatar becomes `d` older. The avatar
/// plays slower than 1 until it has played `d` less; then the distance to its copy is what it was. The
/// difference of `done` between two frames is exactly what to play more between them, at any frame rate. A
/// clock that runs ahead by the latency does the opposite: `2 - scale`. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_read_speed(
    latency: *mut NetclockLatency,
    now: NetclockLocalTime,
    speed: *mut NetclockLatencySpeed,
) -> NetclockStatus {
    change!(netclock_latency_read_speed, latency, |watch| {
        check_size(speed, "speed")?;
        grow_out(speed, "speed", watch.speed(local_time(now)?))
    })
}
