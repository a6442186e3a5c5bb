//! Requests and replies as structures.

use crate::clock::{LocalTime, Reply, Request, RequestId, ServerTime};
use crate::ffi::base::failure::Outcome;
use crate::ffi::base::growable::{Growable, grow_in, growable, reserved};

/// What the client asks. Send its fields by any means or as a datagram. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockRequest {
    /// `sizeof(netclock_request)` as compiled into the caller.
    pub struct_size: u32,
    /// 1 if a transport that can should send it reliably (three requests at most, until the clock is synced),
    /// else 0.
    pub reliable: i32,
    /// The server copies it into the reply.
    pub id: u64,
    /// When the client sent it, in ticks of the client's clock, from an origin that each client draws. So it
    /// does not tell how long the client's machine has been up.
    pub client_time: i64,
}

/// What the server answers. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockReply {
    /// `sizeof(netclock_reply)` as compiled into the caller.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The request's id.
    pub id: u64,
    /// The server epoch: it names the run of the server's clock that the stamps belong to.
    pub epoch: u64,
    /// When the server received the request, in ticks of the server's clock.
    pub received: i64,
    /// When the server sent this reply, in ticks of the server's clock.
    pub sent: i64,
}

growable! { NetclockRequest: 24, NetclockReply: 40 }

impl From<Request> for NetclockRequest {
    fn from(request: Request) -> Self {
        NetclockRequest {
            id: request.id.0,
            client_time: request.client_time.ticks(),
            reliable: i32::from(request.reliable),
            ..Self::zero()
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
            ..Self::zero()
        }
    }
}

/// # Safety
/// As [`grow_in`].
pub(crate) unsafe fn reply_in(from: *const NetclockReply) -> Outcome<Reply> {
    // SAFETY: the caller's promise.
    let reply = unsafe { grow_in(from, "reply")? };
    reserved(reply.reserved, "reply")?;
    Ok(Reply {
        id: RequestId(reply.id),
        epoch: reply.epoch,
        received: ServerTime::from_ticks(reply.received),
        sent: ServerTime::from_ticks(reply.sent),
    })
}
