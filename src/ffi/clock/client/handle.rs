//! The client handle, and the functions that most programs call every frame.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::clock::for_parts::{Published, WORDS, parts};
use crate::clock::{Client, LocalTime, Reader};
use crate::ffi::base::boundary;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::status;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::report::tap::Tap;

/// A client that follows one server's clock. Opaque.
///
/// Calls that modify a client wait for each other. Making such calls from two threads is therefore safe but
/// pointless. Calls that read a client are wait-free.
pub struct NetclockClient {
    pub(crate) front: Front,
    pub(crate) tap: Tap,
    writer: Mutex<Client>,
    pub(crate) links: AtomicU32,
}

/// The fields needed to read the clock, in a single cache line.
pub(crate) struct Front {
    /// Points into `reader`. The pointer is null if the handle is poisoned, so that reads need only one
    /// check.
    published: AtomicPtr<Published<WORDS>>,
    poison: Poison,
    pub(crate) reader: Reader,
}

impl Front {
    fn new(reader: Reader) -> Self {
        let published = AtomicPtr::new(ptr::from_ref(reader.published()).cast_mut());
        Front { published, poison: Poison::default(), reader }
    }

    #[inline]
    pub(crate) fn published(&self) -> Option<&Published<WORDS>> {
        // SAFETY: it is null or part of `reader`, which keeps it alive and pinned while `self` is borrowed.
        // The target is never borrowed mutably.
        unsafe { self.published.load(Ordering::Relaxed).as_ref() }
    }
}

impl Handle for NetclockClient {
    const KIND: &'static str = "netclock_client";
    const ARGUMENT: &'static str = "client";
    type Value = Client;

    fn new(client: Client) -> Self {
        let front = Front::new(client.reader());
        let (tap, links) = (Tap::new(), AtomicU32::new(0));
        NetclockClient { front, tap, writer: Mutex::new(client), links }
    }

    fn poison(&self) -> &Poison {
        &self.front.poison
    }

    fn on_poison(&self) {
        self.front.published.store(ptr::null_mut(), Ordering::Relaxed);
    }

    fn may_be_destroyed(&self) -> Outcome {
        let is_linked = self.links.load(Ordering::Acquire) > 0;
        if is_linked || self.tap.is_running() {
            Err(handle::busy())
        } else {
            handle::unless_locked(&self.writer)
        }
    }
}

/// Creates a client and stores it in `*client`. Pass a null `config` for the defaults. The settings may
/// contain the saved states of earlier sessions. `seed_high` and `seed_low` make request ids unpredictable.
/// Draw all 128 bits from the operating system's random number generator.
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

/// Destroys a client, even if it is poisoned. Returns `NETCLOCK_BUSY` if one of the client's callbacks has
/// not returned, if another thread is modifying the client, or if a link uses it. Destroy links before their
/// client.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_destroy(client: *mut NetclockClient) -> NetclockStatus {
    destroy!(netclock_client_destroy, client)
}

/// Performs the work that is due at local time `now` (ticks). Call this every frame. Returns `NETCLOCK_OK` if
/// a request is due. In this case, send `*request` at once. If no request is due, returns
/// `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_tick(
    client: *mut NetclockClient,
    now: NetclockLocalTime,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    on_client!(netclock_client_tick, client, |client| {
        check_size(request, "request")?;
        match at(now, |now| client.tick(now))? {
            Some(due) => grow_out(request, "request", due),
            None => Err(Failure::of(NETCLOCK_NOTHING_DUE)),
        }
    })
}

/// Handles a reply received at local time `arrived` (ticks). Take this timestamp as close to the network as
/// possible. Returns `NETCLOCK_OK` if the client accepts the reply, and otherwise an error. Errors:
/// `NETCLOCK_STAMP_OUT_OF_RANGE`, also for `arrived`, and the codes from `NETCLOCK_UNKNOWN_REQUEST` to
/// `NETCLOCK_SEVERAL_SERVERS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_handle_reply(
    client: *mut NetclockClient,
    reply: *const NetclockReply,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    on_client!(netclock_client_handle_reply, client, |client| {
        let reply = grow_in(reply, "reply")?.into();
        let outcome = client.handle_reply(&reply, LocalTime::from_ticks(arrived));
        outcome.map_err(|refusal| status::refused(client, refusal))
    })
}

/// Wraps calls that modify a client, as in `on_client!(netclock_client_x, client, |client| { .. })`.
macro_rules! on_client {
    ($name:ident, $client:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::clock::client::handle::write(stringify!($name), $client, |$it| $body) }
    };
}
pub(crate) use on_client;

/// Runs `body` with exclusive access to the client, and then calls the tap without holding a lock.
///
/// # Safety
/// `client` must be null or point to a live client.
pub(crate) unsafe fn write(
    name: &'static str,
    client: *const NetclockClient,
    body: impl FnOnce(&mut Client) -> Outcome,
) -> NetclockStatus {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { client.as_ref() }) else {
        return boundary::finish(name, Err(Failure::null(NetclockClient::ARGUMENT)));
    };
    if let Err(status) = handle.poison().changeable() {
        return boundary::finish(name, Err(status.into()));
    }
    let mut client = handle.writer.lock();
    let before = parts(&client).sample_count;
    let change = || {
        // The call that held the lock may have panicked and poisoned the handle before releasing it.
        handle.poison().usable()?;
        body(&mut client)
    };
    if !handle.tap.is_set() {
        return boundary::within(name, change, || handle::poison(handle));
    }
    let outcome = boundary::guarded(change);
    if let Err(Failure::Panicked(_)) = outcome {
        handle::poison(handle);
    } else if let Some(sample) =
        client.last_sample().copied().filter(|_| parts(&client).sample_count != before)
    {
        drop(client);
        handle.tap.call(&sample);
    }
    // Finish last, so that an error in the callback does not replace the error of this call.
    boundary::finish(name, outcome)
}
