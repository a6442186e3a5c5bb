//! The messages between peers and their relay: `id u16, size u16 (all bytes, at least 4), data`, network byte order.
//!
//! All but replies and the game's own are 36 bytes long, so that no answer is longer than what asked for it:
//!
//! | offset | size | field | |
//! |---|---|---|---|
//! | 0 | 2 | id | |
//! | 2 | 2 | size | 36 |
//! | 4 | 2 | first | depends on the id |
//! | 6 | 2 | second | depends on the id |
//! | 8 | 4 | generation | how many primaries the game had before this one |
//! | 12 | 8 | proof | key (relay to peer), token (peer to relay), request id |
//! | 20 | 8 | number | depends on the id |
//! | 28 | 8 | stamp | signed ticks of 100 ns |
//!
//! What `docs/relay-protocol.md` does not name for an id is zero. The reply of an exchange goes on:
//!
//! | offset | size | SYNCH_REPLY (84 bytes) |
//! |---|---|---|
//! | 36 | 4 | hold t2 - t1, unsigned ticks |
//! | 40 | 4 | zero |
//! | 44 | 8 | authority: names the primary's clock |
//! | 52 | 8 | base: the authority that the primary followed before it was one; zero: none |
//! | 60 | 8 | run: names the timescale, which outlives primaries |
//! | 68 | 8 | loss: how far authority and base may be apart, ticks |
//! | 76 | 8 | total: how far authority and the first authority of the run may be apart, ticks |
//!
//! Ids from [`FIRST_GAME_ID`] on belong to the game: `id, size, time stamp u32 (ms of the shared clock), seat u16 (of the
//! sender, by the relay), zero u16`, then what the game likes.

use super::error::PeerError;
use crate::time::ServerTime;

/// Longest message, in bytes: fits a datagram on any path.
pub const MESSAGE_MOST: usize = 1024;
/// First id of the game's own messages.
pub const FIRST_GAME_ID: u16 = 0x100;
/// Bytes of a game message before the game's own data.
pub const GAME_HEAD: usize = 12;

/// Version of the protocol, which LOGIN carries.
pub(super) const VERSION: u16 = 1;

/// Id and size.
pub(super) const HEAD: usize = 4;
/// All messages but replies and the game's.
pub(super) const PLAIN: usize = 36;
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

/// READY: the peer knows that it is the primary; that the game began.
pub(super) const KNOWS_PRIMARY: u16 = 1;
pub(super) const KNOWS_BEGIN: u16 = 2;

/// What every message but the game's begins with, behind its id.
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

/// What a reply says besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Statement {
    pub(super) hold: u32,
    pub(super) authority: u64,
    pub(super) base: u64,
    pub(super) run: u64,
    pub(super) loss: i64,
    pub(super) total: i64,
}

/// A message that was understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Message<'a> {
    Plain(Fields),
    Reply(Fields, Statement),
    Game { id: u16, stamp: u32, seat: u16, data: &'a [u8] },
}

impl<'a> Message<'a> {
    /// Reads one whole message.
    #[inline(never)]
    pub(super) fn decode(bytes: &'a [u8]) -> Result<Self, PeerError> {
        let (id, size) = head(bytes).ok_or(PeerError::Size(bytes.len()))?;
        if size != bytes.len() || size > MESSAGE_MOST {
            return Err(PeerError::Size(bytes.len()));
        }
        if id >= FIRST_GAME_ID {
            let (stamp, seat, zero) = (word(bytes, 4), half(bytes, 8), half(bytes, 10));
            return match (stamp, seat, zero) {
                (Some(stamp), Some(seat), Some(0)) => {
                    Ok(Message::Game { id, stamp, seat, data: &bytes[GAME_HEAD..] })
                }
                _ => Err(PeerError::Malformed(id)),
            };
        }
        let expected = match id {
            SYNCH_REPLY => REPLY,
            LOGIN | ERROR | LOGIN_OK | READY | BEGIN_GAME..=SYNCH_REQUEST | PRIMARY_CLIENT..=SYNCH_WAIT => {
                PLAIN
            }
            _ => return Err(PeerError::UnknownId(id)),
        };
        let fields = Fields::read(bytes, id).filter(|_| size == expected).ok_or(PeerError::Malformed(id))?;
        if id != SYNCH_REPLY {
            return Ok(Message::Plain(fields));
        }
        let said = Statement::read(bytes).ok_or(PeerError::Malformed(id))?;
        Ok(Message::Reply(fields, said))
    }
}

impl Fields {
    fn read(bytes: &[u8], id: u16) -> Option<Self> {
        let fields = Fields {
            id,
            first: half(bytes, 4)?,
            second: half(bytes, 6)?,
            generation: word(bytes, 8)?,
            proof: long(bytes, 12)?,
            number: long(bytes, 20)?,
            stamp: long(bytes, 28)? as i64,
        };
        ServerTime::from_ticks(fields.stamp).is_valid().then_some(fields)
    }

    /// As it travels.
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

impl Statement {
    fn read(bytes: &[u8]) -> Option<Self> {
        let said = Statement {
            hold: word(bytes, 36)?,
            authority: long(bytes, 44)?,
            base: long(bytes, 52)?,
            run: long(bytes, 60)?,
            loss: long(bytes, 68)? as i64,
            total: long(bytes, 76)? as i64,
        };
        (word(bytes, 40)? == 0 && said.loss >= 0 && said.total >= said.loss).then_some(said)
    }

    /// The whole reply, as it travels.
    pub(super) fn write(&self, fields: &Fields) -> [u8; REPLY] {
        let mut bytes = [0; REPLY];
        bytes[..PLAIN].copy_from_slice(&fields.write());
        bytes[2..4].copy_from_slice(&(REPLY as u16).to_be_bytes());
        bytes[36..40].copy_from_slice(&self.hold.to_be_bytes());
        let longs = [self.authority, self.base, self.run, self.loss as u64, self.total as u64];
        for (place, value) in bytes[44..].chunks_exact_mut(8).zip(longs) {
            place.copy_from_slice(&value.to_be_bytes());
        }
        bytes
    }
}

/// Writes how long the relay held a request or a reply into it. False if it was too long to be said.
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

/// Id and size, once four bytes are there.
pub(super) fn head(bytes: &[u8]) -> Option<(u16, usize)> {
    Some((half(bytes, 0)?, usize::from(half(bytes, 2)?)))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
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

    fn said() -> Statement {
        Statement { hold: 7, authority: 8, base: 9, run: 10, loss: 11, total: 12 }
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
        let reply = said().write(&fields(SYNCH_REPLY));
        assert_eq!(reply[..4], [0, 0x13, 0, 84]);
        assert_eq!(reply[36..52], [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8]);
        assert_eq!((reply[59], reply[67], reply[75], reply[83]), (9, 10, 11, 12));
    }

    #[test]
    fn what_was_written_is_read_back() {
        let ids = [1, 2, 3, 9, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17];
        for id in ids {
            assert_eq!(Message::decode(&fields(id).write()), Ok(Message::Plain(fields(id))));
        }
        let reply = fields(SYNCH_REPLY);
        assert_eq!(Message::decode(&said().write(&reply)), Ok(Message::Reply(reply, said())));
        for id in (0..FIRST_GAME_ID).filter(|id| !ids.contains(id) && *id != SYNCH_REPLY) {
            assert_eq!(Message::decode(&fields(id).write()), Err(PeerError::UnknownId(id)));
        }
    }

    #[test]
    fn every_other_length_is_refused() {
        for id in [LOGIN, SYNCH_REPLY] {
            for size in 0..200_u16 {
                let mut bytes = [0; 200];
                bytes[..2].copy_from_slice(&id.to_be_bytes());
                bytes[2..4].copy_from_slice(&size.to_be_bytes());
                let whole = usize::from(size) == if id == LOGIN { PLAIN } else { REPLY };
                let read = Message::decode(&bytes[..size.into()]);
                assert_eq!(read.is_ok(), whole, "{id:#x} of {size} bytes: {read:?}");
                // More or fewer bytes than it says.
                assert!(Message::decode(&bytes[..size.min(199) as usize + 1]).is_err());
            }
        }
        let mut long = [0; MESSAGE_MOST + 1];
        long[..4].copy_from_slice(&[1, 0, 4, 1]);
        assert_eq!(Message::decode(&long), Err(PeerError::Size(MESSAGE_MOST + 1)));
    }

    #[test]
    fn reserved_fields_and_impossible_stamps_are_refused() {
        let with = |at: usize, value: u8| {
            let mut bytes = said().write(&fields(SYNCH_REPLY));
            bytes[at] = value;
            Message::decode(&bytes).err()
        };
        for (at, value) in [(28, 0x7F), (40, 1), (43, 1), (68, 0x80), (76, 0x80), (83, 10)] {
            assert_eq!(with(at, value), Some(PeerError::Malformed(SYNCH_REPLY)), "byte {at}");
        }
        let game = [1, 0, 0, 13, 0, 0, 0, 5, 0, 2, 0, 0, 77];
        assert_eq!(Message::decode(&game), Ok(Message::Game { id: 0x100, stamp: 5, seat: 2, data: &[77] }));
        assert_eq!(Message::decode(&[1, 0, 0, 12, 0, 0, 0, 5, 0, 2, 0, 1]), Err(PeerError::Malformed(0x100)));
        assert_eq!(Message::decode(&[1, 0, 0, 6, 0, 0]), Err(PeerError::Malformed(0x100)));
    }

    #[test]
    fn holds_are_written_where_they_belong() {
        let (mut request, mut reply) = (fields(SYNCH_REQUEST).write(), said().write(&fields(SYNCH_REPLY)));
        assert!(stamp_hold(&mut request, 1) && stamp_hold(&mut reply, 2));
        assert_eq!(
            (request[20..28].to_vec(), reply[20..28].to_vec()),
            (vec![0, 0, 0, 1, 0x15, 0x16, 0x17, 0x18], vec![0x11, 0x12, 0x13, 0x14, 0, 0, 0, 2],)
        );
        assert!(!stamp_hold(&mut request, 1 << 32), "cannot be said in 32 bits");
    }
}
