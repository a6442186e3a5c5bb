//! Messages, as structures and as datagrams.

use core::ffi::c_void;

use super::boundary;
use super::status::NetclockStatus;
use crate::exchange::{Reply, Request, RequestId, wire};
use crate::time::{LocalTime, ServerTime};

/// Length of every datagram, in bytes.
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

/// Writes a request as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes. `reliable` does not travel. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_STAMP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_request(
    request: *const NetclockRequest,
    datagram: *mut c_void,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    boundary::entry(|| unsafe {
        let bytes = wire::encode_request(&boundary::copy_in(request)?.into())?;
        boundary::copy_out(datagram.cast(), bytes)
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    boundary::entry(|| unsafe {
        let decoded = wire::decode_request(boundary::bytes_in(datagram, length)?)?;
        boundary::copy_out(request, decoded.into())
    })
}

/// Writes a reply as a datagram of `NETCLOCK_DATAGRAM_SIZE` bytes. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_WIRE_STAMP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_encode_reply(
    reply: *const NetclockReply,
    datagram: *mut c_void,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    boundary::entry(|| unsafe {
        let bytes = wire::encode_reply(&boundary::copy_in(reply)?.into())?;
        boundary::copy_out(datagram.cast(), bytes)
    })
}

/// Reads a reply from a datagram of `length` bytes. Errors as `netclock_decode_request`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_decode_reply(
    datagram: *const c_void,
    length: usize,
    reply: *mut NetclockReply,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    boundary::entry(|| unsafe {
        let decoded = wire::decode_reply(boundary::bytes_in(datagram, length)?)?;
        boundary::copy_out(reply, decoded.into())
    })
}
