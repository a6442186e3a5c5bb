//! Requests and replies as datagrams.

use core::ffi::c_void;

use crate::clock::{WireError, wire};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest, reply_in};
use crate::ffi::clock::exchange::status;

/// Length of a request and of a reply as a datagram, in bytes.
pub const NETCLOCK_DATAGRAM_SIZE: usize = 32;

const _: () = assert!(NETCLOCK_DATAGRAM_SIZE == wire::SIZE);

/// Writes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes.
/// `reliable` is not sent. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_WIRE_STAMP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_request(
    request: *const NetclockRequest,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_request, {
        let request = grow_in(request, "request")?.into();
        post(datagram, capacity, || wire::encode_request(&request))
    })
}

/// Reads a request from a datagram of `length` bytes. Errors: one of `NETCLOCK_WIRE_...` for a datagram to be
/// ignored, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_decode_request(
    datagram: *const c_void,
    length: usize,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    entry!(netclock_decode_request, {
        check_size(request, "request")?;
        let decoded = wire::decode_request(delivered::<{ wire::SIZE }>(datagram, length, "datagram")?)?;
        grow_out(request, "request", decoded)
    })
}

/// Writes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes. Errors
/// as `netclock_encode_request`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_reply(
    reply: *const NetclockReply,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_reply, {
        let reply = reply_in(reply)?;
        post(datagram, capacity, || wire::encode_reply(&reply))
    })
}

/// Reads a reply from a datagram of `length` bytes. Errors as `netclock_decode_request`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_decode_reply(
    datagram: *const c_void,
    length: usize,
    reply: *mut NetclockReply,
) -> NetclockStatus {
    entry!(netclock_decode_reply, {
        check_size(reply, "reply")?;
        let decoded = wire::decode_reply(delivered::<{ wire::SIZE }>(datagram, length, "datagram")?)?;
        grow_out(reply, "reply", decoded)
    })
}

/// Writes a datagram, if there is room for it.
///
/// # Safety
/// `datagram` is null or has room for `capacity` bytes.
pub(crate) unsafe fn post<const N: usize, E: Into<Failure>>(
    datagram: *mut c_void,
    capacity: usize,
    encode: impl FnOnce() -> Result<[u8; N], E>,
) -> Outcome {
    let room = room::<N>(datagram, capacity)?;
    // SAFETY: not null, and there is room for as much.
    unsafe { copy_out(room, "datagram", encode().map_err(Into::into)?) }
}

/// Where a datagram goes, if it fits.
pub(crate) fn room<const N: usize>(datagram: *mut c_void, capacity: usize) -> Outcome<*mut [u8; N]> {
    writable(datagram, "datagram")?;
    if capacity < N { Err(status::no_room(capacity, N)) } else { Ok(datagram.cast()) }
}

/// The bytes of a datagram that was received as the argument `name`. One of another length is not looked at.
///
/// # Safety
/// `datagram` is null or points to `length` readable bytes, for as long as the result is used.
pub(crate) unsafe fn delivered<'a, const N: usize>(
    datagram: *const c_void,
    length: usize,
    name: &'static str,
) -> Outcome<&'a [u8; N]> {
    if !datagram.is_null() && length != N {
        return Err(WireError::Length(length).into());
    }
    // SAFETY: null, or as many bytes are there; bytes need no alignment.
    unsafe { datagram.cast::<[u8; N]>().as_ref() }.ok_or_else(|| Failure::null(name))
}
