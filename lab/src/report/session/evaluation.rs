use anyhow::{Result, ensure};
use netclock::{LocalTime, Refusal, State};

use super::foreign;
use super::reference::Reference;
use super::rerun::{Rerun, rerun};
use super::simulate::Simulated;
use crate::recording::{Announcement, Recorded, Recording};
use crate::report::finite_ms;
use netclock_sim::TICKS_PER_MS;

/// The largest rounding error of errors and bounds.
const ROUNDING_MS: f64 = 0.001;
/// Requests that arrive within this time of each other were held and released together.
const AT_ONCE_MS: f64 = 2.0;

/// Errors and bounds are in ms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadPoint {
    pub(crate) at_s: f64,
    pub(crate) error: Option<f64>,
    /// The range of the absolute error that the timestamps prove, whatever the reference is. `None` if a rate
    /// exceeds the limits in the settings.
    pub(crate) proven: Option<(f64, f64)>,
    pub(crate) bound: Option<f64>,
    pub(crate) expected: Option<f64>,
    pub(crate) rate_ppm: f64,
    pub(crate) epoch: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ExchangePoint {
    pub(crate) sent_s: f64,
    pub(crate) arrived_s: f64,
    /// Delays according to the reference (ms), clamped to the round trip if the exchange was accepted.
    pub(crate) up: f64,
    pub(crate) down: f64,
    /// The round-trip time without the server's hold time (ms).
    pub(crate) round_trip: f64,
    /// The rate error of the reference (fraction). It limits how accurately delays at different times can be
    /// compared.
    pub(crate) rate_error: f64,
    /// How long the server held the request (ms), and the server's time of the reply (s).
    pub(crate) held: f64,
    pub(crate) server_s: f64,
    /// The time from sending this request to sending the last request that arrived with it (ms).
    pub(crate) at_once: f64,
    pub(crate) outcome: Result<(), Refusal>,
}

#[derive(Debug)]
pub(crate) struct Evaluation {
    pub(crate) name: String,
    pub(crate) is_true: bool,
    /// The number of removed lines, and the line number of the first.
    pub(crate) strays: Option<(usize, usize)>,
    pub(crate) moved: usize,
    /// The first line that was rejected although its timestamps make sense.
    pub(crate) false_refusal: Option<usize>,
    pub(crate) length_s: f64,
    pub(crate) rerun: Rerun,
    pub(crate) reads: Vec<ReadPoint>,
    pub(crate) exchanges: Vec<ExchangePoint>,
    pub(crate) recording: Recording,
    pub(crate) reference: Reference,
    start: LocalTime,
}

impl Evaluation {
    pub(crate) fn of(name: impl Into<String>, recording: Recording) -> Result<Self> {
        Self::new(name.into(), recording, None)
    }

    /// Evaluates a simulated session against the true time.
    pub(crate) fn of_simulated(name: impl Into<String>, session: Simulated) -> Result<Self> {
        Self::new(name.into(), session.recording, Some((session.truth, session.ended)))
    }

    /// If `truth` is `None`, the reference is the best estimate in hindsight.
    fn new(name: String, mut recording: Recording, truth: Option<(Reference, LocalTime)>) -> Result<Self> {
        let strays = foreign::leave_out_strays(&mut recording);
        let moved = foreign::sort(&mut recording);
        recording.round_trips_only |= foreign::are_halves(&recording.exchanges);
        let Recording { exchanges, announced, .. } = &recording;
        let ended = announced.iter().rfind(|it| it.what == Announcement::Ended).map(|it| it.at);
        let until = truth.as_ref().map(|truth| truth.1).or(ended);
        let mut rerun = rerun(exchanges, announced, until)?;
        let has_statuses = foreign::has_statuses(exchanges, &rerun);
        let false_refusal = foreign::false_refusal(exchanges, &rerun);
        if !has_statuses && exchanges.iter().any(|it| it.has_status) {
            recording.exchanges.iter_mut().for_each(|it| it.has_status = false);
            rerun = self::rerun(&recording.exchanges, &recording.announced, until)?;
        }
        // The report describes the new client, so the new results replace the recorded ones.
        for (it, &outcome) in recording.exchanges.iter_mut().zip(&rerun.outcomes) {
            it.sample.outcome = outcome;
        }
        let exchanges = &recording.exchanges;
        let start = start(exchanges);
        let truth = truth.map(|truth| truth.0).or_else(|| Reference::measured(&recording.truth));
        let is_true = truth.is_some();
        let reference = match truth {
            Some(truth) => truth,
            None => Reference::hindsight(exchanges, &rerun)?,
        };
        let mut session = Evaluation {
            name,
            is_true,
            strays,
            moved,
            false_refusal,
            length_s: 0.0,
            reads: reads(&rerun, &reference, start),
            exchanges: points(exchanges, &rerun, &reference, start),
            recording,
            rerun,
            reference,
            start,
        };
        let ends =
            session.reads.iter().map(|it| it.at_s).chain(session.exchanges.iter().map(|it| it.arrived_s));
        session.length_s = ends.fold(0.0, f64::max);
        if session.recording.round_trips_only && !is_true {
            // The server's timestamps were derived from the client's, so all errors would be zero.
            session.reads.iter_mut().for_each(|it| (it.error, it.proven) = (None, None));
        }
        let broken = session.impossible_figure();
        ensure!(broken.is_none(), "{}: impossible figure: {}", session.name, broken.unwrap_or_default());
        Ok(session)
    }

    fn impossible_figure(&self) -> Option<String> {
        let is_delay = |it: &ExchangePoint| {
            let whole = 0.0..=it.round_trip;
            whole.contains(&it.up) && whole.contains(&it.down)
        };
        let is_within = |it: &ReadPoint| match (it.error, it.bound, it.proven) {
            (Some(error), Some(bound), Some((least, most))) => {
                let size = error.abs();
                // The bound does not cover undetected steps.
                let is_promise = least <= bound;
                (size <= bound + ROUNDING_MS || !is_promise)
                    && (least - ROUNDING_MS..=most + ROUNDING_MS).contains(&size)
            }
            _ => true,
        };
        let delay = self.exchanges.iter().find(|it| it.outcome.is_ok() && !is_delay(it));
        let error = self.reads.iter().find(|it| !self.is_true && !is_within(it));
        delay.map(|it| format!("{it:?}")).or(error.map(|it| format!("{it:?}")))
    }

    pub(crate) fn seconds(&self, local: LocalTime) -> f64 {
        (local - self.start).as_secs_f64()
    }

    pub(crate) fn has_impossible(&self) -> bool {
        self.rerun.outcomes.iter().any(foreign::is_impossible)
    }

    pub(crate) fn largest_error(&self, from: f64, to: f64) -> Option<f64> {
        let within = self.reads.iter().filter(|shown| (from..=to).contains(&shown.at_s));
        within.filter_map(|shown| shown.error).map(f64::abs).max_by(f64::total_cmp)
    }
}

fn start(recorded: &[Recorded]) -> LocalTime {
    let usable = |it: &&Recorded| matches!(it.sample.outcome, Ok(()) | Err(Refusal::Contradiction));
    let first = recorded.iter().find(usable).or(recorded.first());
    first.map_or(LocalTime::from_ticks(0), |first| {
        first.sample.client_sent.unwrap_or(first.sample.client_received)
    })
}

fn reads(rerun: &Rerun, reference: &Reference, start: LocalTime) -> Vec<ReadPoint> {
    let mut all = Vec::with_capacity(rerun.moments.len());
    for moment in rerun.moments.iter().filter(|moment| moment.reading.state != State::Unsynced) {
        let (reading, local) = (&moment.reading, moment.local);
        let offset = reading.server_time.ticks().saturating_sub(local.ticks());
        let known = reference.at(reading.server_epoch, moment.index, local);
        let above = |known: i64| offset.saturating_sub(known) as f64 / TICKS_PER_MS;
        let keeps = reference.line(reading.server_epoch, moment.index).is_some_and(|it| it.keeps_contract);
        let proven = known.filter(|_| keeps).map(|known| {
            let (low, high) = (above(known.most), above(known.least));
            (low.max(-high).max(0.0), high.max(-low))
        });
        all.push(ReadPoint {
            at_s: (local - start).as_secs_f64(),
            error: known.map(|known| above(known.estimate)),
            proven,
            bound: finite_ms(reading.error_bound),
            expected: finite_ms(reading.expected_error),
            rate_ppm: reading.frequency_ppm,
            epoch: reading.epoch,
        });
    }
    all
}

fn points(
    recorded: &[Recorded],
    rerun: &Rerun,
    reference: &Reference,
    start: LocalTime,
) -> Vec<ExchangePoint> {
    let epoch = |index: usize| {
        let after = rerun.moments.partition_point(|moment| moment.index < index);
        rerun.moments.get(after).or(rerun.moments.last()).map_or(0, |moment| moment.reading.server_epoch)
    };
    let point = |(index, it): (usize, &Recorded)| {
        let exchange = it.sample.exchange()?;
        let epoch = it.sample.server_epoch.unwrap_or_else(|| epoch(index));
        let offset = |local: LocalTime| reference.at(epoch, index, local).map(|it| it.estimate);
        let (sent, received) = (exchange.client_sent, exchange.client_received);
        let up = exchange.server_received.ticks().saturating_sub(sent.ticks());
        let down = exchange.server_sent.ticks().saturating_sub(received.ticks());
        // A fast server clock overstates the hold time, so the round trip may be negative.
        let round_trip = exchange.round_trip().as_millis_f64().max(0.0);
        let up = up.saturating_sub(offset(sent)?) as f64 / TICKS_PER_MS;
        let down = offset(received)?.saturating_sub(down) as f64 / TICKS_PER_MS;
        // A rate difference can make a delay negative or longer than the round trip.
        let delay = |ms: f64| if it.sample.outcome.is_ok() { ms.clamp(0.0, round_trip) } else { ms };
        Some(ExchangePoint {
            sent_s: (sent - start).as_secs_f64(),
            arrived_s: (received - start).as_secs_f64(),
            up: delay(up),
            down: delay(down),
            round_trip,
            rate_error: reference.line(epoch, index).map_or(0.0, |line| line.rate_error),
            held: (exchange.server_sent - exchange.server_received).as_millis_f64(),
            server_s: exchange.server_sent.as_secs_f64(),
            at_once: 0.0,
            outcome: it.sample.outcome,
        })
    };
    let mut all: Vec<ExchangePoint> = recorded.iter().enumerate().filter_map(point).collect();
    let arrival_ms = |it: &ExchangePoint| it.sent_s * 1e3 + it.up;
    for first in 0..all.len() {
        let arrival = arrival_ms(&all[first]);
        let with = all[first..].iter().take_while(|it| (arrival_ms(it) - arrival).abs() <= AT_ONCE_MS);
        let last = with.map(|it| it.sent_s).fold(f64::NEG_INFINITY, f64::max);
        all[first].at_once = (last - all[first].sent_s) * 1e3;
    }
    all
}

/// Returns a time since the start as `1:02:03` or `2:03`, with tenths below a minute.
pub(crate) fn clock(seconds: f64) -> String {
    let tenths = (seconds.max(0.0) * 10.0).round() as u64;
    let (whole, tenth) = (tenths / 10, tenths % 10);
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    match (hours, minutes) {
        (0, 0) => format!("0:{rest:02}.{tenth}"),
        (0, _) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulate::simulate;
    use super::*;
    use crate::scenario;
    use netclock::Config;
    use netclock_sim::{nearest_rank, sorted};

    /// Returns the displayed time's median error, and the hindsight estimate's median and largest errors.
    fn sizes(name: &str) -> [f64; 3] {
        let case = scenario::find(name).unwrap();
        let session = simulate(&case, &Config::default(), 600.0, 5, &[]).unwrap();
        let hindsight = Evaluation::of(name, session.recording.clone()).unwrap();
        let judged = Evaluation::of_simulated(name, session).unwrap();
        let pairs = || judged.reads.iter().zip(&hindsight.reads);
        assert!(pairs().all(|(a, b)| a.at_s == b.at_s));
        let shown = sorted(judged.reads.iter().filter_map(|it| Some(it.error?.abs())));
        let wrong = sorted(pairs().filter_map(|(a, b)| Some((a.error? - b.error?).abs())));
        let of = |sizes: &[f64], share: f64| nearest_rank(sizes, share).unwrap();
        [of(&shown, 0.5), of(&wrong, 0.5), of(&wrong, 1.0)]
    }

    #[test]
    fn times_are_formatted_as_hours_minutes_and_seconds() {
        let formatted = [0.04, 9.96, 61.0, 3599.96, 7325.0, -1.0].map(clock);
        assert_eq!(formatted, ["0:00.0", "0:10.0", "1:01", "1:00:00", "2:02:05", "0:00.0"]);
    }

    #[test]
    fn hindsight_is_more_accurate_than_the_shown_time() {
        for (name, largest) in
            [("wifi", 0.4), ("uplink_bloat", 0.4), ("route_forward", 0.4), ("drift_80", 0.4)]
        {
            let [shown, hindsight, worst] = sizes(name);
            println!("{name}: shown {shown} ms, hindsight {hindsight} ms, at most {worst} ms");
            assert!(hindsight < shown.max(0.05), "{name}: {shown} {hindsight} {worst}");
            assert!(worst < largest, "{name}: {shown} {hindsight} {worst}");
        }
    }
}
