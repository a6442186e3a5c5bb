//! The exchanges of a peer: requests that it sent, and requests of others that it has to answer.

use super::message::{Answer, Body, Message, SynchReply};
use crate::exchange::Request;
use crate::time::LocalTime;

/// Requests whose reply may still come: as many as the client remembers.
const OUTSTANDING: usize = 32;
/// Requests of others that wait for their answer. A peer whose request found no room asks again.
const UNANSWERED: usize = 64;

/// A request that waits for this primary's answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) slot: u16,
    pub(super) id: u64,
    /// How long the relay held it (ticks).
    pub(super) held: u32,
    pub(super) received: LocalTime,
}

impl Asked {
    /// The reply, in the generation of the primary that sends it.
    pub(super) fn reply(&self, generation: u32, answer: Answer) -> Message {
        let reply = SynchReply { slot: self.slot, held_there: self.held, held_back: 0, answer };
        Message { generation, proof: self.id, body: Body::SynchReply(reply) }
    }
}

/// Two rings: the newest request takes the place of the oldest.
#[derive(Debug)]
pub(super) struct Exchanges {
    /// The request to be sent next.
    pub(super) request: Option<Request>,
    sent: [Option<u64>; OUTSTANDING],
    next_sent: usize,
    unanswered: [Option<Asked>; UNANSWERED],
    next_unanswered: usize,
}

impl Exchanges {
    pub(super) fn new() -> Self {
        Exchanges {
            request: None,
            sent: [None; OUTSTANDING],
            next_sent: 0,
            unanswered: [None; UNANSWERED],
            next_unanswered: 0,
        }
    }

    /// Forgets all exchanges: they were with another primary.
    pub(super) fn forget(&mut self) {
        self.request = None;
        (self.sent, self.unanswered) = ([None; OUTSTANDING], [None; UNANSWERED]);
    }

    /// Takes the request that is to be sent, and remembers it.
    pub(super) fn send(&mut self) -> Option<Request> {
        let request = self.request.take()?;
        self.sent[self.next_sent] = Some(request.id.0);
        self.next_sent = (self.next_sent + 1) % OUTSTANDING;
        Some(request)
    }

    /// The place of a request of this peer that was sent and not answered. Clear it when the reply was good.
    pub(super) fn sent(&mut self, id: u64) -> Option<&mut Option<u64>> {
        self.sent.iter_mut().find(|sent| **sent == Some(id))
    }

    /// Remembers a request to be answered.
    pub(super) fn ask(&mut self, asked: Asked) {
        self.unanswered[self.next_unanswered] = Some(asked);
        self.next_unanswered = (self.next_unanswered + 1) % UNANSWERED;
    }

    /// Takes the next request to be answered.
    pub(super) fn next_asked(&mut self) -> Option<Asked> {
        // Not `find_map(Option::take)`, which is unrolled to tens of kilobytes.
        let next = self.unanswered.iter().position(Option::is_some)?;
        self.unanswered[next].take()
    }
}
