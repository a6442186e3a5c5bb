//! The bytes of a message. `message.rs` gives them their names.
//!
//! Every message begins with `id u16, size u16`, where the size counts all bytes. Numbers are in network byte
//! order. Every message proves its sender's slot: a peer shows its token to the relay, the relay shows the
//! receiver's key to a peer. All messages except those of exchanges and the game's own have 36 bytes:
//!
//! | offset | size | field | |
//! |---|---|---|---|
//! | 0 | 2 | id | |
//! | 2 | 2 | size | 36 |
//! | 4 | 2 | first | depends on the id |
//! | 6 | 2 | second | depends on the id |
//! | 8 | 4 | generation | how many primaries the game has had |
//! | 12 | 8 | proof | key (relay to peer), token (peer to relay) |
//! | 20 | 8 | number | depends on the id |
//! | 28 | 8 | stamp | signed ticks of 100 ns; a cookie in LOGIN |
//!
//! `docs/relay-protocol.md` says which fields each id uses; the others are zero. SYNCH_REQUEST and
//! SYNCH_REPLY have 92 bytes both, so that no answer is longer than its question. In a request all fields
//! except the first hold are zero:
//!
//! | offset | size | an exchange continues with |
//! |---|---|---|
//! | 36 | 4 | how long the relay held the request, unsigned ticks |
//! | 40 | 4 | how long the relay held the reply, unsigned ticks |
//! | 44 | 4 | hold t2 - t1, unsigned ticks |
//! | 48 | 4 | zero |
//! | 52 | 8 | authority: names the primary's clock |
//! | 60 | 8 | base: the authority that the primary followed before; zero: none |
//! | 68 | 8 | run: names the timescale, which outlives primaries |
//! | 76 | 8 | loss: how far authority and base may be apart, ticks |
//! | 84 | 8 | total: how far authority and the first authority of the run may be apart, ticks |
//!
//! Ids from [`FIRST_GAME_ID`](super::message::FIRST_GAME_ID) on belong to the game. Such a message is `id,
//! size, stamp u32, slot u16, zero u16, proof u64`, then the game's data. The stamp is in ms of the shared
//! clock. The relay sets the slot, which is the sender's, and changes the proof to the receiver's.

use crate::clock::ServerTime;
use crate::clock::for_parts::{u32_at, u64_at};

/// Bytes of id and size.
pub(super) const HEAD: usize = 4;
/// Bytes of a message that is neither part of an exchange nor the game's.
pub(super) const PLAIN: usize = 36;
/// Bytes of a SYNCH_REQUEST and of a SYNCH_REPLY.
pub(super) const EXCHANGE: usize = 92;
/// Where every message has its proof, and where that ends.
pub(super) const PROOF: usize = 12;
pub(super) const AFTER_PROOF: usize = PROOF + 8;
/// Where the relay writes how long it held a request, and a reply.
const HELD_THERE: usize = 36;
const HELD_BACK: usize = 40;

pub(super) const LOGIN: u16 = 0x1;
pub(super) const ERROR: u16 = 0x2;
pub(super) const LOGIN_OK: u16 = 0x3;
pub(super) const CHALLENGE: u16 = 0x4;
pub(super) const READY: u16 = 0x9;
pub(super) const BEGIN_GAME: u16 = 0x10;
pub(super) const GAME_END: u16 = 0x11;
pub(super) const SYNCH_REQUEST: u16 = 0x12;
pub(super) const SYNCH_REPLY: u16 = 0x13;
pub(super) const PRIMARY_CLIENT: u16 = 0x14;
pub(super) const SECONDARY_CLIENT: u16 = 0x15;
pub(super) const SYNCH_DONE: u16 = 0x16;
pub(super) const SYNCH_WAIT: u16 = 0x17;

/// The first 36 bytes of a message, apart from its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Fields {
    pub(super) id: u16,
    pub(super) first: u16,
    pub(super) second: u16,
    pub(super) generation: u32,
    pub(super) proof: u64,
    pub(super) number: u64,
    pub(super) stamp: i64,
}

impl Fields {
    /// None if bytes are missing or the stamp is outside the valid range. LOGIN has a cookie there.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let fields = Fields {
            id: u16_at(bytes, 0)?,
            first: u16_at(bytes, 4)?,
            second: u16_at(bytes, 6)?,
            generation: u32_at(bytes, 8)?,
            proof: u64_at(bytes, 12)?,
            number: u64_at(bytes, 20)?,
            stamp: u64_at(bytes, 28)? as i64,
        };
        (fields.id == LOGIN || ServerTime::from_ticks(fields.stamp).is_valid()).then_some(fields)
    }

    /// Writes a message of 36 bytes.
    pub(super) fn write(&self) -> [u8; PLAIN] {
        let mut bytes = [0; PLAIN];
        bytes[0..2].copy_from_slice(&self.id.to_be_bytes());
        bytes[2..4].copy_from_slice(&(PLAIN as u16).to_be_bytes());
        bytes[4..6].copy_from_slice(&self.first.to_be_bytes());
        bytes[6..8].copy_from_slice(&self.second.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.generation.to_be_bytes());
        bytes[12..20].copy_from_slice(&self.proof.to_be_bytes());
        bytes[20..28].copy_from_slice(&self.number.to_be_bytes());
        bytes[28..36].copy_from_slice(&self.stamp.to_be_bytes());
        bytes
    }
}

/// Id and size, once four bytes are there.
pub(super) fn head(bytes: &[u8]) -> Option<(u16, usize)> {
    Some((u16_at(bytes, 0)?, usize::from(u16_at(bytes, 2)?)))
}

/// Whether a whole request or reply still has zero in all fields that the relay fills in.
pub(super) fn is_unstamped(bytes: &[u8]) -> bool {
    let fields = match head(bytes) {
        // Slot, an unused field and both holds.
        Some((SYNCH_REQUEST, _)) => [bytes.get(4..8), bytes.get(HELD_THERE..HELD_BACK + 4)],
        // An unused field and the hold on the way back.
        Some((SYNCH_REPLY, _)) => [bytes.get(6..8), bytes.get(HELD_BACK..HELD_BACK + 4)],
        _ => return true,
    };
    fields.into_iter().flatten().flatten().all(|&byte| byte == 0)
}

/// Writes how long the relay held a request or a reply into it. False if 32 bits cannot say it.
pub(super) fn stamp_hold(bytes: &mut [u8], held: i64) -> bool {
    let Ok(held) = u32::try_from(held.max(0)) else { return false };
    let at = match head(bytes) {
        Some((SYNCH_REQUEST, _)) => HELD_THERE,
        Some((SYNCH_REPLY, _)) => HELD_BACK,
        _ => return true,
    };
    let Some(place) = bytes.get_mut(at..at + 4) else { return false };
    place.copy_from_slice(&held.to_be_bytes());
    true
}

/// The 16-bit number that begins at `at`; none if the bytes end before it does.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(id: u16) -> Fields {
        Fields {
            id,
            first: 0x0102,
            second: 0x0304,
            generation: 0x0506_0708,
            proof: 0x090A_0B0C_0D0E_0F10,
            number: 0x1112_1314_1516_1718,
            stamp: -2,
        }
    }

    /// A message of an exchange, with these holds.
    fn exchange(fields: Fields, held: u64) -> [u8; EXCHANGE] {
        let mut bytes = [0xFF; EXCHANGE];
        bytes[..PLAIN].copy_from_slice(&fields.write());
        bytes[HELD_THERE..HELD_THERE + 8].copy_from_slice(&held.to_be_bytes());
        bytes
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        assert_eq!(
            fields(READY).write(),
            [
                0, 9, 0, 36, 1, 2, 3, 4, 5, 6, 7, 8, // id, size, first, second, generation
                9, 10, 11, 12, 13, 14, 15, 16, // proof
                0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, // number
                255, 255, 255, 255, 255, 255, 255, 254, // stamp
            ]
        );
    }

    #[test]
    fn what_was_written_is_read_back() {
        assert_eq!(Fields::read(&fields(READY).write()), Some(fields(READY)));
        assert_eq!(Fields::read(&exchange(fields(SYNCH_REPLY), 0)), Some(fields(SYNCH_REPLY)));
        let cookie = Fields { stamp: i64::MIN, ..fields(LOGIN) };
        assert_eq!(Fields::read(&cookie.write()), Some(cookie), "a cookie is any number");
        assert_eq!(Fields::read(&Fields { stamp: i64::MIN, ..fields(READY) }.write()), None);
    }

    #[test]
    fn holds_are_written_where_they_belong() {
        let (mut request, mut reply) =
            (exchange(fields(SYNCH_REQUEST), 0), exchange(fields(SYNCH_REPLY), 7 << 32));
        assert!(stamp_hold(&mut request, 1) && stamp_hold(&mut reply, 2));
        assert_eq!(request, exchange(fields(SYNCH_REQUEST), 1 << 32));
        assert_eq!(reply, exchange(fields(SYNCH_REPLY), 7 << 32 | 2));
        assert!(!stamp_hold(&mut request, 1 << 32), "cannot be said in 32 bits");
    }

    #[test]
    fn whatever_the_relay_fills_in_comes_as_zero() {
        let request = Fields { first: 0, second: 0, ..fields(SYNCH_REQUEST) };
        let reply = Fields { second: 0, ..fields(SYNCH_REPLY) };
        assert!(is_unstamped(&exchange(request, 0)) && is_unstamped(&exchange(reply, 0x1112_1314 << 32)));
        for changed in [Fields { first: 1, ..request }, Fields { second: 1 << 8, ..request }] {
            assert!(!is_unstamped(&exchange(changed, 0)), "{changed:?}");
        }
        assert!(!is_unstamped(&exchange(request, 1)) && !is_unstamped(&exchange(request, 1 << 63)));
        assert!(!is_unstamped(&exchange(reply, 1)) && !is_unstamped(&exchange(fields(SYNCH_REPLY), 0)));
    }
}
