//! Whether exchanges come by the link, so that the game's messages may be few.

use super::config::Config;
use crate::time::{LocalTime, Span};

/// The link counts as good for this many steady intervals after its last exchange. Its own are at most 4/3 of one apart.
const FRESH: i64 = 3;

/// When the link was last heard of.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    fresh: Span,
    heard: Option<LocalTime>,
}

impl Linked {
    pub(super) fn new(config: &Config) -> Self {
        Linked { fresh: Span::from_ticks(FRESH * config.steady_interval.ticks()), heard: None }
    }

    /// An exchange by the link was used at `now`.
    pub(super) fn heard(&mut self, now: LocalTime) {
        self.heard = Some(now);
    }

    /// Nothing comes any more. True if something did before.
    pub(super) fn lose(&mut self) -> bool {
        self.heard.take().is_some()
    }

    pub(super) fn is_good(&self, now: LocalTime) -> bool {
        self.heard.is_some_and(|heard| (now - heard).abs() < self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_good_while_it_is_heard() {
        let at = |seconds: i64| LocalTime::from_ticks(seconds * 10_000_000);
        let mut linked = Linked::new(&Config::default());
        assert!(!linked.is_good(at(0)) && !linked.lose());
        linked.heard(at(5));
        assert!(linked.is_good(at(16)) && !linked.is_good(at(17)));
        assert!(linked.lose() && !linked.is_good(at(5)) && !linked.lose());
    }
}
