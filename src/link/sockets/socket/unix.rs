//! What a stamped socket is on Unix: the kernel stamps arrivals.

use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, SocketAddrV4, SocketAddrV6, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt, sockopt};
use nix::sys::time::TimeValLike;

use super::super::Stamps;
use super::super::stamps::Ages;
use super::super::waker::Waker;
use super::{Arrival, millis_until};
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, TICKS_PER_SECOND};
use crate::link::NON_QUEUE_BUILDING;
use crate::monotonic_now;

/// Room for a stamp and what frames it, in bytes. It takes 32 on systems of 64 bits.
const CONTROL: usize = 64;

/// Room for a burst of requests while the thread is not scheduled, in bytes. The system may give less.
const RECEIVE_BUFFER: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Os {
    control: Box<[u8]>,
    ages: Ages,
}

impl Os {
    pub(super) fn prepare(socket: &UdpSocket, uses_kernel: bool) -> Result<Self, OutOfMemory> {
        // A smaller buffer, or no stamps, is worse but works.
        let _ = setsockopt(socket, sockopt::RcvBuf, &RECEIVE_BUFFER);
        if uses_kernel {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let _ = setsockopt(socket, sockopt::ReceiveTimestampns, &true);
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            let _ = setsockopt(socket, sockopt::ReceiveTimestamp, &true);
        }
        Ok(Os { control: memory::filled(0, CONTROL)?, ages: Ages::default() })
    }

    pub(super) fn receive(&mut self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Arrival> {
        let mut parts = [IoSliceMut::new(buffer)];
        let flags = MsgFlags::MSG_DONTWAIT;
        let message =
            recvmsg::<SockaddrStorage>(socket.as_raw_fd(), &mut parts, Some(&mut self.control), flags)?;
        let stamp = message.cmsgs()?.find_map(|control| stamp(&control));
        let from = message.address.as_ref().and_then(address).map_or_else(|| socket.peer_addr(), Ok)?;
        let length = message.bytes;
        // Without a wall clock no stamp makes sense.
        let both = crate::os::both().map(|(now, wall, _)| (now, wall.ticks()));
        let (now, wall) = both.unwrap_or_else(|| (monotonic_now(), 0));
        Ok(match stamp.and_then(|stamp| self.ages.arrival(stamp, wall, now)) {
            Some(at) => Arrival { length, from, at, stamps: Stamps::Kernel },
            None => Arrival { length, from, at: now, stamps: Stamps::Thread },
        })
    }
}

/// Sets the traffic class of both versions of IP: a socket of version 6 may send by version 4.
pub(super) fn mark(socket: &UdpSocket, is_marked: bool) -> bool {
    // The two bits below are for ECN.
    let class = if is_marked { i32::from(NON_QUEUE_BUILDING) << 2 } else { 0 };
    let version_4 = setsockopt(socket, sockopt::Ipv4Tos, &class).is_ok();
    setsockopt(socket, sockopt::Ipv6TClass, &class).is_ok() || version_4
}

/// The kernel's stamp, in ticks of the wall clock.
fn stamp(control: &ControlMessageOwned) -> Option<i64> {
    match control {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        ControlMessageOwned::ScmTimestampns(stamp) => {
            Some(stamp.tv_sec() * TICKS_PER_SECOND + stamp.tv_nsec() / 100)
        }
        ControlMessageOwned::ScmTimestamp(stamp) => Some(stamp.num_microseconds() * 10),
        _ => None,
    }
}

fn address(storage: &SockaddrStorage) -> Option<SocketAddr> {
    let v4 = storage.as_sockaddr_in().map(|v4| SocketAddr::V4(SocketAddrV4::from(*v4)));
    v4.or_else(|| storage.as_sockaddr_in6().map(|v6| SocketAddr::V6(SocketAddrV6::from(*v6))))
}

pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, waker: Option<&Waker>, until: Option<LocalTime>) {
    let timeout = until.map_or(PollTimeout::NONE, |until| PollTimeout::from(millis_until(until)));
    let (came, waked) =
        (socket.map(|(socket, _)| socket.as_fd()), waker.map(|waker| waker.watched().as_fd()));
    let Some(first) = waked.or(came) else { return };
    let count = 1 + usize::from(came.is_some() && waked.is_some());
    let mut watched = [first, came.unwrap_or(first)].map(|fd| PollFd::new(fd, PollFlags::POLLIN));
    // An interrupted wait returns early, and the caller waits again.
    let _ = poll(&mut watched[..count], timeout);
    if let Some(waker) = waker.filter(|_| watched[0].any() != Some(false)) {
        waker.clear();
    }
}
