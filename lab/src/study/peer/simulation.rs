//! Three simulated peers and their relay, beside a published clock on the same exchanges.
//!
//! A message to or from the relay takes 25 ms and an exponential jitter, and the relay may hold it. The truth is the
//! primary's clock: each secondary is compared with what the primary shows at the same instant.

use std::ops::Range;

use anyhow::{Context, Result};
use netclock::peer::{MESSAGE_MOST, Peer, PeerStage, Relay, RelayConfig, Role};
use netclock::{Config, LocalTime};
use rayon::prelude::*;
use serde::Serialize;

use crate::baseline::PUBLISHED;
use netclock_sim::agenda::Queue;
use netclock_sim::measure::estimator::Estimator;
use netclock_sim::measure::figures::quantile;
use netclock_sim::network::Exchange;
use netclock_sim::random::Random;

const MS: i64 = 10_000;
/// Time step of the simulation (ticks).
const STEP: i64 = MS / 4;
const SECONDS: i64 = 130;
const SETTLED: i64 = 10;
const CRYSTALS: [f64; 3] = [20.0, -35.0, 60.0];

/// A case.
struct Case {
    name: &'static str,
    /// How long the relay holds messages other than replies: least and most (ms).
    there: (f64, f64),
    /// How long it holds replies (ms).
    back: (f64, f64),
    /// The relay does not report its holds.
    hidden: bool,
    loss: f64,
    /// The primary disappears at this time (s).
    lost_at: Option<i64>,
}

const NO_HOLDS: Case =
    Case { name: "no holds", there: (0.0, 0.0), back: (0.0, 0.0), hidden: false, loss: 0.0, lost_at: None };

/// Holds of a typical relay (ms).
const HOLDS: (f64, f64) = (0.0, 80.0);

const CASES: [Case; 6] = [
    NO_HOLDS,
    Case { name: "holds of 0 to 80 ms", there: HOLDS, back: HOLDS, ..NO_HOLDS },
    Case { name: "requests held 20 to 80 ms", there: (20.0, 80.0), ..NO_HOLDS },
    Case { name: "the same, holds not reported", there: (20.0, 80.0), hidden: true, ..NO_HOLDS },
    Case { name: "holds of 0 to 80 ms, 5 % loss", there: HOLDS, back: HOLDS, loss: 0.05, ..NO_HOLDS },
    Case {
        name: "the same, the primary lost after 60 s",
        there: HOLDS,
        back: HOLDS,
        loss: 0.05,
        lost_at: Some(60),
        ..NO_HOLDS
    },
];

/// The figures of one case, over all seeds and secondaries.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The case.
    pub name: &'static str,
    /// Mean error (ms); positive: ahead of the primary.
    pub bias_ms: f64,
    /// Median of |error| (ms).
    pub p50_ms: f64,
    /// 99th percentile of |error| (ms).
    pub p99_ms: f64,
    /// Median bound (ms).
    pub bound_ms: f64,
    /// 99th percentile of the published clock's |error| (ms).
    pub trimmed_mean_p99_ms: f64,
    /// Reads outside their bound.
    pub outside: u64,
    /// Reads that showed less than the read before, within an epoch.
    pub backwards: u64,
    /// Declared steps.
    pub steps: u64,
    /// The relay reported its holds.
    pub is_honest: bool,
}

/// Runs all cases.
///
/// # Errors
/// The product refuses its configuration, which would be a bug.
pub fn suite(seeds: Range<u64>) -> Result<Vec<Row>> {
    CASES.iter().map(|case| row(case, seeds.clone())).collect()
}

fn row(case: &Case, seeds: Range<u64>) -> Result<Row> {
    let played: Result<Vec<Played>> =
        seeds.into_par_iter().map(|seed| Net::new(case, seed).map(Net::play)).collect();
    let played = played?;
    let sizes = |of: fn(&Played) -> &Vec<f32>| -> Vec<f32> {
        played.iter().flat_map(|one| of(one).iter().map(|error| error.abs())).collect()
    };
    let (mut errors, mut trimmed, mut bounds) =
        (sizes(|one| &one.errors), sizes(|one| &one.trimmed), sizes(|one| &one.bounds));
    let signed = played.iter().flat_map(|one| &one.errors);
    let bias_ms = signed.map(|&error| f64::from(error)).sum::<f64>() / errors.len().max(1) as f64;
    let sum = |of: fn(&Played) -> u64| played.iter().map(of).sum();
    Ok(Row {
        name: case.name,
        bias_ms,
        p50_ms: quantile(&mut errors, 0.5),
        p99_ms: quantile(&mut errors, 0.99),
        bound_ms: quantile(&mut bounds, 0.5),
        trimmed_mean_p99_ms: quantile(&mut trimmed, 0.99),
        outside: sum(|one| one.outside),
        backwards: sum(|one| one.backwards),
        steps: sum(|one| one.steps),
        is_honest: !case.hidden,
    })
}

/// Errors and bounds in ms.
#[derive(Default)]
struct Played {
    errors: Vec<f32>,
    trimmed: Vec<f32>,
    bounds: Vec<f32>,
    outside: u64,
    backwards: u64,
    steps: u64,
}

/// A message on its way.
struct Parcel {
    number: u64,
    peer: usize,
    up: bool,
    /// When the relay received it, while the relay holds it.
    received: Option<i64>,
    bytes: Vec<u8>,
}

struct Player {
    peer: Peer,
    ppm: f64,
    alive: bool,
    shown: (i64, u32),
    trimmed: Box<dyn Estimator>,
    /// Requests on their way and their departures (ticks), for the published clock.
    asked: Vec<(u64, i64)>,
}

struct Net<'a> {
    case: &'a Case,
    random: Random,
    relay: Relay,
    players: Vec<Player>,
    /// By time and number: a parcel keeps its number while the relay holds it.
    parcels: Queue<(i64, u64), Parcel>,
    number: u64,
    now: i64,
    /// When the primary began, by its own clock (ticks): shown times count from there.
    began: i64,
    played: Played,
}

impl<'a> Net<'a> {
    fn new(case: &'a Case, seed: u64) -> Result<Self> {
        let mut random = Random::new(seed, "peers");
        let config = RelayConfig { games: 1, ..RelayConfig::default() };
        let relay = Relay::new(config, u128::from(random.word()))?;
        let mut players = Vec::new();
        for ppm in CRYSTALS {
            let peer = Peer::new(Config::default(), 1, u128::from(random.word()))?;
            let published = PUBLISHED.iter().find(|(name, _)| *name == "trimmed_mean");
            let trimmed = published.context("there is no trimmed_mean")?.1();
            players.push(Player { peer, ppm, alive: true, shown: (0, 0), trimmed, asked: Vec::new() });
        }
        let (parcels, played) = (Queue::new(), Played::default());
        Ok(Net { case, random, relay, players, parcels, number: 0, now: 0, began: 0, played })
    }

    fn local(&self, peer: usize) -> LocalTime {
        let gained = self.now as f64 * self.players[peer].ppm * 1e-6;
        LocalTime::from_ticks((peer as i64 + 1) * 10_000_000 * 3600 + self.now + gained.floor() as i64)
    }

    fn relay_time(at: i64) -> LocalTime {
        LocalTime::from_ticks(77 + at + at / 12_500)
    }

    fn play(mut self) -> Played {
        while self.now < SECONDS * 1000 * MS {
            self.now += STEP;
            if self.case.lost_at.is_some_and(|at| self.now >= at * 1000 * MS) {
                self.players[0].alive = false;
            }
            while let Some(parcel) = self.parcels.next_until((self.now, u64::MAX)) {
                self.arrive(parcel);
            }
            self.act();
            if self.now % (50 * MS) == 0 {
                self.judge();
            }
        }
        self.played
    }

    fn post(&mut self, peer: usize, up: bool, bytes: &[u8]) {
        if self.random.chance(self.case.loss) {
            return;
        }
        let delay = 25.0 + self.random.exponential(4.0);
        let due = self.now + (delay * MS as f64) as i64;
        self.number += 1;
        let number = self.number;
        self.parcels.add((due, number), Parcel { number, peer, up, received: None, bytes: bytes.to_vec() });
    }

    fn arrive(&mut self, mut parcel: Parcel) {
        let peer = parcel.peer;
        if !parcel.up {
            if self.players[peer].alive {
                self.listen(peer, &parcel.bytes);
            }
            return;
        }
        if let Some(received) = parcel.received {
            let at = if self.case.hidden { self.now } else { received };
            let _refused = self.relay.receive(peer as u64, &parcel.bytes, Self::relay_time(at));
            return;
        }
        let (least, most) = if parcel.bytes[1] == 0x13 { self.case.back } else { self.case.there };
        parcel.received = Some(self.now);
        let due = self.now + (self.random.between(least, most) * MS as f64) as i64;
        self.parcels.add((due, parcel.number), parcel);
    }

    fn listen(&mut self, peer: usize, bytes: &[u8]) {
        let now = self.local(peer);
        if self.players[peer].peer.receive(bytes, now).is_err() || bytes[1] != 0x13 {
            return;
        }
        // The published clock gets the same stamps. It knows no holds.
        let long = |at: usize| bytes[at..at + 8].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        let player = &mut self.players[peer];
        let Some(place) = player.asked.iter().position(|asked| asked.0 == long(20)) else { return };
        let sent = player.asked.swap_remove(place).1;
        let received = long(28) as i64;
        let hold = (long(44) >> 32) as i64;
        player.trimmed.on_exchange(&Exchange {
            id: long(20),
            t0: sent,
            t1: received,
            t2: received + hold,
            t3: now.ticks(),
            arrived_s: self.now as f64 / 1e7,
            copy: false,
        });
    }

    fn act(&mut self) {
        let mut message = [0; MESSAGE_MOST];
        for peer in 0..self.players.len() {
            let now = self.local(peer);
            // Peers join one after the other, so that the first one becomes the primary.
            if !self.players[peer].alive
                || self.now < peer as i64 * 500 * MS
                || self.players[peer].peer.tick(now).is_err()
            {
                continue;
            }
            while let Some(size) = self.players[peer].peer.next_message(now, &mut message) {
                let bytes = message[..size].to_vec();
                if bytes[1] == 0x12 {
                    let id = bytes[20..28].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
                    let asked = &mut self.players[peer].asked;
                    asked.push((id, now.ticks()));
                    if asked.len() > 64 {
                        asked.remove(0);
                    }
                } else if bytes[1] == 0x10 {
                    self.began = bytes[28..36].iter().fold(0_i64, |sum, &byte| sum << 8 | i64::from(byte));
                }
                self.post(peer, true, &bytes);
            }
        }
        while let Ok(Some((peer, size))) = self.relay.next_message(Self::relay_time(self.now), &mut message) {
            let bytes = message[..size].to_vec();
            self.post(peer as usize, false, &bytes);
        }
    }

    fn judge(&mut self) {
        let readings: Vec<_> =
            (0..self.players.len()).map(|peer| self.players[peer].peer.read(self.local(peer))).collect();
        for (peer, reading) in readings.iter().enumerate() {
            if !self.players[peer].alive {
                continue;
            }
            let last = self.players[peer].shown;
            let shown = (reading.time.ticks(), reading.epoch);
            self.played.backwards += u64::from(last.1 == shown.1 && shown.0 < last.0);
            self.played.steps += u64::from(last.1 > 0 && last.1 != shown.1);
            self.players[peer].shown = shown;
            let leads = |other: &&netclock::peer::PeerReading| {
                other.role == Some(Role::Primary) && other.authority == reading.authority
            };
            let Some(primary) = readings.iter().find(leads) else { continue };
            if reading.role == Some(Role::Primary)
                || reading.stage != PeerStage::Playing
                || primary.stage != PeerStage::Playing
            {
                continue;
            }
            let error = (reading.time - primary.time).ticks();
            self.played.outside +=
                u64::from(error.abs() > (reading.error_bound + primary.error_bound).ticks());
            if self.now < SETTLED * 1000 * MS {
                continue;
            }
            self.played.errors.push((error as f64 / MS as f64) as f32);
            self.played.bounds.push(reading.error_bound.as_millis_f64() as f32);
            let local = self.local(peer).ticks();
            if let Some(shown) = self.players[peer].trimmed.shown(local) {
                let error = shown - self.began - primary.time.ticks();
                self.played.trimmed.push((error as f64 / MS as f64) as f32);
            }
        }
    }
}
