//! What a link does, for its owner.

use crate::ffi::base::prelude::*;
use crate::link::sockets::{LinkStatus, ServeStatus, Stamps, Trouble};
use crate::link::{LinkState, Mark};

/// State of a link: a client's requests are sent, and none is answered yet.
pub const NETCLOCK_LINK_CHECKING: i32 = 1;
/// State of a link: a client's requests are answered.
pub const NETCLOCK_LINK_LINKED: i32 = 2;
/// State of a link: no request was answered for 2 s. Another check begins 30 s later, or 5 s later if no
/// message was answered for 15 s.
pub const NETCLOCK_LINK_BLOCKED: i32 = 3;
/// State of a link: there is no way to send datagrams. The trouble says why.
pub const NETCLOCK_LINK_NOT_POSSIBLE: i32 = 4;
/// State of a link: it is a server's, and answers.
pub const NETCLOCK_LINK_SERVING: i32 = 5;
/// Trouble of a link: none.
pub const NETCLOCK_LINK_NO_TROUBLE: i32 = 10;
/// Trouble of a link: the name of the host is looked up. Ask the player's support whether name service works
/// if it lasts longer than some seconds.
pub const NETCLOCK_LINK_RESOLVING: i32 = 11;
/// Trouble of a link: the host is unknown. Is the name right, and does the player's name service know others?
pub const NETCLOCK_LINK_UNKNOWN_HOST: i32 = 12;
/// Trouble of a link: there is no route to the address. Is the player online, and by this version of IP?
pub const NETCLOCK_LINK_NO_ROUTE: i32 = 13;
/// Trouble of a link: nobody listens at the address and port. Does the server run, and is the port the
/// link's?
pub const NETCLOCK_LINK_NOBODY_LISTENS: i32 = 14;
/// Trouble of a link: the system does not send. Is the player's network up?
pub const NETCLOCK_LINK_NOT_SENT: i32 = 15;
/// Trouble of a link: the network reports that it cannot reach the host. Is the address right, and is the
/// server's machine up?
pub const NETCLOCK_LINK_HOST_UNREACHABLE: i32 = 16;
/// Trouble of a link: a firewall on the player's machine or on the path reports that it forbids the link's
/// datagrams. Does it let this program send UDP to the link's port?
pub const NETCLOCK_LINK_PROHIBITED: i32 = 17;
/// Trouble of a link: the system opens no socket. Does the program leave files or sockets open?
pub const NETCLOCK_LINK_NO_SOCKET: i32 = 18;
/// Trouble of a link: another link of the same client was created later, and the client follows that one.
/// Does the game forget to destroy the first?
pub const NETCLOCK_LINK_REPLACED: i32 = 19;
/// Trouble of a link: the server hears another client with the same key. Does the game send one player's key
/// to another?
pub const NETCLOCK_LINK_KEY_IN_USE: i32 = 24;
/// Stamps of a link: no datagram has come yet.
pub const NETCLOCK_LINK_NO_STAMPS: i32 = 20;
/// Stamps of a link: by the kernel, when a datagram comes off the network.
pub const NETCLOCK_LINK_STAMPS_KERNEL: i32 = 21;
/// Stamps of a link: by the thread that receives.
pub const NETCLOCK_LINK_STAMPS_THREAD: i32 = 22;
/// Stamps of a link: by the caller, who carries its datagrams.
pub const NETCLOCK_LINK_STAMPS_CALLER: i32 = 23;
/// Mark of a link's datagrams: none. The settings say so, the system does not mark, or the caller carries
/// them.
pub const NETCLOCK_LINK_NOT_MARKED: i32 = 30;
/// Mark of a link's datagrams: that of packets that build no queue.
pub const NETCLOCK_LINK_MARKED: i32 = 31;
/// Mark of a link's datagrams: none any more, because marked ones were dropped on the path.
pub const NETCLOCK_LINK_MARK_DROPPED: i32 = 32;

/// What a link does. Set `struct_size` before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NetclockLinkReport {
    /// `sizeof(netclock_link_report)` as compiled into the caller.
    pub struct_size: u32,
    /// Whether it works: one of `NETCLOCK_LINK_CHECKING` to `NETCLOCK_LINK_SERVING`.
    pub state: i32,
    /// What stands in its way: one of `NETCLOCK_LINK_NO_TROUBLE` to `NETCLOCK_LINK_REPLACED`, or
    /// `NETCLOCK_LINK_KEY_IN_USE`.
    pub trouble: i32,
    /// Where arrival stamps come from: one of `NETCLOCK_LINK_NO_STAMPS` to `NETCLOCK_LINK_STAMPS_CALLER`.
    pub stamps: i32,
    /// Requests: a client's own, or those of all clients that a server answered.
    pub requests: u64,
    /// Replies that a client used.
    pub replies: u64,
    /// Datagrams that were not sealed with a known key, or that were no messages of this end.
    pub foreign: u64,
    /// Replies that a client could not use: late, or contradicting the clock. Requests that a server did not
    /// answer for want of budget.
    pub refused: u64,
    /// Datagrams that the system did not send.
    pub unsent: u64,
    /// Whether its datagrams are marked as building no queue: one of `NETCLOCK_LINK_NOT_MARKED` to
    /// `NETCLOCK_LINK_MARK_DROPPED`.
    pub mark: i32,
    /// Zero.
    pub reserved: i32,
}

growable! { NetclockLinkReport: 64 }

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

/// Of a link whose datagrams the caller carries.
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
