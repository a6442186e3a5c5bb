//! Messages in a byte stream. Without a key they say their own length. A sealed one has its length before it,
//! two bytes in network byte order.

use netclock::peer::{MESSAGE_MOST, StreamReader};

use netclock::keyed::SEALED_MOST;

const HEAD: usize = 2;

/// Cuts one direction of a stream into messages, sealed or not.
pub(crate) enum MessageReader {
    Plain(Box<StreamReader>),
    /// The bytes of the message that has not come in whole.
    Sealed(Vec<u8>),
}

impl MessageReader {
    pub(crate) fn new(is_sealed: bool) -> Self {
        if is_sealed {
            MessageReader::Sealed(Vec::new())
        } else {
            MessageReader::Plain(Box::new(StreamReader::new()))
        }
    }

    /// Takes bytes as they were read; `take` gets each whole message. False if the stream is broken.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut take: impl FnMut(&[u8])) -> bool {
        match self {
            MessageReader::Plain(reader) => {
                let mut message = [0; MESSAGE_MOST];
                while !bytes.is_empty() {
                    let Ok(taken) = reader.push(bytes) else { return false };
                    bytes = &bytes[taken..];
                    loop {
                        match reader.next_message(&mut message) {
                            Ok(Some(size)) => take(&message[..size]),
                            Ok(None) => break,
                            Err(_) => return false,
                        }
                    }
                }
                true
            }
            MessageReader::Sealed(kept) => {
                kept.extend_from_slice(bytes);
                loop {
                    let Some((head, rest)) = kept.split_first_chunk::<HEAD>() else { return true };
                    let size = usize::from(u16::from_be_bytes(*head));
                    if size > SEALED_MOST {
                        return false;
                    }
                    let Some(message) = rest.get(..size) else { return true };
                    take(message);
                    kept.drain(..HEAD + size);
                }
            }
        }
    }
}

/// A sealed message as it goes into a stream.
pub(crate) fn framed(sealed: &[u8]) -> Vec<u8> {
    // A sealed message has at most SEALED_MOST bytes.
    let size = sealed.len() as u16;
    [&size.to_be_bytes()[..], sealed].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_messages_come_out_whole_however_they_are_cut() {
        let messages: [&[u8]; 3] = [&[1; 40], &[2; SEALED_MOST], &[3]];
        let stream: Vec<u8> = messages.iter().flat_map(|message| framed(message)).collect();
        for size in [1, 2, 3, 41, 1_000, stream.len()] {
            let (mut reader, mut found) = (MessageReader::new(true), Vec::new());
            for part in stream.chunks(size) {
                assert!(reader.push(part, |message| found.push(message.to_vec())));
            }
            assert_eq!(found, messages, "in parts of {size}");
        }
    }

    #[test]
    fn a_length_that_no_message_has_breaks_the_stream() {
        let mut reader = MessageReader::new(true);
        let length = (SEALED_MOST as u16 + 1).to_be_bytes();
        assert!(!reader.push(&length, |_| panic!("there is no message")));
    }
}
