//! Keyed mode: any message of ours in an envelope that only the two holders of a session key can make.
//!
//! | offset | size | sealed message |
//! |---|---|---|
//! | 0 | 2 | magic `N` `K` (4E 4B) |
//! | 2 | 1 | version, 1 |
//! | 3 | 1 | kind, 13: to the server; 14: to the client |
//! | 4 | 4 | key id |
//! | 8 | n | the message, 1 to 1024 bytes: any of NetClock's, unchanged, with its own kind |
//! | 8 + n | 16 | tag: SipHash-2-4-128 of all bytes before it, keyed with the 16 bytes of the secret |
//!
//! Numbers are in network byte order. The tag is that of the algorithm's reference code, byte for byte. It
//! covers direction, key id, kind and length. So a message cannot be reflected to its sender, moved to
//! another session, or taken for one of another kind. A seal adds [`OVERHEAD`] bytes to each message, so a
//! reply is still no longer than its request.
//!
//! # What a seal proves
//!
//! The message was made by a holder of the key, for this direction, and nobody changed it. It is **not**
//! secret. It may also be old: somebody who saw it can send it again, or keep it back. Each kind of message
//! has its own defence against that:
//!
//! | message | a replay is |
//! |---|---|
//! | reply, authority reply, adoption reply, UTC reply | refused: each answers an id that is used once |
//! | request, authority request, UTC request | answered once, to the address it came from, within a budget: [`SessionKeys`](crate::SessionKeys) |
//! | segment | known, or superseded by its version, instance or server epoch |
//! | readiness, acknowledgement, result, start, cancel | refused, or without effect, by its number or version |
//!
//! A session is one connection of one client to one run of the server. Give each a new key.

use siphasher::sip128::{Hash128, SipHasher24};

use crate::clock::ground::direction::Direction;

/// Bytes that a seal adds to a message.
pub const OVERHEAD: usize = HEAD + TAG;

/// Longest message that can be sealed, in bytes: the longest of any room's.
pub const MESSAGE_MOST: usize = 1024;

/// Longest sealed message, in bytes.
pub const SEALED_MOST: usize = MESSAGE_MOST + OVERHEAD;

const MAGIC: [u8; 2] = *b"NK";
pub(crate) const VERSION: u8 = 1;
const KIND_TO_SERVER: u8 = 13;
const KIND_TO_CLIENT: u8 = 14;
const HEAD: usize = 8;
const TAG: usize = 16;

/// A secret of 128 bits that a client and its server share, and the number by which a server finds it.
///
/// Draw the secret from the operating system, a new one for each connection. Give it to the client over a
/// channel that nobody else can read. Debug output leaves the secret out, and dropping a key overwrites it.
/// Copies that the compiler made in registers or on the stack are not overwritten.
#[derive(Clone)]
pub struct SessionKey {
    id: u32,
    secret: [u8; 16],
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
        Ok(SessionKey { id, secret })
    }

    /// The number by which a server finds this key.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Seals `message` into `out`, and gives the part of `out` to be sent: [`OVERHEAD`] bytes more than the
    /// message.
    ///
    /// # Errors
    /// [`KeyError::Length`] for a message that is empty or longer than [`MESSAGE_MOST`],
    /// [`KeyError::NoSpace`] if `out` is too short. Then `out` is unchanged.
    #[inline(never)]
    pub fn seal<'a>(
        &self,
        direction: Direction,
        message: &[u8],
        out: &'a mut [u8],
    ) -> Result<&'a [u8], KeyError> {
        if message.is_empty() || message.len() > MESSAGE_MOST {
            return Err(KeyError::Length(message.len()));
        }
        let size = message.len() + OVERHEAD;
        let out = out.get_mut(..size).ok_or(KeyError::NoSpace(size))?;
        let (signed, tag) = out.split_at_mut(size - TAG);
        signed[0..2].copy_from_slice(&MAGIC);
        signed[2] = VERSION;
        signed[3] = kind(direction);
        signed[4..8].copy_from_slice(&self.id.to_be_bytes());
        signed[8..].copy_from_slice(message);
        tag.copy_from_slice(&u128::from(self.tag(signed)).to_le_bytes());
        Ok(out)
    }

    /// The message in `sealed`, which came in `direction`. It is part of `sealed`; nothing is copied.
    ///
    /// # Errors
    /// Says why nothing of it may be used. [`KeyError::NotKeyed`] for a message without a seal: who has a key
    /// refuses those, or else an attacker would leave the seal out.
    #[inline(never)]
    pub fn open<'a>(&self, direction: Direction, sealed: &'a [u8]) -> Result<&'a [u8], KeyError> {
        let id = key_id(direction, sealed)?;
        if id != self.id {
            return Err(KeyError::UnknownKey(id));
        }
        let (signed, tag) = sealed.split_last_chunk::<TAG>().ok_or(KeyError::Length(sealed.len()))?;
        // Hash128 compares in constant time: an attacker learns nothing from how long a refusal takes.
        if self.tag(signed) != Hash128::from(u128::from_le_bytes(*tag)) {
            return Err(KeyError::Forged);
        }
        Ok(&signed[HEAD..])
    }

    fn tag(&self, signed: &[u8]) -> Hash128 {
        SipHasher24::new_with_key(&self.secret).hash(signed)
    }
}

impl Drop for SessionKey {
    fn drop(&mut self) {
        self.secret = [0; 16];
        // The compiler must believe that somebody looks at the zeros.
        core::hint::black_box(&self.secret);
    }
}

impl core::fmt::Debug for SessionKey {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SessionKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Which key a message that came in `direction` claims to be sealed with. It proves nothing until it is
/// opened.
///
/// # Errors
/// It is no sealed message of this direction.
pub fn key_id(direction: Direction, sealed: &[u8]) -> Result<u32, KeyError> {
    let (head, rest) = sealed.split_first_chunk::<HEAD>().ok_or(KeyError::NotKeyed)?;
    let [n, k, version, found, id @ ..] = *head;
    if [n, k] != MAGIC || (found != KIND_TO_SERVER && found != KIND_TO_CLIENT) {
        return Err(KeyError::NotKeyed);
    }
    if version != VERSION {
        return Err(KeyError::Version(version));
    }
    if rest.len() <= TAG || sealed.len() > SEALED_MOST {
        return Err(KeyError::Length(sealed.len()));
    }
    if found != kind(direction) {
        return Err(KeyError::OtherDirection);
    }
    Ok(u32::from_be_bytes(id))
}

const fn kind(direction: Direction) -> u8 {
    match direction {
        Direction::ToServer => KIND_TO_SERVER,
        Direction::ToClient => KIND_TO_CLIENT,
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
    #[error("{0} bytes are too few or too many; messages have 1 to 1024 bytes, and 24 more when sealed")]
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
    use Direction::{ToClient, ToServer};

    const SECRET: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    fn key(id: u32) -> SessionKey {
        SessionKey::new(id, SECRET).expect("a secret")
    }

    fn sealed(key: &SessionKey, direction: Direction, message: &[u8]) -> Vec<u8> {
        let mut out = [0xEE; SEALED_MOST];
        key.seal(direction, message, &mut out).expect("a message of ours").to_vec()
    }

    #[test]
    fn the_primitive_is_the_published_one() {
        // The first and the sixteenth of the test vectors in SipHash's reference code: no bytes, and 00 to
        // 0E.
        let tag = |message: &[u8]| u128::from(key(0).tag(message)).to_le_bytes();
        assert_eq!(tag(&[]), 0xA381_7F04_BA25_A8E6_6DF6_7214_C755_0293_u128.to_be_bytes());
        assert_eq!(tag(&SECRET[..15]), 0x5493_E999_33B0_A811_7E08_EC0F_97CF_C3D9_u128.to_be_bytes());
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        let bytes = sealed(&key(0x0A0B_0C0D), ToServer, &[0x4E, 0x4B, 1, 1]);
        assert_eq!(bytes[..12], [0x4E, 0x4B, 1, 13, 0x0A, 0x0B, 0x0C, 0x0D, 0x4E, 0x4B, 1, 1]);
        assert_eq!(bytes.len(), 4 + OVERHEAD);
        assert_eq!(bytes[12..], u128::from(key(0).tag(&bytes[..12])).to_le_bytes());
        assert_eq!(sealed(&key(1), ToClient, &[7])[3], 14);
    }

    #[test]
    fn what_was_sealed_is_opened_at_every_length() {
        let message: Vec<u8> = (0..MESSAGE_MOST).map(|at| at as u8).collect();
        for length in 1..=MESSAGE_MOST {
            for direction in [ToServer, ToClient] {
                let bytes = sealed(&key(5), direction, &message[..length]);
                assert_eq!(bytes.len(), length + OVERHEAD);
                assert_eq!(key_id(direction, &bytes), Ok(5));
                assert_eq!(key(5).open(direction, &bytes), Ok(&message[..length]));
            }
        }
    }

    #[test]
    fn every_changed_bit_is_refused() {
        for length in [1, 32, 72, MESSAGE_MOST] {
            let good = sealed(&key(5), ToClient, &vec![0x4E; length]);
            for bit in 0..8 * good.len() {
                let mut bytes = good.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(key(5).open(ToClient, &bytes).is_err(), "bit {bit} of {length} bytes");
            }
        }
    }

    #[test]
    fn other_sessions_secrets_and_directions_are_refused() {
        let bytes = sealed(&key(5), ToServer, &[7; 32]);
        assert_eq!(key(6).open(ToServer, &bytes), Err(KeyError::UnknownKey(5)));
        let other = SessionKey::new(5, [9; 16]).expect("a secret");
        assert_eq!(other.open(ToServer, &bytes), Err(KeyError::Forged));
        assert_eq!(key(5).open(ToClient, &bytes), Err(KeyError::OtherDirection));
        // Somebody turns a message round, or names another session with the same secret.
        let with = |at: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            bytes
        };
        assert_eq!(key(5).open(ToClient, &with(3, KIND_TO_CLIENT)), Err(KeyError::Forged));
        assert_eq!(key(6).open(ToServer, &with(7, 6)), Err(KeyError::Forged));
    }

    #[test]
    fn messages_without_a_seal_are_refused() {
        let bytes = sealed(&key(5), ToServer, &[0x4E; 32]);
        assert_eq!(key(5).open(ToServer, &bytes[HEAD..HEAD + 32]), Err(KeyError::NotKeyed));
        for unkeyed in 0..=u8::MAX {
            let mut message = [0; 72];
            message[..4].copy_from_slice(&[0x4E, 0x4B, 1, unkeyed]);
            if unkeyed != KIND_TO_SERVER && unkeyed != KIND_TO_CLIENT {
                assert_eq!(key(5).open(ToServer, &message), Err(KeyError::NotKeyed), "kind {unkeyed}");
            }
        }
        let mut newer = bytes.clone();
        newer[2] = 2;
        assert_eq!(key(5).open(ToServer, &newer), Err(KeyError::Version(2)));
    }

    #[test]
    fn every_other_length_is_refused() {
        let long = sealed(&key(5), ToServer, &[7; MESSAGE_MOST]);
        for length in 0..long.len() {
            let error = match length {
                0..HEAD => KeyError::NotKeyed,
                HEAD..=OVERHEAD => KeyError::Length(length),
                _ => KeyError::Forged,
            };
            assert_eq!(key(5).open(ToServer, &long[..length]), Err(error));
        }
        let longer = [long.as_slice(), &[0]].concat();
        assert_eq!(key(5).open(ToServer, &longer), Err(KeyError::Length(SEALED_MOST + 1)));
    }

    #[test]
    fn what_cannot_be_sealed_leaves_the_buffer_as_it_was() {
        let mut out = [0xEE; SEALED_MOST];
        let empty = key(5).seal(ToServer, &[], &mut out).map(<[u8]>::len);
        assert_eq!(empty, Err(KeyError::Length(0)));
        let long = key(5).seal(ToServer, &[7; MESSAGE_MOST + 1], &mut out).map(<[u8]>::len);
        assert_eq!(long, Err(KeyError::Length(MESSAGE_MOST + 1)));
        let tight = key(5).seal(ToServer, &[7; 32], &mut out[..55]).map(<[u8]>::len);
        assert_eq!(tight, Err(KeyError::NoSpace(56)));
        assert_eq!(out, [0xEE; SEALED_MOST]);
    }

    #[test]
    fn a_key_that_was_never_drawn_is_refused_and_none_is_printed() {
        assert_eq!(SessionKey::new(5, [0; 16]).err(), Some(KeyError::NoSecret));
        assert_eq!(format!("{:?}", key(5)), "SessionKey { id: 5, .. }");
    }
}
