//! A peer's connection to its relay: datagrams, sealed if it has a session key, or a stream that is opened
//! again after it broke.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Result;
use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::link::sockets::{Received, StampedSocket};
use netclock::{Direction, Span};

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::key_file;
use crate::net::stream::MessageStream;

/// Longest wait for a message.
const TURN: Duration = Duration::from_millis(2);
/// Longest wait for a connection.
const CONNECT_WITHIN: Duration = Duration::from_millis(500);

pub(crate) enum Line {
    Datagrams { socket: Box<StampedSocket>, channel: Option<SealedChannel> },
    Stream { to: SocketAddr, open: Option<MessageStream> },
}

impl Line {
    pub(crate) fn by_stream(to: SocketAddr) -> Self {
        Line::Stream { to, open: None }
    }

    /// A line by datagrams.
    ///
    /// # Errors
    /// There is no way to `to`.
    pub(crate) fn by_datagrams(to: SocketAddr, key: Option<SessionKey>) -> Result<Self> {
        let sealed =
            |key| SealedChannel::new(&key_file::started(key), Channel::Messages, Direction::ToServer);
        Ok(Line::Datagrams { socket: Box::new(address::connect(to)?), channel: key.map(sealed) })
    }

    /// Waits a moment for messages. `take` gets each of them, with its arrival. What the key does not open is
    /// dropped.
    pub(crate) fn receive(&mut self, mut take: impl FnMut(&[u8], MachineTime)) {
        match self {
            Line::Datagrams { socket, channel } => {
                let mut buffer = [0; SEALED_MOST + 1];
                let turn = Span::from_secs_f64(TURN.as_secs_f64());
                let Received::Datagram(come) = socket.receive_within(&mut buffer, turn) else { return };
                let (bytes, at) = (&buffer[..come.length], clock::machine(come.at));
                match channel.as_mut().map(|channel| channel.open(bytes)) {
                    None => take(bytes, at),
                    Some(Ok(message)) => take(message, at),
                    Some(Err(_)) => {}
                }
            }
            Line::Stream { to, open } => {
                let is_alive = match open {
                    Some(stream) => stream.read(take),
                    None => {
                        *open = connect(*to);
                        open.is_some()
                    }
                };
                if !is_alive {
                    *open = None;
                    std::thread::sleep(20 * TURN);
                }
            }
        }
    }

    /// Sends a message; it is lost if that fails.
    pub(crate) fn send(&mut self, message: &[u8]) {
        match self {
            Line::Datagrams { socket, channel } => {
                let mut buffer = [0; SEALED_MOST];
                let sealed = match channel {
                    None => message,
                    Some(channel) => {
                        channel.seal(message, &mut buffer).expect("a peer's message fits a seal")
                    }
                };
                let _ = socket.send(sealed);
            }
            Line::Stream { open, .. } => {
                if open.as_mut().is_some_and(|stream| !stream.write(message)) {
                    *open = None;
                }
            }
        }
    }
}

fn connect(to: SocketAddr) -> Option<MessageStream> {
    let stream = TcpStream::connect_timeout(&to, CONNECT_WITHIN).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(TURN)).ok()?;
    Some(MessageStream::new(stream))
}
