//! The client's handle and the calls that change it.

use parking_lot::Mutex;

use super::boundary::{self, Growable, Handle, Outcome, Poison};
use super::config::{self, NetclockConfig};
use super::status::{NETCLOCK_NO_EVENT, NETCLOCK_NOTHING_DUE, NetclockStatus};
use super::wire::{NetclockReply, NetclockRequest};
use crate::client::{Cause, Client, Degradation, Event, Reader};
use crate::exchange::Exchange;
use crate::time::{LocalTime, ServerTime, Span};

/// A client: follows one server's clock. Opaque.
///
/// Calls that change it are serialised by a lock, so that calling from two threads is safe though pointless.
/// Calls that read it never wait. Destroying it while another thread uses it is an error nobody can detect.
pub struct NetclockClient {
    pub(super) front: Front,
    writer: Mutex<Client>,
}

/// What a read needs of a handle. A structure of its own keeps it together, in one cache line instead of two.
pub(super) struct Front {
    pub(super) poison: Poison,
    pub(super) reader: Reader,
}

impl Handle for NetclockClient {
    fn poison(&self) -> &Poison {
        &self.front.poison
    }
}

/// The first reply was accepted: there is a server time to show.
pub const NETCLOCK_EVENT_SYNCED: i32 = 1;
/// The clock jumped, or may be wrong until the next reply; `cause` is one of `NETCLOCK_CAUSE_...`.
pub const NETCLOCK_EVENT_DISCONTINUITY: i32 = 2;
/// The clock goes on, but is less good than it should be; `cause` is one of `NETCLOCK_DEGRADED_...`.
pub const NETCLOCK_EVENT_DEGRADED: i32 = 3;
/// What was degraded is good again.
pub const NETCLOCK_EVENT_RECOVERED: i32 = 4;

/// Discontinuity: the server's clock was restarted (another server epoch).
pub const NETCLOCK_CAUSE_SERVER_RESTART: i32 = 1;
/// Discontinuity: two exchanges proved that a clock stepped.
pub const NETCLOCK_CAUSE_PROVEN_STEP: i32 = 2;
/// Discontinuity: no call for longer than `local_gap`.
pub const NETCLOCK_CAUSE_LOCAL_GAP: i32 = 3;
/// Discontinuity: the local clock went back by a second or more.
pub const NETCLOCK_CAUSE_LOCAL_STEP: i32 = 4;
/// Discontinuity: a correction forwards above `step_threshold`.
pub const NETCLOCK_CAUSE_CORRECTION: i32 = 5;

/// Degraded: no reply for `holdover_after`.
pub const NETCLOCK_DEGRADED_NO_REPLIES: i32 = 1;
/// Degraded: the error bound exceeds `target_bound`.
pub const NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET: i32 = 2;
/// Degraded: a reply contradicts the clock; a second one will decide.
pub const NETCLOCK_DEGRADED_CONTRADICTION: i32 = 3;

/// Something that happened to the clock. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockEvent {
    /// `sizeof(netclock_event)` as compiled into the caller.
    pub struct_size: u32,
    /// One of `NETCLOCK_EVENT_...`.
    pub kind: i32,
    /// One of `NETCLOCK_CAUSE_...` or `NETCLOCK_DEGRADED_...`; zero for other kinds.
    pub cause: i32,
    /// Discontinuity: the reading's epoch from now on. Otherwise zero.
    pub epoch: u32,
    /// Discontinuity: shown time after minus shown time before, in ticks. Otherwise zero.
    pub jump: i64,
}

// SAFETY: repr(C), four four-byte numbers and an eight-byte one, so no padding; every number is valid.
unsafe impl Growable for NetclockEvent {
    const FIRST_SIZE: usize = 24;
    fn zero() -> Self {
        NetclockEvent { struct_size: size_of::<Self>() as u32, kind: 0, cause: 0, epoch: 0, jump: 0 }
    }
}

impl From<Event> for NetclockEvent {
    fn from(event: Event) -> Self {
        let zero = Self::zero();
        match event {
            Event::Synced => NetclockEvent { kind: NETCLOCK_EVENT_SYNCED, ..zero },
            Event::Discontinuity { cause, jump, epoch } => NetclockEvent {
                kind: NETCLOCK_EVENT_DISCONTINUITY,
                cause: match cause {
                    Cause::ServerRestart => NETCLOCK_CAUSE_SERVER_RESTART,
                    Cause::ProvenStep => NETCLOCK_CAUSE_PROVEN_STEP,
                    Cause::LocalGap => NETCLOCK_CAUSE_LOCAL_GAP,
                    Cause::LocalStep => NETCLOCK_CAUSE_LOCAL_STEP,
                    Cause::Correction => NETCLOCK_CAUSE_CORRECTION,
                },
                epoch,
                jump: jump.ticks(),
                ..zero
            },
            Event::Degraded(degradation) => NetclockEvent {
                kind: NETCLOCK_EVENT_DEGRADED,
                cause: match degradation {
                    Degradation::NoReplies => NETCLOCK_DEGRADED_NO_REPLIES,
                    Degradation::BoundAboveTarget => NETCLOCK_DEGRADED_BOUND_ABOVE_TARGET,
                    Degradation::Contradiction => NETCLOCK_DEGRADED_CONTRADICTION,
                },
                ..zero
            },
            Event::Recovered => NetclockEvent { kind: NETCLOCK_EVENT_RECOVERED, ..zero },
        }
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
    boundary::entry(|| {
        boundary::writable(client)?;
        // SAFETY: null, or a structure of the size it states, as the header asks of the caller.
        let config = unsafe { config::settings(config)? };
        let writer = Client::new(config, u128::from(seed_high) << 64 | u128::from(seed_low))?;
        let front = Front { poison: Poison::default(), reader: writer.reader() };
        let handle = NetclockClient { front, writer: Mutex::new(writer) };
        // SAFETY: null or writable, as the header asks of the caller.
        unsafe { boundary::hand_out(handle, client) }
    })
}

/// Destroys a client. Null is allowed and does nothing. No other call may be using it, and none may follow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_destroy(client: *mut NetclockClient) {
    // SAFETY: null or from `netclock_client_create`, as the header asks of the caller.
    unsafe { boundary::take_back(client) }
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        write(client, |client| {
            boundary::writable(request)?;
            match client.tick(LocalTime::from_ticks(now))? {
                Some(due) => boundary::copy_out(request, due.into()),
                None => Err(NetclockStatus(NETCLOCK_NOTHING_DUE)),
            }
        })
    }
}

/// Makes a request to be sent at once, whatever the schedule says, and stores it in `*request`. For callers with
/// a timer of their own. `now` is the local time in ticks. Errors as `netclock_client_tick`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_make_request(
    client: *mut NetclockClient,
    now: i64,
    request: *mut NetclockRequest,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        write(client, |client| {
            boundary::writable(request)?;
            let made = client.make_request(LocalTime::from_ticks(now))?;
            boundary::copy_out(request, made.into())
        })
    }
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        write(client, |client| {
            let reply = boundary::copy_in(reply)?.into();
            Ok(client.handle_reply(&reply, LocalTime::from_ticks(arrived))?)
        })
    }
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
    // SAFETY: null or a live client, as the header asks of the caller.
    unsafe { write(client, |client| Ok(client.handle_exchange(&exchange, epoch)?)) }
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
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        let status = write(client, |client| Ok(client.handle_two_stamps(&exchange)?));
        if !accepted.is_null() {
            accepted.write(i32::from(status == NetclockStatus::OK));
        }
        status
    }
}

/// Takes the oldest event not yet fetched; the 16 newest are kept. `NETCLOCK_NO_EVENT`: `*event` is as it was.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_client_next_event(
    client: *mut NetclockClient,
    event: *mut NetclockEvent,
) -> NetclockStatus {
    // SAFETY: pointers are null or valid, as the header asks of the caller.
    unsafe {
        write(client, |client| {
            boundary::check_size(event)?;
            match client.next_event() {
                Some(next) => boundary::grow_out(event, &next.into()),
                None => Err(NetclockStatus(NETCLOCK_NO_EVENT)),
            }
        })
    }
}

/// Runs `body` on the client, alone.
///
/// # Safety
/// `client` is null or points to a live client.
unsafe fn write(client: *const NetclockClient, body: impl FnOnce(&mut Client) -> Outcome) -> NetclockStatus {
    // SAFETY: the caller's promise.
    unsafe { boundary::on_handle(client, |handle| body(&mut handle.writer.lock())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr;

    #[test]
    fn a_handle_fits_into_eight_kibibytes() {
        let mut client = ptr::null_mut();
        let created = allocation_counter::measure(|| {
            // SAFETY: a null configuration means the default, and `client` can be written.
            let status = unsafe { netclock_client_create(ptr::null(), 1, 2, &raw mut client) };
            assert_eq!(status, NetclockStatus::OK);
        });
        println!("a netclock_client takes {} bytes", created.bytes_total);
        assert!(created.bytes_total <= 8 * 1024);
        // SAFETY: created above, destroyed once.
        unsafe { netclock_client_destroy(client) };
    }

    #[test]
    fn a_panic_stops_at_the_boundary_and_poisons_the_handle() {
        let mut client = ptr::null_mut();
        // SAFETY: as above; `client` is live until it is destroyed.
        unsafe {
            assert_eq!(netclock_client_create(ptr::null(), 1, 2, &raw mut client), NetclockStatus::OK);
            let panicked = write(client, |_| panic!("a test of the panic boundary"));
            assert_eq!(panicked.0, super::super::status::NETCLOCK_PANICKED);
            let mut server_time = 5;
            let status =
                super::super::reading::netclock_client_current_server_time(client, 0, &raw mut server_time);
            assert_eq!(status.0, super::super::status::NETCLOCK_POISONED);
            assert_eq!(server_time, 5);
            netclock_client_destroy(client);
        }
    }
}
