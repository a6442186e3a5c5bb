//! A UDP socket that stamps arrivals, and whose waits another thread can end.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use super::waker::Waker;
use super::{NetError, Stamps};
use crate::monotonic_now;
use crate::time::LocalTime;

/// A datagram that came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Its bytes in the buffer. A longer one was cut off.
    pub(super) length: usize,
    pub(super) from: SocketAddr,
    /// Arrival, by [`monotonic_now`].
    pub(super) at: LocalTime,
    pub(super) stamps: Stamps,
}

/// What a look at the socket found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Datagram(Arrival),
    /// The network says that nobody listens where this socket sent to.
    Refused,
    Nothing,
}

/// The socket.
pub(super) struct Socket {
    socket: UdpSocket,
    os: os::Os,
    waker: Waker,
}

impl Socket {
    /// A socket at `address`. If that is `[::]`, it is for both versions of IP where the system allows it, and for version 4
    /// on Windows and on machines without version 6. A socket of version 6 takes no version 4 on Windows, unless an option
    /// is set that the standard library does not have.
    pub(super) fn bind(address: SocketAddr, uses_kernel: bool, waker: Waker) -> Result<Self, NetError> {
        let is_any = address.ip() == Ipv6Addr::UNSPECIFIED;
        let version_4: SocketAddr = (Ipv4Addr::UNSPECIFIED, address.port()).into();
        let wanted = if is_any && cfg!(windows) { version_4 } else { address };
        let socket = UdpSocket::bind(wanted).or_else(|error| {
            let is_taken = matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied);
            if !is_any || is_taken {
                return Err(error);
            }
            UdpSocket::bind(version_4)
        })?;
        Self::prepare(socket, uses_kernel, waker)
    }

    /// A socket that sends only to `peer` and receives only from there.
    pub(super) fn connect(peer: SocketAddr, uses_kernel: bool, waker: Waker) -> Result<Self, NetError> {
        let any: SocketAddr = match peer {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any)?;
        socket.connect(peer)?;
        Self::prepare(socket, uses_kernel, waker)
    }

    fn prepare(socket: UdpSocket, uses_kernel: bool, waker: Waker) -> Result<Self, NetError> {
        socket.set_nonblocking(true)?;
        let os = os::Os::prepare(&socket, uses_kernel)?;
        Ok(Socket { socket, os, waker })
    }

    pub(super) fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends to the peer of a connected socket.
    pub(super) fn send(&self, datagram: &[u8]) -> io::Result<usize> {
        self.socket.send(datagram)
    }

    pub(super) fn send_to(&self, datagram: &[u8], to: SocketAddr) -> io::Result<usize> {
        self.socket.send_to(datagram, to)
    }

    /// Takes a datagram that has come, without a wait.
    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> Found {
        match self.os.receive(&self.socket, buffer) {
            Ok(arrival) => Found::Datagram(arrival),
            Err(error) if is_refusal(&error) => Found::Refused,
            // Nothing came; or the network is down, or a datagram was longer than the buffer: then others follow.
            Err(_) => Found::Nothing,
        }
    }

    /// Waits for a datagram or for the waker, but not beyond `until`.
    pub(super) fn wait(&self, until: Option<LocalTime>) {
        os::wait(Some((&self.socket, &self.os)), &self.waker, until);
    }
}

/// Waits for the waker, but not beyond `until`.
pub(super) fn wait_without_socket(waker: &Waker, until: Option<LocalTime>) {
    os::wait(None, waker, until);
}

/// Whether a failed send or receive means that nobody listens at the other end. Windows reports it as a reset.
pub(super) fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
}

/// Milliseconds until then, rounded up.
fn millis_until(until: LocalTime) -> u16 {
    const MILLISECOND: i64 = 10_000;
    let ticks = (until - monotonic_now()).ticks().max(0);
    // Long waits are repeated.
    u16::try_from(ticks / MILLISECOND + 1).unwrap_or(u16::MAX)
}

#[cfg(unix)]
mod os {
    use std::io::{self, IoSliceMut};
    use std::net::{SocketAddr, SocketAddrV4, SocketAddrV6, UdpSocket};
    use std::os::fd::{AsFd, AsRawFd};

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt, sockopt};
    use nix::sys::time::{TimeSpec, TimeVal, TimeValLike};

    use super::super::Stamps;
    use super::super::stamps::Ages;
    use super::super::waker::Waker;
    use super::{Arrival, millis_until};
    use crate::memory::{self, OutOfMemory};
    use crate::monotonic_now;
    use crate::time::LocalTime;

    /// Room for a stamp and what frames it, in bytes. It takes 32 on systems of 64 bits.
    const CONTROL: usize = 64;

    /// Room for a burst of requests while the thread is not scheduled, in bytes. The system may give less.
    const RECEIVE_BUFFER: usize = 1 << 20;

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
            let (wall, now) = (wall_ticks(), monotonic_now());
            let arrival = stamp.and_then(|stamp| self.ages.arrival(stamp, wall, now));
            Ok(match arrival {
                Some(at) => Arrival { length, from, at, stamps: Stamps::Kernel },
                None => Arrival { length, from, at: now, stamps: Stamps::Thread },
            })
        }
    }

    /// The kernel's stamp, in ticks of the wall clock.
    fn stamp(control: &ControlMessageOwned) -> Option<i64> {
        match control {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            ControlMessageOwned::ScmTimestampns(stamp) => Some(ticks(*stamp)),
            ControlMessageOwned::ScmTimestamp(stamp) => Some(ticks_of_micros(*stamp)),
            _ => None,
        }
    }

    fn ticks(time: TimeSpec) -> i64 {
        time.tv_sec() * crate::TICKS_PER_SECOND + time.tv_nsec() / 100
    }

    fn ticks_of_micros(time: TimeVal) -> i64 {
        time.num_microseconds() * 10
    }

    fn wall_ticks() -> i64 {
        nix::time::clock_gettime(nix::time::ClockId::CLOCK_REALTIME).map_or(0, ticks)
    }

    fn address(storage: &SockaddrStorage) -> Option<SocketAddr> {
        let v4 = storage.as_sockaddr_in().map(|v4| SocketAddr::V4(SocketAddrV4::from(*v4)));
        v4.or_else(|| storage.as_sockaddr_in6().map(|v6| SocketAddr::V6(SocketAddrV6::from(*v6))))
    }

    pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, waker: &Waker, until: Option<LocalTime>) {
        let timeout = until.map_or(PollTimeout::NONE, |until| PollTimeout::from(millis_until(until)));
        let waked = PollFd::new(waker.watched(), PollFlags::POLLIN);
        // An interrupted wait returns early, and the caller waits again.
        let _ = match socket {
            Some((socket, _)) => poll(&mut [waked, PollFd::new(socket.as_fd(), PollFlags::POLLIN)], timeout),
            None => poll(&mut [waked], timeout),
        };
        waker.clear();
    }
}

#[cfg(not(unix))]
mod os {
    use std::cell::Cell;
    use std::io;
    use std::net::{Ipv4Addr, UdpSocket};
    use std::time::Duration;

    use super::super::Stamps;
    use super::super::waker::Waker;
    use super::{Arrival, is_refusal, millis_until};
    use crate::memory::OutOfMemory;
    use crate::monotonic_now;
    use crate::time::LocalTime;

    /// Longest wait (ms): nothing else ends it here.
    const LONGEST: u16 = 50;

    /// Windows: the datagram was longer than the buffer, and is gone (`WSAEMSGSIZE`).
    const TOO_LONG: i32 = 10_040;

    pub(super) struct Os {
        /// A wait was ended by the news that nobody listens. The system says so once.
        refused: Cell<bool>,
    }

    impl Os {
        pub(super) fn prepare(_socket: &UdpSocket, _uses_kernel: bool) -> Result<Self, OutOfMemory> {
            Ok(Os { refused: Cell::new(false) })
        }

        pub(super) fn receive(&mut self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Arrival> {
            if self.refused.take() {
                return Err(io::ErrorKind::ConnectionRefused.into());
            }
            let (length, from) = match socket.recv_from(buffer) {
                // Nobody is answered whose datagram is longer than any of a link.
                Err(error) if error.raw_os_error() == Some(TOO_LONG) => {
                    (buffer.len(), (Ipv4Addr::UNSPECIFIED, 0).into())
                }
                received => received?,
            };
            Ok(Arrival { length, from, at: monotonic_now(), stamps: Stamps::Thread })
        }
    }

    pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, _waker: &Waker, until: Option<LocalTime>) {
        let millis = until.map_or(LONGEST, |until| millis_until(until).min(LONGEST));
        let time = Duration::from_millis(u64::from(millis));
        match socket {
            Some((socket, os)) => {
                let _ = socket.set_read_timeout(Some(time));
                let _ = socket.set_nonblocking(false);
                // Looking at a datagram leaves it where it is. Looking at an error does not.
                let found = socket.peek_from(&mut [0]);
                os.refused.set(found.is_err_and(|error| is_refusal(&error)));
                let _ = socket.set_nonblocking(true);
            }
            None => std::thread::park_timeout(time),
        }
    }
}
