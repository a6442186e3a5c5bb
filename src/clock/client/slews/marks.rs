use crate::clock::client::config::Config;
use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span};

/// Interval between two stored bounds (marks), so that 16 of them cover more than three minutes.
const SPACING: Span = Span::from_secs(12);
const MARKS: usize = 16;

/// The first mark needs this many exchanges over at least this time, because earlier bounds only reflect the
/// first queue or route. Satellite links change their route every 15 s.
const FIRST_EXCHANGES: u32 = 10;
const FIRST_AFTER: Span = Span::from_secs(30);

/// After this many marks (72 s), the variation of the round-trip times is known.
const STEADY_MARKS: usize = 6;

/// A movement must exceed twice the variation of the round trips, or more with fewer marks than this.
const KNOWN_MARKS: i64 = 12;

const NEWEST: usize = 4;

/// The upper and lower bounds at one time (ticks).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    at: LocalTime,
    upper: i64,
    lower: i64,
    /// The shortest round trip since the previous mark.
    trip: i64,
}

impl Mark {
    /// Projects both bounds to the time of `origin` at `rate`. The result is relative to the upper bound of
    /// `origin` (ticks).
    fn intercepts(&self, origin: &Mark, rate: f64) -> (f64, f64) {
        let risen = (self.at - origin.at).ticks() as f64 * rate;
        let from_origin = |bound: i64| bound.saturating_sub(origin.upper) as f64 - risen;
        (from_origin(self.upper), from_origin(self.lower))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Marks {
    marks: [Mark; MARKS],
    used: usize,
    newest: [Mark; NEWEST],
    count: u32,
    began: LocalTime,
    trip: i64,
    /// How far drifting frame loops and clock resolutions can move both bounds (ticks).
    allowance: i64,
}

impl Marks {
    pub(super) fn new(config: &Config) -> Self {
        let none = Mark { at: LocalTime::from_ticks(0), upper: 0, lower: 0, trip: i64::MAX };
        let steps = config.client_resolution + config.server_resolution;
        Marks {
            marks: [none; MARKS],
            used: 0,
            newest: [none; NEWEST],
            count: 0,
            began: none.at,
            trip: none.trip,
            allowance: (config.client_frame + config.server_frame + steps).ticks(),
        }
    }

    pub(super) fn clear(&mut self) {
        (self.used, self.count, self.trip) = (0, 0, i64::MAX);
    }

    pub(super) fn add(&mut self, exchange: &Exchange) {
        let at = exchange.client_received;
        if self.count == 0 {
            self.began = at;
        }
        self.newest.rotate_left(1);
        let (upper, lower) = (exchange.upper(), exchange.lower());
        let trip = upper.saturating_sub(lower);
        self.newest[NEWEST - 1] = Mark { at, upper, lower, trip };
        self.trip = self.trip.min(trip);
        self.count = self.count.saturating_add(1);
    }

    /// Stores the known bounds as a mark if one is due. Early bounds are not useful yet, so early marks only
    /// record the round trip and are ignored in comparisons.
    pub(super) fn mark(&mut self, at: LocalTime, known: (i64, i64)) {
        let last = if self.used > 0 { self.marks[self.used - 1].at } else { self.began };
        if at - last < SPACING {
            return;
        }
        let is_early = self.count < FIRST_EXCHANGES || at - self.began < FIRST_AFTER;
        let (upper, lower) = if is_early { (i64::MAX, i64::MIN) } else { known };
        if self.used == MARKS {
            self.marks.rotate_left(1);
            self.used -= 1;
        }
        self.marks[self.used] = Mark { at, upper, lower, trip: core::mem::replace(&mut self.trip, i64::MAX) };
        self.used += 1;
        debug_assert!(self.marks[..self.used].is_sorted_by(|old, new| old.at < new.at), "marks are in order");
    }

    /// Returns how far both bounds must have moved. This is an eighth of the round trip, that is, a quarter
    /// of the bounds' margin. It is more if round trips vary.
    pub(super) fn least(&self) -> f64 {
        let (shortest, varied) = variation(&self.newest);
        (shortest.max(0) / 8 + varied / 4 + self.allowance) as f64
    }

    pub(super) fn know_path(&self) -> bool {
        self.used >= STEADY_MARKS && self.count >= FIRST_EXCHANGES
    }

    /// Both bounds must move at least this far to prove a slew. Returns `None` while the path is unknown.
    pub(super) fn least_that_proves(&self) -> Option<f64> {
        let (_, varied) = variation(&self.marks[..self.used]);
        let more = varied.saturating_mul(KNOWN_MARKS) / self.used.max(1) as i64;
        let beyond_the_path = varied.saturating_add(more).saturating_add(self.allowance) as f64;
        self.know_path().then(|| self.least().max(beyond_the_path))
    }

    /// Checks quickly whether the latest exchange is far enough from the known bounds to indicate a slew.
    pub(super) fn may_show(&self, (upper, lower): (i64, i64)) -> bool {
        let last = &self.newest[NEWEST - 1];
        let beyond = last.upper.saturating_sub(upper).max(lower.saturating_sub(last.lower));
        self.used > 0 && beyond > last.upper.saturating_sub(last.lower) / 8
    }

    /// Returns whether the offset moved faster than `drift`. Both bounds must have moved by more than `least`
    /// ticks, and by similar amounts (within a factor of `alike`).
    pub(super) fn refute(&self, drift: f64, least: f64, alike: f64) -> bool {
        self.moved_beyond(drift, 1.0, least, alike) || self.moved_beyond(-drift, -1.0, least, alike)
    }

    /// Returns whether both bounds have moved in the direction `sign` since some mark, relative to a drift at
    /// `rate`. Both must have moved by more than `least`, and their movements must differ by at most a factor
    /// of `alike`.
    fn moved_beyond(&self, rate: f64, sign: f64, least: f64, alike: f64) -> bool {
        let origin = &self.newest[NEWEST - 1];
        let (mut upper, mut lower) = (f64::INFINITY, f64::NEG_INFINITY);
        for newest in &self.newest {
            let (above, below) = newest.intercepts(origin, rate);
            (upper, lower) = (upper.min(above), lower.max(below));
        }
        self.marks[..self.used].iter().filter(|mark| mark.at < self.newest[0].at).any(|mark| {
            let (above, below) = mark.intercepts(origin, rate);
            let (upper, lower) = (sign * (upper - above), sign * (lower - below));
            let (less, more) = (upper.min(lower), upper.max(lower));
            less > least && more <= alike * less
        })
    }
}

/// Returns the shortest of the marks' round trips, and how much they vary (ticks).
fn variation(marks: &[Mark]) -> (i64, i64) {
    let (mut shortest, mut longest) = (i64::MAX, 0);
    for mark in marks {
        (shortest, longest) = (shortest.min(mark.trip), longest.max(mark.trip));
    }
    (shortest, longest.saturating_sub(shortest).max(0))
}
