//! Messages between a relay and its peers, taken out of a byte stream.

use core::ffi::c_void;

use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::no_room;
use crate::ffi::game::peer::status::NETCLOCK_INCOMPLETE;
use crate::game::peer::{self, PeerError, StreamReader};

/// Longest message between a relay and its peers, in bytes. Every message fits a datagram. A buffer for one
/// has this many bytes.
pub const NETCLOCK_MAX_MESSAGE_SIZE: usize = 1024;
/// Bytes before the data in a game's own message.
pub const NETCLOCK_GAME_HEADER_SIZE: usize = 20;
/// First id of a game's own messages.
pub const NETCLOCK_FIRST_GAME_ID: u16 = 256;

const _: () = assert!(
    NETCLOCK_MAX_MESSAGE_SIZE == peer::MESSAGE_MOST
        && NETCLOCK_GAME_HEADER_SIZE == peer::GAME_HEAD
        && NETCLOCK_FIRST_GAME_ID == peer::FIRST_GAME_ID
);

/// Takes the messages between a relay and its peers out of a stream of bytes. Use one for each direction of
/// each connection. Opaque. Calls on it wait for each other. Datagrams carry one message each and need none.
pub struct NetclockStream(Owned<StreamReader>);

owned! { NetclockStream(StreamReader): "netclock_stream", "stream" }

/// Creates a decoder for a new stream and stores it in `*stream`. Give it back to
/// `netclock_stream_destroy`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_create(stream: *mut *mut NetclockStream) -> NetclockStatus {
    create!(netclock_stream_create, stream, { Ok(StreamReader::new()) })
}

/// Destroys a decoder, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_destroy(stream: *mut NetclockStream) -> NetclockStatus {
    destroy!(netclock_stream_destroy, stream)
}

/// Takes some of `length` bytes as they were read from the stream, and says in `*taken` how many. Take the
/// messages out with `netclock_stream_next`, then push the rest. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_STREAM_BROKEN`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_push(
    stream: *mut NetclockStream,
    bytes: *const c_void,
    length: usize,
    taken: *mut usize,
) -> NetclockStatus {
    change!(netclock_stream_push, stream, |it| {
        writable(taken, "taken")?;
        // It takes no more than this at once.
        let given = bytes_in(
            bytes,
            length.min(NETCLOCK_MAX_MESSAGE_SIZE),
            "bytes",
            NETCLOCK_MAX_MESSAGE_SIZE,
            PeerError::Size,
        )?;
        copy_out(taken, "taken", it.push(given)?)
    })
}

/// The next whole message and its length, into a buffer of `capacity` bytes. `NETCLOCK_INCOMPLETE`: more
/// bytes must come. Errors, after which you close the connection: `NETCLOCK_MESSAGE_SIZE` for a size that no
/// message has, once, then `NETCLOCK_STREAM_BROKEN`. Also `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if
/// the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_next(
    stream: *mut NetclockStream,
    message: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    change!(netclock_stream_next, stream, |it| {
        let room = message_room(message, capacity)?;
        writable(length, "length")?;
        let size = it.next_message(room)?.ok_or_else(|| Failure::of(NETCLOCK_INCOMPLETE))?;
        copy_out(length, "length", size)
    })
}

/// Where a message goes, if any fits.
///
/// # Safety
/// `message` is null or points to `capacity` writable bytes, for as long as the result is used.
pub(crate) unsafe fn message_room<'a>(
    message: *mut c_void,
    capacity: usize,
) -> Outcome<&'a mut [u8; NETCLOCK_MAX_MESSAGE_SIZE]> {
    writable(message, "message")?;
    if capacity < NETCLOCK_MAX_MESSAGE_SIZE {
        return Err(no_room(capacity, NETCLOCK_MAX_MESSAGE_SIZE));
    }
    // SAFETY: not null, and there is room for as much; any bytes are valid.
    Ok(unsafe { &mut *message.cast() })
}
