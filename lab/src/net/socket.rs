//! A UDP socket that stamps the arrival of each datagram.
//!
//! On Linux the kernel stamps datagrams as they come off the network (`SO_TIMESTAMPNS`). So the time until the process is
//! scheduled does not count as network delay. On other systems the clock is read right after the receive call.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use super::clock::MachineTime;

/// The result of a wait for a datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Received {
    /// A datagram from `from` arrived at `at`. It is in the first `length` bytes of the buffer.
    Datagram { length: usize, from: SocketAddr, at: MachineTime },
    /// No datagram came in time.
    Nothing,
    /// The network reports that nobody listens at an address to which this socket sent (ICMP port unreachable).
    Refused,
}

/// A UDP socket with arrival stamps.
#[derive(Debug)]
pub(crate) struct StampedSocket {
    socket: UdpSocket,
    timeout: Duration,
    stamps: os::Stamps,
}

impl StampedSocket {
    /// Takes `socket` over. [`receive`](Self::receive) waits for `timeout`.
    pub(crate) fn new(socket: UdpSocket, timeout: Duration) -> io::Result<Self> {
        let stamps = os::Stamps::enable(&socket, timeout)?;
        Ok(StampedSocket { socket, timeout, stamps })
    }

    /// The socket itself, for sending.
    pub(crate) fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    /// Waits for the next datagram. A datagram that is longer than `buffer` is cut off.
    pub(crate) fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Received> {
        received(self.stamps.receive(&self.socket, buffer, self.timeout))
    }

    /// As [`receive`](Self::receive), without a wait.
    pub(crate) fn receive_waiting(&mut self, buffer: &mut [u8]) -> io::Result<Received> {
        received(self.stamps.receive(&self.socket, buffer, Duration::ZERO))
    }
}

fn received(result: io::Result<(usize, SocketAddr, MachineTime)>) -> io::Result<Received> {
    match result {
        Ok((length, from, at)) => Ok(Received::Datagram { length, from, at }),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {
                Ok(Received::Nothing)
            }
            _ if is_refusal(&error) => Ok(Received::Refused),
            // Windows reports a datagram that is longer than the buffer. It is not NetClock's.
            _ if error.raw_os_error() == Some(WSAEMSGSIZE) => Ok(Received::Nothing),
            _ => Err(error),
        },
    }
}

const WSAEMSGSIZE: i32 = 10_040;

/// True if a failed send or receive means that nobody listens at the other end.
pub(crate) fn is_refusal(error: &io::Error) -> bool {
    // Windows reports this as a reset.
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
}

#[cfg(target_os = "linux")]
mod os {
    use std::io::{self, IoSliceMut};
    use std::net::{SocketAddr, SocketAddrV4, SocketAddrV6, UdpSocket};
    use std::os::fd::{AsFd, AsRawFd};
    use std::time::Duration;

    use netclock::Span;
    use nix::poll::{PollFd, PollFlags, poll};
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt, sockopt};
    use nix::sys::time::TimeSpec;

    use crate::net::clock::{self, MachineTime};

    /// A longer age of a stamp means that another clock made it.
    const LONGEST_WAIT: Span = Span::from_secs(60);
    /// A larger move of the wall clock against the monotonic one between two receives is a step.
    const WALL_STEP: Span = Span::from_millis(1);
    /// A faster slew of the wall clock is a step too (twice the kernel's limit of 500 ppm).
    const WALL_SLEW: f64 = 1e-3;

    #[derive(Debug)]
    pub(super) struct Stamps {
        control: Vec<u8>,
        /// Wall clock minus monotonic clock at the last receive, and when that was.
        last_pairing: Option<(Span, MachineTime)>,
    }

    impl Stamps {
        pub(super) fn enable(socket: &UdpSocket, _timeout: Duration) -> io::Result<Self> {
            // Without stamps (an unusual kernel), arrivals are stamped after the receive call, less exactly.
            let _ = setsockopt(socket, sockopt::ReceiveTimestampns, &true);
            Ok(Stamps { control: nix::cmsg_space!(TimeSpec), last_pairing: None })
        }

        pub(super) fn receive(
            &mut self,
            socket: &UdpSocket,
            buffer: &mut [u8],
            wait: Duration,
        ) -> io::Result<(usize, SocketAddr, MachineTime)> {
            if !wait.is_zero() {
                // A receive timeout would be rounded up to the next tick of the scheduler.
                let millis = u16::try_from(wait.as_millis()).unwrap_or(u16::MAX);
                poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLIN)], millis)?;
            }
            let mut parts = [IoSliceMut::new(buffer)];
            let message = recvmsg::<SockaddrStorage>(
                socket.as_raw_fd(),
                &mut parts,
                Some(&mut self.control),
                MsgFlags::MSG_DONTWAIT,
            )?;
            let stamp = message.cmsgs()?.find_map(|control| match control {
                ControlMessageOwned::ScmTimestampns(stamp) => Some(stamp),
                _ => None,
            });
            let from = message.address.as_ref().and_then(address);
            let from = from.ok_or_else(|| io::Error::other("a datagram without a sender's address"))?;
            let length = message.bytes;
            Ok((length, from, self.arrival(stamp)))
        }

        /// The arrival by the monotonic clock. The kernel stamps with the wall clock, so this reads both clocks and
        /// goes back from now by the stamp's age.
        fn arrival(&mut self, stamp: Option<TimeSpec>) -> MachineTime {
            let wall = clock::wall_ticks();
            let now = clock::now();
            let pairing = Span::from_ticks(wall - now.ticks());
            let wall_was_set = self.last_pairing.is_some_and(|(last, at)| {
                let slewed = Span::from_secs_f64((now - at).as_secs_f64() * WALL_SLEW);
                (pairing - last).abs() > WALL_STEP + slewed
            });
            self.last_pairing = Some((pairing, now));
            let Some(stamp) = stamp else { return now };
            let stamp_ticks = stamp.tv_sec() * netclock::TICKS_PER_SECOND + stamp.tv_nsec() / 100;
            let age = Span::from_ticks(wall - stamp_ticks);
            if wall_was_set || age > LONGEST_WAIT { now } else { now - age.max(Span::ZERO) }
        }
    }

    fn address(storage: &SockaddrStorage) -> Option<SocketAddr> {
        let v4 = storage.as_sockaddr_in().map(|v4| SocketAddr::V4(SocketAddrV4::from(*v4)));
        v4.or_else(|| storage.as_sockaddr_in6().map(|v6| SocketAddr::V6(SocketAddrV6::from(*v6))))
    }
}

#[cfg(not(target_os = "linux"))]
mod os {
    use std::io;
    use std::net::{SocketAddr, UdpSocket};
    use std::time::Duration;

    use crate::net::clock::{self, MachineTime};

    #[derive(Debug)]
    pub(super) struct Stamps;

    impl Stamps {
        pub(super) fn enable(socket: &UdpSocket, timeout: Duration) -> io::Result<Self> {
            socket.set_read_timeout(Some(timeout))?;
            Ok(Stamps)
        }

        pub(super) fn receive(
            &mut self,
            socket: &UdpSocket,
            buffer: &mut [u8],
            wait: Duration,
        ) -> io::Result<(usize, SocketAddr, MachineTime)> {
            if !wait.is_zero() {
                let (length, from) = socket.recv_from(buffer)?;
                return Ok((length, from, clock::now()));
            }
            socket.set_nonblocking(true)?;
            let received = socket.recv_from(buffer);
            socket.set_nonblocking(false)?;
            received.map(|(length, from)| (length, from, clock::now()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::clock;

    fn pair() -> io::Result<(StampedSocket, UdpSocket)> {
        let receiver = UdpSocket::bind("127.0.0.1:0")?;
        let sender = UdpSocket::bind("127.0.0.1:0")?;
        sender.connect(receiver.local_addr()?)?;
        Ok((StampedSocket::new(receiver, Duration::from_millis(500))?, sender))
    }

    #[test]
    fn arrivals_are_stamped_between_sending_and_receiving() -> io::Result<()> {
        let (mut receiver, sender) = pair()?;
        for size in [0, 1, 32, 1000] {
            let before = clock::now();
            sender.send(&vec![7; size])?;
            let received = receiver.receive(&mut [0; 2048])?;
            let after = clock::now();
            // Two clocks are read one after the other, and each has its own resolution.
            let tolerance = netclock::Span::from_micros(50);
            match received {
                Received::Datagram { length, from, at } => {
                    assert_eq!((length, from), (size, sender.local_addr()?));
                    assert!(at >= before - tolerance && at <= after, "{before:?} {at:?} {after:?}");
                }
                other => panic!("{other:?}"),
            }
        }
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_datagram_that_waited_keeps_the_time_of_its_arrival() -> io::Result<()> {
        let (mut receiver, sender) = pair()?;
        // The kernel switches its stamps on with a small delay.
        std::thread::sleep(Duration::from_millis(50));
        sender.send(&[1])?;
        let sent = clock::now();
        std::thread::sleep(Duration::from_millis(100));
        match receiver.receive(&mut [0; 64])? {
            Received::Datagram { at, .. } => assert!(at - sent < netclock::Span::from_millis(50)),
            other => panic!("{other:?}"),
        }
        Ok(())
    }

    #[test]
    fn taking_what_waits_does_not_wait() -> io::Result<()> {
        let (mut receiver, sender) = pair()?;
        assert_eq!(receiver.receive_waiting(&mut [0; 64])?, Received::Nothing);
        sender.send(&[1])?;
        assert!(matches!(receiver.receive(&mut [0; 64])?, Received::Datagram { length: 1, .. }));
        Ok(())
    }
}
