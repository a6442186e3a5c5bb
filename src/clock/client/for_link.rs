//! What a link needs of the client that it feeds.

use super::Client;
use super::schedule::Pace;
use crate::clock::client::Event;
use crate::clock::exchange::{Exchange, Path, Refusal};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span, TimeError};

impl Client {
    /// Takes the memory for exchanges that come by a link, which asks once in `steady`. While it is good,
    /// messages ask once in `messages`. Calls may come from two threads from now on.
    pub(crate) fn open_link(&mut self, steady: Span, messages: Span) -> Result<(), OutOfMemory> {
        self.conductor.open_link(steady, messages)
    }

    /// As [`handle_exchange`](Self::handle_exchange), for an exchange that came by the link.
    pub(crate) fn handle_exchange_by_link(
        &mut self,
        exchange: &Exchange,
        server_epoch: Option<u64>,
    ) -> Result<(), Refusal> {
        let sample = self.conductor.handle_exchange(exchange, Path::Link, server_epoch);
        self.keep(sample)
    }

    /// Does what is due at `now`, without a request.
    pub(crate) fn attend(&mut self, now: LocalTime) -> Result<(), TimeError> {
        self.conductor.attend(now)
    }

    /// How soon the link has to ask.
    pub(crate) fn link_pace(&self, now: LocalTime) -> Pace {
        self.conductor.link_pace(now)
    }

    /// Whether nothing comes by the game's messages.
    pub(crate) fn link_is_alone(&self, now: LocalTime) -> bool {
        self.conductor.link_is_alone(now)
    }

    /// Tells what became of the link, unless that was told last.
    pub(crate) fn tell_of_link(&mut self, event: Event) {
        self.conductor.tell_of_link(event);
    }

    /// How many bursts began so far.
    pub(crate) fn bursts(&self) -> u32 {
        self.conductor.bursts()
    }

    /// A number that nobody can guess.
    pub(crate) fn draw_seed(&mut self) -> u128 {
        self.conductor.draw_seed()
    }

    /// Nothing comes by the link any more: the game's messages ask at once.
    pub(crate) fn lose_link(&mut self) {
        self.conductor.lose_link();
    }
}
