//! The bytes of a message. `message.rs` gives them their names.
//!
//! Every message begins with `id u16, size u16`, where the size counts all bytes. Numbers are in network byte order. All
//! messages except replies and the game's own have 36 bytes, so that no answer is longer than its question:
//!
//! | offset | size | field | |
//! |---|---|---|---|
//! | 0 | 2 | id | |
//! | 2 | 2 | size | 36 |
//! | 4 | 2 | first | depends on the id |
//! | 6 | 2 | second | depends on the id |
//! | 8 | 4 | generation | how many primaries the game has had |
//! | 12 | 8 | proof | key (relay to peer), token (peer to relay), request id |
//! | 20 | 8 | number | depends on the id |
//! | 28 | 8 | stamp | signed ticks of 100 ns |
//!
//! `docs/relay-protocol.md` says which fields each id uses; the others are zero. A SYNCH_REPLY has 84 bytes:
//!
//! | offset | size | SYNCH_REPLY goes on with |
//! |---|---|---|
//! | 36 | 4 | hold t2 - t1, unsigned ticks |
//! | 40 | 4 | zero |
//! | 44 | 8 | authority: names the primary's clock |
//! | 52 | 8 | base: the authority that the primary followed before; zero: none |
//! | 60 | 8 | run: names the timescale, which outlives primaries |
//! | 68 | 8 | loss: how far authority and base may be apart, ticks |
//! | 76 | 8 | total: how far authority and the first authority of the run may be apart, ticks |
//!
//! Ids from [`FIRST_GAME_ID`](super::message::FIRST_GAME_ID) on belong to the game. Such a message is `id, size, stamp
//! u32, slot u16, zero u16`, then the game's data. The stamp is in ms of the shared clock. The relay sets the slot, which
//! is the sender's.

use crate::bytes::{u16_at, u32_at, u64_at};
use crate::time::ServerTime;

/// Bytes of id and size.
pub(super) const HEAD: usize = 4;
/// Bytes of a message that is neither a reply nor the game's.
pub(super) const PLAIN: usize = 36;
/// Bytes of a SYNCH_REPLY.
pub(super) const REPLY: usize = 84;

pub(super) const LOGIN: u16 = 0x1;
pub(super) const ERROR: u16 = 0x2;
pub(super) const LOGIN_OK: u16 = 0x3;
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
    /// None if bytes are missing or the stamp is outside the valid range.
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
        ServerTime::from_ticks(fields.stamp).is_valid().then_some(fields)
    }

    /// Writes a message of 36 bytes.
    #[inline(never)]
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
        Some((SYNCH_REQUEST, _)) => [&bytes[4..8], &bytes[20..28]],
        // An unused field and the hold on the way back.
        Some((SYNCH_REPLY, _)) => [&bytes[6..8], &bytes[24..28]],
        _ => return true,
    };
    fields.iter().copied().flatten().all(|&byte| byte == 0)
}

/// Writes how long the relay held a request or a reply into it. False if 32 bits cannot say it.
pub(super) fn stamp_hold(bytes: &mut [u8], held: i64) -> bool {
    let Ok(held) = u32::try_from(held.max(0)) else { return false };
    let at = match head(bytes) {
        Some((SYNCH_REQUEST, _)) => 20,
        Some((SYNCH_REPLY, _)) => 24,
        _ => return true,
    };
    bytes[at..at + 4].copy_from_slice(&held.to_be_bytes());
    true
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

    /// A message of 84 bytes.
    fn reply(fields: Fields) -> [u8; REPLY] {
        let mut bytes = [0xFF; REPLY];
        bytes[..PLAIN].copy_from_slice(&fields.write());
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
        assert_eq!(Fields::read(&reply(fields(SYNCH_REPLY))), Some(fields(SYNCH_REPLY)));
    }

    #[test]
    fn holds_are_written_where_they_belong() {
        let (mut request, mut reply) = (fields(SYNCH_REQUEST).write(), reply(fields(SYNCH_REPLY)));
        assert!(stamp_hold(&mut request, 1) && stamp_hold(&mut reply, 2));
        assert_eq!(
            (request[20..28].to_vec(), reply[20..28].to_vec()),
            (vec![0, 0, 0, 1, 0x15, 0x16, 0x17, 0x18], vec![0x11, 0x12, 0x13, 0x14, 0, 0, 0, 2],)
        );
        assert!(!stamp_hold(&mut request, 1 << 32), "cannot be said in 32 bits");
    }

    #[test]
    fn whatever_the_relay_fills_in_comes_as_zero() {
        let zero = Fields { first: 0, second: 0, number: 0, ..fields(SYNCH_REQUEST) };
        let good = Fields { second: 0, number: 0x1112_1314 << 32, ..fields(SYNCH_REPLY) };
        assert!(is_unstamped(&zero.write()) && is_unstamped(&reply(good)));
        for changed in [
            Fields { first: 1, ..zero },
            Fields { second: 1 << 8, ..zero },
            Fields { number: 1, ..zero },
            Fields { number: 1 << 63, ..zero },
        ] {
            assert!(!is_unstamped(&changed.write()), "{changed:?}");
        }
        for changed in [Fields { second: 1, ..good }, Fields { number: 1, ..good }] {
            assert!(!is_unstamped(&reply(changed)), "{changed:?}");
        }
    }
}
