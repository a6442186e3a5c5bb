//! Reasons why the link cannot send or is not answered, as far as the system and the network report them.

use std::io;

use super::{NetError, is_refusal};

/// The reason why a link does not work, as far as the system and the network report one. See
/// [`LinkStatus`](super::LinkStatus).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// The host name is being resolved.
    Resolving,
    /// The host is unknown: the name is wrong, or there is no name service.
    UnknownHost,
    /// There is no route to the address: no network, an IP version that is not available here, or an address
    /// that the system does not send to.
    NoRoute,
    /// The network reports that nothing listens at the address and port.
    NobodyListens,
    /// The system does not send: the network is down, or its buffers are full.
    NotSent,
    /// The network reports that it cannot reach the host: it is down, or its address is wrong.
    HostUnreachable,
    /// The system, or a firewall on this machine or on the path, reports that it forbids these datagrams.
    Prohibited,
    /// A newer link of the same client was opened. The client uses the newest.
    Replaced,
    /// The system cannot open a socket: this process has too many open files, or there is no memory.
    NoSocket,
    /// The server receives from another client with the same key. Both are served, but each session should
    /// have its own key.
    KeyInUse,
}

impl Trouble {
    /// A description of the trouble.
    pub const fn words(self) -> &'static str {
        match self {
            Trouble::None => "none",
            Trouble::Resolving => "the host's name is looked up",
            Trouble::UnknownHost => "the host's name is unknown",
            Trouble::NoRoute => "there is no route to the address",
            Trouble::NobodyListens => "nobody listens at the address and port",
            Trouble::NotSent => "the system does not send",
            Trouble::HostUnreachable => "the network cannot reach the host",
            Trouble::Prohibited => "the system or a firewall forbids it",
            Trouble::Replaced => "a newer link of this client took its place",
            Trouble::KeyInUse => "another client uses this key",
            Trouble::NoSocket => "the system opens no socket: too many files are open",
        }
    }

    /// The trouble in a failed send or receive, if the network reported it; otherwise [`Trouble::None`].
    pub(super) fn of_network(error: &io::Error) -> Self {
        match error.kind() {
            _ if is_refusal(error) => Trouble::NobodyListens,
            io::ErrorKind::HostUnreachable => Trouble::HostUnreachable,
            io::ErrorKind::NetworkUnreachable => Trouble::NoRoute,
            io::ErrorKind::PermissionDenied => Trouble::Prohibited,
            _ => Trouble::None,
        }
    }

    /// The reason why a socket to an address could not be opened.
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

/// Whether the process or the system has no room for another socket.
fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(unix)]
    let exhausted = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    // WSAEMFILE and WSAENOBUFS.
    #[cfg(not(unix))]
    let exhausted = [10_024, 10_055];
    error.raw_os_error().is_some_and(|code| exhausted.contains(&code))
}
