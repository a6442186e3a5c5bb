//! The path's round trip.

use crate::clock::ground::time::Span;

/// Exchanges per half of the window.
const HALF: u32 = 16;

/// Smallest round trip of the last 16 to 32 exchanges: two half windows, so that it follows a longer route.
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

    /// The minimum; [`Span::MAX`] before the first.
    pub(crate) fn get(&self) -> Span {
        self.previous.min(self.current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_a_longer_route_within_two_half_windows() {
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
