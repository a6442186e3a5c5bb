//! The server's handle.

use crate::ffi::base::boundary::{self, Handle, Poison};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::exchange::wire::{NetclockReply, NetclockRequest};
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
    boundary::entry("netclock_server_create", || {
        let handle = NetclockServer { poison: Poison::default(), responder: Responder::new(epoch) };
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(handle, server) }
    })
}

/// Destroys a server. Null is allowed and does nothing. No other call may be using it, and none may follow. Errors:
/// `NETCLOCK_UNKNOWN_HANDLE` if it is no live server, which is found out without looking at what is there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_destroy(server: *mut NetclockServer) -> NetclockStatus {
    // SAFETY: if it is a live server, nobody uses it any more, as the header asks of the caller.
    unsafe { boundary::take_back("netclock_server_destroy", server) }
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        boundary::on_handle("netclock_server_respond", server, |handle| {
            let request = boundary::copy_in(request, "request")?.into();
            boundary::writable(reply, "reply")?;
            let (received, sent) = (ServerTime::from_ticks(received), ServerTime::from_ticks(sent));
            let answer = handle.responder.respond(&request, received, sent);
            let answer = answer.map_err(|error| Failure::Respond(error, received, sent))?;
            boundary::copy_out(reply, "reply", answer.into())
        })
    }
}
