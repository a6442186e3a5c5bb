//! Whether a clock is slewed beyond its limit, and how fast bounds have to age then.
//!
//! The configuration limits the rate between the clocks. Time services slew clocks by more, and not every
//! caller knows whose clock it passes. So the client keeps a ladder of limits: the lowest is the configured
//! one, and each of the others adds the slew of some time service. Each rung has an interval of its own,
//! which ages at its rate. Evidence against the limit in force puts the next rung in force, with its
//! interval. There are two kinds of evidence:
//!
//! - *A contradiction:* an exchange whose interval does not meet the known one, but meets that of a higher
//!   limit. A step looks the same, so only the next rung can explain the first contradiction. The higher ones
//!   can explain contradictions that follow a step within a minute, or each other: no clock steps so often.
//! - *Marks:* where the bounds were from time to time. On a path with long delays a slewed clock contradicts
//!   nothing for minutes, because the interval is as wide as the round trip. But both bounds of the newest
//!   exchanges move by the same amount, and faster than the limit allows. A change of route or a queue moves
//!   only one of them.
//!
//! On paths whose delays jump, such as satellite and mobile links, both bounds sometimes move by chance. So
//! marks widen the bounds as soon as they show a movement, which costs little. They prove a slew, which is
//! then declared, only if the movement exceeds twice the variation of the round trips. A contradiction proves
//! one at once.
//!
//! A contradiction that a slew explains may have been a step, and so may a reply that was refused. So bounds
//! age by the lowest limit that explains all replies until later ones show that no such slew goes on
//! ([`Doubt`]). It may have ended in between, so the interval of that limit then replaces the interval of the
//! limit in force.
//!
//! A refuted limit gets another chance after [`HOLD`] without evidence against it.

mod marks;

use marks::Marks;

use super::config::Config;
use crate::clock::estimate::{Interval, Limits};
use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span};

/// Slew that each rung allows beyond the configured limit, with a tenth to spare: none, ntpd and `adjtime` on
/// Linux (500 ppm), `adjtime` on BSD (5,000), and chrony's default (83,333).
const BEYOND: [f64; 4] = [0.0, 550e-6, 5_500e-6, 100_000e-6];
const TOP: usize = BEYOND.len() - 1;

/// How long a limit stays refuted: time services correct a clock at least every 1024 s.
const HOLD: Span = Span::from_secs(1_200);

/// Contradictions within this time of each other are not steps.
const STEPS_APART: Span = Span::from_secs(60);

/// Shortest [`Doubt`]: four exchanges of a link at rest, five of messages. With 5 s, the next reply during
/// some slews came only after the doubt had ended.
const LEAST_DOUBT: Span = Span::from_secs(20);

/// Both bounds of a slewed clock move by the same amount, except for queues. Largest ratio of the two
/// movements that counts as the same: to widen the bounds, and to declare a slew.
const ALIKE: f64 = 2.0;
const ALIKE_PROVED: f64 = 1.25;

/// What an exchange shows about slews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sign {
    /// The rung needed from now on.
    pub(super) rung: Option<usize>,
    /// A slew is proved that has not been declared yet.
    pub(super) is_proved: bool,
}

/// Replies contradict the limit in force, and a higher one explains them all.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    rung: usize,
    /// The last contradicting reply. `None`: later replies cannot be compared with it, so the next one takes
    /// its place.
    since: Option<Exchange>,
}

/// The ladder of limits.
#[derive(Clone, Debug)]
pub(super) struct Slews {
    /// The configured limit, and what else limits intervals.
    pub(super) lowest: Limits,
    /// The largest rate difference on each rung, per tick.
    drifts: [f64; TOP + 1],
    /// The rung in force.
    rung: usize,
    /// A slew has been proved since the lowest rung was left.
    is_declared: bool,
    /// When each rung below the current one was last refuted.
    refuted: [LocalTime; TOP],
    /// What would be known on each rung above the lowest; not kept up to the rung in force.
    wider: Option<[Interval; TOP]>,
    /// What would be known on each rung if every reply counted.
    heard: Option<[Interval; TOP + 1]>,
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
            drifts: BEYOND.map(|beyond| config.drift_if_slewed_by(beyond)),
            rung: 0,
            is_declared: false,
            refuted: [LocalTime::from_ticks(0); TOP],
            wider: None,
            heard: None,
            doubt: None,
            last_step: None,
            marks: Marks::new(config),
        }
    }

    /// The limits in force.
    pub(super) fn limits(&self) -> Limits {
        self.limits_of(self.rung)
    }

    fn limits_of(&self, rung: usize) -> Limits {
        Limits { drift: self.drifts[rung], ..self.lowest }
    }

    /// The rung that allows a measured rate difference, if the rung in force does not. A rate fitted to a few
    /// replies is not evidence: it would hide what they contradict.
    pub(super) fn allows(&self, drift: f64) -> Option<usize> {
        let rung = self.drifts.iter().position(|limit| *limit >= drift).unwrap_or(TOP);
        (rung > self.rung && self.marks.know_path()).then_some(rung)
    }

    /// The lowest rung that explains all replies.
    fn least(&self) -> usize {
        self.doubt.map_or(self.rung, |doubt| doubt.rung.max(self.rung))
    }

    /// The limits at which bounds age that agree with every reply.
    pub(super) fn limits_in_doubt(&self) -> Limits {
        self.limits_of(self.least())
    }

    /// `known` by the limits in force, or the interval of the limits in doubt.
    pub(super) fn known_in_doubt(&self, known: &Interval) -> Interval {
        let least = self.least();
        self.wider.filter(|_| least > self.rung).map_or(*known, |wider| wider[least - 1])
    }

    /// A reply was received, whether or not it will be used.
    pub(super) fn hear(&mut self, exchange: &Exchange, now: LocalTime) {
        let proven = Interval::of(exchange, &self.lowest);
        let mut heard = self.heard.unwrap_or([proven; TOP + 1]);
        let mut explains = 0;
        for (rung, heard) in heard.iter_mut().enumerate() {
            let limits = self.limits_of(rung);
            if heard.meets(&proven, &limits) {
                heard.tighten(&proven, now, &limits);
            } else {
                (*heard, explains) = (proven, rung + 1);
            }
        }
        self.heard = Some(heard);
        // If not even the highest limit explains it, a clock stepped.
        if (1..=TOP).contains(&explains) {
            self.doubt = Some(Doubt { rung: self.least().max(explains), since: Some(*exchange) });
        }
    }

    /// Earlier replies contradict nothing from now on, because the local clock may have missed time or the
    /// server is another one. A slew may still go on.
    pub(super) fn forget_heard(&mut self) {
        self.heard = None;
        if let Some(doubt) = &mut self.doubt {
            doubt.since = None;
        }
    }

    /// An exchange is used.
    fn count(&mut self, exchange: &Exchange) {
        self.heard.get_or_insert([Interval::of(exchange, &self.lowest); TOP + 1]);
        if let Some(doubt) = &mut self.doubt {
            doubt.since.get_or_insert(*exchange);
        }
    }

    /// Ends a doubt that is refuted (proof in docs/theory.md). Returns the interval of the limit in force,
    /// which is then the interval of the limit in doubt: older bounds may be off by what a slew did.
    fn end_doubt(&mut self, now: LocalTime) -> Option<Interval> {
        let Doubt { rung, since } = self.doubt?;
        if rung == self.rung + 1 {
            // Nothing would ever refute it.
            return self.climb(rung, now);
        }
        if rung <= self.rung {
            self.doubt = None;
            return None;
        }
        let (since, limits) = (since?, self.limits_of(rung));
        let known = self.wider?[rung - 1].aged(now, &limits);
        // A slew that went on faster than the rung below allows would have caused a contradiction by now.
        let ticks = |from: LocalTime| (now - from).ticks() as f64;
        let gained = ticks(since.client_received) * self.drifts[rung - 1];
        let allowed = ticks(since.client_sent) * self.drifts[self.rung];
        let width = since.upper().saturating_sub(since.lower());
        let steps = self.lowest.client_step + self.lowest.server_step;
        let widths = width.saturating_add(known.width(now, &limits).ticks()).saturating_add(steps);
        if now - since.client_received < LEAST_DOUBT || gained - allowed <= widths as f64 {
            return None;
        }
        self.wider.as_mut()?[self.rung..rung].fill(known);
        self.doubt = None;
        self.forget_below(rung, known);
        Some(known)
    }

    /// The rung that explains an interval which contradicts what is known, if a slew is more likely than a
    /// step.
    pub(super) fn explains(&self, proven: &Interval, now: LocalTime) -> Option<usize> {
        let steps = self.last_step.is_some_and(|last| (now - last).abs() < STEPS_APART);
        self.lowest_that_meets(proven, if steps { TOP } else { TOP.min(self.rung + 1) })
    }

    fn lowest_that_meets(&self, proven: &Interval, highest: usize) -> Option<usize> {
        let wider = self.wider?;
        let lowest = self.least().max(self.rung + 1);
        (lowest..=highest).find(|&rung| wider[rung - 1].meets(proven, &self.limits_of(rung)))
    }

    /// The rung that explains two intervals that contradict both what is known and each other: the offset
    /// keeps moving, and no clock steps twice at once.
    pub(super) fn explains_both(&self, earlier: &Interval, proven: &Interval) -> Option<usize> {
        let rung = self.lowest_that_meets(proven, TOP)?;
        (rung..=TOP).find(|&rung| earlier.meets(proven, &self.limits_of(rung)))
    }

    /// A slew on this rung explains the interval, but it may have been a step.
    pub(super) fn loosen(&mut self, rung: usize, proven: &Interval, now: LocalTime) {
        let Some(mut wider) = self.wider else { return };
        for rung in rung..=TOP {
            wider[rung - 1].loosen(proven, now, &self.limits_of(rung));
        }
        self.wider = Some(wider);
    }

    /// Puts a rung in force. Returns its interval.
    pub(super) fn climb(&mut self, rung: usize, now: LocalTime) -> Option<Interval> {
        debug_assert!(self.rung < rung && rung <= TOP, "from {} to {rung} is not up", self.rung);
        self.refuted[..rung].fill(now);
        self.rung = rung;
        self.wider.map(|wider| wider[rung - 1])
    }

    /// A slew is declared now.
    pub(super) fn declare(&mut self) {
        self.is_declared = true;
    }

    /// An exchange agreed; `known` are the bounds in force at `now`.
    pub(super) fn learn(&mut self, exchange: &Exchange, known: (i64, i64), now: LocalTime) -> Sign {
        let proven = Interval::of(exchange, &self.lowest);
        let mut wider = *self.wider.get_or_insert([proven; TOP]);
        for rung in self.rung + 1..=TOP {
            wider[rung - 1].tighten(&proven, now, &self.limits_of(rung));
        }
        self.wider = Some(wider);
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
        self.refuted[..refuted.min(self.rung)].fill(now);
        let next = refuted.min(TOP);
        let rung = (next > self.rung).then_some(next);
        let is_news = rung.is_some() || !self.is_declared;
        let proves = |least| self.marks.refute(self.limits_of(0).drift, least, ALIKE_PROVED);
        Sign { rung, is_proved: refuted > 0 && is_news && self.marks.least_that_proves().is_some_and(proves) }
    }

    /// If a doubt ends, or a lower limit gets another chance, bounds age by the lower limit again. Returns
    /// its interval, and whether a declared slew has ended.
    pub(super) fn settle(&mut self, known: &Interval, now: LocalTime) -> Option<(Interval, bool)> {
        if let Some(known) = self.end_doubt(now) {
            return Some((known, false));
        }
        if self.rung == 0 {
            return None;
        }
        let since = &mut self.refuted[self.rung - 1];
        // The local clock may have been set back.
        *since = (*since).min(now);
        if now - *since <= HOLD {
            return None;
        }
        let known = known.aged(now, &self.limits());
        self.forget_below(self.rung, known);
        self.rung -= 1;
        self.wider.get_or_insert([known; TOP])[self.rung] = known;
        let was_declared = self.is_declared;
        self.is_declared &= self.rung > 0;
        Some((known, was_declared))
    }

    /// A slew has ended and no longer contradicts the limits below this rung.
    fn forget_below(&mut self, rung: usize, known: Interval) {
        self.heard.iter_mut().for_each(|heard| heard[..rung].fill(known));
    }

    /// A clock stepped: only this exchange counts. It may still turn out to have been a slew.
    pub(super) fn step(&mut self, exchange: &Exchange) {
        let (heard, doubt) = (self.heard, self.doubt);
        self.start_over(Some(exchange));
        self.last_step = Some(exchange.client_received);
        // Nothing was heard since a gap of the local clock.
        if heard.is_some() {
            (self.heard, self.doubt) = (heard, doubt);
        }
    }

    /// Only this exchange counts, or none.
    pub(super) fn start_over(&mut self, exchange: Option<&Exchange>) {
        self.wider = exchange.map(|exchange| [Interval::of(exchange, &self.lowest); TOP]);
        self.forget_heard();
        exchange.into_iter().for_each(|exchange| self.count(exchange));
        self.marks.clear();
    }

    /// What is known about another clock holds on every rung.
    pub(super) fn combine(&mut self, other: &Interval, now: LocalTime) {
        let Some(mut wider) = self.wider else { return };
        for rung in self.rung + 1..=TOP {
            wider[rung - 1].tighten(other, now, &self.limits_of(rung));
        }
        self.wider = Some(wider);
    }
}
