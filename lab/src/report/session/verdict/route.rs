use netclock::Direction;
use netclock::latency::LatencyChange;

use super::effect::effect;
use super::kind::{Kind, Verdict};
use super::series::{LEAST_WAIT_MS, WINDOW};
use crate::report::{Evaluation, ExchangePoint, amount, clock};
use netclock_sim::{nearest_rank, sorted};

/// Periods of jitter, or successive increases of a delay, are merged if they are less than this far apart.
pub(super) const TOGETHER_S: f64 = 90.0;
/// A route does not change twice within this time, and does not become longer twice within [`TOGETHER_S`].
const ROUTE_LASTS_S: f64 = 10.0;
/// A queue caused the change if the longer delays vary widely. Their spread must be at least this share of
/// the change, and at least [`SPREAD_MORE`] times the spread of the shorter delays.
const SPREAD: f64 = 0.2;
/// A queue also caused the change if delays vary widely both before and after it. Each spread must be at
/// least this share of the change, and at least [`SPREAD_MORE`] times the spread in the other direction.
const SPREAD_BOTH: f64 = 0.5;
const SPREAD_MORE: f64 = 3.0;
const SPREAD_WITHIN_S: f64 = 60.0;
/// This quantile of the round trips must change by at least [`SHOWN`] times the change in the delay.
const LOW: f64 = 0.2;
const SHOWN: f64 = 0.5;
/// The delay of a direction must account for at least this share of the change in the round trip.
const SHARE: f64 = 0.3;

pub(super) fn lasting(session: &Evaluation) -> impl Iterator<Item = &LatencyChange> {
    session.rerun.changes.iter().filter(|it| shown(session, it).is_some() && !is_of_queue(session, it))
}

/// Delays according to the reference (ms).
#[derive(Clone, Copy)]
struct Change {
    before: f64,
    after: f64,
}

impl Change {
    fn by(self) -> f64 {
        self.after - self.before
    }
}

/// Returns `None` if the other direction changed instead. Also returns `None` if the round trips did not
/// change, because a clock's rate may be the cause.
fn shown(session: &Evaluation, change: &LatencyChange) -> Option<Change> {
    let by = (change.after - change.before).as_millis_f64();
    let since = session.seconds(change.since);
    // Only the exchanges between the previous change and the next one count.
    let others = || session.rerun.changes.iter().map(|it| session.seconds(it.since));
    let from = others().filter(|&it| it < since - ROUTE_LASTS_S).fold(f64::NEG_INFINITY, f64::max);
    let until = others().filter(|&it| it > since + ROUTE_LASTS_S).fold(f64::INFINITY, f64::min);
    let place = |at: f64| session.exchanges.partition_point(|it| it.arrived_s < at);
    let low = |part: &mut dyn Iterator<Item = &ExchangePoint>, of: fn(&ExchangePoint) -> f64| {
        let accepted = part.filter(|it| it.outcome.is_ok()).map(of);
        nearest_rank(&sorted(accepted.take(WINDOW)), LOW)
    };
    let around = |of: fn(&ExchangePoint) -> f64| {
        let before = low(&mut session.exchanges[place(from)..place(since)].iter().rev(), of)?;
        let after = low(&mut session.exchanges[place(since)..place(until)].iter(), of)?;
        Some(Change { before, after })
    };
    let round_trip = around(|it| it.round_trip)?.by();
    // The rate error of the reference limits how accurately these delays can be compared.
    let near = |at: usize| session.exchanges.get(at).map(|it| it.arrived_s);
    let (first, last) = (place(since).saturating_sub(WINDOW), place(since) + WINDOW);
    let apart_s = near(last.min(session.exchanges.len() - 1))? - near(first)?;
    let doubt = session.exchanges.get(place(since))?.rate_error * apart_s / 2.0 * 1e3;
    let delay = around(if change.direction == Direction::ToServer { |it| it.up } else { |it| it.down })?;
    let is_shown = round_trip * by.signum() >= SHOWN * by.abs();
    (is_shown && delay.by() * by.signum() - doubt >= SHARE * round_trip.abs()).then_some(delay)
}

/// Returns whether a queue caused the change. A queue makes delays vary widely, or causes several changes
/// within a short time.
fn is_of_queue(session: &Evaluation, change: &LatencyChange) -> bool {
    let since = session.seconds(change.since);
    let spread = |from: f64, to: f64| {
        let place = |at: f64| session.exchanges.partition_point(|it| it.arrived_s < at);
        let within = || {
            session.exchanges[place(from)..place(to).max(place(from))].iter().filter(|it| it.outcome.is_ok())
        };
        let ways = [sorted(within().map(|it| it.up)), sorted(within().map(|it| it.down))];
        let [up, down] = ways.map(|delays| {
            nearest_rank(&delays, 0.9).map_or(0.0, |high| high - nearest_rank(&delays, 0.1).unwrap_or(high))
        });
        if change.direction == Direction::ToServer { (up, down) } else { (down, up) }
    };
    let rises = |it: &LatencyChange| it.after > it.before;
    let same = session.rerun.changes.iter().filter(|it| it.direction == change.direction);
    let others = same.map(|it| (session.seconds(it.since), rises(it))).filter(|it| it.0 != since);
    let follows = |(at, is_rise): (f64, bool)| {
        let apart = (at - since).abs();
        apart < ROUTE_LASTS_S || apart < TOGETHER_S && is_rise && rises(change)
    };
    if others.clone().any(follows) {
        return true;
    }
    let others = others.map(|it| it.0);
    let from = others.clone().filter(|&it| it < since).fold(since - SPREAD_WITHIN_S, f64::max);
    let to = others.filter(|&it| it > since).fold(since + SPREAD_WITHIN_S, f64::min);
    let (before, after) = (spread(from, since), spread(since, to));
    let by = (change.after - change.before).as_millis_f64();
    let (longer, shorter) = if by > 0.0 { (after, before) } else { (before, after) };
    let is_wide = |it: (f64, f64), share: f64, other: f64| {
        it.0 >= LEAST_WAIT_MS.max(share * by.abs()) && it.0 >= SPREAD_MORE * other
    };
    is_wide(longer, SPREAD, shorter.0)
        || is_wide(longer, SPREAD_BOTH, longer.1) && is_wide(shorter, SPREAD_BOTH, shorter.1)
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::ToServer => "The path to the server",
        Direction::ToClient => "The path to the client",
    }
}

/// Reports that the delay changed by `by` ms at `at` (s).
pub(super) fn level(session: &Evaluation, direction: Direction, by: f64, at: f64) -> Verdict {
    let words = format!(
        "{} became {} {} at {}. {}",
        way(direction),
        amount(by.abs()),
        if by > 0.0 { "longer" } else { "shorter" },
        clock(at),
        effect(session, at, at + 60.0)
    );
    Verdict { kind: Kind::Route, stretch: Some((at, (at + 60.0).min(session.length_s))), words }
}

pub(super) fn routes(session: &Evaluation) -> Vec<Verdict> {
    let words = |change: &LatencyChange| {
        let from = session.seconds(change.since);
        let to = session.seconds(change.found) + 60.0;
        let way = way(change.direction);
        let Change { before, after } = shown(session, change)?;
        let by = after - before;
        let words = format!(
            "{way} became {} {} at {} (from {} to {}). {}",
            amount(by.abs()),
            if by > 0.0 { "longer" } else { "shorter" },
            clock(from),
            amount(before),
            amount(after),
            effect(session, from, to)
        );
        Some(Verdict { kind: Kind::Route, stretch: Some((from, to.min(session.length_s))), words })
    };
    lasting(session).filter_map(words).collect()
}
