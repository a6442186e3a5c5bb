//! A peer's connection to its relay: datagrams, or a stream that is opened again after it broke. With a
//! session key every message is sealed.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Result;
use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::link::sockets::{Received, StampedSocket};
use netclock::{Direction, Span};

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::key_file;
use crate::net::stream::{MessageReader, framed};

/// Longest wait for a message.
const TURN: Duration = Duration::from_millis(2);
/// Longest wait for a connection.
const CONNECT_WITHIN: Duration = Duration::from_millis(500);

pub(crate) struct Line {
    way: Way,
    channel: Option<SealedChannel>,
}

enum Way {
    Datagrams(Box<StampedSocket>),
    Stream { to: SocketAddr, open: Option<(TcpStream, MessageReader)> },
}

impl Line {
    /// A line to a relay at `to`, by a stream or by datagrams.
    ///
    /// # Errors
    /// There is no way to it.
    pub(crate) fn new(to: SocketAddr, stream: bool, key: Option<SessionKey>) -> Result<Self> {
        let channel = key
            .map(|key| SealedChannel::new(&key_file::started(key), Channel::Messages, Direction::ToServer));
        if stream {
            return Ok(Line { way: Way::Stream { to, open: None }, channel });
        }
        Ok(Line { way: Way::Datagrams(Box::new(address::connect(to)?)), channel })
    }

    /// Waits a moment for messages. `take` gets each of them, with its arrival. What the key does not open is
    /// dropped.
    pub(crate) fn receive(&mut self, mut take: impl FnMut(&[u8], MachineTime)) {
        let Line { way, channel } = self;
        let is_sealed = channel.is_some();
        let mut opened = |bytes: &[u8], at| match channel.as_mut().map(|channel| channel.open(bytes)) {
            None => take(bytes, at),
            Some(Ok(message)) => take(message, at),
            Some(Err(_)) => {}
        };
        match way {
            Way::Datagrams(socket) => {
                let mut buffer = [0; SEALED_MOST + 1];
                let turn = Span::from_secs_f64(TURN.as_secs_f64());
                if let Received::Datagram(come) = socket.receive_within(&mut buffer, turn) {
                    opened(&buffer[..come.length], clock::machine(come.at));
                }
            }
            Way::Stream { to, open } => {
                let broken = match open {
                    Some(open) => !read_some(open, &mut opened),
                    None => {
                        *open = connect(*to, is_sealed);
                        false
                    }
                };
                if broken {
                    *open = None;
                }
                if open.is_none() {
                    std::thread::sleep(20 * TURN);
                }
            }
        }
    }

    /// Sends a message; it is lost if that fails.
    pub(crate) fn send(&mut self, message: &[u8]) {
        let mut sealed = [0; SEALED_MOST];
        match self.channel.as_mut().map(|channel| channel.seal(message, &mut sealed)) {
            None => self.way.send(message, false),
            Some(Ok(sealed)) => self.way.send(sealed, true),
            // No message of a peer is too long for a seal.
            Some(Err(_)) => {}
        }
    }
}

impl Way {
    fn send(&mut self, message: &[u8], is_sealed: bool) {
        match self {
            Way::Datagrams(socket) => {
                let _ = socket.send(message);
            }
            Way::Stream { open, .. } => {
                let Some((stream, _)) = open else { return };
                let sent =
                    if is_sealed { stream.write_all(&framed(message)) } else { stream.write_all(message) };
                if sent.is_err() {
                    *open = None;
                }
            }
        }
    }
}

fn connect(to: SocketAddr, is_sealed: bool) -> Option<(TcpStream, MessageReader)> {
    let stream = TcpStream::connect_timeout(&to, CONNECT_WITHIN).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(TURN)).ok()?;
    Some((stream, MessageReader::new(is_sealed)))
}

/// Reads what has come. False if the connection broke.
fn read_some(
    (stream, reader): &mut (TcpStream, MessageReader),
    take: &mut impl FnMut(&[u8], MachineTime),
) -> bool {
    let mut buffer = [0; 4096];
    let length = match stream.read(&mut buffer) {
        Ok(0) => return false,
        Ok(length) => length,
        Err(error) => {
            return matches!(
                error.kind(),
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
            );
        }
    };
    let at = clock::now();
    reader.push(&buffer[..length], |message| take(message, at))
}
