//! Messages between a relay and its peers, as bytes, and out of a stream.

use core::ffi::c_void;

use crate::ffi::base::entries::{change, create, destroy};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::pointers::{bytes_in, copy_out, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::exchange::status::no_room;
use crate::ffi::peer::status::NETCLOCK_INCOMPLETE;
use crate::peer::{self, PeerError, StreamReader};

/// Longest message between a relay and its peers, in bytes; all of them fit a datagram. Room for one has so many bytes.
pub const NETCLOCK_MAX_MESSAGE_SIZE: usize = 1024;
/// Bytes of a game's own message before its data.
pub const NETCLOCK_GAME_HEADER_SIZE: usize = 12;
/// First id of a game's own messages.
pub const NETCLOCK_FIRST_GAME_ID: u16 = 256;

const _: () = assert!(
    NETCLOCK_MAX_MESSAGE_SIZE == peer::MESSAGE_MOST
        && NETCLOCK_GAME_HEADER_SIZE == peer::GAME_HEAD
        && NETCLOCK_FIRST_GAME_ID == peer::FIRST_GAME_ID
);

/// Takes the messages between a relay and its peers out of a stream of bytes: one for each direction of each connection.
/// Opaque; its calls are serialised by a lock. Datagrams carry one message each and need none.
pub struct NetclockStream(Owned<StreamReader>);

owned! { NetclockStream(StreamReader): "netclock_stream", "frames" }

/// Creates a decoder for a stream that begins and stores it in `*frames`, to be given back to `netclock_stream_destroy`.
/// Errors: `NETCLOCK_NULL_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_create(frames: *mut *mut NetclockStream) -> NetclockStatus {
    create!(netclock_stream_create, frames, { Ok(StreamReader::new()) })
}

/// Destroys a decoder. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live decoder, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_destroy(frames: *mut NetclockStream) -> NetclockStatus {
    destroy!(netclock_stream_destroy, frames)
}

/// Takes some of `length` bytes as they were read from the stream, and says in `*taken` how many: take the messages out
/// by `netclock_stream_next`, then give it the rest. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STREAM_BROKEN`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_push(
    frames: *mut NetclockStream,
    bytes: *const c_void,
    length: usize,
    taken: *mut usize,
) -> NetclockStatus {
    change!(netclock_stream_push, frames, |it| {
        writable(taken, "taken")?;
        // More than that it does not take at once.
        let given = bytes_in(bytes, length.min(NETCLOCK_MAX_MESSAGE_SIZE), "bytes")?;
        copy_out(taken, "taken", it.push(given)?)
    })
}

/// The next whole message, copied to where there is room for `capacity` bytes (at least `NETCLOCK_MAX_MESSAGE_SIZE`), and its
/// length. `NETCLOCK_INCOMPLETE`: not before more bytes come. Errors, after which the connection is to be closed:
/// `NETCLOCK_MESSAGE_SIZE` for a size that no message has, once, then `NETCLOCK_STREAM_BROKEN`; besides
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_next(
    frames: *mut NetclockStream,
    message: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_stream_next, frames, |it| {
        let room = message_room(message, capacity)?;
        writable(length, "length")?;
        let mut next = [0; NETCLOCK_MAX_MESSAGE_SIZE];
        let size = it.next_message(&mut next)?.ok_or_else(|| Failure::of(NETCLOCK_INCOMPLETE))?;
        room.copy_from(next.as_ptr(), size);
        copy_out(length, "length", size)
    })
}

/// Where a message goes, if any fits.
pub(crate) fn message_room(message: *mut c_void, capacity: usize) -> Outcome<*mut u8> {
    writable(message, "message")?;
    if capacity < NETCLOCK_MAX_MESSAGE_SIZE {
        return Err(no_room(capacity, NETCLOCK_MAX_MESSAGE_SIZE));
    }
    Ok(message.cast())
}

/// A message that was received. One that is longer than any is not looked at.
///
/// # Safety
/// `message` is null or points to `length` readable bytes, for as long as the result is used.
pub(crate) unsafe fn delivered_message<'a>(message: *const c_void, length: usize) -> Outcome<&'a [u8]> {
    if !message.is_null() && length > NETCLOCK_MAX_MESSAGE_SIZE {
        return Err(PeerError::Size(length).into());
    }
    // SAFETY: the caller's promise.
    unsafe { bytes_in(message, length, "message") }
}
