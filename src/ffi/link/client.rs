//! A client's end.

use core::ffi::{c_char, c_void};

use crate::clock::for_parts::memory;
use crate::clock::{LocalTime, Span};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::link::carried::Carried;
use crate::ffi::link::common::{
    FLAGS, NETCLOCK_LINK_CARRIED, NETCLOCK_LINK_NO_MARK, NETCLOCK_LINK_POLLED, NETCLOCK_LINK_THREAD_STAMPS,
    check, polled, text_in,
};
use crate::ffi::link::linked::Linked;
use crate::ffi::link::report::{NetclockLinkReport, carried};
use crate::ffi::link::status::NETCLOCK_NOT_CARRIED;
use crate::link::sockets::{ConnectConfig, LinkConnection};
use crate::link::{ClientLinkConfig, DATAGRAM};

/// Settings of a client's link. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkClientConfig {
    /// `sizeof(netclock_link_client_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`, `NETCLOCK_LINK_CARRIED`
    /// and `NETCLOCK_LINK_NO_MARK`, added.
    pub flags: u32,
    /// The client's local time minus `netclock_monotonic_now`, in ticks. It must be the local time of all
    /// other calls on the client. (default 0)
    pub clock_offset: i64,
    /// Mean time between requests by the link, once settled. A client that asks often because frames hold its
    /// messages need not ask as often here. (ticks, 50 ms to 10 min, default 5 s, or the client's
    /// `steady_interval` if that is longer)
    pub steady_interval: i64,
    /// Mean time between requests by the game's messages while the link is good. (ticks, 50 ms to 10 min,
    /// default twice `steady_interval`)
    pub message_interval: i64,
}

growable! { NetclockLinkClientConfig: 32 }

impl NetclockLinkClientConfig {
    fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    fn to_link(self) -> ClientLinkConfig {
        ClientLinkConfig {
            steady_interval: Span::from_ticks(self.steady_interval),
            message_interval: Span::from_ticks(self.message_interval),
            // A caller that carries datagrams is not told which ones to mark.
            unmarked: self.has(NETCLOCK_LINK_NO_MARK | NETCLOCK_LINK_CARRIED),
        }
    }
}

/// A client's end of a link. Opaque. Calls on it wait for each other, and not for its thread.
pub struct NetclockLinkClient(Owned<ClientEnd>);

pub(crate) enum ClientEnd {
    Own(LinkConnection),
    /// The caller has the socket.
    Carried(Carried),
}

owned! { NetclockLinkClient(ClientEnd): "netclock_link_client", "link" }

impl ClientEnd {
    fn carried(&mut self) -> Outcome<&mut Carried> {
        match self {
            ClientEnd::Carried(client) => Ok(client),
            ClientEnd::Own(_) => Err(Failure::of(NETCLOCK_NOT_CARRIED)),
        }
    }

    fn report(&self) -> NetclockLinkReport {
        match self {
            ClientEnd::Own(connection) => connection.status().into(),
            ClientEnd::Carried(client) => carried(client.status().into()),
        }
    }
}

/// Creates a link of `client` to a server that admitted `*key` and stores it in `*link`. It has a thread of
/// its own. Destroy it before the client. `config` may be null for all defaults. `host` is a name or an
/// address as text, of up to 253 bytes, and `port` is that of the server's link. It returns at once: names
/// are looked up by another thread. Whether the server answers is in `netclock_link_client_report`.
///
/// The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link does all
/// that the client needs. If the game also calls `netclock_client_tick` and sends what it returns, the clock
/// has two paths. It uses the second one as soon as UDP is blocked. The callbacks of the client
/// then run on the link's thread, too.
///
/// With `NETCLOCK_LINK_CARRIED` the link opens nothing: host and port are not used, and times are the
/// client's local time.
///
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` (also for host, port
/// and key), `NETCLOCK_BAD_ADDRESS` (the host is no text), `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`,
/// `NETCLOCK_OUT_OF_MEMORY`, `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_create(
    config: *const NetclockLinkClientConfig,
    client: *mut NetclockClient,
    host: *const c_char,
    port: u16,
    key: *const NetclockSessionKey,
    link: *mut *mut NetclockLinkClient,
) -> NetclockStatus {
    create!(netclock_link_client_create, link, {
        let config = optional(config, "config")?;
        check(config.flags, FLAGS, config.clock_offset)?;
        let client = handle::usable(client)?;
        client.poison().not_inherited()?;
        let link = config.to_link();
        if config.has(NETCLOCK_LINK_CARRIED) {
            return Ok(ClientEnd::Carried(Carried::new(Linked::new(client), &key_in(key)?, link)?));
        }
        let connect = ConnectConfig {
            link,
            kernel_stamps: !config.has(NETCLOCK_LINK_THREAD_STAMPS),
            thread: !config.has(NETCLOCK_LINK_POLLED),
            host: memory::text(text_in(host, "host")?)?,
            port,
        };
        let (key, offset) = (key_in(key)?, Span::from_ticks(config.clock_offset));
        let connection =
            LinkConnection::connect(&connect, Linked::new(client), &key, move |now| now + offset)?;
        Ok(ClientEnd::Own(connection))
    })
}

/// Ends a client's link within milliseconds: its thread, its socket, and the link. Null is allowed and does
/// nothing. No other call may be using it, and none may follow. The client may be destroyed after its link.
/// Do not call it in a callback. In a forked process it only forgets the link, which goes on in the parent.
///
/// Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use
/// it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_destroy(link: *mut NetclockLinkClient) -> NetclockStatus {
    destroy!(netclock_link_client_destroy, link)
}

/// Without a thread (`NETCLOCK_LINK_POLLED`): takes what has come, and sends what is due. It never waits.
/// Call it every frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_poll(link: *mut NetclockLinkClient) -> NetclockStatus {
    change!(netclock_link_client_poll, link, |link| {
        polled(match link {
            ClientEnd::Own(connection) => Some(connection.poll()),
            ClientEnd::Carried(_) => None,
        })
    })
}

/// What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_report(
    link: *const NetclockLinkClient,
    report: *mut NetclockLinkReport,
) -> NetclockStatus {
    change!(netclock_link_client_report, link, |link| { grow_out(report, "report", link.report()) })
}

/// If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): does what is due at local time `now` (ticks).
/// It writes a datagram of `NETCLOCK_LINK_DATAGRAM_SIZE` bytes into a buffer of `capacity` bytes. Send it at
/// once, and call again until nothing is due. `NETCLOCK_NOTHING_DUE`: `*next` is the local time of the next
/// call, if no datagram comes before; at most half a second later. `next` may be null. Errors:
/// `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small, `NETCLOCK_TIME_OUT_OF_RANGE`,
/// `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_NOT_CARRIED`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_due(
    link: *mut NetclockLinkClient,
    now: NetclockLocalTime,
    datagram: *mut c_void,
    capacity: usize,
    next: *mut NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_link_client_due, link, |link| {
        let room = room::<DATAGRAM>(datagram, capacity)?;
        match link.carried()?.due(local_time(now)?)? {
            Ok(due) => copy_out(room, "datagram", due),
            Err(at) => {
                if let Some(next) = next.as_mut() {
                    *next = at.ticks();
                }
                Err(Failure::of(NETCLOCK_NOTHING_DUE))
            }
        }
    })
}

/// If the caller carries datagrams: takes one of `length` bytes that arrived at local time `arrived` (ticks).
/// Stamp it as close to the network as possible. On an error the datagram was not used. Errors: those of
/// `netclock_sealed_channel_open` and of `netclock_client_handle_reply`, `NETCLOCK_NOT_CARRIED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_handle(
    link: *mut NetclockLinkClient,
    datagram: *const c_void,
    length: usize,
    arrived: NetclockLocalTime,
) -> NetclockStatus {
    change!(netclock_link_client_handle, link, |link| {
        link.carried()?
            .handle(delivered::<DATAGRAM>(datagram, length, "datagram")?, LocalTime::from_ticks(arrived))
    })
}
