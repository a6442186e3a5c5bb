use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr;

use crate::clock::for_parts::memory;
use crate::clock::{Client, CreateError, ServerTime, State, WorldTime};
use crate::ffi::base::boundary;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::ffi::clock::client::reading::NetclockReading;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::wire::{bytes_in, room_for};
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in, key_out};
use crate::ffi::session::config::{NetclockGuestConfig, NetclockWorldTime};
use crate::ffi::session::latency::{NetclockConnectionReport, NetclockLatencyChange};
use crate::ffi::session::start::NetclockStartProgress;
use crate::ffi::session::status::*;
use crate::ffi::session::utc::NetclockUtcReading;
use crate::ffi::session::world::NetclockWorldReading;
use crate::game::timeline::{SEGMENT_SIZE, Timeline};
use crate::session::{BLOB_MOST, DATAGRAM_MOST, GuestProtocol, View, WORLDS};

/// The client's end of a session. A guest sends requests and shows the state that the host sends. Opaque.
/// Calls on the guest and on its client wait for each other, but reading the client's clock is wait-free.
pub struct NetclockGuest {
    client: NetclockClient,
    /// The client's lock protects this value.
    inner: UnsafeCell<Inner>,
}

// SAFETY: `on_guest` allows only one thread at a time to access `inner`.
unsafe impl Sync for NetclockGuest {}

#[derive(Debug)]
pub(crate) struct Inner {
    protocol: Box<GuestProtocol>,
    /// The view is boxed so that creating a guest needs little stack.
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

/// # Safety
/// `guest` must be null or point to a live guest.
pub(crate) unsafe fn on_guest(
    name: &'static str,
    guest: *const NetclockGuest,
    body: impl FnOnce(&mut Client, &mut Inner) -> Outcome,
) -> NetclockStatus {
    // SAFETY: guaranteed by the caller; null returns `None`.
    let Some(handle) = (unsafe { guest.as_ref() }) else {
        return boundary::finish(name, Err(Failure::null(NetclockGuest::ARGUMENT)));
    };
    // SAFETY: the client lives as long as the guest, and this thread holds the client's lock in `body`.
    unsafe { write(name, &raw const handle.client, |client| body(client, &mut *handle.inner.get())) }
}

/// Wraps functions on a guest, as in `guest!(netclock_guest_x, guest, |client, inner| { .. })`.
macro_rules! guest {
    ($name:ident, $guest:ident, |$client:pat_param, $inner:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { on_guest(stringify!($name), $guest, |$client, $inner| $body) }
    };
}

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

/// Creates a guest whose first connection has no session key and stores it in `*guest`. `clock` contains the
/// settings of the guest's client. Pass a null `config` or `clock` for the defaults. `seed_high` and
/// `seed_low` make requests and sessions unpredictable. Draw all 128 bits from the operating system's random
/// number generator.
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
        Ok((client, Inner { protocol: GuestProtocol::new(&config, seed)?, view }))
    })
}

/// Destroys a guest and its client. Returns `NETCLOCK_BUSY` in the same cases as `netclock_client_destroy`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_destroy(guest: *mut NetclockGuest) -> NetclockStatus {
    destroy!(netclock_guest_destroy, guest)
}

/// Returns the guest's client for reads, callbacks, links, steps and saved states. The client lives as long
/// as the guest. Do not destroy this client, and do not use it for requests and replies. Returns null if
/// `guest` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_client(guest: *mut NetclockGuest) -> *mut NetclockClient {
    // SAFETY: `guest` is null or a live guest, as the header requires of every caller.
    match unsafe { guest.as_ref() } {
        Some(handle) => ptr::from_ref(&handle.client).cast_mut(),
        None => ptr::null_mut(),
    }
}

/// Starts a new connection at local time `now` (ticks), to the same host or a different one. If `key` is not
/// null, all datagrams are sealed with it. Use a new key for each connection. Pass 0 as `continues` if the
/// new host may have a different clock. The shown time then continues without an error bound until the first
/// reply, as after `netclock_client_may_have_missed_time`. Pass a nonzero value if the new host continues the
/// previous host's time, as after a host migration. The error bound then remains valid, and `now` is ignored.
/// If that host has a different clock after all, the guest's clock restarts with its first reply. Errors:
/// `NETCLOCK_BAD_CONFIG` if the secret of the key is zero, `NETCLOCK_TIME_WENT_BACKWARDS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_connect(
    guest: *mut NetclockGuest,
    key: *const NetclockSessionKey,
    now: NetclockLocalTime,
    continues: i32,
) -> NetclockStatus {
    guest!(netclock_guest_connect, guest, |client, inner| {
        let key = if key.is_null() { None } else { Some(key_in(key)?) };
        at(now, |now| inner.protocol.connect(client, key.as_ref(), (continues == 0).then_some(now)))?;
        *inner.view = None;
        Ok(())
    })
}

/// Sets whether this player takes part in starts. Pass 0 while the player loads another world. Starts then
/// wait for the player until you pass 1, which is the initial value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_take_part(
    guest: *mut NetclockGuest,
    takes_part: i32,
) -> NetclockStatus {
    guest!(netclock_guest_take_part, guest, |_, inner| {
        inner.protocol.is_present = takes_part != 0;
        Ok(())
    })
}

/// Reads `length` bytes that `netclock_host_blob` wrote, for example from a replay. In a guest that never
/// connects, `netclock_guest_world_at` and `netclock_guest_real_at` use the latest blob. Errors:
/// `NETCLOCK_WIRE_TORN`, `NETCLOCK_WIRE_...`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_read_blob(
    guest: *mut NetclockGuest,
    blob: *const c_void,
    length: usize,
) -> NetclockStatus {
    guest!(netclock_guest_read_blob, guest, |_, inner| {
        Ok(inner.protocol.read_blob(bytes_in(blob, length, "blob", BLOB_MOST)?)?)
    })
}

/// Writes the latest segment that arrived for world 0 to 3 into a buffer of `capacity` bytes, so that you can
/// record it. The segment has `NETCLOCK_SEGMENT_SIZE` bytes. Returns `NETCLOCK_NO_WORLD` if no segment has
/// arrived. Errors: `NETCLOCK_UNKNOWN_WORLD`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_segment(
    guest: *const NetclockGuest,
    world: u32,
    segment: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    guest!(netclock_guest_segment, guest, |_, inner| {
        let room = room_for(segment, "segment", capacity, SEGMENT_SIZE)?;
        let place = known_world(world).ok_or_else(|| Failure::of(NETCLOCK_UNKNOWN_WORLD))?;
        // Received segments are valid, so encoding succeeds.
        let newest = inner.protocol.worlds[place].newest().and_then(|newest| newest.encode().ok());
        let bytes = newest.ok_or_else(|| Failure::of(NETCLOCK_NO_WORLD))?;
        ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
        Ok(())
    })
}

/// Handles a datagram of `length` bytes from the host, received at local time `arrived` (ticks). It is not an
/// error if the clock rejects a reply. After `NETCLOCK_OTHER_SESSION`, the guest announces this connection to
/// the host again. After any other error, the datagram has had no effect. Errors: `NETCLOCK_OTHER_SESSION`,
/// `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_WIRE_...`, `NETCLOCK_RATE_OUT_OF_RANGE`,
/// and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`,
/// `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`. `NETCLOCK_WIRE_OLDER` means that the host must be
/// updated, and `NETCLOCK_WIRE_NEWER` means that this side must be updated. Without a key, an attacker can
/// cause these two errors, so ignore them once the host has replied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_receive(
    guest: *mut NetclockGuest,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    guest!(netclock_guest_receive, guest, |client, inner| {
        let bytes = bytes_in(datagram, length, "datagram", DATAGRAM_MOST)?;
        Ok(inner.protocol.receive(client, bytes, local_time(arrived)?)?)
    })
}

/// Writes the next datagram to send at local time `now` (ticks) into a buffer of `capacity` bytes
/// (`NETCLOCK_SESSION_DATAGRAM_MOST` suffice), and its length to `*length`. `*reliable` is 1 if the datagram
/// should be sent reliably where the transport supports that, else 0. Every frame, right before you send the
/// datagrams, call this until it returns `NETCLOCK_NOTHING_DUE`. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`.
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
        let room = room_for(datagram, "datagram", capacity, DATAGRAM_MOST)?;
        let due = at(now, |now| inner.protocol.next(client, now))?;
        let (bytes, is_reliable) = due.ok_or_else(|| Failure::of(NETCLOCK_NOTHING_DUE))?;
        ptr::copy_nonoverlapping(bytes.as_ptr(), room, bytes.len());
        copy_out(reliable, "reliable", i32::from(is_reliable))?;
        copy_out(length, "length", bytes.len())
    })
}

/// Begins the frame at local time `now` (ticks) and returns the server's time in `*reading`. Until the next
/// call, all values that the guest returns are for this instant. Call this once per frame. World time does
/// not go backwards from one call to the next, and a start fires in only one of the calls. Before the first
/// reply, returns `NETCLOCK_NOT_SYNCED` and an unsynced reading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_view(
    guest: *mut NetclockGuest,
    now: NetclockLocalTime,
    reading: *mut NetclockReading,
) -> NetclockStatus {
    guest!(netclock_guest_view, guest, |client, inner| {
        check_size(reading, "reading")?;
        let view = at(now, |now| inner.protocol.view(client, now))?;
        let read = inner.view.insert(view).reading;
        grow_out(reading, "reading", read)?;
        if read.state == State::Unsynced { Err(Failure::of(NETCLOCK_NOT_SYNCED)) } else { Ok(()) }
    })
}

/// Reads world 0 to 3 in the current frame, and returns its time in `*reading`. Returns `NETCLOCK_NOT_SYNCED`
/// or `NETCLOCK_NO_WORLD` if the time is unknown. Errors: `NETCLOCK_UNKNOWN_WORLD`.
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

/// Reads the server's UTC in the current frame, and returns it in `*reading`. Returns `NETCLOCK_NOT_SYNCED`
/// or `NETCLOCK_NO_UTC` if UTC is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_utc(
    guest: *const NetclockGuest,
    reading: *mut NetclockUtcReading,
) -> NetclockStatus {
    shown!(netclock_guest_utc, guest, reading, |view| view.utc, NETCLOCK_NO_UTC)
}

/// Reads the latest start in the current frame, and returns its progress in `*progress`. `fires` is 1 in the
/// first frame whose shown server time has reached the start, and never earlier. Returns
/// `NETCLOCK_NOT_SYNCED` before the first frame of this connection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_start(
    guest: *const NetclockGuest,
    progress: *mut NetclockStartProgress,
) -> NetclockStatus {
    shown!(netclock_guest_start, guest, progress, |view| Some(view.start), NETCLOCK_NOT_SYNCED)
}

/// Checks the guest's connection in the current frame, and returns its state in `*report`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_report(
    guest: *const NetclockGuest,
    report: *mut NetclockConnectionReport,
) -> NetclockStatus {
    guest!(netclock_guest_report, guest, |_, inner| {
        let view = inner.view.as_ref().as_ref();
        let (speed, lead) = (view.map(|view| view.speed), view.map(|view| (view.handled_by, view.showable)));
        let (handled_by, showable) = lead.unwrap_or_default();
        let known = NetclockConnectionReport {
            host_epoch: inner.protocol.host_epoch().unwrap_or(0),
            handled_by: handled_by.to_c(),
            showable: showable.to_c(),
            is_hiding: i32::from(speed.is_some_and(|speed| speed.is_hiding)),
            speed_scale: speed.map_or(1.0, |speed| speed.scale),
            speed_done: speed.map_or(0, |speed| speed.done.ticks()),
            speed_remaining: speed.map_or(0, |speed| speed.remaining.ticks()),
            ..Growable::zero()
        };
        grow_out(report, "report", known)
    })
}

/// Returns the next latency change in `*change`, or `NETCLOCK_NO_CHANGE` if no change is pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_next_latency_change(
    guest: *mut NetclockGuest,
    change: *mut NetclockLatencyChange,
) -> NetclockStatus {
    guest!(netclock_guest_next_latency_change, guest, |_, inner| {
        check_size(change, "change")?;
        let next = inner.protocol.latency.next_change().ok_or_else(|| Failure::of(NETCLOCK_NO_CHANGE))?;
        grow_out(change, "change", next)
    })
}

/// Looks up the link that the host offered in this connection, and returns its UDP port in `*port` and its
/// key in `*key`. Pass both to `netclock_link_client_create` with the guest's client. Returns
/// `NETCLOCK_NO_LINK_OFFER` if the host has not offered a link.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_guest_link_offer(
    guest: *const NetclockGuest,
    port: *mut u16,
    key: *mut NetclockSessionKey,
) -> NetclockStatus {
    guest!(netclock_guest_link_offer, guest, |_, inner| {
        writable(port, "port")?;
        writable(key, "key")?;
        let offer = inner.protocol.offer.as_ref().ok_or_else(|| Failure::of(NETCLOCK_NO_LINK_OFFER))?;
        copy_out(key, "key", key_out(&offer.key))?;
        copy_out(port, "port", offer.port)
    })
}

/// Converts the server's real time `real` (ticks) in the current server epoch to the time of world 0 to 3,
/// and returns it in `*reading`. The result uses all segments that have arrived and is not slewed, so it may
/// differ from the time that the guest showed at `real`. Returns `NETCLOCK_NOT_SYNCED` or `NETCLOCK_NO_WORLD`
/// if the time is unknown, and `NETCLOCK_NOT_KEPT` if `real` is before the oldest stored segment. Errors:
/// `NETCLOCK_UNKNOWN_WORLD`.
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

/// Finds the server's real times (ticks) at which the clock of world 0 to 3 reads `time`. Returns the first
/// in `*first` and the last in `*last`. The two differ if the world is paused at `time`. `*last` is 2^62 - 1
/// if the end of the pause is unknown. Returns `NETCLOCK_NOT_SYNCED`, `NETCLOCK_NEVER` or `NETCLOCK_NO_WORLD`
/// if there is no such time, and `NETCLOCK_NOT_KEPT` if the world's clock read `time` before the oldest
/// stored segment. Errors: `NETCLOCK_UNKNOWN_WORLD`.
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

fn known_world(world: u32) -> Option<usize> {
    usize::try_from(world).ok().filter(|&place| place < WORLDS)
}

fn of_world(inner: &Inner, world: u32) -> Outcome<(&Timeline, u64)> {
    let place = known_world(world).ok_or_else(|| Failure::of(NETCLOCK_UNKNOWN_WORLD))?;
    Ok((&inner.protocol.worlds[place], epoch(inner)?))
}

fn epoch(inner: &Inner) -> Outcome<u64> {
    let shown = (*inner.view).filter(|view| view.reading.state != State::Unsynced);
    let shown = shown.map(|view| view.reading.server_epoch);
    shown.or(inner.protocol.blob_epoch).ok_or_else(|| Failure::of(NETCLOCK_NOT_SYNCED))
}
