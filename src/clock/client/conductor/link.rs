use super::Conductor;
use crate::clock::client::events::Event;
use crate::clock::client::linked::Linked;
use crate::clock::client::schedule::Pace;
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span};

impl Conductor {
    /// Allocates a link that sends one request every `steady`, and replaces any earlier link. While the link
    /// is good, the game's messages carry one request every `messages`. After this call, two threads may use
    /// the client. Returns the link's number, which increases by one with each new link.
    pub(crate) fn open_link(&mut self, steady: Span, messages: Span) -> Result<u32, OutOfMemory> {
        self.known.estimators.open_link()?;
        let count = self.linked.count.wrapping_add(1);
        self.linked = Linked::new(steady, messages);
        self.linked.count = count;
        self.local.share();
        self.link_told = None;
        Ok(count)
    }

    /// We use the link's own estimate here, because the messages' estimate may be worse than its standard
    /// deviation suggests.
    pub(crate) fn link_pace(&self, now: LocalTime) -> Pace {
        let by_link = self.known.sigmas_by_link(now);
        let answered = self.shown.is_synced() && !self.known.quality.is_holdover && by_link.is_some();
        let (sigma_rate, sigma) = by_link.unwrap_or((f64::INFINITY, f64::INFINITY));
        let round_trip = self.known.round_trip();
        Pace { answered, round_trip, sigma_rate, second: None, above_target: sigma > self.target_error }
    }

    pub(crate) fn asked_by_link(&mut self, now: LocalTime) {
        let known = &mut self.known;
        let round_trip = known.round_trip();
        known.quality.asked(now, round_trip);
    }

    pub(crate) fn tell_of_link(&mut self, event: Event) {
        if self.link_told.replace(event) != Some(event) {
            self.events.push(event);
        }
    }

    pub(crate) fn lose_link(&mut self) {
        if self.linked.lose() {
            self.asking.burst();
        }
    }
}
