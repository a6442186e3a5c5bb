//! Keyed mode seals any NetClock message in an envelope. Only the two holders of a session key can create it,
//! and it can be opened only once.
//!
//! | offset | size | sealed message |
//! |---|---|---|
//! | 0 | 2 | magic `N` `K` (4E 4B) |
//! | 2 | 1 | version, 1 |
//! | 3 | 1 | kind: see below |
//! | 4 | 4 | key id |
//! | 8 | 8 | message number |
//! | 16 | n | the message, 1 to 1024 bytes: any NetClock message, unchanged, with its own kind |
//! | 16 + n | 16 | tag: SipHash-2-4-128 of all preceding bytes, keyed with the key of this kind |
//!
//! | kind | channel | direction |
//! |---|---|---|
//! | 13 | link | to the server |
//! | 14 | link | to the client |
//! | 18 | messages | to the server |
//! | 19 | messages | to the client |
//!
//! Numbers are in network byte order, and the tag's bytes are in the order of the algorithm's reference code.
//! Sealing adds [`OVERHEAD`] bytes to each message, so replies are still no longer than requests.
//!
//! # Keys
//!
//! The secret of a session is not used directly. The key of a kind is the SipHash-2-4-128 of the 20 bytes
//! `NetClock session key` and the kind's byte, keyed with the secret. The link and the game's messages
//! therefore have separate numbers. A message for one direction or channel is invalid in any other.
//!
//! # Security properties
//!
//! A valid seal proves that a key holder created the message for this channel and direction, and that nobody
//! modified the message. Each message can be opened only once. Sealed messages are **not** encrypted, and an
//! on-path attacker can withhold them.
//!
//! The sender numbers its messages, starting with 1. The receiver keeps a replay window. It accepts each of
//! the most recent [`WINDOW`] numbers once, in any order, and rejects older numbers. There is one window for
//! each of the [`STARTS`] most recent starts of a sender.
//!
//! # Restarts
//!
//! A sender that loses its number starts again at 1, so all its messages are rejected as replays. Therefore
//! **each connection needs a new key** drawn by the server, and a restarted server must draw new keys. If a
//! client recreates its link or its channel within a connection, it passes the number of restarts to
//! [`SessionKey::after_restarts`]. The message numbers then begin above all earlier ones, at 2^32 times the
//! number of restarts. A restart requires no round trip, and earlier messages are still rejected as replays.
//! Numbers of different starts are independent. With its own number of restarts, a tool can use a player's
//! key without affecting the player. `docs/security.md` ("Keys and numbers") compares this with other
//! designs.
//!
//! A restarted receiver no longer knows which numbers it accepted, so a server must not admit a key twice. A
//! client may accept a message twice without harm. Replies answer an id that is used once, and segments and
//! announcements have versions.

mod key;

use siphasher::sip128::Hash128;
use zeroize::Zeroizing;

use self::key::tag;
use super::window::Windows;
use crate::clock::ground::direction::Direction;

pub use self::key::SessionKey;
pub use super::window::{STARTS, WINDOW};

/// Number of bytes that sealing adds to a message.
pub const OVERHEAD: usize = HEAD + TAG;

/// The longest message that can be sealed, in bytes. NetClock's own messages are no longer than this.
pub const MESSAGE_MOST: usize = 1024;

/// The longest sealed message, in bytes.
pub const SEALED_MOST: usize = MESSAGE_MOST + OVERHEAD;

const MAGIC: [u8; 2] = *b"NK";
pub(crate) const VERSION: u8 = 1;
const HEAD: usize = 16;
const TAG: usize = 16;

/// A channel whose messages are sealed with a session key. Each channel has its own keys and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The datagrams of a link.
    Link,
    /// Messages sent over the game's own transport.
    Messages,
}

/// One end of a channel that is sealed with a session key. The other end can open each sealed message once.
///
/// A channel belongs to one connection and has a single owner. A second instance with the same key, channel
/// and direction would reuse the numbers of the first; see [the module documentation](self).
///
/// ```
/// use netclock::Direction;
/// use netclock::keyed::{Channel, KeyError, SEALED_MOST, SealedChannel, SessionKey};
///
/// let key = SessionKey::new(1, [7; 16])?; // use a random secret
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
    pub(crate) sent: u64,
    windows: Windows,
}

impl SealedChannel {
    /// Creates one end of `channel`. It seals messages in the direction `sends`, and opens messages in the
    /// other direction.
    pub fn new(key: &SessionKey, channel: Channel, sends: Direction) -> Self {
        let receives = match sends {
            Direction::ToServer => Direction::ToClient,
            Direction::ToClient => Direction::ToServer,
        };
        SealedChannel {
            id: key.id(),
            sends: kind(channel, sends),
            receives: (channel, receives),
            sealing: key.of_kind(kind(channel, sends)),
            opening: key.of_kind(kind(channel, receives)),
            sent: key.sent_before(),
            windows: Windows::default(),
        }
    }

    /// Returns the id of the key.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Seals `message` into `out` and returns the part of `out` to send. It is [`OVERHEAD`] bytes longer than
    /// the message. Each call uses a new number, so seal a message again to repeat it.
    ///
    /// # Errors
    /// Returns [`KeyError::Length`] if the message is empty or longer than [`MESSAGE_MOST`],
    /// [`KeyError::NoSpace`] if `out` is too short, or [`KeyError::Exhausted`] if all numbers have been used.
    /// A failed call does not change `out`.
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

    /// Opens a message from the other end. The result is a part of `sealed`, so nothing is copied.
    ///
    /// # Errors
    /// Returns the reason why the message must not be used. An unsealed message is rejected with
    /// [`KeyError::NotKeyed`], because otherwise an attacker could simply omit the seal. A message that was
    /// already opened, or is older than the window, is rejected with [`KeyError::Replayed`].
    pub fn open<'a>(&mut self, sealed: &'a [u8]) -> Result<&'a [u8], KeyError> {
        let (number, message) = self.prove(sealed)?;
        self.take(number)?;
        Ok(message)
    }

    /// Authenticates `sealed` and returns its number and message. Only [`take`](Self::take) marks the number
    /// as used.
    pub(crate) fn prove<'a>(&self, sealed: &'a [u8]) -> Result<(u64, &'a [u8]), KeyError> {
        let (channel, direction) = self.receives;
        let id = key_id(channel, direction, sealed)?;
        if id != self.id {
            return Err(KeyError::UnknownKey(id));
        }
        let refused = KeyError::Length(sealed.len());
        let (signed, end) = sealed.split_last_chunk::<TAG>().ok_or(refused)?;
        // `Hash128` compares in constant time, so the timing reveals nothing.
        if tag(&self.opening, signed) != Hash128::from(u128::from_le_bytes(*end)) {
            return Err(KeyError::Forged);
        }
        let (head, message) = signed.split_first_chunk::<HEAD>().ok_or(refused)?;
        let [.., a, b, c, d, e, f, g, h] = *head;
        Ok((u64::from_be_bytes([a, b, c, d, e, f, g, h]), message))
    }

    #[cfg(feature = "link")]
    pub(crate) const fn next_start(&self) -> u64 {
        ((self.sent >> 32) + 1) << 32
    }

    /// Whether another connected client used this key first, before the sender of the most recent message.
    #[cfg(feature = "link")]
    pub(crate) const fn is_shared(&self) -> bool {
        self.windows.is_shared
    }

    pub(crate) fn take(&mut self, number: u64) -> Result<(), KeyError> {
        self.windows.take(number).then_some(()).ok_or(KeyError::Replayed)
    }
}

impl core::fmt::Debug for SealedChannel {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SealedChannel").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the key id of a message sent over `channel` in `direction`. The id is not authenticated until the
/// message is opened. Fails if `sealed` is not a sealed message of this channel and direction.
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

const fn kind(channel: Channel, direction: Direction) -> u8 {
    match (channel, direction) {
        (Channel::Link, Direction::ToServer) => 13,
        (Channel::Link, Direction::ToClient) => 14,
        (Channel::Messages, Direction::ToServer) => 18,
        (Channel::Messages, Direction::ToClient) => 19,
    }
}

/// The reason why a message could not be sealed or opened, or why a key was rejected. An error changes
/// nothing except a server's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// All bytes of the secret are zero.
    #[error("the secret is all zero; draw 16 bytes from the operating system")]
    NoSecret,
    /// The message is empty or too long, or the sealed message has an invalid length.
    #[error("{0} bytes are too few or too many; messages have 1 to 1024 bytes, and 32 more when sealed")]
    Length(usize),
    /// The buffer is too small for the sealed message, which has this many bytes.
    #[error("the buffer is too small; the sealed message has {0} bytes")]
    NoSpace(usize),
    /// The message is not sealed, although this side has a key.
    #[error("the message is not sealed, although this side has a key")]
    NotKeyed,
    /// The envelope has a different version.
    #[error("version {0} of the envelope is not supported (this library uses version 1)")]
    Version(u8),
    /// The message was sealed for the other direction, so an attacker may have reflected it.
    #[error("the message was sealed for the other direction")]
    OtherDirection,
    /// The message was sealed for the other channel of the session.
    #[error("the message was sealed for the other channel")]
    OtherChannel,
    /// The message was already opened, or is older than the replay window of 256 messages.
    #[error("the message was already received, or is too old")]
    Replayed,
    /// The sender has used up its message numbers and needs a new key.
    #[error("this sender has used up its sequence numbers and needs a new key")]
    Exhausted,
    /// No key with this id is known, because it was never admitted or was revoked.
    #[error("no key with the id {0} is known")]
    UnknownKey(u32),
    /// The tag is wrong, because the message was forged, modified, or sealed with a different secret.
    #[error(
        "the authentication tag is wrong: the message was forged, modified, or sealed with another secret"
    )]
    Forged,
    /// A key with this id is already admitted.
    #[error("a key with this id was already admitted")]
    Duplicate,
    /// The maximum number of keys has been admitted.
    #[error("the maximum number of keys is reached")]
    Full,
    /// This session has reached its reply limit for now.
    #[error("this session has reached its reply limit for now")]
    OverBudget,
}

#[cfg(test)]
mod tests;
