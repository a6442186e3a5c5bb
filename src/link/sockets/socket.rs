//! A UDP socket that timestamps arriving datagrams. Other threads can interrupt a wait on the socket.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use super::trouble::Trouble;
use super::waker::Waker;
use super::{NetError, Stamps};
use crate::clock::{LocalTime, Span};
use crate::monotonic_now;

#[cfg_attr(unix, path = "socket/unix.rs")]
#[cfg_attr(not(unix), path = "socket/elsewhere.rs")]
mod os;

#[cfg(not(unix))]
mod addressed;

/// Both ends of a datagram's path. Replies are sent from `local`, so that they pass through NATs and
/// firewalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Peer {
    /// The sender's address and port.
    pub address: SocketAddr,
    /// The local address that received the datagram. It is `None` if the socket has only one address or the
    /// system does not report it.
    pub local: Option<IpAddr>,
}

impl From<SocketAddr> for Peer {
    fn from(address: SocketAddr) -> Self {
        Peer { address, local: None }
    }
}

/// A received datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Number of received bytes. Datagrams longer than the buffer are truncated.
    pub length: usize,
    /// The datagram's sender. Send replies here.
    pub from: Peer,
    /// The arrival time on the [`monotonic_now`] clock.
    pub at: LocalTime,
    /// The source of the timestamp.
    pub stamps: Stamps,
}

/// The result of receiving on a [`StampedSocket`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A datagram was written to the start of the buffer.
    Datagram(Arrival),
    /// The network reported why it did not deliver an earlier datagram.
    Failed(Trouble),
    /// No datagram has arrived.
    Nothing,
}

/// A UDP socket for your own time-critical messages, with the same arrival timestamps as the link.
///
/// One thread receives, and others can send through a clone of the [`socket`](Self::socket). Sending never
/// blocks, but loses datagrams if the system's buffers are full.
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
///     println!("{:?} arrived at {:?}", &buffer[..arrival.length], arrival.at);
///     server.send_to(b"an answer", arrival.from)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StampedSocket {
    socket: UdpSocket,
    os: os::Os,
    /// Whether datagrams are marked, and whether the last attempt to change this succeeded.
    is_marked: bool,
    marks: bool,
}

impl StampedSocket {
    /// Opens a socket at `address`. Port 0 selects a free port. `[::]` selects both IP versions if the system
    /// supports this. On Windows and on machines without IPv6, it selects only IPv4. `uses_kernel` enables
    /// the kernel's arrival timestamps, if available. Fails if the system cannot provide the socket or
    /// memory.
    // On Windows, an IPv6 socket accepts IPv4 only with an option that the standard library lacks.
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

    /// Opens a socket that exchanges datagrams only with `peer`.
    ///
    /// # Errors
    /// Fails if there is no route to `peer`, or the system cannot provide a socket or memory.
    pub fn connect(peer: SocketAddr, uses_kernel: bool) -> Result<Self, NetError> {
        let any: SocketAddr = match peer {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any)?;
        socket.connect(peer)?;
        os::report_errors(&socket, peer.is_ipv6());
        Self::prepare(socket, uses_kernel)
    }

    fn prepare(socket: UdpSocket, uses_kernel: bool) -> Result<Self, NetError> {
        socket.set_nonblocking(true)?;
        if socket.local_addr()?.ip().is_unspecified() {
            os::report_destinations(&socket);
        }
        let os = os::Os::prepare(&socket, uses_kernel)?;
        Ok(StampedSocket { socket, os, is_marked: false, marks: true })
    }

    /// Returns the underlying non-blocking socket, which senders can clone. [`receive`](Self::receive) does
    /// not return datagrams that were received through a clone.
    pub fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Sets whether this socket and its clones send datagrams with the DSCP
    /// [`NON_QUEUE_BUILDING`](crate::link::NON_QUEUE_BUILDING). Returns false if the system does not support
    /// marking, as on Windows.
    // Windows ignores the usual option, IP_TOS. Instead, Windows provides qWAVE. It lets only administrators
    // set a DSCP, and is not installed on Windows Server by default.
    pub fn set_marked(&mut self, is_marked: bool) -> bool {
        if self.is_marked != is_marked {
            (self.is_marked, self.marks) = (is_marked, os::mark(&self.socket, is_marked));
        }
        self.marks
    }

    /// Returns the socket's address and port.
    ///
    /// # Errors
    /// Fails if the system does not report the address.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Sends to the peer of a connected socket.
    ///
    /// # Errors
    /// Fails if the system did not send the datagram. If [`is_refusal`] returns true, the error concerns an
    /// earlier datagram.
    pub fn send(&self, datagram: &[u8]) -> io::Result<usize> {
        self.socket.send(datagram)
    }

    /// Sends to an address. Replies to an [`Arrival`]'s sender come from the address that received the
    /// datagram.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    pub fn send_to(&self, datagram: &[u8], to: impl Into<Peer>) -> io::Result<usize> {
        os::send_to(&self.socket, datagram, to.into())
    }

    /// Receives a datagram without waiting.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Received {
        match self.os.receive(&self.socket, buffer) {
            Ok(arrival) => Received::Datagram(arrival),
            Err(error) => match Trouble::of_network(&error) {
                // Nothing arrived, or a datagram did not fit into the buffer.
                Trouble::None => Received::Nothing,
                trouble => Received::Failed(trouble),
            },
        }
    }

    /// Waits up to about `wait` for a datagram and receives it. The wait may end early without a datagram.
    pub fn receive_within(&mut self, buffer: &mut [u8], wait: Span) -> Received {
        os::wait(Some((&self.socket, &self.os)), None, Some(monotonic_now() + wait));
        self.receive(buffer)
    }

    pub(super) fn wait(&self, waker: &Waker, until: Option<LocalTime>) {
        os::wait(Some((&self.socket, &self.os)), Some(waker), until);
    }
}

pub(super) fn wait_without_socket(waker: &Waker, until: Option<LocalTime>) {
    os::wait(None, Some(waker), until);
}

/// Returns whether this error means that no program listens at the other end. Windows reports this as a
/// connection reset.
pub fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
}

fn millis_until(until: LocalTime) -> u16 {
    const MILLISECOND: i64 = 10_000;
    let ticks = (until - monotonic_now()).ticks().max(0);
    // The caller waits again if the time does not fit into 16 bits.
    u16::try_from(ticks / MILLISECOND + 1).unwrap_or(u16::MAX)
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
    fn arrival_timestamps_are_between_sending_and_receiving() {
        let (mut receiver, sender) = pair();
        for size in [0, 1, 32, 64] {
            let before = monotonic_now();
            sender.send(&vec![7; size]).expect("the loopback interface");
            let arrival = next(&mut receiver);
            // The two clocks are read one after the other and have different resolutions.
            assert!(arrival.at >= before - Span::from_millis(1), "before it was sent");
            assert!(arrival.at <= monotonic_now(), "in the future");
            let sent_from = sender.local_address().expect("it is bound").into();
            assert_eq!((arrival.length, arrival.from), (size, sent_from));
        }
    }

    /// Hangs if the kernel never timestamps a datagram.
    #[test]
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn a_waiting_datagram_keeps_its_arrival_time() {
        let ((mut receiver, sender), waker) = (pair(), Waker::new().expect("a pipe"));
        let waited = Span::from_millis(20);
        // The kernel enables timestamps with a short delay. Until then, datagrams are timestamped when they
        // are read.
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
    fn polling_does_not_wait_and_unreachable_ports_are_reported() {
        let (mut receiver, mut sender) = pair();
        assert_eq!(receiver.receive(&mut [0; 8]), Received::Nothing);
        drop(receiver);
        sender.send(&[1]).expect("no datagram was rejected yet");
        let mut found = Received::Nothing;
        while found == Received::Nothing {
            found = sender.receive_within(&mut [0; 8], Span::from_millis(100));
        }
        assert_eq!(found, Received::Failed(Trouble::NobodyListens));
    }
}
