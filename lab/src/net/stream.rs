//! Messages of peers in a TCP stream. They say their own length.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use netclock::peer::{MESSAGE_MOST, StreamReader};

use crate::net::clock::{self, MachineTime};

/// A connection, and the message of it that has not come in whole.
pub(crate) struct MessageStream {
    stream: TcpStream,
    reader: Box<StreamReader>,
}

impl MessageStream {
    pub(crate) fn new(stream: TcpStream) -> Self {
        MessageStream { stream, reader: Box::default() }
    }

    /// Waits for bytes as long as the connection's own limit is. `take` gets each whole message, with its
    /// arrival. False if the connection ended or what came is no message.
    pub(crate) fn read(&mut self, mut take: impl FnMut(&[u8], MachineTime)) -> bool {
        let mut buffer = [0; 4096];
        let mut bytes = match self.stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(length) => &buffer[..length],
            Err(error) => {
                let is_idle = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
                return is_idle.contains(&error.kind());
            }
        };
        let (at, mut message) = (clock::now(), [0; MESSAGE_MOST]);
        while !bytes.is_empty() {
            let Ok(taken) = self.reader.push(bytes) else { return false };
            bytes = &bytes[taken..];
            loop {
                match self.reader.next_message(&mut message) {
                    Ok(Some(size)) => take(&message[..size], at),
                    Ok(None) => break,
                    Err(_) => return false,
                }
            }
        }
        true
    }

    /// Sends a message. False if the connection broke.
    pub(crate) fn write(&mut self, message: &[u8]) -> bool {
        self.stream.write_all(message).is_ok()
    }
}
