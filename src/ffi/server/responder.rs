//! The server's handle.

use crate::ffi::base::entries::{create, destroy, read};
use crate::ffi::base::handle::{Handle, Poison};
use crate::ffi::base::pointers::{copy_in, copy_out, writable};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::exchange::wire::{NetclockReply, NetclockRequest};
use crate::ffi::server::status;
use crate::server::Responder;
use crate::time::ServerTime;

/// A server: answers requests and remembers nobody. Opaque; usable from any number of threads at once.
pub struct NetclockServer {
    poison: Poison,
    responder: Responder,
}

impl Handle for NetclockServer {
    const KIND: &'static str = "netclock_server";
    const ARGUMENT: &'static str = "server";
    type Value = Responder;

    fn new(responder: Responder) -> Self {
        NetclockServer { poison: Poison::default(), responder }
    }

    fn poison(&self) -> &Poison {
        &self.poison
    }
}

/// Creates a server and stores it in `*server`, to be given back to `netclock_server_destroy`. `epoch` names this
/// run of the server's clock: draw a random number whenever that clock starts anew. Errors:
/// `NETCLOCK_NULL_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_create(
    epoch: u64,
    server: *mut *mut NetclockServer,
) -> NetclockStatus {
    create!(netclock_server_create, server, { Ok(Responder::new(epoch)) })
}

/// Destroys a server. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live server, which is found out without looking at what is there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_destroy(server: *mut NetclockServer) -> NetclockStatus {
    destroy!(netclock_server_destroy, server)
}

/// Answers `*request`, received at server time `received` and about to be sent at `sent` (ticks of the server's
/// monotonic clock, stamped as close to the network as possible), into `*reply`. The time between the two does no
/// harm. On an error send nothing. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_STAMP_OUT_OF_RANGE`,
/// `NETCLOCK_SENT_BEFORE_RECEIVED`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_respond(
    server: *const NetclockServer,
    request: *const NetclockRequest,
    received: i64,
    sent: i64,
    reply: *mut NetclockReply,
) -> NetclockStatus {
    read!(netclock_server_respond, server, |handle| {
        let request = copy_in(request, "request")?.into();
        writable(reply, "reply")?;
        let (received, sent) = (ServerTime::from_ticks(received), ServerTime::from_ticks(sent));
        let answer = handle.responder.respond(&request, received, sent);
        let answer = answer.map_err(|error| status::respond(error, received, sent))?;
        copy_out(reply, "reply", answer.into())
    })
}
