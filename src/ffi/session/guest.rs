//! A player's end of the conversation.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr;

use crate::clock::for_parts::memory;
use crate::clock::{Client, CreateError, LocalTime, ServerTime, State, WireError, WorldTime};
use crate::ffi::base::boundary;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::ffi::clock::client::reading::NetclockReading;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::status::no_room;
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in, key_out};
use crate::ffi::session::config::{NetclockGuestConfig, NetclockUtcTime, NetclockWorldTime};
use crate::ffi::session::host::session_room;
use crate::ffi::session::latency::{NetclockLatencyChange, NetclockLatencySpeed};
use crate::ffi::session::start::NetclockStartProgress;
use crate::ffi::session::status::*;
use crate::ffi::session::utc::NetclockUtcReading;
use crate::ffi::session::world::NetclockWorldReading;
use crate::game::timeline::{SEGMENT_SIZE, Timeline};
use crate::session::{BLOB_MOST, DATAGRAM_MOST, Talk, View, WORLDS};

/// A player's end: asks, learns what the host says, and shows it. Opaque. Calls on it and on its client wait
/// for each other. Calls that read its client never wait.
pub struct NetclockGuest {
    client: NetclockClient,
    /// Only the thread that holds the client's lock may touch it.
    inner: UnsafeCell<Inner>,
}

// SAFETY: `on_guest` lets one thread at a time to the inner value.
unsafe impl Sync for NetclockGuest {}

/// All but the clock.
#[derive(Debug)]
pub(crate) struct Inner {
    talk: Box<Talk>,
    /// What the newest frame shows; on the heap, so that handles are created on little stack.
    view: Box<Option<View>>,
}

impl Handle for NetclockGuest {
    const KIND: &'static str = "netclock_guest";
    const ARGUMENT: &'static str = "guest";
    type Value = (Client, Inner);

    fn new((client, inner): (Client, Inner)) -> Self {
        NetclockGuest { client: NetclockClient::new(client), inner: UnsafeCell::new(inner) }
    }

    fn poison(&self) -> &Poison {
        self.client.poison()
    }

    fn on_poison(&self) {
        self.client.on_poison();
    }

    fn may_be_destroyed(&self) -> Outcome {
        self.client.may_be_destroyed()
    }
}

/// Runs `body` on a guest, alone, as calls that change its client do.
///
/// # Safety
/// `guest` is null or points to a live guest.
pub(crate) unsafe fn on_guest(
    name: &'static str,
    guest: *const NetclockGuest,
    body: impl FnOnce(&mut Client, &mut Inner) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise; null gives none.
    let Some(handle) = (unsafe { guest.as_ref() }) else {
        return boundary::finish(name, Err(Failure::null(NetclockGuest::ARGUMENT)));
    };
    // SAFETY: the client lives as long as the guest, and this thread has its lock within.
    unsafe { write(name, &raw const handle.client, |client| body(client, &mut *handle.inner.get())) }
}

/// The body of an entry: `guest!(netclock_guest_x, guest, |client, inner| { .. })`.
macro_rules! guest {
    ($name:ident, $guest:ident, |$client:pat_param, $inner:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { on_guest(stringify!($name), $guest, |$client, $inner| $body) }
    };
}

/// The same for what the newest frame shows.
macro_rules! shown {
    ($name:ident, $guest:ident, $out:ident, |$view:ident| $value:expr, $missing:expr) => {
        guest!($name, $guest, |_, inner| {
            check_size($out, stringify!($out))?;
            let $view = (*inner.view).as_ref().ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))?;
            let value = $value.ok_or_else(|| match $view.reading.state {
                State::Unsynced => Failure::of(NETCLOCK_NOT_SYNCED),
                _ => Failure::of($missing),
            })?;
            grow_out($out, stringify!($out), value)
        })
    };
}

/// Creates a guest that is connected without a session key and stores it in `*guest`. Give it back to
/// `netclock_guest_destroy`. `config` and `clock`, the settings of its clock, may be null for all defaults.
/// `seed_high` and `seed_low` make requests and sessions unguessable: draw 128 bits from the operating
/// system. Both 0 is refused. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_BAD_CONFIG`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_create(
    config: *const NetclockGuestConfig,
    clock: *const NetclockConfig,
    seed_high: u64,
    seed_low: u64,
    guest: *mut *mut NetclockGuest,
) -> NetclockStatus {
    let seed = seed(seed_high, seed_low);
    create!(netclock_guest_create, guest, {
        let clock = optional(clock, "clock")?;
        let config = optional(config, "config")?.to_config(clock.to_config())?;
        let client = Client::with_saved(config.clock, seed, &clock.earlier())?;
        let view = memory::boxed(|| Ok::<_, CreateError>(None))?;
        Ok((client, Inner { talk: Talk::new(&config, seed)?, view }))
    })
}

/// Destroys a guest and its client, as `netclock_client_destroy` a client. Errors: `NETCLOCK_UNKNOWN_HANDLE`,
/// `NETCLOCK_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_destroy(guest: *mut NetclockGuest) -> NetclockStatus {
    destroy!(netclock_guest_destroy, guest)
}

/// The guest's client, for all calls that read it, and for callbacks, links, steps and saved states. It lives
/// as long as the guest: do not destroy it, and do not pass it requests and replies. Null if `guest` is null.
/// Callable from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_client(guest: *mut NetclockGuest) -> *mut NetclockClient {
    // SAFETY: null or a live guest, as the header asks of the caller.
    match unsafe { guest.as_ref() } {
        Some(handle) => ptr::from_ref(&handle.client).cast_mut(),
        None => ptr::null_mut(),
    }
}

/// Begins another connection at local time `now` (ticks), to this host or to another. If `key` is not null,
/// all datagrams are sealed with it: each connection has another key. The time goes on, but without a bound
/// until the first reply, as after `netclock_client_may_have_missed_time`: the new host's clock may be
/// another. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the key,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_connect(
    guest: *mut NetclockGuest,
    key: *const NetclockSessionKey,
    now: NetclockLocalTime,
) -> NetclockStatus {
    guest!(netclock_guest_connect, guest, |client, inner| {
        let key = if key.is_null() { None } else { Some(key_in(key)?) };
        let now = LocalTime::from_ticks(now);
        inner.talk.connect(client, key.as_ref(), Some(now)).map_err(|error| Failure::time(error, now))?;
        *inner.view = None;
        Ok(())
    })
}

/// As `netclock_guest_connect`, to a host that is expected to continue the time of the one before, as when a
/// game's host migrates. The error bound goes on, too. If the new host's clock turns out to be another, the
/// clock starts over with its first reply. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` for the
/// key, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_follow(
    guest: *mut NetclockGuest,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    guest!(netclock_guest_follow, guest, |client, inner| {
        let key = if key.is_null() { None } else { Some(key_in(key)?) };
        // Only an instant is refused.
        let _ = inner.talk.connect(client, key.as_ref(), None);
        *inner.view = None;
        Ok(())
    })
}

/// The server epoch of the host that answered in this connection, into `*epoch`. `NETCLOCK_NOT_SYNCED`: none
/// did yet. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_host_epoch(
    guest: *const NetclockGuest,
    epoch: *mut u64,
) -> NetclockStatus {
    guest!(netclock_guest_host_epoch, guest, |_, inner| {
        writable(epoch, "epoch")?;
        let known = inner.talk.host_epoch().ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))?;
        copy_out(epoch, "epoch", known)
    })
}

/// Whether this player takes part in starts (1), as it does at first, or not (0). Turn it off while the
/// player loads another world: then starts wait for it, and it starts when it is turned on again. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_take_part(
    guest: *mut NetclockGuest,
    takes_part: i32,
) -> NetclockStatus {
    guest!(netclock_guest_take_part, guest, |_, inner| {
        inner.talk.is_present = takes_part != 0;
        Ok(())
    })
}

/// Reads `length` bytes that `netclock_host_blob` wrote, for example from a replay. In a guest that never
/// connects, `netclock_guest_world_at` and `netclock_guest_real_at` then answer for the newest blob. Errors,
/// which change nothing: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_TORN`, one of `NETCLOCK_WIRE_...`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_read_blob(
    guest: *mut NetclockGuest,
    blob: *const c_void,
    length: usize,
) -> NetclockStatus {
    guest!(netclock_guest_read_blob, guest, |_, inner| {
        Ok(inner.talk.read_blob(bytes_in(blob, length, "blob", BLOB_MOST, WireError::Length)?)?)
    })
}

/// The newest segment of world 0 to 3 that arrived, for a recording: its `NETCLOCK_SEGMENT_SIZE` bytes into a
/// buffer of `capacity` bytes. `NETCLOCK_NO_WORLD`: there is none. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_segment(
    guest: *const NetclockGuest,
    world: u32,
    segment: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    guest!(netclock_guest_segment, guest, |_, inner| {
        writable(segment, "segment")?;
        let place = known_world(world).ok_or_else(|| Failure::of(NETCLOCK_UNKNOWN_WORLD))?;
        if capacity < SEGMENT_SIZE {
            return Err(no_room(capacity, SEGMENT_SIZE));
        }
        // What arrived is valid, so encoding it cannot fail.
        let newest = inner.talk.worlds[place].newest().and_then(|newest| newest.encode().ok());
        let bytes = newest.ok_or_else(|| Failure::of(NETCLOCK_NO_WORLD))?;
        ptr::copy_nonoverlapping(bytes.as_ptr(), segment.cast::<u8>(), bytes.len());
        Ok(())
    })
}

/// Handles a datagram of `length` bytes from the host that arrived at local time `arrived` (ticks). A reply
/// that the clock refuses is no error. After `NETCLOCK_OTHER_SESSION` the guest tells the host of this
/// connection again. The other errors change nothing: `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_UNKNOWN_WORLD`,
/// one of `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
/// `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`,
/// `NETCLOCK_RATE_OUT_OF_RANGE`, `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_receive(
    guest: *mut NetclockGuest,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    guest!(netclock_guest_receive, guest, |client, inner| {
        let bytes = bytes_in(datagram, length, "datagram", DATAGRAM_MOST, WireError::Length)?;
        Ok(inner.talk.receive(client, bytes, local_time(arrived)?)?)
    })
}

/// The next datagram to send at local time `now` (ticks): its bytes into a buffer of `capacity` bytes
/// (`NETCLOCK_SESSION_DATAGRAM_MOST`), and their number to `*length`. `*reliable` becomes 1 if it should be
/// sent reliably, if the transport can, else 0. Call it in every frame until it returns
/// `NETCLOCK_NOTHING_DUE`, right before datagrams leave. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_next(
    guest: *mut NetclockGuest,
    now: NetclockLocalTime,
    reliable: *mut i32,
    datagram: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> NetclockStatus {
    guest!(netclock_guest_next, guest, |client, inner| {
        writable(reliable, "reliable")?;
        writable(length, "length")?;
        let (room, now) = (session_room(datagram, capacity)?, LocalTime::from_ticks(now));
        let due = inner.talk.next(client, now).map_err(|error| Failure::time(error, now))?;
        let (bytes, is_reliable) = due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
        copy_out(reliable, "reliable", i32::from(is_reliable))?;
        copy_out(length, "length", bytes.len())
    })
}

/// Begins the frame at local time `now` (ticks): everything that the guest shows until the next call is of
/// this instant. Writes the server's time to `*reading`. Call it once a frame: world time does not go
/// backwards from call to call, and a start fires in one of them. `NETCLOCK_NOT_SYNCED`: the reading says so.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_view(
    guest: *mut NetclockGuest,
    now: NetclockLocalTime,
    reading: *mut NetclockReading,
) -> NetclockStatus {
    guest!(netclock_guest_view, guest, |client, inner| {
        check_size(reading, "reading")?;
        let now = LocalTime::from_ticks(now);
        let view = inner.talk.view(client, now).map_err(|error| Failure::time(error, now))?;
        let read = inner.view.insert(view).reading;
        grow_out(reading, "reading", read)?;
        if read.state == State::Unsynced { Err(Failure::of(NETCLOCK_NOT_SYNCED)) } else { Ok(()) }
    })
}

/// The time of world 0 to 3 in this frame, into `*reading`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there
/// is none. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_UNKNOWN_WORLD`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_world(
    guest: *const NetclockGuest,
    world: u32,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    let Some(place) = known_world(world) else {
        return guest!(netclock_guest_world, guest, |_, _inner| Err(Failure::of(NETCLOCK_UNKNOWN_WORLD)));
    };
    shown!(netclock_guest_world, guest, reading, |view| view.worlds[place], NETCLOCK_NO_WORLD)
}

/// The server's UTC in this frame, into `*reading`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_utc(
    guest: *const NetclockGuest,
    reading: *mut NetclockUtcReading,
) -> NetclockStatus {
    shown!(netclock_guest_utc, guest, reading, |view| view.utc, NETCLOCK_NO_UTC)
}

/// The newest start, and whether to start in this frame, into `*progress`. `fires` is 1 in the first frame in
/// which the shown server time has reached the start, and never earlier. `NETCLOCK_NOT_SYNCED`: no frame was
/// begun in this connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_start(
    guest: *const NetclockGuest,
    progress: *mut NetclockStartProgress,
) -> NetclockStatus {
    shown!(netclock_guest_start, guest, progress, |view| Some(view.start), NETCLOCK_NOT_SYNCED)
}

/// The speed at which the local avatar plays in this frame to hide a changed latency, into `*speed`. When the
/// latency rises by `d`, the server's copy of the avatar becomes `d` older. The avatar plays slower than 1
/// until it has played `d` less; then the distance to its copy is what it was. The difference of `done`
/// between two frames is exactly what to play more between them, at any frame rate. A clock that runs ahead
/// by the latency does the opposite: `2 - scale`. `NETCLOCK_NOT_SYNCED`: no frame was begun in this
/// connection. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_speed(
    guest: *const NetclockGuest,
    speed: *mut NetclockLatencySpeed,
) -> NetclockStatus {
    shown!(netclock_guest_speed, guest, speed, |view| Some(view.speed), NETCLOCK_NOT_SYNCED)
}

/// How far ahead to predict in this frame, as times of the server in ticks. With the configured probability,
/// a message that leaves now is handled before `*handled_by`: predict for that time. If others are shown as
/// they were at `*showable`, then with that probability there are two states to interpolate between. Either
/// may be null. `NETCLOCK_NO_MESSAGES`: not yet known, and both are zero. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_lead(
    guest: *const NetclockGuest,
    handled_by: *mut NetclockServerTime,
    showable: *mut NetclockServerTime,
) -> NetclockStatus {
    guest!(netclock_guest_lead, guest, |_, inner| {
        let lead = (*inner.view).and_then(|view| view.handled_by.zip(view.showable));
        let (by, of) = lead.map_or((0, 0), |(by, of)| (by.ticks(), of.ticks()));
        for (out, time) in [(handled_by, by), (showable, of)] {
            if !out.is_null() {
                out.write(time);
            }
        }
        lead.map(drop).ok_or_else(|| Failure::of(NETCLOCK_NO_MESSAGES))
    })
}

/// Takes the next change of the latency that was found, into `*change`. `NETCLOCK_NO_CHANGE`: none is
/// waiting. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_next_latency_change(
    guest: *mut NetclockGuest,
    change: *mut NetclockLatencyChange,
) -> NetclockStatus {
    guest!(netclock_guest_next_latency_change, guest, |_, inner| {
        check_size(change, "change")?;
        let next = inner.talk.latency.next_change().ok_or_else(|| Failure::of(NETCLOCK_NO_CHANGE))?;
        grow_out(change, "change", next)
    })
}

/// The link that the host offered in this connection: its UDP port to `*port`, and its key to `*key`, for
/// `netclock_link_client_create` with the guest's client. `NETCLOCK_NO_LINK_OFFER`: there is none. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_link_offer(
    guest: *const NetclockGuest,
    port: *mut u16,
    key: *mut NetclockSessionKey,
) -> NetclockStatus {
    guest!(netclock_guest_link_offer, guest, |_, inner| {
        writable(port, "port")?;
        writable(key, "key")?;
        let offer = inner.talk.offer.as_ref().ok_or_else(|| Failure::of(NETCLOCK_NO_LINK_OFFER))?;
        copy_out(key, "key", key_out(&offer.key))?;
        copy_out(port, "port", offer.port)
    })
}

/// What the clock of world 0 to 3 reads at the server's real time `real` (ticks) of the run that is shown, by
/// all news that has arrived, into `*reading`. It is not slewed, so it may differ from the shown time.
/// `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_WORLD`: there is none. `NETCLOCK_NOT_KEPT`: `real` is before the
/// oldest segment that is kept. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_world_at(
    guest: *const NetclockGuest,
    world: u32,
    real: NetclockServerTime,
    reading: *mut NetclockWorldReading,
) -> NetclockStatus {
    guest!(netclock_guest_world_at, guest, |_, inner| {
        check_size(reading, "reading")?;
        let (timeline, epoch) = of_world(inner, world)?;
        grow_out(reading, "reading", timeline.world_at(epoch, ServerTime::from_ticks(real))?)
    })
}

/// The first and the last real time of the server at which the clock of world 0 to 3 reads `time`, into
/// `*first` and `*last` (ticks). They are far apart if the world stands still there. `*last` is 2^62 - 1 if
/// it does so for good, as far as is known. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NEVER`, `NETCLOCK_NO_WORLD`:
/// there is none. `NETCLOCK_NOT_KEPT`: the world's clock read this before. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_real_at(
    guest: *const NetclockGuest,
    world: u32,
    time: NetclockWorldTime,
    first: *mut NetclockServerTime,
    last: *mut NetclockServerTime,
) -> NetclockStatus {
    guest!(netclock_guest_real_at, guest, |_, inner| {
        writable(first, "first")?;
        writable(last, "last")?;
        let (timeline, epoch) = of_world(inner, world)?;
        let range = timeline.real_at(epoch, WorldTime::from_ticks(time))?;
        copy_out(first, "first", range.first.ticks())?;
        copy_out(last, "last", range.last.ticks())
    })
}

/// The server time (ticks) at which UTC is `utc` (ticks since 1970), by the newest claim about the run that
/// is shown, into `*server_time`. `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NO_UTC`: there is none. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UTC_OUT_OF_RANGE`, `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_server_time_at(
    guest: *const NetclockGuest,
    utc: NetclockUtcTime,
    server_time: *mut NetclockServerTime,
) -> NetclockStatus {
    guest!(netclock_guest_server_time_at, guest, |_, inner| {
        writable(server_time, "server_time")?;
        let at = inner.talk.utc.server_time_at(epoch(inner)?, Field::from_c(utc))?;
        copy_out(server_time, "server_time", at.ticks())
    })
}

fn known_world(world: u32) -> Option<usize> {
    usize::try_from(world).ok().filter(|&place| place < WORLDS)
}

/// A world, and the run of the server's clock that the frame shows.
fn of_world(inner: &Inner, world: u32) -> Outcome<(&Timeline, u64)> {
    let place = known_world(world).ok_or_else(|| Failure::of(NETCLOCK_UNKNOWN_WORLD))?;
    Ok((&inner.talk.worlds[place], epoch(inner)?))
}

fn epoch(inner: &Inner) -> Outcome<u64> {
    let shown = (*inner.view).filter(|view| view.reading.state != State::Unsynced);
    let shown = shown.map(|view| view.reading.server_epoch);
    shown.or(inner.talk.blob_epoch).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))
}
