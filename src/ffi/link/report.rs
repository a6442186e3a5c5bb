//! The report about a link.

use crate::ffi::base::prelude::*;
use crate::link::sockets::{LinkStatus, ServeStatus, Stamps, Trouble};
use crate::link::{LinkState, Mark};

/// State of a link: a client sends requests, and none has been answered yet.
pub const NETCLOCK_LINK_CHECKING: i32 = 1;
/// State of a link: a client's requests are answered.
pub const NETCLOCK_LINK_LINKED: i32 = 2;
/// State of a link: no request was answered for 2 s. The client tries again 30 s later, or 5 s later if no
/// message over the game's connection was answered for 15 s.
pub const NETCLOCK_LINK_BLOCKED: i32 = 3;
/// State of a link: datagrams cannot be sent. `trouble` contains the reason.
pub const NETCLOCK_LINK_NOT_POSSIBLE: i32 = 4;
/// State of a link: it is a server's link, and answers requests.
pub const NETCLOCK_LINK_SERVING: i32 = 5;
/// Trouble of a link: none.
pub const NETCLOCK_LINK_NO_TROUBLE: i32 = 10;
/// Trouble of a link: the host name is being resolved. If it takes longer than some seconds, check the
/// player's DNS.
pub const NETCLOCK_LINK_RESOLVING: i32 = 11;
/// Trouble of a link: the host is unknown. Check the host name, and whether the player's DNS resolves other
/// names.
pub const NETCLOCK_LINK_UNKNOWN_HOST: i32 = 12;
/// Trouble of a link: there is no route to the address. Check whether the player is online, with this version
/// of IP.
pub const NETCLOCK_LINK_NO_ROUTE: i32 = 13;
/// Trouble of a link: no program listens at the address and port. Check whether the server runs, and whether
/// the port is the link's.
pub const NETCLOCK_LINK_NOBODY_LISTENS: i32 = 14;
/// Trouble of a link: the system does not send the datagrams. Check whether the player's network is up.
pub const NETCLOCK_LINK_NOT_SENT: i32 = 15;
/// Trouble of a link: the network reports that the host is unreachable. Check the address, and whether the
/// server's machine is up.
pub const NETCLOCK_LINK_HOST_UNREACHABLE: i32 = 16;
/// Trouble of a link: a firewall on the player's machine or on the path reports that it prohibits the
/// datagrams. Allow this program to send UDP to the link's port.
pub const NETCLOCK_LINK_PROHIBITED: i32 = 17;
/// Trouble of a link: the system cannot open a socket. Check whether the program leaves files or sockets
/// open.
pub const NETCLOCK_LINK_NO_SOCKET: i32 = 18;
/// Trouble of a link: the client follows another link that was created later. Destroy the first link of the
/// client.
pub const NETCLOCK_LINK_REPLACED: i32 = 19;
/// Trouble of a link: the server receives requests of another client with the same key. Send each key to one
/// player only.
pub const NETCLOCK_LINK_KEY_IN_USE: i32 = 24;
/// Stamps of a link: no datagram has arrived yet.
pub const NETCLOCK_LINK_NO_STAMPS: i32 = 20;
/// Stamps of a link: by the kernel, when a datagram arrives from the network.
pub const NETCLOCK_LINK_STAMPS_KERNEL: i32 = 21;
/// Stamps of a link: by the receiving thread.
pub const NETCLOCK_LINK_STAMPS_THREAD: i32 = 22;
/// Stamps of a link: by the caller, who transports the datagrams.
pub const NETCLOCK_LINK_STAMPS_CALLER: i32 = 23;
/// Mark of a link's datagrams: none, because of the settings, because the system does not mark datagrams, or
/// because the caller transports them.
pub const NETCLOCK_LINK_NOT_MARKED: i32 = 30;
/// Mark of a link's datagrams: non-queue-building.
pub const NETCLOCK_LINK_MARKED: i32 = 31;
/// Mark of a link's datagrams: none any more, because marked datagrams were dropped on the path.
pub const NETCLOCK_LINK_MARK_DROPPED: i32 = 32;

/// The state of a link. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkReport {
    /// `sizeof(netclock_link_report)` in the caller's program.
    pub struct_size: u32,
    /// Whether the link works: one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`.
    pub state: i32,
    /// The problem of the link: one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
    /// `NETCLOCK_LINK_KEY_IN_USE`.
    pub trouble: i32,
    /// The source of arrival timestamps: one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`.
    pub stamps: i32,
    /// Number of requests: those that a client sent, or those that a server answered.
    pub requests: u64,
    /// Number of replies that a client used.
    pub replies: u64,
    /// Number of datagrams that were not sealed with a known key, or that were not messages for this end.
    pub foreign: u64,
    /// Number of replies that a client could not use, because they were late or contradicted the clock, or of
    /// requests that a server did not answer because a budget was used up.
    pub refused: u64,
    /// Number of datagrams that the system did not send.
    pub unsent: u64,
    /// Whether the datagrams are marked as non-queue-building: one of `NETCLOCK_LINK_NOT_MARKED` to
    /// `NETCLOCK_LINK_MARK_DROPPED`.
    pub mark: i32,
    /// The UDP port on which a server's link listens. Zero for a client's link and for a carried link.
    pub port: u32,
}

growable! { NetclockLinkReport: 64 }

/// Checks the size of a report, which may be null.
///
/// # Safety
/// `report` is null or begins with a readable `u32`.
pub(crate) unsafe fn check_report(report: *const NetclockLinkReport) -> Outcome {
    // SAFETY: the caller's promise.
    if report.is_null() { Ok(()) } else { unsafe { check_size(report, "report") } }
}

impl From<LinkStatus> for NetclockLinkReport {
    fn from(status: LinkStatus) -> Self {
        let counts = status.counts;
        NetclockLinkReport {
            state: to_state(status.state),
            trouble: match status.trouble {
                Trouble::None => NETCLOCK_LINK_NO_TROUBLE,
                Trouble::Resolving => NETCLOCK_LINK_RESOLVING,
                Trouble::UnknownHost => NETCLOCK_LINK_UNKNOWN_HOST,
                Trouble::NoRoute => NETCLOCK_LINK_NO_ROUTE,
                Trouble::NobodyListens => NETCLOCK_LINK_NOBODY_LISTENS,
                Trouble::NotSent => NETCLOCK_LINK_NOT_SENT,
                Trouble::HostUnreachable => NETCLOCK_LINK_HOST_UNREACHABLE,
                Trouble::Prohibited => NETCLOCK_LINK_PROHIBITED,
                Trouble::Replaced => NETCLOCK_LINK_REPLACED,
                Trouble::NoSocket => NETCLOCK_LINK_NO_SOCKET,
                Trouble::KeyInUse => NETCLOCK_LINK_KEY_IN_USE,
            },
            stamps: to_stamps(status.stamps),
            requests: counts.requests,
            replies: counts.replies,
            foreign: counts.foreign,
            refused: counts.unknown + counts.refused,
            unsent: status.unsent,
            mark: to_mark(status.mark),
            ..Self::zero()
        }
    }
}

fn to_state(state: LinkState) -> i32 {
    match state {
        LinkState::Checking => NETCLOCK_LINK_CHECKING,
        LinkState::Linked => NETCLOCK_LINK_LINKED,
        LinkState::Blocked => NETCLOCK_LINK_BLOCKED,
        LinkState::NotPossible => NETCLOCK_LINK_NOT_POSSIBLE,
    }
}

/// The report about a link whose datagrams the caller transports.
pub(crate) fn carried(report: NetclockLinkReport) -> NetclockLinkReport {
    NetclockLinkReport { stamps: NETCLOCK_LINK_STAMPS_CALLER, ..report }
}

impl From<ServeStatus> for NetclockLinkReport {
    fn from(status: ServeStatus) -> Self {
        let (counts, keys) = (status.counts, status.counts.keys);
        NetclockLinkReport {
            state: NETCLOCK_LINK_SERVING,
            trouble: NETCLOCK_LINK_NO_TROUBLE,
            stamps: to_stamps(status.stamps),
            requests: counts.answered,
            foreign: keys.malformed + keys.unknown_key + keys.forged + counts.malformed,
            refused: keys.over_budget + counts.busy,
            unsent: status.unsent,
            mark: to_mark(status.mark),
            ..Self::zero()
        }
    }
}

fn to_mark(mark: Mark) -> i32 {
    match mark {
        Mark::Off => NETCLOCK_LINK_NOT_MARKED,
        Mark::On => NETCLOCK_LINK_MARKED,
        Mark::Dropped => NETCLOCK_LINK_MARK_DROPPED,
    }
}

fn to_stamps(stamps: Stamps) -> i32 {
    match stamps {
        Stamps::None => NETCLOCK_LINK_NO_STAMPS,
        Stamps::Kernel => NETCLOCK_LINK_STAMPS_KERNEL,
        Stamps::Thread => NETCLOCK_LINK_STAMPS_THREAD,
    }
}
