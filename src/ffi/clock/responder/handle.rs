use crate::clock::{RespondError, Responder, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::exchange::status::NETCLOCK_SENT_BEFORE_RECEIVED;

/// A server that answers requests and stores no client state. Any number of threads may share it. Opaque.
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

/// Creates a server and stores it in `*server`. `epoch` identifies this run of the server's clock, so draw a
/// random number whenever the clock starts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_create(
    epoch: u64,
    server: *mut *mut NetclockServer,
) -> NetclockStatus {
    create!(netclock_server_create, server, { Ok(Responder::new(epoch)) })
}

/// Destroys a server.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_server_destroy(server: *mut NetclockServer) -> NetclockStatus {
    destroy!(netclock_server_destroy, server)
}

/// Answers `*request` with a reply in `*reply`. The request arrived at server time `received`, and the reply
/// will be sent at `sent`. Read both times from the server's monotonic clock, as close to the network as
/// possible. A delay between the two is harmless. After an error, send nothing. Errors:
/// `NETCLOCK_SENT_BEFORE_RECEIVED`.
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

pub(crate) fn refused(error: RespondError, received: ServerTime, sent: ServerTime) -> Failure {
    match error {
        RespondError::StampOutOfRange => Failure::because(NETCLOCK_STAMP_OUT_OF_RANGE, move |f| {
            let ticks = [received.ticks(), sent.ticks()];
            failure::write_stamp_out_of_range(f, &["received", "sent"], &ticks)
        }),
        RespondError::SentBeforeReceived => Failure::because(NETCLOCK_SENT_BEFORE_RECEIVED, move |f| {
            write!(f, "sent is {} ticks before received", (received - sent).ticks())
        }),
    }
}
