//! The messages of a handover: datagrams of 32 bytes with the head of [`wire`](crate::wire).
//!
//! | offset | size | statement | inquiry | question | answer |
//! |---|---|---|---|---|---|
//! | 3 | 1 | kind 9 | kind 10 | kind 11 | kind 12 |
//! | 4 | 4 | dispersion | zero | zero | error bound |
//! | 8 | 8 | the inquiry's id | id | id | the question's id |
//! | 16 | 8 | timescale | zero | zero | time, signed ticks |
//! | 24 | 8 | server epoch | zero | timescale | timescale |
//!
//! Dispersion and bound are unsigned ticks of 100 ns, at most 429 s. A client inquires and the server states; a new server
//! questions and its clients answer. An answer is as long as what it answers, and repeats an id that cannot be guessed.

use super::claim::Authority;
use crate::exchange::WireError;
use crate::exchange::wire::{self, Datagram, Fields};
use crate::time::{ServerTime, Span};

const STATEMENT: u8 = 9;
const INQUIRY: u8 = 10;
const QUESTION: u8 = 11;
const ANSWER: u8 = 12;

/// A client asks a server whose time it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// To be echoed in the statement.
    pub id: u64,
}

/// A server says whose time it shows, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The inquiry's id.
    pub id: u64,
    /// What is stated.
    pub authority: Authority,
}

/// A server that is about to take a timescale over asks a client for the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// To be echoed in the answer.
    pub id: u64,
    /// The timescale in question.
    pub timescale: u64,
}

/// A client says what time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The question's id.
    pub id: u64,
    /// The timescale in question.
    pub timescale: u64,
    /// The time on the timescale ...
    pub time: ServerTime,
    /// ... and how far it may be off, 0 to 429 s.
    pub error_bound: Span,
}

impl Inquiry {
    /// Writes an inquiry.
    pub fn encode(&self) -> Datagram {
        wire::assemble(&Fields { kind: INQUIRY, number: 0, id: self.id, stamp: 0, last: 0 })
    }

    /// Reads an inquiry.
    ///
    /// # Errors
    /// Says what is wrong with the datagram; nothing of it may be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, INQUIRY..=INQUIRY)?;
        if (fields.number, fields.stamp, fields.last) != (0, 0, 0) {
            return Err(WireError::Reserved);
        }
        Ok(Inquiry { id: fields.id })
    }
}

impl Statement {
    /// Writes a statement.
    ///
    /// # Errors
    /// [`WireError::Stamp`] if the dispersion is negative or above 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        let Authority { epoch, timescale, dispersion } = self.authority;
        let number = four_bytes(dispersion)?;
        Ok(wire::assemble(&Fields {
            kind: STATEMENT,
            number,
            id: self.id,
            stamp: timescale as i64,
            last: epoch,
        }))
    }

    /// Reads a statement.
    ///
    /// # Errors
    /// Says what is wrong with the datagram; nothing of it may be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, STATEMENT..=STATEMENT)?;
        let dispersion = Span::from_ticks(i64::from(fields.number));
        let authority = Authority { epoch: fields.last, timescale: fields.stamp as u64, dispersion };
        Ok(Statement { id: fields.id, authority })
    }
}

impl Question {
    /// Writes a question.
    pub fn encode(&self) -> Datagram {
        wire::assemble(&Fields { kind: QUESTION, number: 0, id: self.id, stamp: 0, last: self.timescale })
    }

    /// Reads a question.
    ///
    /// # Errors
    /// Says what is wrong with the datagram; nothing of it may be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, QUESTION..=QUESTION)?;
        if (fields.number, fields.stamp) != (0, 0) {
            return Err(WireError::Reserved);
        }
        Ok(Question { id: fields.id, timescale: fields.last })
    }
}

impl Answer {
    /// Writes an answer.
    ///
    /// # Errors
    /// [`WireError::Stamp`] if the time is outside the valid range, or the bound negative or above 429 s.
    pub fn encode(&self) -> Result<Datagram, WireError> {
        if !self.time.is_valid() {
            return Err(WireError::Stamp);
        }
        let (number, stamp) = (four_bytes(self.error_bound)?, self.time.ticks());
        Ok(wire::assemble(&Fields { kind: ANSWER, number, id: self.id, stamp, last: self.timescale }))
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// Says what is wrong with the datagram; nothing of it may be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let fields = wire::take_apart(bytes, ANSWER..=ANSWER)?;
        let time = ServerTime::from_ticks(fields.stamp);
        if !time.is_valid() {
            return Err(WireError::Stamp);
        }
        let error_bound = Span::from_ticks(i64::from(fields.number));
        Ok(Answer { id: fields.id, timescale: fields.last, time, error_bound })
    }
}

fn four_bytes(span: Span) -> Result<u32, WireError> {
    u32::try_from(span.ticks()).map_err(|_| WireError::Stamp)
}

#[cfg(test)]
mod tests {
    use super::super::MAX_DISPERSION;
    use super::*;

    const ID: u64 = 0x0123_4567_89AB_CDEF;

    fn statement() -> Statement {
        let authority =
            Authority { epoch: 5, timescale: u64::MAX - 1, dispersion: Span::from_ticks(0x0102_0304) };
        Statement { id: ID, authority }
    }

    fn answer() -> Answer {
        Answer { id: ID, timescale: 7, time: ServerTime::from_ticks(-2), error_bound: MAX_DISPERSION }
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        assert_eq!(
            statement().encode(),
            Ok([
                0x4E, 0x4B, 1, 9, 1, 2, 3, 4, // magic, version, kind, dispersion
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
                255, 255, 255, 255, 255, 255, 255, 254, // timescale
                0, 0, 0, 0, 0, 0, 0, 5, // epoch
            ])
        );
        assert_eq!(
            answer().encode(),
            Ok([
                0x4E, 0x4B, 1, 12, 255, 255, 255, 255, // magic, version, kind, bound
                0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, // id
                255, 255, 255, 255, 255, 255, 255, 254, // time
                0, 0, 0, 0, 0, 0, 0, 7, // timescale
            ])
        );
    }

    #[test]
    fn what_was_written_is_read_back_as_that_kind_alone() -> Result<(), WireError> {
        let (inquiry, question) = (Inquiry { id: ID }, Question { id: ID, timescale: 9 });
        let all = [statement().encode()?, inquiry.encode(), question.encode(), answer().encode()?];
        for (at, bytes) in all.iter().enumerate() {
            let kind = Err(WireError::Kind(bytes[3]));
            let read = Statement::decode(bytes);
            assert_eq!(read, if at == 0 { Ok(statement()) } else { kind.map(|()| statement()) });
            let read = Inquiry::decode(bytes);
            assert_eq!(read, if at == 1 { Ok(inquiry) } else { kind.map(|()| inquiry) });
            let read = Question::decode(bytes);
            assert_eq!(read, if at == 2 { Ok(question) } else { kind.map(|()| question) });
            let read = Answer::decode(bytes);
            assert_eq!(read, if at == 3 { Ok(answer()) } else { kind.map(|()| answer()) });
            assert_eq!(Statement::decode(&bytes[..31]), Err(WireError::Length(31)), "half a message");
        }
        Ok(())
    }

    #[test]
    fn what_is_reserved_or_out_of_range_is_refused() -> Result<(), WireError> {
        let with = |mut bytes: Datagram, at: usize| {
            bytes[at] = 0x7F;
            bytes
        };
        for at in [4, 7, 16, 23, 24, 31] {
            let inquiry = Inquiry::decode(&with(Inquiry { id: ID }.encode(), at));
            assert_eq!(inquiry, Err(WireError::Reserved), "{at}");
        }
        for at in [4, 7, 16, 23] {
            let question = Question::decode(&with(Question { id: ID, timescale: 9 }.encode(), at));
            assert_eq!(question, Err(WireError::Reserved), "{at}");
        }
        assert_eq!(Answer::decode(&with(answer().encode()?, 16)), Err(WireError::Stamp));
        for span in [Span::from_ticks(-1), MAX_DISPERSION + Span::from_ticks(1), Span::MAX] {
            assert_eq!(Answer { error_bound: span, ..answer() }.encode(), Err(WireError::Stamp));
            let authority = Authority { dispersion: span, ..statement().authority };
            assert_eq!(Statement { authority, ..statement() }.encode(), Err(WireError::Stamp));
        }
        let late = ServerTime::from_ticks(i64::MAX);
        assert_eq!(Answer { time: late, ..answer() }.encode(), Err(WireError::Stamp));
        Ok(())
    }
}
