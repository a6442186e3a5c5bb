use crate::{Exchange, Network, Random};

const BURST: usize = 10;
const BURST_GAP_S: f64 = 0.030;
/// Probe intervals vary by this share in either direction, so that probes do not lock to a frame phase.
const SPREAD: f64 = 0.10;

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
