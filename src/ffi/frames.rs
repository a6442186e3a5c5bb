//! Messages between a relay and its peers, as bytes, and out of a stream.

use core::ffi::c_void;

use parking_lot::Mutex;

use super::boundary::{self, Handle, Outcome, Poison};
use super::failure::Failure;
use super::owned::{self, Owner};
use super::status::NetclockStatus;
use crate::peer::{self, PeerError, StreamReader};

/// Longest message between a relay and its peers, in bytes; all of them fit a datagram. Room for one has so many bytes.
pub const NETCLOCK_MESSAGE_MOST: usize = 1024;
/// Bytes of a game's own message before its data.
pub const NETCLOCK_GAME_HEAD: usize = 12;
/// First id of a game's own messages.
pub const NETCLOCK_FIRST_GAME_ID: u16 = 256;

const _: () = assert!(
    NETCLOCK_MESSAGE_MOST == peer::MESSAGE_MOST
        && NETCLOCK_GAME_HEAD == peer::GAME_HEAD
        && NETCLOCK_FIRST_GAME_ID == peer::FIRST_GAME_ID
);

/// Takes the messages between a relay and its peers out of a stream of bytes: one for each direction of each connection.
/// Opaque; its calls are serialised by a lock. Datagrams carry one message each and need none.
pub struct NetclockFrames {
    poison: Poison,
    frames: Mutex<StreamReader>,
}

impl Handle for NetclockFrames {
    const KIND: &'static str = "netclock_frames";
    const ARGUMENT: &'static str = "frames";

    fn poison(&self) -> &Poison {
        &self.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        owned::unless_locked(&self.frames)
    }
}

impl Owner for NetclockFrames {
    type Value = StreamReader;

    fn value(&self) -> &Mutex<StreamReader> {
        &self.frames
    }
}

/// Creates a decoder for a stream that begins and stores it in `*frames`, to be given back to `netclock_frames_destroy`.
/// Errors: `NETCLOCK_NULL_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_frames_create(frames: *mut *mut NetclockFrames) -> NetclockStatus {
    boundary::entry("netclock_frames_create", || {
        let handle = NetclockFrames { poison: Poison::default(), frames: Mutex::new(StreamReader::new()) };
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(handle, frames) }
    })
}

/// Destroys a decoder. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live decoder, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_frames_destroy(frames: *mut NetclockFrames) -> NetclockStatus {
    // SAFETY: if it is a live decoder, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_frames_destroy", frames) }
}

/// Takes some of `length` bytes as they were read from the stream, and says in `*taken` how many: take the messages out
/// by `netclock_frames_next`, then give it the rest. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STREAM_BROKEN`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_frames_push(
    frames: *mut NetclockFrames,
    bytes: *const c_void,
    length: usize,
    taken: *mut usize,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_frames_push", frames, &mut |it| {
            boundary::writable(taken, "taken")?;
            // More than that it does not take at once.
            let given = some_bytes(bytes, length.min(NETCLOCK_MESSAGE_MOST), "bytes")?;
            boundary::copy_out(taken, "taken", it.push(given)?)
        })
    }
}

/// The next whole message, copied to where there is room for `capacity` bytes (at least `NETCLOCK_MESSAGE_MOST`), and its
/// length. `NETCLOCK_INCOMPLETE`: not before more bytes come. Errors, after which the connection is to be closed:
/// `NETCLOCK_MESSAGE_SIZE` for a size that no message has, once, then `NETCLOCK_STREAM_BROKEN`; besides
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_frames_next(
    frames: *mut NetclockFrames,
    message: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        owned::change("netclock_frames_next", frames, &mut |it| {
            let room = message_room(message, capacity)?;
            boundary::writable(length, "length")?;
            let mut next = [0; NETCLOCK_MESSAGE_MOST];
            let size = it.next_message(&mut next)?.ok_or(Failure::Incomplete)?;
            room.copy_from(next.as_ptr(), size);
            boundary::copy_out(length, "length", size)
        })
    }
}

/// Where a message goes, if any fits.
pub(super) fn message_room(message: *mut c_void, capacity: usize) -> Outcome<*mut u8> {
    boundary::writable(message, "message")?;
    if capacity < NETCLOCK_MESSAGE_MOST {
        return Err(Failure::Capacity { given: capacity, needed: NETCLOCK_MESSAGE_MOST });
    }
    Ok(message.cast())
}

/// A message that was received. One that is longer than any is not looked at.
///
/// # Safety
/// `message` is null or points to `length` readable bytes, for as long as the result is used.
pub(super) unsafe fn delivered_message<'a>(message: *const c_void, length: usize) -> Outcome<&'a [u8]> {
    if !message.is_null() && length > NETCLOCK_MESSAGE_MOST {
        return Err(Failure::Peer(PeerError::Size(length)));
    }
    // SAFETY: the caller's promise.
    unsafe { some_bytes(message, length, "message") }
}

/// # Safety
/// `bytes` is null or points to `length` readable bytes, for as long as the result is used.
pub(super) unsafe fn some_bytes<'a>(
    bytes: *const c_void,
    length: usize,
    name: &'static str,
) -> Outcome<&'a [u8]> {
    if bytes.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: not null, and the caller's promise; the length was checked to be small.
    Ok(unsafe { core::slice::from_raw_parts(bytes.cast(), length) })
}
