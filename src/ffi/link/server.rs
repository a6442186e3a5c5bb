use core::ffi::{c_char, c_void};
use std::net::Ipv6Addr;

use crate::clock::{LocalTime, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::link::carried::failure;
use crate::ffi::link::common::{
    FLAGS, NETCLOCK_LINK_CARRIED, NETCLOCK_LINK_NO_MARK, NETCLOCK_LINK_POLLED, NETCLOCK_LINK_THREAD_STAMPS,
    check, text_in,
};
use crate::ffi::link::report::{NetclockLinkReport, carried, check_report};
use crate::ffi::link::status::{NETCLOCK_BAD_ADDRESS, NETCLOCK_NOT_CARRIED};
use crate::link::sockets::{LinkServer, ServeConfig, ServeStatus, address_in};
use crate::link::{DATAGRAM, ServerLink, ServerLinkConfig};

/// Server link settings. Set `struct_size` to `sizeof(netclock_link_server_config)`. A zero field selects its
/// default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkServerConfig {
    /// `sizeof(netclock_link_server_config)` in the caller's program.
    pub struct_size: u32,
    /// A combination of the flags `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`,
    /// `NETCLOCK_LINK_CARRIED` and `NETCLOCK_LINK_NO_MARK`.
    pub flags: u32,
    /// The maximum number of keys. The link allocates memory for all of them when it is created. (1 to 65536,
    /// default 64)
    pub capacity: u32,
    /// The maximum number of replies per second across all clients. (1 to 1000000, default 20000)
    pub answers: u32,
    /// Server time minus `netclock_monotonic_now`, in ticks. (default 0)
    pub clock_offset: i64,
}

growable! { NetclockLinkServerConfig: 24 }

impl NetclockLinkServerConfig {
    fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    fn to_link(self) -> ServerLinkConfig {
        let standard = ServerLinkConfig::default();
        let capacity = or(self.capacity, standard.capacity);
        ServerLinkConfig { capacity, answers: or(self.answers, standard.answers), ..standard }
    }
}

/// The server's end of all clients' links. Opaque. Calls on a link wait for each other, but not for the
/// link's thread.
pub struct NetclockLinkServer(Owned<ServerEnd>);

pub(crate) enum ServerEnd {
    Own(LinkServer),
    Carried(ServerLink),
}

owned! { NetclockLinkServer(ServerEnd): "netclock_link_server", "link" }

impl ServerEnd {
    fn carried(&mut self) -> Outcome<&mut ServerLink> {
        match self {
            ServerEnd::Carried(server) => Ok(server),
            ServerEnd::Own(_) => Err(Failure::of(NETCLOCK_NOT_CARRIED)),
        }
    }

    fn report(&self) -> NetclockLinkReport {
        match self {
            ServerEnd::Own(server) => {
                let port = server.address().port().into();
                NetclockLinkReport { port, ..server.status().into() }
            }
            ServerEnd::Carried(server) => {
                carried(ServeStatus { counts: server.counts(), ..ServeStatus::default() }.into())
            }
        }
    }
}

/// Opens a link at a UDP port and stores it in `*link`. The link has a single thread that answers all clients
/// with admitted keys. Pass a null `config` for the defaults. `address` is one of this machine's addresses as
/// text. Null selects all IPv4 and IPv6 addresses where the system permits both (on Windows, only IPv4).
/// `port` 0 selects a free port. `epoch` identifies this run of the server's clock. Use the same random
/// number wherever you serve this clock.
///
/// Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED`, the
/// link opens no socket and ignores `address` and `port`. The caller then passes the timestamps to
/// `netclock_link_server_answer`. Errors: `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`,
/// `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_create(
    config: *const NetclockLinkServerConfig,
    address: *const c_char,
    port: u16,
    epoch: u64,
    link: *mut *mut NetclockLinkServer,
) -> NetclockStatus {
    create!(netclock_link_server_create, link, {
        let config = optional(config, "config")?;
        check(config.flags, FLAGS, config.clock_offset)?;
        if config.has(NETCLOCK_LINK_CARRIED) {
            return Ok(ServerEnd::Carried(ServerLink::new(config.to_link(), epoch)?));
        }
        let address = if address.is_null() {
            (Ipv6Addr::UNSPECIFIED, port).into()
        } else {
            address_in(text_in(address, "address")?, port).ok_or(Failure::of(NETCLOCK_BAD_ADDRESS))?
        };
        let serve = ServeConfig {
            address,
            link: config.to_link(),
            unmarked: config.has(NETCLOCK_LINK_NO_MARK),
            kernel_stamps: !config.has(NETCLOCK_LINK_THREAD_STAMPS),
            thread: !config.has(NETCLOCK_LINK_POLLED),
        };
        let offset = config.clock_offset;
        let clock = move |local: LocalTime| ServerTime::from_ticks(local.ticks() + offset);
        Ok(ServerEnd::Own(LinkServer::serve(&serve, epoch, clock)?))
    })
}

/// Destroys a server's link, including its thread and socket, within milliseconds. In a forked process, this
/// only releases the handle, and the link continues in the parent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_destroy(link: *mut NetclockLinkServer) -> NetclockStatus {
    destroy!(netclock_link_server_destroy, link)
}

/// Admits `*key`. The link then answers requests that are sealed with this key. Draw a new key for each
/// connection, and never admit a key twice. Errors: `NETCLOCK_BAD_CONFIG` if the secret is zero,
/// `NETCLOCK_DUPLICATE` if the id is in use, `NETCLOCK_FULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_admit(
    link: *mut NetclockLinkServer,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_link_server_admit, link, |link| {
        let key = key_in(key)?;
        Ok(match link {
            ServerEnd::Own(server) => server.admit(&key),
            ServerEnd::Carried(server) => server.admit(&key),
        }?)
    })
}

/// Revokes the key with this `id`. The link no longer answers requests that are sealed with this key. Errors:
/// `NETCLOCK_UNKNOWN_KEY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_revoke(
    link: *mut NetclockLinkServer,
    id: u32,
) -> NetclockStatus {
    change!(netclock_link_server_revoke, link, |link| {
        Ok(match link {
            ServerEnd::Own(server) => server.revoke(id),
            ServerEnd::Carried(server) => server.revoke(id),
        }?)
    })
}

/// Returns the state of the link in `*report`. `report` may be null. If the link has no thread
/// (`NETCLOCK_LINK_POLLED`), call this every frame. Such a call first answers the datagrams that have
/// arrived, without blocking.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_poll(
    link: *mut NetclockLinkServer,
    report: *mut NetclockLinkReport,
) -> NetclockStatus {
    change!(netclock_link_server_poll, link, |link| {
        check_report(report)?;
        if let ServerEnd::Own(server) = link {
            server.poll();
        }
        if report.is_null() { Ok(()) } else { grow_out(report, "report", link.report()) }
    })
}

/// Answers a datagram of `length` bytes received at server time `received` (ticks), for links whose caller
/// transports the datagrams (`NETCLOCK_LINK_CARRIED`). The answer is a datagram of
/// `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. `sent` is the server time
/// at which you will send the answer. Send the answer only to the address from which the datagram arrived.
/// After an error, send nothing. Errors: same as `netclock_server_respond`, and `NETCLOCK_NOT_SEALED`,
/// `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`,
/// `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_ENOUGH_ANSWERS`, `NETCLOCK_WIRE_...`, `NETCLOCK_NOT_CARRIED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_answer(
    link: *mut NetclockLinkServer,
    datagram: *const c_void,
    length: usize,
    received: NetclockServerTime,
    sent: NetclockServerTime,
    answer: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_link_server_answer, link, |link| {
        let room = room::<DATAGRAM>(writable(answer, "answer")?, capacity)?;
        let mut out = [0; DATAGRAM];
        let (received_at, sent_at) = (other_time(received)?, other_time(sent)?);
        let server = link.carried()?;
        let answered = server.answer(
            delivered::<DATAGRAM>(datagram, length, "datagram")?,
            received_at,
            sent_at,
            &mut out,
        );
        answered.map_err(|error| failure(error, received, sent))?;
        copy_out(room, "answer", out)
    })
}
