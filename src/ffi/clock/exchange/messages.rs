use crate::clock::{Reply, Request};
use crate::ffi::base::prelude::*;

/// A client's request. Send its fields in any format or as a datagram. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockRequest {
    /// `sizeof(netclock_request)` in the caller's program.
    pub struct_size: u32,
    /// 1 if the request should be sent reliably where the transport supports that, else 0. At most three
    /// requests per session need this, all before the client is synced.
    pub reliable: i32,
    /// Identifies the request. The server copies the id to the reply.
    pub id: u64,
    /// When the client sent the request, in ticks of the client's clock. Each client draws a random origin
    /// for these times, so that they do not reveal the uptime of its machine.
    pub client_time: NetclockLocalTime,
}

/// A server's reply. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockReply {
    /// `sizeof(netclock_reply)` in the caller's program.
    pub struct_size: u32,
    /// The longest time that the request may have waited before it was timestamped. This is `received` minus
    /// the time of the server's previous poll (ticks, at most 429 s). 1 means that the request was
    /// timestamped on arrival, and 0 means that the wait is unknown. `netclock_server_respond` writes 0.
    pub wait: u32,
    /// The id of the request.
    pub id: u64,
    /// The server epoch, which identifies the run of the server's clock to which the timestamps belong.
    pub epoch: u64,
    /// When the server received the request, in ticks of the server's clock.
    pub received: NetclockServerTime,
    /// When the server sent the reply, in ticks of the server's clock.
    pub sent: NetclockServerTime,
}

growable! { NetclockRequest: 24, NetclockReply: 40 }

to_c! { |request: Request| NetclockRequest { id, client_time, reliable } }

from_c! { |request: NetclockRequest| Request { id, client_time, reliable } }

to_c! { |reply: Reply| NetclockReply { id, epoch, received, sent, wait } }

from_c! { |reply: NetclockReply| Reply { id, epoch, received, sent, wait } }
