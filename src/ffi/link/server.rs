//! A server's end.

use core::ffi::c_char;
use std::net::{IpAddr, Ipv6Addr};

use crate::clock::ServerTime;
use crate::ffi::base::entries::{change, create};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::growable::optional;
use crate::ffi::base::pointers::copy_out;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::link::common::{
    End, NETCLOCK_LINK_CARRIED, NETCLOCK_LINK_POLLED, NETCLOCK_LINK_THREAD_STAMPS, NetclockLink,
    NetclockLinkConfig, text_in,
};
use crate::ffi::link::status::NETCLOCK_BAD_ADDRESS;
use crate::link::ServerLink;
use crate::link::sockets::{LinkServer, ServeConfig};

/// Opens a UDP port and answers the clients of admitted keys, on a thread of its own for all of them. The link is stored in
/// `*link`; give it to `netclock_link_stop`. `config` may be null for all defaults. `address` is one of this
/// machine's, as text, or null for all of them, of both versions of IP where the system allows it (on Windows of version 4).
/// `port` 0 takes a free one. `epoch` names this run of the server's clock: draw a random number, and name the same one
/// wherever else this clock is served.
///
/// Server time is `netclock_monotonic_now` plus `config->clock_offset`. With `NETCLOCK_LINK_CARRIED` the link opens nothing:
/// address and port are not used, and `netclock_link_answer` has the clock's stamps. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG`, `NETCLOCK_BAD_ADDRESS`, `NETCLOCK_PORT_IN_USE`,
/// `NETCLOCK_NO_PERMISSION`, `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_link_serve(
    config: *const NetclockLinkConfig,
    address: *const c_char,
    port: u16,
    epoch: u64,
    link: *mut *mut NetclockLink,
) -> NetclockStatus {
    create!(netclock_link_serve, link, {
        let config = optional(config, "config")?;
        config.check()?;
        if config.has(NETCLOCK_LINK_CARRIED) {
            return Ok(End::CarriedServer(ServerLink::new(config.to_server(), epoch)?));
        }
        let ip = if address.is_null() {
            IpAddr::V6(Ipv6Addr::UNSPECIFIED)
        } else {
            text_in(address, "address")?.parse().map_err(|_| Failure::of(NETCLOCK_BAD_ADDRESS))?
        };
        let serve = ServeConfig {
            address: (ip, port).into(),
            link: config.to_server(),
            kernel_stamps: !config.has(NETCLOCK_LINK_THREAD_STAMPS),
            thread: !config.has(NETCLOCK_LINK_POLLED),
        };
        let offset = config.clock_offset;
        let clock = move |local: crate::LocalTime| ServerTime::from_ticks(local.ticks() + offset);
        Ok(End::Server(LinkServer::serve(&serve, epoch, clock)?))
    })
}

/// The port that a server's link listens at, into `*port`. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_OTHER_END` (or carried),
/// `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_link_port(link: *const NetclockLink, port: *mut u16) -> NetclockStatus {
    change!(netclock_link_port, link, |link| { copy_out(port, "port", link.server()?.address().port()) })
}

/// Answers the holder of `*key` from now on. Draw a new key for each connection. Errors: `NETCLOCK_NULL_ARGUMENT`,
/// `NETCLOCK_UNKNOWN_STRUCT` (`reserved` is set), `NETCLOCK_BAD_CONFIG` (the secret is zero), `NETCLOCK_DUPLICATE` (its id
/// is in use), `NETCLOCK_FULL`, `NETCLOCK_OTHER_END`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_admit(
    link: *mut NetclockLink,
    key: *const NetclockSessionKey,
) -> NetclockStatus {
    change!(netclock_link_admit, link, |link| { link.admit(key_in(key)?) })
}

/// Forgets the key `id`: its holder is not answered from now on. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_KEY`,
/// `NETCLOCK_OTHER_END`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_revoke(link: *mut NetclockLink, id: u32) -> NetclockStatus {
    change!(netclock_link_revoke, link, |link| link.revoke(id))
}
