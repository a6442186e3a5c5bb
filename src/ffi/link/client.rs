//! A client's end.

use core::ffi::c_char;

use crate::clock::Span;
use crate::clock::for_parts::memory;
use crate::ffi::base::entries::create;
use crate::ffi::base::growable::optional;
use crate::ffi::base::handle::{self, Handle};
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::handle::NetclockClient;
use crate::ffi::clock::keys::keyed::{NetclockSessionKey, key_in};
use crate::ffi::link::carried::Carried;
use crate::ffi::link::common::{
    End, NETCLOCK_LINK_CARRIED, NETCLOCK_LINK_POLLED, NETCLOCK_LINK_THREAD_STAMPS, NetclockLink,
    NetclockLinkConfig, text_in,
};
use crate::ffi::link::linked::Linked;
use crate::link::sockets::{ConnectConfig, LinkConnection};

/// Links `client` to a server that admitted `*key`, on a thread of its own. The link is stored in `*link`; give it
/// to `netclock_link_stop` before the client is destroyed. `config` may be null for all defaults. `host` is a name or an address as text, of
/// up to 253 bytes, and `port` is that of the server's link. It returns at once: names are looked up by another thread. Whether the
/// server answers is in `netclock_link_status`.
///
/// The client's local time must be `netclock_monotonic_now` plus `config->clock_offset`. The link does all that the client
/// needs. If the game calls `netclock_client_tick` as well, and sends what it returns, the clock has two paths, and the second one is
/// used as soon as UDP is blocked. The callbacks of the client then run on the link's thread, too.
///
/// With `NETCLOCK_LINK_CARRIED` the link opens nothing: host and port are not used, and times are the client's local time.
///
/// Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_UNKNOWN_STRUCT`, `NETCLOCK_BAD_CONFIG` (also for host, port and key),
/// `NETCLOCK_BAD_ADDRESS` (the host is no text), `NETCLOCK_NO_SOCKET`, `NETCLOCK_NO_THREAD`, `NETCLOCK_OUT_OF_MEMORY`,
/// `NETCLOCK_POISONED`, `NETCLOCK_FORKED`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_link_connect(
    config: *const NetclockLinkConfig,
    client: *mut NetclockClient,
    host: *const c_char,
    port: u16,
    key: *const NetclockSessionKey,
    link: *mut *mut NetclockLink,
) -> NetclockStatus {
    create!(netclock_link_connect, link, {
        let config = optional(config, "config")?;
        config.check()?;
        let client = handle::usable(client)?;
        client.poison().not_inherited()?;
        let link = config.to_client();
        if config.has(NETCLOCK_LINK_CARRIED) {
            return Ok(End::CarriedClient(Carried::new(Linked::new(client), key_in(key)?, link)?));
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
            LinkConnection::connect(&connect, Linked::new(client), key, move |now| now + offset)?;
        Ok(End::Client(connection))
    })
}
