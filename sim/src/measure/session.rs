//! One run on a case: a network, and the exchanges that every clock gets there.

use super::estimator::{Estimator, Wire};
use super::metrics::{Read, Score};
use super::run::{Watch, own_schedule, same_stream};
use super::stream::Stream;
use crate::case::Case;
use crate::network::{Exchange, Network};

/// What all clocks share in one run.
pub struct Session {
    /// The clocks and the path.
    pub network: Network,
    /// None if each clock probes on its own schedule.
    stream: Option<Stream>,
    watch: Watch,
}

impl Session {
    /// A run on `case`. With `poll_s`, all clocks get the same exchanges, one every `poll_s` seconds. Without
    /// it, each clock sends probes on its own schedule.
    pub fn new(case: &Case, watch: Watch, poll_s: Option<f64>, seed: u64) -> Self {
        let mut network = case.network(watch.seconds, seed);
        let stream = poll_s.map(|poll_s| Stream::record(&mut network, poll_s, watch.seconds, seed));
        Self { network, stream, watch }
    }

    /// A run in which all clocks get the exchanges that `asking` makes on its own schedule.
    pub fn asked_by(asking: &mut dyn Estimator, case: &Case, watch: Watch, seed: u64) -> Self {
        let network = case.network(watch.seconds, seed);
        let mut recorded = Recorded { asking, stream: Stream::default() };
        own_schedule(network.clone(), &mut recorded, watch, |_| ());
        Self { network, stream: Some(recorded.stream), watch }
    }

    /// Runs a clock. `observe` gets every read.
    pub fn run(&self, estimator: &mut dyn Estimator, observe: impl FnMut(&Read)) -> Score {
        match &self.stream {
            Some(stream) => same_stream(&self.network, stream, estimator, self.watch, observe),
            None => own_schedule(self.network.clone(), estimator, self.watch, observe),
        }
    }
}

/// A clock whose exchanges are written down. Its requests are not: only clocks that need no schedule get
/// them.
struct Recorded<'a> {
    asking: &'a mut dyn Estimator,
    stream: Stream,
}

impl Estimator for Recorded<'_> {
    fn name(&self) -> &'static str {
        self.asking.name()
    }

    fn on_send(&mut self, id: u64, local: i64) {
        self.asking.on_send(id, local);
    }

    fn on_exchange(&mut self, exchange: &Exchange) {
        self.stream.exchanges.push(*exchange);
        self.asking.on_exchange(exchange);
    }

    fn sees_copies(&self) -> bool {
        self.asking.sees_copies()
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        self.asking.shown(local)
    }

    fn wants_probe(&mut self, local: i64) -> bool {
        self.asking.wants_probe(local)
    }

    fn wire(&self) -> Wire {
        self.asking.wire()
    }
}
