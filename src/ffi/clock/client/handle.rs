//! The client's handle and the calls that change it.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::clock::for_parts::{Published, WORDS};
use crate::clock::{Client, Exchange, LocalTime, Reader, ServerTime, Span};
use crate::ffi::base::boundary;
use crate::ffi::base::fields::Field;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::hooks::Hooks;
use crate::ffi::clock::client::status;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest, reply_in};

/// A client: follows one server's clock. Opaque.
///
/// Calls that change it wait for each other, so calling from two threads is safe. It gains nothing, and the
/// log reports it. Calls that read it never wait. Using a client while or after it is destroyed is an error
/// that nobody can detect in general.
pub struct NetclockClient {
    pub(crate) front: Front,
    pub(crate) hooks: Hooks,
    writer: Mutex<Client>,
    /// Links that use it, each on a thread of its own.
    pub(crate) links: AtomicU32,
}

/// What a read needs of a handle. A structure of its own keeps it together, in one cache line instead of two.
pub(crate) struct Front {
    /// What `reader` looks at; null once the handle is poisoned. So a read has one thing to check instead of
    /// two.
    published: AtomicPtr<Published<WORDS>>,
    poison: Poison,
    pub(crate) reader: Reader,
}

impl Front {
    fn new(reader: Reader) -> Self {
        let published = AtomicPtr::new(ptr::from_ref(reader.published()).cast_mut());
        Front { published, poison: Poison::default(), reader }
    }

    /// What reads look at; none if the handle is poisoned.
    #[inline]
    pub(crate) fn published(&self) -> Option<&Published<WORDS>> {
        // SAFETY: null, or a part of `reader`, which keeps it alive and in its place as long as this is
        // borrowed. It is only ever shared.
        unsafe { self.published.load(Ordering::Relaxed).as_ref() }
    }
}

impl Handle for NetclockClient {
    const KIND: &'static str = "netclock_client";
    const ARGUMENT: &'static str = "client";
    type Value = Client;

    fn new(client: Client) -> Self {
        let front = Front::new(client.reader());
        let (hooks, links) = (Hooks::default(), AtomicU32::new(0));
        NetclockClient { front, hooks, writer: Mutex::new(client), links }
    }

    fn poison(&self) -> &Poison {
        &self.front.poison
    }

    fn on_poison(&self) {
        self.front.published.store(ptr::null_mut(), Ordering::Relaxed);
    }

    fn may_be_destroyed(&self) -> Outcome {
        let is_linked = self.links.load(Ordering::Acquire) > 0;
        if is_linked || self.hooks.are_running() {
            Err(owned::busy())
        } else {
            owned::unless_locked(&self.writer)
        }
    }
}

/// Creates a client and stores it in `*client`. Give it back to `netclock_client_destroy`.
///
/// `config` may be null for all defaults. It may also have what earlier sessions saved. `seed_high` and
/// `seed_low` make request ids unguessable: draw 128 bits from the operating system. Both 0 is refused.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`,
/// `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_create(
    config: *const NetclockConfig,
    seed_high: u64,
    seed_low: u64,
    client: *mut *mut NetclockClient,
) -> NetclockStatus {
    let seed = seed(seed_high, seed_low);
    create!(netclock_client_create, client, {
        let config = optional(config, "config")?;
        Ok(Client::with_saved(config.to_config(), seed, &config.earlier())?)
    })
}

/// Destroys a client. Null is allowed and does nothing. No other call may be using the client, and none may
/// follow. A poisoned client is destroyed like any other.
///
/// Errors, which leave everything as it was: `NETCLOCK_UNKNOWN_HANDLE` if it is no live client. The library
/// finds this out without a look at the memory, so it cannot notice that the memory has become another
/// client. `NETCLOCK_BUSY` if a callback of this client has not returned, another thread is seen to change
/// it, or a link uses it: destroy that first. Not in a forked process: there it forgets a client that is in
/// use, because the threads that use it are the parent's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_destroy(client: *mut NetclockClient) -> NetclockStatus {
    destroy!(netclock_client_destroy, client)
}

/// Does what is due at local time `now` (ticks). Call it every frame. `NETCLOCK_OK`: send `*request` at once.
/// `NETCLOCK_NOTHING_DUE`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_tick(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_tick, client, |client| {
        check_size(request, "request")?;
        let now = LocalTime::from_ticks(now);
        match client.tick(now).map_err(|error| Failure::time(error, now))? {
            Some(due) => grow_out(request, "request", due),
            None => Err(Failure::of(NETCLOCK_NOTHING_DUE)),
        }
    })
}

/// Makes a request to send at once, whatever the schedule says, into `*request`. It is for callers with a
/// timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_request(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_make_request, client, |client| {
        check_size(request, "request")?;
        let now = LocalTime::from_ticks(now);
        grow_out(request, "request", client.make_request(now).map_err(|error| Failure::time(error, now))?)
    })
}

/// Begins a burst of requests at once, as after a restart. Call it when you turn to another server. Otherwise
/// the client would ask it only after `steady_interval`. The reading's `round_trip` begins anew with the next
/// reply, so call it as well after a change of the route that you know of. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_begin_burst(client: *mut NetclockClient) -> NetclockStatus {
    on_client!(netclock_client_begin_burst, client, |client| {
        client.begin_burst();
        Ok(())
    })
}

/// Tells the client that its local clock may have missed up to `most` (ticks, at least 0) before `now`;
/// `NETCLOCK_UNBOUNDED`: nobody knows how much. Call it when the machine or the application resumes, if the
/// local clock stops while the machine sleeps. `netclock_monotonic_now` does not, so it needs no call;
/// CLOCK_MONOTONIC, `mach_absolute_time` and counters of audio samples do. Until the next reply the state is
/// `NETCLOCK_STATE_DOUBTFUL` and the bound `NETCLOCK_UNBOUNDED`. A burst begins, so that the reply comes
/// soon. The event is `NETCLOCK_EVENT_DISCONTINUITY` with `NETCLOCK_CAUSE_LOCAL_GAP`. The shown time does not
/// go back: what was missed is added when the reply arrives. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` for a negative `most`,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_may_have_missed_time(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    most: i64,
) -> NetclockStatus {
    on_client!(netclock_client_may_have_missed_time, client, |client| {
        if most < 0 {
            return Err(Failure::because(NETCLOCK_OUT_OF_RANGE, move |f| {
                write!(f, "most is {most}; expected at least 0 ticks, or NETCLOCK_UNBOUNDED")
            }));
        }
        let now = LocalTime::from_ticks(now);
        let told = client.may_have_missed_time(now, Span::from_ticks(most));
        told.map_err(|error| Failure::time(error, now))
    })
}

/// Steps the shown clock to the best estimate at local time `now` (ticks), in place of the slew that would go
/// on. Call it when a jump costs nothing, for example at the end of a loading screen. A correction smaller
/// than `least` (ticks) goes on being slewed; zero or a negative `least` steps any. Writes the shown time
/// after the step minus that before it to `*step`, in ticks; zero if nothing was stepped.
///
/// The step is declared with `NETCLOCK_CAUSE_REQUESTED`. A step forwards stays in its epoch. A step backwards
/// begins a new epoch, and so does one that a reader could see as a step back, because it has read ahead.
/// Before the first reply, and while the client waits for more replies of a restarted server, nothing is
/// stepped. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_step(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    least: i64,
    step: *mut i64,
) -> NetclockStatus {
    on_client!(netclock_client_make_step, client, |client| {
        let step = writable(step, "step")?;
        let now = LocalTime::from_ticks(now);
        let made =
            client.make_step(now, Span::from_ticks(least)).map_err(|error| Failure::time(error, now))?;
        copy_out(step, "step", made.ticks())
    })
}

/// Learns from a reply that arrived at local time `arrived` (ticks). Stamp it as close to the network as
/// possible. `NETCLOCK_OK`: accepted. Errors from `NETCLOCK_UNKNOWN_REQUEST` to `NETCLOCK_SEVERAL_SERVERS`,
/// and `NETCLOCK_STAMP_OUT_OF_RANGE`, say why it was refused. Also `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_reply(
    client: *mut NetclockClient,
    reply: *const NetclockReply,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_handle_reply, client, |client| {
        let reply = reply_in(reply)?;
        let outcome = client.handle_reply(&reply, LocalTime::from_ticks(arrived));
        outcome.map_err(|refusal| status::refused(client, refusal))
    })
}

/// Notes that the caller polled its transport at local time `at` (ticks), and has handled all messages that
/// were there. So the replies that `netclock_client_handle_reply` gets afterwards arrived after `at`, and may
/// have waited for their stamps. Call it once a poll, with the time of the poll. Before a reply that was
/// stamped on arrival, pass its stamp. It is needed only if replies are handled elsewhere than in the loop
/// that calls `netclock_client_tick`. Errors: `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_polled(
    client: *mut NetclockClient,
    at: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_polled, client, |client| {
        let at = LocalTime::from_ticks(at);
        client.polled(at).map_err(|error| Failure::time(error, at))
    })
}

/// Learns from the four stamps of an exchange, for callers whose transport matches replies to requests. The
/// stamps are: sent by the client, received and answered by the server, received by the client; each by its
/// own clock (ticks). `server_wait` and `client_wait` are the longest times that request and reply can have
/// waited for their stamps, as in `netclock_reply` (ticks; 1: stamped on arrival; 0: unknown). `server_epoch`
/// names the run of the server's clock, or is 0 if the transport does not know it. Errors as
/// `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_exchange(
    client: *mut NetclockClient,
    client_sent: NetclockLocalTime,
    server_received: NetclockServerTime,
    server_sent: NetclockServerTime,
    client_received: NetclockLocalTime,
    server_wait: u32,
    client_wait: u32,
    server_epoch: u64,
) -> NetclockStatus {
    let stamps = Exchange::from_stamps(
        LocalTime::from_ticks(client_sent),
        ServerTime::from_ticks(server_received),
        ServerTime::from_ticks(server_sent),
        LocalTime::from_ticks(client_received),
    );
    let (server_wait, client_wait) = (Field::from_c(server_wait), Field::from_c(client_wait));
    let exchange = Exchange { server_wait, client_wait, ..stamps };
    let epoch = (server_epoch != 0).then_some(server_epoch);
    on_client!(netclock_client_handle_exchange, client, |client| {
        let outcome = client.handle_exchange(&exchange, epoch);
        outcome.map_err(|refusal| status::refused(client, refusal))
    })
}

/// Learns from two stamps: at local time `current_time` a reply arrived that says `server_time`, after a
/// round trip of `round_trip`. `*accepted` becomes 1 or 0, and the status says why not. `accepted` may be
/// null. As in the other calls, the stamp is when the reply arrived, which may be before the `now` of calls
/// made since. Errors as `netclock_client_handle_reply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_update_server_time(
    client: *mut NetclockClient,
    server_time: NetclockServerTime,
    current_time: NetclockLocalTime,
    round_trip: i64,
    accepted: *mut i32,
) -> NetclockStatus {
    let exchange = Exchange::from_two_stamps(
        ServerTime::from_ticks(server_time),
        LocalTime::from_ticks(current_time),
        Span::from_ticks(round_trip),
    );
    let status = on_client!(netclock_client_update_server_time, client, |client| {
        let outcome = client.handle_exchange(&exchange, None);
        outcome.map_err(|refusal| status::refused(client, refusal))
    });
    if !accepted.is_null() {
        // SAFETY: not null, so that it can be written, as the header asks of every caller.
        unsafe { accepted.write(i32::from(status == NetclockStatus::OK)) };
    }
    status
}

/// The body of an entry that changes a client: `on_client!(netclock_client_x, client, |client| { .. })`.
macro_rules! on_client {
    ($name:ident, $client:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { $crate::ffi::clock::client::handle::write(stringify!($name), $client, |$it| $body) }
    };
}
pub(crate) use on_client;

/// Runs `body` on the client, alone. Then, with nothing locked, calls the callbacks with what happened.
///
/// # Safety
/// `client` is null or points to a live client.
pub(crate) unsafe fn write(
    name: &'static str,
    client: *const NetclockClient,
    body: impl FnOnce(&mut Client) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    let Some(handle) = (unsafe { client.as_ref() }) else {
        return boundary::finish(name, Err(Failure::null(NetclockClient::ARGUMENT)));
    };
    if let Err(status) = handle.poison().changeable() {
        return boundary::finish(name, Err(status.into()));
    }
    let mut collided = false;
    let mut client = handle.writer.try_lock().unwrap_or_else(|| {
        // The threads of links are no mistake of the caller's.
        collided = handle.links.load(Ordering::Relaxed) == 0;
        handle.writer.lock()
    });
    let before = (client.event_count(), client.sample_count());
    let change = || {
        // Check again: the call that held the lock may have panicked. A panic poisons the handle before it
        // frees the lock.
        handle.poison().usable()?;
        body(&mut client)
    };
    if !handle.hooks.are_set() {
        return boundary::within(name, change, || handle::poison(handle));
    }
    let outcome = boundary::guarded(change);
    if let Err(Failure::Panicked(_)) = outcome {
        handle::poison(handle);
    }
    handle.hooks.tell(name, &outcome, client, before, collided);
    // Last, so that a call that fails in a callback does not replace the error of this one.
    boundary::finish(name, outcome)
}
