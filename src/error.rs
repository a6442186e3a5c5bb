//! What can be refused, and why. What is refused leaves the clock as it was; only the passage of time that a call
//! reveals (a gap, a local step) is noted even if the rest of the call is refused.

use crate::time::{ServerTime, Span};

/// A configuration value outside its range; nothing was created.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field} is {value}, which is outside {min}..={max} {unit}")]
#[non_exhaustive]
pub struct ConfigError {
    /// Name of the field of [`Config`](crate::Config).
    pub field: &'static str,
    /// The refused value, in `unit`.
    pub value: f64,
    /// Smallest accepted value, in `unit`.
    pub min: f64,
    /// Largest accepted value, in `unit`.
    pub max: f64,
    /// Unit of the three values.
    pub unit: &'static str,
}

/// A stamp or a number that arbitration, rewinding or a lead cannot use; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The stamp of this name is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("{0} is {ticks} ticks, which is outside +-2^62", ticks = .1.ticks())]
    StampOutOfRange(&'static str, ServerTime),
    /// A number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] ConfigError),
}

/// A local time that cannot be used; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The instant is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("local time is outside the valid range of +-2^62 ticks")]
    OutOfRange,
    /// The instant is earlier than that of an earlier call, by less than a declared step.
    #[error("local time went backwards by {0}; pass a monotonic clock")]
    WentBackwards(Span),
}

/// Why a reply, or a set of stamps, was not used. The clock is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No outstanding request has this id: forged, a duplicate, answered before, or too old to be kept.
    #[error("no outstanding request has this id (forged, duplicate or expired)")]
    UnknownRequest,
    /// A stamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The reply's arrival is stamped before its request was sent (`t3 < t0`), or the round trip is negative.
    #[error("the reply arrived before its request was sent")]
    ArrivedBeforeSent,
    /// The server's sending stamp is before its receiving stamp (`t2 < t1`).
    #[error("the server sent the reply before it received the request")]
    SentBeforeReceived,
    /// The server claims to have held the request for longer than the whole round trip took.
    #[error("the server claims to have held the request longer than the round trip took")]
    HeldTooLong,
    /// The round trip exceeded [`Config::max_round_trip`](crate::Config::max_round_trip).
    #[error("the round trip took longer than the configured maximum")]
    TooSlow,
    /// The stamps contradict everything known so far. One such reply is kept as a suspicion, which widens the
    /// error bound; a second one that agrees with it proves that a clock stepped.
    #[error("the stamps contradict the clock; waiting for a second exchange to confirm a step")]
    Contradiction,
}

/// Why a datagram could not be read. Nothing of it may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// Not exactly [`wire::SIZE`](crate::wire::SIZE) bytes, or [`SEGMENT_SIZE`](crate::SEGMENT_SIZE) for a segment:
    /// truncated or oversized.
    #[error("datagram is {0} bytes long; requests and replies have 32, segments 72")]
    Length(usize),
    /// Does not begin with the magic bytes `NK`.
    #[error("not a NetClock datagram")]
    Magic,
    /// Another version of the format.
    #[error("wire version {0} is not understood (this library speaks version 1)")]
    Version(u8),
    /// Another kind of message than was expected, or none.
    #[error("unexpected message kind {0}")]
    Kind(u8),
    /// A reserved field is not zero.
    #[error("a reserved field is not zero")]
    Reserved,
    /// A stamp cannot be represented: outside the valid range, or a hold of more than 429 s. Or the fields make no
    /// segment.
    #[error("a stamp is outside the representable range")]
    Stamp,
}

/// Why the responder did not answer. It keeps no state, so nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RespondError {
    /// A server stamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server stamp is outside the valid range of +-2^62 ticks")]
    StampOutOfRange,
    /// The sending stamp is before the receiving stamp.
    #[error("the sending stamp is before the receiving stamp")]
    SentBeforeReceived,
}

/// Why a client did not take what was said about an authority, or did not say what time it is. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// No outstanding inquiry has this id: forged, a duplicate, or too old to be kept.
    #[error("no outstanding inquiry has this id (forged, duplicate or expired)")]
    UnknownInquiry,
    /// The dispersion is negative or above [`MAX_DISPERSION`](crate::MAX_DISPERSION).
    #[error("a dispersion of {0} is outside 0 to 429 s")]
    Dispersion(Span),
    /// It is about another timescale than the one that is followed, which is given.
    #[error("it is about another timescale than {0:016x}, which is followed")]
    OtherTimescale(u64),
    /// Nothing certain is known about the time: not synced, or in doubt.
    #[error("nothing certain is known about the time")]
    NothingCertain,
    /// The local time cannot be used.
    #[error(transparent)]
    Time(#[from] TimeError),
}
