//! Simulates a client and its server frame by frame, and checks the clock in every frame.

use netclock::{
    Client, Config, Event, Exchange, LocalTime, Reading, Refusal, Request, Sample, ServerTime, Span, State,
};

use crate::remote::{Remote, Run};
use crate::{Account, LegConfig, seed};

/// The default of `NETCLOCK_TEST_SEED`.
pub const SEED: u64 = 2026;
const START: LocalTime = LocalTime::from_ticks(5_000_000_000);

/// Times are in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub forward: f64,
    pub reverse: f64,
    pub jitter: f64,
    pub loss: f64,
    pub duplicates: f64,
    /// Rate error of the server's clock relative to the client's (ppm).
    pub ppm: f64,
    pub frame: f64,
}

impl Default for Link {
    fn default() -> Self {
        Link { forward: 25.0, reverse: 25.0, jitter: 4.0, loss: 0.0, duplicates: 0.0, ppm: 20.0, frame: 16.0 }
    }
}

impl Link {
    pub fn legs(&self) -> [LegConfig; 2] {
        let Link { forward, reverse, jitter: jitter_ms, loss, duplicates: duplicate, .. } = *self;
        [(forward, 0.0), (reverse, duplicate)].map(|(base_ms, duplicate)| LegConfig {
            base_ms,
            jitter_ms,
            loss,
            duplicate,
            ..LegConfig::default()
        })
    }
}

#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    /// Compares every shown time with the server's clock.
    pub account: Account,
    pub worst_ms: f64,
    /// Largest |d shown / d local - 1| between two reads of an epoch, allowing for a tick of rounding.
    pub largest_rate_deviation: f64,
    pub requests: u32,
    /// All exchanges passed to the client, including rejected ones.
    pub exchanges: Vec<Exchange>,
    pub refusals: Vec<Refusal>,
    pub events: Vec<Event>,
}

pub struct Pair {
    pub client: Client,
    pub server: Remote,
    pub link: Link,
    pub now: LocalTime,
    /// Delays that an on-path attacker adds to a request and its reply.
    pub holds: Option<Box<dyn FnMut() -> [Span; 2]>>,
    last: Option<(LocalTime, Reading)>,
}

impl Pair {
    pub fn new(link: Link) -> Self {
        Self::with_config(link, Config::default())
    }

    pub fn with_config(link: Link, config: Config) -> Self {
        Self::numbered(link, config, 0)
    }

    pub fn numbered(link: Link, config: Config, number: u64) -> Self {
        let seed = seed(SEED).wrapping_add(number);
        let run = Run { rate_ppb: (link.ppm * 1e3).round() as i64, ..Run::default() };
        Pair {
            client: Client::new(config, u128::from(seed).max(1)).expect("the configuration is valid"),
            server: Remote::new(&link.legs(), run, seed),
            link,
            now: START,
            holds: None,
            last: None,
        }
    }

    pub fn truth(&self, local: LocalTime) -> ServerTime {
        self.server.run.truth(local)
    }

    pub fn set_server_ahead(&mut self, by: Span) {
        self.server.run.offset = self.server.run.offset + by;
    }

    /// Changes the rate relative to the client's clock (ppm) without a step.
    pub fn set_server_rate(&mut self, ppm: f64) {
        let before = self.truth(self.now);
        self.server.run.rate_ppb = (ppm * 1e3).round() as i64;
        self.set_server_ahead(before - self.truth(self.now));
    }

    /// The new server's clock is ahead of the client's by `offset`.
    pub fn restart_server(&mut self, epoch: u64, offset: Span) {
        (self.server.run.epoch, self.server.run.offset) = (epoch, offset);
    }

    pub fn run(&mut self, seconds: f64) -> RunRecord {
        let mut seen = RunRecord::default();
        if let Some((_, before)) = &self.last {
            seen.account.goes_back(before.epoch, before.server_time.ticks());
        }
        let end = self.now + Span::from_secs_f64(seconds);
        while self.now < end {
            self.now += Span::from_secs_f64(self.link.frame / 1000.0);
            self.frame(&mut seen);
        }
        seen
    }

    fn frame(&mut self, seen: &mut RunRecord) {
        while let Some((arrived, reply)) = self.server.next_reply(self.now) {
            seen.refusals.extend(self.client.handle_reply(&reply, arrived).err());
            seen.exchanges.extend(self.client.last_sample().and_then(Sample::exchange));
        }
        if let Ok(Some(request)) = self.client.tick(self.now) {
            seen.requests += 1;
            self.send(&request);
        }
        seen.events.extend(std::iter::from_fn(|| self.client.next_event()));
        self.judge(seen);
    }

    pub fn send(&mut self, request: &Request) {
        [self.server.up.config, self.server.down.config] = self.link.legs();
        let held = self.holds.as_mut().map_or([Span::ZERO; 2], |holds| holds());
        self.server.ask_held(request, self.now, held);
    }

    fn judge(&mut self, seen: &mut RunRecord) {
        let reading = self.client.read(self.now);
        if reading.state == State::Unsynced {
            return;
        }
        let rival = self.server.rival.filter(|rival| rival.epoch == reading.server_epoch);
        let truth = rival.unwrap_or(self.server.run).truth(self.now);
        // A bound from the previous epoch does not apply to this one.
        let is_of_this_run = reading.server_epoch == self.server.run.epoch || rival.is_some();
        let error_bound = if is_of_this_run { reading.error_bound } else { Span::MAX };
        let error = seen.account.add(&Reading { error_bound, ..reading }, truth);
        seen.worst_ms = seen.worst_ms.max(error.abs().as_millis_f64());
        if let Some((then, before)) = self.last.replace((self.now, reading)) {
            if before.epoch == reading.epoch {
                let (advanced, elapsed) = (reading.server_time - before.server_time, self.now - then);
                // Rounding may add one tick per frame.
                let deviation =
                    ((advanced - elapsed).abs().ticks() - 1).max(0) as f64 / elapsed.ticks() as f64;
                seen.largest_rate_deviation = seen.largest_rate_deviation.max(deviation);
            }
        }
    }
}
