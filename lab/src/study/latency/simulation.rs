//! Simulates the latency watch on a path, and the playback speed that hides a change.
//!
//! A step delays all later messages in its direction, so steps can also be added to recorded paths.

use anyhow::Result;
use netclock::Direction;
use netclock::latency::{LatencyConfig, LatencyWatch};
use netclock::{LocalTime, Span};

use netclock_sim::{
    Case, Estimator, Network, Product, Stream, TICKS_PER_MS, TICKS_PER_S, sorted, upper_median,
};

/// A report is correct if the medians of the true delays before and after the change differ. Each median
/// covers at most this time, and no other reported change in the same direction.
const AROUND_S: f64 = 30.0;
/// The medians must rise or fall as reported, by at least this fraction of the minimum change.
const SHARE: f64 = 0.5;
const FRAMES: f64 = 60.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub at_s: f64,
    /// 0 for delays to the server, 1 for delays to the client.
    pub way: usize,
    pub ms: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub found_s: f64,
    pub since_s: f64,
    pub way: usize,
    pub before_ms: f64,
    pub after_ms: f64,
    pub is_right: bool,
}

impl Report {
    pub fn change_ms(&self) -> f64 {
        self.after_ms - self.before_ms
    }
}

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub reports: Vec<Report>,
    /// How far the avatar is ahead at the end of the session because of the changed speed.
    pub hidden_ms: f64,
    pub sharpest: f64,
    pub furthest: f64,
    /// The arrival of each exchange (s), the true delays to the server and back (ms), and the speed.
    pub trail: Vec<(f64, f64, f64, f64)>,
}

#[derive(Clone, Debug)]
pub struct WatchConfig {
    pub seconds: f64,
    pub every_s: f64,
    pub steps: Vec<Step>,
    pub plays: bool,
    pub config: LatencyConfig,
}

pub fn watch(case: &Case, session: &WatchConfig, seed: u64) -> Result<Outcome> {
    let mut network = case.network(session.seconds, seed);
    let mut stream = Stream::record(&mut network, session.every_s, session.seconds, seed);
    delay(&mut stream, &session.steps);
    let mut clock = Product::new(&network, false, seed)?;
    let mut watch = LatencyWatch::new(&session.config)?;
    let mut outcome = Outcome::default();
    let mut game = SpeedReader::default();
    let mut departures = stream.departures.iter().peekable();
    for exchange in &stream.exchanges {
        while let Some(departure) = departures.next_if(|departure| departure.at_s <= exchange.arrived_s) {
            clock.on_send(departure.id, departure.t0);
        }
        if session.plays {
            game.play(&mut watch, &network, exchange.arrived_s, &mut outcome);
        }
        clock.on_exchange(exchange);
        watch.follow(&clock.client)?;
        while let Some(change) = watch.next_change() {
            outcome.reports.push(Report {
                found_s: network.clocks.server_when_client(change.found.ticks()) / TICKS_PER_S,
                since_s: network.clocks.server_when_client(change.since.ticks()) / TICKS_PER_S,
                way: usize::from(change.direction == Direction::ToClient),
                before_ms: change.before.as_millis_f64(),
                after_ms: change.after.as_millis_f64(),
                is_right: false,
            });
        }
        let truth = |a: f64, b: f64| (a - b) / TICKS_PER_MS;
        let at = |local| network.clocks.server_when_client(local);
        let server = |time| network.clocks.since_start(time);
        let up = truth(server(exchange.t1), at(exchange.t0));
        let down = truth(at(exchange.t3), server(exchange.t2));
        let speed = watch.speed(LocalTime::from_ticks(exchange.t3));
        outcome.trail.push((exchange.arrived_s, up, down, speed.scale));
    }
    let end = LocalTime::from_ticks(network.clocks.client(session.seconds)) + Span::from_secs(60);
    outcome.hidden_ms = watch.speed(end).done.as_millis_f64();
    let least_ms = session.config.least_change.as_millis_f64();
    judge(&mut outcome, least_ms);
    if case.is_constant() && session.steps.is_empty() {
        outcome.reports.iter_mut().for_each(|report| report.is_right = false);
    }
    Ok(outcome)
}

#[derive(Default)]
struct SpeedReader {
    frame: u64,
    scale: Option<f64>,
}

impl SpeedReader {
    fn play(&mut self, watch: &mut LatencyWatch, network: &Network, until_s: f64, outcome: &mut Outcome) {
        while self.frame as f64 / FRAMES < until_s {
            let now = network.clocks.client(self.frame as f64 / FRAMES);
            let scale = watch.speed(LocalTime::from_ticks(now)).scale;
            let last = self.scale.replace(scale).unwrap_or(scale);
            outcome.sharpest = outcome.sharpest.max((scale - last).abs() * FRAMES);
            outcome.furthest = outcome.furthest.max((scale - 1.0).abs());
            self.frame += 1;
        }
    }
}

fn delay(stream: &mut Stream, steps: &[Step]) {
    for exchange in &mut stream.exchanges {
        let sent_s = stream.departures[exchange.id as usize].at_s;
        let sum = |way: usize| -> f64 {
            steps.iter().filter(|step| step.way == way && step.at_s <= sent_s).map(|step| step.ms).sum()
        };
        let [up, down] = [sum(0), sum(1)].map(|ms| (ms * TICKS_PER_MS) as i64);
        exchange.t1 += up;
        exchange.t2 += up;
        exchange.t3 += up + down;
        exchange.arrived_s += (up + down) as f64 / TICKS_PER_S;
    }
    // These are not sorted by `arrived_s`, because the client's clock counts the added delays at its own
    // rate.
    stream.exchanges.sort_by_key(|exchange| exchange.t3);
}

fn judge(outcome: &mut Outcome, least_ms: f64) {
    let reports = outcome.reports.clone();
    for (index, report) in outcome.reports.iter_mut().enumerate() {
        let same = |other: &&Report| other.way == report.way;
        let from_s = reports[..index].iter().rev().find(same).map_or(0.0, |last| last.since_s);
        let until_s = reports[index + 1..].iter().find(same).map_or(f64::INFINITY, |next| next.since_s);
        let since_s = report.since_s - 1e-3;
        let median = |from_s: f64, until_s: f64| {
            let first = outcome.trail.partition_point(|point| point.0 < from_s);
            let last = outcome.trail.partition_point(|point| point.0 < until_s);
            let of = |point: &(f64, f64, f64, f64)| if report.way == 0 { point.1 } else { point.2 };
            upper_median(&sorted(outcome.trail[first..last].iter().map(of)))
        };
        let after = median(since_s, until_s.min(since_s + AROUND_S));
        let agrees = |before: Option<f64>| {
            let change = before.zip(after).map_or(0.0, |(before, after)| after - before);
            change * report.change_ms().signum() >= SHARE * least_ms
        };
        report.is_right = agrees(median(from_s.max(since_s - AROUND_S), since_s))
            || agrees(median(from_s, since_s.min(from_s + AROUND_S)));
    }
}
