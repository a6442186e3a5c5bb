//! Splits a byte stream into messages.

use super::error::PeerError;
use super::fields::{HEAD, head};
use super::message::MESSAGE_MOST;

/// Splits one direction of a byte stream into messages. It buffers at most one message and does not allocate.
///
/// ```
/// # use netclock::peer::{MESSAGE_MOST, StreamReader};
/// let (mut reader, mut message) = (StreamReader::new(), [0; MESSAGE_MOST]);
/// assert_eq!(reader.push(&[0])?, 1); // as the socket gives them
/// assert_eq!(reader.next_message(&mut message)?, None); // not whole yet
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StreamReader {
    bytes: [u8; MESSAGE_MOST],
    filled: usize,
    broken: bool,
}

impl Default for StreamReader {
    fn default() -> Self {
        Self::new()
    }
}

impl StreamReader {
    /// Creates a reader at the start of a stream.
    pub fn new() -> Self {
        StreamReader { bytes: [0; MESSAGE_MOST], filled: 0, broken: false }
    }

    /// Buffers bytes that were read from the stream, and returns how many. Retrieve the messages before
    /// passing the remaining bytes.
    ///
    /// # Errors
    /// Returns [`PeerError::Broken`] if an earlier message had an invalid size.
    pub fn push(&mut self, bytes: &[u8]) -> Result<usize, PeerError> {
        if self.broken {
            return Err(PeerError::Broken);
        }
        let taken = bytes.len().min(MESSAGE_MOST - self.filled);
        self.bytes[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        Ok(taken)
    }

    /// Copies the next complete message to `message` and returns its length, or `None` if more bytes are
    /// required. Only the size of the message is checked.
    ///
    /// # Errors
    /// Returns [`PeerError::Size`] if the size is below 4 or above [`MESSAGE_MOST`], and
    /// [`PeerError::Broken`] in all later calls. Close the connection then.
    pub fn next_message(&mut self, message: &mut [u8; MESSAGE_MOST]) -> Result<Option<usize>, PeerError> {
        if self.broken {
            return Err(PeerError::Broken);
        }
        let Some((_, size)) = head(&self.bytes[..self.filled]) else { return Ok(None) };
        if !(HEAD..=MESSAGE_MOST).contains(&size) {
            self.broken = true;
            return Err(PeerError::Size(size));
        }
        if size > self.filled {
            return Ok(None);
        }
        message[..size].copy_from_slice(&self.bytes[..size]);
        self.bytes.copy_within(size..self.filled, 0);
        self.filled -= size;
        Ok(Some(size))
    }
}
