//! What the shown time is compared with: the truth where it is known, else the best estimate in hindsight.
//!
//! Hindsight knows the whole session. The rate at any time is learned from both sides. One client gets the
//! exchanges in their order. Another gets them in reverse, with all clocks running backwards. Along that rate
//! the tightest bounds of the whole session are carried to every time. The estimate is the middle between
//! them. A constant difference between the directions' delays stays hidden from it, as from any clock.

use std::ops::Range;

use anyhow::Result;
use netclock::{Cause, Config, Event, Exchange, LocalTime, Refusal, Sample, ServerTime};

use super::rerun::{Moment, Rerun, rerun};
use crate::recording::Recorded;

/// What the rate of hindsight may err by (fraction): bounds get wider by this while they are carried.
const RATE_ERROR: f64 = 1e-7;

/// Offsets over local time (ticks): server minus local.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// In order of local time. Two of the same time are a step.
    knots: Vec<(i64, i64)>,
}

impl Line {
    /// A line through these knots, each a local time and an offset (ticks).
    pub(crate) fn new(knots: Vec<(i64, i64)>) -> Self {
        Line { knots }
    }

    /// The offset at a local time; beyond the ends that of the end.
    pub(crate) fn at(&self, local: i64) -> Option<i64> {
        let after = self.knots.partition_point(|knot| knot.0 <= local);
        let (Some(&from), Some(&to)) = (self.knots.get(after.wrapping_sub(1)), self.knots.get(after)) else {
            return self.knots.get(after).or(self.knots.last()).map(|knot| knot.1);
        };
        let share = (local - from.0) as f64 / (to.0 - from.0).max(1) as f64;
        Some(from.1 + ((to.1 - from.1) as f64 * share).round() as i64)
    }
}

/// What the shown time is compared with.
#[derive(Clone, Debug)]
pub(crate) enum Reference {
    /// The truth about each server epoch, of a simulation.
    Truth(Vec<(u64, Line)>),
    /// The estimate in hindsight about each server epoch, for stretches of the recording by the indices of
    /// their exchanges.
    Hindsight(Vec<(u64, Range<usize>, Line)>),
}

impl Reference {
    /// The best estimate in hindsight.
    ///
    /// # Errors
    /// A setting is out of range.
    pub(crate) fn hindsight(config: &Config, recorded: &[Recorded], run: &Rerun) -> Result<Self> {
        let epochs = epochs(recorded);
        let mut lines = Vec::new();
        for range in stretches(recorded, run) {
            let mut within = epochs[range.clone()].to_vec();
            within.sort_unstable();
            within.dedup();
            for epoch in within {
                let mut used =
                    range.clone().filter(|&index| epochs[index] == epoch).map(|index| &recorded[index]);
                let of_epoch = |it: &&Moment| range.contains(&it.index) && it.reading.server_epoch == epoch;
                let forward = run.moments.iter().filter(of_epoch).map(|it| rate(it, 1)).collect();
                let line = line(config, &usable(&mut used), forward)?;
                lines.extend(line.map(|line| (epoch, range.clone(), line)));
            }
        }
        Ok(Reference::Hindsight(lines))
    }

    /// The offset at a local time (ticks), of this server epoch and around this exchange.
    pub(crate) fn at(&self, epoch: u64, index: usize, local: LocalTime) -> Option<i64> {
        let line = match self {
            Self::Truth(lines) => &lines.iter().find(|line| line.0 == epoch)?.1,
            Self::Hindsight(lines) => {
                let mut same = lines.iter().filter(|line| line.0 == epoch);
                let within = same.clone().find(|line| line.1.contains(&index));
                &within.or_else(|| same.rfind(|line| line.1.end <= index))?.2
            }
        };
        line.at(local.ticks())
    }
}

/// The stretches in which neither clock was set: ranges of exchanges.
fn stretches(recorded: &[Recorded], run: &Rerun) -> Vec<Range<usize>> {
    let is_set = |event: &Event| match event {
        // Another run of the server's clock has another epoch, unless the transport names none.
        Event::Discontinuity { cause, .. } => !matches!(cause, Cause::Correction | Cause::ServerRestart),
        _ => false,
    };
    let mut begins: Vec<usize> = vec![0];
    for happened in run.events.iter().filter(|happened| is_set(&happened.event)) {
        let mut begin = happened.index;
        // The exchanges that were refused just before came after the step, too.
        while begin > 0 && recorded[begin - 1].sample.outcome == Err(Refusal::Contradiction) {
            begin -= 1;
        }
        begins.push(begin);
    }
    begins.push(recorded.len());
    begins.sort_unstable();
    begins.windows(2).map(|ends| ends[0]..ends[1]).filter(|range| !range.is_empty()).collect()
}

/// The server epoch of each exchange: that of the one before if the transport names none, 0 before any is
/// named.
fn epochs(recorded: &[Recorded]) -> Vec<u64> {
    let mut known = 0;
    let mut next = |it: &Recorded| {
        known = it.sample.server_epoch.unwrap_or(known);
        known
    };
    recorded.iter().map(&mut next).collect()
}

/// The estimate for one stretch of one server epoch, with the rates as they were learned; none if no exchange
/// says anything.
fn line(config: &Config, used: &[Recorded], forward: Vec<(i64, f64)>) -> Result<Option<Line>> {
    let exchanges: Vec<Exchange> = used.iter().filter_map(|it| it.sample.exchange()).collect();
    let Some(first) = exchanges.first() else { return Ok(None) };
    let base = first.server_received - ServerTime::from_ticks(first.client_sent.ticks());
    let rates = Rates { forward, back: rates_back(config, &reversed(used))? };
    let path = Path::new(&exchanges, &rates);
    let mut bounds: Vec<Bound> = Vec::with_capacity(2 * exchanges.len());
    let residual = |offset: i64, local: i64| (offset - base.ticks()) as f64 - path.at(local);
    for it in &exchanges {
        let (sent, received) = (it.client_sent.ticks(), it.client_received.ticks());
        bounds.push(Bound {
            at: sent,
            upper: residual(it.server_received.ticks() - sent, sent),
            lower: NONE,
        });
        let lower = residual(it.server_sent.ticks() - received, received);
        bounds.push(Bound { at: received, upper: -NONE, lower });
    }
    bounds.sort_by_key(|bound| bound.at);
    carry(&mut bounds);
    bounds.reverse();
    carry(&mut bounds);
    bounds.reverse();
    let knots = bounds.iter().map(|bound| {
        let middle = path.at(bound.at) + (bound.upper + bound.lower) / 2.0;
        (bound.at, base.ticks() + middle.round() as i64)
    });
    Ok(Some(Line::new(knots.collect())))
}

/// The exchanges that say something about their stretch: those that were accepted, and contradictions at the
/// very beginning. These came after the step that begins the stretch. A new client decides about them again.
fn usable(stretch: &mut dyn Iterator<Item = &Recorded>) -> Vec<Recorded> {
    let mut used = Vec::new();
    let mut is_beginning = true;
    for it in stretch {
        let is_accepted = it.sample.outcome.is_ok();
        is_beginning &= !is_accepted;
        if is_accepted || is_beginning && it.sample.outcome == Err(Refusal::Contradiction) {
            used.push(Recorded { sample: Sample { outcome: Ok(()), ..it.sample }, ..*it });
        }
    }
    used
}

/// The same exchanges with all clocks running backwards.
fn reversed(recorded: &[Recorded]) -> Vec<Recorded> {
    let mut turned: Vec<Recorded> = recorded
        .iter()
        .filter_map(|it| {
            let Exchange { client_sent, server_received, server_sent, client_received, .. } =
                it.sample.exchange()?;
            let sample = Sample {
                client_sent: Some(LocalTime::from_ticks(-client_received.ticks())),
                server_received: ServerTime::from_ticks(-server_sent.ticks()),
                server_sent: ServerTime::from_ticks(-server_received.ticks()),
                client_received: LocalTime::from_ticks(-client_sent.ticks()),
                server_wait: None,
                client_wait: None,
                ..it.sample
            };
            Some(Recorded { sample, ..*it })
        })
        .collect();
    turned.sort_by_key(|it| it.sample.client_received);
    turned
}

/// Rates by local time (ticks, ppm) as a client learns them whose clocks run backwards.
fn rates_back(config: &Config, recorded: &[Recorded]) -> Result<Vec<(i64, f64)>> {
    let run = rerun(config, recorded, &[], None)?;
    let mut rates: Vec<(i64, f64)> = run.moments.iter().map(|it| rate(it, -1)).collect();
    rates.sort_by_key(|rate| rate.0);
    Ok(rates)
}

/// The rate at a reading; `sign` is -1 if the clocks run backwards.
fn rate(moment: &Moment, sign: i64) -> (i64, f64) {
    (sign * moment.local.ticks(), moment.reading.frequency_ppm)
}

/// The rate as learned from the past, and as learned from the future.
struct Rates {
    forward: Vec<(i64, f64)>,
    back: Vec<(i64, f64)>,
}

impl Rates {
    /// The rate at a local time, as a fraction. Each side counts by how long it has learned.
    fn at(&self, local: i64, from: i64, to: i64) -> f64 {
        let at = |rates: &[(i64, f64)]| {
            let after = rates.partition_point(|rate| rate.0 <= local);
            rates.get(after.saturating_sub(1)).map(|rate| rate.1)
        };
        let (past, future) = ((local - from).max(1) as f64, (to - local).max(1) as f64);
        let ppm = match (at(&self.forward), at(&self.back)) {
            (Some(forward), Some(back)) => (forward * past + back * future) / (past + future),
            (forward, back) => forward.or(back).unwrap_or(0.0),
        };
        ppm * 1e-6
    }
}

/// How the offset moves by the rates alone, from the first exchange (ticks).
struct Path {
    knots: Vec<(i64, f64)>,
}

impl Path {
    fn new(exchanges: &[Exchange], rates: &Rates) -> Self {
        let mut times: Vec<i64> =
            exchanges.iter().flat_map(|it| [it.client_sent.ticks(), it.client_received.ticks()]).collect();
        times.extend(rates.forward.iter().map(|rate| rate.0));
        times.sort_unstable();
        times.dedup();
        let ends = times.first().zip(times.last()).map(|(from, to)| (*from, *to));
        let (from, to) = ends.unwrap_or_default();
        let mut moved = 0.0;
        let mut knots = Vec::with_capacity(times.len());
        for (at, &time) in times.iter().enumerate() {
            let last = at.checked_sub(1).map_or(time, |before| times[before]);
            moved += rates.at(last + (time - last) / 2, from, to) * (time - last) as f64;
            knots.push((time, moved));
        }
        Path { knots }
    }

    /// Every time that is asked for is a knot.
    fn at(&self, local: i64) -> f64 {
        let found = self.knots.binary_search_by_key(&local, |knot| knot.0);
        self.knots[found.unwrap_or_else(|near| near.min(self.knots.len() - 1))].1
    }
}

/// No lower bound.
const NONE: f64 = f64::NEG_INFINITY;

/// Bounds of what the path leaves of the offset, at a local time (ticks).
#[derive(Clone, Copy)]
struct Bound {
    at: i64,
    upper: f64,
    lower: f64,
}

/// Carries the tightest bounds along, in the order given.
fn carry(bounds: &mut [Bound]) {
    let Some(first) = bounds.first() else { return };
    let (mut at, mut upper, mut lower) = (first.at, first.upper, first.lower);
    for bound in bounds {
        let wider = RATE_ERROR * (bound.at - at).abs() as f64;
        at = bound.at;
        upper = bound.upper.min(upper + wider);
        lower = bound.lower.max(lower - wider);
        (bound.upper, bound.lower) = (upper, lower);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_slopes_and_steps_and_keeps_its_ends() {
        let line = Line::new(vec![(0, 10), (10, 20), (10, 120), (20, 120)]);
        for (local, offset) in [(-5, 10), (0, 10), (5, 15), (9, 19), (10, 120), (15, 120), (99, 120)] {
            assert_eq!(line.at(local), Some(offset), "at {local}");
        }
        assert_eq!(Line::new(Vec::new()).at(0), None);
    }
}
