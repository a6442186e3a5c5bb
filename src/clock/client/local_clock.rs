//! Detects pauses and backward steps of the local clock from the times that callers pass.

use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span, TimeError};

/// If the local clock goes back by less than this, we assume that the caller made a mistake and reject the
/// call. If it goes back by more, the local clock was set back, and the client starts over.
const LOCAL_STEP: Span = Span::from_secs(1);

/// If two threads call the client, the first to read the clock may be the second to take the lock. Its time
/// may then be earlier than the previous call's by up to this much.
#[cfg(feature = "link")]
const SHARED: Span = Span::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// The local clock kept running.
    Normal,
    /// No call was made for [`Config::local_gap`](super::Config::local_gap), so the clock may have stopped.
    Paused,
    /// The clock was set back after a call at `last`.
    SetBack { last: LocalTime },
}

#[derive(Clone, Debug)]
pub(super) struct LocalClock {
    longest_gap: Span,
    last: Option<LocalTime>,
    /// Exchanges whose requests were sent before this instant may span a gap in the local clock.
    counts_since: LocalTime,
    /// A call's time may be earlier than the previous call's by up to this much.
    overtaken: Span,
}

impl LocalClock {
    pub(super) fn new(longest_gap: Span) -> Self {
        LocalClock {
            longest_gap,
            last: None,
            counts_since: LocalTime::from_ticks(i64::MIN),
            overtaken: Span::ZERO,
        }
    }

    #[cfg(feature = "link")]
    pub(super) fn share(&mut self) {
        self.overtaken = SHARED;
    }

    /// Fails without changing anything if `now` is outside the valid range, or if it is less than
    /// [`LOCAL_STEP`] before the previous call.
    pub(super) fn advance(&mut self, now: LocalTime) -> Result<Passage, TimeError> {
        now.check()?;
        let last = self.last.unwrap_or(now);
        let elapsed = now - last;
        if -self.overtaken <= elapsed && elapsed < Span::ZERO {
            return Ok(Passage::Normal);
        }
        if -LOCAL_STEP < elapsed && elapsed < Span::ZERO {
            return Err(TimeError::WentBackwards(-elapsed));
        }
        self.last = Some(now);
        if elapsed > self.longest_gap {
            self.miss(last + Span::from_ticks(1));
        } else if elapsed < Span::ZERO {
            self.miss(now);
        }
        Ok(if elapsed < Span::ZERO {
            Passage::SetBack { last }
        } else if elapsed > self.longest_gap {
            Passage::Paused
        } else {
            Passage::Normal
        })
    }

    pub(super) fn miss(&mut self, now: LocalTime) {
        self.counts_since = now;
    }

    pub(super) fn counted_during(&self, exchange: &Exchange) -> bool {
        let Exchange { client_sent, client_received, .. } = *exchange;
        let pauses = self.last.filter(|&last| client_received - last > self.longest_gap);
        pauses.is_none_or(|last| client_sent > last) && client_sent >= self.counts_since
    }

    /// Messages may be handled late, so an `arrived` before the previous call does not mean that the clock
    /// went backwards. Fails like [`advance`](Self::advance).
    pub(super) fn arrive(&mut self, arrived: LocalTime) -> Result<Passage, TimeError> {
        if self.last.is_some_and(|last| arrived < last) {
            return Ok(Passage::Normal);
        }
        self.advance(arrived)
    }

    pub(super) fn now(&self, arrived: LocalTime) -> LocalTime {
        self.last.map_or(arrived, |last| last.max(arrived))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 10_000_000;

    fn at(ticks: i64) -> LocalTime {
        LocalTime::from_ticks(ticks)
    }

    #[test]
    fn gaps_and_backward_steps_are_distinguished_from_errors() {
        let mut clock = LocalClock::new(Span::from_secs(10));
        assert_eq!(clock.advance(at(50 * SECOND)), Ok(Passage::Normal), "the first");
        assert_eq!(clock.advance(at(60 * SECOND)), Ok(Passage::Normal));
        assert_eq!(clock.advance(at(70 * SECOND + 1)), Ok(Passage::Paused));
        let slightly = Span::from_ticks(SECOND - 1);
        assert_eq!(clock.advance(at(69 * SECOND + 2)), Err(TimeError::WentBackwards(slightly)));
        assert_eq!(clock.advance(at(69 * SECOND + 1)), Ok(Passage::SetBack { last: at(70 * SECOND + 1) }));
        assert_eq!(clock.advance(at(i64::MAX)), Err(TimeError::OutOfRange));
        assert_eq!(clock.now(at(0)), at(69 * SECOND + 1), "nothing changed");
    }

    #[test]
    fn exchanges_that_span_missed_time_do_not_count() {
        let mut clock = LocalClock::new(Span::from_secs(10));
        let counts = |clock: &LocalClock, sent: i64| {
            clock.counted_during(&Exchange::of_ticks([sent * SECOND, 0, 0, (sent + 1) * SECOND]))
        };
        assert!(counts(&clock, 0));
        assert_eq!(clock.advance(at(50 * SECOND)), Ok(Passage::Normal));
        clock.miss(at(50 * SECOND));
        assert!(!counts(&clock, 49) && counts(&clock, 50));
        assert!(!counts(&clock, 60 - 50) && counts(&clock, 61), "sent in a gap or after it");
        assert_eq!(clock.advance(at(20 * SECOND)), Ok(Passage::SetBack { last: at(50 * SECOND) }));
        assert!(!counts(&clock, 19) && counts(&clock, 21));
    }

    #[test]
    fn calls_from_another_thread_may_be_slightly_older() {
        let mut clock = LocalClock::new(Span::from_secs(10));
        assert_eq!(clock.advance(at(50 * SECOND)), Ok(Passage::Normal));
        let early = at(50 * SECOND - SECOND / 100);
        assert!(clock.advance(early).is_err());
        clock.share();
        assert_eq!(clock.advance(early), Ok(Passage::Normal));
        assert_eq!(clock.now(early), at(50 * SECOND), "the latest time is kept");
        assert!(clock.advance(at(49 * SECOND + SECOND / 2)).is_err(), "half a second is an error");
    }

    #[test]
    fn an_arrival_may_be_older_than_the_last_call() {
        let mut clock = LocalClock::new(Span::from_secs(10));
        assert_eq!(clock.now(at(5)), at(5));
        assert_eq!(clock.advance(at(100 * SECOND)), Ok(Passage::Normal));
        assert_eq!(clock.arrive(at(50 * SECOND)), Ok(Passage::Normal));
        assert_eq!(clock.now(at(50 * SECOND)), at(100 * SECOND));
        assert_eq!(clock.arrive(at(111 * SECOND)), Ok(Passage::Paused));
    }
}
