//! Keyed mode: any message of ours in an envelope that only the two holders of a session key can make, and
//! that counts once.
//!
//! | offset | size | sealed message |
//! |---|---|---|
//! | 0 | 2 | magic `N` `K` (4E 4B) |
//! | 2 | 1 | version, 1 |
//! | 3 | 1 | kind: see below |
//! | 4 | 4 | key id |
//! | 8 | 8 | number of the message |
//! | 16 | n | the message, 1 to 1024 bytes: any of NetClock's, unchanged, with its own kind |
//! | 16 + n | 16 | tag: SipHash-2-4-128 of all bytes before it, keyed with the key of this kind |
//!
//! | kind | channel | direction |
//! |---|---|---|
//! | 13 | link | to the server |
//! | 14 | link | to the client |
//! | 18 | messages | to the server |
//! | 19 | messages | to the client |
//!
//! Numbers are in network byte order. The tag is that of the algorithm's reference code, byte for byte. A
//! seal adds [`OVERHEAD`] bytes to each message, so a reply is still no longer than its request.
//!
//! # Keys
//!
//! The secret of a session seals nothing itself. Each kind has a key of its own: SipHash-2-4-128 of the 20
//! bytes `NetClock session key` and the kind's byte, keyed with the secret. So the link and the game's
//! messages count their numbers apart, and a message of one direction or channel is none of another.
//!
//! # What a seal proves
//!
//! A holder of the key made the message, for this channel and direction. Nobody changed it, and it counts
//! once. It is **not** secret, and somebody on the path can keep it back.
//!
//! The sender numbers its messages, from 1. The receiver keeps a window: it takes each of the newest
//! [`WINDOW`] numbers once, in any order, and refuses older ones.
//!
//! # When a sender starts again
//!
//! A sender that forgot its number begins again at 1, and all that it seals is refused as a replay. So
//! **each connection has a new key**: the server draws it, and a server that starts again draws new ones. If
//! a client makes its link or its channel again within a connection, it says with
//! [`SessionKey::after_restarts`] how often it did. The number then begins at restarts times 2^32, above all
//! numbers of before. So no round trip is needed, and what was sealed before stays a replay.
//!
//! A random salt in the head would do for the sender. But a receiver cannot tell an old salt from a new one
//! without a round trip, or without remembering each: somebody could replay an old session.
//!
//! A receiver that starts again has forgotten what it took. A server must not admit a key a second time.
//! What a client takes a second time does no harm: replies answer an id that is used once, and segments and
//! announcements have versions.

use siphasher::sip128::{Hash128, SipHasher24};
use zeroize::Zeroizing;

use super::window::Window;
use crate::clock::ground::direction::Direction;

pub use super::window::WINDOW;

/// Bytes that a seal adds to a message.
pub const OVERHEAD: usize = HEAD + TAG;

/// Longest message that can be sealed, in bytes: the longest of any room's.
pub const MESSAGE_MOST: usize = 1024;

/// Longest sealed message, in bytes.
pub const SEALED_MOST: usize = MESSAGE_MOST + OVERHEAD;

const MAGIC: [u8; 2] = *b"NK";
pub(crate) const VERSION: u8 = 1;
const HEAD: usize = 16;
const TAG: usize = 16;

/// What a secret is hashed with for the key of a kind, whose byte follows.
const LABEL: [u8; 20] = *b"NetClock session key";

/// Numbers from one restart to the next: those of 49 days at 1,000 messages a second.
const RESTART: u64 = 1 << 32;

/// What a session key seals. Each channel has keys and numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Datagrams of NetClock's own link.
    Link,
    /// Messages that the game carries.
    Messages,
}

/// A secret of 128 bits that a client and its server share, and the number by which a server finds it.
///
/// Draw the secret from the operating system, a new one for each connection. Give it to the client over a
/// channel that nobody else can read. Debug output leaves the secret out, and dropping a key overwrites it.
/// Copies that the compiler made in registers or on the stack are not overwritten.
///
/// ```
/// # use netclock::keyed::SessionKey;
/// let secret = [7; 16]; // draw it from the system
/// let key = SessionKey::new(1, secret)?;
/// let reconnected = key.clone().after_restarts(1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SessionKey {
    id: u32,
    restarts: u32,
    secret: Zeroizing<[u8; 16]>,
}

impl SessionKey {
    /// A key. `id` is no secret: it travels in every message. A server gives each of its sessions another
    /// one.
    ///
    /// # Errors
    /// [`KeyError::NoSecret`] if all bytes of the secret are zero: it was never drawn.
    pub fn new(id: u32, secret: [u8; 16]) -> Result<Self, KeyError> {
        if secret == [0; 16] {
            return Err(KeyError::NoSecret);
        }
        Ok(SessionKey { id, restarts: 0, secret: Zeroizing::new(secret) })
    }

    /// The same key, for a sender that starts again. `restarts` is how often a link or a [`SealedChannel`]
    /// was made with this key before, on this side of this connection. Any number that grows will do.
    #[must_use]
    pub fn after_restarts(self, restarts: u32) -> Self {
        SessionKey { restarts, ..self }
    }

    /// The number by which a server finds this key.
    pub const fn id(&self) -> u32 {
        self.id
    }

    fn of_kind(&self, kind: u8) -> Zeroizing<[u8; 16]> {
        let mut label = [kind; LABEL.len() + 1];
        label[..LABEL.len()].copy_from_slice(&LABEL);
        Zeroizing::new(tag(&self.secret, &label).as_bytes())
    }
}

impl core::fmt::Debug for SessionKey {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SessionKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// One end of a channel under a session key: what it seals, the other end opens, once.
///
/// It belongs to one connection, and to one owner. A second one of the same key, channel and direction would
/// use the numbers of the first again: see [the module](self).
///
/// ```
/// use netclock::Direction;
/// use netclock::keyed::{Channel, KeyError, SEALED_MOST, SealedChannel, SessionKey};
///
/// let key = SessionKey::new(1, [7; 16])?; // draw the secret from the system
/// let mut server = SealedChannel::new(&key, Channel::Messages, Direction::ToClient);
/// let mut client = SealedChannel::new(&key, Channel::Messages, Direction::ToServer);
/// let mut room = [0; SEALED_MOST];
/// let sealed = server.seal(b"a segment", &mut room)?;
/// assert_eq!(client.open(sealed)?, b"a segment");
/// assert_eq!(client.open(sealed), Err(KeyError::Replayed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SealedChannel {
    id: u32,
    sends: u8,
    receives: (Channel, Direction),
    sealing: Zeroizing<[u8; 16]>,
    opening: Zeroizing<[u8; 16]>,
    /// The number of the newest message that was sealed.
    sent: u64,
    window: Window,
}

impl SealedChannel {
    /// The end of `channel` that seals messages in the direction `sends`, and opens those of the other one.
    pub fn new(key: &SessionKey, channel: Channel, sends: Direction) -> Self {
        let receives = match sends {
            Direction::ToServer => Direction::ToClient,
            Direction::ToClient => Direction::ToServer,
        };
        SealedChannel {
            id: key.id,
            sends: kind(channel, sends),
            receives: (channel, receives),
            sealing: key.of_kind(kind(channel, sends)),
            opening: key.of_kind(kind(channel, receives)),
            sent: u64::from(key.restarts) * RESTART,
            window: Window::default(),
        }
    }

    /// The id of its key.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Seals `message` into `out`, and gives the part of `out` to be sent: [`OVERHEAD`] bytes more than the
    /// message. Each call has a number of its own, so seal a repeated message again.
    ///
    /// # Errors
    /// [`KeyError::Length`] for a message that is empty or longer than [`MESSAGE_MOST`],
    /// [`KeyError::NoSpace`] if `out` is too short, [`KeyError::Exhausted`]. Then `out` is unchanged.
    pub fn seal<'a>(&mut self, message: &[u8], out: &'a mut [u8]) -> Result<&'a [u8], KeyError> {
        if message.is_empty() || message.len() > MESSAGE_MOST {
            return Err(KeyError::Length(message.len()));
        }
        let size = message.len() + OVERHEAD;
        let out = out.get_mut(..size).ok_or(KeyError::NoSpace(size))?;
        self.sent = self.sent.checked_add(1).ok_or(KeyError::Exhausted)?;
        let (signed, end) = out.split_at_mut(size - TAG);
        signed[0..2].copy_from_slice(&MAGIC);
        (signed[2], signed[3]) = (VERSION, self.sends);
        signed[4..8].copy_from_slice(&self.id.to_be_bytes());
        signed[8..16].copy_from_slice(&self.sent.to_be_bytes());
        signed[16..].copy_from_slice(message);
        end.copy_from_slice(&tag(&self.sealing, signed).as_bytes());
        Ok(out)
    }

    /// The message in `sealed`, which came from the other end. It is part of `sealed`; nothing is copied.
    ///
    /// # Errors
    /// Says why nothing of it may be used. [`KeyError::NotKeyed`] for a message without a seal: a side that
    /// has a key refuses those, or else an attacker would leave the seal out. [`KeyError::Replayed`] if it
    /// came before, or is too old to know.
    pub fn open<'a>(&mut self, sealed: &'a [u8]) -> Result<&'a [u8], KeyError> {
        let (channel, direction) = self.receives;
        let id = key_id(channel, direction, sealed)?;
        if id != self.id {
            return Err(KeyError::UnknownKey(id));
        }
        let refused = KeyError::Length(sealed.len());
        let (signed, end) = sealed.split_last_chunk::<TAG>().ok_or(refused)?;
        // Hash128 compares in constant time: an attacker learns nothing from how long a refusal takes.
        if tag(&self.opening, signed) != Hash128::from(u128::from_le_bytes(*end)) {
            return Err(KeyError::Forged);
        }
        let (head, message) = signed.split_first_chunk::<HEAD>().ok_or(refused)?;
        let [.., a, b, c, d, e, f, g, h] = *head;
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        if self.window.take(number) { Ok(message) } else { Err(KeyError::Replayed) }
    }
}

impl core::fmt::Debug for SealedChannel {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SealedChannel").field("id", &self.id).finish_non_exhaustive()
    }
}

fn tag(key: &[u8; 16], bytes: &[u8]) -> Hash128 {
    SipHasher24::new_with_key(key).hash(bytes)
}

/// Which key a message that came by `channel` in `direction` claims to be sealed with. It proves nothing
/// until it is opened.
///
/// # Errors
/// It is no sealed message of this channel and direction.
pub fn key_id(channel: Channel, direction: Direction, sealed: &[u8]) -> Result<u32, KeyError> {
    let (head, rest) = sealed.split_first_chunk::<HEAD>().ok_or(KeyError::NotKeyed)?;
    let [n, k, version, found, a, b, c, d, ..] = *head;
    let of = |channel| [Direction::ToServer, Direction::ToClient].map(|way| kind(channel, way));
    let is_of = |channel| of(channel).contains(&found);
    if [n, k] != MAGIC || !(is_of(Channel::Link) || is_of(Channel::Messages)) {
        return Err(KeyError::NotKeyed);
    }
    if version != VERSION {
        return Err(KeyError::Version(version));
    }
    if rest.len() <= TAG || sealed.len() > SEALED_MOST {
        return Err(KeyError::Length(sealed.len()));
    }
    if !is_of(channel) {
        return Err(KeyError::OtherChannel);
    }
    if found != kind(channel, direction) {
        return Err(KeyError::OtherDirection);
    }
    Ok(u32::from_be_bytes([a, b, c, d]))
}

/// What a sealed message claims to contain. Nothing of it may be used before it is opened.
#[cfg(feature = "game")]
pub(crate) fn unproven(sealed: &[u8]) -> Result<&[u8], KeyError> {
    let message = sealed.get(HEAD..sealed.len().saturating_sub(TAG));
    message.filter(|_| sealed.starts_with(&MAGIC)).ok_or(KeyError::NotKeyed)
}

const fn kind(channel: Channel, direction: Direction) -> u8 {
    match (channel, direction) {
        (Channel::Link, Direction::ToServer) => 13,
        (Channel::Link, Direction::ToClient) => 14,
        (Channel::Messages, Direction::ToServer) => 18,
        (Channel::Messages, Direction::ToClient) => 19,
    }
}

/// Why a message was not sealed or opened, or a key not used. Nothing changed, except what a server counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// All bytes of the secret are zero.
    #[error("the secret is all zero; draw 16 bytes from the operating system")]
    NoSecret,
    /// The message is empty or too long; or a sealed message is too short or too long to be one.
    #[error("{0} bytes are too few or too many; messages have 1 to 1024 bytes, and 32 more when sealed")]
    Length(usize),
    /// The buffer is too short for the sealed message, which has this many bytes.
    #[error("the buffer is too short; the sealed message has {0} bytes")]
    NoSpace(usize),
    /// The message has no seal, although this side has a key.
    #[error("the message has no seal, and this side has a key")]
    NotKeyed,
    /// Another version of the envelope.
    #[error("version {0} of the envelope is not understood (this library speaks version 1)")]
    Version(u8),
    /// The message was sealed for the other direction: it was sent back to where it came from.
    #[error("the message was sealed for the other direction")]
    OtherDirection,
    /// The message was sealed for the other channel of the session.
    #[error("the message was sealed for the other channel")]
    OtherChannel,
    /// The message came before, or so many newer ones came that nobody knows.
    #[error("the message came before, or is too old")]
    Replayed,
    /// The sender has used up its numbers. It needs a new key.
    #[error("this sender has used up its numbers; it needs a new key")]
    Exhausted,
    /// No key of this id is known here: never admitted, or revoked.
    #[error("no key of id {0} is known here")]
    UnknownKey(u32),
    /// The tag is wrong: forged, changed on the way, or sealed with another secret.
    #[error("the tag is wrong: forged, changed on the way, or sealed with another secret")]
    Forged,
    /// A key of this id was admitted before.
    #[error("a key of this id was admitted before")]
    Duplicate,
    /// As many keys as there is room for were admitted.
    #[error("there is no room for another key")]
    Full,
    /// This session has had as many answers as it may for now.
    #[error("this session has had as many answers as it may for now")]
    OverBudget,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Channel::{Link, Messages};
    use Direction::{ToClient, ToServer};

    const SECRET: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    fn key(id: u32) -> SessionKey {
        SessionKey::new(id, SECRET).expect("a secret")
    }

    fn end(id: u32, sends: Direction) -> SealedChannel {
        SealedChannel::new(&key(id), Messages, sends)
    }

    fn sealed(from: &mut SealedChannel, message: &[u8]) -> Vec<u8> {
        from.seal(message, &mut [0xEE; SEALED_MOST]).expect("a message of ours").to_vec()
    }

    #[test]
    fn the_primitive_is_the_published_one() {
        // The first and the sixteenth of the test vectors in SipHash's reference code: no bytes, and 00 to
        // 0E.
        let of = |message: &[u8]| tag(&SECRET, message).as_bytes();
        assert_eq!(of(&[]), 0xA381_7F04_BA25_A8E6_6DF6_7214_C755_0293_u128.to_be_bytes());
        assert_eq!(of(&SECRET[..15]), 0x5493_E999_33B0_A811_7E08_EC0F_97CF_C3D9_u128.to_be_bytes());
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        let derived = tag(&SECRET, b"NetClock session key\x12").as_bytes();
        let mut from = SealedChannel::new(&key(0x0A0B_0C0D).after_restarts(2), Messages, ToServer);
        let bytes = sealed(&mut from, &[0x4E, 0x4B, 1, 1]);
        assert_eq!(bytes[..8], [0x4E, 0x4B, 1, 18, 0x0A, 0x0B, 0x0C, 0x0D]);
        assert_eq!(bytes[8..20], [0, 0, 0, 2, 0, 0, 0, 1, 0x4E, 0x4B, 1, 1]);
        assert_eq!(bytes.len(), 4 + OVERHEAD);
        assert_eq!(bytes[20..], tag(&derived, &bytes[..20]).as_bytes());
        assert_eq!(sealed(&mut from, &[7])[15], 2);
    }

    #[test]
    fn what_was_sealed_is_opened_at_every_length() {
        let message: Vec<u8> = (0..MESSAGE_MOST).map(|at| at as u8).collect();
        for (channel, way, back) in [(Link, ToServer, ToClient), (Messages, ToClient, ToServer)] {
            let mut from = SealedChannel::new(&key(5), channel, way);
            let mut to = SealedChannel::new(&key(5), channel, back);
            for length in 1..=MESSAGE_MOST {
                let bytes = sealed(&mut from, &message[..length]);
                assert_eq!(bytes.len(), length + OVERHEAD);
                assert_eq!(key_id(channel, way, &bytes), Ok(5));
                assert_eq!(to.open(&bytes), Ok(&message[..length]));
                assert_eq!(to.open(&bytes), Err(KeyError::Replayed));
            }
        }
    }

    #[test]
    fn every_changed_bit_is_refused() {
        for length in [1, 32, 72, MESSAGE_MOST] {
            let good = sealed(&mut end(5, ToClient), &vec![0x4E; length]);
            let mut to = end(5, ToServer);
            for bit in 0..8 * good.len() {
                let mut bytes = good.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(to.open(&bytes).is_err(), "bit {bit} of {length} bytes");
            }
            assert!(to.open(&good).is_ok(), "and none of them used its number up");
        }
    }

    #[test]
    fn other_sessions_secrets_channels_and_directions_are_refused() {
        let bytes = sealed(&mut end(5, ToServer), &[7; 32]);
        let opened = |key: &SessionKey, channel, sends, bytes: &[u8]| {
            SealedChannel::new(key, channel, sends).open(bytes).map(<[u8]>::len)
        };
        assert_eq!(opened(&key(6), Messages, ToClient, &bytes), Err(KeyError::UnknownKey(5)));
        let other = SessionKey::new(5, [9; 16]).expect("a secret");
        assert_eq!(opened(&other, Messages, ToClient, &bytes), Err(KeyError::Forged));
        assert_eq!(opened(&key(5), Messages, ToServer, &bytes), Err(KeyError::OtherDirection));
        assert_eq!(opened(&key(5), Link, ToClient, &bytes), Err(KeyError::OtherChannel));
        // Somebody turns a message round, or names another channel or another session of the same secret.
        let with = |at: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            bytes
        };
        assert_eq!(opened(&key(5), Messages, ToServer, &with(3, 19)), Err(KeyError::Forged));
        assert_eq!(opened(&key(5), Link, ToClient, &with(3, 13)), Err(KeyError::Forged));
        assert_eq!(opened(&key(6), Messages, ToClient, &with(7, 6)), Err(KeyError::Forged));
    }

    #[test]
    fn messages_without_a_seal_are_refused() {
        let bytes = sealed(&mut end(5, ToServer), &[0x4E; 32]);
        let mut to = end(5, ToClient);
        assert_eq!(to.open(&bytes[HEAD..HEAD + 32]), Err(KeyError::NotKeyed));
        for unkeyed in (0..=u8::MAX).filter(|kind| ![13, 14, 18, 19].contains(kind)) {
            let mut message = [0; 72];
            message[..4].copy_from_slice(&[0x4E, 0x4B, 1, unkeyed]);
            assert_eq!(to.open(&message), Err(KeyError::NotKeyed), "kind {unkeyed}");
        }
        let mut newer = bytes.clone();
        newer[2] = 2;
        assert_eq!(to.open(&newer), Err(KeyError::Version(2)));
    }

    #[test]
    fn every_other_length_is_refused() {
        let long = sealed(&mut end(5, ToServer), &[7; MESSAGE_MOST]);
        let mut to = end(5, ToClient);
        for length in 0..long.len() {
            let error = match length {
                0..HEAD => KeyError::NotKeyed,
                HEAD..=OVERHEAD => KeyError::Length(length),
                _ => KeyError::Forged,
            };
            assert_eq!(to.open(&long[..length]), Err(error));
        }
        let longer = [long.as_slice(), &[0]].concat();
        assert_eq!(to.open(&longer), Err(KeyError::Length(SEALED_MOST + 1)));
    }

    #[test]
    fn what_cannot_be_sealed_leaves_the_buffer_as_it_was() {
        let (mut from, mut out) = (end(5, ToServer), [0xEE; SEALED_MOST]);
        let mut refused =
            |message: &[u8], room| from.seal(message, &mut out[..room]).map(<[u8]>::len).unwrap_err();
        assert_eq!(refused(&[], SEALED_MOST), KeyError::Length(0));
        assert_eq!(refused(&[7; MESSAGE_MOST + 1], SEALED_MOST), KeyError::Length(MESSAGE_MOST + 1));
        assert_eq!(refused(&[7; 32], 63), KeyError::NoSpace(64));
        from.sent = u64::MAX;
        assert_eq!(from.seal(&[7; 32], &mut out), Err(KeyError::Exhausted));
        assert_eq!(out, [0xEE; SEALED_MOST]);
    }

    #[test]
    fn a_sender_that_starts_again_is_heard_once_it_says_so() {
        let mut to = end(5, ToClient);
        let mut first = end(5, ToServer);
        let old: Vec<_> = (0..300).map(|_| sealed(&mut first, &[1])).collect();
        old.iter().for_each(|bytes| assert!(to.open(bytes).is_ok()));
        assert_eq!(to.open(&sealed(&mut end(5, ToServer), &[2])), Err(KeyError::Replayed));
        let mut again = SealedChannel::new(&key(5).after_restarts(1), Messages, ToServer);
        assert_eq!(to.open(&sealed(&mut again, &[3])), Ok(&[3][..]));
        old.iter().for_each(|bytes| assert_eq!(to.open(bytes), Err(KeyError::Replayed)));
    }

    #[test]
    fn a_key_that_was_never_drawn_is_refused_and_none_is_printed() {
        assert_eq!(SessionKey::new(5, [0; 16]).err(), Some(KeyError::NoSecret));
        assert_eq!(format!("{:?}", key(5)), "SessionKey { id: 5, .. }");
        assert_eq!(format!("{:?}", end(5, ToServer)), "SealedChannel { id: 5, .. }");
    }
}
