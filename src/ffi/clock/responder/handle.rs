//! The server's handle.

use crate::clock::{RespondError, Responder, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::exchange::status::NETCLOCK_SENT_BEFORE_RECEIVED;

/// A server: answers requests, keeps nothing about clients. Opaque. Any threads may use it at once.
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

/// Creates a server and stores it in `*server`. Give it back to `netclock_server_destroy`. `epoch` names
/// this run of the server's clock: draw a random number whenever that clock starts. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_create(
    epoch: u64,
    server: *mut *mut NetclockServer,
) -> NetclockStatus {
    create!(netclock_server_create, server, { Ok(Responder::new(epoch)) })
}

/// Destroys a server, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_destroy(server: *mut NetclockServer) -> NetclockStatus {
    destroy!(netclock_server_destroy, server)
}

/// Answers `*request`, which arrived at server time `received` and will leave at `sent`, into `*reply`. Both
/// are by the server's monotonic clock, stamped as close to the network as possible. The time between them
/// does no harm. On an error send nothing. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_SENT_BEFORE_RECEIVED`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_respond(
    server: *const NetclockServer,
    request: *const NetclockRequest,
    received: NetclockServerTime,
    sent: NetclockServerTime,
    reply: *mut NetclockReply,
) -> NetclockStatus {
    read!(netclock_server_respond, server, |handle| {
        let request = grow_in(request, "request")?.into();
        check_size(reply, "reply")?;
        let (received, sent) = (ServerTime::from_ticks(received), ServerTime::from_ticks(sent));
        let answer = handle.responder.respond(&request, received, sent);
        grow_out(reply, "reply", answer.map_err(|error| refused(error, received, sent))?)
    })
}

/// The stamps of a reply were refused.
pub(crate) fn refused(error: RespondError, received: ServerTime, sent: ServerTime) -> Failure {
    match error {
        RespondError::StampOutOfRange => failure::stamps(
            NETCLOCK_STAMP_OUT_OF_RANGE,
            &["received", "sent"],
            [received.ticks(), sent.ticks(), 0, 0],
        ),
        RespondError::SentBeforeReceived => Failure::because(NETCLOCK_SENT_BEFORE_RECEIVED, move |f| {
            write!(f, "sent is {} ticks before received", (received - sent).ticks())
        }),
    }
}
