//! The reference for the displayed time: the truth if it is known, or else the best estimate in hindsight.
//!
//! Each exchange proves an upper and a lower bound on the offset. The bounds are extrapolated to all other
//! times with the largest rate difference that the settings allow. Their intersection is an interval that
//! contains the truth. The estimate lies in this interval, and assumes steadier rates. One client learns the
//! rates from the exchanges in order, and another in reverse order, as if all clocks ran backward. The
//! estimate is the midpoint between the bounds that are extrapolated at these rates. The assumed error of the
//! rates is doubled until no bounds contradict each other. Like any clock, the estimate cannot detect a
//! constant difference between the delays of the two directions.

use std::ops::Range;

use anyhow::Result;
use netclock::{Cause, Config, Event, Exchange, LocalTime, Refusal, Sample, ServerTime};

use super::rerun::{Moment, Rerun, TimedEvent, rerun};
use crate::recording::{Recorded, TrueOffset};

/// The initially assumed error of the learned rates (fraction). We double it until no bounds contradict each
/// other.
const RATE_ERROR: f64 = 1e-7;
/// Larger than the rate error of any crystal or slew (fraction).
const LARGEST_RATE_ERROR: f64 = 0.5;
/// The largest rounding error of a bound (ticks).
const ROUNDING: f64 = 0.01;

/// Offsets are server time minus local time (ticks).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) estimate: i64,
    pub(crate) least: i64,
    pub(crate) most: i64,
}

impl Known {
    fn within(offset: i64, doubt: i64) -> Self {
        let (least, most) = (offset.saturating_sub(doubt), offset.saturating_add(doubt));
        Known { estimate: offset, least, most }
    }

    fn map(self, change: impl Fn(i64) -> i64) -> Self {
        Known { estimate: change(self.estimate), least: change(self.least), most: change(self.most) }
    }

    fn wider(self, by: i64) -> Self {
        Known { least: self.least.saturating_sub(by), most: self.most.saturating_add(by), ..self }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Two knots at the same time represent a clock step.
    knots: Vec<(i64, Known)>,
    /// How fast the offset may change between knots (fraction).
    drift: f64,
    pub(crate) rate_error: f64,
    /// False if the exchanges prove that a rate exceeds the limits in the settings.
    pub(crate) keeps_contract: bool,
}

impl Line {
    /// Knots are pairs of local time and offset (ticks).
    pub(crate) fn new(knots: Vec<(i64, i64)>) -> Self {
        Self::of_truth(knots.into_iter().map(|(at, offset)| (at, Known::within(offset, 0))).collect())
    }

    fn of_truth(knots: Vec<(i64, Known)>) -> Self {
        Line { knots, drift: 0.0, rate_error: 0.0, keeps_contract: true }
    }

    pub(crate) fn at(&self, local: i64) -> Option<Known> {
        let wider = |known: Known, apart: i64| known.wider((2.0 * self.drift * apart as f64).ceil() as i64);
        let after = self.knots.partition_point(|knot| knot.0 <= local);
        let (Some(&from), Some(&to)) = (self.knots.get(after.wrapping_sub(1)), self.knots.get(after)) else {
            let end = self.knots.get(after).or(self.knots.last())?;
            return Some(wider(end.1, end.0.saturating_sub(local).saturating_abs()));
        };
        let share = (local - from.0) as f64 / (to.0 - from.0).max(1) as f64;
        let between = |a: i64, b: i64| a + ((b - a) as f64 * share).round() as i64;
        let known = Known {
            estimate: between(from.1.estimate, to.1.estimate),
            least: between(from.1.least, to.1.least),
            most: between(from.1.most, to.1.most),
        };
        Some(wider(known, (local - from.0).min(to.0 - local)))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Reference {
    Truth(Vec<(u64, Line)>),
    Measured(Line),
    /// Each estimate covers a range of exchanges within a server epoch.
    Hindsight(Vec<(u64, Range<usize>, Line)>),
}

impl Reference {
    pub(crate) fn measured(truth: &[TrueOffset]) -> Option<Self> {
        let knot =
            |it: &TrueOffset| (it.at.ticks(), Known::within(it.offset.ticks(), it.uncertainty.ticks()));
        (!truth.is_empty()).then(|| Self::Measured(Line::of_truth(truth.iter().map(knot).collect())))
    }

    pub(crate) fn hindsight(recorded: &[Recorded], run: &Rerun) -> Result<Self> {
        let epochs = epochs(recorded);
        let mut lines = Vec::new();
        for range in stretches(recorded, run, drift(&Config::default())) {
            let mut within = epochs[range.clone()].to_vec();
            within.sort_unstable();
            within.dedup();
            for epoch in within {
                let mut used =
                    range.clone().filter(|&index| epochs[index] == epoch).map(|index| &recorded[index]);
                let of_epoch = |it: &&Moment| range.contains(&it.index) && it.reading.server_epoch == epoch;
                let forward = run.moments.iter().filter(of_epoch).map(|it| rate(it, 1)).collect();
                let line = line(&usable(&mut used), forward)?;
                lines.extend(line.map(|line| (epoch, range.clone(), line)));
            }
        }
        Ok(Reference::Hindsight(lines))
    }

    pub(crate) fn line(&self, epoch: u64, index: usize) -> Option<&Line> {
        match self {
            Self::Truth(lines) => Some(&lines.iter().find(|line| line.0 == epoch)?.1),
            Self::Measured(line) => Some(line),
            Self::Hindsight(lines) => {
                let mut same = lines.iter().filter(|line| line.0 == epoch);
                let within = same.clone().find(|line| line.1.contains(&index));
                Some(&within.or_else(|| same.rfind(|line| line.1.end <= index))?.2)
            }
        }
    }

    pub(crate) fn at(&self, epoch: u64, index: usize, local: LocalTime) -> Option<Known> {
        let line = self.line(epoch, index)?;
        let local = local.ticks();
        let is_measured = matches!(self, Self::Measured(_));
        let ends = (line.knots.first()?.0, line.knots.last()?.0);
        if is_measured && !(ends.0..=ends.1).contains(&local) { None } else { line.at(local) }
    }
}

/// Splits the exchanges at clock steps, and where the rates differ by more than `drift`.
fn stretches(recorded: &[Recorded], run: &Rerun, drift: f64) -> Vec<Range<usize>> {
    let is_set = |happened: &TimedEvent| match happened.event {
        // The local clock may have kept running during the gap.
        Event::Discontinuity { cause: Cause::LocalGap, .. } => {
            !are_consistent(recorded, happened.index, drift)
        }
        // Exchanges before and after a restart already have different epochs.
        Event::Discontinuity { cause, .. } => {
            !matches!(cause, Cause::Correction | Cause::Requested | Cause::ServerRestart)
        }
        _ => false,
    };
    let mut begins: Vec<usize> = vec![0];
    for happened in run.events.iter().filter(|happened| is_set(happened)) {
        let mut begin = happened.index;
        // If the preceding exchanges were rejected as contradictions, they also happened after the step.
        while begin > 0 && recorded[begin - 1].sample.outcome == Err(Refusal::Contradiction) {
            begin -= 1;
        }
        begins.push(begin);
    }
    begins.push(recorded.len());
    begins.sort_unstable();
    begins.windows(2).map(|ends| ends[0]..ends[1]).filter(|range| !range.is_empty()).collect()
}

fn are_consistent(recorded: &[Recorded], index: usize, drift: f64) -> bool {
    let accepted = |it: &Recorded| it.sample.exchange().filter(|_| it.sample.outcome.is_ok());
    let (before, after) = recorded.split_at(index);
    let both = before.iter().rev().find_map(accepted).zip(after.iter().find_map(accepted));
    both.is_some_and(|(one, other)| {
        let ends = |it: &Exchange| {
            let least = it.server_sent.ticks() - it.client_received.ticks();
            (least, it.server_received.ticks() - it.client_sent.ticks())
        };
        let ((least, most), (lower, upper)) = (ends(&one), ends(&other));
        let wider = (drift * (other.client_received - one.client_sent).ticks() as f64).ceil() as i64;
        least.saturating_sub(wider) <= upper && lower <= most.saturating_add(wider)
    })
}

fn epochs(recorded: &[Recorded]) -> Vec<u64> {
    let mut known = 0;
    let mut next = |it: &Recorded| {
        known = it.sample.server_epoch.unwrap_or(known);
        known
    };
    recorded.iter().map(&mut next).collect()
}

fn line(used: &[Recorded], forward: Vec<(i64, f64)>) -> Result<Option<Line>> {
    let exchanges: Vec<Exchange> = used.iter().filter_map(|it| it.sample.exchange()).collect();
    let Some(first) = exchanges.first() else { return Ok(None) };
    let base = (first.server_received - ServerTime::from_ticks(first.client_sent.ticks())).ticks();
    let rates = Rates { forward, back: rates_back(&reversed(used))? };
    let mut tube = Tube::new(&exchanges, &rates, base);
    // These bounds depend only on the settings, so a contradiction proves that a rate exceeds its limit.
    let (still, config) = (vec![0.0; tube.times.len()], Config::default());
    let step = (config.client_resolution + config.server_resolution).ticks() as f64 + ROUNDING;
    let allowed = drift(&config);
    let drift = tube.consistent(&still, allowed, step);
    let proven = tube.extrapolated(&still, drift, step);
    let path = std::mem::take(&mut tube.path);
    let consistent = tube.consistent(&path, RATE_ERROR, ROUNDING);
    // At the smallest consistent rate error, the range may be too narrow in places, so we double that error.
    let rate_error = if consistent > RATE_ERROR { 2.0 * consistent } else { consistent };
    let assumed = tube.extrapolated(&path, rate_error, ROUNDING);
    let knots = tube.times.iter().zip(proven.iter().zip(&assumed)).map(|(&at, (proven, assumed))| {
        let middle = f64::midpoint(assumed.lower, assumed.upper).max(proven.lower).min(proven.upper);
        let [estimate, least, most] = [middle.round(), proven.lower.floor(), proven.upper.ceil()];
        (at, Known { estimate: estimate as i64, least: least as i64, most: most as i64 }.map(|it| base + it))
    });
    let knots = knots.collect();
    Ok(Some(Line { knots, drift, rate_error, keeps_contract: drift <= allowed }))
}

/// Returns the largest rate difference that the settings allow, relative to the slowest client clock.
fn drift(config: &Config) -> f64 {
    let (client, server) = (config.client_drift_ppm * 1e-6, config.server_drift_ppm * 1e-6);
    (client + server) / (1.0 - client)
}

/// Returns the accepted exchanges. Contradictions at the start are included, because a step may have preceded
/// them. All of these exchanges are marked as accepted, so that a new client uses them.
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

/// Reverses the exchanges in time, as if all clocks had run backward.
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

/// Returns the rate (ppm) that a client has learned at each local time (ticks) of a reversed session.
fn rates_back(recorded: &[Recorded]) -> Result<Vec<(i64, f64)>> {
    let run = rerun(recorded, &[], None)?;
    let mut rates: Vec<(i64, f64)> = run.moments.iter().map(|it| rate(it, -1)).collect();
    rates.sort_by_key(|rate| rate.0);
    Ok(rates)
}

fn rate(moment: &Moment, sign: i64) -> (i64, f64) {
    (sign * moment.local.ticks(), moment.reading.frequency_ppm)
}

struct Rates {
    forward: Vec<(i64, f64)>,
    back: Vec<(i64, f64)>,
}

impl Rates {
    /// Returns the mean of the forward and backward rates (fraction), weighted by the times that they cover.
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

/// The bounds on the offset, relative to a base (ticks).
#[derive(Clone, Copy)]
struct Bounds {
    lower: f64,
    upper: f64,
}

const UNBOUNDED: Bounds = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

struct Tube {
    times: Vec<i64>,
    own: Vec<Bounds>,
    /// The change of the offset since the first time, integrated from the learned rates.
    path: Vec<f64>,
}

impl Tube {
    fn new(exchanges: &[Exchange], rates: &Rates, base: i64) -> Self {
        let mut times: Vec<i64> =
            exchanges.iter().flat_map(|it| [it.client_sent.ticks(), it.client_received.ticks()]).collect();
        times.extend(rates.forward.iter().map(|rate| rate.0));
        times.sort_unstable();
        times.dedup();
        let mut own = vec![UNBOUNDED; times.len()];
        for it in exchanges {
            let (sent, received) = (it.client_sent.ticks(), it.client_received.ticks());
            let above = |server: ServerTime, local: i64| (server.ticks() - local - base) as f64;
            if let Ok(at) = times.binary_search(&sent) {
                own[at].upper = own[at].upper.min(above(it.server_received, sent));
            }
            if let Ok(at) = times.binary_search(&received) {
                own[at].lower = own[at].lower.max(above(it.server_sent, received));
            }
        }
        let ends = times.first().zip(times.last()).map(|(from, to)| (*from, *to));
        let (from, to) = ends.unwrap_or_default();
        let (mut moved, mut last) = (0.0, from);
        let mut path = Vec::with_capacity(times.len());
        for &time in &times {
            moved += rates.at(last + (time - last) / 2, from, to) * (time - last) as f64;
            last = time;
            path.push(moved);
        }
        Tube { times, own, path }
    }

    /// Returns `slope` times the smallest power of two at which no bounds contradict each other. The offset
    /// may deviate from `path` at this rate, and each bound may be wrong by `step`.
    fn consistent(&self, path: &[f64], mut slope: f64, step: f64) -> f64 {
        let contradicts = |slope: f64| {
            let (mut bounds, mut last) = (UNBOUNDED, 0);
            (0..self.times.len()).any(|at| {
                bounds = self.next(bounds, at, last, path, slope, step);
                last = at;
                bounds.lower > bounds.upper
            })
        };
        while slope < LARGEST_RATE_ERROR && contradicts(slope) {
            slope *= 2.0;
        }
        slope
    }

    fn extrapolated(&self, path: &[f64], slope: f64, step: f64) -> Vec<Bounds> {
        let mut all = vec![UNBOUNDED; self.times.len()];
        let mut pass = |order: &mut dyn Iterator<Item = usize>| {
            let mut known: Option<(usize, Bounds)> = None;
            for at in order {
                let (last, bounds) = known.unwrap_or((at, UNBOUNDED));
                let bounds = self.next(bounds, at, last, path, slope, step);
                known = Some((at, bounds));
                all[at].lower = all[at].lower.max(bounds.lower + path[at]);
                all[at].upper = all[at].upper.min(bounds.upper + path[at]);
            }
        };
        pass(&mut (0..self.times.len()));
        pass(&mut (0..self.times.len()).rev());
        all
    }

    fn next(&self, from: Bounds, at: usize, last: usize, path: &[f64], slope: f64, step: f64) -> Bounds {
        let wider = slope * (self.times[at] - self.times[last]).abs() as f64;
        let own = self.own[at];
        Bounds {
            lower: (from.lower - wider).max(own.lower - path[at] - step),
            upper: (from.upper + wider).min(own.upper - path[at] + step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_have_steps_and_is_constant_beyond_its_ends() {
        let line = Line::new(vec![(0, 10), (10, 20), (10, 120), (20, 120)]);
        for (local, offset) in [(-5, 10), (0, 10), (5, 15), (9, 19), (10, 120), (15, 120), (99, 120)] {
            assert_eq!(line.at(local), Some(Known::within(offset, 0)), "at {local}");
        }
        assert_eq!(Line::new(Vec::new()).at(0), None);
    }
}
