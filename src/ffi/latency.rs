//! Whether the latency changed, and the speed that hides it.

use parking_lot::Mutex;

use super::boundary::{self, Growable, Handle, Outcome, Poison};
use super::client::{self, NetclockClient};
use super::failure::Failure;
use super::lead::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};
use super::owned::{self, Owner};
use super::status::NetclockStatus;
use crate::direction::Direction;
use crate::exchange::Exchange;
use crate::latency::{Hide, LatencyChange, LatencyConfig, LatencyWatch, Learnt, Speed};
use crate::range::ConfigError;
use crate::time::TimeError;
use crate::time::{LocalTime, ServerTime, Span};

/// A watch over the latency of one client's path. Opaque; its memory never grows. Calls from several threads are
/// serialised.
pub struct NetclockLatency {
    poison: Poison,
    watch: Mutex<LatencyWatch>,
}

impl Handle for NetclockLatency {
    const KIND: &'static str = "netclock_latency";
    const ARGUMENT: &'static str = "latency";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.watch)
    }
}

impl Owner for NetclockLatency {
    type Value = LatencyWatch;

    fn value(&self) -> &Mutex<LatencyWatch> {
        &self.watch
    }
}

/// Settings of a latency watch. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencyConfig {
    /// `sizeof(netclock_latency_config)` as compiled into the caller.
    pub struct_size: u32,
    /// The latency that the speed hides changes of: zero for that of both directions together, `NETCLOCK_TO_SERVER` or
    /// `NETCLOCK_TO_CLIENT` for one. Changes are reported of both.
    pub hide: i32,
    /// Smaller changes are not reported. (ticks, 1 ms to 1 s, default 10 ms)
    pub least_change: i64,
    /// How far the speed may go from 1. (fraction, 0.001 to 0.5, default 0.1)
    pub max_speed_change: f64,
    /// Time from speed 1 to the furthest. (ticks, 10 ms to 10 s, default 250 ms)
    pub ramp: i64,
    /// On a path that does not change there is one false report in so many hours, in the mean. (hours, 0.1 to 10000,
    /// default 100)
    pub hours_per_false_alarm: f64,
}

// SAFETY: repr(C), two four-byte numbers and four eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockLatencyConfig {
    const FIRST_SIZE: usize = 40;
    fn zero() -> Self {
        NetclockLatencyConfig {
            struct_size: size_of::<Self>() as u32,
            hide: 0,
            least_change: 0,
            max_speed_change: 0.0,
            ramp: 0,
            hours_per_false_alarm: 0.0,
        }
    }
}

impl NetclockLatencyConfig {
    fn to_config(self) -> Outcome<LatencyConfig> {
        let hide = match self.hide {
            0 => Hide::RoundTrip,
            NETCLOCK_TO_SERVER => Hide::OneWay(Direction::ToServer),
            NETCLOCK_TO_CLIENT => Hide::OneWay(Direction::ToClient),
            other => {
                let (field, value, unit) = ("hide", f64::from(other), "");
                return Err(ConfigError { field, value, min: 0.0, max: 2.0, unit }.into());
            }
        };
        let mut config = LatencyConfig { hide, ..LatencyConfig::default() };
        if self.least_change != 0 {
            config.least_change = Span::from_ticks(self.least_change);
        }
        if self.max_speed_change != 0.0 {
            config.max_speed_change = self.max_speed_change;
        }
        if self.ramp != 0 {
            config.ramp = Span::from_ticks(self.ramp);
        }
        if self.hours_per_false_alarm != 0.0 {
            config.hours_per_false_alarm = self.hours_per_false_alarm;
        }
        Ok(config)
    }
}

/// The delays of one direction became others, and stayed so. Set `struct_size` before the call.
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
    /// When the first of the exchanges arrived that told it. (ticks of the local clock)
    pub since: i64,
    /// When the last of them arrived. (ticks of the local clock)
    pub found: i64,
    /// One less what would be expected of false reports with as much evidence in an hour. (0 to 1)
    pub confidence: f64,
}

// SAFETY: repr(C), two four-byte numbers and five eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockLatencyChange {
    const FIRST_SIZE: usize = 48;
    fn zero() -> Self {
        NetclockLatencyChange {
            struct_size: size_of::<Self>() as u32,
            direction: 0,
            before: 0,
            after: 0,
            since: 0,
            found: 0,
            confidence: 0.0,
        }
    }
}

impl From<LatencyChange> for NetclockLatencyChange {
    fn from(change: LatencyChange) -> Self {
        NetclockLatencyChange {
            struct_size: size_of::<Self>() as u32,
            direction: match change.direction {
                Direction::ToServer => NETCLOCK_TO_SERVER,
                Direction::ToClient => NETCLOCK_TO_CLIENT,
            },
            before: change.before.ticks(),
            after: change.after.ticks(),
            since: change.since.ticks(),
            found: change.found.ticks(),
            confidence: change.confidence,
        }
    }
}

/// What is usual at present, by the clock as it is shown; in ticks. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencyLevels {
    /// `sizeof(netclock_latency_levels)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The typical delay (median) to the server since the last change.
    pub to_server: i64,
    /// The least of them, of about a minute.
    pub least_to_server: i64,
    /// The typical delay (median) to the client since the last change.
    pub to_client: i64,
    /// The least of them, of about a minute.
    pub least_to_client: i64,
}

// SAFETY: repr(C), two four-byte numbers and four eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockLatencyLevels {
    const FIRST_SIZE: usize = 40;
    fn zero() -> Self {
        NetclockLatencyLevels {
            struct_size: size_of::<Self>() as u32,
            reserved: 0,
            to_server: 0,
            least_to_server: 0,
            to_client: 0,
            least_to_client: 0,
        }
    }
}

/// What the local avatar should play at. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockLatencySpeed {
    /// `sizeof(netclock_latency_speed)` as compiled into the caller.
    pub struct_size: u32,
    /// 1 while a change is being hidden, else 0: then `scale` is 1 and `remaining` zero.
    pub is_hiding: i32,
    /// How fast the local avatar should play: 1 as a rule, less after a rise of the latency, more after a fall.
    pub scale: f64,
    /// What it should have played more than the time that passed, since the watch was created; negative: less. (ticks)
    pub done: i64,
    /// What is still to be played more; negative: less. (ticks)
    pub remaining: i64,
}

// SAFETY: repr(C), two four-byte numbers and three eight-byte ones, so no padding; every number is valid.
unsafe impl Growable for NetclockLatencySpeed {
    const FIRST_SIZE: usize = 32;
    fn zero() -> Self {
        NetclockLatencySpeed {
            struct_size: size_of::<Self>() as u32,
            is_hiding: 0,
            scale: 0.0,
            done: 0,
            remaining: 0,
        }
    }
}

impl From<Speed> for NetclockLatencySpeed {
    fn from(speed: Speed) -> Self {
        NetclockLatencySpeed {
            struct_size: size_of::<Self>() as u32,
            is_hiding: i32::from(speed.is_hiding),
            scale: speed.scale,
            done: speed.done.ticks(),
            remaining: speed.remaining.ticks(),
        }
    }
}

/// Creates a latency watch that knows no exchange yet and stores it in `*latency`, to be given back to
/// `netclock_latency_destroy`. `config` may be null for all defaults. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_create(
    config: *const NetclockLatencyConfig,
    latency: *mut *mut NetclockLatency,
) -> NetclockStatus {
    boundary::entry("netclock_latency_create", || {
        boundary::writable(latency, "latency")?;
        let config = if config.is_null() {
            LatencyConfig::default()
        } else {
            // SAFETY: a structure of the size it states, as the header asks of the caller.
            unsafe { boundary::grow_in(config, "config") }?.to_config()?
        };
        let watch = Mutex::new(LatencyWatch::new(&config)?);
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(NetclockLatency { poison: Poison::default(), watch }, latency) }
    })
}

/// Destroys a latency watch. Null is allowed and does nothing. No other call may be using it, and none may follow.
/// Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live latency watch, which is found out without looking at what is
/// there; `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_destroy(latency: *mut NetclockLatency) -> NetclockStatus {
    // SAFETY: if it is a live watch, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_latency_destroy", latency) }
}

/// Learns from the newest exchange that `client` accepted: to be called after each reply that the client was handed.
/// `NETCLOCK_NOTHING_NEW`: it was learnt before, or came less than 125 ms after another, or there is none; called every
/// frame, this does no harm, though exchanges are missed if several come in one. When the clock was set anew, all is
/// learnt anew. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_RANGE` for a delay of more than 60 s,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED` (either).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_follow(
    latency: *mut NetclockLatency,
    client: *const NetclockClient,
) -> NetclockStatus {
    const NAME: &str = "netclock_latency_follow";
    let mut newest = None;
    // SAFETY: pointers are null or lead to live handles, as the header asks of the caller.
    unsafe {
        let status = client::write(NAME, client, |client, _| {
            newest = LatencyWatch::newest(client);
            Ok(())
        });
        if status != NetclockStatus::OK {
            return status;
        }
        owned::change(NAME, latency, &mut |watch| match newest {
            Some((exchange, shown, epoch)) => learn(watch, &exchange, shown, epoch),
            None => Err(Failure::NothingNew),
        })
    }
}

/// The same from the stamps of an exchange, for who has them elsewhere: sent by the client, received and answered by the
/// server, received by the client; in ticks of the clock concerned. `shown` is the server time that the clock shows for
/// `client_received`, and `epoch` that of the reading. Exchanges are passed in the order of arrival. `NETCLOCK_OUTDATED`:
/// of an epoch that has ended, not used. Otherwise as `netclock_latency_follow`; also `NETCLOCK_STAMP_OUT_OF_RANGE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_learn(
    latency: *mut NetclockLatency,
    client_sent: i64,
    server_received: i64,
    server_sent: i64,
    client_received: i64,
    shown: i64,
    epoch: u32,
) -> NetclockStatus {
    let exchange = Exchange {
        client_sent: LocalTime::from_ticks(client_sent),
        server_received: ServerTime::from_ticks(server_received),
        server_sent: ServerTime::from_ticks(server_sent),
        client_received: LocalTime::from_ticks(client_received),
    };
    // SAFETY: null or a live watch, as the header asks of the caller.
    unsafe {
        owned::change("netclock_latency_learn", latency, &mut |watch| {
            learn(watch, &exchange, ServerTime::from_ticks(shown), epoch)
        })
    }
}

fn learn(watch: &mut LatencyWatch, exchange: &Exchange, shown: ServerTime, epoch: u32) -> Outcome {
    match watch.learn(exchange, shown, epoch) {
        Ok(Learnt::Used | Learnt::Renewed) => Ok(()),
        Ok(Learnt::Skipped | Learnt::Known) => Err(Failure::NothingNew),
        Ok(Learnt::Outdated) => Err(Failure::Outdated),
        Err(error) => Err(Failure::Latency(error)),
    }
}

/// Takes the next change that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is waiting. One that is not taken is
/// taken together with the next of its direction. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_next_change(
    latency: *mut NetclockLatency,
    change: *mut NetclockLatencyChange,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_latency_next_change", latency, &mut |watch| {
            // A change that cannot be handed out is not taken.
            boundary::check_size(change, "change")?;
            match watch.next_change() {
                Some(next) => boundary::grow_out(change, "change", &next.into()),
                None => Err(Failure::NoChange),
            }
        })
    }
}

/// What is usual in both directions at present, into `*levels`. `NETCLOCK_NO_MESSAGES`: no exchange was learnt yet, and
/// `*levels` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_read(
    latency: *const NetclockLatency,
    levels: *mut NetclockLatencyLevels,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_latency_read", latency, &mut |watch| {
            boundary::check_size(levels, "levels")?;
            let both = watch.level(Direction::ToServer).zip(watch.level(Direction::ToClient));
            let (up, down) = both.ok_or(Failure::NoMessages)?;
            let known = NetclockLatencyLevels {
                to_server: up.typical.ticks(),
                least_to_server: up.least.ticks(),
                to_client: down.typical.ticks(),
                least_to_client: down.least.ticks(),
                ..NetclockLatencyLevels::zero()
            };
            boundary::grow_out(levels, "levels", &known)
        })
    }
}

/// What the local avatar should play at, at local time `now` (ticks), into `*speed`; to be asked in every frame. When the
/// latency rose by `d`, what the server knows of the avatar is `d` older than before: the avatar plays at less than 1
/// until it has played `d` less, and the distance to its copy on the server is what it was. `done` of two frames tells
/// exactly how much was to be played between them, whatever the frame rate. A clock that runs ahead by the latency is to
/// do the opposite: at `2 - scale`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_latency_read_speed(
    latency: *const NetclockLatency,
    now: i64,
    speed: *mut NetclockLatencySpeed,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_latency_read_speed", latency, &mut |watch| {
            boundary::check_size(speed, "speed")?;
            let now = LocalTime::from_ticks(now);
            if !now.is_valid() {
                return Err(Failure::Time(TimeError::OutOfRange, now));
            }
            boundary::grow_out(speed, "speed", &watch.speed(now).into())
        })
    }
}
