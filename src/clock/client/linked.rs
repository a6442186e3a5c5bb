//! Whether exchanges arrive on the link, so that the game's messages may be few, and on messages, so that the
//! link may rest.

use crate::clock::exchange::Path;
use crate::clock::ground::time::{LocalTime, Span};

/// The link counts as good for this many of its steady intervals after its last exchange. Its requests are at
/// most 4/3 of an interval apart.
const FRESH: i64 = 3;

/// After this time without an exchange by messages, the link is the only path.
#[cfg(feature = "link")]
const ALONE: Span = Span::from_secs(15);

/// The times of the last exchanges by link and by messages.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    fresh: Span,
    /// Interval of the game's messages while the link is good.
    messages: Span,
    /// The number of this client's link.
    #[cfg_attr(not(feature = "link"), expect(dead_code, reason = "the link's"))]
    pub(super) count: u32,
    heard: Option<LocalTime>,
    messages_heard: Option<LocalTime>,
}

impl Linked {
    /// A link that asks once per `steady`, so that messages have to ask only once per `messages`. It has had
    /// no exchange yet.
    pub(super) fn new(steady: Span, messages: Span) -> Self {
        Linked {
            fresh: Span::from_ticks(FRESH * steady.ticks()),
            messages,
            count: 0,
            heard: None,
            messages_heard: None,
        }
    }

    /// An exchange by `path` was used at `now`.
    pub(super) fn hear(&mut self, path: Path, now: LocalTime) {
        match path {
            Path::Link => self.heard = Some(now),
            Path::Messages => self.messages_heard = Some(now),
        }
    }

    /// No exchange will arrive on the link. True if there were some before.
    #[cfg(feature = "link")]
    pub(super) fn lose(&mut self) -> bool {
        self.heard.take().is_some()
    }

    /// Whether no exchange arrives by messages.
    #[cfg(feature = "link")]
    pub(super) fn is_alone(&self, now: LocalTime) -> bool {
        self.messages_heard.is_none_or(|heard| (now - heard).abs() >= ALONE)
    }

    /// The interval of messages while the link is good.
    pub(super) fn messages(&self, now: LocalTime) -> Option<Span> {
        self.heard.is_some_and(|heard| (now - heard).abs() < self.fresh).then_some(self.messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_good_while_it_is_heard() {
        let at = |seconds: i64| LocalTime::from_ticks(seconds * 10_000_000);
        let mut linked = Linked::new(Span::from_secs(4), Span::from_secs(8));
        assert!(linked.messages(at(0)).is_none());
        assert!(!linked.lose());
        linked.hear(Path::Link, at(5));
        assert!(linked.messages(at(16)).is_some());
        assert!(linked.messages(at(17)).is_none());
        assert!(linked.lose() && linked.messages(at(5)).is_none() && !linked.lose());
    }

    #[test]
    fn it_is_alone_until_messages_are_heard() {
        let at = |seconds: i64| LocalTime::from_ticks(seconds * 10_000_000);
        let mut linked = Linked::new(Span::from_secs(4), Span::from_secs(8));
        linked.hear(Path::Link, at(1));
        assert!(linked.is_alone(at(2)));
        linked.hear(Path::Messages, at(3));
        assert!(!linked.is_alone(at(17)) && linked.is_alone(at(18)));
    }
}
