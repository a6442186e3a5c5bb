//! What a link needs from the client that it feeds.

use crate::clock::client::Client;
use crate::clock::client::events::Event;
use crate::clock::client::linked::Linked;
use crate::clock::client::schedule::Pace;
use crate::clock::exchange::{Exchange, Path, Refusal};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span, TimeError};

impl Client {
    /// Allocates the memory for exchanges on a link that asks once per `steady`. While the link is good,
    /// messages ask once per `messages`. From then on calls may come from two threads. Returns the number of
    /// this link; an earlier link of this client has ended.
    pub(crate) fn open_link(&mut self, steady: Span, messages: Span) -> Result<u32, OutOfMemory> {
        let parts = &mut self.conductor;
        parts.known.estimators.open_link()?;
        let count = parts.linked.count.wrapping_add(1);
        parts.linked = Linked::new(steady, messages);
        parts.linked.count = count;
        parts.local.share();
        parts.link_told = None;
        Ok(count)
    }

    /// The number of the newest link.
    pub(crate) fn link_count(&self) -> u32 {
        self.conductor.linked.count
    }

    /// Like [`handle_exchange`](Self::handle_exchange), for an exchange on the link.
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

    /// How often the link has to ask. Only its own knowledge counts: messages may be worse than they seem.
    pub(crate) fn link_pace(&self, now: LocalTime) -> Pace {
        let parts = &self.conductor;
        let by_link = parts.known.sigmas_by_link(now);
        let answered = parts.shown.is_synced() && !parts.known.quality.is_holdover && by_link.is_some();
        let (sigma_rate, sigma) = by_link.unwrap_or((f64::INFINITY, f64::INFINITY));
        let round_trip = parts.known.round_trip();
        Pace { answered, round_trip, sigma_rate, second: None, above_target: sigma > parts.target_error }
    }

    /// A request is sent on the link at `now`.
    pub(crate) fn asked_by_link(&mut self, now: LocalTime) {
        let known = &mut self.conductor.known;
        let round_trip = known.round_trip();
        known.quality.asked(now, round_trip);
    }

    /// Whether the link is the only path on which anything may arrive.
    pub(crate) fn link_is_alone(&self, now: LocalTime) -> bool {
        self.conductor.linked.is_alone(now)
    }

    /// Number of bursts so far, and how many of them closed all requests: the link joins them.
    pub(crate) fn bursts(&self) -> [u32; 2] {
        self.conductor.asking.bursts
    }

    /// Draws a seed for another part that asks.
    pub(crate) fn draw_seed(&mut self) -> u128 {
        self.conductor.asking.draw_seed()
    }

    /// Reports what became of the link, unless it was the last report.
    pub(crate) fn tell_of_link(&mut self, event: Event) {
        if self.conductor.link_told.replace(event) != Some(event) {
            self.conductor.events.push(event);
        }
    }

    /// The link has ended: the game's messages ask at once.
    pub(crate) fn lose_link(&mut self) {
        if self.conductor.linked.lose() {
            self.conductor.asking.burst();
        }
    }
}
