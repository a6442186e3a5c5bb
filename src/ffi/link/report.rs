use crate::ffi::base::prelude::*;
use crate::link::sockets::{LinkStatus, ServeStatus, Stamps, Trouble};
use crate::link::{LinkState, Mark};

/// Link state: the client is sending requests but has not received a reply yet.
pub const NETCLOCK_LINK_CHECKING: i32 = 1;
/// Link state: the client is receiving replies.
pub const NETCLOCK_LINK_LINKED: i32 = 2;
/// Link state: the client has received no reply for 2 s. The link tries again after 30 s, or after 5 s if no
/// message over the game's connection was answered for 15 s.
pub const NETCLOCK_LINK_BLOCKED: i32 = 3;
/// Link state: datagrams cannot be sent. `trouble` contains the reason.
pub const NETCLOCK_LINK_NOT_POSSIBLE: i32 = 4;
/// Link state: the link belongs to a server and answers requests.
pub const NETCLOCK_LINK_SERVING: i32 = 5;
/// Link trouble: none.
pub const NETCLOCK_LINK_NO_TROUBLE: i32 = 10;
/// Link trouble: the host name is being resolved. If this takes more than a few seconds, check the player's
/// DNS.
pub const NETCLOCK_LINK_RESOLVING: i32 = 11;
/// Link trouble: the host is unknown. Check the host name and whether the player's DNS resolves other names.
pub const NETCLOCK_LINK_UNKNOWN_HOST: i32 = 12;
/// Link trouble: there is no route to the address. Check that the player is online and that the network
/// supports this version of IP.
pub const NETCLOCK_LINK_NO_ROUTE: i32 = 13;
/// Link trouble: no program is listening at the address and port. Check that the server is running and that
/// this is the link's port.
pub const NETCLOCK_LINK_NOBODY_LISTENS: i32 = 14;
/// Link trouble: the system cannot send the datagrams. Check whether the player's network is up.
pub const NETCLOCK_LINK_NOT_SENT: i32 = 15;
/// Link trouble: the network reports that the host is unreachable. Check the address, and whether the
/// server's machine is up.
pub const NETCLOCK_LINK_HOST_UNREACHABLE: i32 = 16;
/// Link trouble: a firewall on the player's machine or on the path reports that it blocks the datagrams.
/// Allow this program to send UDP to the link's port.
pub const NETCLOCK_LINK_PROHIBITED: i32 = 17;
/// Link trouble: the system cannot open a socket. Check whether the program leaks files or sockets.
pub const NETCLOCK_LINK_NO_SOCKET: i32 = 18;
/// Link trouble: the client now follows a link that was created later. Destroy the earlier link.
pub const NETCLOCK_LINK_REPLACED: i32 = 19;
/// Link trouble: another client sends requests with the same key. Send each key to only one player.
pub const NETCLOCK_LINK_KEY_IN_USE: i32 = 24;
/// Link timestamps: none, because no datagram has arrived yet.
pub const NETCLOCK_LINK_NO_STAMPS: i32 = 20;
/// Link timestamps: taken by the kernel when a datagram arrives from the network.
pub const NETCLOCK_LINK_STAMPS_KERNEL: i32 = 21;
/// Link timestamps: taken by the receiving thread.
pub const NETCLOCK_LINK_STAMPS_THREAD: i32 = 22;
/// Link timestamps: taken by the caller, who transports the datagrams.
pub const NETCLOCK_LINK_STAMPS_CALLER: i32 = 23;
/// Link marking: the datagrams are not marked, because the settings disable it, because the system cannot
/// mark datagrams, or because the caller transports them.
pub const NETCLOCK_LINK_NOT_MARKED: i32 = 30;
/// Link marking: the datagrams are marked as non-queue-building.
pub const NETCLOCK_LINK_MARKED: i32 = 31;
/// Link marking: the datagrams are no longer marked, because marked datagrams were dropped on the path.
pub const NETCLOCK_LINK_MARK_DROPPED: i32 = 32;

/// The state of a link. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkReport {
    /// `sizeof(netclock_link_report)` in the caller's program.
    pub struct_size: u32,
    /// The state of the link, one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`.
    pub state: i32,
    /// The link's problem, one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
    /// `NETCLOCK_LINK_KEY_IN_USE`.
    pub trouble: i32,
    /// The source of arrival timestamps, one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`.
    pub stamps: i32,
    /// The number of requests that the client sent or the server answered.
    pub requests: u64,
    /// The number of replies that the client used.
    pub replies: u64,
    /// The number of datagrams that were not sealed with a known key or were not meant for this end.
    pub foreign: u64,
    /// For a client, the number of replies that were too late or contradicted the clock. For a server, the
    /// number of requests that it did not answer because it had reached a limit.
    pub refused: u64,
    /// The number of datagrams that the system could not send.
    pub unsent: u64,
    /// Whether the datagrams are marked as non-queue-building, one of `NETCLOCK_LINK_NOT_MARKED` to
    /// `NETCLOCK_LINK_MARK_DROPPED`.
    pub mark: i32,
    /// The UDP port on which a server's link listens. Zero for a client's link and for a carried link.
    pub port: u32,
}

growable! { NetclockLinkReport: 64 }

/// # Safety
/// `report` must be null or begin with a readable `u32`.
pub(crate) unsafe fn check_report(report: *const NetclockLinkReport) -> Outcome {
    // SAFETY: guaranteed by the caller.
    if report.is_null() { Ok(()) } else { unsafe { check_size(report, "report") } }
}

to_c! { |status: LinkStatus| NetclockLinkReport {
    unsent;
    state: match status.state {
        LinkState::Checking => NETCLOCK_LINK_CHECKING,
        LinkState::Linked => NETCLOCK_LINK_LINKED,
        LinkState::Blocked => NETCLOCK_LINK_BLOCKED,
        LinkState::NotPossible => NETCLOCK_LINK_NOT_POSSIBLE,
    },
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
    requests: status.counts.requests,
    replies: status.counts.replies,
    foreign: status.counts.foreign,
    refused: status.counts.unknown + status.counts.refused,
    mark: to_mark(status.mark),
} }

to_c! { |status: ServeStatus| NetclockLinkReport {
    unsent;
    state: NETCLOCK_LINK_SERVING,
    trouble: NETCLOCK_LINK_NO_TROUBLE,
    stamps: to_stamps(status.stamps),
    requests: status.counts.answered,
    foreign: {
        let counts = status.counts;
        counts.unsealed + counts.unknown_key + counts.forged + counts.malformed
    },
    refused: status.counts.over_budget + status.counts.busy,
    mark: to_mark(status.mark),
} }

pub(crate) fn carried(report: NetclockLinkReport) -> NetclockLinkReport {
    NetclockLinkReport { stamps: NETCLOCK_LINK_STAMPS_CALLER, ..report }
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
