//! Answers to connections without a slot: a few at a time, in order.

use super::message::Message;
use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::memory;

/// Answers that may wait to be sent. A stranger whose answer finds no room gets none.
const MOST: usize = 16;

/// First in, first out.
#[derive(Debug)]
pub(super) struct Strangers {
    answers: Box<[Option<(u64, Message)>]>,
    first: usize,
    count: usize,
}

impl Strangers {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        Ok(Strangers { answers: memory::filled(None, MOST)?, first: 0, count: 0 })
    }

    pub(super) fn push(&mut self, connection: u64, answer: Message) {
        if self.count < MOST {
            self.answers[(self.first + self.count) % MOST] = Some((connection, answer));
            self.count += 1;
        }
    }

    pub(super) fn pop(&mut self) -> Option<(u64, Message)> {
        let answer = self.answers[self.first].take()?;
        self.first = (self.first + 1) % MOST;
        self.count -= 1;
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::peer::message::Body;

    #[test]
    fn first_in_first_out_and_no_more_than_there_is_room_for() {
        let mut strangers = Strangers::new().expect("there is memory");
        let answer = |proof| Message { generation: 0, proof, body: Body::GameEnd };
        for round in 0..5 {
            for number in 0..MOST as u64 + 3 {
                strangers.push(number, answer(round));
            }
            for number in 0..MOST as u64 {
                assert_eq!(strangers.pop(), Some((number, answer(round))));
            }
            assert_eq!(strangers.pop(), None);
            strangers.push(1, answer(round));
            assert_eq!(strangers.pop(), Some((1, answer(round))));
        }
    }
}
