//! Converts the kernel's arrival timestamps to local time.
//!
//! The kernel's timestamps are readings of the wall clock. After receiving a datagram, the socket reads the
//! wall clock to get the timestamp's age, and subtracts this age from the local time. If the wall clock was
//! set in the meantime, the age is meaningless, so the socket uses the current time.

use crate::clock::{LocalTime, Span};

/// If a timestamp is older than this, the wall clock was set after the timestamp was taken.
const LONGEST_WAIT: Span = Span::from_secs(10);

/// The wall clock was stepped if it moved by at least this much relative to the local clock.
const WALL_STEP: Span = Span::from_micros(500);

/// Assumed maximum slew rate of the wall clock, which is twice the kernel's limit.
const WALL_SLEW: f64 = 1e-3;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ages {
    last: Option<(Span, LocalTime)>,
}

impl Ages {
    /// Converts the kernel's timestamp `stamp`, where `wall` and `now` are the current readings of the two
    /// clocks. Returns `None` if the wall clock was set or the timestamp is from a different clock.
    pub(super) fn arrival(&mut self, stamp: i64, wall: i64, now: LocalTime) -> Option<LocalTime> {
        let pairing = Span::from_ticks(wall.saturating_sub(now.ticks()));
        let was_set = self.last.is_some_and(|(last, at)| {
            let slewed = Span::from_secs_f64((now - at).as_secs_f64().abs() * WALL_SLEW);
            (pairing - last).abs() > WALL_STEP + slewed
        });
        self.last = Some((pairing, now));
        let age = Span::from_ticks(wall.saturating_sub(stamp));
        // The clocks are read one after the other, so a recent timestamp may have a slightly negative age.
        let is_sane = age <= LONGEST_WAIT && -age <= WALL_STEP;
        (is_sane && !was_set).then(|| now - age.max(Span::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 10_000;
    const WALL: i64 = 17_000_000_000_000_000;

    fn at(ticks: i64) -> LocalTime {
        LocalTime::from_ticks(ticks)
    }

    #[test]
    fn converted_timestamps_keep_their_age() {
        let mut ages = Ages::default();
        assert_eq!(ages.arrival(WALL - 3 * MS, WALL, at(500 * MS)), Some(at(497 * MS)));
        assert_eq!(ages.arrival(WALL + 1000 * MS, WALL + 1000 * MS, at(1500 * MS)), Some(at(1500 * MS)));
        assert_eq!(ages.arrival(WALL + 2000 * MS + 9, WALL + 2000 * MS, at(2500 * MS)), Some(at(2500 * MS)));
    }

    #[test]
    fn setting_the_wall_clock_affects_one_datagram() {
        for jump in [7_200_000 * MS, -7_200_000 * MS, 20 * MS] {
            let mut ages = Ages::default();
            assert!(ages.arrival(WALL, WALL, at(0)).is_some());
            assert_eq!(ages.arrival(WALL + MS, WALL + 2 * MS + jump, at(2 * MS)), None);
            let next = ages.arrival(WALL + 9 * MS + jump, WALL + 10 * MS + jump, at(10 * MS));
            assert_eq!(next, Some(at(9 * MS)));
        }
        assert_eq!(Ages::default().arrival(WALL, WALL + 7_200_000 * MS, at(0)), None);
        assert_eq!(Ages::default().arrival(i64::MAX, i64::MIN, at(i64::MAX / 2)), None);
    }
}
