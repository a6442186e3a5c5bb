//! Tracks the shortest round trip of the path, and whether the first exchanges agree.

use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span};

const HALF: u32 = 16;

/// The shortest round trip of the last 16 to 32 exchanges. Two half windows allow the minimum to increase
/// after a change to a longer route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecentMinimum {
    previous: Span,
    current: Span,
    count: u32,
}

impl RecentMinimum {
    pub(crate) fn new() -> Self {
        RecentMinimum { previous: Span::MAX, current: Span::MAX, count: 0 }
    }

    pub(crate) fn add(&mut self, round_trip: Span) {
        if self.count == HALF {
            *self = RecentMinimum { previous: self.current, ..Self::new() };
        }
        self.current = self.current.min(round_trip);
        self.count += 1;
    }

    pub(crate) fn get(&self) -> Span {
        self.previous.min(self.current)
    }
}

/// Checks whether the first exchanges agree on the round trip. A network may hold the first packet while it
/// resolves an address or wakes a radio, and deliver it together with later packets. Their round trips then
/// differ by the time between the requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    /// The send and arrival times of the fastest exchange.
    fastest: Option<(LocalTime, LocalTime)>,
    is_reached: bool,
}

impl Agreement {
    pub(crate) fn add(&mut self, exchange: &Exchange) {
        let (sent, received) = (exchange.client_sent, exchange.client_received);
        let Some((first_sent, first_received)) = self.fastest else {
            self.fastest = Some((sent, received));
            return;
        };
        let (took, fastest) = (received - sent, first_received - first_sent);
        let apart = (sent - first_sent).abs();
        let differ = (took - fastest).abs();
        let left_later = sent >= first_received && took + took >= fastest;
        self.is_reached |= differ + differ < apart || left_later;
        if took < fastest {
            self.fastest = Some((sent, received));
        }
    }

    pub(crate) fn unconfirmed(&self) -> Option<Span> {
        self.fastest.filter(|_| !self.is_reached).map(|(sent, received)| received - sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unconfirmed(times: &[(i64, i64)]) -> Option<i64> {
        let mut agreement = Agreement::default();
        for times in times {
            agreement.add(&Exchange::of_ticks([times.0, 0, 0, times.1].map(|ms| ms * 10_000)));
        }
        agreement.unconfirmed().map(|span| span.ticks() / 10_000)
    }

    #[test]
    fn exchanges_held_by_the_network_do_not_agree() {
        assert_eq!(unconfirmed(&[(0, 800), (20, 801), (40, 801), (700, 801)]), Some(101));
        assert_eq!(unconfirmed(&[(0, 800), (20, 801), (790, 820)]), Some(30));
        assert_eq!(unconfirmed(&[(0, 800), (20, 801), (790, 820), (810, 841)]), None);
        assert_eq!(unconfirmed(&[(0, 50), (20, 73)]), None, "both took nearly the same time");
        assert_eq!(unconfirmed(&[(0, 50), (60, 140)]), None, "the first was not held");
        assert_eq!(unconfirmed(&[(0, 50), (0, 50)]), Some(50), "both may have been held");
    }

    #[test]
    fn the_minimum_increases_within_two_half_windows() {
        let mut minimum = RecentMinimum::new();
        minimum.add(Span::from_millis(20));
        for _ in 0..HALF {
            minimum.add(Span::from_millis(90));
        }
        assert_eq!(minimum.get(), Span::from_millis(20));
        for _ in 0..HALF {
            minimum.add(Span::from_millis(90));
        }
        assert_eq!(minimum.get(), Span::from_millis(90));
    }
}
