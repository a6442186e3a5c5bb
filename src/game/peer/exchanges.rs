//! The exchanges of a peer: requests that it sent, and requests of others that it has to answer.

use std::collections::VecDeque;

use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Request};

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

#[derive(Debug)]
pub(super) struct Exchanges {
    pub(super) request: Option<Request>,
    /// Ids of requests that were sent and not answered, the oldest first.
    sent: VecDeque<u64>,
    /// The oldest first.
    unanswered: VecDeque<Asked>,
}

impl Exchanges {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        let (sent, unanswered) = (memory::list(OUTSTANDING)?.into(), memory::list(UNANSWERED)?.into());
        Ok(Exchanges { request: None, sent, unanswered })
    }

    /// Forgets all exchanges: they were with another primary.
    pub(super) fn forget(&mut self) {
        self.request = None;
        self.sent.clear();
        self.unanswered.clear();
    }

    /// Takes the request that is to be sent, and remembers it.
    pub(super) fn send(&mut self) -> Option<Request> {
        let request = self.request.take()?;
        push(&mut self.sent, request.id.0, OUTSTANDING);
        Some(request)
    }

    /// Whether a request of this peer was sent and not answered.
    pub(super) fn is_open(&self, id: u64) -> bool {
        self.sent.contains(&id)
    }

    /// The reply to this request was good. Another one to it is refused.
    pub(super) fn close(&mut self, id: u64) {
        self.sent.retain(|sent| *sent != id);
    }

    pub(super) fn ask(&mut self, asked: Asked) {
        push(&mut self.unanswered, asked, UNANSWERED);
    }

    pub(super) fn next_asked(&mut self) -> Option<Asked> {
        self.unanswered.pop_front()
    }
}

/// Adds the newest of at most `most`, in the place of the oldest if need be. So the memory never grows.
fn push<T>(queue: &mut VecDeque<T>, newest: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    debug_assert!(queue.len() < queue.capacity(), "the memory was taken at creation");
    queue.push_back(newest);
}
