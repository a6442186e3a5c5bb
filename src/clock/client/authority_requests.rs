//! Schedules requests for the server's authority and tracks the outstanding ones.

use crate::clock::ground::time::{LocalTime, Span};

/// Maximum number of outstanding requests. A new one replaces the oldest. The first four requests to a new
/// authority span 15 burst intervals.
const OUTSTANDING: usize = 4;

/// Requests a new authority at once, then at growing intervals until it replies, then at the steady interval.
#[derive(Clone, Debug)]
pub(super) struct AuthorityRequests {
    ids: [Option<u64>; OUTSTANDING],
    next: usize,
    shortest: Span,
    steady: Span,
    interval: Span,
    due: Option<LocalTime>,
}

impl AuthorityRequests {
    pub(super) fn new(shortest: Span, steady: Span) -> Self {
        AuthorityRequests {
            ids: [None; OUTSTANDING],
            next: 0,
            shortest,
            steady,
            interval: shortest,
            due: None,
        }
    }

    /// Makes a request due at once, because there is a new authority.
    pub(super) fn begin(&mut self) {
        (self.interval, self.due) = (self.shortest, None);
    }

    /// Whether there is an outstanding request.
    pub(super) fn are_open(&self) -> bool {
        self.ids.iter().any(Option::is_some)
    }

    pub(super) fn is_due(&self, now: LocalTime) -> bool {
        // If the local clock was set back, the due time may be far in the future.
        self.due.is_none_or(|due| now >= due || due - now > self.steady)
    }

    pub(super) fn sent(&mut self, id: u64, now: LocalTime) {
        self.ids[self.next] = Some(id);
        self.next = (self.next + 1) % OUTSTANDING;
        self.due = Some(now + self.interval);
        self.interval = (self.interval + self.interval).min(self.steady);
    }

    /// Removes an outstanding request. Returns false if it was not outstanding.
    pub(super) fn close(&mut self, id: u64) -> bool {
        let open = self.ids.iter_mut().find(|open| **open == Some(id));
        open.and_then(Option::take).is_some()
    }

    pub(super) fn answered(&mut self, now: LocalTime) {
        self.interval = self.steady;
        self.due = Some(now + self.steady);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_come_ever_less_often_until_one_is_answered() {
        let (shortest, steady) = (Span::from_millis(20), Span::from_millis(100));
        let mut requests = AuthorityRequests::new(shortest, steady);
        let mut sent = Vec::new();
        for millis in 0..400 {
            let now = LocalTime::from_ticks(millis * 10_000);
            if requests.is_due(now) {
                requests.sent(millis as u64 + 1, now);
                sent.push(millis);
            }
            if millis == 310 {
                requests.answered(now);
            }
        }
        assert_eq!(sent, [0, 20, 60, 140, 240]);
        assert!(!requests.close(1), "five are too many to remember");
        assert!(requests.close(21) && requests.are_open());
        requests.begin();
        assert!(requests.is_due(LocalTime::from_ticks(0)));
    }
}
