//! The exchanges of a peer: requests that it sent, and requests of others that it has to answer.

use super::message::{Answer, Body, SynchReply};
use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::memory;
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

impl Asked {
    /// The reply.
    pub(super) fn reply(&self, answer: Answer) -> Body {
        let (slot, id, held_there) = (self.slot, self.id, self.held);
        Body::SynchReply(SynchReply { slot, id, held_there, held_back: 0, answer })
    }
}

/// A value for each of the newest requests: the newest takes the place of the oldest.
#[derive(Debug)]
struct Ring<T> {
    places: Box<[Option<T>]>,
    next: usize,
    /// Places that are in use, or were.
    used: usize,
}

impl<T: Copy> Ring<T> {
    fn new(count: usize) -> Result<Self, OutOfMemory> {
        Ok(Ring { places: memory::filled(None, count)?, next: 0, used: 0 })
    }

    fn push(&mut self, value: T) {
        self.places[self.next] = Some(value);
        self.used = self.used.max(self.next + 1);
        self.next = (self.next + 1) % self.places.len();
    }

    /// The first place that holds such a value.
    fn find(&mut self, is_it: impl Fn(&T) -> bool) -> Option<&mut Option<T>> {
        self.places[..self.used].iter_mut().find(|place| place.as_ref().is_some_and(&is_it))
    }

    fn clear(&mut self) {
        self.places.fill(None);
        self.used = 0;
    }
}

#[derive(Debug)]
pub(super) struct Exchanges {
    /// The request to be sent next.
    pub(super) request: Option<Request>,
    sent: Ring<u64>,
    unanswered: Ring<Asked>,
}

impl Exchanges {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        Ok(Exchanges { request: None, sent: Ring::new(OUTSTANDING)?, unanswered: Ring::new(UNANSWERED)? })
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
        self.sent.push(request.id.0);
        Some(request)
    }

    /// The place of a request of this peer that was sent and not answered. Clear it when the reply was good.
    pub(super) fn sent(&mut self, id: u64) -> Option<&mut Option<u64>> {
        self.sent.find(|sent| *sent == id)
    }

    /// Remembers a request to be answered.
    pub(super) fn ask(&mut self, asked: Asked) {
        self.unanswered.push(asked);
    }

    /// Takes the next request to be answered.
    pub(super) fn next_asked(&mut self) -> Option<Asked> {
        self.unanswered.find(|_| true)?.take()
    }
}
