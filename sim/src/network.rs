//! Simulates a client and a server with their clocks and frame loops, and the network between them.
//!
//! With frame loops, a probe leaves in the client's next frame. The server timestamps it at the start of its
//! next frame and replies at the end of that frame. The client timestamps the reply at the start of its next
//! frame. Without frame loops, a probe leaves at once, the server replies 50 us after its arrival, and both
//! sides timestamp messages on arrival.

use netclock::Span;
use serde::Deserialize;

use super::clock::{ClockConfig, Clocks};
use super::drawn::Drawn;
use super::frames::{FrameConfig, Frames};
use super::leg::{Leg, LegConfig};
use super::random::Random;
use super::trace::{Split, Trace};

/// Reply time of a server without a frame loop (s).
const HOLD_S: f64 = 50e-6;

/// What the game tells its clock about the frame loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loops {
    /// The nominal frame periods.
    #[default]
    Told,
    /// The time since the receiver's previous poll, for each message.
    Measured,
    Unknown,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    pub clock: ClockConfig,
    pub forward: LegConfig,
    pub reverse: LegConfig,
    pub client: Option<FrameConfig>,
    pub server: Option<FrameConfig>,
    /// Time from the start of a server frame to its end, when replies are sent (ms).
    pub server_frame_work_ms: f64,
    /// Whether the client sends at any time within a frame and timestamps replies on arrival.
    pub client_dithers: bool,
    pub loops: Loops,
    pub hint_ppm: Option<f64>,
    pub every_s: Option<f64>,
    pub drawn: Drawn,
}

/// Timestamps of an answered probe in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    pub id: u64,
    /// When the client sent the request (client clock).
    pub t0: i64,
    /// When the server received the request (server clock).
    pub t1: i64,
    /// When the server sent the reply (server clock).
    pub t2: i64,
    /// When the client received the reply (client clock).
    pub t3: i64,
    /// Times from the server's previous poll to `t1`, and from the client's to `t3` (ticks). The wait is zero
    /// for messages that are timestamped on arrival.
    pub waits: (i64, i64),
    /// True time at which the client receives the reply (s).
    pub arrived_s: f64,
    /// Whether this is another reply to the same probe.
    pub copy: bool,
}

impl Exchange {
    pub fn of_stamps(id: u64, [t0, t1, t2, t3]: [i64; 4]) -> Self {
        Self { id, t0, t1, t2, t3, waits: (0, 0), arrived_s: 0.0, copy: false }
    }
}

#[derive(Clone, Debug)]
pub struct Flight {
    pub sent_s: f64,
    /// When the probe was sent (client clock, ticks).
    pub t0: i64,
    /// Replies that will reach the client, earliest first.
    pub answers: Vec<Exchange>,
}

#[derive(Clone)]
pub struct Network {
    /// These clocks know the true time, so they also serve to check estimates.
    pub clocks: Clocks,
    link: Link,
    client: Option<Frames>,
    server: Option<Frames>,
    hold_s: f64,
    client_dithers: bool,
    dither: Random,
    pub loops: Loops,
    pub hint_ppm: Option<f64>,
}

#[derive(Clone)]
enum Link {
    Legs(Box<(Leg, Leg)>),
    Trace { trace: Trace, split: Split, seed: u64 },
}

impl Network {
    pub fn new(config: &NetworkConfig, seconds: f64, seed: u64) -> Self {
        if config.drawn != Drawn::Nothing {
            return Self::new(&config.draw(seed).0, seconds, seed);
        }
        let legs = (Leg::new(&config.forward, seed, "forward"), Leg::new(&config.reverse, seed, "reverse"));
        Self::with_link(config, Link::Legs(Box::new(legs)), seconds, seed)
    }

    /// Replays a recorded path. Uses only the clocks and frame loops of `config`.
    pub fn on_trace(config: &NetworkConfig, trace: Trace, split: Split, seconds: f64, seed: u64) -> Self {
        Self::with_link(config, Link::Trace { trace, split, seed }, seconds, seed)
    }

    fn with_link(config: &NetworkConfig, link: Link, seconds: f64, seed: u64) -> Self {
        Self {
            clocks: Clocks::new(&config.clock, seconds, seed),
            link,
            client: config.client.as_ref().map(|frames| Frames::new(frames, seed, "client")),
            server: config.server.as_ref().map(|frames| Frames::new(frames, seed, "server")),
            hold_s: if config.server.is_some() { config.server_frame_work_ms * 1e-3 } else { HOLD_S },
            client_dithers: config.client_dithers,
            dither: Random::new(seed, "dither"),
            loops: config.loops,
            hint_ppm: config.hint_ppm,
        }
    }

    /// Returns the nominal frame periods of client and server (s). A period is zero if messages are
    /// timestamped on arrival or if the game does not pass the period to the clock.
    pub fn told_periods(&self) -> (f64, f64) {
        if self.loops != Loops::Told {
            return (0.0, 0.0);
        }
        let period = |frames: &Option<Frames>| frames.as_ref().map_or(0.0, Frames::nominal_period);
        (if self.client_dithers { 0.0 } else { period(&self.client) }, period(&self.server))
    }

    /// Returns the mean queueing delays (ms), if they are exponential and nothing else varies or is rounded.
    pub fn exponential_queueing_ms(&self) -> Option<(f64, f64)> {
        let fine = self.clocks.client_resolution == 1 && self.clocks.server_resolution == 1;
        match &self.link {
            Link::Legs(legs) if fine && self.client.is_none() && self.server.is_none() => {
                Some((legs.0.exponential_ms()?, legs.1.exponential_ms()?))
            }
            _ => None,
        }
    }

    pub fn has_frames(&self) -> bool {
        self.client.is_some()
    }

    /// Returns the first time at or after `t` at which the client can send (s).
    pub fn client_turn(&mut self, t: f64) -> f64 {
        match &self.client {
            Some(frames) if self.client_dithers => {
                let frame = frames.next(t);
                self.dither.between(frame, frames.next(frame + 1e-9))
            }
            Some(frames) => frames.next(t),
            None => t,
        }
    }

    /// Returns the times at which the server handles a message that the client sends at `t` (s).
    pub fn up(&mut self, t: f64) -> Vec<f64> {
        let mut arrivals = match &mut self.link {
            Link::Legs(legs) => legs.0.arrivals(t),
            Link::Trace { trace, split, seed } => arrival(t + trace.delays(t, *split, *seed).0),
        };
        if let Some(frames) = &self.server {
            arrivals.iter_mut().for_each(|at| *at = frames.next(*at));
        }
        arrivals
    }

    /// Returns the times at which the client handles a message that the server sends at `t` (s).
    pub fn down(&mut self, t: f64) -> Vec<f64> {
        let arrivals = match &mut self.link {
            Link::Legs(legs) => legs.1.arrivals(t),
            Link::Trace { trace, split, seed } => arrival(t + trace.delays(t, *split, *seed).1),
        };
        self.in_frames(arrivals)
    }

    fn in_frames(&self, mut arrivals: Vec<f64>) -> Vec<f64> {
        if let Some(frames) = self.client.as_ref().filter(|_| !self.client_dithers) {
            arrivals.iter_mut().for_each(|at| *at = frames.next(*at));
        }
        arrivals
    }

    /// Returns the time from the client's previous poll to `found_s` (ticks).
    fn client_wait(&self, found_s: f64) -> i64 {
        let frames = self.client.as_ref().filter(|_| !self.client_dithers);
        frames.map_or(0, |frames| self.clocks.client(found_s) - self.clocks.client(frames.before(found_s)))
    }

    /// `t` (s) must come from [`client_turn`](Self::client_turn).
    pub fn send(&mut self, id: u64, t: f64) -> Flight {
        let t0 = self.clocks.client(t);
        let mut answers = Vec::new();
        let back = match &self.link {
            Link::Legs(_) => None,
            // The trace stores the reverse delay with the forward delay of the same probe.
            Link::Trace { trace, split, seed } => Some(trace.delays(t, *split, *seed).1),
        };
        for handled in self.up(t) {
            let server_wait = self
                .server
                .as_ref()
                .map_or(0, |frames| self.clocks.server(handled) - self.clocks.server(frames.before(handled)));
            let answered = handled + self.hold_s;
            let arrivals = match back {
                None => self.down(answered),
                Some(back) => self.in_frames(vec![answered + back]),
            };
            answers.extend(arrivals.into_iter().map(|arrived_s| Exchange {
                id,
                t0,
                t1: self.clocks.server(handled),
                t2: self.clocks.server(answered),
                t3: self.clocks.client(arrived_s),
                waits: (server_wait, self.client_wait(arrived_s)),
                arrived_s,
                copy: false,
            }));
        }
        answers.sort_by(|a, b| a.arrived_s.total_cmp(&b.arrived_s));
        for answer in answers.iter_mut().skip(1) {
            answer.copy = true;
        }
        Flight { sent_s: t, t0, answers }
    }
}

fn arrival(at: f64) -> Vec<f64> {
    if at.is_finite() { vec![at] } else { Vec::new() }
}

/// Returns how long each message of an exchange waited for its timestamp. Waits are known only if the
/// receiver measures its frame loop or timestamps messages on arrival.
pub fn known_waits(exchange: &Exchange, loops: Loops) -> [Option<Span>; 2] {
    let known = |wait: i64| (wait == 0 || loops == Loops::Measured).then(|| Span::from_ticks(wait));
    [known(exchange.waits.0), known(exchange.waits.1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_add_up_to_the_path() {
        let leg = |base_ms| LegConfig { base_ms, ..Default::default() };
        let clock = ClockConfig { drift_ppm: 0.0, ..Default::default() };
        let config = NetworkConfig { clock, forward: leg(30.0), reverse: leg(10.0), ..Default::default() };
        let mut network = Network::new(&config, 10.0, 1);
        let flight = network.send(0, 2.0);
        let x = flight.answers[0];
        assert!((x.t3 - x.t0 - 400_500).abs() <= 1, "{x:?}");
        assert!((x.t2 - x.t1 - 500).abs() <= 1);
        let true_offset = network.clocks.server(2.0) - network.clocks.client(2.0);
        assert!((x.t1 - x.t0 - true_offset - 300_000).abs() <= 1);
    }

    #[test]
    fn frames_determine_all_timestamps() {
        let frames = |fps| Some(FrameConfig::even(fps, 0.0));
        let config = NetworkConfig { client: frames(60.0), server: frames(30.0), ..Default::default() };
        let mut network = Network::new(&config, 10.0, 1);
        let turn = network.client_turn(1.0);
        let flight = network.send(0, turn);
        let waited = flight.answers[0].arrived_s - turn;
        let whole = waited * 60.0;
        assert!((whole - whole.round()).abs() < 1e-6, "replies should be stamped at client frames: {whole}");
    }
}
