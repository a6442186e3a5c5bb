//! The client's handle and the calls that change it.

use parking_lot::Mutex;

use crate::client::{Client, Reader, Sample};
use crate::exchange::Exchange;
use crate::ffi::base::boundary;
use crate::ffi::base::entries::{create, destroy};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::growable::optional;
use crate::ffi::base::handle::{self, Handle, Poison};
use crate::ffi::base::owned;
use crate::ffi::base::pointers::{copy_in, copy_out, seed, writable};
use crate::ffi::base::status::{NETCLOCK_NOTHING_DUE, NetclockStatus};
use crate::ffi::client::config::NetclockConfig;
use crate::ffi::client::hooks::{Hooks, News};
use crate::ffi::client::status;
use crate::ffi::exchange::wire::{NetclockReply, NetclockRequest};
use crate::time::{LocalTime, ServerTime, Span};

/// A client: follows one server's clock. Opaque.
///
/// Calls that change it are serialised by a lock, so that calling from two threads is safe though pointless; the
/// log is told of it. Calls that read it never wait. Using it while or after it is destroyed is an error that
/// nobody can detect in general.
pub struct NetclockClient {
    pub(crate) front: Front,
    pub(crate) hooks: Hooks,
    writer: Mutex<Client>,
}

/// What a read needs of a handle. A structure of its own keeps it together, in one cache line instead of two.
pub(crate) struct Front {
    pub(crate) poison: Poison,
    pub(crate) reader: Reader,
}

impl Handle for NetclockClient {
    const KIND: &'static str = "netclock_client";
    const ARGUMENT: &'static str = "client";
    type Value = Client;

    fn new(client: Client) -> Self {
        let front = Front { poison: Poison::default(), reader: client.reader() };
        NetclockClient { front, hooks: Hooks::default(), writer: Mutex::new(client) }
    }

    fn poison(&self) -> &Poison {
        &self.front.poison
    }

    fn may_be_destroyed(&self) -> Outcome {
        if self.hooks.are_running() { Err(owned::busy()) } else { owned::unless_locked(&self.writer) }
    }
}

/// Creates a client that knows nothing yet and stores it in `*client`, to be given back to
/// `netclock_client_destroy`.
///
/// `config` may be null for all defaults. `seed_high` and `seed_low` make request ids unguessable: draw 128 bits
/// from the operating system. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_create(
    config: *const NetclockConfig,
    seed_high: u64,
    seed_low: u64,
    client: *mut *mut NetclockClient,
) -> NetclockStatus {
    create!(netclock_client_create, client, {
        let config = optional(config, "config")?.to_config();
        Ok(Client::new(config, seed(seed_high, seed_low))?)
    })
}

/// Destroys a client. Null is allowed and does nothing. No other call may be using it, and none may follow.
///
/// Errors, which leave everything as it was: `NETCLOCK_UNKNOWN_HANDLE` if it is no live client, which is found out
/// without looking at what is there (until that memory becomes another client); `NETCLOCK_BUSY` if a callback of
/// this client has not returned, or another thread is seen to change it. A poisoned client is destroyed as any
/// other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_destroy(client: *mut NetclockClient) -> NetclockStatus {
    destroy!(netclock_client_destroy, client)
}

/// Does what is due at local time `now` (ticks); call it every frame. `NETCLOCK_OK`: `*request` is to be sent at
/// once. `NETCLOCK_NOTHING_DUE`: `*request` is as it was. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_tick(
    client: *mut NetclockClient,
    now: i64,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_tick, client, |client, _| {
        writable(request, "request")?;
        let now = LocalTime::from_ticks(now);
        match client.tick(now).map_err(|error| Failure::time(error, now))? {
            Some(due) => copy_out(request, "request", due.into()),
            None => Err(Failure::of(NETCLOCK_NOTHING_DUE)),
        }
    })
}

/// Makes a request to be sent at once, whatever the schedule says, and stores it in `*request`. For callers with
/// a timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_request(
    client: *mut NetclockClient,
    now: i64,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_make_request, client, |client, _| {
        writable(request, "request")?;
        let now = LocalTime::from_ticks(now);
        let made = client.make_request(now).map_err(|error| Failure::time(error, now))?;
        copy_out(request, "request", made.into())
    })
}

/// Learns from a reply that arrived at local time `arrived` (ticks), stamped as close to the network as possible.
/// `NETCLOCK_OK`: accepted. Errors from `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_CONTRADICTION` say why it was
/// refused; also `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_reply(
    client: *mut NetclockClient,
    reply: *const NetclockReply,
    arrived: i64,
) -> NetclockStatus {
    on_client!(netclock_client_handle_reply, client, |client, news| {
        let reply = copy_in(reply, "reply")?.into();
        learn(client, news, |client| client.learn_reply(&reply, LocalTime::from_ticks(arrived)))
    })
}

/// Learns from the four stamps of an exchange that the caller conducted in a transport which matches replies to
/// requests: sent by the client, received and answered by the server, received by the client; all in ticks of the
/// clock concerned. `server_epoch` names the run of the server's clock; 0 if the transport does not know it. Errors as
/// `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_exchange(
    client: *mut NetclockClient,
    client_sent: i64,
    server_received: i64,
    server_sent: i64,
    client_received: i64,
    server_epoch: u64,
) -> NetclockStatus {
    let exchange = Exchange {
        client_sent: LocalTime::from_ticks(client_sent),
        server_received: ServerTime::from_ticks(server_received),
        server_sent: ServerTime::from_ticks(server_sent),
        client_received: LocalTime::from_ticks(client_received),
    };
    let epoch = (server_epoch != 0).then_some(server_epoch);
    on_client!(netclock_client_handle_exchange, client, |client, news| {
        learn(client, news, |client| client.learn_exchange(&exchange, epoch))
    })
}

/// The two-stamp form: at local time `current_time` a reply came that says `server_time`, after a round trip of
/// `round_trip`; all in ticks. `*accepted` becomes 1 or 0, and the status says why not. `accepted` may be null.
/// Errors as `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_update_server_time(
    client: *mut NetclockClient,
    server_time: i64,
    current_time: i64,
    round_trip: i64,
    accepted: *mut i32,
) -> NetclockStatus {
    let exchange = Exchange::from_two_stamps(
        ServerTime::from_ticks(server_time),
        LocalTime::from_ticks(current_time),
        Span::from_ticks(round_trip),
    );
    let status = on_client!(netclock_client_update_server_time, client, |client, news| {
        learn(client, news, |client| client.learn_two_stamps(&exchange))
    });
    if !accepted.is_null() {
        // SAFETY: not null, so that it can be written, as the header asks of every caller.
        unsafe { accepted.write(i32::from(status == NetclockStatus::OK)) };
    }
    status
}

/// Lets the client learn from an exchange, and keeps what became of it.
fn learn(client: &mut Client, news: &mut News, exchange: impl FnOnce(&mut Client) -> Sample) -> Outcome {
    let sample = exchange(client);
    news.keep_sample(&sample);
    sample.outcome.map_err(|refusal| status::refused(&sample, refusal, client.config().max_round_trip))
}

/// The body of an entry that changes a client: `on_client!(netclock_client_x, client, |client, news| { .. })`.
macro_rules! on_client {
    ($name:ident, $client:ident, |$it:ident, $news:pat_param| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { $crate::ffi::client::handle::write(stringify!($name), $client, |$it, $news| $body) }
    };
}
pub(crate) use on_client;

/// Runs `body` on the client, alone; then, with nothing locked, tells the callbacks what happened.
///
/// # Safety
/// `client` is null or points to a live client.
pub(crate) unsafe fn write(
    name: &'static str,
    client: *const NetclockClient,
    body: impl FnOnce(&mut Client, &mut News) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    let handle = match unsafe { handle::usable(client) } {
        Ok(handle) => handle,
        Err(failure) => return boundary::finish(name, Err(failure)),
    };
    let mut news = handle.hooks.news();
    let outcome = {
        let mut client = handle.writer.try_lock().unwrap_or_else(|| {
            news.collided = true;
            handle.writer.lock()
        });
        // Once more: whoever held the lock may have panicked. A panic poisons the handle before the lock is free.
        handle::still_usable(handle).and_then(|()| {
            handle::run(handle, || {
                let events_before = client.event_count();
                let outcome = body(&mut client, &mut news);
                news.keep_events(&client, events_before);
                outcome
            })
        })
    };
    if news.is_wanted() {
        handle.hooks.tell(name, &outcome, &news);
    }
    // Last, so that calls which fail in a callback do not stand in for this one.
    boundary::finish(name, outcome)
}
