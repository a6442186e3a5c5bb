//! The wire format: requests and replies of 32 bytes each, in network byte order.
//!
//! | offset | size | request | reply |
//! |---|---|---|---|
//! | 0 | 2 | magic `N` `K` (4E 4B) | same |
//! | 2 | 1 | version, 1 | same |
//! | 3 | 1 | kind, 1 | kind, 2 |
//! | 4 | 4 | 1 if marked, otherwise zero | 22 bits: hold t2 - t1; 10 bits: wait |
//! | 8 | 8 | id, 64 bits, unguessable | the request's id |
//! | 16 | 8 | client time t0, random origin, signed ticks | server receive time t1, signed ticks |
//! | 24 | 8 | zero, or a digest of the guest's state in a session | server epoch |
//!
//! The hold and the wait are unsigned floating-point numbers with a four-bit exponent. Their mantissas have
//! 18 and 6 bits. The hold is in ticks of 100 ns, at most 429 s, and exact up to 52 ms. Longer holds are
//! rounded down by less than 4 parts per million, so the client's lower bound remains valid. The wait is
//! [`Reply::wait`](crate::Reply::wait) in units of 3.2 us, plus one unit because zero means unknown. The wait
//! is rounded up by less than 1/64 and limited to 6.6 s.
//!
//! A marked request asks for a marked reply, and both are sent with the DSCP for non-queue-building packets.
//!
//! Replies and requests have the same length, so a responder cannot amplify traffic towards a forged address.
//! The id is the only proof that a reply answers a request. An off-path attacker has to guess its 64 bits. An
//! on-path attacker can forge replies unless there is a session key (`keyed.rs`) or an encrypted transport.
//!
//! Other messages start with the same header. Kind 8 is a segment (`game/timeline/message.rs`). Kind 9 is an
//! authority (`authority/message.rs`). Kinds 13 and 14 are sealed link messages (`keyed.rs`). Kinds 3 to 7,
//! 11 and 12 are unused. Kind 15 answers a request or a guest's datagram in a different version of the
//! format. Kind 17 is the server's UTC (`game/utc/claim.rs`), 18 and 19 are sealed game messages, and 20 and
//! 21 are session datagrams (`session/message.rs`). Kind 22 is a link reply to a client whose key another
//! client uses. Kinds 10, 16 and 23 are session replies that deny or confirm the guest's state. Kinds 24 to
//! 30 are messages between peers and their relay (`game/peer/message.rs`). The first four bytes, the id of an
//! exchange and the number of a session have the same offsets in every version. Both sides can therefore
//! detect which side is older.
//!
//! Decoders reject other lengths, versions and kinds, and nonzero reserved fields.

use core::ops::RangeInclusive;

use super::stamps::{Reply, Request, RequestId};
use crate::clock::ground::bytes::{u32_at, u64_at};
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Length of every datagram, in bytes.
pub const SIZE: usize = 32;

/// Version of the format, stored in the third byte.
pub const VERSION: u8 = 1;

const MAGIC: [u8; 2] = *b"NK";
const KIND_REQUEST: u8 = 1;
const KIND_REPLY: u8 = 2;
const KIND_NOTICE: u8 = 15;
pub(crate) const KIND_TO_HOST: u8 = 20;
#[cfg(feature = "link")]
const KIND_REPLY_TO_SECOND: u8 = 22;
#[cfg(feature = "session")]
const KIND_DENYING_REPLY: u8 = 10;
#[cfg(feature = "session")]
const KIND_CONFIRMING_UTC: u8 = 16;
#[cfg(feature = "session")]
const KIND_CONFIRMING_REPLY: u8 = 23;

const MARKED: u32 = 1;

/// Number of bits for a reply's wait. The remaining bits of the field contain the hold.
const WAIT_BITS: u32 = 10;
const LONGEST_WAIT: u32 = (1 << WAIT_BITS) - 1;
const WAIT_UNIT: i64 = 32;
const HOLD_MANTISSA: u32 = 18;
const WAIT_MANTISSA: u32 = 6;

/// An encoded datagram.
pub type Datagram = [u8; SIZE];

/// Encodes a request. [`Request::reliable`] is only a hint and is not encoded. See [the run loop](crate).
///
/// # Errors
/// Returns [`WireError::Stamp`] if the client's time is outside the valid range.
pub fn encode_request(request: &Request) -> Result<Datagram, WireError> {
    if !request.client_time.is_valid() {
        return Err(WireError::Stamp);
    }
    let stamp = request.client_time.ticks();
    Ok(assemble(&Fields { kind: KIND_REQUEST, number: 0, id: request.id.0, stamp, last: 0 }))
}

/// Marks a request, so that the server marks its reply. The caller must also send the request itself with the
/// DSCP for non-queue-building packets.
///
/// ```
/// # use netclock::{Client, Config, LocalTime, wire};
/// # let request = Client::new(Config::default(), 7)?.tick(LocalTime::from_ticks(0))?.expect("it is due");
/// let mut datagram = wire::encode_request(&request)?;
/// wire::mark(&mut datagram);
/// assert!(wire::is_marked(&datagram));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "link")]
pub fn mark(request: &mut Datagram) {
    request[4..8].copy_from_slice(&MARKED.to_be_bytes());
}

/// Returns whether a request is [marked](mark). [`decode_request`] must have accepted the request.
#[cfg(feature = "link")]
pub fn is_marked(request: &[u8]) -> bool {
    request.get(4..8) == Some(&MARKED.to_be_bytes())
}

#[cfg(feature = "link")]
pub(crate) fn tell_of_another(reply: &mut Datagram) {
    reply[3] = KIND_REPLY_TO_SECOND;
}

/// Decodes a link reply. The flag is true if another client already uses the same key.
#[cfg(feature = "link")]
pub(crate) fn decode_link_reply(bytes: &[u8]) -> Result<(Reply, bool), WireError> {
    let is_second = bytes.get(3) == Some(&KIND_REPLY_TO_SECOND);
    decode_reply_of(bytes, if is_second { KIND_REPLY_TO_SECOND } else { KIND_REPLY })
        .map(|it| (it, is_second))
}

#[cfg(feature = "session")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirms {
    Nothing,
    /// The guest has the latest revision, but a different state, because an update was forged.
    Difference,
    State,
    /// The guest has the latest state, and the server's UTC recently agreed with the claim.
    StateAndUtc,
}

#[cfg(feature = "session")]
impl Confirms {
    fn kind(self) -> u8 {
        match self {
            Confirms::Nothing => KIND_REPLY,
            Confirms::Difference => KIND_DENYING_REPLY,
            Confirms::State => KIND_CONFIRMING_REPLY,
            Confirms::StateAndUtc => KIND_CONFIRMING_UTC,
        }
    }

    pub(crate) fn apply(self, reply: &mut Datagram) {
        reply[3] = self.kind();
    }
}

#[cfg(feature = "session")]
pub(crate) fn add_digest(request: &mut Datagram, digest: u64) {
    request[24..].copy_from_slice(&digest.to_be_bytes());
}

#[cfg(feature = "session")]
pub(crate) fn decode_session_reply(bytes: &[u8]) -> Result<(Reply, Confirms), WireError> {
    let confirms = match bytes.get(3) {
        Some(&KIND_DENYING_REPLY) => Confirms::Difference,
        Some(&KIND_CONFIRMING_REPLY) => Confirms::State,
        Some(&KIND_CONFIRMING_UTC) => Confirms::StateAndUtc,
        _ => Confirms::Nothing,
    };
    decode_reply_of(bytes, confirms.kind()).map(|it| (it, confirms))
}

/// Decodes a request, with `reliable` set to false. See [the run loop](crate).
///
/// # Errors
/// Returns a [`WireError`] if the datagram is invalid and has to be discarded.
pub fn decode_request(bytes: &[u8]) -> Result<Request, WireError> {
    let fields = take_apart(bytes, KIND_REQUEST..=KIND_REQUEST)?;
    if fields.number > MARKED {
        return Err(WireError::Reserved);
    }
    let client_time = LocalTime::from_ticks(fields.stamp);
    if !client_time.is_valid() {
        return Err(WireError::Stamp);
    }
    Ok(Request { id: RequestId(fields.id), client_time, reliable: false })
}

/// Encodes a reply. Holds above 52 ms and all waits are rounded, as described in [the module](self). See also
/// [the run loop](crate).
///
/// # Errors
/// Returns [`WireError::Stamp`] if a timestamp is outside the valid range, the wait is negative, or `sent -
/// received` is negative or above 429 s.
pub fn encode_reply(reply: &Reply) -> Result<Datagram, WireError> {
    if !reply.received.is_valid() || !reply.sent.is_valid() {
        return Err(WireError::Stamp);
    }
    let hold = u32::try_from((reply.sent - reply.received).ticks()).map_err(|_| WireError::Stamp)?;
    let number = pack(hold, HOLD_MANTISSA) << WAIT_BITS | encode_wait(reply.wait)?;
    let stamp = reply.received.ticks();
    Ok(assemble(&Fields { kind: KIND_REPLY, number, id: reply.id.0, stamp, last: reply.epoch }))
}

/// Decodes a reply. See [the run loop](crate).
///
/// # Errors
/// Returns a [`WireError`] if the datagram is invalid and has to be discarded.
pub fn decode_reply(bytes: &[u8]) -> Result<Reply, WireError> {
    decode_reply_of(bytes, KIND_REPLY)
}

fn decode_reply_of(bytes: &[u8], kind: u8) -> Result<Reply, WireError> {
    let fields = take_apart(bytes, kind..=kind)?;
    let received = ServerTime::from_ticks(fields.stamp);
    let hold = unpack(fields.number >> WAIT_BITS, HOLD_MANTISSA);
    let sent = received + Span::from_ticks(hold);
    let wait = decode_wait(fields.number & LONGEST_WAIT);
    if !received.is_valid() || !sent.is_valid() || hold > i64::from(u32::MAX) {
        return Err(WireError::Stamp);
    }
    Ok(Reply { id: RequestId(fields.id), epoch: fields.last, received, sent, wait })
}

/// The wait is rounded up, so that the decoded wait is never too short.
fn encode_wait(wait: Option<Span>) -> Result<u32, WireError> {
    let Some(wait) = wait else { return Ok(0) };
    let ticks = u64::try_from(wait.ticks()).map_err(|_| WireError::Stamp)?;
    let units = u32::try_from(ticks.div_ceil(WAIT_UNIT as u64)).unwrap_or(u32::MAX);
    let below = pack(units, WAIT_MANTISSA);
    let above = below + u32::from(unpack(below, WAIT_MANTISSA) < i64::from(units));
    Ok((above + 1).min(LONGEST_WAIT))
}

fn decode_wait(code: u32) -> Option<Span> {
    let units = unpack(code.checked_sub(1)?, WAIT_MANTISSA);
    Some(Span::from_ticks(units * WAIT_UNIT))
}

/// Encodes `number` as a floating-point number with `mantissa` bits, rounded down monotonically.
fn pack(number: u32, mantissa: u32) -> u32 {
    let exponent = (u32::BITS - number.leading_zeros()).saturating_sub(mantissa + 1);
    (exponent << mantissa) + (number >> exponent)
}

fn unpack(code: u32, mantissa: u32) -> i64 {
    let exponent = (code >> mantissa).saturating_sub(1);
    i64::from(code - (exponent << mantissa)) << exponent
}

/// If a request or a guest's datagram has a different version of the format, returns a notice. The client
/// learns this side's version, because decoding the notice fails with [`WireError::Version`]. The notice is
/// as long as the shortest request, and contains only the version and the bytes that identify the request or
/// the session. The notice is unauthenticated, so only display it.
///
/// ```
/// use netclock::wire;
///
/// fn answer(bytes: &[u8]) -> Option<wire::Datagram> {
///     match wire::decode_request(bytes) {
///         Ok(_request) => None, // to the responder
///         Err(_) => wire::version_notice(bytes),
///     }
/// }
/// # assert!(answer(b"no request").is_none());
/// ```
pub fn version_notice(bytes: &[u8]) -> Option<Datagram> {
    let head = bytes.get(..4)?;
    let is_asking = [KIND_REQUEST, KIND_TO_HOST].contains(&head[3]);
    let is_request = is_asking && head[..2] == MAGIC && head[2] != VERSION;
    (is_request && bytes.len() >= SIZE).then(|| notice(&bytes[4..16]))
}

pub(crate) fn notice(id: &[u8]) -> Datagram {
    let mut notice = [0; SIZE];
    notice[..4].copy_from_slice(&head(KIND_NOTICE));
    notice[4..4 + id.len()].copy_from_slice(id);
    notice
}

/// The fields after the magic and the version, whose meaning depends on the kind.
#[derive(Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) kind: u8,
    pub(crate) number: u32,
    pub(crate) id: u64,
    pub(crate) stamp: i64,
    pub(crate) last: u64,
}

pub(crate) fn assemble(fields: &Fields) -> Datagram {
    let mut bytes = [0; SIZE];
    bytes[0..4].copy_from_slice(&head(fields.kind));
    bytes[4..8].copy_from_slice(&fields.number.to_be_bytes());
    bytes[8..16].copy_from_slice(&fields.id.to_be_bytes());
    bytes[16..24].copy_from_slice(&fields.stamp.to_be_bytes());
    bytes[24..32].copy_from_slice(&fields.last.to_be_bytes());
    bytes
}

pub(crate) fn head(kind: u8) -> [u8; 4] {
    [MAGIC[0], MAGIC[1], VERSION, kind]
}

pub(crate) fn check_head(bytes: &[u8], kinds: RangeInclusive<u8>) -> Result<(), WireError> {
    match *bytes {
        [a, b, ..] if [a, b] != MAGIC => Err(WireError::Magic),
        [_, _, version, ..] if version != VERSION => Err(WireError::Version(version)),
        [_, _, _, kind, ..] if kinds.contains(&kind) => Ok(()),
        [_, _, _, kind, ..] => Err(WireError::Kind(kind)),
        _ => Err(WireError::Length(bytes.len())),
    }
}

pub(crate) fn take_apart(bytes: &[u8], kinds: RangeInclusive<u8>) -> Result<Fields, WireError> {
    let short = WireError::Length(bytes.len());
    let bytes: &Datagram = bytes.try_into().map_err(|_| short)?;
    check_head(bytes, kinds)?;
    Ok(Fields {
        kind: bytes[3],
        number: u32_at(bytes, 4).ok_or(short)?,
        id: u64_at(bytes, 8).ok_or(short)?,
        stamp: u64_at(bytes, 16).ok_or(short)? as i64,
        last: u64_at(bytes, 24).ok_or(short)?,
    })
}

/// The reason why a datagram could not be decoded and must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The datagram is truncated or too long. Requests and replies have [`wire::SIZE`](crate::wire::SIZE)
    /// bytes, and other messages have their own size, such as
    /// [`SEGMENT_SIZE`](crate::timeline::SEGMENT_SIZE).
    #[error("the datagram has {0} bytes; requests and replies have 32, peer messages 64, and segments 72")]
    Length(usize),
    /// The datagram does not begin with the magic bytes `NK`.
    #[error("not a NetClock datagram")]
    Magic,
    /// The sender uses a version of the format other than [`wire::VERSION`](crate::wire::VERSION). The side
    /// with the smaller number is older and has to be updated.
    #[error(
        "the sender uses wire version {sender} and this library uses {VERSION}; {older} is older",
        sender = .0,
        older = older(*.0)
    )]
    Version(u8),
    /// The kind of message is unknown or not the expected one.
    #[error("unexpected message kind {0}")]
    Kind(u8),
    /// A reserved field is not zero.
    #[error("a reserved field is not zero")]
    Reserved,
    /// A timestamp is out of range, a hold exceeds 429 s, or the fields are not a valid segment or claim.
    #[error("a timestamp is outside the representable range")]
    Stamp,
}

fn older(sender: u8) -> &'static str {
    if sender < VERSION { "the sender" } else { "this side" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            id: RequestId(0x0123_4567_89AB_CDEF),
            client_time: LocalTime::from_ticks(-2),
            reliable: false,
        }
    }

    fn reply() -> Reply {
        Reply {
            id: RequestId(0x0123_4567_89AB_CDEF),
            epoch: 0xFEED_0000_0000_BEEF,
            received: ServerTime::from_ticks(0x0102_0304_0506),
            sent: ServerTime::from_ticks(0x0102_0304_0506 + 0x0708),
            wait: Some(Span::from_ticks(166_667)),
        }
    }

    #[test]
    fn encoded_messages_match_the_table() {
        assert_eq!(
            encode_request(&request()),
            Ok([
                0x4E, 0x4B, 1, 1, 0, 0, 0, 0, // magic, version, kind, zero
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, // t0 = -2
                0, 0, 0, 0, 0, 0, 0, 0,
            ])
        );
        assert_eq!(
            encode_reply(&reply()),
            Ok([
                0x4E, 0x4B, 1, 2, 0, 0x1C, 0x21, 0xD3, // magic, version, kind, hold and wait
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
                0, 0, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, // t1
                0xFE, 0xED, 0, 0, 0, 0, 0xBE, 0xEF, // epoch
            ])
        );
    }

    #[test]
    fn hold_and_wait_are_rounded_as_documented() {
        let mut number = 0x9E37_79B9_u64;
        for round in 0..20_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let hold = (number >> 32) >> (round % 32);
            let wait = (number & 0xFFFF_FFFF) >> (round / 32 % 32);
            let received = reply().received;
            let wait = Span::from_ticks(wait as i64);
            let sent = received + Span::from_ticks(hold as i64);
            let written = Reply { sent, wait: Some(wait), ..reply() };
            let read = encode_reply(&written).and_then(|bytes| decode_reply(&bytes)).expect("in range");
            let lost = sent - read.sent;
            let exact = hold < 1 << (HOLD_MANTISSA + 1);
            let rounding = if exact { 0 } else { hold as i64 >> HOLD_MANTISSA };
            assert!((0..=rounding).contains(&lost.ticks()), "{hold} lost {lost}");
            let grown = read.wait.expect("it is known") - wait;
            let most = wait.ticks() / 64 + WAIT_UNIT;
            let longest = Span::from_ticks(unpack(LONGEST_WAIT - 1, WAIT_MANTISSA) * WAIT_UNIT);
            assert!((0..=most).contains(&grown.ticks()) || read.wait == Some(longest), "{wait} {grown}");
            assert!(longest > Span::from_millis(6_600));
        }
        for (wait, read) in [(None, None), (Some(Span::ZERO), Some(Span::ZERO))] {
            let bytes = encode_reply(&Reply { wait, ..reply() }).expect("in range");
            assert_eq!(decode_reply(&bytes).map(|reply| reply.wait), Ok(read));
        }
        let negative = Reply { wait: Some(Span::from_ticks(-1)), ..reply() };
        assert_eq!(encode_reply(&negative), Err(WireError::Stamp));
        let absurd = encode_reply(&Reply { wait: Some(Span::MAX), ..reply() });
        assert!(absurd.and_then(|bytes| decode_reply(&bytes)).is_ok_and(|reply| reply.wait.is_some()));
    }

    #[test]
    fn other_lengths_are_rejected() {
        let long = [0x4E; 2 * SIZE];
        for length in (0..long.len()).filter(|&length| length != SIZE) {
            assert_eq!(decode_request(&long[..length]), Err(WireError::Length(length)));
            assert_eq!(decode_reply(&long[..length]), Err(WireError::Length(length)));
        }
    }

    #[test]
    fn a_changed_header_or_reserved_field_is_rejected() -> Result<(), WireError> {
        let good = encode_request(&request())?;
        let with = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            decode_request(&bytes)
        };
        assert_eq!(with(0, 0), Err(WireError::Magic));
        assert_eq!(with(2, 2), Err(WireError::Version(2)));
        assert_eq!(with(3, KIND_REPLY), Err(WireError::Kind(KIND_REPLY)));
        assert_eq!(decode_reply(&good), Err(WireError::Kind(KIND_REQUEST)));
        assert_eq!(with(7, 1), Ok(request()), "a marked request");
        assert_eq!(with(7, 2), Err(WireError::Reserved));
        assert_eq!(with(4, 1), Err(WireError::Reserved));
        assert_eq!(with(31, 1), Ok(request()), "it contains a digest");
        assert_eq!(with(16, 0x7F), Err(WireError::Stamp));
        Ok(())
    }

    #[test]
    fn both_sides_learn_which_is_older() {
        for version in [VERSION - 1, VERSION + 1] {
            let mut asked = encode_request(&request()).expect("a good request");
            asked[2] = version;
            assert_eq!(decode_request(&asked), Err(WireError::Version(version)));
            let notice = version_notice(&asked).expect("a request of a different version");
            assert_eq!((notice[2], &notice[8..16]), (VERSION, &asked[8..16]));
            assert_eq!(version_notice(&notice), None, "notices are not answered");
            let text = WireError::Version(version).to_string();
            assert_eq!(text.ends_with("the sender is older"), version < VERSION, "{text}");
            assert_eq!(text.ends_with("this side is older"), version > VERSION, "{text}");
        }
    }

    #[test]
    fn only_requests_of_other_versions_get_a_notice() {
        let good = encode_request(&request()).expect("a good request");
        assert_eq!(version_notice(&good), None, "a valid request gets a reply instead");
        let mut other = good;
        other[2] = 9;
        for (at, value) in [(0, 0), (1, 0), (3, KIND_REPLY), (3, KIND_NOTICE)] {
            let mut bytes = other;
            bytes[at] = value;
            assert_eq!(version_notice(&bytes), None, "byte {at} is {value}");
        }
        for length in 0..SIZE {
            assert_eq!(version_notice(&other[..length]), None, "the notice would be longer than the request");
        }
        let mut longer = [0; SIZE + 8];
        longer[..SIZE].copy_from_slice(&other);
        assert!(version_notice(&longer).is_some());
    }
}
