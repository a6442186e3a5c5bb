//! Uses the kernel's arrival timestamps on Unix.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::{IpAddr, SocketAddr, SocketAddrV4, SocketAddrV6, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    ControlMessage, ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, sendmsg, setsockopt, sockopt,
};
use nix::sys::time::TimeValLike;

use super::super::Stamps;
use super::super::stamps::Ages;
use super::super::waker::Waker;
use super::{Arrival, Peer, millis_until};
use crate::clock::LocalTime;
#[cfg(any(target_os = "linux", target_os = "android"))]
use crate::clock::TICKS_PER_SECOND;
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::link::NON_QUEUE_BUILDING;
use crate::monotonic_now;

/// A timestamp, an address and an error with their headers take 136 bytes on 64-bit systems.
const CONTROL: usize = 256;

/// Size of the receive buffer in bytes, for bursts that arrive while the thread is not scheduled. The system
/// may provide a smaller buffer.
const RECEIVE_BUFFER: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Os {
    control: Box<[u8]>,
    ages: Ages,
}

impl Os {
    pub(super) fn prepare(socket: &UdpSocket, uses_kernel: bool) -> Result<Self, OutOfMemory> {
        // The socket also works with a smaller buffer or without timestamps, so ignore errors.
        let _ = setsockopt(socket, sockopt::RcvBuf, &RECEIVE_BUFFER);
        if uses_kernel {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let _ = setsockopt(socket, sockopt::ReceiveTimestampns, &true);
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            let _ = setsockopt(socket, sockopt::ReceiveTimestamp, &true);
        }
        Ok(Os { control: memory::filled(0, CONTROL)?, ages: Ages::default() })
    }

    /// Reads the pending error reports about sent datagrams and returns the latest. Unread reports would end
    /// every wait immediately.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn reported(&mut self, socket: &UdpSocket) -> Option<io::Error> {
        let (mut newest, flags) = (None, MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_ERRQUEUE);
        loop {
            let (mut start, fd) = ([0; 8], socket.as_raw_fd());
            let mut parts = [IoSliceMut::new(&mut start)];
            let Ok(report) = recvmsg::<SockaddrStorage>(fd, &mut parts, Some(&mut self.control), flags)
            else {
                return newest;
            };
            let Ok(mut controls) = report.cmsgs() else { continue };
            newest = controls.find_map(|control| reason(&control)).or(newest);
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn reported(&mut self, _socket: &UdpSocket) -> Option<io::Error> {
        None
    }

    pub(super) fn receive(&mut self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Arrival> {
        let mut parts = [IoSliceMut::new(buffer)];
        let flags = MsgFlags::MSG_DONTWAIT;
        let received =
            recvmsg::<SockaddrStorage>(socket.as_raw_fd(), &mut parts, Some(&mut self.control), flags);
        let message = match received {
            Ok(message) => message,
            Err(error) => return Err(self.reported(socket).unwrap_or_else(|| error.into())),
        };
        let (mut stamp, mut local) = (None, None);
        for control in message.cmsgs()? {
            stamp = stamp.or_else(|| self::stamp(&control));
            local = local.or_else(|| destination(&control));
        }
        let sender = message.address.as_ref().and_then(address).map_or_else(|| socket.peer_addr(), Ok)?;
        let from = Peer { address: sender, local };
        let length = message.bytes;
        // Without the wall clock, kernel timestamps cannot be converted.
        let both = crate::os::utc_now().map(|both| (both.local, both.utc.ticks()));
        let (now, wall) = both.unwrap_or_else(|| (monotonic_now(), 0));
        Ok(match stamp.and_then(|stamp| self.ages.arrival(stamp, wall, now)) {
            Some(at) => Arrival { length, from, at, stamps: Stamps::Kernel },
            None => Arrival { length, from, at: now, stamps: Stamps::Thread },
        })
    }
}

/// Sets the options of both IP versions, because an IPv6 socket also receives IPv4 datagrams.
pub(super) fn report_destinations(socket: &UdpSocket) {
    // If this fails, the system picks the source address of replies.
    #[cfg(any(target_os = "android", target_os = "linux", target_vendor = "apple"))]
    let _ = setsockopt(socket, sockopt::Ipv4PacketInfo, &true);
    let _ = setsockopt(socket, sockopt::Ipv6RecvPacketInfo, &true);
}

fn destination(control: &ControlMessageOwned) -> Option<IpAddr> {
    let local = match control {
        #[cfg(any(target_os = "android", target_os = "linux", target_vendor = "apple"))]
        ControlMessageOwned::Ipv4PacketInfo(info) => {
            // On Linux, `ipi_spec_dst` is the address from which to reply. Other systems leave this field
            // empty.
            let [spec, sent_to] = [info.ipi_spec_dst, info.ipi_addr]
                .map(|address| std::net::Ipv4Addr::from(address.s_addr.to_ne_bytes()));
            IpAddr::V4(if spec.is_unspecified() { sent_to } else { spec })
        }
        ControlMessageOwned::Ipv6PacketInfo(info) => IpAddr::V6(info.ipi6_addr.s6_addr.into()).to_canonical(),
        _ => return None,
    };
    (!local.is_unspecified() && !local.is_multicast()).then_some(local)
}

pub(super) fn send_to(socket: &UdpSocket, datagram: &[u8], to: Peer) -> io::Result<usize> {
    let (parts, address) = ([IoSlice::new(datagram)], SockaddrStorage::from(to.address));
    let send = |control: &[ControlMessage<'_>]| {
        Ok(sendmsg(socket.as_raw_fd(), &parts, control, MsgFlags::empty(), Some(&address))?)
    };
    match to.local {
        #[cfg(any(target_os = "android", target_os = "linux", target_vendor = "apple"))]
        Some(IpAddr::V4(local)) => {
            let address = |octets| libc::in_addr { s_addr: u32::from_ne_bytes(octets) };
            send(&[ControlMessage::Ipv4PacketInfo(&libc::in_pktinfo {
                ipi_ifindex: 0,
                ipi_spec_dst: address(local.octets()),
                ipi_addr: address([0; 4]),
            })])
        }
        Some(IpAddr::V6(local)) => send(&[ControlMessage::Ipv6PacketInfo(&libc::in6_pktinfo {
            ipi6_addr: libc::in6_addr { s6_addr: local.octets() },
            ipi6_ifindex: 0,
        })]),
        _ => socket.send_to(datagram, to.address),
    }
}

/// Enables reports of potentially temporary errors such as "host unreachable". By default, Linux omits these.
pub(super) fn report_errors(socket: &UdpSocket, is_version_6: bool) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = match is_version_6 {
        true => setsockopt(socket, sockopt::Ipv6RecvErr, &true),
        false => setsockopt(socket, sockopt::Ipv4RecvErr, &true),
    };
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (socket, is_version_6);
}

#[expect(unsafe_code, reason = "nix supports these options only on Linux and FreeBSD")]
fn set(socket: &UdpSocket, level: libc::c_int, option: libc::c_int, class: libc::c_int) -> bool {
    let (value, length) = ((&raw const class).cast(), size_of_val(&class) as libc::socklen_t);
    // SAFETY: the value outlives the call.
    unsafe { libc::setsockopt(socket.as_raw_fd(), level, option, value, length) == 0 }
}

/// Sets the options of both IP versions, because an IPv6 socket may also send over IPv4.
pub(super) fn mark(socket: &UdpSocket, is_marked: bool) -> bool {
    // The lowest two bits are for ECN.
    let class = if is_marked { i32::from(NON_QUEUE_BUILDING) << 2 } else { 0 };
    let version_4 = set(socket, libc::IPPROTO_IP, libc::IP_TOS, class);
    set(socket, libc::IPPROTO_IPV6, libc::IPV6_TCLASS, class) || version_4
}

/// RFC 792, RFC 1812 and RFC 4443 define the error codes.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn reason(control: &ControlMessageOwned) -> Option<io::Error> {
    let (report, prohibited) = match control {
        ControlMessageOwned::Ipv4RecvErr(report, _) => (report, [9, 10, 13]),
        ControlMessageOwned::Ipv6RecvErr(report, _) => (report, [1, 5, 6]),
        _ => return None,
    };
    let is_icmp = matches!(report.ee_origin, libc::SO_EE_ORIGIN_ICMP | libc::SO_EE_ORIGIN_ICMP6);
    if is_icmp && prohibited.contains(&report.ee_code) {
        return Some(io::ErrorKind::PermissionDenied.into());
    }
    Some(io::Error::from_raw_os_error(report.ee_errno as i32))
}

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
    let _ = poll(&mut watched[..count], timeout);
    if let Some(waker) = waker.filter(|_| watched[0].any() != Some(false)) {
        waker.clear();
    }
}
