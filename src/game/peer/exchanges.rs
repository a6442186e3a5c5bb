//! The exchanges of a peer: its own requests, and requests of others that it has to answer.

use std::collections::VecDeque;

use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Request};

/// Requests that may still be answered, as many as the client remembers.
const OUTSTANDING: usize = 32;
/// Unanswered requests of other peers. A peer whose request found no room sends another one.
const UNANSWERED: usize = 64;

/// A request that waits for this primary's answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) slot: u16,
    pub(super) id: u64,
    /// The relay's hold (ticks).
    pub(super) held: u32,
    pub(super) received: LocalTime,
}

#[derive(Debug)]
pub(super) struct Exchanges {
    pub(super) request: Option<Request>,
    /// Ids of unanswered requests, oldest first.
    sent: VecDeque<u64>,
    /// Oldest first.
    unanswered: VecDeque<Asked>,
}

impl Exchanges {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        let (sent, unanswered) = (memory::list(OUTSTANDING)?.into(), memory::list(UNANSWERED)?.into());
        Ok(Exchanges { request: None, sent, unanswered })
    }

    /// Drops all exchanges, because they were with another primary.
    pub(super) fn forget(&mut self) {
        self.request = None;
        self.sent.clear();
        self.unanswered.clear();
    }

    /// Returns the request to send, and remembers it.
    pub(super) fn send(&mut self) -> Option<Request> {
        let request = self.request.take()?;
        push(&mut self.sent, request.id.0, OUTSTANDING);
        Some(request)
    }

    /// Whether a request of this peer is unanswered.
    pub(super) fn is_open(&self, id: u64) -> bool {
        self.sent.contains(&id)
    }

    /// Closes a request after a good reply. Further replies to it are refused.
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

/// Adds an entry, replacing the oldest of `most` if necessary, so the memory never grows.
fn push<T>(queue: &mut VecDeque<T>, newest: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    debug_assert!(queue.len() < queue.capacity(), "the memory was taken at creation");
    queue.push_back(newest);
}
