//! Maintains the hard bounds on the offset.
//!
//! If an exchange's interval does not intersect the aged interval, either a clock stepped or one reply has a
//! wrong timestamp. The first such contradiction is only recorded. If the next exchange intersects the old
//! interval, the contradiction was an outlier. If the next exchange intersects the contradicting interval, a
//! clock stepped. If a slew beyond the configured limit may explain the contradiction ([`Slews`]), the bounds
//! age at a higher rate.

use super::config::Config;
use super::slews::Slews;
use crate::clock::estimate::{Interval, Limits};
use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span};

/// A slow exchange may agree with both intervals. If only such exchanges arrive for this long, we discard the
/// older interval.
const PATIENCE: Span = Span::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Suspicion {
    proven: Interval,
    at: LocalTime,
    since: LocalTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Agrees,
    /// The exchange contradicts the bounds and any suspicion.
    Suspicious,
    /// The exchange agrees with both the bounds and the suspicion, or may predate the suspicion.
    Undecided,
    Stepped,
    /// The exchange contradicts the bounds, but a slew beyond the configured limit would explain it. The
    /// value is the index of the lowest sufficient limit in [`Slews`].
    Slewed(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) slews: Slews,
    /// The interval that contains the offset, or `None` before the first reply and after the local clock was
    /// set back.
    interval: Option<Interval>,
    /// A reply that contradicts `interval`, kept until another reply shows which of the two is right.
    suspicion: Option<Suspicion>,
    /// The send time of the latest request whose reply was used, and the interval that this reply proved.
    newest: Option<(LocalTime, Interval)>,
    /// The arrival time of the last reply that looked like a slew. If the cause was a step, replies to
    /// earlier requests may predate the step.
    slewed: Option<LocalTime>,
    /// Whether the local clock may have missed time, in which case the next reply is always used.
    doubted: bool,
}

impl Bounds {
    pub(super) fn new(config: &Config) -> Self {
        Bounds {
            slews: Slews::new(config),
            interval: None,
            suspicion: None,
            newest: None,
            slewed: None,
            doubted: false,
        }
    }

    /// Checks an exchange against the bounds. After a gap in local time, a single contradiction proves a
    /// step.
    pub(super) fn judge(&mut self, exchange: &Exchange, now: LocalTime) -> Verdict {
        let Some(known) = &self.interval else { return Verdict::Agrees };
        let limits = self.slews.limits();
        let proven = Interval::of(exchange, &limits);
        let fits = known.meets(&proven, &limits);
        let meets_suspicion = self.suspicion.map(|it| it.proven.meets(&proven, &limits));
        if self.doubted {
            // Replies from before the gap no longer prove anything, so trust the first reply after it.
            let agrees = fits && meets_suspicion != Some(true);
            return if agrees { Verdict::Agrees } else { Verdict::Stepped };
        }
        self.slews.add_reply(exchange, now);
        if !fits {
            let moves = self.suspicion.filter(|_| meets_suspicion == Some(false));
            let both = moves.and_then(|earlier| self.slews.explains_both(&earlier.proven, &proven));
            if let Some(rung) = self.slews.explains(&proven, now).or(both) {
                return Verdict::Slewed(rung);
            }
        }
        let (Some(suspicion), Some(meets_suspicion)) = (&self.suspicion, meets_suspicion) else {
            let is_overtaken = self.slewed.is_some_and(|slewed| exchange.client_sent < slewed);
            return match fits {
                true if is_overtaken => Verdict::Undecided,
                true => Verdict::Agrees,
                false => Verdict::Suspicious,
            };
        };
        // A reply that the server sent before the step says nothing about it, so it cannot clear the
        // suspicion. A reply to an old request cannot confirm the suspicion, because the reply to a later
        // request agreed with the bounds.
        let is_overtaken = exchange.client_sent < suspicion.at;
        let is_old = self.newest.is_some_and(|(sent, _)| exchange.client_sent < sent);
        match (fits, meets_suspicion) {
            (true, false) if is_overtaken => Verdict::Undecided,
            (_, true) if is_old => Verdict::Undecided,
            (true, false) => Verdict::Agrees,
            (false, true) => Verdict::Stepped,
            (false, false) => Verdict::Suspicious,
            (true, true) if now - suspicion.since > PATIENCE => Verdict::Stepped,
            (true, true) => Verdict::Undecided,
        }
    }

    /// Tightens the bounds if the exchange agrees with them, or widens them if recent exchanges look like a
    /// slew. Returns true if recent exchanges prove a slew that has not been reported.
    pub(super) fn tighten(&mut self, exchange: &Exchange, now: LocalTime) -> bool {
        let limits = self.slews.limits();
        let proven = Interval::of(exchange, &limits);
        if self.newest.is_none_or(|(sent, _)| exchange.client_sent >= sent) {
            self.newest = Some((exchange.client_sent, proven));
        }
        let interval = self.interval.get_or_insert(proven);
        interval.tighten(&proven, now, &limits);
        let (upper, lower) = interval.at(now, &limits);
        debug_assert!(lower <= upper, "agreeing bounds intersect: {lower}..{upper}");
        let sign = self.slews.learn(exchange, (upper, lower), now);
        if let Some(rung) = sign.rung {
            self.climb(rung, now);
        }
        if sign.is_proved {
            self.slews.declare();
        }
        sign.is_proved
    }

    /// Widens the bounds because of a slew. The bounds then age at a higher rate, starting from their last
    /// update. The new bounds also include the exchange's interval, because the clock may have stepped
    /// instead.
    pub(super) fn widen(&mut self, rung: usize, exchange: &Exchange, now: LocalTime) {
        self.allow_for_step(exchange, now);
        self.slewed = Some(exchange.client_received);
        self.slews.declare();
        self.slews.loosen(rung, &Interval::of(exchange, &self.limits()), now);
        self.climb(rung, now);
    }

    /// If `exchange` is older than the most recent reply, widens the bounds to include that reply. If a clock
    /// stepped between the two replies, only the newer one is right.
    fn allow_for_step(&mut self, exchange: &Exchange, now: LocalTime) {
        if let Some((_, newest)) = self.newest.filter(|(sent, _)| exchange.client_sent < *sent) {
            let limits = self.limits();
            self.interval.iter_mut().for_each(|known| known.loosen(&newest, now, &limits));
            self.slews.loosen(1, &newest, now);
        }
    }

    pub(super) fn allow(&mut self, drift: f64, now: LocalTime) {
        if let Some(rung) = self.slews.allows(drift) {
            self.climb(rung, now);
        }
    }

    fn climb(&mut self, rung: usize, now: LocalTime) {
        self.interval = self.slews.climb(rung, now).or(self.interval);
    }

    /// Tries a lower drift limit if there has been no slew for a long time. Returns true if this ends a
    /// reported slew.
    pub(super) fn settles(&mut self, now: LocalTime) -> bool {
        let settled = self.interval.and_then(|interval| self.slews.settle(&interval, now));
        let Some((interval, was_declared)) = settled else { return false };
        self.interval = Some(interval);
        was_declared
    }

    pub(super) fn step(&mut self, exchange: &Exchange) {
        let proven = Interval::of(exchange, &self.limits());
        (self.interval, self.newest) = (Some(proven), Some((exchange.client_sent, proven)));
        self.slews.step(exchange);
    }

    pub(super) fn start_over(&mut self, exchange: &Exchange) {
        let proven = Interval::of(exchange, &self.limits());
        (self.interval, self.newest) = (Some(proven), Some((exchange.client_sent, proven)));
        self.slews.start_over(Some(exchange));
    }

    /// Stores the exchange as a suspicion, and returns false if another suspicion was already pending.
    pub(super) fn suspect(&mut self, exchange: &Exchange, now: LocalTime) -> bool {
        self.allow_for_step(exchange, now);
        let proven = Interval::of(exchange, &self.limits());
        let since = self.suspicion.map_or(now, |suspicion| suspicion.since);
        let suspicion = Suspicion { proven, at: exchange.client_received, since };
        self.suspicion.replace(suspicion).is_none()
    }

    pub(super) fn doubt(&mut self) {
        self.doubted = true;
        self.slews.forget_replies();
    }

    /// Raises the upper bound by `most`, the time that the local clock may have missed ([`Span::MAX`] if
    /// unknown).
    pub(super) fn miss(&mut self, most: Span) {
        let known = self.interval.filter(|_| most < Span::MAX);
        self.forget();
        self.interval = known.map(|known| known.raised(most));
        self.doubted = true;
    }

    pub(super) fn trust(&mut self) -> bool {
        let was_doubtful = self.is_doubtful();
        (self.suspicion, self.doubted) = (None, false);
        was_doubtful
    }

    pub(super) fn forget(&mut self) {
        (self.interval, self.suspicion, self.newest, self.slewed) = (None, None, None, None);
        self.slews.start_over(None);
    }

    /// Tightens the bounds with the interval from another clock. Does nothing and returns false if the
    /// intervals contradict each other or a suspicion is pending.
    pub(super) fn combine(&mut self, other: &Interval, now: LocalTime) -> bool {
        let (None, Some(interval)) = (&self.suspicion, &mut self.interval) else { return false };
        let limits = self.slews.limits();
        let meets = other.meets(interval, &limits);
        if meets {
            interval.tighten(other, now, &limits);
            self.slews.combine(other, now);
        }
        meets
    }

    pub(super) fn limits(&self) -> Limits {
        self.slews.limits()
    }

    pub(super) fn is_doubtful(&self) -> bool {
        self.doubted || self.suspicion.is_some()
    }

    pub(super) fn certain(&self) -> Option<Interval> {
        self.known().filter(|_| !self.is_doubtful())
    }

    pub(super) fn clamp(&self, offset: i64, now: LocalTime) -> i64 {
        self.interval.map_or(offset, |interval| {
            let (upper, lower) = interval.at(now, &self.limits());
            offset.min(upper).max(lower)
        })
    }

    /// Returns an interval that agrees with all replies, even while a slew is suspected.
    fn known(&self) -> Option<Interval> {
        self.interval.map(|interval| self.slews.known_in_doubt(&interval))
    }

    /// Returns the upper and lower bounds on the offset at `now` (ticks), or `None` if nothing is guaranteed.
    pub(super) fn hard(&self, now: LocalTime) -> Option<(i64, i64)> {
        // While a suspicion is pending, the offset may be in either interval.
        let limits = self.slews.limits_in_doubt();
        self.known().filter(|_| !self.doubted).map(|interval| {
            let (upper, lower) = interval.at(now, &limits);
            self.suspicion.map_or((upper, lower), |suspicion| {
                let (other_upper, other_lower) = suspicion.proven.at(now, &limits);
                (upper.max(other_upper), lower.min(other_lower))
            })
        })
    }

    pub(super) fn drift(&self) -> f64 {
        self.slews.limits_in_doubt().drift
    }

    pub(super) fn width(&self, now: LocalTime) -> Option<Span> {
        self.known().map(|interval| interval.width(now, &self.slews.limits_in_doubt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(at: i64, offset: i64) -> Exchange {
        exchange_within(at, offset, 10)
    }

    fn exchange_within(at: i64, offset: i64, half: i64) -> Exchange {
        Exchange::of_ticks([at - half, at + offset, at + offset, at + half].map(|ms| ms * 10_000))
    }

    fn now(ms: i64) -> LocalTime {
        LocalTime::from_ticks(ms * 10_000)
    }

    fn known() -> Bounds {
        let mut bounds = Bounds::new(&Config::default());
        assert_eq!(bounds.judge(&exchange(0, 0), now(10)), Verdict::Agrees, "the first");
        bounds.tighten(&exchange(0, 0), now(10));
        bounds
    }

    #[test]
    fn a_second_contradiction_proves_a_step() {
        let mut bounds = known();
        assert_eq!(bounds.judge(&exchange(100, 5), now(110)), Verdict::Agrees);
        assert_eq!(bounds.judge(&exchange(100, 50), now(110)), Verdict::Suspicious);
        assert!(bounds.suspect(&exchange(100, 50), now(110)) && bounds.is_doubtful());
        assert_eq!(bounds.hard(now(110)).map(|(upper, lower)| upper - lower > 690_000), Some(true));
        assert_eq!(bounds.certain(), None);
        assert_eq!(bounds.judge(&exchange(120, 0), now(130)), Verdict::Agrees, "an outlier");
        assert_eq!(bounds.judge(&exchange(120, 55), now(130)), Verdict::Stepped);
        assert_eq!(bounds.judge(&exchange(120, -60), now(130)), Verdict::Suspicious, "a new one");
        assert!(!bounds.suspect(&exchange(120, -60), now(130)));
        assert!(bounds.trust());
        assert!(!bounds.is_doubtful());
        assert!(!bounds.trust());
    }

    #[test]
    fn an_exchange_that_fits_both_intervals_decides_after_a_timeout() {
        let mut bounds = known();
        bounds.suspect(&exchange(100, 21), now(110));
        assert_eq!(bounds.judge(&exchange(120, 10), now(130)), Verdict::Undecided);
        assert_eq!(bounds.judge(&exchange(120, 10), now(5_111)), Verdict::Stepped);
    }

    /// The late reply may predate a step that looks like a slew.
    #[test]
    fn an_overtaken_reply_does_not_confirm_a_slew() {
        let mut bounds = known();
        let late = exchange(20_000, 25);
        let Verdict::Slewed(rung) = bounds.judge(&late, now(20_010)) else { panic!("550 ppm explain it") };
        bounds.widen(rung, &late, now(20_010));
        let (upper, _) = bounds.hard(now(20_010)).expect("the bounds allow for both");
        assert!(upper > 350_000, "{upper}");
        assert_eq!(bounds.judge(&exchange(20_010, 0), now(20_020)), Verdict::Undecided);
        assert_eq!(bounds.judge(&exchange(20_030, 0), now(20_040)), Verdict::Agrees);
    }

    /// The clock is slewed forward by 26 ms in half a second, and immediately back by 5 ms. Even at 650 ppm,
    /// the first bounds take 40 s to include the new offset.
    #[test]
    fn bounds_allow_for_a_short_slew_after_its_doubt_has_ended() {
        let mut bounds = Bounds::new(&Config::default());
        let first = exchange_within(0, 0, 1);
        assert_eq!(bounds.judge(&first, now(1)), Verdict::Agrees);
        bounds.tighten(&first, now(1));
        let slewed = exchange_within(500, 45, 20);
        assert_eq!(bounds.judge(&slewed, now(520)), Verdict::Suspicious);
        bounds.suspect(&slewed, now(520));
        let mut ended = None;
        for at in (1..=30).map(|second| second * 1_000) {
            let reply = exchange_within(at, 3, 20);
            assert_eq!(bounds.judge(&reply, now(at + 20)), Verdict::Agrees);
            bounds.trust();
            bounds.tighten(&reply, now(at + 20));
            bounds.settles(now(at + 20));
            let (upper, lower) = bounds.hard(now(at + 20)).expect("a clock is known");
            assert!(lower <= 210_000 && 210_000 <= upper, "{lower}..{upper} after {at} ms");
            ended = ended.or((upper < 240_000).then_some(at));
        }
        assert!(ended.is_some(), "the doubt does not end");
    }

    #[test]
    fn after_a_gap_the_first_reply_decides_alone() {
        let verdict = |reply: &Exchange| {
            let mut bounds = known();
            bounds.suspect(&exchange(100, 50), now(110));
            bounds.doubt();
            bounds.judge(reply, now(210))
        };
        assert_eq!(verdict(&exchange(200, 0)), Verdict::Agrees);
        for offset in [21, 50, 200] {
            assert_eq!(verdict(&exchange(200, offset)), Verdict::Stepped, "{offset} ms");
        }
        let mut bounds = known();
        bounds.doubt();
        assert_eq!((bounds.hard(now(10)), bounds.certain()), (None, None));
        assert_eq!(bounds.judge(&exchange(100, 50), now(110)), Verdict::Stepped);
        bounds.forget();
        assert_eq!(bounds.judge(&exchange(100, 50), now(110)), Verdict::Agrees, "nothing is known");
    }

    /// A rate fitted to only a few replies could hide contradictions between them.
    #[test]
    fn a_measured_rate_only_counts_if_the_path_is_known() {
        let mut bounds = known();
        let lowest = bounds.drift();
        bounds.allow(400e-6, now(10));
        assert_eq!(bounds.drift(), lowest);
        for at in (1..=80).map(|second| second * 1_000) {
            assert_eq!(bounds.judge(&exchange(at, 0), now(at + 10)), Verdict::Agrees);
            bounds.tighten(&exchange(at, 0), now(at + 10));
        }
        assert_eq!(bounds.drift(), lowest);
        bounds.allow(400e-6, now(80_010));
        assert!(bounds.drift() >= 400e-6, "{} ppm", bounds.drift() * 1e6);
    }

    #[test]
    fn another_clocks_bounds_are_used_unless_they_contradict() {
        let mut bounds = known();
        let limits = bounds.limits();
        assert!(!bounds.combine(&Interval::of(&exchange(0, 50), &limits), now(10)));
        assert!(bounds.combine(&Interval::of(&exchange(0, 15), &limits), now(10)));
        assert!(bounds.width(now(10)).is_some_and(|width| width < Span::from_millis(6)));
        bounds.suspect(&exchange(10, 50), now(20));
        assert!(!bounds.combine(&Interval::of(&exchange(0, 15), &limits), now(20)));
    }
}
