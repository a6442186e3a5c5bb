//! The bytes of a message. `message.rs` names them.
//!
//! `docs/relay-protocol.md` has the tables, and lists the fields that each id uses; the others are zero.
//! Messages of an exchange have the same length in both directions, so no reply is longer than its request.

/// Bytes of id and size.
pub(super) const HEAD: usize = 4;
/// Bytes of a message that belongs neither to an exchange nor to the game.
pub(super) const PLAIN: usize = 36;
/// Bytes of a SYNCH_REQUEST and of a SYNCH_REPLY.
pub(super) const EXCHANGE: usize = 92;
/// The position of the proof in every message, and its end.
pub(super) const PROOF: usize = 12;
pub(super) const AFTER_PROOF: usize = PROOF + 8;
/// The positions at which the relay writes its hold of a request and of a reply.
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

/// Id and size, once four bytes have arrived.
pub(super) fn head(bytes: &[u8]) -> Option<(u16, usize)> {
    Some((u16_at(bytes, 0)?, usize::from(u16_at(bytes, 2)?)))
}

/// Whether a complete request or reply still has zero in all fields that the relay fills in.
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

/// Writes the relay's hold into a request or a reply. False if it does not fit into 32 bits.
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

/// The 16-bit number at `at`, or `None` if there are too few bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
