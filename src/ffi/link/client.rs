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
    check, text_in,
};
use crate::ffi::link::linked::ClientGuard;
use crate::ffi::link::report::{NetclockLinkReport, carried, check_report};
use crate::ffi::link::status::NETCLOCK_NOT_CARRIED;
use crate::link::sockets::{ConnectConfig, LinkConnection};
use crate::link::{ClientLinkConfig, DATAGRAM};

/// Client link settings. Set `struct_size` to `sizeof(netclock_link_client_config)`. A zero field selects its
/// default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkClientConfig {
    /// `sizeof(netclock_link_client_config)` in the caller's program.
    pub struct_size: u32,
    /// A combination of the flags `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`,
    /// `NETCLOCK_LINK_CARRIED` and `NETCLOCK_LINK_NO_MARK`.
    pub flags: u32,
    /// The client's local time minus `netclock_monotonic_now`, in ticks. The local times in all other calls
    /// on this client must include the same offset. (default 0)
    pub clock_offset: i64,
    /// The mean time between requests over the link in steady state. Frames do not delay these requests, so
    /// the link needs fewer of them than the game's connection. (ticks, 50 ms to 10 min, default 5 s, or the
    /// client's `steady_interval` if that is longer)
    pub steady_interval: i64,
    /// The mean time between requests over the game's connection while the link works. (ticks, 50 ms to 10
    /// min, default twice `steady_interval`)
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
            // A caller that uses its own socket does not know which datagrams to mark.
            unmarked: self.has(NETCLOCK_LINK_NO_MARK | NETCLOCK_LINK_CARRIED),
        }
    }
}

/// The client's end of a link. Opaque. Calls on a link wait for each other, but not for the link's thread.
pub struct NetclockLinkClient(Owned<ClientEnd>);

pub(crate) enum ClientEnd {
    Own(LinkConnection),
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

/// Creates a link from `client` to a server that admitted `*key` and stores it in `*link`. The link has its
/// own thread. Destroy the link before the client. Pass a null `config` for the defaults. `host` is a host
/// name or an address of at most 253 bytes, and `port` is the port of the server's link. The call returns
/// immediately, because another thread resolves the host name. `netclock_link_client_poll` reports whether
/// the server answers.
///
/// The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link alone keeps
/// the client synced. If the game also calls `netclock_client_tick` and sends the requests, the clock has a
/// second path and switches to it if UDP is blocked. The client's callbacks also run on the link's thread.
///
/// With `NETCLOCK_LINK_CARRIED`, the link opens no socket and ignores `host` and `port`. All times of the
/// link are then in the client's local time.
///
/// Errors: `NETCLOCK_BAD_CONFIG`, also for `host`, `port` and the key, `NETCLOCK_BAD_ADDRESS` if the host is
/// not UTF-8, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_FORKED`.
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
            return Ok(ClientEnd::Carried(Carried::new(ClientGuard::new(client), &key_in(key)?, link)?));
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
            LinkConnection::connect(&connect, ClientGuard::new(client), &key, move |now| now + offset)?;
        Ok(ClientEnd::Own(connection))
    })
}

/// Destroys a client's link, including its thread and socket, within milliseconds. Do not call this from a
/// callback. In a forked process, this only releases the handle, and the link continues in the parent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_destroy(link: *mut NetclockLinkClient) -> NetclockStatus {
    destroy!(netclock_link_client_destroy, link)
}

/// Returns the state of the link in `*report`. `report` may be null. If the link has no thread
/// (`NETCLOCK_LINK_POLLED`), call this every frame. Such a call first handles the datagrams that have arrived
/// and sends those that are due, without blocking.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_client_poll(
    link: *mut NetclockLinkClient,
    report: *mut NetclockLinkReport,
) -> NetclockStatus {
    change!(netclock_link_client_poll, link, |link| {
        check_report(report)?;
        if let ClientEnd::Own(connection) = link {
            connection.poll();
        }
        if report.is_null() { Ok(()) } else { grow_out(report, "report", link.report()) }
    })
}

/// Performs the work that is due at local time `now` (ticks), for links whose caller transports the datagrams
/// (`NETCLOCK_LINK_CARRIED`). Returns `NETCLOCK_OK` and a datagram of `NETCLOCK_LINK_DATAGRAM_SIZE` bytes,
/// written into a buffer of `capacity` bytes. Send the datagram at once, and call this function again. If
/// nothing is due, the call returns `NETCLOCK_NOTHING_DUE` and writes the local time at which to call it
/// again to `*next`, which may be null. That time is at most half a second later. If a datagram arrives, call
/// this earlier. Errors: `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_NOT_CARRIED`.
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

/// Handles a datagram of `length` bytes received at local time `arrived` (ticks), for links whose caller
/// transports the datagrams. Take the timestamp as close to the network as possible. Errors: same as
/// `netclock_client_handle_reply`, and `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
/// `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_WIRE_...`,
/// `NETCLOCK_NOT_CARRIED`.
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
