//! Lets an attacker on the path, unknown senders, and a player with a key send arbitrary messages.

use arbitrary::{Result, Unstructured};
use netclock::keyed::{MESSAGE_MOST, SEALED_MOST};
use netclock::link::DATAGRAM;
use netclock::{Direction, LocalTime, Request, RequestId, wire};

use super::{CAPACITY, LIAR, LinkRun, PLAYERS, Sent, end, key};
use crate::input::instant;

impl LinkRun {
    pub(super) fn attack(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let bytes = if self.way.is_empty() || input.ratio(1, 4)? {
            self.invent(input)?
        } else {
            let Sent { bytes, at, .. } = input.choose(&self.way)?;
            // An attacker cannot see a datagram before it is sent.
            self.now = self.now.max(*at);
            let mut bytes = bytes.clone();
            match input.int_in_range(0..=3)? {
                0 => bytes.truncate(input.int_in_range(0..=DATAGRAM)?),
                1 => bytes.resize(input.int_in_range(0..=2 * DATAGRAM)?, input.arbitrary()?),
                2 => {
                    let at = input.choose_index(bytes.len())?;
                    bytes[at] ^= input.arbitrary::<u8>()?;
                }
                // The datagram itself is unchanged, but it may go to the wrong recipient.
                _ => {}
            }
            bytes
        };
        let to = input.int_in_range(0..=PLAYERS)?;
        if self.is_guessed(&bytes) {
            return Ok(());
        }
        if to == PLAYERS { self.serve(&bytes, input) } else { self.receive(to, &bytes, self.now, input) }
    }

    /// libFuzzer watches comparisons, so unlike a real attacker, it can guess authentication tags.
    pub(super) fn is_guessed(&self, bytes: &[u8]) -> bool {
        let known = self.authored.contains_key(bytes) || self.answers.contains_key(bytes);
        let is_sealed = |id: u32, back| end(key(id, id as u8 * 2), back).open(bytes).is_ok();
        let is_of = |id| is_sealed(id, Direction::ToServer) || is_sealed(id, Direction::ToClient);
        !known && (1..=CAPACITY + 2).any(is_of)
    }

    pub(super) fn invent(&mut self, input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        if input.arbitrary()? {
            let length = input.int_in_range(0..=SEALED_MOST + 8)?;
            let mut bytes = input.bytes(length.min(input.len()))?.to_vec();
            bytes.resize(length, 0x4E);
            return Ok(bytes);
        }
        let (id, message) = (input.int_in_range(0..=CAPACITY + 2)?, self.message(input)?);
        let direction = *input.choose(&[Direction::ToServer, Direction::ToClient])?;
        let mut out = [0; SEALED_MOST];
        // The top bit makes these secrets differ from those of the players.
        let sealed = end(key(id, 0x80 | input.arbitrary::<u8>()?), direction).seal(&message, &mut out);
        Ok(sealed.map_or(Vec::new(), <[u8]>::to_vec))
    }

    pub(super) fn flood(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        for number in 0..input.int_in_range(1..=64_i64)? {
            let client_time = LocalTime::from_ticks(self.now + number);
            let request = Request { id: RequestId(number as u64), client_time, reliable: false };
            let message = wire::encode_request(&request).map_or(vec![1], Vec::from);
            self.serve_liar(&message, input)?;
        }
        Ok(())
    }

    pub(super) fn serve_liar(&mut self, message: &[u8], input: &mut Unstructured<'_>) -> Result<()> {
        let mut out = [0; SEALED_MOST];
        let sealed = self.liar.seal(message, &mut out);
        let Ok(sealed) = sealed.map(<[u8]>::to_vec) else { return Ok(()) };
        self.authored.insert(sealed.clone(), (LIAR, false));
        self.post(Direction::ToServer, LIAR, &sealed, self.now);
        self.serve(&sealed, input)
    }

    pub(super) fn message(&mut self, input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let length = input.int_in_range(1..=MESSAGE_MOST)?;
        Ok(match input.int_in_range(0..=2)? {
            0 => vec![input.arbitrary()?; length],
            1 => {
                let client_time = LocalTime::from_ticks(instant(input, self.now)?);
                let request = Request { id: RequestId(input.arbitrary()?), client_time, reliable: false };
                wire::encode_request(&request).map_or(vec![1], Vec::from)
            }
            _ => input.bytes(32.min(input.len()))?.to_vec(),
        })
    }
}
