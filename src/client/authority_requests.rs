//! When to ask whose clock it is, and which questions are still open.

use crate::time::{LocalTime, Span};

/// Inquiries remembered; an older one is forgotten for a newer. The first four of a new authority span 15 burst intervals.
const OUTSTANDING: usize = 4;

/// Inquiries: at once to a new authority, ever less often until it answers, then at the steady interval.
#[derive(Clone, Debug)]
pub(super) struct Inquiries {
    ids: [Option<u64>; OUTSTANDING],
    next: usize,
    shortest: Span,
    steady: Span,
    interval: Span,
    due: Option<LocalTime>,
}

impl Inquiries {
    pub(super) fn new(shortest: Span, steady: Span) -> Self {
        Inquiries { ids: [None; OUTSTANDING], next: 0, shortest, steady, interval: shortest, due: None }
    }

    /// There is another authority: ask at once.
    pub(super) fn begin(&mut self) {
        (self.interval, self.due) = (self.shortest, None);
    }

    /// Whether the caller sends inquiries.
    pub(super) fn are_used(&self) -> bool {
        self.ids.iter().any(Option::is_some)
    }

    pub(super) fn is_due(&self, now: LocalTime) -> bool {
        // After the local clock was set back, what was due is far ahead.
        self.due.is_none_or(|due| now >= due || due - now > self.steady)
    }

    pub(super) fn sent(&mut self, id: u64, now: LocalTime) {
        self.ids[self.next] = Some(id);
        self.next = (self.next + 1) % OUTSTANDING;
        self.due = Some(now + self.interval);
        self.interval = (self.interval + self.interval).min(self.steady);
    }

    /// Whether an inquiry of this id was open; it is not any more.
    pub(super) fn take(&mut self, id: u64) -> bool {
        let open = self.ids.iter_mut().find(|open| **open == Some(id));
        open.and_then(Option::take).is_some()
    }

    pub(super) fn answered(&mut self, now: LocalTime) {
        self.interval = self.steady;
        self.due = Some(now + self.steady);
    }
}
