//! A server's end.

use core::ffi::{c_char, c_void};
use std::net::Ipv6Addr;

use crate::clock::keyed::SessionKey;
use crate::clock::{LocalTime, ServerTime, SessionKeysConfig};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::wire::{delivered, room};
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::link::carried::failure;
use crate::ffi::link::common::{
    FLAGS, NETCLOCK_LINK_CARRIED, NETCLOCK_LINK_NO_MARK, NETCLOCK_LINK_POLLED, NETCLOCK_LINK_THREAD_STAMPS,
    check, polled, text_in,
};
use crate::ffi::link::report::{NetclockLinkReport, carried};
use crate::ffi::link::status::{NETCLOCK_BAD_ADDRESS, NETCLOCK_CARRIED, NETCLOCK_NOT_CARRIED};
use crate::link::sockets::{LinkServer, ServeConfig, ServeStatus, address_in};
use crate::link::{DATAGRAM, ServerLink, ServerLinkConfig};

/// Settings of a server's link. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkServerConfig {
    /// `sizeof(netclock_link_server_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Any of `NETCLOCK_LINK_POLLED`, `NETCLOCK_LINK_THREAD_STAMPS`, `NETCLOCK_LINK_CARRIED` and
    /// `NETCLOCK_LINK_NO_MARK`, added.
    pub flags: u32,
    /// Most keys at a time; memory for them is taken at once. (1 to 65536, default 64)
    pub capacity: u32,
    /// Answers a second to all clients together. (1 to 1000000, default 20000)
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
        let capacity = or(self.capacity, standard.sessions.capacity);
        let sessions = SessionKeysConfig { capacity, ..standard.sessions };
        ServerLinkConfig { sessions, answers: or(self.answers, standard.answers) }
    }
}

/// A server's end of a link, for all its clients. Opaque. Calls on it wait for each other, and not for its
/// thread.
pub struct NetclockLinkServer(Owned<ServerEnd>);

pub(crate) enum ServerEnd {
    Own(LinkServer),
    /// The caller has the socket.
    Carried(ServerLink),
}

owned! { NetclockLinkServer(ServerEnd): "netclock_link_server", "link" }

impl ServerEnd {
    fn admit(&mut self, key: &SessionKey) -> Outcome {
        match self {
            ServerEnd::Own(server) => server.admit(key)?,
            ServerEnd::Carried(server) => server.admit(key)?,
        }
        Ok(())
    }

    fn revoke(&mut self, id: u32) -> Outcome {
        match self {
            ServerEnd::Own(server) => server.revoke(id)?,
            ServerEnd::Carried(server) => server.revoke(id)?,
        }
        Ok(())
    }

    fn port(&self) -> Outcome<u16> {
        match self {
            ServerEnd::Own(server) => Ok(server.address().port()),
            ServerEnd::Carried(_) => Err(Failure::of(NETCLOCK_CARRIED)),
        }
    }

    fn carried(&mut self) -> Outcome<&mut ServerLink> {
        match self {
            ServerEnd::Carried(server) => Ok(server),
            ServerEnd::Own(_) => Err(Failure::of(NETCLOCK_NOT_CARRIED)),
        }
    }

    fn report(&self) -> NetclockLinkReport {
        match self {
            ServerEnd::Own(server) => server.status().into(),
            ServerEnd::Carried(server) => {
                carried(ServeStatus { counts: server.counts(), ..ServeStatus::default() }.into())
            }
        }
    }
}

/// Opens a link at a UDP port and stores it in `*link`. It answers the clients of admitted keys, on a thread
/// of its own for all of them. `config` may be null for all defaults. `address` is one of this machine's, as
/// text. Null means all of them, of both versions of IP where the system allows it (on Windows of version 4).
/// `port` 0 takes a free one. `epoch` names this run of the server's clock: draw a random number, and name
/// the same one wherever else this clock is served.
///
/// Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED` the link
/// opens nothing: address and port are not used, and `netclock_link_server_answer` has the clock's stamps.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`,
/// `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`, `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`,
/// `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`.
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

/// Ends a server's link within milliseconds: its thread, its socket, and the link. Null is allowed and does
/// nothing. No other call may be using it, and none may follow. In a forked process it only forgets the link,
/// which goes on in the parent.
///
/// Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use
/// it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_destroy(link: *mut NetclockLinkServer) -> NetclockStatus {
    destroy!(netclock_link_server_destroy, link)
}

/// The port that it listens at, into `*port`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_CARRIED`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_port(
    link: *const NetclockLinkServer,
    port: *mut u16,
) -> NetclockStatus {
    change!(netclock_link_server_port, link, |link| { copy_out(port, "port", link.port()?) })
}

/// Answers the holder of `*key` from now on. Draw a new key for each connection, and admit none again.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_BAD_CONFIG` (the secret is zero), `NETCLOCK_DUPLICATE` (its id
/// is in use), `NETCLOCK_FULL`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_admit(
    link: *mut NetclockLinkServer,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_link_server_admit, link, |link| { link.admit(&key_in(key)?) })
}

/// Forgets the key `id`: its holder is not answered from now on. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_KEY`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_revoke(
    link: *mut NetclockLinkServer,
    id: u32,
) -> NetclockStatus {
    change!(netclock_link_server_revoke, link, |link| link.revoke(id))
}

/// Without a thread (`NETCLOCK_LINK_POLLED`): answers what has come. It never waits. Call it every frame.
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED`, `NETCLOCK_CARRIED`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_poll(link: *mut NetclockLinkServer) -> NetclockStatus {
    change!(netclock_link_server_poll, link, |link| {
        polled(match link {
            ServerEnd::Own(server) => Some(server.poll()),
            ServerEnd::Carried(_) => None,
        })
    })
}

/// What the link does, into `*report`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`,
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_server_report(
    link: *const NetclockLinkServer,
    report: *mut NetclockLinkReport,
) -> NetclockStatus {
    change!(netclock_link_server_report, link, |link| { grow_out(report, "report", link.report()) })
}

/// If the caller carries datagrams (`NETCLOCK_LINK_CARRIED`): answers one of `length` bytes that arrived at
/// server time `received` (ticks). The answer, which leaves at `sent`, is a datagram of
/// `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, written into a buffer of `capacity` bytes. Send it to where the
/// datagram came from, and to nobody else. On an error send nothing. Errors: those of
/// `netclock_session_keys_open`, `netclock_session_keys_allow` and `netclock_server_respond`,
/// `NETCLOCK_NOT_CARRIED`.
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
