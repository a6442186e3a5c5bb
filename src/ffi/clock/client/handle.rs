//! The client's handle and the calls that change it.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::clock::for_parts::{Published, WORDS, parts};
use crate::clock::{Client, LocalTime, Reader};
use crate::ffi::base::boundary;
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
    let before = (parts(&client).event_count(), parts(&client).sample_count);
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
