use std::collections::VecDeque;
use std::iter;

use netclock::{
    Client, Config, CreateError, Degradation, Earlier, Event, LocalTime, RateHint, Reading, Reply, RequestId,
    ServerTime, Span, State, wire,
};

use super::estimator::{Estimator, Wire};
use crate::{Exchange, Loops, Network, known_waits};

pub const PRODUCT: &str = "netclock";

const REMEMBERED: usize = 64;
/// The simulated server never restarts.
const SERVER_EPOCH: u64 = 1;
/// With prescribed exchanges, the client is not called in every frame. The time between calls must not count
/// as a gap.
const NO_GAP: Span = Span::from_secs(86_400);

/// NetClock's client, and its request ids by the simulator's exchange ids.
pub struct Product {
    pub client: Client,
    own_schedule: bool,
    loops: Loops,
    /// A due request that has not been sent.
    ready: Option<RequestId>,
    requests: VecDeque<(u64, RequestId)>,
}

impl Product {
    /// Uses default settings, plus the resolutions and frame periods that the game knows.
    pub fn new(network: &Network, own_schedule: bool, seed: u64) -> Result<Self, CreateError> {
        Self::with_saved(&Config::default(), network, own_schedule, seed, &Earlier::NONE)
    }

    /// Like [`new`](Self::new), with custom settings and the saved state of an earlier session.
    pub fn with_saved(
        settings: &Config,
        network: &Network,
        own_schedule: bool,
        seed: u64,
        earlier: &Earlier<'_>,
    ) -> Result<Self, CreateError> {
        let local_gap = if own_schedule { settings.local_gap } else { NO_GAP };
        let config = Config { local_gap, ..told(settings, network) };
        Ok(Self {
            client: Client::with_saved(config, u128::from(seed).max(1), earlier)?,
            own_schedule,
            loops: network.loops,
            ready: None,
            requests: VecDeque::with_capacity(REMEMBERED),
        })
    }
}

/// Uncertainty of a hint about a crystal's rate (ppm, one sigma).
const HINT_DOUBT_PPM: f64 = 1.0;

/// Adds the resolutions, frame periods and crystal rate that the game knows.
pub fn told(settings: &Config, network: &Network) -> Config {
    let (client_frame, server_frame) = network.told_periods();
    let hint = network.hint_ppm.map(|ppm| RateHint { ppm, doubt_ppm: HINT_DOUBT_PPM });
    // The client rejects hints beyond its maximum drift.
    let least_drift_ppm = network.hint_ppm.map_or(0.0, f64::abs);
    Config {
        client_rate: hint.unwrap_or(settings.client_rate),
        client_drift_ppm: settings.client_drift_ppm.max(least_drift_ppm),
        client_resolution: Span::from_ticks(network.clocks.client_resolution),
        server_resolution: Span::from_ticks(network.clocks.server_resolution),
        client_frame: Span::from_secs_f64(client_frame),
        server_frame: Span::from_secs_f64(server_frame),
        ..*settings
    }
}

/// Returns whether the events declare a step or a slew.
pub fn declared(events: impl Iterator<Item = Event>) -> [bool; 2] {
    events.fold([false; 2], |[step, slew], event| {
        let is_step = matches!(event, Event::Discontinuity { .. });
        [step || is_step, slew || event == Event::Degraded(Degradation::Slewed)]
    })
}

impl Estimator for Product {
    fn on_send(&mut self, id: u64, local: i64) {
        let made = || self.client.make_request(LocalTime::from_ticks(local)).ok().map(|request| request.id);
        if let Some(request) = self.ready.take().or_else(made) {
            if self.requests.len() == REMEMBERED {
                self.requests.pop_front();
            }
            self.requests.push_back((id, request));
        }
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let Some(&(_, id)) = self.requests.iter().find(|(id, _)| *id == x.id) else { return };
        let (received, sent) = (ServerTime::from_ticks(x.t1), ServerTime::from_ticks(x.t2));
        let arrived = LocalTime::from_ticks(x.t3);
        let [wait, client_wait] = known_waits(x, self.loops);
        if let Some(client_wait) = client_wait {
            let _ = self.client.polled(arrived - client_wait);
        }
        let reply = Reply { id, epoch: SERVER_EPOCH, received, sent, wait };
        // The client rejects some replies, such as duplicates.
        let _ = self.client.handle_reply(&reply, arrived);
    }

    fn sees_copies(&self) -> bool {
        true
    }

    fn reading(&mut self, local: i64) -> Option<Reading> {
        let reading = self.client.read(LocalTime::from_ticks(local));
        (reading.state != State::Unsynced).then_some(reading)
    }

    fn declared(&mut self) -> [bool; 2] {
        declared(iter::from_fn(|| self.client.next_event()))
    }

    fn wants_probe(&mut self, local: i64) -> bool {
        debug_assert!(self.own_schedule);
        self.ready = self.client.tick(LocalTime::from_ticks(local)).ok().flatten().map(|request| request.id);
        self.ready.is_some()
    }

    fn wire(&self) -> Wire {
        Wire { request: wire::SIZE as u64, reply: wire::SIZE as u64 }
    }
}
