//! A peer's connection to its relay: datagrams, or a stream that is opened again after it broke.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::peer::{MESSAGE_MOST, StreamReader};

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::socket::{Received, StampedSocket};

/// Longest wait for a message.
const TURN: Duration = Duration::from_millis(2);
/// Longest wait for a connection.
const CONNECT_WITHIN: Duration = Duration::from_millis(500);

pub(crate) enum Line {
    Datagrams(Box<StampedSocket>),
    Stream { to: SocketAddr, open: Option<Box<(TcpStream, StreamReader)>> },
}

impl Line {
    pub(crate) fn new(to: SocketAddr, stream: bool) -> Result<Self> {
        if stream {
            return Ok(Line::Stream { to, open: None });
        }
        let socket = address::connect(to).with_context(|| format!("cannot send to {to}"))?;
        Ok(Line::Datagrams(Box::new(StampedSocket::new(socket, TURN).context("cannot prepare the socket")?)))
    }

    /// Waits a moment for messages. `take` gets each of them, with its arrival.
    pub(crate) fn receive(&mut self, mut take: impl FnMut(&[u8], MachineTime)) {
        match self {
            Line::Datagrams(socket) => {
                let mut buffer = [0; MESSAGE_MOST + 1];
                if let Ok(Received::Datagram { length, at, .. }) = socket.receive(&mut buffer) {
                    take(&buffer[..length], at);
                }
            }
            Line::Stream { to, open } => {
                let broken = match open {
                    Some(open) => !read_some(open, &mut take),
                    None => {
                        *open = connect(*to);
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
        match self {
            Line::Datagrams(socket) => {
                let _ = socket.socket().send(message);
            }
            Line::Stream { open, .. } => {
                if open.as_mut().is_some_and(|open| open.0.write_all(message).is_err()) {
                    *open = None;
                }
            }
        }
    }
}

fn connect(to: SocketAddr) -> Option<Box<(TcpStream, StreamReader)>> {
    let stream = TcpStream::connect_timeout(&to, CONNECT_WITHIN).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(TURN)).ok()?;
    Some(Box::new((stream, StreamReader::new())))
}

/// Reads what has come. False if the connection broke.
fn read_some(
    (stream, reader): &mut (TcpStream, StreamReader),
    take: &mut impl FnMut(&[u8], MachineTime),
) -> bool {
    let (mut buffer, mut message) = ([0; 4096], [0; MESSAGE_MOST]);
    let mut rest = match stream.read(&mut buffer) {
        Ok(0) => return false,
        Ok(length) => &buffer[..length],
        Err(error) => {
            return matches!(
                error.kind(),
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
            );
        }
    };
    let at = clock::now();
    while !rest.is_empty() {
        let Ok(taken) = reader.push(rest) else { return false };
        rest = &rest[taken..];
        loop {
            match reader.next_message(&mut message) {
                Ok(Some(size)) => take(&message[..size], at),
                Ok(None) => break,
                Err(_) => return false,
            }
        }
    }
    true
}
