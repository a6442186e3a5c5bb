use std::process::ExitCode;

use anyhow::Result;
use indicatif::HumanCount;
use netclock::timeline::PublisherConfig;

use super::game::{self, Kind, Phase};
use super::run::{BySession, Run};
use super::score::{Errors, Judge, WorldScore};
use crate::report::{each, ms, number, options};
use crate::study::output::{Format, Study};
use netclock_sim::{ClockConfig, Clocks, LegConfig, NetworkConfig, sorted, upper_median};

/// Measures world time in simulated worlds, and checks every read
///
/// A server at 60 frames per second publishes its world's time to a client over a good link and a bad one.
/// The first world pauses, runs in slow motion, has frames of 0.7 s and 3 s, and changes the map. The second
/// world pauses 100 times. Exits with 1 if NetClock violated a guarantee: a read outside its bound, a
/// backward step, or an error above the limits of the good link.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    seeds: options::Seeds,
    /// Loss in both directions, instead of the links' own loss (0 to 0.9)
    #[arg(long, value_name = "SHARE", value_parser = number(0.0, 0.9))]
    loss: Option<f64>,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let seeds: Vec<u64> = args.seeds.range().collect();
    let outcomes = play(&seeds, args.loss)?;
    let groups = plots().into_iter().flat_map(|plot| links(None).map(|link| (plot.name, link.name)));
    let rows = groups.map(|(world, link)| {
        let is_one = |outcome: &&Outcome| (outcome.world, outcome.link) == (world, link);
        let scores: Vec<_> = outcomes.iter().filter(is_one).map(|outcome| &outcome.score).collect();
        format!("{world}, {link} | {}", cells(&scores))
    });
    let mut study = Study::new(args.format);
    study.table("", HEADER, rows);
    if !args.format.csv {
        study.line(&notes(&seeds));
        args.loss
            .iter()
            .for_each(|loss| study.line(&format!("{:.0} % of all datagrams are lost.", 100.0 * loss)));
    }
    for Outcome { world, link, seed, faults, .. } in &outcomes {
        let named = |fault: &String| format!("FAULT {world}, {link} link, seed {seed}: {fault}");
        study.faults.extend(faults.iter().map(named));
    }
    Ok(study.end())
}

const HEADER: &str = "world, link | constant p50 | p99 | slow motion p99 | paused p99 | after a \
                      change p99 | long frame p99 | crept | outside | back | segments/s | bytes/s";

fn cells(scores: &[&WorldScore]) -> String {
    let of = |pick: fn(&WorldScore) -> Option<Errors>, figure: fn(&Errors) -> f64| {
        ms(median(scores.iter().filter_map(|score| pick(score)).map(|errors| figure(&errors))))
    };
    let p99 = |pick| of(pick, |errors| errors.p99_ms);
    let sum = |pick: fn(&WorldScore) -> u64| scores.iter().map(|score| pick(score)).sum::<u64>();
    let (p50, constant) = (of(|score| score.constant, |errors| errors.p50_ms), p99(|score| score.constant));
    let (slow, paused) = (p99(|score| score.animated), p99(|score| score.paused));
    let (changed, long) = (p99(|score| score.changed), p99(|score| score.hitched));
    let crept = ms(median(scores.iter().map(|score| score.crept_ms.abs())));
    let outside = sum(|score| score.certain.outside + score.unchanged.outside);
    let (outside, reads) = (HumanCount(outside), HumanCount(sum(|score| score.certain.reads)));
    let back = sum(|score| score.certain.backwards);
    let segments = median(scores.iter().map(|score| score.segments_per_s));
    let bytes = median(scores.iter().map(|score| score.bytes_per_s));
    format!(
        "{p50} | {constant} | {slow} | {paused} | {changed} | {long} | {crept} | {outside} of {reads} | \
         {back} | {segments:.1} | {bytes:.0}"
    )
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    upper_median(&sorted(values)).unwrap_or(f64::NAN)
}

fn notes(seeds: &[u64]) -> String {
    let about = links(None).map(|link| format!("The {} link: {}.\n", link.name, link.about)).concat();
    format!(
        "{about}Errors in ms (shown minus true), medians over seeds {} to {}. \"After a change\" is the \
         second after a pause began or ended,\nand after travel. \"Long frame\" is a long frame and the nine \
         seconds after it. \"Outside\" counts reads outside either bound, \"back\" counts\nreads backwards \
         within an epoch, both over all runs. Bytes are payload in both directions.",
        seeds.first().unwrap_or(&0),
        seeds.last().unwrap_or(&0),
    )
}

pub const FPS: f64 = 60.0;
pub const PAUSES: usize = 100;

/// Limit on the p99 error on the good link at a constant rate. The limit is 1.5 ms plus a frame.
const CONSTANT_MS: f64 = 1.5 + 1000.0 / FPS;
/// Limit on the p99 error on the good link while the rate is animated.
const ANIMATED_MS: f64 = 5.0;
/// Limit on the change in the mean error on the good link. The limit equals the tolerance of a segment.
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
    pub score: WorldScore,
    pub faults: Vec<String>,
}

pub fn play(seeds: &[u64], loss: Option<f64>) -> Result<Vec<Outcome>> {
    let (plots, links) = (plots(), links(loss));
    let pairs = plots.iter().flat_map(|plot| links.iter().map(move |link| (plot, link)));
    let jobs = pairs.flat_map(|(plot, link)| seeds.iter().map(move |&seed| (plot, link, seed))).collect();
    each(jobs, |(plot, link, seed)| one(plot, link, seed)).into_iter().collect()
}

fn one(plot: &Plot, link: &Link, seed: u64) -> Result<Outcome> {
    let game = game::play(&plot.phases, FPS, plot.seconds, seed);
    let run = Run { game: &game, link: &link.network, seconds: plot.seconds, seed };
    let course = BySession::new(&run)?.run(&run)?;
    let clocks = Clocks::new(&link.network.clock, plot.seconds, seed);
    let judge = Judge { game: &game, phases: &plot.phases, clocks: &clocks, seconds: plot.seconds };
    let score = judge.score(&course);
    Ok(Outcome { world: plot.name, link: link.name, seed, faults: faults(&score, link.is_good), score })
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
