//! A peer's datagrams to and from its relay, sealed if it has a session key.

use std::net::SocketAddr;

use anyhow::Result;
use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::link::sockets::{Received, StampedSocket};
use netclock::{Direction, Span};

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::key_file;

/// Longest wait for a message.
const TURN: Span = Span::from_millis(2);

pub(crate) struct Line {
    socket: StampedSocket,
    channel: Option<SealedChannel>,
}

impl Line {
    pub(crate) fn to(relay: SocketAddr, key: Option<SessionKey>) -> Result<Self> {
        let sealed =
            |key| SealedChannel::new(&key_file::started(key), Channel::Messages, Direction::ToServer);
        Ok(Line { socket: address::connect(relay)?, channel: key.map(sealed) })
    }

    /// Waits a moment for a message, and passes it to `take` together with its arrival time. Messages that
    /// fail authentication are dropped.
    pub(crate) fn receive(&mut self, take: impl FnOnce(&[u8], MachineTime)) {
        let mut buffer = [0; SEALED_MOST + 1];
        let Received::Datagram(come) = self.socket.receive_within(&mut buffer, TURN) else { return };
        let (bytes, at) = (&buffer[..come.length], clock::machine(come.at));
        match self.channel.as_mut().map(|channel| channel.open(bytes)) {
            None => take(bytes, at),
            Some(Ok(message)) => take(message, at),
            Some(Err(_)) => {}
        }
    }

    /// Sends a message. It is lost if sending fails.
    pub(crate) fn send(&mut self, message: &[u8]) {
        let mut buffer = [0; SEALED_MOST];
        let sealed = match &mut self.channel {
            None => message,
            Some(channel) => channel.seal(message, &mut buffer).expect("a peer's message fits a seal"),
        };
        let _ = self.socket.send(sealed);
    }
}
