//! Simulates an honest player or a cheat, whose clock a server monitors.
//!
//! The player sends timestamped messages at a steady rate, and the server sends ten messages per second. Each
//! message from the player echoes the send time of the newest server message that the player has received.

use netclock::watch::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig};
use netclock::{LocalTime, ServerTime};

use netclock_sim::{
    BurstLoss, ClockConfig, LegConfig, Network, NetworkConfig, Queue, Random, Saw, Shift, TICKS_PER_S,
};

const SERVER_EVERY_S: f64 = 0.1;
/// Send times deviate from their nominal times by up to this fraction of the interval.
const SPREAD: f64 = 0.1;
/// The mean time between route changes on the hard path.
const ROUTE_LASTS_S: f64 = 600.0;
const ROUTE_MS: f64 = 50.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cheat {
    None,
    Rate {
        fraction: f64,
        from_s: f64,
    },
    /// The clock runs too fast for 5 s of every minute.
    Sometimes {
        fraction: f64,
        from_s: f64,
    },
    Jump {
        by_s: f64,
        at_s: f64,
    },
}

impl Cheat {
    /// Infinite for an honest player.
    pub fn begins_s(self) -> f64 {
        match self {
            Cheat::None => f64::INFINITY,
            Cheat::Rate { from_s, .. } | Cheat::Sometimes { from_s, .. } => from_s,
            Cheat::Jump { at_s, .. } => at_s,
        }
    }

    fn gained_s(self, t: f64) -> f64 {
        match self {
            Cheat::None => 0.0,
            Cheat::Rate { fraction, from_s } => fraction * (t - from_s).max(0.0),
            Cheat::Sometimes { fraction, from_s } => {
                let since = (t - from_s).max(0.0);
                fraction * (5.0 * (since / 60.0).floor() + (since % 60.0).min(5.0))
            }
            Cheat::Jump { by_s, at_s } => by_s * f64::from(t >= at_s),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct WatchConfig {
    pub seconds: f64,
    pub every_s: f64,
    pub hears: bool,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub reports: u64,
    /// The time at which a cheat was first considered likely (s), and the finding.
    pub likely: Option<(f64, RateFinding)>,
    pub proven: Option<(f64, RateFinding)>,
    pub verdict: RateVerdict,
}

pub fn watch(network: &mut Network, cheat: Cheat, session: WatchConfig, seed: u64) -> Outcome {
    let mut watch = RateWatch::new(&RateWatchConfig::default()).expect("the default is valid");
    let mut random = Random::new(seed, "player");
    let mut line = InFlight::default();
    let mut outcome = Outcome { reports: 0, likely: None, proven: None, verdict: watch.verdict() };
    let mut t = 0.0;
    while t < session.seconds {
        let heard = if session.hears { line.heard(network, t) } else { None };
        let stamp = network.clocks.client(t) + (cheat.gained_s(t) * TICKS_PER_S) as i64;
        for arrived in network.up(t) {
            let arrived = network.clocks.server(arrived);
            line.underway.add(arrived, (arrived, stamp, heard));
        }
        t = network.client_turn(t + session.every_s * random.between(1.0 - SPREAD, 1.0 + SPREAD));
        // Leave messages in flight if they arrive later.
        while let Some((arrived, stamp, heard)) = line.underway.next_until(network.clocks.server(t)) {
            let (stamped, at) = (LocalTime::from_ticks(stamp), ServerTime::from_ticks(arrived));
            watch
                .report(stamped, at, heard.map(ServerTime::from_ticks))
                .expect("timestamps are valid and in order");
            outcome.reports += 1;
            let verdict = watch.verdict();
            let when = (t, verdict.finding.unwrap_or(RateFinding::Fast));
            if verdict.level >= RateLevel::Likely && outcome.likely.is_none() {
                outcome.likely = Some(when);
            }
            if verdict.level >= RateLevel::Proven && outcome.proven.is_none() {
                outcome.proven = Some(when);
            }
        }
    }
    outcome.verdict = watch.verdict();
    outcome
}

#[derive(Default)]
struct InFlight {
    /// The arrival, timestamp and echoed timestamp of each message in flight from the player (ticks).
    underway: Queue<i64, (i64, i64, Option<i64>)>,
    coming: Vec<(f64, f64)>,
    sent: u64,
    newest: Option<f64>,
}

impl InFlight {
    fn heard(&mut self, network: &mut Network, t: f64) -> Option<i64> {
        while self.sent as f64 * SERVER_EVERY_S < t {
            let at = self.sent as f64 * SERVER_EVERY_S;
            self.coming.extend(network.down(at).into_iter().map(|arrives| (arrives, at)));
            self.sent += 1;
        }
        let newest = &mut self.newest;
        self.coming.retain(|&(arrives, at)| {
            if arrives <= t && newest.is_none_or(|known| at > known) {
                *newest = Some(at);
            }
            arrives > t
        });
        self.newest.map(|at| network.clocks.server(at))
    }
}

/// A bad path with 10 % random loss, additional bursts of loss, 30 ms of jitter, duplicates and reordering.
pub fn lossy_path(drift_ppm: f64) -> NetworkConfig {
    let leg = LegConfig {
        base_ms: 60.0,
        jitter_ms: 30.0,
        loss: 0.10,
        duplicate: 0.02,
        reorder: 0.02,
        reorder_ms: 200.0,
        burst_loss: Some(BurstLoss { good_s: 30.0, bad_s: 2.0, loss: 0.9 }),
        ..Default::default()
    };
    let clock = ClockConfig { drift_ppm, wander_ppm: 0.3, ..Default::default() };
    NetworkConfig { clock, forward: leg.clone(), reverse: leg, ..Default::default() }
}

pub fn hard_path(drift_ppm: f64, seconds: f64, seed: u64) -> NetworkConfig {
    let mut network = lossy_path(drift_ppm);
    network.forward.saw = Some(Saw { peak_ms: 150.0, period_s: 20.0, idle_s: 100.0, from_s: 0.0 });
    network.forward.shifts = shifts(seconds, &mut Random::new(seed, "routes up"));
    network.reverse.shifts = shifts(seconds, &mut Random::new(seed, "routes down"));
    network
}

fn shifts(seconds: f64, random: &mut Random) -> Vec<Shift> {
    let (mut shifts, mut at_s, mut longer) = (Vec::new(), 0.0, false);
    loop {
        at_s += random.exponential(ROUTE_LASTS_S);
        if at_s > seconds {
            return shifts;
        }
        longer = !longer;
        shifts.push(Shift { at_s, ms: if longer { ROUTE_MS } else { -ROUTE_MS } });
    }
}
