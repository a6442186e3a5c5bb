//! A peer's exchanges: its own requests, and the requests from other peers that it has to answer.

use std::collections::VecDeque;

use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Request};

/// Maximum number of the peer's own open requests.
const OUTSTANDING: usize = 32;
/// Maximum number of unanswered requests from other peers. A peer whose request was dropped sends another
/// one.
const UNANSWERED: usize = 64;

/// A request from another peer to this primary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) slot: u16,
    pub(super) id: u64,
    /// How long the relay held the request (ticks).
    pub(super) held: u32,
    pub(super) received: LocalTime,
}

#[derive(Debug)]
pub(super) struct Exchanges {
    pub(super) request: Option<Request>,
    /// Ids of unanswered requests, oldest first.
    sent: VecDeque<u64>,
    /// Requests from other peers, oldest first.
    unanswered: VecDeque<Asked>,
}

impl Exchanges {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        let (sent, unanswered) = (memory::list(OUTSTANDING)?.into(), memory::list(UNANSWERED)?.into());
        Ok(Exchanges { request: None, sent, unanswered })
    }

    /// Discards all exchanges when the primary changes.
    pub(super) fn forget(&mut self) {
        self.request = None;
        self.sent.clear();
        self.unanswered.clear();
    }

    /// Returns the request to send, and stores its id.
    pub(super) fn send(&mut self) -> Option<Request> {
        let request = self.request.take()?;
        push(&mut self.sent, request.id.0, OUTSTANDING);
        Some(request)
    }

    /// Returns whether this peer's request with this id is still open.
    pub(super) fn is_open(&self, id: u64) -> bool {
        self.sent.contains(&id)
    }

    /// Closes a request after a valid reply. Further replies to it are rejected.
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

/// Adds an entry, and removes the oldest if there are already `most`, so that the queue never reallocates.
fn push<T>(queue: &mut VecDeque<T>, newest: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    debug_assert!(queue.len() < queue.capacity(), "the memory was taken at creation");
    queue.push_back(newest);
}
