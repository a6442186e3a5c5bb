//! Extracts messages between a relay and its peers from a byte stream.

use core::ffi::c_void;

use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::no_room;
use crate::ffi::game::peer::status::NETCLOCK_INCOMPLETE;
use crate::game::peer::{self, PeerError, StreamReader};

/// Maximum size of a message between a relay and its peers, in bytes. Every message fits into a datagram.
/// Message buffers must have this size.
pub const NETCLOCK_MAX_MESSAGE_SIZE: usize = 1024;
/// Number of bytes before the data in a game message.
pub const NETCLOCK_GAME_HEADER_SIZE: usize = 20;
/// The smallest id of a game message.
pub const NETCLOCK_FIRST_GAME_ID: u16 = 256;

const _: () = assert!(
    NETCLOCK_MAX_MESSAGE_SIZE == peer::MESSAGE_MOST
        && NETCLOCK_GAME_HEADER_SIZE == peer::GAME_HEAD
        && NETCLOCK_FIRST_GAME_ID == peer::FIRST_GAME_ID
);

/// A decoder that extracts the messages between a relay and its peers from a byte stream. Use one for each
/// direction of each connection. Datagrams carry one message each and need no decoder. Opaque.
pub struct NetclockStream(Owned<StreamReader>);

owned! { NetclockStream(StreamReader): "netclock_stream", "stream" }

/// Creates a decoder for a new stream and stores it in `*stream`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_create(stream: *mut *mut NetclockStream) -> NetclockStatus {
    create!(netclock_stream_create, stream, { Ok(StreamReader::new()) })
}

/// Destroys a decoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_destroy(stream: *mut NetclockStream) -> NetclockStatus {
    destroy!(netclock_stream_destroy, stream)
}

/// Adds as many of the `length` bytes from the stream as fit, and returns their number in `*taken`. Extract
/// the messages with `netclock_stream_next`, then push the remaining bytes. Errors: `NETCLOCK_STREAM_BROKEN`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_stream_push(
    stream: *mut NetclockStream,
    bytes: *const c_void,
    length: usize,
    taken: *mut usize,
) -> NetclockStatus {
    change!(netclock_stream_push, stream, |it| {
        writable(taken, "taken")?;
        // The reader takes at most this many bytes at once.
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

/// Returns the next complete message in a buffer of `capacity` bytes, and its size in `*length`. Returns
/// `NETCLOCK_INCOMPLETE` if more bytes must arrive. Close the connection after an error. Errors:
/// `NETCLOCK_MESSAGE_SIZE` once for an impossible size, then `NETCLOCK_STREAM_BROKEN`.
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

/// The caller's buffer for a message.
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
    // SAFETY: not null, with sufficient room; any bytes are valid.
    Ok(unsafe { &mut *message.cast() })
}
