//! Both ends of a link: what they have in common.

use core::ffi::{CStr, c_char};

use crate::clock::keyed::SessionKey;
use crate::clock::{SessionKeysConfig, Span};
use crate::ffi::base::entries::{change, destroy};
use crate::ffi::base::failure::{Failure, Outcome};
use crate::ffi::base::growable::{growable, or};
use crate::ffi::base::owned::{Owned, owned};
use crate::ffi::base::status::{NETCLOCK_BAD_CONFIG, NetclockStatus};
use crate::ffi::link::carried::Carried;
use crate::ffi::link::status::{NETCLOCK_BAD_ADDRESS, NETCLOCK_NOT_POLLED, NETCLOCK_OTHER_END};
use crate::link::sockets::{LinkConnection, LinkServer};
use crate::link::{ClientLinkConfig, ServerLink, ServerLinkConfig};

/// Flag of a link: it has no thread. Call `netclock_link_poll` every frame.
pub const NETCLOCK_LINK_POLLED: u32 = 1;
/// Flag of a link: stamp arrivals by the thread, even where the kernel does it. For comparisons.
pub const NETCLOCK_LINK_THREAD_STAMPS: u32 = 2;
/// Flag of a client's link: ask the server for its authority too, for timescales that outlive a server.
pub const NETCLOCK_LINK_AUTHORITY: u32 = 4;
/// Flag of a link: it has neither socket nor thread. The caller carries its datagrams and stamps them, with
/// `netclock_link_due`, `netclock_link_handle` and `netclock_link_answer`. For systems whose sockets this library does not know.
pub const NETCLOCK_LINK_CARRIED: u32 = 8;
/// All of them.
const FLAGS: u32 =
    NETCLOCK_LINK_POLLED | NETCLOCK_LINK_THREAD_STAMPS | NETCLOCK_LINK_AUTHORITY | NETCLOCK_LINK_CARRIED;

/// Settings of a link. Set `struct_size` and all else to zero for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkConfig {
    /// `sizeof(netclock_link_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Any of `NETCLOCK_LINK_...`, added.
    pub flags: u32,
    /// A server's: most keys at a time; memory for them is taken at once. (1 to 65536, default 64)
    pub capacity: u32,
    /// A server's: answers a second to all clients together. (1 to 1000000, default 20000)
    pub answers: u32,
    /// What to add to `netclock_monotonic_now` to get the clock of this end, in ticks: a server's server time, a client's
    /// local time. It must be the clock of all other calls. (default 0)
    pub clock_offset: i64,
    /// A client's: mean time between its requests by the link, once settled. A client that asks often because frames hold its
    /// messages need not ask as often here. (ticks, 50 ms to 10 min, default the client's `steady_interval`)
    pub steady_interval: i64,
    /// A client's: mean time between requests by the game's messages while the link is good. (ticks, 50 ms to 10 min, default
    /// twice `steady_interval`)
    pub message_interval: i64,
}

growable! { NetclockLinkConfig: 40 }

impl NetclockLinkConfig {
    /// Checks what the library below does not.
    pub(crate) fn check(&self) -> Outcome {
        let unknown = self.flags & !FLAGS;
        if unknown == 0 && self.clock_offset.unsigned_abs() <= 1 << 61 {
            return Ok(());
        }
        Err(Failure::because(NETCLOCK_BAD_CONFIG, move |f| match unknown {
            0 => f.write_str("clock_offset is outside +-2^61 ticks"),
            unknown => write!(f, "flags has {unknown}, which is no flag of a link"),
        }))
    }

    pub(crate) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn to_client(self) -> ClientLinkConfig {
        ClientLinkConfig {
            follow_authority: self.has(NETCLOCK_LINK_AUTHORITY),
            steady_interval: Span::from_ticks(self.steady_interval),
            message_interval: Span::from_ticks(self.message_interval),
        }
    }

    pub(crate) fn to_server(self) -> ServerLinkConfig {
        let standard = ServerLinkConfig::default();
        let capacity = or(self.capacity, standard.sessions.capacity);
        let sessions = SessionKeysConfig { capacity, ..standard.sessions };
        ServerLinkConfig { sessions, answers: or(self.answers, standard.answers) }
    }
}

/// One end of a link: a server's for all its clients, or a client's. Opaque. Calls on it wait for each other, and not for
/// its thread.
pub struct NetclockLink(Owned<End>);

/// Which end.
pub(crate) enum End {
    Server(LinkServer),
    Client(LinkConnection),
    /// The caller has the socket.
    CarriedServer(ServerLink),
    CarriedClient(Carried),
}

owned! { NetclockLink(End): "netclock_link", "link" }

impl End {
    pub(crate) fn server(&self) -> Outcome<&LinkServer> {
        match self {
            End::Server(server) => Ok(server),
            _ => Err(Failure::of(NETCLOCK_OTHER_END)),
        }
    }

    pub(crate) fn admit(&mut self, key: SessionKey) -> Outcome {
        match self {
            End::CarriedServer(server) => server.admit(key)?,
            end => end.server()?.admit(key)?,
        }
        Ok(())
    }

    pub(crate) fn revoke(&mut self, id: u32) -> Outcome {
        match self {
            End::CarriedServer(server) => server.revoke(id)?,
            end => end.server()?.revoke(id)?,
        }
        Ok(())
    }

    fn poll(&self) -> bool {
        match self {
            End::Server(server) => server.poll(),
            End::Client(connection) => connection.poll(),
            End::CarriedServer(_) | End::CarriedClient(_) => false,
        }
    }
}

/// A name or an address.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero, for as long as the result is used.
pub(crate) unsafe fn text_in<'a>(text: *const c_char, name: &'static str) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::of(NETCLOCK_BAD_ADDRESS))
}

/// Without a thread (`NETCLOCK_LINK_POLLED`): takes what has come, and sends what is due. It never waits. Call it every
/// frame. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_NOT_POLLED` if the link has a thread or is carried, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_poll(link: *mut NetclockLink) -> NetclockStatus {
    change!(netclock_link_poll, link, |link| {
        if link.poll() { Ok(()) } else { Err(Failure::of(NETCLOCK_NOT_POLLED)) }
    })
}

/// Stops a link, from any thread and within milliseconds: ends its thread, closes its socket, and destroys it. Null is
/// allowed and does nothing. No other call may be using it, and none may follow. A client may be destroyed after its link.
/// Do not call it in a callback. In a forked process it only forgets the link, which goes on in the parent.
///
/// Errors: `NETCLOCK_UNKNOWN_HANDLE` if it is no live link, `NETCLOCK_BUSY` if another thread is seen to use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_stop(link: *mut NetclockLink) -> NetclockStatus {
    destroy!(netclock_link_stop, link)
}
