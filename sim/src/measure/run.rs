use super::estimator::Estimator;
use super::metrics::{Read, Recorder, Score};
use crate::{Case, Exchange, Network, Random};

const READS_PER_S: f64 = 60.0;
/// Runs longer than this read the clock less often (s).
const LONG_RUN_S: f64 = 1800.0;
const LONG_RUN_READS_PER_S: f64 = 5.0;
const OWN_SCHEDULE_FPS: f64 = 60.0;
const BURST: usize = 10;
const BURST_GAP_S: f64 = 0.030;
/// Probe intervals vary by this share in either direction, so that probes do not lock to a frame phase.
const SPREAD: f64 = 0.10;

#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub seconds: f64,
    /// Reads before this time are excluded from the errors and from the coverage of the expected error (s).
    pub settle_cut_s: f64,
}

/// Runs a clock on recorded exchanges and passes every read to `observe`.
fn same_stream(
    network: &Network,
    stream: &Stream,
    estimator: &mut dyn Estimator,
    watch: Watch,
    mut observe: impl FnMut(&Read),
) -> Score {
    let mut recorder = Recorder::new(watch.settle_cut_s);
    let mut departures = stream.departures.iter().peekable();
    let mut exchanges = stream.exchanges.iter().peekable();
    let mut bytes = 0;
    for at_s in read_times(watch) {
        loop {
            let sent_s = departures.peek().map_or(f64::INFINITY, |departure| departure.at_s);
            let arrived_s = exchanges.peek().map_or(f64::INFINITY, |exchange| exchange.arrived_s);
            if sent_s.min(arrived_s) > at_s {
                break;
            }
            if sent_s <= arrived_s {
                if let Some(departure) = departures.next() {
                    estimator.on_send(departure.id, departure.t0);
                    bytes += estimator.wire().request;
                }
            } else if let Some(exchange) = exchanges.next() {
                bytes += estimator.wire().reply;
                deliver(estimator, exchange);
            }
        }
        look(network, estimator, at_s, &mut recorder, &mut observe);
    }
    Score { bytes, ..recorder.finish() }
}

/// Runs a clock that sends its own probes, at most one per client frame. Passes every read to `observe` and
/// returns the exchanges.
pub fn own_schedule(
    mut network: Network,
    estimator: &mut dyn Estimator,
    watch: Watch,
    mut observe: impl FnMut(&Read),
) -> (Score, Vec<Exchange>) {
    let mut recorder = Recorder::new(watch.settle_cut_s);
    let (mut bytes, mut delivered) = (0, Vec::new());
    // Replies in flight, latest first. Only a few replies are in flight, so insertion is cheap.
    let mut under_way: Vec<Exchange> = Vec::new();
    let mut next_id = 0;
    let mut turn = network.client_turn(0.0);
    for at_s in read_times(watch) {
        loop {
            let arrived_s = under_way.last().map_or(f64::INFINITY, |exchange| exchange.arrived_s);
            if turn.min(arrived_s) > at_s {
                break;
            }
            if arrived_s <= turn {
                if let Some(exchange) = under_way.pop() {
                    bytes += estimator.wire().reply;
                    delivered.extend(deliver(estimator, &exchange).then_some(exchange));
                }
                continue;
            }
            let local = network.clocks.client(turn);
            if estimator.wants_probe(local) {
                let flight = network.send(next_id, turn);
                estimator.on_send(next_id, flight.t0);
                bytes += estimator.wire().request;
                next_id += 1;
                for answer in flight.answers {
                    let place = under_way.partition_point(|other| other.arrived_s > answer.arrived_s);
                    under_way.insert(place, answer);
                }
            }
            let frame_s = if network.has_frames() { 1e-9 } else { 1.0 / OWN_SCHEDULE_FPS };
            turn = network.client_turn(turn + frame_s);
        }
        look(&network, estimator, at_s, &mut recorder, &mut observe);
    }
    (Score { bytes, ..recorder.finish() }, delivered)
}

fn read_times(watch: Watch) -> impl Iterator<Item = f64> {
    let step = 1.0 / if watch.seconds > LONG_RUN_S { LONG_RUN_READS_PER_S } else { READS_PER_S };
    let count = (watch.seconds / step) as u64;
    (1..=count).map(move |number| number as f64 * step)
}

/// Returns false if the clock ignores this exchange because it is a copy.
fn deliver(estimator: &mut dyn Estimator, exchange: &Exchange) -> bool {
    let is_wanted = !exchange.copy || estimator.sees_copies();
    if is_wanted {
        estimator.on_exchange(exchange);
    }
    is_wanted
}

fn look(
    network: &Network,
    estimator: &mut dyn Estimator,
    at_s: f64,
    recorder: &mut Recorder,
    observe: &mut impl FnMut(&Read),
) {
    let local = network.clocks.client(at_s);
    let reading = estimator.reading(local);
    let shown = reading.map(|reading| reading.server_time.ticks()).or_else(|| estimator.shown(local));
    let [declared_step, declared_slew] = estimator.declared();
    let read = Read {
        at_s,
        local,
        shown,
        error: shown.map_or(0.0, |shown| network.clocks.error(shown, at_s)),
        bound: reading.map(|reading| reading.error_bound.ticks()),
        expected: reading.map(|reading| reading.expected_error.ticks()),
        declared_step,
        declared_slew,
    };
    recorder.read(&read);
    observe(&read);
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    pub id: u64,
    pub at_s: f64,
    pub t0: i64,
}

/// Both lists are in chronological order.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// Includes lost probes.
    pub departures: Vec<Departure>,
    pub exchanges: Vec<Exchange>,
}

impl Stream {
    /// Records a burst and then a probe every `poll_s` seconds.
    pub fn record(network: &mut Network, poll_s: f64, seconds: f64, seed: u64) -> Self {
        let mut random = Random::new(seed, "probe times");
        let mut stream = Self::default();
        let mut due = 0.0;
        while due < seconds {
            let id = stream.departures.len() as u64;
            let turn = network.client_turn(due);
            let flight = network.send(id, turn);
            stream.departures.push(Departure { id, at_s: flight.sent_s, t0: flight.t0 });
            stream.exchanges.extend(flight.answers);
            due += if stream.departures.len() < BURST {
                BURST_GAP_S
            } else {
                poll_s * random.between(1.0 - SPREAD, 1.0 + SPREAD)
            };
        }
        stream.exchanges.sort_by(|a, b| a.arrived_s.total_cmp(&b.arrived_s));
        stream
    }
}

pub struct Session {
    pub network: Network,
    /// `None` if each clock probes on its own schedule.
    stream: Option<Stream>,
    watch: Watch,
}

impl Session {
    /// With `poll_s`, all clocks receive the same exchanges at this interval. Without `poll_s`, each clock
    /// sends its own probes.
    pub fn new(case: &Case, watch: Watch, poll_s: Option<f64>, seed: u64) -> Self {
        let mut network = case.network(watch.seconds, seed);
        let stream = poll_s.map(|poll_s| Stream::record(&mut network, poll_s, watch.seconds, seed));
        Self { network, stream, watch }
    }

    /// All clocks receive the exchanges that `asking` requested.
    pub fn asked_by(asking: &mut dyn Estimator, case: &Case, watch: Watch, seed: u64) -> Self {
        let network = case.network(watch.seconds, seed);
        let (_, exchanges) = own_schedule(network.clone(), asking, watch, |_| ());
        Self { network, stream: Some(Stream { departures: Vec::new(), exchanges }), watch }
    }

    pub fn run(&self, estimator: &mut dyn Estimator, observe: impl FnMut(&Read)) -> Score {
        match &self.stream {
            Some(stream) => same_stream(&self.network, stream, estimator, self.watch, observe),
            None => own_schedule(self.network.clone(), estimator, self.watch, observe).0,
        }
    }
}
