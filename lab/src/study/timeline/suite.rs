use crate::report::progress::each;
use anyhow::Result;
use netclock::timeline::PublisherConfig;

use super::engine::ByEngine;
use super::game::{self, Kind, Phase};
use super::product::BySession;
use super::run::Run;
use super::score::{Judge, WorldScore};
use netclock_sim::{ClockConfig, Clocks, LegConfig, NetworkConfig};

pub const CLOCKS: [&str; 3] = [NETCLOCK, "engine_average", "engine_push"];
pub const NETCLOCK: &str = "netclock";

pub const FPS: f64 = 60.0;
pub const PAUSES: usize = 100;

/// Limit on the p99 error on the good link at a constant rate. Allows 1.5 ms plus a frame.
const CONSTANT_MS: f64 = 1.5 + 1000.0 / FPS;
/// Limit on the p99 error on the good link while the rate is animated.
const ANIMATED_MS: f64 = 5.0;
/// Limit on the change in the mean error on the good link. Equals the tolerance of a segment.
const CREPT_MS: f64 = 1.0;

#[derive(Clone, Debug)]
pub struct Plot {
    pub name: &'static str,
    pub phases: Vec<Phase>,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub name: &'static str,
    pub about: &'static str,
    pub is_good: bool,
    pub network: NetworkConfig,
}

pub fn plots() -> [Plot; 2] {
    let all = vec![
        Phase::new(Kind::Pause, 10.0, 3.0),
        Phase::new(Kind::Slow, 18.0, 3.0),
        Phase::new(Kind::Hitch, 26.0, 0.7),
        Phase::new(Kind::Hitch, 38.0, 3.0),
        Phase::new(Kind::Travel, 54.0, 1.2),
        Phase::new(Kind::Slow, 60.0, 3.0),
    ];
    let pauses: Vec<Phase> =
        (0..PAUSES).map(|number| Phase::new(Kind::Pause, 16.0 + 3.0 * number as f64, 1.0)).collect();
    let end_s = 16.0 + 3.0 * PAUSES as f64;
    [
        Plot { name: "everything", phases: all, seconds: 70.0 },
        Plot { name: "100 pauses", phases: pauses, seconds: end_s + 10.0 },
    ]
}

pub fn links(loss: Option<f64>) -> [Link; 2] {
    let clock = ClockConfig { drift_ppm: 40.0, wander_ppm: 0.3, ..ClockConfig::default() };
    let link = |leg: LegConfig| NetworkConfig {
        clock: clock.clone(),
        forward: leg.clone(),
        reverse: leg,
        ..NetworkConfig::default()
    };
    let good = LegConfig { base_ms: 25.0, jitter_ms: 4.0, loss: loss.unwrap_or(0.0), ..LegConfig::default() };
    let bad = LegConfig {
        jitter_ms: 15.0,
        loss: loss.unwrap_or(0.10),
        duplicate: 0.05,
        reorder: 0.05,
        reorder_ms: 60.0,
        ..good.clone()
    };
    [
        Link {
            name: "good",
            about: "25 ms each way, 4 ms jitter",
            is_good: good.loss == 0.0,
            network: link(good),
        },
        Link {
            name: "bad",
            about: "25 ms each way, 15 ms jitter, 10 % lost, 5 % twice, 5 % 60 ms later",
            is_good: false,
            network: link(bad),
        },
    ]
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub world: &'static str,
    pub link: &'static str,
    pub seed: u64,
    pub clock: &'static str,
    pub score: WorldScore,
    pub faults: Vec<String>,
}

pub fn run(seeds: &[u64], clocks: &[&'static str], loss: Option<f64>) -> Result<Vec<Outcome>> {
    let (plots, links) = (plots(), links(loss));
    let mut jobs = Vec::new();
    for plot in &plots {
        for link in &links {
            jobs.extend(
                seeds.iter().flat_map(|&seed| clocks.iter().map(move |&clock| (plot, link, seed, clock))),
            );
        }
    }
    each(jobs, |(plot, link, seed, clock)| one(plot, link, seed, clock)).into_iter().collect()
}

fn one(plot: &Plot, link: &Link, seed: u64, clock: &'static str) -> Result<Outcome> {
    let game = game::play(&plot.phases, FPS, plot.seconds, seed);
    let run = Run { game: &game, link: &link.network, seconds: plot.seconds, seed };
    let course = match clock {
        NETCLOCK => BySession::new(&run)?.run(&run),
        _ => ByEngine::new(&run, clock)?.run(&run),
    }?;
    let clocks = Clocks::new(&link.network.clock, plot.seconds, seed);
    let judge = Judge { game: &game, phases: &plot.phases, clocks: &clocks, seconds: plot.seconds };
    let score = judge.score(&course);
    let faults = if clock == NETCLOCK { faults(&score, link.is_good) } else { Vec::new() };
    Ok(Outcome { world: plot.name, link: link.name, seed, clock, score, faults })
}

fn faults(score: &WorldScore, is_good: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let mut count = |count: u64, what: &str| {
        if count > 0 {
            faults.push(format!("{count} reads {what}"));
        }
    };
    count(score.certain.outside, "were outside their bound");
    count(score.unchanged.outside, "were outside the bound of a segment in force");
    count(score.certain.backwards, "went backward");
    if score.certain.reads == 0 || score.unchanged.reads == 0 {
        faults.push("no read had a bound".to_owned());
    }
    let most = PublisherConfig::default().max_per_second as usize;
    if score.most_in_a_second > most {
        faults.push(format!("{} segments in a second, more than {most}", score.most_in_a_second));
    }
    let limits = [
        (score.constant.map(|errors| errors.p99_ms), CONSTANT_MS, "p99 at a constant rate"),
        (score.animated.map(|errors| errors.p99_ms), ANIMATED_MS, "p99 while the rate is animated"),
        (Some(score.crept_ms.abs()), CREPT_MS, "change in the mean error"),
    ];
    for (value, limit, what) in limits {
        // NaN exceeds every limit.
        if is_good && value.is_some_and(|value| value.is_nan() || value > limit) {
            faults.push(format!("{what} is {:.3} ms, above {limit:.1} ms", value.unwrap_or(f64::NAN)));
        }
    }
    faults
}
