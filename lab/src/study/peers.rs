//! `lab study peers`: compares three peers behind a relay with a published clock on the same exchanges.
//!
//! Messages to and from the relay take 25 ms plus an exponential jitter, and the relay may hold them. The
//! secondaries' clocks are compared with the primary's at the same instants.

use std::ops::Range;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::peer::PeerStage;
use netclock_sim::{
    Account, Estimator, Exchange, peers::PeerMessage, peers::Peers, peers::STEP, peers::Transport, quantile,
};

use crate::baseline::maker;
use crate::report::{Seeds, each_case, ms};
use crate::study::output::{Format, Study};

const MS: i64 = 10_000;
const SECONDS: i64 = 130;
const SETTLED: i64 = 10;
const CRYSTALS: [f64; 3] = [20.0, -35.0, 60.0];

/// Compares peers behind a relay that holds messages
///
/// Simulates three peers on links of 25 ms with 4 ms of jitter, and compares the secondaries' clocks with the
/// primary's. Exits with 1 if a clock ran backward or stepped, or if it was outside its bound although the
/// relay reported its holds.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    seeds: Seeds,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let rows = suite(args.seeds.range())?;
    let mut study = Study::new(args.format);
    study.line(&format!(
        "Three peers, 120 s after 10 s, 25 ms and 4 ms of jitter each way to the relay, {} seeds; errors in \
         ms\n",
        args.seeds.count
    ));
    let cells = |row: &Row| {
        let figures = [row.bias_ms, row.p50_ms, row.p99_ms, row.bound_ms, row.trimmed_mean_p99_ms];
        format!("{} | {}", row.name, figures.map(ms).join(" | "))
    };
    study.table("", "the relay | bias | p50 | p99 | bound | trimmed_mean p99", rows.iter().map(cells));
    study.line("trimmed_mean: the published system's clock on the same exchanges");
    for row in &rows {
        let Row { name, account, steps, .. } = row;
        study.check(account.backwards == 0 && *steps == 0, || {
            format!("{name}: {} reads ran backward, and {steps} stepped", account.backwards)
        });
        study.check(!row.is_honest || account.outside == 0, || {
            format!("{name}: {} reads were outside their bound", account.outside)
        });
    }
    Ok(study.end())
}

struct Case {
    name: &'static str,
    way: Transport,
    lost_at: Option<i64>,
}

/// The range of a typical relay's hold times (ms).
const HOLDS: (f64, f64) = (0.0, 80.0);

fn cases() -> [Case; 6] {
    let plain = Transport::default();
    let held = Transport { there: HOLDS, back: HOLDS, ..plain };
    let requests = Transport { there: (20.0, 80.0), ..plain };
    let lossy = Transport { loss: 0.05, ..held };
    let case = |name, way| Case { name, way, lost_at: None };
    [
        case("no holds", plain),
        case("holds of 0 to 80 ms", held),
        case("requests held 20 to 80 ms", requests),
        case("the same, holds not reported", Transport { hidden: true, ..requests }),
        case("holds of 0 to 80 ms, 5 % loss", lossy),
        Case { name: "the same, the primary lost after 60 s", way: lossy, lost_at: Some(60) },
    ]
}

/// Message kinds, which are stored in byte 3.
const READY: u8 = 28;
const REQUEST: u8 = 29;
const REPLY: u8 = 30;

#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    /// Positive if the clock is ahead of the primary's.
    pub bias_ms: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub bound_ms: f64,
    pub trimmed_mean_p99_ms: f64,
    pub account: Account,
    pub steps: u64,
    pub is_honest: bool,
}

pub fn suite(seeds: Range<u64>) -> Result<Vec<Row>> {
    let played = each_case(&cases(), seeds, play)?;
    Ok(cases().iter().zip(&played).map(|(case, played)| row(case, played)).collect())
}

fn row(case: &Case, played: &[Played]) -> Row {
    let sizes = |of: fn(&Played) -> &Vec<f32>| -> Vec<f32> {
        played.iter().flat_map(|one| of(one).iter().map(|error| error.abs())).collect()
    };
    let (mut errors, mut trimmed, mut bounds) =
        (sizes(|one| &one.errors), sizes(|one| &one.trimmed), sizes(|one| &one.bounds));
    let signed = played.iter().flat_map(|one| &one.errors);
    let bias_ms = signed.map(|&error| f64::from(error)).sum::<f64>() / errors.len().max(1) as f64;
    Row {
        name: case.name,
        bias_ms,
        p50_ms: quantile(&mut errors, 0.5),
        p99_ms: quantile(&mut errors, 0.99),
        bound_ms: quantile(&mut bounds, 0.5),
        trimmed_mean_p99_ms: quantile(&mut trimmed, 0.99),
        account: played.iter().map(|one| one.account).sum(),
        steps: played.iter().map(|one| one.steps).sum(),
        is_honest: !case.way.hidden,
    }
}

/// Errors and bounds are in ms.
#[derive(Default)]
struct Played {
    errors: Vec<f32>,
    trimmed: Vec<f32>,
    bounds: Vec<f32>,
    account: Account,
    steps: u64,
}

struct Published {
    clock: Box<dyn Estimator>,
    asked: Vec<(u64, i64)>,
}

impl Published {
    fn new() -> Result<Self> {
        let make = maker("trimmed_mean").context("there is no trimmed_mean")?;
        Ok(Published { clock: make(), asked: Vec::new() })
    }

    fn ask(&mut self, heard: &PeerMessage<'_>) {
        self.asked.push((long(heard.bytes, 16), heard.now.ticks()));
        if self.asked.len() > 64 {
            self.asked.remove(0);
        }
    }

    fn learn(&mut self, &PeerMessage { bytes, now, .. }: &PeerMessage<'_>) {
        let Some(place) = self.asked.iter().position(|asked| asked.0 == long(bytes, 16)) else { return };
        let sent = self.asked.swap_remove(place).1;
        let received = long(bytes, 24) as i64;
        let hold = (long(bytes, 48) >> 32) as i64;
        let times = [sent, received, received + hold, now.ticks()];
        self.clock.on_exchange(&Exchange::of_stamps(long(bytes, 16), times));
    }
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

fn play(case: &Case, seed: u64) -> Result<Played> {
    let (mut peers, mut played) = (Peers::new(case.way, seed), Played::default());
    // Peers join one after another, so that the first one becomes the primary.
    for (ppm, turn) in CRYSTALS.into_iter().zip(0..) {
        let peer = peers.join(ppm);
        peers.players[peer].joins = turn * 500 * MS;
    }
    let mut published = CRYSTALS.iter().map(|_| Published::new()).collect::<Result<Vec<_>>>()?;
    // The start of the primary's timeline (ticks of the primary's clock), to which shown times are relative.
    let mut began = 0;
    while peers.now < SECONDS * 1000 * MS {
        if case.lost_at.is_some_and(|at| peers.now + STEP >= at * 1000 * MS) {
            peers.players[0].alive = false;
        }
        peers.step(|heard| match (heard.up, heard.bytes[3]) {
            (true, REQUEST) => published[heard.peer].ask(heard),
            (false, REPLY) => published[heard.peer].learn(heard),
            // The current primary announces the timeline's start, which is zero until the game has started.
            (true, READY) if long(heard.bytes, 32) != 0 => began = long(heard.bytes, 32) as i64,
            _ => {}
        });
        if peers.now % (50 * MS) != 0 {
            continue;
        }
        let locals = [0, 1, 2].map(|peer| peers.local(peer).ticks());
        let is_settled = peers.now >= SETTLED * 1000 * MS;
        peers.judge(|peer, reading, primary| {
            let plays = reading.stage == PeerStage::Playing && primary.stage == PeerStage::Playing;
            if !is_settled || !plays || reading.leads {
                return;
            }
            let ms = |ticks: i64| (ticks as f64 / MS as f64) as f32;
            played.errors.push(ms((reading.time - primary.time).ticks()));
            played.bounds.push(reading.clock.error_bound.as_millis_f64() as f32);
            let shown = published[peer].clock.shown(locals[peer]);
            played.trimmed.extend(shown.map(|shown| ms(shown - began - primary.time.ticks())));
        });
    }
    (played.account, played.steps) = (peers.account(), peers.steps);
    Ok(played)
}
