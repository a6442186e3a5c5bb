//! Detects clocks that are slewed beyond their limit, and makes the bounds age faster in that case.
//!
//! The client tries several drift limits. The lowest limit is the configured drift, and the others add the
//! slew of common time services. The client keeps a separate interval for each limit, and ages it at that
//! limit. The client moves to a higher limit if a reply *contradicts* the known interval. It also does so if
//! both bounds have moved together since an earlier *mark*. `docs/theory.md` ("Clocks that are slewed")
//! derives when a slew is likely, when a [`Doubt`] ends, and how long a limit stays refuted ([`HOLD`]).

mod marks;

use marks::Marks;

use super::config::Config;
use crate::clock::estimate::{Interval, Limits};
use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span};

/// How much slew each limit allows beyond the configured drift. The index of a limit is called its *rung*.
/// The limits suit unslewed clocks, ntpd and `adjtime` on Linux (500 ppm), `adjtime` on BSD (5,000 ppm), and
/// chrony's default (83,333 ppm). Each limit includes a margin of at least 10 %.
const BEYOND: [f64; 4] = [0.0, 550e-6, 5_500e-6, 100_000e-6];
const TOP: usize = BEYOND.len() - 1;

/// How long a limit stays refuted. Some time services correct their clock only every 1024 s.
const HOLD: Span = Span::from_secs(1_200);

/// We do not attribute contradictions to steps if they are less than this time apart.
const STEPS_APART: Span = Span::from_secs(60);

/// Minimum duration of a [`Doubt`], which covers four exchanges on an idle link or five in messages. With a
/// minimum of 5 s, some doubts ended before the next reply arrived.
const LEAST_DOUBT: Span = Span::from_secs(20);

/// Apart from queueing, a slew moves both bounds equally. The two movements may differ by a factor of `ALIKE`
/// when we widen the bounds, and by `ALIKE_PROVED` when we report a slew.
const ALIKE: f64 = 2.0;
const ALIKE_PROVED: f64 = 1.25;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) rung: Option<usize>,
    pub(super) is_proved: bool,
}

/// Some replies contradict the current limit, but a higher limit would explain all of them.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    rung: usize,
    /// The last reply that contradicted the limit. When earlier replies are forgotten, this is `None` until
    /// the next reply.
    since: Option<Exchange>,
}

#[derive(Clone, Copy, Debug)]
struct Rung {
    drift: f64,
    /// When the limit was last refuted, which only matters for limits below the current one.
    refuted: LocalTime,
    /// The interval at this limit, updated only while the limit is above the current one.
    known: Option<Interval>,
    of_all_replies: Option<Interval>,
}

#[derive(Clone, Debug)]
pub(super) struct Slews {
    pub(super) lowest: Limits,
    rungs: [Rung; TOP + 1],
    rung: usize,
    is_declared: bool,
    doubt: Option<Doubt>,
    last_step: Option<LocalTime>,
    marks: Marks,
}

impl Slews {
    pub(super) fn new(config: &Config) -> Self {
        let lowest = Limits {
            drift: config.drift(),
            client_step: config.client_resolution.ticks(),
            server_step: config.server_resolution.ticks(),
        };
        Slews {
            lowest,
            rungs: BEYOND.map(|beyond| Rung {
                drift: config.drift_if_slewed_by(beyond),
                refuted: LocalTime::from_ticks(0),
                known: None,
                of_all_replies: None,
            }),
            rung: 0,
            is_declared: false,
            doubt: None,
            last_step: None,
            marks: Marks::new(config),
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits_of(self.rung)
    }

    fn limits_of(&self, rung: usize) -> Limits {
        Limits { drift: self.rungs[rung].drift, ..self.lowest }
    }

    /// Returns the lowest limit that allows the measured rate `drift`, or `None` if the current limit allows
    /// it. A rate that was fitted to a few replies is ignored, because it would hide contradictions between
    /// them.
    pub(super) fn allows(&self, drift: f64) -> Option<usize> {
        let rung = self.rungs.iter().position(|rung| rung.drift >= drift).unwrap_or(TOP);
        (rung > self.rung && self.marks.know_path()).then_some(rung)
    }

    fn least(&self) -> usize {
        self.doubt.map_or(self.rung, |doubt| doubt.rung.max(self.rung))
    }

    pub(super) fn limits_in_doubt(&self) -> Limits {
        self.limits_of(self.least())
    }

    pub(super) fn known_in_doubt(&self, known: &Interval) -> Interval {
        let least = self.least();
        if least > self.rung { self.rungs[least].known.unwrap_or(*known) } else { *known }
    }

    pub(super) fn add_reply(&mut self, exchange: &Exchange, now: LocalTime) {
        let proven = Interval::of(exchange, &self.lowest);
        let mut explains = 0;
        for rung in 0..=TOP {
            let limits = self.limits_of(rung);
            let interval = self.rungs[rung].of_all_replies.get_or_insert(proven);
            if interval.meets(&proven, &limits) {
                interval.tighten(&proven, now, &limits);
            } else {
                (*interval, explains) = (proven, rung + 1);
            }
        }
        // If even the highest limit does not explain the reply, a clock stepped.
        if (1..=TOP).contains(&explains) {
            self.doubt = Some(Doubt { rung: self.least().max(explains), since: Some(*exchange) });
        }
    }

    /// Forgets earlier replies, because the local clock may have missed time or the server has changed. The
    /// doubt continues, because a slew may still be in progress.
    pub(super) fn forget_replies(&mut self) {
        self.rungs.iter_mut().for_each(|rung| rung.of_all_replies = None);
        if let Some(doubt) = &mut self.doubt {
            doubt.since = None;
        }
    }

    fn count(&mut self, exchange: &Exchange) {
        for rung in &mut self.rungs {
            rung.of_all_replies.get_or_insert(Interval::of(exchange, &self.lowest));
        }
        if let Some(doubt) = &mut self.doubt {
            doubt.since.get_or_insert(*exchange);
        }
    }

    /// Ends a doubt that has been refuted (see the proof in docs/theory.md). The current limit then adopts
    /// the interval of the doubtful limit, because a slew may have moved the offset out of older bounds.
    fn end_doubt(&mut self, now: LocalTime) -> Option<Interval> {
        let Doubt { rung, since } = self.doubt?;
        if rung == self.rung + 1 {
            return self.climb(rung, now);
        }
        if rung <= self.rung {
            self.doubt = None;
            return None;
        }
        let (since, limits) = (since?, self.limits_of(rung));
        let known = self.rungs[rung].known?.aged(now, &limits);
        // A slew beyond the next lower limit would have caused a contradiction by now.
        let ticks = |from: LocalTime| (now - from).ticks() as f64;
        let gained = ticks(since.client_received) * self.rungs[rung - 1].drift;
        let allowed = ticks(since.client_sent) * self.rungs[self.rung].drift;
        let width = since.upper().saturating_sub(since.lower());
        let steps = self.lowest.client_step + self.lowest.server_step;
        let widths = width.saturating_add(known.width(now, &limits).ticks()).saturating_add(steps);
        if now - since.client_received < LEAST_DOUBT || gained - allowed <= widths as f64 {
            return None;
        }
        self.rungs[self.rung + 1..=rung].iter_mut().for_each(|rung| rung.known = Some(known));
        self.doubt = None;
        self.forget_below(rung, known);
        Some(known)
    }

    /// Returns the lowest limit at which a slew explains `proven`, or `None` if a step is more likely.
    pub(super) fn explains(&self, proven: &Interval, now: LocalTime) -> Option<usize> {
        let steps = self.last_step.is_some_and(|last| (now - last).abs() < STEPS_APART);
        self.lowest_that_meets(proven, if steps { TOP } else { TOP.min(self.rung + 1) })
    }

    fn lowest_that_meets(&self, proven: &Interval, highest: usize) -> Option<usize> {
        let meets =
            |rung: usize| self.rungs[rung].known?.meets(proven, &self.limits_of(rung)).then_some(rung);
        (self.least().max(self.rung + 1)..=highest).find_map(meets)
    }

    /// Returns the lowest limit that explains two contradictory intervals, both of which contradict the known
    /// one. The offset must have moved twice, and clocks do not step twice in a row.
    pub(super) fn explains_both(&self, earlier: &Interval, proven: &Interval) -> Option<usize> {
        let rung = self.lowest_that_meets(proven, TOP)?;
        (rung..=TOP).find(|&rung| earlier.meets(proven, &self.limits_of(rung)))
    }

    /// Widens the intervals of this limit and all higher ones, because a step may have looked like a slew.
    pub(super) fn loosen(&mut self, rung: usize, proven: &Interval, now: LocalTime) {
        self.update_from(rung, |known, limits| known.loosen(proven, now, limits));
    }

    fn update_from(&mut self, rung: usize, change: impl Fn(&mut Interval, &Limits)) {
        for rung in rung..=TOP {
            let limits = self.limits_of(rung);
            self.rungs[rung].known.iter_mut().for_each(|known| change(known, &limits));
        }
    }

    pub(super) fn climb(&mut self, rung: usize, now: LocalTime) -> Option<Interval> {
        debug_assert!(self.rung < rung && rung <= TOP, "{} to {rung} is not a higher rung", self.rung);
        self.refute_below(rung, now);
        self.rung = rung;
        self.rungs[rung].known
    }

    fn refute_below(&mut self, rung: usize, now: LocalTime) {
        self.rungs[..rung].iter_mut().for_each(|rung| rung.refuted = now);
    }

    pub(super) fn declare(&mut self) {
        self.is_declared = true;
    }

    /// Learns from an exchange that agrees with the current bounds `known`.
    pub(super) fn learn(&mut self, exchange: &Exchange, known: (i64, i64), now: LocalTime) -> Sign {
        let proven = Interval::of(exchange, &self.lowest);
        self.fill_unknown(proven);
        self.combine(&proven, now);
        self.count(exchange);
        self.marks.add(exchange);
        let found =
            if self.rung > 0 || self.marks.may_show(known) { self.search(now) } else { Sign::default() };
        self.marks.mark(now, known);
        found
    }

    fn search(&mut self, now: LocalTime) -> Sign {
        let least = self.marks.least();
        let is_refuted = |rung: &usize| self.marks.refute(self.limits_of(*rung).drift, least, ALIKE);
        let refuted = (0..=TOP).take_while(is_refuted).count();
        self.refute_below(refuted.min(self.rung), now);
        let next = refuted.min(TOP);
        let rung = (next > self.rung).then_some(next);
        let is_news = rung.is_some() || !self.is_declared;
        let proves = |least| self.marks.refute(self.limits_of(0).drift, least, ALIKE_PROVED);
        Sign { rung, is_proved: refuted > 0 && is_news && self.marks.least_that_proves().is_some_and(proves) }
    }

    /// Ends a doubt, or retries a limit that was refuted long ago. The flag is true if a reported slew ended.
    pub(super) fn settle(&mut self, known: &Interval, now: LocalTime) -> Option<(Interval, bool)> {
        if let Some(known) = self.end_doubt(now) {
            return Some((known, false));
        }
        if self.rung == 0 {
            return None;
        }
        let since = &mut self.rungs[self.rung - 1].refuted;
        *since = (*since).min(now);
        if now - *since <= HOLD {
            return None;
        }
        let known = known.aged(now, &self.limits());
        self.forget_below(self.rung, known);
        self.rungs[self.rung].known = Some(known);
        self.rung -= 1;
        self.fill_unknown(known);
        let was_declared = self.is_declared;
        self.is_declared &= self.rung > 0;
        Some((known, was_declared))
    }

    /// Replaces the intervals of lower limits, because the slew that contradicted them has ended.
    fn forget_below(&mut self, rung: usize, known: Interval) {
        let intervals = self.rungs[..rung].iter_mut().filter_map(|rung| rung.of_all_replies.as_mut());
        intervals.for_each(|interval| *interval = known);
    }

    fn fill_unknown(&mut self, interval: Interval) {
        for rung in &mut self.rungs[self.rung + 1..] {
            rung.known.get_or_insert(interval);
        }
    }

    /// Records a step, which may still turn out to be a slew.
    pub(super) fn step(&mut self, exchange: &Exchange) {
        self.last_step = Some(exchange.client_received);
        self.start_at(Some(exchange));
    }

    pub(super) fn start_over(&mut self, exchange: Option<&Exchange>) {
        self.forget_replies();
        self.start_at(exchange);
    }

    fn start_at(&mut self, exchange: Option<&Exchange>) {
        let known = exchange.map(|exchange| Interval::of(exchange, &self.lowest));
        self.rungs.iter_mut().for_each(|rung| rung.known = known);
        exchange.into_iter().for_each(|exchange| self.count(exchange));
        self.marks.clear();
    }

    pub(super) fn combine(&mut self, other: &Interval, now: LocalTime) {
        self.update_from(self.rung + 1, |known, limits| known.tighten(other, now, limits));
    }
}
