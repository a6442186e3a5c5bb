//! What a link asks of the conductor, and tells it.

use super::Conductor;
use crate::clock::client::events::Event;
use crate::clock::client::linked::Linked;
use crate::clock::client::schedule::Pace;
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span};

impl Conductor {
    /// Exchanges come by the link, too, from now on: one in `steady`. While it is good, messages ask once in
    /// `messages`.
    pub(in crate::clock::client) fn open_link(
        &mut self,
        steady: Span,
        messages: Span,
    ) -> Result<(), OutOfMemory> {
        self.known.open_link()?;
        self.linked = Linked::new(steady, messages);
        self.local.share();
        self.link_told = None;
        Ok(())
    }

    /// How often the link has to ask. Only what it knows itself counts: messages may be worse than they seem.
    pub(in crate::clock::client) fn link_pace(&self, now: LocalTime) -> Pace {
        let by_link = self.known.sigmas_by_link(now);
        let answered = self.shown.is_synced() && !self.known.is_holdover() && by_link.is_some();
        let (sigma_rate, sigma) = by_link.unwrap_or((f64::INFINITY, f64::INFINITY));
        Pace { answered, sigma_rate, second: None, above_target: sigma > self.target_error }
    }

    /// Whether the link is the only path by which anything may come.
    pub(in crate::clock::client) fn link_is_alone(&self, now: LocalTime) -> bool {
        self.linked.is_alone(now)
    }

    /// How many bursts began so far: the link joins them.
    pub(in crate::clock::client) fn bursts(&self) -> u32 {
        self.asking.bursts()
    }

    /// Two random numbers that nobody can guess.
    pub(in crate::clock::client) fn draw_seed(&mut self) -> u128 {
        self.asking.draw_seed()
    }

    /// Tells what became of the link, unless that was told last.
    pub(in crate::clock::client) fn tell_of_link(&mut self, event: Event) {
        if self.link_told.replace(event) != Some(event) {
            self.events.push(event);
        }
    }

    /// Nothing comes by the link any more: the game's messages ask at once.
    pub(in crate::clock::client) fn lose_link(&mut self) {
        if self.linked.lose() {
            self.asking.burst();
        }
    }
}
