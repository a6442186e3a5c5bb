//! A UDP socket that stamps arrivals, and whose waits another thread can end.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use super::waker::Waker;
use super::{NetError, Stamps};
use crate::clock::{LocalTime, Span};
use crate::monotonic_now;

/// A datagram that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its bytes in the buffer. A longer one was cut off.
    pub length: usize,
    /// Who sent it.
    pub from: SocketAddr,
    /// When it came, by [`monotonic_now`].
    pub at: LocalTime,
    /// Who stamped it.
    pub stamps: Stamps,
}

/// What a look at a [`StampedSocket`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A datagram. It is at the begin of the buffer.
    Datagram(Arrival),
    /// The network says that nobody listens where this socket sent to.
    Refused,
    /// No datagram waits.
    Nothing,
}

/// A UDP socket that stamps arrivals as those of the link: for messages of your own that carry time.
///
/// One thread receives. Others send by a copy of the [`socket`](Self::socket). It never waits for room to
/// send: what the system has no room for is lost, as on any network.
///
/// ```
/// use netclock::Span;
/// use netclock::link::sockets::{Received, StampedSocket};
///
/// let mut server = StampedSocket::bind("127.0.0.1:0".parse()?, true)?;
/// let client = StampedSocket::connect(server.local_address()?, true)?;
/// client.send(b"a message")?;
/// let mut buffer = [0; 64];
/// if let Received::Datagram(arrival) = server.receive_within(&mut buffer, Span::from_secs(1)) {
///     println!("{:?} came at {:?}", &buffer[..arrival.length], arrival.at);
///     server.send_to(b"an answer", arrival.from)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StampedSocket {
    socket: UdpSocket,
    os: os::Os,
    /// Whether datagrams leave marked, and whether the system allowed it when that was last changed.
    is_marked: bool,
    marks: bool,
}

impl StampedSocket {
    /// A socket at `address`; port 0 takes a free one. If the address is `[::]`, it is for both versions of
    /// IP where the system allows it. On Windows and on machines without version 6 it is for version 4.
    /// `uses_kernel`: the kernel's arrival stamps, where there are any.
    ///
    /// # Errors
    /// The system gives no such socket, or no memory.
    // A socket of version 6 takes no version 4 on Windows, unless an option is set that the standard library
    // does not have.
    pub fn bind(address: SocketAddr, uses_kernel: bool) -> Result<Self, NetError> {
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
        Self::prepare(socket, uses_kernel)
    }

    /// A socket that sends only to `peer` and receives only from there.
    ///
    /// # Errors
    /// There is no way to it, or the system gives no socket or no memory.
    pub fn connect(peer: SocketAddr, uses_kernel: bool) -> Result<Self, NetError> {
        let any: SocketAddr = match peer {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any)?;
        socket.connect(peer)?;
        Self::prepare(socket, uses_kernel)
    }

    fn prepare(socket: UdpSocket, uses_kernel: bool) -> Result<Self, NetError> {
        socket.set_nonblocking(true)?;
        let os = os::Os::prepare(&socket, uses_kernel)?;
        Ok(StampedSocket { socket, os, is_marked: false, marks: true })
    }

    /// The socket itself, to copy it for senders. It never waits. Who receives by a copy takes datagrams away
    /// from this one.
    pub fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Whether datagrams leave with the DSCP [`NON_QUEUE_BUILDING`](crate::link::NON_QUEUE_BUILDING) from now
    /// on, and those of copies, too. False if the system does not mark them: Windows does not.
    // Windows ignores the option that others have (IP_TOS). Its own interface, qWAVE, takes a DSCP only from
    // administrators, and servers of Windows do not have it unless somebody installs it.
    pub fn set_marked(&mut self, is_marked: bool) -> bool {
        if self.is_marked != is_marked {
            (self.is_marked, self.marks) = (is_marked, os::mark(&self.socket, is_marked));
        }
        self.marks
    }

    /// The address that it has, with its port.
    ///
    /// # Errors
    /// The system does not say.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends to the peer of a connected socket.
    ///
    /// # Errors
    /// The system did not send it. [`is_refusal`]: because of an earlier one.
    pub fn send(&self, datagram: &[u8]) -> io::Result<usize> {
        self.socket.send(datagram)
    }

    /// Sends to an address.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_to(&self, datagram: &[u8], to: SocketAddr) -> io::Result<usize> {
        self.socket.send_to(datagram, to)
    }

    /// Takes a datagram that has come, without a wait.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Received {
        match self.os.receive(&self.socket, buffer) {
            Ok(arrival) => Received::Datagram(arrival),
            Err(error) if is_refusal(&error) => Received::Refused,
            // Nothing came; or the network is down, or a datagram was longer than the buffer: then others
            // follow.
            Err(_) => Received::Nothing,
        }
    }

    /// As [`receive`](Self::receive), after a wait of about so long at most if none has come. The wait may
    /// end early without a datagram.
    pub fn receive_within(&mut self, buffer: &mut [u8], wait: Span) -> Received {
        os::wait(Some((&self.socket, &self.os)), None, Some(monotonic_now() + wait));
        self.receive(buffer)
    }

    /// Waits for a datagram or for the waker, but not beyond `until`.
    pub(super) fn wait(&self, waker: &Waker, until: Option<LocalTime>) {
        os::wait(Some((&self.socket, &self.os)), Some(waker), until);
    }
}

/// Waits for the waker, but not beyond `until`.
pub(super) fn wait_without_socket(waker: &Waker, until: Option<LocalTime>) {
    os::wait(None, Some(waker), until);
}

/// Whether a failed send or receive means that nobody listens at the other end. Windows reports it as a
/// reset.
///
/// ```
/// # use netclock::link::sockets::{StampedSocket, is_refusal};
/// fn is_open(socket: &StampedSocket) -> bool {
///     !socket.send(b"a message").is_err_and(|error| is_refusal(&error))
/// }
/// ```
pub fn is_refusal(error: &io::Error) -> bool {
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
    use crate::clock::LocalTime;
    use crate::clock::for_parts::OutOfMemory;
    use crate::clock::for_parts::memory;
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

    fn address(storage: &SockaddrStorage) -> Option<SocketAddr> {
        let v4 = storage.as_sockaddr_in().map(|v4| SocketAddr::V4(SocketAddrV4::from(*v4)));
        v4.or_else(|| storage.as_sockaddr_in6().map(|v6| SocketAddr::V6(SocketAddrV6::from(*v6))))
    }

    pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, waker: Option<&Waker>, until: Option<LocalTime>) {
        let timeout = until.map_or(PollTimeout::NONE, |until| PollTimeout::from(millis_until(until)));
        let (came, waked) = (socket.map(|(socket, _)| socket.as_fd()), waker.map(Waker::watched));
        let Some(first) = waked.or(came) else { return };
        let count = 1 + usize::from(came.is_some() && waked.is_some());
        let mut watched = [first, came.unwrap_or(first)].map(|fd| PollFd::new(fd, PollFlags::POLLIN));
        // An interrupted wait returns early, and the caller waits again.
        let _ = poll(&mut watched[..count], timeout);
        if let Some(waker) = waker.filter(|_| watched[0].any() != Some(false)) {
            waker.clear();
        }
    }
}

#[cfg(not(unix))]
mod os {
    use std::io;
    use std::net::{Ipv4Addr, UdpSocket};
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::super::Stamps;
    use super::super::waker::Waker;
    use super::{Arrival, millis_until};
    use crate::clock::LocalTime;
    use crate::clock::for_parts::OutOfMemory;
    use crate::monotonic_now;

    /// Windows: the datagram was longer than the buffer, and is gone (`WSAEMSGSIZE`).
    const TOO_LONG: i32 = 10_040;

    #[derive(Debug)]
    pub(super) struct Os {
        /// A wait was ended by the news that nobody listens. Wine says so once, to the wait.
        refused: AtomicBool,
    }

    impl Os {
        pub(super) fn prepare(_socket: &UdpSocket, _uses_kernel: bool) -> Result<Self, OutOfMemory> {
            Ok(Os { refused: AtomicBool::new(false) })
        }

        pub(super) fn receive(&mut self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Arrival> {
            if self.refused.swap(false, Ordering::Relaxed) {
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

    pub(super) fn mark(_socket: &UdpSocket, is_marked: bool) -> bool {
        !is_marked
    }

    /// No timeout of the socket does this: Windows takes those below half a second for half a second.
    pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, waker: Option<&Waker>, until: Option<LocalTime>) {
        let timeout = until.map(|until| {
            let millis = i64::from(millis_until(until));
            Timespec { tv_sec: millis / 1_000, tv_nsec: (millis % 1_000 * 1_000_000) as _ }
        });
        let (came, waked) = (socket.map(|(socket, _)| socket), waker.map(Waker::watched));
        let Some(first) = came.or(waked) else { return };
        let count = 1 + usize::from(came.is_some() && waked.is_some());
        let mut watched = [first, waked.unwrap_or(first)].map(|it| PollFd::new(it, PollFlags::IN));
        // Whatever ends a wait early, the caller looks and waits again.
        let _ = poll(&mut watched[..count], timeout.as_ref());
        if let Some((_, os)) = socket {
            os.refused.store(watched[0].revents().contains(PollFlags::ERR), Ordering::Relaxed);
        }
        if let Some(waker) = waker {
            waker.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (StampedSocket, StampedSocket) {
        let receiver = StampedSocket::bind((Ipv4Addr::LOCALHOST, 0).into(), true).expect("a free port");
        let address = receiver.local_address().expect("it is bound");
        (receiver, StampedSocket::connect(address, true).expect("the loopback interface"))
    }

    fn next(socket: &mut StampedSocket) -> Arrival {
        let mut buffer = [0; 64];
        loop {
            match socket.receive_within(&mut buffer, Span::from_secs(10)) {
                Received::Datagram(arrival) => return arrival,
                other => assert_eq!(other, Received::Nothing),
            }
        }
    }

    #[test]
    fn an_arrival_is_stamped_between_sending_and_receiving() {
        let (mut receiver, sender) = pair();
        for size in [0, 1, 32, 64] {
            let before = monotonic_now();
            sender.send(&vec![7; size]).expect("the loopback interface");
            let arrival = next(&mut receiver);
            // Two clocks are read one after the other, and each has its own resolution.
            assert!(arrival.at >= before - Span::from_millis(1), "before it was sent");
            assert!(arrival.at <= monotonic_now(), "in the future");
            assert_eq!((arrival.length, arrival.from), (size, sender.local_address().expect("it is bound")));
        }
    }

    /// The test hangs if that never is.
    #[test]
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn a_datagram_that_waited_keeps_the_time_of_its_arrival() {
        let ((mut receiver, sender), waker) = (pair(), Waker::new().expect("a pipe"));
        let waited = Span::from_millis(20);
        // The kernel begins to stamp a moment after it was asked to. Until then it stamps what is read.
        loop {
            sender.send(&[1]).expect("the loopback interface");
            let sent = monotonic_now();
            wait_without_socket(&waker, Some(sent + waited));
            let arrival = next(&mut receiver);
            if arrival.at - sent < waited {
                break assert_eq!(arrival.stamps, Stamps::Kernel);
            }
        }
    }

    #[test]
    fn a_look_does_not_wait_and_nobody_there_is_said() {
        let (mut receiver, mut sender) = pair();
        assert_eq!(receiver.receive(&mut [0; 8]), Received::Nothing);
        drop(receiver);
        sender.send(&[1]).expect("nobody has refused one yet");
        let mut found = Received::Nothing;
        while found == Received::Nothing {
            found = sender.receive_within(&mut [0; 8], Span::from_millis(100));
        }
        assert_eq!(found, Received::Refused);
    }
}
