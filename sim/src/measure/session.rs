use super::estimator::Estimator;
use super::metrics::{Read, Score};
use super::run::{Watch, own_schedule, same_stream};
use super::stream::Stream;
use crate::{Case, Network};

pub struct Session {
    pub network: Network,
    /// `None` if each clock probes on its own schedule.
    stream: Option<Stream>,
    watch: Watch,
}

impl Session {
    /// With `poll_s`, all clocks receive the same exchanges at this interval. Otherwise, clocks send probes.
    pub fn new(case: &Case, watch: Watch, poll_s: Option<f64>, seed: u64) -> Self {
        let mut network = case.network(watch.seconds, seed);
        let stream = poll_s.map(|poll_s| Stream::record(&mut network, poll_s, watch.seconds, seed));
        Self { network, stream, watch }
    }

    /// All clocks receive the exchanges that `asking` requested.
    pub fn asked_by(asking: &mut dyn Estimator, case: &Case, watch: Watch, seed: u64) -> Self {
        let network = case.network(watch.seconds, seed);
        let (_, exchanges) = own_schedule(network.clone(), asking, watch, |_| ());
        // Departures only matter to clocks with their own schedule.
        Self { network, stream: Some(Stream { departures: Vec::new(), exchanges }), watch }
    }

    pub fn run(&self, estimator: &mut dyn Estimator, observe: impl FnMut(&Read)) -> Score {
        match &self.stream {
            Some(stream) => same_stream(&self.network, stream, estimator, self.watch, observe),
            None => own_schedule(self.network.clone(), estimator, self.watch, observe).0,
        }
    }
}
