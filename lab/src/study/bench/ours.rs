//! NetClock's clocks in the bench: the plain one is the simulator's [`Product`].

use std::collections::VecDeque;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{Client, Config, Earlier, LocalTime, RateHint, Reading, Saved, ServerTime, State};

use crate::baseline::hinted_learner;
use netclock_sim::{Case, Estimator, Exchange, Network, Product, Random, Stream, Wire, declared, told};

/// NetClock with the state saved by an earlier session with the same server.
pub const WARM: &str = "netclock_warm";
/// NetClock with a rate hint for each of the two crystals.
pub const HINTED: &str = "netclock_hinted";

const EARLIER_S: f64 = 600.0;
const EARLIER_POLL_S: f64 = 1.0;
const EARLIER_SEED: u64 = 0x6561_726C_6965_7200;
const BETWEEN_S: i64 = 86_400;
const BOOT: u64 = 1;
const OTHER_BOOT: u64 = 2;
/// The uncertainty of what a system knows about its own crystal's rate (one sigma).
const HINT_DOUBT_PPM: f64 = 1.0;
/// The uncertainty of the rate that a server with a disciplined clock reports (one sigma).
const STATED_DOUBT_PPM: f64 = 0.1;

#[derive(Clone, Copy, Debug)]
pub struct Knowing {
    /// The change in each crystal's rate since the earlier session (one sigma).
    pub moved_ppm: f64,
    /// The change in the relative rate, in a random direction, if the client's machine has rebooted since the
    /// earlier session. `None` means that the machine has not rebooted.
    pub boot_ppm: Option<f64>,
    /// The error of the client's rate hint in addition to its stated uncertainty.
    pub hint_off_ppm: f64,
}

impl Default for Knowing {
    fn default() -> Self {
        Self { moved_ppm: 1.5, boot_ppm: None, hint_off_ppm: 0.0 }
    }
}

impl Knowing {
    pub(super) fn warm(
        &self,
        settings: &Config,
        own_schedule: bool,
        case: &Case,
        network: &Network,
        seed: u64,
    ) -> Result<Box<dyn Estimator>> {
        let saved = self.saved(settings, case, seed)?;
        let earlier = saved.as_ref().map_or(Earlier::NONE, |saved| Earlier {
            machine: &saved.machine,
            server: &saved.server,
            seconds: BETWEEN_S,
            boot: if self.boot_ppm.is_some() { OTHER_BOOT } else { BOOT },
        });
        Ok(Box::new(Product::with_saved(settings, network, own_schedule, seed, &earlier)?))
    }

    /// Returns the state saved by an earlier session with other rates, or `None` if that session learned too
    /// little.
    fn saved(&self, settings: &Config, case: &Case, seed: u64) -> Result<Option<Saved>> {
        let mut case = case.clone();
        let mut random = Random::new(seed, "crystals between sessions");
        let moved = random.normal(self.moved_ppm) - random.normal(self.moved_ppm);
        let jumped = self.boot_ppm.map_or(0.0, |ppm| if random.chance(0.5) { ppm } else { -ppm });
        case.network.clock.drift_ppm += moved + jumped;
        let seed = seed ^ EARLIER_SEED;
        let mut network = case.network(EARLIER_S, seed);
        let stream = Stream::record(&mut network, EARLIER_POLL_S, EARLIER_S, seed);
        let first = Earlier { boot: BOOT, ..Earlier::NONE };
        let mut product = Product::with_saved(settings, &network, false, seed, &first)?;
        let mut departures = stream.departures.iter().peekable();
        for exchange in &stream.exchanges {
            while let Some(departure) = departures.next_if(|departure| departure.at_s <= exchange.arrived_s) {
                product.on_send(departure.id, departure.t0);
            }
            product.on_exchange(exchange);
        }
        Ok(product.client.save(0))
    }

    pub(super) fn limit(&self, network: &Network, seed: u64) -> Option<Box<dyn Estimator>> {
        let [client, server] = self.hints(network, seed);
        hinted_learner(network, client.ppm - server.ppm, client.doubt_ppm.hypot(server.doubt_ppm))
    }

    fn hints(&self, network: &Network, seed: u64) -> [RateHint; 2] {
        let mut random = Random::new(seed, "hints");
        let mut hint = |truth: f64, doubt_ppm| RateHint { ppm: truth + random.normal(doubt_ppm), doubt_ppm };
        let client = hint(network.clocks.drift_ppm + self.hint_off_ppm, HINT_DOUBT_PPM);
        [client, hint(0.0, STATED_DOUBT_PPM)]
    }

    pub(super) fn hinted(
        &self,
        settings: &Config,
        own_schedule: bool,
        network: &Network,
        seed: u64,
    ) -> Result<Box<dyn Estimator>> {
        let [client_rate, server_rate] = self.hints(network, seed);
        let client_drift_ppm = settings.client_drift_ppm.max(client_rate.ppm.abs());
        let hinted = Config { client_drift_ppm, client_rate, server_rate, ..*settings };
        Ok(Box::new(Product::with_saved(&hinted, network, own_schedule, seed, &Earlier::NONE)?))
    }
}

/// NetClock over its link. Each exchange is sent as real datagrams between the link's two ends.
pub const LINKED: &str = "netclock_link";

const REMEMBERED: usize = 64;

pub(super) struct Linked {
    client: LinkedClient,
    server: ServerLink,
    ready: Option<Vec<u8>>,
    sent: VecDeque<(u64, Vec<u8>)>,
}

impl Linked {
    pub(super) fn new(settings: &Config, network: &Network, seed: u64) -> Result<Self> {
        let key = SessionKey::new(1, [7; 16])?;
        let mut server = ServerLink::new(ServerLinkConfig::default(), seed.max(1))?;
        server.admit(&key)?;
        let client = Client::new(told(settings, network), u128::from(seed).max(1))?;
        let client = LinkedClient::new(client, &key, ClientLinkConfig::default())?;
        let sent = VecDeque::with_capacity(REMEMBERED);
        Ok(Self { client, server, ready: None, sent })
    }
}

impl Estimator for Linked {
    fn on_send(&mut self, id: u64, _: i64) {
        if self.sent.len() == REMEMBERED {
            self.sent.pop_front();
        }
        self.sent.extend(self.ready.take().map(|datagram| (id, datagram)));
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let Some((_, datagram)) = self.sent.iter().find(|(id, _)| *id == x.id) else { return };
        let [received, sent] = [x.t1, x.t2].map(ServerTime::from_ticks);
        let mut answer = [0; DATAGRAM];
        // The server may reject a repeated request, and the client a repeated reply.
        if let Ok(answer) = self.server.answer(datagram, received, sent, &mut answer) {
            let _ = self.client.take(&answer, LocalTime::from_ticks(x.t3));
        }
    }

    fn sees_copies(&self) -> bool {
        true
    }

    fn reading(&mut self, local: i64) -> Option<Reading> {
        let reading = self.client.read(LocalTime::from_ticks(local));
        (reading.state != State::Unsynced).then_some(reading)
    }

    fn declared(&mut self) -> [bool; 2] {
        declared(std::iter::from_fn(|| self.client.next_event()))
    }

    fn wants_probe(&mut self, local: i64) -> bool {
        self.ready = self.client.due(LocalTime::from_ticks(local)).ok().flatten().map(|it| it.to_vec());
        self.ready.is_some()
    }

    fn wire(&self) -> Wire {
        Wire { request: DATAGRAM as u64, reply: DATAGRAM as u64 }
    }
}
