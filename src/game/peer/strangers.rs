//! Queues a few answers to connections without a slot. If there are too many LOGINs, each is equally likely
//! to be answered, so a flood does not lock out all other peers.

use super::message::Message;
use crate::clock::for_parts::{OutOfMemory, Unguessable, memory};

const MOST: usize = 16;

/// A random sample of the answers that were offered since the queue was last empty.
#[derive(Debug)]
pub(super) struct Strangers {
    answers: Vec<(u64, Message)>,
    offered: u64,
    random: Unguessable,
}

impl Strangers {
    pub(super) fn new(seed: u128) -> Result<Self, OutOfMemory> {
        Ok(Strangers { answers: memory::list(MOST)?, offered: 0, random: Unguessable::new(seed) })
    }

    pub(super) fn push(&mut self, connection: u64, answer: Message) {
        self.offered += 1;
        debug_assert!(self.offered > self.answers.len() as u64, "each answer that waits was offered");
        if self.answers.len() < MOST {
            return self.answers.push((connection, answer));
        }
        // Reservoir sampling keeps the nth answer with probability MOST / n.
        let place = (self.random.next() % self.offered) as usize;
        if let Some(waiting) = self.answers.get_mut(place) {
            *waiting = (connection, answer);
        }
    }

    pub(super) fn pop(&mut self) -> Option<(u64, Message)> {
        let answer = self.answers.pop();
        if self.answers.is_empty() {
            self.offered = 0;
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::peer::message::Body;

    #[test]
    fn answers_are_a_uniform_sample_of_bounded_size() {
        const ROUNDS: u32 = 4_000;
        for crowd in [MOST - 3, MOST, 3 * MOST] {
            let mut strangers = Strangers::new(1 | 2 << 64).expect("there is memory");
            let mut answered = vec![0_u32; crowd];
            for round in 0..ROUNDS {
                let body = Body::Challenge { cookie: 1 };
                let answer = Message { generation: 0, slot: 0, proof: u64::from(round), body };
                (0..crowd as u64).for_each(|number| strangers.push(number, answer));
                let sent: Vec<_> = core::iter::from_fn(|| strangers.pop()).collect();
                assert_eq!(sent.len(), crowd.min(MOST));
                for (number, got) in sent {
                    assert_eq!(got, answer);
                    answered[number as usize] += 1;
                }
            }
            let expected = ROUNDS as usize * crowd.min(MOST) / crowd;
            let fair = expected as u32 * 9 / 10..=expected as u32 * 11 / 10;
            assert!(answered.iter().all(|times| fair.contains(times)), "{answered:?}");
        }
    }
}
