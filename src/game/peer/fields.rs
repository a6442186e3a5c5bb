//! The layout of messages. `message.rs` encodes and decodes them.
//!
//! `docs/relay-protocol.md` specifies the layout and lists the fields that each id uses. Unused fields are
//! zero. Requests and replies have the same length, so they cannot be used to amplify traffic.

/// Length of the id and the size, in bytes.
pub(super) const HEAD: usize = 4;
/// Length of a message that is neither part of an exchange nor a game message, in bytes.
pub(super) const PLAIN: usize = 36;
/// Length of a SYNCH_REQUEST or a SYNCH_REPLY, in bytes.
pub(super) const EXCHANGE: usize = 92;
/// Position of the proof in every message.
pub(super) const PROOF: usize = 12;
pub(super) const AFTER_PROOF: usize = PROOF + 8;
/// Positions at which the relay writes its hold of a request and of a reply.
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

/// Returns id and size, or `None` if there are fewer than four bytes.
pub(super) fn head(bytes: &[u8]) -> Option<(u16, usize)> {
    Some((u16_at(bytes, 0)?, usize::from(u16_at(bytes, 2)?)))
}

/// Returns whether all fields that the relay fills in are zero. The message is a complete request or reply.
pub(super) fn is_unstamped(bytes: &[u8]) -> bool {
    let fields = match head(bytes) {
        // Slot, reserved field, and both holds.
        Some((SYNCH_REQUEST, _)) => [bytes.get(4..8), bytes.get(HELD_THERE..HELD_BACK + 4)],
        // Reserved field, and the hold of the reply.
        Some((SYNCH_REPLY, _)) => [bytes.get(6..8), bytes.get(HELD_BACK..HELD_BACK + 4)],
        _ => return true,
    };
    fields.into_iter().flatten().flatten().all(|&byte| byte == 0)
}

/// Writes the relay's hold into a request or a reply. Returns false if it does not fit into 32 bits.
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

/// Returns the 16-bit number at `at`, or `None` if there are too few bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
