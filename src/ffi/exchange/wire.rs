//! Messages, as structures and as datagrams.

use core::ffi::c_void;

use crate::exchange::WireError;
use crate::exchange::wire;
use crate::exchange::{Reply, Request, RequestId};
use crate::ffi::base::entries::entry;
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::pointers::{copy_in, copy_out, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::exchange::status;
use crate::time::{LocalTime, ServerTime};

/// Length of a request and of a reply as a datagram, in bytes.
pub const NETCLOCK_DATAGRAM_SIZE: usize = 32;

const _: () = assert!(NETCLOCK_DATAGRAM_SIZE == wire::SIZE);

/// What the client asks. Send it to the server by any means, or as a datagram.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetclockRequest {
    /// To be echoed in the reply.
    pub id: u64,
    /// When the client sent it, in ticks of the client's clock.
    pub client_time: i64,
    /// 1 if a transport that can should send it reliably (until synced), else 0.
    pub reliable: i32,
    /// Zero.
    pub reserved: i32,
}

/// What the server answers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetclockReply {
    /// The request's id.
    pub id: u64,
    /// The run of the server's clock that the stamps belong to.
    pub epoch: u64,
    /// When the server received the request, in ticks of the server's clock.
    pub received: i64,
    /// When the server sent this reply, in ticks of the server's clock.
    pub sent: i64,
}

impl From<Request> for NetclockRequest {
    fn from(request: Request) -> Self {
        NetclockRequest {
            id: request.id.0,
            client_time: request.client_time.ticks(),
            reliable: i32::from(request.reliable),
            reserved: 0,
        }
    }
}

impl From<NetclockRequest> for Request {
    fn from(request: NetclockRequest) -> Self {
        Request {
            id: RequestId(request.id),
            client_time: LocalTime::from_ticks(request.client_time),
            reliable: request.reliable != 0,
        }
    }
}

impl From<Reply> for NetclockReply {
    fn from(reply: Reply) -> Self {
        NetclockReply {
            id: reply.id.0,
            epoch: reply.epoch,
            received: reply.received.ticks(),
            sent: reply.sent.ticks(),
        }
    }
}

impl From<NetclockReply> for Reply {
    fn from(reply: NetclockReply) -> Self {
        Reply {
            id: RequestId(reply.id),
            epoch: reply.epoch,
            received: ServerTime::from_ticks(reply.received),
            sent: ServerTime::from_ticks(reply.sent),
        }
    }
}

/// Writes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to where there is room for `capacity` bytes.
/// `reliable` does not travel. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the room is too small,
/// `NETCLOCK_WIRE_STAMP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_request(
    request: *const NetclockRequest,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_request, {
        let request = copy_in(request, "request")?.into();
        post(datagram, capacity, || wire::encode_request(&request))
    })
}

/// Reads a request from a datagram of `length` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`, or one of
/// `NETCLOCK_WIRE_...` for a datagram that must be ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_decode_request(
    datagram: *const c_void,
    length: usize,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    entry!(netclock_decode_request, {
        writable(request, "request")?;
        let decoded = wire::decode_request(delivered::<{ wire::SIZE }>(datagram, length)?)?;
        copy_out(request, "request", decoded.into())
    })
}

/// Writes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes to where there is room for `capacity` bytes.
/// Errors as `netclock_encode_request`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_reply(
    reply: *const NetclockReply,
    datagram: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    entry!(netclock_encode_reply, {
        let reply = copy_in(reply, "reply")?.into();
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
        writable(reply, "reply")?;
        let decoded = wire::decode_reply(delivered::<{ wire::SIZE }>(datagram, length)?)?;
        copy_out(reply, "reply", decoded.into())
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

/// The bytes of a datagram that was received. One of another length is not looked at.
///
/// # Safety
/// `datagram` is null or points to `length` readable bytes, for as long as the result is used.
pub(crate) unsafe fn delivered<'a, const N: usize>(
    datagram: *const c_void,
    length: usize,
) -> Outcome<&'a [u8; N]> {
    if !datagram.is_null() && length != N {
        return Err(WireError::Length(length).into());
    }
    // SAFETY: null, or as many bytes are there; bytes need no alignment.
    unsafe { datagram.cast::<[u8; N]>().as_ref() }.ok_or_else(|| Failure::null("datagram"))
}
