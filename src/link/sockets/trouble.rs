use std::io;

use super::{NetError, is_refusal};

/// Why a link does not work, as reported by the system or the network. See [`LinkStatus`](super::LinkStatus).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// No trouble was reported.
    #[default]
    None,
    /// The host name is being resolved.
    Resolving,
    /// The host is unknown because the name is wrong or there is no name service.
    UnknownHost,
    /// There is no route to the address. There may be no network, the IP version may be unavailable, or the
    /// system may refuse to send to this address.
    NoRoute,
    /// The network reports that no program listens at the address and port.
    NobodyListens,
    /// The system could not send because the network is down or its buffers are full.
    NotSent,
    /// The network reports that the host is unreachable because it is down or its address is wrong.
    HostUnreachable,
    /// The system, or a firewall here or on the path, reports that it prohibits these datagrams.
    Prohibited,
    /// A newer link for the same client has replaced this one.
    Replaced,
    /// The system cannot open a socket because too many files are open or there is not enough memory.
    NoSocket,
    /// Another client uses the same key. The server answers both, but each session should have its own key.
    KeyInUse,
}

impl Trouble {
    /// Returns a description of the trouble.
    pub const fn words(self) -> &'static str {
        match self {
            Trouble::None => "none",
            Trouble::Resolving => "the host's name is being resolved",
            Trouble::UnknownHost => "the host's name is unknown",
            Trouble::NoRoute => "there is no route to the address",
            Trouble::NobodyListens => "no program listens at the address and port",
            Trouble::NotSent => "the system failed to send",
            Trouble::HostUnreachable => "the network cannot reach the host",
            Trouble::Prohibited => "the system or a firewall prohibits the datagrams",
            Trouble::Replaced => "a newer link for this client has replaced it",
            Trouble::KeyInUse => "another client uses this key",
            Trouble::NoSocket => "the system cannot open a socket: too many files are open",
        }
    }

    pub(super) fn of_network(error: &io::Error) -> Self {
        match error.kind() {
            _ if is_refusal(error) => Trouble::NobodyListens,
            io::ErrorKind::HostUnreachable => Trouble::HostUnreachable,
            io::ErrorKind::NetworkUnreachable => Trouble::NoRoute,
            io::ErrorKind::PermissionDenied => Trouble::Prohibited,
            _ => Trouble::None,
        }
    }

    pub(super) fn of_opening(error: &NetError) -> Self {
        match error {
            NetError::NoPermission => Trouble::Prohibited,
            NetError::Create(_) => Trouble::NoSocket,
            NetError::Socket(error) => match Trouble::of_network(error) {
                Trouble::None if is_exhausted(error) => Trouble::NoSocket,
                Trouble::None => Trouble::NoRoute,
                trouble => trouble,
            },
            _ => Trouble::NoRoute,
        }
    }
}

fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(unix)]
    let exhausted = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    // WSAEMFILE and WSAENOBUFS.
    #[cfg(not(unix))]
    let exhausted = [10_024, 10_055];
    error.raw_os_error().is_some_and(|code| exhausted.contains(&code))
}
