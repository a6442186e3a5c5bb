//! Tracks the paths in use. While the link works, the game's messages carry fewer requests. While messages
//! are answered, the link can send fewer requests.

use crate::clock::exchange::Path;
use crate::clock::ground::time::{LocalTime, Span};

/// After an exchange, the link counts as good for this many steady intervals. Requests may be 4/3 of an
/// interval apart.
const FRESH: i64 = 3;

/// The link counts as the only path if messages have carried no exchange for this long.
#[cfg(feature = "link")]
const ALONE: Span = Span::from_secs(15);

#[derive(Clone, Debug)]
pub(crate) struct Linked {
    fresh: Span,
    messages: Span,
    #[cfg_attr(not(feature = "link"), expect(dead_code, reason = "only the link reads it"))]
    pub(crate) count: u32,
    heard: Option<LocalTime>,
    messages_heard: Option<LocalTime>,
}

impl Linked {
    /// The link sends one request every `steady`. While the link is good, messages carry one request every
    /// `messages`.
    pub(super) fn new(steady: Span, messages: Span) -> Self {
        Linked {
            fresh: Span::from_ticks(FRESH * steady.ticks()),
            messages,
            count: 0,
            heard: None,
            messages_heard: None,
        }
    }

    pub(super) fn note_exchange(&mut self, path: Path, now: LocalTime) {
        match path {
            Path::Link => self.heard = Some(now),
            Path::Messages => self.messages_heard = Some(now),
        }
    }

    #[cfg(feature = "link")]
    pub(super) fn lose(&mut self) -> bool {
        self.heard.take().is_some()
    }

    #[cfg(feature = "link")]
    pub(crate) fn is_alone(&self, now: LocalTime) -> bool {
        self.messages_heard.is_none_or(|heard| (now - heard).abs() >= ALONE)
    }

    pub(super) fn messages(&self, now: LocalTime) -> Option<Span> {
        self.heard.is_some_and(|heard| (now - heard).abs() < self.fresh).then_some(self.messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_is_good_while_exchanges_arrive() {
        let at = |seconds: i64| LocalTime::from_ticks(seconds * 10_000_000);
        let mut linked = Linked::new(Span::from_secs(4), Span::from_secs(8));
        assert!(linked.messages(at(0)).is_none());
        assert!(!linked.lose());
        linked.note_exchange(Path::Link, at(5));
        assert!(linked.messages(at(16)).is_some());
        assert!(linked.messages(at(17)).is_none());
        assert!(linked.lose() && linked.messages(at(5)).is_none() && !linked.lose());
    }

    #[test]
    fn the_link_is_alone_until_messages_arrive() {
        let at = |seconds: i64| LocalTime::from_ticks(seconds * 10_000_000);
        let mut linked = Linked::new(Span::from_secs(4), Span::from_secs(8));
        linked.note_exchange(Path::Link, at(1));
        assert!(linked.is_alone(at(2)));
        linked.note_exchange(Path::Messages, at(3));
        assert!(!linked.is_alone(at(17)) && linked.is_alone(at(18)));
    }
}
