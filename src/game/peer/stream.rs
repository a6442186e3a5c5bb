//! Cuts a byte stream into messages.

use super::error::PeerError;
use super::fields::{HEAD, head};
use super::message::MESSAGE_MOST;

/// Cuts one direction of a byte stream into messages. Keeps at most one message; allocates nothing.
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
    /// A reader at the beginning of a stream.
    pub fn new() -> Self {
        StreamReader { bytes: [0; MESSAGE_MOST], filled: 0, broken: false }
    }

    /// Takes bytes as they were read, and says how many it took. Take the messages out, then give it the
    /// rest.
    ///
    /// # Errors
    /// [`PeerError::Broken`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<usize, PeerError> {
        if self.broken {
            return Err(PeerError::Broken);
        }
        let taken = bytes.len().min(MESSAGE_MOST - self.filled);
        self.bytes[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        Ok(taken)
    }

    /// Copies the next whole message to `message` and gives its length; none until more bytes come. It does
    /// not look at what the message means.
    ///
    /// # Errors
    /// [`PeerError::Size`] for a size below 4 or above [`MESSAGE_MOST`], once; then [`PeerError::Broken`].
    /// Close the connection.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(reader: &mut StreamReader, mut bytes: &[u8]) -> Vec<Vec<u8>> {
        let (mut found, mut message) = (Vec::new(), [0; MESSAGE_MOST]);
        loop {
            let Ok(taken) = reader.push(bytes) else { return found };
            bytes = &bytes[taken..];
            while let Ok(Some(size)) = reader.next_message(&mut message) {
                found.push(message[..size].to_vec());
            }
            if bytes.is_empty() || reader.broken {
                return found;
            }
        }
    }

    fn one(size: usize, fill: u8) -> Vec<u8> {
        let mut bytes = vec![fill; size];
        bytes[..4].copy_from_slice(&[0, fill, (size >> 8) as u8, size as u8]);
        bytes
    }

    #[test]
    fn any_cutting_gives_the_same_messages() {
        let all = [one(4, 1), one(36, 2), one(1024, 3), one(5, 4), one(84, 5)];
        let stream = all.concat();
        for piece in 1..stream.len() + 1 {
            let mut reader = StreamReader::new();
            let found: Vec<_> = stream.chunks(piece).flat_map(|part| messages(&mut reader, part)).collect();
            assert_eq!(found, all, "cut every {piece} bytes");
        }
    }

    #[test]
    fn an_impossible_size_ends_the_stream() {
        for size in [0, 3, MESSAGE_MOST + 1, 65_535] {
            let (mut reader, mut message) = (StreamReader::new(), [0; MESSAGE_MOST]);
            let good = one(4, 1);
            assert_eq!(reader.push(&good), Ok(4));
            assert_eq!(reader.push(&[0, 1, (size >> 8) as u8, size as u8]), Ok(4));
            assert_eq!(reader.next_message(&mut message), Ok(Some(4)), "what came before it is whole");
            assert_eq!(reader.next_message(&mut message), Err(PeerError::Size(size)));
            assert_eq!(reader.next_message(&mut message), Err(PeerError::Broken));
            assert_eq!(reader.push(&good), Err(PeerError::Broken));
        }
    }

    #[test]
    fn half_a_message_is_waited_for() {
        let (mut reader, mut message) = (StreamReader::new(), [0; MESSAGE_MOST]);
        assert_eq!(reader.push(&one(36, 1)[..35]), Ok(35));
        assert_eq!(reader.next_message(&mut message), Ok(None));
        assert_eq!(reader.push(&[1]), Ok(1));
        assert_eq!(reader.next_message(&mut message), Ok(Some(36)));
    }
}
