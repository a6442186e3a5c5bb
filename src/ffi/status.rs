//! Status codes and their texts.

use core::ffi::{CStr, c_char};

use super::boundary;
use crate::exchange::authority::AuthorityError;
use crate::exchange::{Refusal, WireError};
use crate::peer::PeerError;
use crate::server::AdoptionError;
use crate::start::StartError;
use crate::time::TimeError;
use crate::timeline::{ObserveError, SegmentError, WorldError};

/// Version of the binary interface. A library whose `netclock_abi_version()` returns another number must not be
/// called through this header.
pub const NETCLOCK_ABI_VERSION: u32 = 1;

/// Outcome of a call: `NETCLOCK_OK`, a positive code that says why there is no result (nothing is wrong), or a
/// negative error. Unless its own text says otherwise, an error means that the call changed nothing. Codes are
/// never reused.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockStatus(pub i32);

/// The call did what it says.
pub const NETCLOCK_OK: i32 = 0;
/// No reply was accepted yet: there is no server time. The output is zero.
pub const NETCLOCK_NOT_SYNCED: i32 = 1;
/// No event is waiting.
pub const NETCLOCK_NO_EVENT: i32 = 2;
/// Nothing is due to be sent.
pub const NETCLOCK_NOTHING_DUE: i32 = 3;
/// No segment of this run of the server's clock arrived: there is no world time.
pub const NETCLOCK_NO_WORLD: i32 = 4;
/// As far as is known the world's clock never says this.
pub const NETCLOCK_NEVER: i32 = 5;
/// The segment was known.
pub const NETCLOCK_ALREADY_KNOWN: i32 = 6;
/// No message was noted yet in a direction that was asked for.
pub const NETCLOCK_NO_MESSAGES: i32 = 10;
/// The message belongs to an epoch of the clock that has ended. Not used.
pub const NETCLOCK_OUTDATED: i32 = 11;
/// A start is held up by a participant who is not ready; the output says by whom and why.
pub const NETCLOCK_HELD_UP: i32 = 20;
/// No start was scheduled, or none is under way.
pub const NETCLOCK_NO_START: i32 = 21;
/// Nothing certain is known about the time: not in sync, or in doubt.
pub const NETCLOCK_UNCERTAIN: i32 = 50;
/// Too few participants answered yet.
pub const NETCLOCK_TOO_FEW: i32 = 51;
/// No change of the latency is waiting.
pub const NETCLOCK_NO_CHANGE: i32 = 30;
/// There was nothing to learn: an exchange that was known, or close after another, or none.
pub const NETCLOCK_NOTHING_NEW: i32 = 31;
/// A pointer that has to point somewhere is null.
pub const NETCLOCK_NULL_ARGUMENT: i32 = -1;
/// `struct_size` is not that of a known version of the structure, or a field this library does not know is set.
pub const NETCLOCK_UNKNOWN_STRUCT: i32 = -2;
/// A configuration value is out of range.
pub const NETCLOCK_BAD_CONFIG: i32 = -3;
/// A local time is outside +-2^62 ticks.
pub const NETCLOCK_TIME_OUT_OF_RANGE: i32 = -4;
/// A time is earlier than that of an earlier call; a client's local time by up to a second.
pub const NETCLOCK_TIME_WENT_BACKWARDS: i32 = -5;
/// What is to be destroyed is no live handle of that kind: destroyed before, of another kind, or no handle at all.
pub const NETCLOCK_UNKNOWN_HANDLE: i32 = -6;
/// What is to be destroyed is in use: by a callback of its own that has not returned, or by another thread.
pub const NETCLOCK_BUSY: i32 = -7;
/// No outstanding request has this id: forged, a duplicate, or expired.
pub const NETCLOCK_UNKNOWN_REQUEST: i32 = -10;
/// A stamp, or another instant but local time, is outside +-2^62 ticks or out of order, or a bound is negative.
pub const NETCLOCK_STAMP_OUT_OF_RANGE: i32 = -11;
/// The reply arrived before its request was sent, or a message before what it answers.
pub const NETCLOCK_ARRIVED_BEFORE_SENT: i32 = -12;
/// The server sent the reply before it received the request.
pub const NETCLOCK_SENT_BEFORE_RECEIVED: i32 = -13;
/// The server claims to have held the request for longer than the round trip took.
pub const NETCLOCK_HELD_TOO_LONG: i32 = -14;
/// The round trip took longer than the configured maximum.
pub const NETCLOCK_TOO_SLOW: i32 = -15;
/// The stamps contradict the clock. Remembered: the error bound is widened until a second exchange decides.
pub const NETCLOCK_CONTRADICTION: i32 = -16;
/// A datagram is not as long as its kind (`NETCLOCK_DATAGRAM_SIZE`, `NETCLOCK_SEGMENT_SIZE`), or has no room.
pub const NETCLOCK_WIRE_LENGTH: i32 = -20;
/// Not a NetClock datagram.
pub const NETCLOCK_WIRE_MAGIC: i32 = -21;
/// A datagram of another version of the format.
pub const NETCLOCK_WIRE_VERSION: i32 = -22;
/// Another kind of message than was expected, or none.
pub const NETCLOCK_WIRE_KIND: i32 = -23;
/// A reserved field of a datagram is not zero.
pub const NETCLOCK_WIRE_RESERVED: i32 = -24;
/// A stamp cannot be carried by, or was not valid in, a datagram; or what it carries makes no segment.
pub const NETCLOCK_WIRE_STAMP: i32 = -25;
/// The rate of a world that runs is not within 1e-4 and 100.
pub const NETCLOCK_RATE_OUT_OF_RANGE: i32 = -30;
/// A segment's tolerance is not within 0 and an hour.
pub const NETCLOCK_TOLERANCE_OUT_OF_RANGE: i32 = -31;
/// Newer segments have taken the place of this one, or it is of an older world or of a run of the server that is over.
pub const NETCLOCK_SEGMENT_OUTDATED: i32 = -32;
/// Another segment with the same version is known.
pub const NETCLOCK_SEGMENT_CONFLICT: i32 = -33;
/// The server's real time is before that of an earlier call.
pub const NETCLOCK_REAL_WENT_BACKWARDS: i32 = -34;
/// The world's time is before that of an earlier call: begin another world.
pub const NETCLOCK_WORLD_WENT_BACKWARDS: i32 = -35;
/// From 2^28 seconds (8.5 years) on, a double does not hold ticks; or it is no number.
pub const NETCLOCK_SECONDS_OUT_OF_RANGE: i32 = -36;
/// A number that is no instant, handed to arbitration, rewinding or a lead, is out of its range; or a delay is.
pub const NETCLOCK_OUT_OF_RANGE: i32 = -40;
/// No participant of this number was admitted.
pub const NETCLOCK_UNKNOWN_PARTICIPANT: i32 = -50;
/// As many participants as there is room for were admitted.
pub const NETCLOCK_FULL: i32 = -51;
/// A participant admitted before, or a message handled before.
pub const NETCLOCK_DUPLICATE: i32 = -52;
/// A message older than one that was handled, or about another start than the present one.
pub const NETCLOCK_STALE: i32 = -53;
/// A message that does not carry the participant's key: forged, or of an earlier connection.
pub const NETCLOCK_WRONG_KEY: i32 = -54;
/// A message about another run of the server's clock than the one the client is in sync with.
pub const NETCLOCK_OTHER_RUN: i32 = -55;
/// A result that claims an instant before the start, or in the future.
pub const NETCLOCK_IMPLAUSIBLE: i32 = -56;
/// A start is under way: wait for it, or cancel it.
pub const NETCLOCK_START_PENDING: i32 = -57;
/// It is about another timescale than the one that is followed or taken over.
pub const NETCLOCK_OTHER_TIMESCALE: i32 = -80;
/// The answers of a participant contradict each other: none of them counts any more.
pub const NETCLOCK_LIAR: i32 = -81;
/// No time is in the bounds of as many participants as it takes: more lie than are tolerated.
pub const NETCLOCK_NO_AGREEMENT: i32 = -82;
/// No whole message yet: the stream has to go on.
pub const NETCLOCK_INCOMPLETE: i32 = 40;
/// The message is the game's own; the output says which.
pub const NETCLOCK_GAME_MESSAGE: i32 = 41;
/// The game did not begin, so there is no shared time.
pub const NETCLOCK_NOT_BEGUN: i32 = 42;
/// Nobody plays this game at this relay.
pub const NETCLOCK_NO_GAME: i32 = 43;
/// A message between relay and peer is not as long as it says, or no message is so long.
pub const NETCLOCK_MESSAGE_SIZE: i32 = -70;
/// No message between relay and peer has this id.
pub const NETCLOCK_MESSAGE_UNKNOWN: i32 = -71;
/// A message between relay and peer has another length than its id asks for, a reserved field that is set, or a stamp
/// that cannot be.
pub const NETCLOCK_MESSAGE_MALFORMED: i32 = -72;
/// A stream in which an impossible size came: close the connection.
pub const NETCLOCK_STREAM_BROKEN: i32 = -73;
/// The connection is not logged in, or not any more.
pub const NETCLOCK_NOT_LOGGED_IN: i32 = -74;
/// A message that this role does not send, or does not take.
pub const NETCLOCK_WRONG_ROLE: i32 = -75;
/// The connection sends more than its share.
pub const NETCLOCK_OVER_BUDGET: i32 = -76;
/// A reply that nobody waits for.
pub const NETCLOCK_UNASKED: i32 = -77;
/// The queue of a receiver is full: it does not get the message.
pub const NETCLOCK_QUEUE_FULL: i32 = -78;
/// The relay refuses this peer.
pub const NETCLOCK_RELAY_REFUSES: i32 = -79;
/// A bug in NetClock: the call panicked. The handle refuses all further calls.
pub const NETCLOCK_PANICKED: i32 = -100;
/// An earlier call on this handle panicked. Destroy it.
pub const NETCLOCK_POISONED: i32 = -101;

impl NetclockStatus {
    pub(super) const OK: Self = NetclockStatus(NETCLOCK_OK);

    pub(super) const fn is_error(self) -> bool {
        self.0 < 0
    }

    pub(super) fn text(self) -> &'static CStr {
        match self.0 {
            NETCLOCK_OK => c"ok",
            NETCLOCK_NOT_SYNCED => c"not synced yet: no reply was accepted",
            NETCLOCK_NO_EVENT => c"no event is waiting",
            NETCLOCK_NO_WORLD => c"no segment of this run of the server's clock arrived",
            NETCLOCK_NEVER => c"the world's clock never says this as far as is known",
            NETCLOCK_ALREADY_KNOWN => c"the segment was known",
            NETCLOCK_NO_MESSAGES => c"no message was noted yet in this direction",
            NETCLOCK_OUTDATED => c"the message is of an epoch that has ended; not used",
            NETCLOCK_NOTHING_DUE => c"nothing is due to be sent",
            NETCLOCK_HELD_UP => c"a participant is not ready; the output says who and why",
            NETCLOCK_NO_START => c"no start was scheduled, or none is under way",
            NETCLOCK_NO_CHANGE => c"no change of the latency is waiting",
            NETCLOCK_NOTHING_NEW => c"no exchange that there is something to learn from",
            NETCLOCK_NULL_ARGUMENT => c"a pointer argument is null",
            NETCLOCK_UNKNOWN_STRUCT => c"unknown struct_size, or an unknown field is set",
            NETCLOCK_BAD_CONFIG => c"a configuration value is out of range",
            NETCLOCK_TIME_OUT_OF_RANGE => c"local time is outside +-2^62 ticks",
            NETCLOCK_TIME_WENT_BACKWARDS => c"time went backwards: pass a monotonic clock",
            NETCLOCK_UNKNOWN_HANDLE => c"no live handle of this kind: destroyed before, or of another kind",
            NETCLOCK_BUSY => c"the handle is in use and was not destroyed",
            NETCLOCK_UNKNOWN_REQUEST => c"no outstanding request has this id (forged, duplicate or expired)",
            NETCLOCK_STAMP_OUT_OF_RANGE => c"an instant is outside +-2^62 ticks or out of order",
            NETCLOCK_ARRIVED_BEFORE_SENT => c"a message arrived before what it answers was sent",
            NETCLOCK_SENT_BEFORE_RECEIVED => c"the reply was sent before the request was received",
            NETCLOCK_HELD_TOO_LONG => c"the server held the request longer than the round trip took",
            NETCLOCK_TOO_SLOW => c"the round trip took longer than the configured maximum",
            NETCLOCK_CONTRADICTION => c"the stamps contradict the clock; a second exchange will decide",
            NETCLOCK_WIRE_LENGTH => c"datagram has the wrong length, or no room",
            NETCLOCK_WIRE_MAGIC => c"not a NetClock datagram",
            NETCLOCK_WIRE_VERSION => c"datagram of another wire version",
            NETCLOCK_WIRE_KIND => c"unexpected kind of datagram",
            NETCLOCK_WIRE_RESERVED => c"a reserved field of the datagram is not zero",
            NETCLOCK_WIRE_STAMP => c"a stamp cannot be carried by a datagram",
            NETCLOCK_RATE_OUT_OF_RANGE => c"the world's rate is not within 1e-4 and 100",
            NETCLOCK_TOLERANCE_OUT_OF_RANGE => c"the segment's tolerance is not within 0 and an hour",
            NETCLOCK_SEGMENT_OUTDATED => c"the segment is outdated",
            NETCLOCK_SEGMENT_CONFLICT => c"another segment with the same version is known",
            NETCLOCK_REAL_WENT_BACKWARDS => c"the server's real time went backwards",
            NETCLOCK_WORLD_WENT_BACKWARDS => c"the world's time went backwards: begin another world",
            NETCLOCK_SECONDS_OUT_OF_RANGE => c"seconds from 2^28 on do not hold ticks",
            NETCLOCK_OUT_OF_RANGE => c"a number is out of its range",
            NETCLOCK_UNKNOWN_PARTICIPANT => c"no participant of this number was admitted",
            NETCLOCK_FULL => c"there is no room for another participant",
            NETCLOCK_DUPLICATE => c"admitted or handled before",
            NETCLOCK_STALE => c"a message older than one handled, or about another start",
            NETCLOCK_WRONG_KEY => c"a message with another key than the participant's",
            NETCLOCK_OTHER_RUN => c"a message about another run of the server's clock",
            NETCLOCK_IMPLAUSIBLE => c"a result that claims an instant before the start or in the future",
            NETCLOCK_START_PENDING => c"a start is under way",
            NETCLOCK_UNCERTAIN => c"nothing certain is known about the time",
            NETCLOCK_TOO_FEW => c"too few participants answered yet",
            NETCLOCK_OTHER_TIMESCALE => c"it is about another timescale",
            NETCLOCK_LIAR => c"a participant contradicts himself: none of his answers counts",
            NETCLOCK_NO_AGREEMENT => c"more participants lie than are tolerated",
            NETCLOCK_INCOMPLETE => c"no whole message yet",
            NETCLOCK_GAME_MESSAGE => c"the message is the game's own",
            NETCLOCK_NOT_BEGUN => c"the game did not begin: there is no shared time",
            NETCLOCK_NO_GAME => c"nobody plays this game",
            NETCLOCK_MESSAGE_SIZE => c"a message is not as long as it says, or none is so long",
            NETCLOCK_MESSAGE_UNKNOWN => c"no message has this id",
            NETCLOCK_MESSAGE_MALFORMED => {
                c"a message has another length, a reserved field set or a bad stamp"
            }
            NETCLOCK_STREAM_BROKEN => c"the stream is broken: close the connection",
            NETCLOCK_NOT_LOGGED_IN => c"the connection is not logged in",
            NETCLOCK_WRONG_ROLE => c"a message that this role does not send or take",
            NETCLOCK_OVER_BUDGET => c"the connection sends more than its share",
            NETCLOCK_UNASKED => c"a reply that nobody waits for",
            NETCLOCK_QUEUE_FULL => c"a receiver's queue is full",
            NETCLOCK_RELAY_REFUSES => c"the relay refuses this peer",
            NETCLOCK_PANICKED => c"internal error: the call panicked, the handle is unusable",
            NETCLOCK_POISONED => c"an earlier call on this handle panicked: destroy it",
            _ => c"unknown status",
        }
    }
}

impl From<Refusal> for NetclockStatus {
    fn from(refusal: Refusal) -> Self {
        NetclockStatus(match refusal {
            Refusal::UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
            Refusal::StampOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            Refusal::ArrivedBeforeSent => NETCLOCK_ARRIVED_BEFORE_SENT,
            Refusal::SentBeforeReceived => NETCLOCK_SENT_BEFORE_RECEIVED,
            Refusal::HeldTooLong => NETCLOCK_HELD_TOO_LONG,
            Refusal::TooSlow => NETCLOCK_TOO_SLOW,
            Refusal::Contradiction => NETCLOCK_CONTRADICTION,
        })
    }
}

impl From<StartError> for NetclockStatus {
    fn from(error: StartError) -> Self {
        NetclockStatus(match error {
            StartError::Wire(error) => return error.into(),
            StartError::TimeOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            StartError::UnknownParticipant => NETCLOCK_UNKNOWN_PARTICIPANT,
            StartError::Full => NETCLOCK_FULL,
            StartError::Duplicate => NETCLOCK_DUPLICATE,
            StartError::Stale => NETCLOCK_STALE,
            StartError::WrongKey => NETCLOCK_WRONG_KEY,
            StartError::OtherRun => NETCLOCK_OTHER_RUN,
            StartError::Implausible => NETCLOCK_IMPLAUSIBLE,
            StartError::Pending => NETCLOCK_START_PENDING,
            StartError::NoStart => NETCLOCK_NO_START,
            StartError::Confidence(_) => NETCLOCK_BAD_CONFIG,
        })
    }
}

impl From<AuthorityError> for NetclockStatus {
    fn from(error: AuthorityError) -> Self {
        NetclockStatus(match error {
            AuthorityError::UnknownInquiry => NETCLOCK_UNKNOWN_REQUEST,
            AuthorityError::Dispersion(_) => NETCLOCK_OUT_OF_RANGE,
            AuthorityError::OtherTimescale(_) => NETCLOCK_OTHER_TIMESCALE,
            AuthorityError::NothingCertain => NETCLOCK_UNCERTAIN,
            AuthorityError::Time(TimeError::OutOfRange) => NETCLOCK_TIME_OUT_OF_RANGE,
            AuthorityError::Time(TimeError::WentBackwards(_)) => NETCLOCK_TIME_WENT_BACKWARDS,
        })
    }
}

impl From<AdoptionError> for NetclockStatus {
    fn from(error: AdoptionError) -> Self {
        NetclockStatus(match error {
            AdoptionError::UnknownParticipant(_) => NETCLOCK_UNKNOWN_PARTICIPANT,
            AdoptionError::Full => NETCLOCK_FULL,
            AdoptionError::UnknownQuestion => NETCLOCK_UNKNOWN_REQUEST,
            AdoptionError::OtherTimescale(_) => NETCLOCK_OTHER_TIMESCALE,
            AdoptionError::OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            AdoptionError::ArrivedBeforeSent => NETCLOCK_ARRIVED_BEFORE_SENT,
            AdoptionError::TooSlow(_) => NETCLOCK_TOO_SLOW,
            AdoptionError::Liar(_) => NETCLOCK_LIAR,
            AdoptionError::TooFew { .. } => NETCLOCK_TOO_FEW,
            AdoptionError::NoAgreement { .. } => NETCLOCK_NO_AGREEMENT,
        })
    }
}

impl From<WireError> for NetclockStatus {
    fn from(error: WireError) -> Self {
        NetclockStatus(match error {
            WireError::Length(_) => NETCLOCK_WIRE_LENGTH,
            WireError::Magic => NETCLOCK_WIRE_MAGIC,
            WireError::Version(_) => NETCLOCK_WIRE_VERSION,
            WireError::Kind(_) => NETCLOCK_WIRE_KIND,
            WireError::Reserved => NETCLOCK_WIRE_RESERVED,
            WireError::Stamp => NETCLOCK_WIRE_STAMP,
        })
    }
}

impl From<PeerError> for NetclockStatus {
    #[cold]
    #[inline(never)]
    fn from(error: PeerError) -> Self {
        NetclockStatus(match error {
            PeerError::Size(_) => NETCLOCK_MESSAGE_SIZE,
            PeerError::UnknownId(_) => NETCLOCK_MESSAGE_UNKNOWN,
            PeerError::Malformed(_) => NETCLOCK_MESSAGE_MALFORMED,
            PeerError::Broken => NETCLOCK_STREAM_BROKEN,
            PeerError::Version(_) => NETCLOCK_WIRE_VERSION,
            PeerError::NotLoggedIn => NETCLOCK_NOT_LOGGED_IN,
            PeerError::Duplicate => NETCLOCK_DUPLICATE,
            PeerError::Full => NETCLOCK_FULL,
            PeerError::WrongRole => NETCLOCK_WRONG_ROLE,
            PeerError::WrongKey => NETCLOCK_WRONG_KEY,
            PeerError::Stale => NETCLOCK_STALE,
            PeerError::OverBudget => NETCLOCK_OVER_BUDGET,
            PeerError::Unasked => NETCLOCK_UNASKED,
            PeerError::NoSpace => NETCLOCK_QUEUE_FULL,
            PeerError::NotBegun => NETCLOCK_NOT_BEGUN,
            PeerError::Rejected(_) => NETCLOCK_RELAY_REFUSES,
            PeerError::Refused(refusal) => return refusal.into(),
            PeerError::Time(TimeError::OutOfRange) => NETCLOCK_TIME_OUT_OF_RANGE,
            PeerError::Time(TimeError::WentBackwards(_)) => NETCLOCK_TIME_WENT_BACKWARDS,
        })
    }
}

impl From<SegmentError> for NetclockStatus {
    fn from(error: SegmentError) -> Self {
        NetclockStatus(match error {
            SegmentError::Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
            SegmentError::Tolerance => NETCLOCK_TOLERANCE_OUT_OF_RANGE,
            SegmentError::OldEpoch | SegmentError::OldWorld | SegmentError::Superseded => {
                NETCLOCK_SEGMENT_OUTDATED
            }
            SegmentError::Conflict => NETCLOCK_SEGMENT_CONFLICT,
            SegmentError::OtherEpoch => NETCLOCK_NO_WORLD,
        })
    }
}

impl From<ObserveError> for NetclockStatus {
    fn from(error: ObserveError) -> Self {
        NetclockStatus(match error {
            ObserveError::OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            ObserveError::RealWentBackwards(_) => NETCLOCK_REAL_WENT_BACKWARDS,
            ObserveError::WorldWentBackwards(_) => NETCLOCK_WORLD_WENT_BACKWARDS,
        })
    }
}

impl From<WorldError> for NetclockStatus {
    fn from(error: WorldError) -> Self {
        NetclockStatus(match error {
            WorldError::NotSynced => NETCLOCK_NOT_SYNCED,
            WorldError::NoWorld => NETCLOCK_NO_WORLD,
            WorldError::Never => NETCLOCK_NEVER,
            WorldError::OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            WorldError::RealWentBackwards(_) => NETCLOCK_REAL_WENT_BACKWARDS,
        })
    }
}

/// Version of the binary interface of the library that was loaded. Compare it with `NETCLOCK_ABI_VERSION` before
/// any other call. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_abi_version() -> u32 {
    NETCLOCK_ABI_VERSION
}

/// What a status means, in English; `netclock_last_error` says more about a single call. Static, never null;
/// callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_status_text(status: NetclockStatus) -> *const c_char {
    boundary::or_else(|| status.text(), c"unknown status").as_ptr()
}
