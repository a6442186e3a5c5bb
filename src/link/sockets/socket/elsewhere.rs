//! On Windows and other non-Unix systems, timestamps datagrams on the receiving thread.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::Stamps;
use super::super::waker::Waker;
use super::addressed::{Addressed, send_from};
use super::{Arrival, Peer, millis_until};
use crate::clock::LocalTime;
use crate::clock::for_parts::OutOfMemory;
use crate::monotonic_now;

/// `WSAEMSGSIZE`: the datagram did not fit into the buffer, so Windows truncated it.
const TOO_LONG: i32 = 10_040;

#[derive(Debug)]
pub(super) struct Os {
    /// Whether a wait reported that no program listens at the other end. Wine reports this error only while
    /// waiting.
    refused: AtomicBool,
    addressed: Option<Addressed>,
}

impl Os {
    pub(super) fn prepare(socket: &UdpSocket, _uses_kernel: bool) -> Result<Self, OutOfMemory> {
        let has_several = socket.local_addr().is_ok_and(|it| it.ip().is_unspecified());
        let addressed = has_several.then(|| Addressed::of(socket)).flatten();
        Ok(Os { refused: AtomicBool::new(false), addressed })
    }

    pub(super) fn receive(&mut self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Arrival> {
        if self.refused.swap(false, Ordering::Relaxed) {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        let received = match self.addressed {
            Some(addressed) => addressed.receive(socket, buffer),
            None => socket.recv_from(buffer).map(|(length, sender)| (length, sender, None)),
        };
        let (length, address, local) = match received {
            // The sender does not matter, because a truncated datagram is longer than any link datagram.
            Err(error) if error.raw_os_error() == Some(TOO_LONG) => {
                (buffer.len(), (Ipv4Addr::UNSPECIFIED, 0).into(), None)
            }
            received => received?,
        };
        let from = Peer { address, local };
        Ok(Arrival { length, from, at: monotonic_now(), stamps: Stamps::Thread })
    }
}

pub(super) fn report_destinations(_socket: &UdpSocket) {}

pub(super) fn report_errors(_socket: &UdpSocket, _is_version_6: bool) {}

pub(super) fn send_to(socket: &UdpSocket, datagram: &[u8], to: Peer) -> io::Result<usize> {
    match to.local {
        Some(local) => send_from(socket, datagram, to.address, local),
        None => socket.send_to(datagram, to.address),
    }
}

pub(super) fn mark(_socket: &UdpSocket, is_marked: bool) -> bool {
    !is_marked
}

/// Uses `poll`, because Windows rounds socket timeouts up to at least half a second.
pub(super) fn wait(socket: Option<(&UdpSocket, &Os)>, waker: Option<&Waker>, until: Option<LocalTime>) {
    let timeout = until.map(|until| {
        let millis = i64::from(millis_until(until));
        Timespec { tv_sec: millis / 1_000, tv_nsec: (millis % 1_000 * 1_000_000) as _ }
    });
    let (came, waked) = (socket.map(|(socket, _)| socket), waker.map(Waker::watched));
    let Some(first) = came.or(waked) else { return };
    let count = 1 + usize::from(came.is_some() && waked.is_some());
    let mut watched = [first, waked.unwrap_or(first)].map(|it| PollFd::new(it, PollFlags::IN));
    let _ = poll(&mut watched[..count], timeout.as_ref());
    if let Some((_, os)) = socket {
        os.refused.store(watched[0].revents().contains(PollFlags::ERR), Ordering::Relaxed);
    }
    if let Some(waker) = waker {
        waker.clear();
    }
}
