//! Why an entry has no result: its status for the program, and its details for a person.

use core::any::Any;
use core::fmt;

use super::status::{
    NETCLOCK_ALREADY_KNOWN, NETCLOCK_ARRIVED_BEFORE_SENT, NETCLOCK_BAD_CONFIG, NETCLOCK_BUSY,
    NETCLOCK_GAME_MESSAGE, NETCLOCK_HELD_UP, NETCLOCK_INCOMPLETE, NETCLOCK_NO_EVENT, NETCLOCK_NO_GAME,
    NETCLOCK_NO_MESSAGES, NETCLOCK_NOT_SYNCED, NETCLOCK_NOTHING_DUE, NETCLOCK_NULL_ARGUMENT,
    NETCLOCK_OUT_OF_RANGE, NETCLOCK_OUTDATED, NETCLOCK_PANICKED, NETCLOCK_POISONED,
    NETCLOCK_RATE_OUT_OF_RANGE, NETCLOCK_SECONDS_OUT_OF_RANGE, NETCLOCK_SENT_BEFORE_RECEIVED,
    NETCLOCK_STAMP_OUT_OF_RANGE, NETCLOCK_TIME_OUT_OF_RANGE, NETCLOCK_TIME_WENT_BACKWARDS,
    NETCLOCK_UNKNOWN_HANDLE, NETCLOCK_UNKNOWN_REQUEST, NETCLOCK_UNKNOWN_STRUCT, NETCLOCK_WIRE_LENGTH,
    NetclockStatus,
};
use super::status::{NETCLOCK_NO_CHANGE, NETCLOCK_NOTHING_NEW};
use super::text::Decimal;
use crate::client::Sample;
use crate::exchange::Exchange;
use crate::exchange::authority::AuthorityError;
use crate::exchange::{Refusal, WireError};
use crate::latency::LatencyError;
use crate::order::OrderError;
use crate::peer::PeerError;
use crate::range::ConfigError;
use crate::server::ReportError;
use crate::server::{AdoptionError, RespondError};
use crate::start::StartError;
use crate::time::TimeError;
use crate::time::{LocalTime, ServerTime, Span};
use crate::timeline::{ObserveError, SegmentError, WorldError};

/// Anything but success.
pub(super) enum Failure {
    // Nothing is wrong, there is only no result.
    NotSynced,
    NoEvent,
    NothingDue,
    AlreadyKnown,
    NoMessages,
    Outdated,
    HeldUp,
    /// The argument of this name is null.
    Null(&'static str),
    /// `struct_size` of the argument of this name is no size of that structure.
    StructSize {
        name: &'static str,
        given: u32,
        least: usize,
        most: usize,
    },
    /// A byte beyond the structure as it is known here is set.
    StructTail {
        name: &'static str,
        at: usize,
    },
    Config(ConfigError),
    Order(OrderError),
    Time(TimeError, LocalTime),
    /// No live handle of this kind is there.
    UnknownHandle {
        kind: &'static str,
        address: usize,
    },
    Busy,
    /// An exchange that was refused, by a client with this largest round trip.
    Refused {
        refusal: Refusal,
        exchange: Exchange,
        max_round_trip: Span,
    },
    /// A reply with this id, to no known request.
    UnknownRequest(u64),
    Respond(RespondError, ServerTime, ServerTime),
    /// A report to a rate watch, and its stamps by name.
    Report(ReportError, [(&'static str, i64); 3]),
    Wire(WireError),
    Start(StartError),
    /// No room for a datagram.
    Capacity {
        given: usize,
        needed: usize,
    },
    Segment(SegmentError),
    Observe(ObserveError),
    World(WorldError),
    /// The rate of no world.
    Rate(f64),
    /// Seconds that are no ticks, and ticks that are no seconds.
    Seconds(f64),
    NoSeconds(i64),
    Panicked(Box<dyn Any + Send>),
    Poisoned,
    /// What a client said to an authority or a question, at this local time.
    Authority(AuthorityError, LocalTime),
    Adoption(AdoptionError),
    // Between a relay and its peers; the first three are no errors.
    Incomplete,
    GameMessage,
    NoGame,
    Peer(PeerError),
    /// Nothing is wrong: no change of latency, no exchange to learn from.
    NoChange,
    NothingNew,
    Latency(LatencyError),
}

impl Failure {
    pub(super) fn status(&self) -> NetclockStatus {
        NetclockStatus(match self {
            Failure::NotSynced => NETCLOCK_NOT_SYNCED,
            Failure::NoEvent => NETCLOCK_NO_EVENT,
            Failure::NothingDue => NETCLOCK_NOTHING_DUE,
            Failure::NoMessages => NETCLOCK_NO_MESSAGES,
            Failure::Outdated => NETCLOCK_OUTDATED,
            Failure::HeldUp => NETCLOCK_HELD_UP,
            Failure::Null(_) => NETCLOCK_NULL_ARGUMENT,
            Failure::StructSize { .. } | Failure::StructTail { .. } => NETCLOCK_UNKNOWN_STRUCT,
            Failure::Config(_) => NETCLOCK_BAD_CONFIG,
            Failure::Order(OrderError::StampOutOfRange(..)) => NETCLOCK_STAMP_OUT_OF_RANGE,
            Failure::Order(OrderError::OutOfRange(_)) => NETCLOCK_OUT_OF_RANGE,
            Failure::Time(TimeError::OutOfRange, _) => NETCLOCK_TIME_OUT_OF_RANGE,
            Failure::Time(TimeError::WentBackwards(_), _) => NETCLOCK_TIME_WENT_BACKWARDS,
            Failure::UnknownHandle { .. } => NETCLOCK_UNKNOWN_HANDLE,
            Failure::Busy => NETCLOCK_BUSY,
            Failure::Refused { refusal, .. } => return NetclockStatus::from(*refusal),
            Failure::UnknownRequest(_) => NETCLOCK_UNKNOWN_REQUEST,
            Failure::Respond(RespondError::StampOutOfRange, ..) => NETCLOCK_STAMP_OUT_OF_RANGE,
            Failure::Respond(RespondError::SentBeforeReceived, ..) => NETCLOCK_SENT_BEFORE_RECEIVED,
            Failure::Capacity { .. } => NETCLOCK_WIRE_LENGTH,
            Failure::AlreadyKnown => NETCLOCK_ALREADY_KNOWN,
            Failure::Segment(error) => return NetclockStatus::from(*error),
            Failure::Observe(error) => return NetclockStatus::from(*error),
            Failure::World(error) => return NetclockStatus::from(*error),
            Failure::Rate(_) => NETCLOCK_RATE_OUT_OF_RANGE,
            Failure::Seconds(_) | Failure::NoSeconds(_) => NETCLOCK_SECONDS_OUT_OF_RANGE,
            Failure::Report(ReportError::StampOutOfRange, _) => NETCLOCK_STAMP_OUT_OF_RANGE,
            Failure::Report(ReportError::WentBackwards(_), _) => NETCLOCK_TIME_WENT_BACKWARDS,
            Failure::Report(ReportError::HeardTooEarly(_), _) => NETCLOCK_ARRIVED_BEFORE_SENT,
            Failure::Wire(error) => return NetclockStatus::from(*error),
            Failure::Start(error) => return NetclockStatus::from(*error),
            Failure::Panicked(_) => NETCLOCK_PANICKED,
            Failure::Poisoned => NETCLOCK_POISONED,
            Failure::Authority(error, _) => return NetclockStatus::from(*error),
            Failure::Adoption(error) => return NetclockStatus::from(*error),
            Failure::Incomplete => NETCLOCK_INCOMPLETE,
            Failure::GameMessage => NETCLOCK_GAME_MESSAGE,
            Failure::NoGame => NETCLOCK_NO_GAME,
            Failure::Peer(error) => return NetclockStatus::from(*error),
            Failure::NoChange => NETCLOCK_NO_CHANGE,
            Failure::NothingNew => NETCLOCK_NOTHING_NEW,
            Failure::Latency(LatencyError::StampOutOfRange) => NETCLOCK_STAMP_OUT_OF_RANGE,
            Failure::Latency(LatencyError::Implausible(_)) => NETCLOCK_OUT_OF_RANGE,
            Failure::Latency(LatencyError::WentBackwards(_)) => NETCLOCK_TIME_WENT_BACKWARDS,
        })
    }
}

impl Failure {
    /// A client with this largest round trip refused what the sample tells of.
    pub(super) fn refused(sample: &Sample, refusal: Refusal, max_round_trip: Span) -> Self {
        match sample.exchange() {
            Some(exchange) => Failure::Refused { refusal, exchange, max_round_trip },
            None => Failure::UnknownRequest(sample.id.map_or(0, |id| id.0)),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Config(error)
    }
}

impl From<OrderError> for Failure {
    fn from(error: OrderError) -> Self {
        Failure::Order(error)
    }
}

impl From<AdoptionError> for Failure {
    fn from(error: AdoptionError) -> Self {
        Failure::Adoption(error)
    }
}

impl From<WireError> for Failure {
    fn from(error: WireError) -> Self {
        Failure::Wire(error)
    }
}

impl From<SegmentError> for Failure {
    fn from(error: SegmentError) -> Self {
        Failure::Segment(error)
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        Failure::World(error)
    }
}

impl From<PeerError> for Failure {
    fn from(error: PeerError) -> Self {
        Failure::Peer(error)
    }
}

impl From<StartError> for Failure {
    // Once, not at every call that may be refused.
    #[cold]
    #[inline(never)]
    fn from(error: StartError) -> Self {
        match error {
            StartError::Wire(error) => Failure::Wire(error),
            StartError::Confidence(value) => Failure::Config(ConfigError {
                field: "confidence",
                value,
                min: 0.5,
                max: 0.99999,
                unit: "of all starts, not 0.5 itself",
            }),
            other => Failure::Start(other),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotSynced => f.write_str("no reply was accepted yet"),
            Failure::NoEvent => f.write_str("no event is waiting"),
            Failure::NoMessages => f.write_str("no message was noted yet in this direction"),
            Failure::Outdated => f.write_str("the message is of an epoch that has ended"),
            Failure::NothingDue => f.write_str("nothing is due to be sent"),
            Failure::HeldUp => f.write_str("a participant is not ready"),
            Failure::Null(name) => write!(f, "{name} is null"),
            Failure::StructSize { name, given, least, most } => {
                write!(f, "{name}->struct_size is {given}, expected {least} to {most}")
            }
            Failure::StructTail { name, at } => {
                write!(f, "byte {at} of *{name} is set, but belongs to no field that this library knows")
            }
            Failure::Order(OrderError::StampOutOfRange(name, time)) => {
                out_of_range(f, &[(name, time.ticks())])
            }
            Failure::Config(error) | Failure::Order(OrderError::OutOfRange(error)) => {
                let ConfigError { field, value, min, max, unit } = error;
                let [value, min, max] = [value, min, max].map(|number| Decimal(*number));
                write!(f, "{field} is {value}, which is outside {min}..={max} {unit}")
            }
            Failure::Time(error, now) => write!(f, "{error} (given: {} ticks)", now.ticks()),
            Failure::UnknownHandle { kind, address } => {
                write!(f, "{address:#x} is no live {kind}: destroyed before, of another kind, or no handle")
            }
            Failure::Busy => {
                f.write_str("the handle is in use: by another thread, or by the caller of a callback")
            }
            Failure::Refused { refusal, exchange, max_round_trip } => {
                refused(f, *refusal, exchange, *max_round_trip)
            }
            Failure::UnknownRequest(id) => write!(f, "{}: {id:#018x}", Refusal::UnknownRequest),
            Failure::Respond(RespondError::StampOutOfRange, received, sent) => {
                out_of_range(f, &[("received", received.ticks()), ("sent", sent.ticks())])
            }
            Failure::Respond(RespondError::SentBeforeReceived, received, sent) => {
                write!(f, "sent is {} ticks before received", (*received - *sent).ticks())
            }
            Failure::Report(ReportError::StampOutOfRange, stamps) => out_of_range(f, stamps),
            Failure::Report(error, _) => fmt::Display::fmt(error, f),
            Failure::Wire(error) => fmt::Display::fmt(error, f),
            Failure::Capacity { given, needed } => {
                write!(f, "capacity is {given}, a datagram needs {needed} bytes")
            }
            Failure::AlreadyKnown => f.write_str("the segment was known"),
            Failure::Segment(error) => fmt::Display::fmt(error, f),
            Failure::Observe(error) => fmt::Display::fmt(error, f),
            Failure::World(error) => fmt::Display::fmt(error, f),
            Failure::Rate(rate) => write!(f, "rate is {}, which is outside 0.0001..=100", Decimal(*rate)),
            Failure::Seconds(seconds) => {
                write!(f, "seconds is {}, which is outside +-2^28", Decimal(*seconds))
            }
            // In the words of the status: a second set of texts would tell no more.
            Failure::Start(error) => {
                f.write_str(NetclockStatus::from(*error).text().to_str().unwrap_or_default())
            }
            Failure::NoSeconds(ticks) => write!(f, "ticks is {ticks}, which is outside +-2^28 s"),
            Failure::Panicked(payload) => write!(f, "a bug in NetClock, it panicked: {}", message(payload)),
            Failure::Poisoned => f.write_str("an earlier call on this handle panicked: destroy it"),
            Failure::Authority(AuthorityError::Time(error), now) => {
                write!(f, "{error} (given: {} ticks)", now.ticks())
            }
            Failure::Authority(error, _) => fmt::Display::fmt(error, f),
            Failure::Adoption(error) => fmt::Display::fmt(error, f),
            Failure::Incomplete | Failure::GameMessage | Failure::NoGame | Failure::Peer(_) => {
                f.write_str(self.status().text().to_str().unwrap_or_default())
            }
            Failure::NoChange => f.write_str("no change is waiting"),
            Failure::NothingNew => f.write_str("there is no exchange to learn from"),
            Failure::Latency(error) => fmt::Display::fmt(error, f),
        }
    }
}

/// Why the exchange was refused, with the stamps that are the reason.
fn refused(f: &mut fmt::Formatter<'_>, refusal: Refusal, exchange: &Exchange, longest: Span) -> fmt::Result {
    let elapsed = exchange.client_received - exchange.client_sent;
    match refusal {
        Refusal::StampOutOfRange => out_of_range(
            f,
            &[
                ("client_sent", exchange.client_sent.ticks()),
                ("server_received", exchange.server_received.ticks()),
                ("server_sent", exchange.server_sent.ticks()),
                ("client_received", exchange.client_received.ticks()),
            ],
        ),
        Refusal::ArrivedBeforeSent => write!(f, "{refusal}: {} ticks earlier", (-elapsed).ticks()),
        Refusal::SentBeforeReceived => write!(f, "{refusal}: {} ticks earlier", (-exchange.hold()).ticks()),
        Refusal::HeldTooLong => write!(f, "{refusal}: {} of {elapsed}", exchange.hold()),
        Refusal::TooSlow => write!(f, "{refusal}: {elapsed}, not {longest}"),
        Refusal::Contradiction => {
            write!(f, "{refusal}: ")?;
            offsets(f, exchange)
        }
        Refusal::UnknownRequest => fmt::Display::fmt(&refusal, f),
    }
}

/// What the exchange says about the server's clock.
fn offsets(f: &mut fmt::Formatter<'_>, exchange: &Exchange) -> fmt::Result {
    let (least, most) = (Span::from_ticks(exchange.lower()), Span::from_ticks(exchange.upper()));
    write!(f, "they put the server {least} to {most} ahead")
}

/// Names the first stamp that is out of range.
fn out_of_range(f: &mut fmt::Formatter<'_>, stamps: &[(&str, i64)]) -> fmt::Result {
    let invalid = |&&(_, ticks): &&(&str, i64)| !LocalTime::from_ticks(ticks).is_valid();
    match stamps.iter().find(invalid) {
        Some((name, ticks)) => write!(f, "{name} is {ticks} ticks, which is outside +-2^62"),
        None => f.write_str("a stamp is outside +-2^62 ticks"),
    }
}

/// The text that somebody panicked with.
fn message(payload: &Box<dyn Any + Send>) -> &str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
