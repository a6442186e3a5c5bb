//! Requests and replies as structures.

use crate::clock::{Reply, Request};
use crate::ffi::base::prelude::*;

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
    pub client_time: NetclockLocalTime,
}

/// What the server answers. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockReply {
    /// `sizeof(netclock_reply)` as compiled into the caller.
    pub struct_size: u32,
    /// The longest time that the request can have waited for its stamp: `received` minus the time at which
    /// the server last looked for messages before (ticks, at most 429 s). 1: it was stamped on arrival. 0:
    /// unknown, as `netclock_server_respond` writes it.
    pub wait: u32,
    /// The request's id.
    pub id: u64,
    /// The server epoch: it names the run of the server's clock that the stamps belong to.
    pub epoch: u64,
    /// When the server received the request, in ticks of the server's clock.
    pub received: NetclockServerTime,
    /// When the server sent this reply, in ticks of the server's clock.
    pub sent: NetclockServerTime,
}

growable! { NetclockRequest: 24, NetclockReply: 40 }

to_c! { |request: Request| NetclockRequest { id, client_time, reliable } }

from_c! { |request: NetclockRequest| Request { id, client_time, reliable } }

to_c! { |reply: Reply| NetclockReply { id, epoch, received, sent, wait } }

from_c! { |reply: NetclockReply| Reply { id, epoch, received, sent, wait } }

/// # Safety
/// As [`grow_in`].
pub(crate) unsafe fn reply_in(from: *const NetclockReply) -> Outcome<Reply> {
    // SAFETY: the caller's promise.
    Ok(unsafe { grow_in(from, "reply")? }.into())
}
