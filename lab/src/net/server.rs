//! A UDP server that answers requests. It keeps nothing about anybody.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::{Responder, WireError, wire};
use serde::Serialize;

use super::clock::{self, MachineTime, ServerClock};
use super::socket::{Received, StampedSocket};

/// How often a server without requests looks whether it should stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Longer than any datagram of ours, so that longer ones are recognised.
const BUFFER: usize = 2 * wire::SIZE;

/// What a server has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Requests answered.
    pub(crate) answered: u64,
    /// Replies that the system refused to send.
    pub(crate) unsent: u64,
    /// Datagrams that are no requests; none of them is answered.
    pub(crate) malformed: Malformed,
}

/// Datagrams that are no requests, by what is wrong with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Malformed {
    pub(crate) length: u64,
    pub(crate) magic: u64,
    pub(crate) version: u64,
    pub(crate) kind: u64,
    pub(crate) reserved: u64,
    pub(crate) stamp: u64,
}

impl Malformed {
    fn add(&mut self, error: WireError) {
        let count = match error {
            WireError::Length(_) => &mut self.length,
            WireError::Magic => &mut self.magic,
            WireError::Version(_) => &mut self.version,
            WireError::Kind(_) => &mut self.kind,
            WireError::Reserved => &mut self.reserved,
            _ => &mut self.stamp,
        };
        *count += 1;
    }

    /// All of them.
    pub(crate) fn total(&self) -> u64 {
        self.length + self.magic + self.version + self.kind + self.reserved + self.stamp
    }
}

/// A server on a socket. Its clock is the time since it was created.
pub(crate) struct Server {
    socket: StampedSocket,
    clock: ServerClock,
    responder: Responder,
    counts: Counts,
}

impl Server {
    /// Serves on `socket`, with an epoch drawn from the operating system.
    pub(crate) fn new(socket: UdpSocket) -> Result<Self> {
        let epoch = getrandom::u64().context("the system gives no random number for the epoch")?;
        Ok(Server {
            socket: StampedSocket::new(socket, LOOK_UP).context("cannot prepare the server's socket")?,
            clock: ServerClock::started_at(clock::now()),
            responder: Responder::new(epoch),
            counts: Counts::default(),
        })
    }

    /// Waits a little for a request and answers it.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let received = self.socket.receive(&mut buffer).context("cannot receive any more")?;
        if let Received::Datagram { length, from, at } = received {
            self.answer(&buffer[..length], from, at);
        }
        Ok(())
    }

    fn answer(&mut self, bytes: &[u8], from: SocketAddr, arrived: MachineTime) {
        let request = match wire::decode_request(bytes) {
            Ok(request) => request,
            Err(error) => return self.counts.malformed.add(error),
        };
        let received = self.clock.at(arrived);
        let sent = self.clock.at(clock::now());
        // Refused only if a request waited here for more than the 429 s that a reply can tell.
        let Ok(reply) = self.responder.respond(&request, received, sent) else { return };
        let Ok(datagram) = wire::encode_reply(&reply) else { return };
        match self.send(&datagram, from) {
            Ok(_) => self.counts.answered += 1,
            Err(_) => self.counts.unsent += 1,
        }
    }

    fn send(&self, datagram: &wire::Datagram, to: SocketAddr) -> io::Result<usize> {
        self.socket.socket().send_to(datagram, to)
    }

    pub(crate) fn clock(&self) -> ServerClock {
        self.clock
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }
}
