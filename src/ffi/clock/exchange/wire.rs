use core::ffi::c_void;

use crate::clock::{WireError, wire};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::exchange::status::NETCLOCK_WIRE_LENGTH;

/// The size of a request or a reply as a datagram, in bytes.
pub const NETCLOCK_DATAGRAM_SIZE: usize = 32;

const _: () = assert!(NETCLOCK_DATAGRAM_SIZE == wire::SIZE);

/// Encodes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
/// bytes. The datagram does not contain the field `reliable`. Errors: `NETCLOCK_WIRE_STAMP`.
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

/// Decodes a request from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
/// `NETCLOCK_WIRE_...` if the datagram is not a valid request.
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

/// Encodes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity`
/// bytes. Errors: `NETCLOCK_WIRE_STAMP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_reply(
    reply: *const NetclockReply,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_reply, {
        let reply = grow_in(reply, "reply")?.into();
        post(datagram, capacity, || wire::encode_reply(&reply))
    })
}

/// Decodes a reply from a datagram of `length` bytes. Ignore the datagram if this fails. Errors:
/// `NETCLOCK_WIRE_...` if the datagram is not a valid reply.
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

/// `datagram` must be null or have room for `capacity` bytes.
pub(crate) unsafe fn post<const N: usize, E: Into<Failure>>(
    datagram: *mut c_void,
    capacity: usize,
    encode: impl FnOnce() -> Result<[u8; N], E>,
) -> Outcome {
    let room = room::<N>(datagram, capacity)?;
    // SAFETY: the buffer is not null and has sufficient room.
    unsafe { copy_out(room, "datagram", encode().map_err(Into::into)?) }
}

pub(crate) fn room<const N: usize>(datagram: *mut c_void, capacity: usize) -> Outcome<*mut [u8; N]> {
    Ok(room_for(datagram, "datagram", capacity, N)?.cast())
}

pub(crate) fn room_for(
    out: *mut c_void,
    name: &'static str,
    capacity: usize,
    needed: usize,
) -> Outcome<*mut u8> {
    if capacity >= needed || out.is_null() {
        return writable(out.cast(), name);
    }
    Err(Failure::because(NETCLOCK_WIRE_LENGTH, move |f| {
        write!(f, "capacity is {capacity}, but the datagram needs {needed} bytes")
    }))
}

/// Reads the bytes only if `length` is correct. `datagram` must be null or point to `length` bytes that stay
/// readable while the result is used.
pub(crate) unsafe fn delivered<'a, const N: usize>(
    datagram: *const c_void,
    length: usize,
    name: &'static str,
) -> Outcome<&'a [u8; N]> {
    if !datagram.is_null() && length != N {
        return Err(WireError::Length(length).into());
    }
    // SAFETY: `datagram` is null or points to `N` readable bytes, which need no alignment.
    unsafe { datagram.cast::<[u8; N]>().as_ref() }.ok_or_else(|| Failure::null(name))
}

/// Returns the caller's bytes. Fails without reading the bytes if there are more than `most`.
///
/// # Safety
/// `bytes` must be null or point to `length` bytes that stay readable while the result is used.
#[cfg(feature = "session")]
pub(crate) unsafe fn bytes_in<'a>(
    bytes: *const c_void,
    length: usize,
    name: &'static str,
    most: usize,
) -> Outcome<&'a [u8]> {
    let bytes = writable(bytes.cast_mut(), name)?;
    if length > most {
        return Err(WireError::Length(length).into());
    }
    // SAFETY: not null, and the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts(bytes.cast(), length) })
}
