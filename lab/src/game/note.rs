//! The small datagrams that the library does not define.

/// Length of a note, in bytes.
pub(crate) const SIZE: usize = 32;

const MAGIC: [u8; 2] = *b"NL";
const VERSION: u8 = 1;

/// The name of a segment: the server's epoch, the world, and the version. All zero: no segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) epoch: u64,
    pub(crate) instance: u32,
    pub(crate) version: u32,
}

impl From<&netclock::timeline::Segment> for Name {
    fn from(segment: &netclock::timeline::Segment) -> Self {
        Name { epoch: segment.server_epoch, instance: segment.instance, version: segment.version }
    }
}

/// What a note says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A client sends its token, and the newest segment that it knows.
    Ask { token: u64, known: Name },
    /// The server sends the token that it wants to see from this address.
    Token(u64),
    /// The server confirms: at its instant `through` (ticks) this segment was the newest.
    Confirm { newest: Name, through: i64 },
}

impl Note {
    /// Network byte order: magic `N` `L`, version 1, kind (1 byte each); instance, version, zero (4 each);
    /// epoch; token or instant (8 each).
    pub(crate) fn encode(&self) -> [u8; SIZE] {
        let (kind, name, word) = match *self {
            Note::Ask { token, known } => (1, known, token),
            Note::Token(token) => (2, Name::default(), token),
            Note::Confirm { newest, through } => (3, newest, through as u64),
        };
        let mut bytes = [0; SIZE];
        bytes[..2].copy_from_slice(&MAGIC);
        (bytes[2], bytes[3]) = (VERSION, kind);
        bytes[4..8].copy_from_slice(&name.instance.to_be_bytes());
        bytes[8..12].copy_from_slice(&name.version.to_be_bytes());
        bytes[16..24].copy_from_slice(&name.epoch.to_be_bytes());
        bytes[24..].copy_from_slice(&word.to_be_bytes());
        bytes
    }

    /// None if `bytes` are no note.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Note> {
        let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
        if bytes[..2] != MAGIC || bytes[2] != VERSION || bytes[12..16] != [0; 4] {
            return None;
        }
        let short = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(short(at)) << 32 | u64::from(short(at + 4));
        let name = Name { epoch: long(16), instance: short(4), version: short(8) };
        match bytes[3] {
            1 => Some(Note::Ask { token: long(24), known: name }),
            2 => Some(Note::Token(long(24))),
            3 => Some(Note::Confirm { newest: name, through: long(24) as i64 }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let name = Name { epoch: 0x0102_0304_0506_0708, instance: 9, version: u32::MAX };
        let notes = [
            Note::Ask { token: u64::MAX - 1, known: name },
            Note::Token(7),
            Note::Confirm { newest: name, through: -2 },
        ];
        for note in notes {
            assert_eq!(Note::decode(&note.encode()), Some(note));
        }
    }

    #[test]
    fn other_datagrams_are_no_notes() {
        let good = Note::Token(7).encode();
        for (at, value) in [(0, 0), (1, b'K'), (2, 2), (3, 0), (3, 4), (15, 1)] {
            let mut bytes = good;
            bytes[at] = value;
            assert_eq!(Note::decode(&bytes), None, "{at}");
        }
        assert_eq!(Note::decode(&good[1..]), None);
        assert_eq!(Note::decode(&[good.as_slice(), &[0]].concat()), None);
        // Nor are the library's own.
        assert!(netclock::wire::decode_request(&good).is_err());
        assert!(netclock::wire::decode_reply(&good).is_err());
    }
}
